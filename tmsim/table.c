/* Rows of typed cells, and the table for people. */
#include "tmsim/table.h"

#include <stdlib.h>
#include <string.h>

#include "tmsim/table_internal.h"

struct table *table_new(const struct table_column *column, int count)
{
    struct table *table = calloc(1, sizeof *table);
    if (table) {
        table->column = column;
        table->columns = count;
    }
    return table;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    for (int i = 0; i < table->rows * table->columns; i++)
        free(table->cell[i].text);
    free(table->cell);
    free(table);
}

void table_row(struct table *table)
{
    size_t width = (size_t)table->columns;
    struct table_cell *cell = realloc(table->cell, ((size_t)table->rows + 1) * width * sizeof *cell);
    if (!cell) {
        table->failed = true;
        return;
    }
    table->cell = cell;
    memset(&cell[(size_t)table->rows * width], 0, width * sizeof *cell);
    table->rows++;
}

int table_row_count(const struct table *table) { return table->rows; }

const struct table_cell *table_cell_at(const struct table *table, int row, int column)
{
    return &table->cell[row * table->columns + column];
}

static void set_cell(struct table *table, int column, struct table_cell value, const char *text)
{
    if (table->rows == 0 || table->failed)
        return;
    if (text && !(value.text = strdup(text)))
        table->failed = true;
    struct table_cell *cell = &table->cell[(table->rows - 1) * table->columns + column];
    free(cell->text);
    *cell = value;
}

void table_integer(struct table *table, int column, int64_t value)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_INTEGER, .integer = value }, NULL);
}

void table_real(struct table *table, int column, double value)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_REAL, .real = value }, NULL);
}

void table_text(struct table *table, int column, const char *text)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_TEXT }, text);
}

void table_bool(struct table *table, int column, bool value)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_BOOL, .integer = value }, NULL);
}

void table_undefined(struct table *table, int column, const char *reason)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_UNDEFINED }, reason);
}

void table_infinite(struct table *table, int column, bool plus, const char *reason)
{
    set_cell(table, column, (struct table_cell){ .kind = CELL_UNDEFINED, .integer = plus ? 1 : -1 }, reason);
}

/* Length in bytes of the UTF-8 sequence at `text`, and its code point; a broken one is one byte. */
static int decode(const unsigned char *text, uint32_t *point)
{
    int length = text[0] < 0x80 ? 1 : text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : text[0] >= 0xC0 ? 2 : 1;
    *point = length == 1 ? text[0] : text[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            *point = text[0];
            return 1;
        }
        *point = *point << 6 | (text[i] & 0x3Fu);
    }
    return length;
}

/* Code points that take no column, or two: the blocks of Unicode 15 that names of policies may plausibly hold. */
static const struct { uint32_t first, last; int width; } widths[] = {
    { 0x0300, 0x036F, 0 }, { 0x1100, 0x115F, 2 }, { 0x200B, 0x200F, 0 }, { 0x2E80, 0xA4CF, 2 }, { 0xAC00, 0xD7A3, 2 },
    { 0xF900, 0xFAFF, 2 }, { 0xFE00, 0xFE0F, 0 }, { 0xFF00, 0xFF60, 2 }, { 0x1F300, 0x1FAFF, 2 }, { 0x20000, 0x3FFFD, 2 },
};

int text_width(const char *text)
{
    int width = 0;
    uint32_t point;
    for (const unsigned char *at = (const unsigned char *)text; *at; at += decode(at, &point)) {
        int columns = 1;
        decode(at, &point);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            if (point >= widths[i].first && point <= widths[i].last)
                columns = widths[i].width;
        width += columns;
    }
    return width;
}

enum { TEXT_COLUMNS = 98 };

