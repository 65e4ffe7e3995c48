/* The final block of a match in the form that users of the match runners know. */
#ifndef TMSIM_RUNNER_FORM_H
#define TMSIM_RUNNER_FORM_H

#include <stdio.h>

#include "tmsim/sequential.h"
#include "tmsim/store.h"

/* One match: a policy against another, by pairs. Texts are borrowed. */
struct runner_form {
    const char *player, *opponent, *tc;
    const int64_t *count;      /* 5 cells, from the player's side */
    const struct sprt *sprt;   /* NULL: fixed number of pairs */
    const struct sequential_state *sequential;
};

void runner_form_print(const struct runner_form *form, FILE *stream);

/* Prints a block for each policy of a run against its baseline (of two policies: for the first against the
   second), but not where nothing was measured. */
bool runner_form_print_run(struct store *store, int64_t run, FILE *stream, struct tm_error *error);

#endif
