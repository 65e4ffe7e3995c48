/* Makes opening books: balanced positions from playouts that the engine keeps sensible. */
#ifndef TMSIM_BOOK_BUILD_H
#define TMSIM_BOOK_BUILD_H

#include <stdint.h>

#include "vclock/error.h"

struct book_plan {
    int positions;      /* how many distinct ones are wanted */
    int min_plies, max_plies;
    int min_men;        /* queens are always both on */
    int max_eval;       /* centipawns, either side */
    int64_t eval_nodes; /* of the search behind it */
    uint64_t seed;
};

/* 26 men and 80 cp are the project's definition of a balanced early middlegame. */
struct book_plan book_plan_default(void);

/* Receives each position as an EPD line without its newline, in an order that depends on the plan alone. */
typedef bool book_line(void *ctx, const char *epd, struct tm_error *error);

/* False if the sink failed, memory is missing, or the plan cannot be met (TM_INPUT: too few distinct positions). */
bool book_build(const struct book_plan *plan, book_line *line, void *ctx, struct tm_error *error);

#endif