void text_wrap(FILE *stream, int column, int indent, const char *text)
{
    const char *gap = "";
    while (*text) {
        size_t length = strcspn(text, " ");
        char word[512];
        if (strncmp(text + length, " %", 2) == 0) /* a number and its sign stay together */
            length += 1 + strcspn(text + length + 1, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int width = text_width(word);
        if (*gap && column + 1 + width > TEXT_COLUMNS) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
            gap = "";
        }
        fprintf(stream, "%s%s", gap, word);
        column += (int)strlen(gap) + width;
        gap = " ";
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

char *text_number(char *buffer, size_t size, double value, int decimals, bool sign)
{
    char digits[400];
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    bool minus = digits[0] == '-', zero = strpbrk(digits, "123456789") == NULL;
    const char *prefix = zero ? "" : minus ? "\u2212" : sign ? "+" : "";
    snprintf(buffer, size, "%s%s", prefix, digits + minus);
    return buffer;
}

/* What a cell looks like to a person; `buffer` is used if the text has to be made. */
static const char *cell_text(const struct table_column *column, const struct table_cell *cell, char *buffer, size_t size)
{
    switch (cell->kind) {
    case CELL_INTEGER: return text_number(buffer, size, (double)cell->integer, 0, column->sign);
    case CELL_REAL: return text_number(buffer, size, cell->real, column->decimals, column->sign);
    case CELL_BOOL: return cell->integer ? "yes" : "no";
    case CELL_TEXT: return cell->text ? cell->text : "";
    case CELL_UNDEFINED: return cell->integer > 0 ? "+\u221E" : cell->integer < 0 ? "\u2212\u221E" : "\u2013";
    case CELL_EMPTY: break;
    }
    return "";
}

static bool for_people(const struct table_column *column) { return column->head || column->group; }

static bool same_group(const struct table_column *a, const struct table_column *b)
{
    return a->group && b->group && *a->group && strcmp(a->group, b->group) == 0;
}

/* Blanks are owed until something follows them, so that no line ends in blanks. */
struct pen {
    FILE *stream;
    int owed;
};

static void put_aligned(struct pen *pen, const char *text, int width, enum table_align align)
{
    int space = width - text_width(text);
    int left = align == TABLE_RIGHT ? space : align == TABLE_CENTRE ? space / 2 : 0;
    if (*text) {
        fprintf(pen->stream, "%*s%s", pen->owed + left, "", text);
        pen->owed = 0;
    } else {
        pen->owed += left;
    }
    pen->owed += space - left;
}

enum { GAP = 2 };

/* The next column for people after `column`, or the count. */
static int next_shown(const struct table *table, int column)
{
    do
        column++;
    while (column < table->columns && !for_people(&table->column[column]));
    return column;
}

/* The last column of the group that starts at `first`, and the columns of the terminal it spans. */
static int group_end(const struct table *table, const int *width, int first, int *span)
{
    int end = first;
    *span = width[first];
    for (int next = next_shown(table, end);
         next < table->columns && same_group(&table->column[first], &table->column[next]);
         next = next_shown(table, end)) {
        *span += GAP + width[next];
        end = next;
    }
    return end;
}

/* Widths of heads and cells; a group's heading that is wider than its columns widens the last of them. */
static void measure(const struct table *table, int from, int to, int *width)
{
    char buffer[420];
    for (int c = next_shown(table, -1); c < table->columns; c = next_shown(table, c)) {
        width[c] = table->column[c].head ? text_width(table->column[c].head) : 0;
        for (int r = from; r < to; r++) {
            int cell = text_width(cell_text(&table->column[c], table_cell_at(table, r, c), buffer, sizeof buffer));
            width[c] = cell > width[c] ? cell : width[c];
        }
    }
    for (int c = next_shown(table, -1); c < table->columns; c = next_shown(table, c)) {
        int span, end = group_end(table, width, c, &span);
        int need = table->column[c].group ? text_width(table->column[c].group) : 0;
        width[end] += need > span ? need - span : 0;
        c = end;
    }
}

/* Whether the upper, or the lower, line of the heading has anything to say. */
static bool has_heading(const struct table *table, bool upper)
{
    for (int c = 0; c < table->columns; c++) {
        const char *text = upper ? table->column[c].group : table->column[c].head;
        if (text && *text)
            return true;
    }
    return false;
}

static void print_groups(const struct table *table, const int *width, FILE *stream)
{
    struct pen pen = { stream, 0 };
    for (int c = next_shown(table, -1), span; c < table->columns; c = next_shown(table, c)) {
        const struct table_column *column = &table->column[c];
        int end = group_end(table, width, c, &span);
        put_aligned(&pen, column->group ? column->group : "", span, end > c ? TABLE_CENTRE : column->align);
        pen.owed += GAP;
        c = end;
    }
    fputc('\n', stream);
}

/* row -1: the lower line of the heading. */
static void print_line(const struct table *table, const int *width, int row, FILE *stream)
{
    struct pen pen = { stream, 0 };
    char buffer[420];
    for (int c = next_shown(table, -1); c < table->columns; c = next_shown(table, c)) {
        const struct table_column *column = &table->column[c];
        const char *text = row < 0 ? (column->head ? column->head : "")
                                   : cell_text(column, table_cell_at(table, row, c), buffer, sizeof buffer);
        put_aligned(&pen, text, width[c], column->align);
        pen.owed += GAP;
    }
    fputc('\n', stream);
}

void table_print_text(const struct table *table, int from, int to, FILE *stream)
{
    int *width = calloc((size_t)table->columns + 1, sizeof *width);
    if (!width)
        return;
    measure(table, from, to, width);
    if (has_heading(table, true))
        print_groups(table, width, stream);
    if (has_heading(table, false))
        print_line(table, width, -1, stream);
    for (int row = from; row < to; row++)
        print_line(table, width, row, stream);
    free(width);
}
