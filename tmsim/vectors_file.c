/* Reading recorded budgets. CSV is turned into the objects of the JSON format, so that there is one comparison. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/options.h"
#include "tmsim/policy_verify.h"

enum { CSV_COLUMNS = 64, CSV_LINE = 4096 };

static bool load_json(const char *path, json_t **rows, struct tm_error *error)
{
    json_error_t fault;
    json_t *root = json_load_file(path, 0, &fault);
    if (!root)
        return error_fail(error, TM_INPUT, "%s:%d: %s", path, fault.line, fault.text);
    json_t *vectors = json_object_get(root, "vectors");
    if (!json_is_array(vectors) || json_array_size(vectors) == 0) {
        json_decref(root);
        return error_fail(error, TM_INPUT, "%s: expected an object with a list \"vectors\" of recorded budgets", path);
    }
    *rows = json_incref(vectors);
    json_decref(root);
    return true;
}

/* Cuts a line at its commas. Returns how many fields there are. */
static int split(char *line, char **field)
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && count < CSV_COLUMNS;) {
        field[count++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return count;
}

static json_t *value_of(const char *text, bool *good)
{
    double number;
    *good = true;
    if (!*text || strcmp(text, "null") == 0)
        return json_null();
    *good = option_parse_real("value", text, -1e300, 1e300, &number, NULL);
    return json_real(*good ? number : 0);
}

/* Where a column of the file belongs in a row. */
static json_t *place_of(json_t *row, const char **column)
{
    json_t *inputs = json_object_get(row, "inputs");
    if (strncmp(*column, "state.", 6) == 0) {
        *column += 6;
        return json_object_get(inputs, "state");
    }
    return strcmp(*column, "soft_s") == 0 || strcmp(*column, "hard_s") == 0 ? row : inputs;
}

static bool add_row(const char *path, int line, char **column, char **field, int count, json_t *rows,
                    struct tm_error *error)
{
    json_t *row = json_pack("{s:{s:{}}}", "inputs", "state");
    bool good = row && json_array_append_new(rows, row) == 0;
    if (!good)
        return error_fail(error, TM_INTERNAL, "out of memory");
    for (int i = 0; i < count; i++) {
        const char *name = column[i];
        if (strcmp(name, "policy") == 0) {
            json_object_set_new(row, name, json_string(field[i]));
            continue;
        }
        json_t *value = value_of(field[i], &good), *place = place_of(row, &name);
        if (good && strcmp(name, "movestogo") == 0 && json_is_real(value)) {
            json_t *whole = json_integer((json_int_t)json_real_value(value));
            json_decref(value);
            value = whole;
        }
        json_object_set_new(place, name, value);
        if (!good)
            return error_fail(error, TM_INPUT, "%s:%d: %s: expected a number, found '%s'", path, line, name, field[i]);
    }
    return true;
}

static bool has_column(char **column, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(column[i], name) == 0)
            return true;
    return false;
}

static bool read_csv(FILE *file, const char *path, json_t *rows, struct tm_error *error)
{
    char head[CSV_LINE], line[CSV_LINE], *column[CSV_COLUMNS], *field[CSV_COLUMNS];
    if (!fgets(head, sizeof head, file))
        return error_fail(error, TM_INPUT, "%s: the file is empty", path);
    const int columns = split(head, column);
    static const char *const needed[] = { "time_s", "soft_s", "hard_s" };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!has_column(column, columns, needed[i]))
            return error_fail(error, TM_INPUT, "%s:1: the heading has no column %s", path, needed[i]);
    for (int number = 2; fgets(line, sizeof line, file); number++) {
        const int fields = split(line, field);
        if (fields == 1 && !*field[0])
            continue;
        if (fields != columns)
            return error_fail(error, TM_INPUT, "%s:%d: %d fields, but the heading has %d", path, number, fields,
                              columns);
        if (!add_row(path, number, column, field, fields, rows, error))
            return false;
    }
    return true;
}

static bool load_csv(const char *path, json_t **rows, struct tm_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return error_fail(error, TM_INPUT, "%s: %s", path, strerror(errno));
    *rows = json_array();
    bool ok = *rows ? read_csv(file, path, *rows, error) : error_fail(error, TM_INTERNAL, "out of memory");
    fclose(file);
    if (!ok) {
        json_decref(*rows);
        *rows = NULL;
    }
    return ok;
}

bool vectors_load(const char *path, json_t **rows, struct tm_error *error)
{
    const size_t length = strlen(path);
    *rows = NULL;
    if (length > 4 && strcmp(path + length - 4, ".csv") == 0)
        return load_csv(path, rows, error);
    return load_json(path, rows, error);
}
