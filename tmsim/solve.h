/* The whole analysis of a cell: walk, knees, parks, pathologies. */
#ifndef TMSIM_SOLVE_H
#define TMSIM_SOLVE_H

#include <jansson.h>
#include <stdio.h>

#include "tmsim/pathologies.h"
#include "tmsim/store.h"
#include "tmsim/table.h"

struct solution {
    struct cell_setup setup;
    const char *spec; /* borrowed */
    int movestogo;    /* at which knees and parks were found; 0: the control has none */
    struct walk walk;
    struct knees knees;
    struct parks parks;
    struct pathologies pathologies;
};

/* `spec` is how the user names the policy, for witnesses; `brief` leaves out what solution_row does not show. False: the policy does not even start, or memory ran out.
   The caller clears *out. */
bool solve_cell(const struct cell_setup *setup, const char *spec, bool brief, struct solution *out,
                struct tm_error *error);
void solution_clear(struct solution *solution);

/* True if the walk ends on time. */
bool solution_flags(const struct solution *solution);

/* As people read it, at most 100 columns wide. */
void solution_print(const struct solution *solution, FILE *stream);

/* One row of the JSON output; NULL: out of memory. The caller owns it. */
json_t *solution_json(const struct solution *solution);

/* The columns of one line per cell, for `--grid` and CSV, and the line. */
struct table *solution_table_new(void);
void solution_row(struct table *table, const struct solution *solution);

bool solution_store(const struct solution *solution, struct store *store, struct tm_error *error);

#endif
