/* The cells of a table, for its two writers. */
#ifndef TMSIM_TABLE_INTERNAL_H
#define TMSIM_TABLE_INTERNAL_H

#include "tmsim/table.h"

enum cell_kind { CELL_EMPTY, CELL_INTEGER, CELL_REAL, CELL_TEXT, CELL_BOOL, CELL_UNDEFINED };

struct table_cell {
    enum cell_kind kind;
    int64_t integer;
    double real;
    char *text; /* of a text, or the reason of an undefined value; owned */
};

struct table {
    const struct table_column *column; /* borrowed */
    int columns, rows;
    struct table_cell *cell; /* rows * columns */
    bool failed;             /* memory ran out */
};

const struct table_cell *table_cell_at(const struct table *table, int row, int column);

#endif
