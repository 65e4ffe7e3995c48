/* Error messages: one bounded buffer, no allocation, so reporting cannot fail in turn. */
#include "vclock/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_set(struct tm_error *error, enum tm_code code, const char *format, ...)
{
    if (!error)
        return;
    error->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

void error_prefix(struct tm_error *error, const char *format, ...)
{
    if (!error)
        return;
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used >= sizeof text)
        return;
    snprintf(text + used, sizeof text - used, ": %.*s", (int)(sizeof text - used - 3), error->message);
    memcpy(error->message, text, sizeof text);
}
