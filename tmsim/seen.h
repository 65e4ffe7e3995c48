/* What the games of a run show of a policy: the same things that the solver predicts, read off the moves. */
#ifndef TMSIM_SEEN_H
#define TMSIM_SEEN_H

#include "tmsim/store.h"
#include "tmsim/table.h"
#include "vclock/tc.h"

/* One move, to point at. */
struct seen_move {
    bool known;
    int64_t game;        /* its id */
    int pair, leg, ply;
    tm_ns clock;         /* before it */
    uint64_t signature;  /* branches of the policy */
};

/* Counts of a policy's moves; games are sides of games, two where it plays itself. */
struct seen {
    int64_t run, policy;
    char *label, *tc;                     /* owned; label as the store shows it */
    tm_ns inc, base;
    int64_t games, moves, blind, starved, inversions, flags, forgiven;
    int blind_run;                        /* longest */
    struct seen_move first_blind_run, first_starved, first_inversion, first_flag, first_forgiven, fullest_end;
    tm_ns inversion_lo, inversion_hi;     /* clocks of the inversions */
    tm_ns overrun_worst;                  /* of a flag, as far as its hard limit would have gone */
    int64_t overrun_nodes;
    tm_ns blind_clock;                    /* the highest clock of a blind move; -1: none */
    tm_ns lowest_median, end_median;      /* per game: the least that a charge left; what was left at the end */
    tm_ns late_median;                    /* clock before own moves 40 and later; -1: no game was that long */
    int first_blind_median, flag_median;  /* own moves from 1; 0: in less than half of the games */
    int length_median;                    /* own moves of a game */
};

/* Reads all of a run's policies in the order of first use. The caller clears each by seen_clear and frees *out. */
bool seen_read(struct store *store, int64_t run, struct seen **out, int *count, struct tm_error *error);
void seen_clear(struct seen *seen, int count);

/* Stores what is wrong as pathologies of the run, instead of what an earlier call had found there. `found_by`: "vmatch",
   "hammer". */
bool seen_store(struct store *store, int64_t run, const char *found_by, struct tm_error *error);

/* `tmsim rank --pathologies`: all that the store has, of the solver and of games, for these runs and without a run. */
bool seen_print_pathologies(struct store *store, const int64_t *run, int count, enum table_format format, FILE *stream,
                            struct tm_error *error);

/* `tmsim rank --cross-check`: the solver's walk, parks and knees beside the games. */
bool seen_cross_check(struct store *store, const int64_t *run, int count, enum table_format format, FILE *stream,
                      struct tm_error *error);

#endif
