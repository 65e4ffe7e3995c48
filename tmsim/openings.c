#include "tmsim/openings.h"

#include <stdio.h>
#include <string.h>

/* Takes `key=value` off the front of the comma list at *at. False at its end. */
static bool next_field(const char **at, char *key, size_t key_size, char *value, size_t value_size)
{
    if (!**at)
        return false;
    const size_t length = strcspn(*at, ",");
    const char *equals = memchr(*at, '=', length);
    const size_t key_length = equals ? (size_t)(equals - *at) : length;
    snprintf(key, key_size, "%.*s", (int)key_length, *at);
    snprintf(value, value_size, "%.*s", equals ? (int)(length - key_length - 1) : 0, equals ? equals + 1 : "");
    *at += length + ((*at)[length] == ',');
    return true;
}

const char *openings_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool openings_read(const char *text, const char *data, char path[OPENINGS_PATH_SIZE], struct book **book,
                   enum book_order *order, struct tm_error *error)
{
    char key[32], value[OPENINGS_PATH_SIZE];
    snprintf(path, OPENINGS_PATH_SIZE, "%s/books/zeitnot-240.epd", data);
    *order = BOOK_RANDOM;
    for (const char *at = text ? text : ""; next_field(&at, key, sizeof key, value, sizeof value);) {
        if (strcmp(key, "file") == 0 && *value)
            snprintf(path, OPENINGS_PATH_SIZE, "%s", value);
        else if (strcmp(key, "format") == 0 && strcmp(value, "epd") == 0)
            continue;
        else if (strcmp(key, "order") == 0 && strcmp(value, "random") == 0)
            *order = BOOK_RANDOM;
        else if (strcmp(key, "order") == 0 && strcmp(value, "sequential") == 0)
            *order = BOOK_SEQUENTIAL;
        else
            return error_fail(error, TM_INPUT, "--openings %s: expected file=FILE, format=epd or "
                                               "order=random|sequential, found '%s=%s'", text, key, value);
    }
    return book_load(path, book, error);
}
