/* The rows of a table for programs: JSON, and CSV after RFC 4180. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/table_internal.h"

/* Digits of a real: enough to read more than any statistic is good for, without the noise of the 17th. */
enum { REAL_DIGITS = 15 };

/* A JSON string; bytes that are no UTF-8 (from a file name, say) become "?". */
static json_t *json_text(const char *text)
{
    json_t *json = json_string(text);
    char *copy = json ? NULL : strdup(text);
    for (char *byte = copy; byte && *byte; byte++)
        if ((unsigned char)*byte >= 0x80)
            *byte = '?';
    if (copy)
        json = json_string(copy);
    free(copy);
    return json;
}

static json_t *cell_json(const struct table_cell *cell)
{
    switch (cell->kind) {
    case CELL_INTEGER: return json_integer(cell->integer);
    case CELL_REAL: return isfinite(cell->real) ? json_real(cell->real) : json_null();
    case CELL_TEXT: return json_text(cell->text ? cell->text : "");
    case CELL_BOOL: return json_boolean(cell->integer);
    case CELL_EMPTY:
    case CELL_UNDEFINED: break;
    }
    return json_null();
}

static bool add_cell(json_t *object, const char *key, const struct table_cell *cell)
{
    if (json_object_set_new(object, key, cell_json(cell)) != 0)
        return false;
    if (cell->kind != CELL_UNDEFINED)
        return true;
    char name[80];
    snprintf(name, sizeof name, "%s_reason", key);
    return json_object_set_new(object, name, json_text(cell->text ? cell->text : "undefined")) == 0;
}

static bool add_rows(const struct table *table, json_t *rows)
{
    for (int row = 0; row < table->rows; row++) {
        json_t *object = json_object();
        if (!object || json_array_append_new(rows, object) != 0)
            return false;
        for (int c = 0; c < table->columns; c++)
            if (table->column[c].key && !add_cell(object, table->column[c].key, table_cell_at(table, row, c)))
                return false;
    }
    return true;
}

static json_t *table_json(const struct table *table, const struct table_frame *frame)
{
    json_t *rows = json_array();
    json_t *json = json_pack("{s:s, s:s?, s:o}", "schema", frame->schema, "run", frame->run, "rows", rows);
    bool ok = json && add_rows(table, rows);
    if (ok && frame->note_count > 0) {
        json_t *notes = json_array();
        for (int i = 0; i < frame->note_count; i++)
            ok = json_array_append_new(notes, json_text(frame->notes[i])) == 0 && ok;
        ok = json_object_set_new(json, "notes", notes) == 0 && ok;
    }
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

static bool print_json(const struct table *table, const struct table_frame *frame, FILE *stream)
{
    json_t *json = table_json(table, frame);
    bool ok = json && json_dumpf(json, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS)) == 0;
    json_decref(json);
    return ok && fputc('\n', stream) != EOF;
}

static void put_csv_text(const char *text, FILE *stream)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void put_csv_cell(const struct table_cell *cell, FILE *stream)
{
    switch (cell->kind) {
    case CELL_INTEGER: fprintf(stream, "%lld", (long long)cell->integer); break;
    case CELL_REAL:
        if (isfinite(cell->real))
            fprintf(stream, "%.*g", REAL_DIGITS, cell->real);
        break;
    case CELL_TEXT: put_csv_text(cell->text ? cell->text : "", stream); break;
    case CELL_BOOL: fputs(cell->integer ? "true" : "false", stream); break;
    case CELL_EMPTY:
    case CELL_UNDEFINED: break;
    }
}

/* row -1: the heading. Lines end in CR LF, as RFC 4180 has it. */
static void put_csv_line(const struct table *table, int row, FILE *stream)
{
    bool first = true;
    for (int c = 0; c < table->columns; c++) {
        if (!table->column[c].key)
            continue;
        if (!first)
            fputc(',', stream);
        first = false;
        if (row < 0)
            put_csv_text(table->column[c].key, stream);
        else
            put_csv_cell(table_cell_at(table, row, c), stream);
    }
    fputs("\r\n", stream);
}

bool table_print(const struct table *table, enum table_format format, const struct table_frame *frame, FILE *stream)
{
    if (table->failed)
        return false;
    if (format == TABLE_JSON)
        return print_json(table, frame, stream);
    if (format == TABLE_TEXT)
        table_print_text(table, 0, table->rows, stream);
    for (int row = -1; format == TABLE_CSV && row < table->rows; row++)
        put_csv_line(table, row, stream);
    return !ferror(stream);
}
