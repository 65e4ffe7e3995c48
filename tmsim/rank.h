/* The ranking of the policies in a store: Elo from pairs, flags, blind moves, clocks, and what it is worth. */
#ifndef TMSIM_RANK_H
#define TMSIM_RANK_H

#include <stdio.h>

#include "tmsim/store.h"
#include "tmsim/table.h"

struct rank_options {
    enum table_format format;
    const char *store_name;  /* for the heading; NULL: not shown */
    const char *baseline;    /* label of a policy, "smooth" or "smooth@a1b2"; NULL: the run's own, if it has one */
    const char *run_prefix;  /* beginning of a run's key; NULL: all runs, or those of `run` */
    const int64_t *run;      /* ids of the runs to show, in this order; NULL: all, oldest first */
    int run_count;
    const int64_t *policy;   /* ids of the policies to show; NULL: the newest version of each label */
    int policy_count;
    const char *const *extra_notes; /* more sentences for the end, or NULL */
    int extra_note_count;
    /* More for people below the block of each run, before the last sentence; NULL: nothing. False: it cannot. */
    bool (*below)(void *ctx, int64_t run, FILE *stream);
    void *below_ctx;
};

/* Prints one block for each run. Nothing is printed on a fault. *is_void (NULL: not asked): a gate has refused one of
   the runs, and its table is headed VOID. */
bool rank_print(struct store *store, const struct rank_options *options, FILE *stream, bool *is_void,
                struct tm_error *error);

/* Prints the gates of the same runs instead. */
bool rank_print_gates(struct store *store, const struct rank_options *options, FILE *stream, bool *is_void,
                      struct tm_error *error);

#endif
