/* Flags against constant overhead: by arithmetic and by games, side by side. */
#ifndef TMSIM_HAMMER_SWEEP_H
#define TMSIM_HAMMER_SWEEP_H

#include "tmsim/hammer.h"

enum { SWEEP_MAX_STEPS = 200 };

struct sweep_point {
    tm_ns overhead;
    int solved_move;             /* own move at which the walk flags within plan.moves; 0: it does not */
    struct hammer_verdict games;
};

struct sweep {
    tm_ns low, high;
    int steps;                   /* overheads, both ends among them */
    const struct hammer_plan *plan;
    struct sweep_point *point;   /* steps of the first policy, steps of the second, … */
    tm_ns *break_even;           /* of each policy, by arithmetic; -1: not even 0 */
};

/* Reads "0ms..300ms". */
bool sweep_parse(const char *text, struct sweep *out, struct tm_error *error);

/* Hammers at every overhead. `rules` is plan->match->rules[0], which this changes. The caller clears *sweep. */
bool sweep_run(struct sweep *sweep, const struct hammer_plan *plan, struct game_rules *rules, struct store *store,
               const atomic_bool *interrupted, int *played, struct tm_error *error);
void sweep_clear(struct sweep *sweep);

struct table *sweep_table_new(void);
void sweep_add(struct table *table, const struct sweep *sweep);

/* For people: heading, the table's rows from `from` on, and what they come to. */
void sweep_print(const struct sweep *sweep, const struct table *table, int from, FILE *stream);

/* Flag probability against overhead as FILE.svg or FILE.png, by gnuplot. */
bool sweep_plot(const struct sweep *sweep, const char *file, struct tm_error *error);

#endif
