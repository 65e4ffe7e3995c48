/* Lists of key=value. */
#include "tmsim/fields.h"

#include <stdio.h>
#include <string.h>

#include "tmsim/options.h"

bool fields_next(const char **at, struct field *field)
{
    if (!**at)
        return false;
    const size_t length = strcspn(*at, ",");
    const char *equals = memchr(*at, '=', length);
    const size_t key_length = equals ? (size_t)(equals - *at) : length;
    snprintf(field->key, sizeof field->key, "%.*s", (int)key_length, *at);
    snprintf(field->value, sizeof field->value, "%.*s", equals ? (int)(length - key_length - 1) : 0,
             equals ? equals + 1 : "");
    *at += length + ((*at)[length] == ',');
    return true;
}

bool fields_read_number(const char *what, const struct field *field, const struct field_number *row, int count,
                        bool *known, struct tm_error *error)
{
    char place[80];
    snprintf(place, sizeof place, "%s %s", what, field->key);
    *known = true;
    for (int i = 0; i < count; i++) {
        if (strcmp(row[i].key, field->key) != 0)
            continue;
        if (row[i].real)
            return option_parse_real(place, field->value, row[i].low, row[i].high, row[i].real, error);
        int64_t whole;
        if (!option_parse_integer(place, field->value, (int64_t)row[i].low, (int64_t)row[i].high, &whole, error))
            return false;
        *row[i].whole = (int)whole;
        return true;
    }
    *known = false;
    return true;
}
