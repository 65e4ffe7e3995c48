/* Time controls: what is accepted must print and read back as the same control. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vclock/tc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct tc tc, again;
    struct tm_error error;
    char printed[TC_TEXT_SIZE];
    tm_ns duration;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (tc_parse(text, &tc, &error) &&
        (!tc_parse(tc_print(printed, &tc), &again, &error) || memcmp(&tc, &again, sizeof tc) != 0))
        abort();
    duration_parse("--overhead", text, &duration, &error);
    free(text);
    return 0;
}
