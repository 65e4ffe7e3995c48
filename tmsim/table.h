/* Results as rows: an aligned table for people, the same rows as JSON or CSV for programs. */
#ifndef TMSIM_TABLE_H
#define TMSIM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_JSON, TABLE_CSV }; /* in the order of OPTION_ROW_FORMAT */

enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_CENTRE };

struct table_column {
    const char *key;      /* in JSON and CSV; NULL: only for people */
    const char *group;    /* upper line of the heading; neighbours with the same one share it; NULL: blank */
    const char *head;     /* lower line, with the unit; NULL and no group: only for programs */
    enum table_align align;
    int decimals;         /* of reals in the table for people */
    bool sign;            /* "+" before positive numbers */
};

/* A table under construction. When memory runs out it remembers that, and table_print fails. */
struct table;

struct table *table_new(const struct table_column *column, int count);
void table_free(struct table *table);

/* Starts a row; its cells are empty until they are set. */
void table_row(struct table *table);
int table_row_count(const struct table *table);

/* Cells of the last row. Texts are copied. */
void table_integer(struct table *table, int column, int64_t value);
void table_real(struct table *table, int column, double value);
void table_text(struct table *table, int column, const char *text);
void table_bool(struct table *table, int column, bool value);

/* No value, and why: "–" for people, null and KEY_reason in JSON, empty in CSV. */
void table_undefined(struct table *table, int column, const char *reason);

/* The same for plus (or minus) infinity, which people see as a sign. */
void table_infinite(struct table *table, int column, bool plus, const char *reason);

/* The lines that belong to the rows from..to-1 as a table for people. */
void table_print_text(const struct table *table, int from, int to, FILE *stream);

/* What goes around the rows in JSON. */
struct table_frame {
    const char *schema;        /* "tmsim.rank/1" */
    const char *run;           /* key; NULL: null */
    const char *const *notes;  /* sentences, or NULL */
    int note_count;
};

/* All rows in the given format. False: out of memory, or the stream failed. */
bool table_print(const struct table *table, enum table_format format, const struct table_frame *frame, FILE *stream);

/* Columns that a UTF-8 text takes on a terminal. Broken UTF-8 counts a column per byte. */
int text_width(const char *text);

/* Prints a text and a newline, broken between words so that it stays within 98 columns. `column` is where the cursor
   stands; further lines begin at `indent`. */
void text_wrap(FILE *stream, int column, int indent, const char *text);

/* A number as people read it here: with U+2212 as minus, "+" if asked for, `decimals` digits.
   A value that rounds to zero has no sign. Returns `buffer`. */
char *text_number(char *buffer, size_t size, double value, int decimals, bool sign);

#endif
