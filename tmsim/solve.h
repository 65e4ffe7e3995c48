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

/* `spec` is how the user names the policy, for witnesses; `brief` leaves out what solution_row does not show.
   False: the policy does not even start, or memory ran out. The caller clears *out. */
bool solve_cell(const struct cell_setup *setup, const char *spec, bool brief, struct solution *out,
                struct tm_error *error);
void solution_clear(struct solution *solution);

/* True if the walk ends on time. */
bool solution_flags(const struct solution *solution);

/* As people read it, at most 100 columns wide. */
void solution_print(const struct solution *solution, FILE *stream);

/* One row of the JSON output ("tmsim.solve/1"); NULL: out of memory. The caller owns it. Seconds end in _s.
   policy, tc, overhead_s, first_inc, spend: the cell. at_ply, at_movestogo: where knees and parks were found.
   walk: moves (charged), flag_move (from 1, or null), end_clock_s, min_clock_s, median_spend_s, max_spend_s,
   floor_moves, first_floor_move, starved_moves, reserve_s (the most that was unused when a period or the walk ended).
   park: outcome ("parks", "drains", "accumulates"), and of the one reached kind, clock_s, from_s, to_s, blind (null if
   there is none); `all` lists every park in the same form.
   knees: kind, clock_s, term (source text, or null).
   pathologies: kind, severity ("severe", "warning", "note"), from_s and to_s (clocks, or null), ply, witness, text. */
json_t *solution_json(const struct solution *solution);

/* The columns of one line per cell, for `--grid` and CSV, and the line. */
struct table *solution_table_new(void);
void solution_row(struct table *table, const struct solution *solution);

bool solution_store(const struct solution *solution, struct store *store, struct tm_error *error);

#endif
