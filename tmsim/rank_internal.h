/* A ranking as data, between reading, judging and printing. */
#ifndef TMSIM_RANK_INTERNAL_H
#define TMSIM_RANK_INTERNAL_H

#include "tmsim/bradley.h"
#include "tmsim/rank.h"
#include "tmsim/stats.h"

enum { RANK_ROWS = 256 }; /* policies of a run that the sentences about groups look at */

struct rank_row {
    int64_t policy;
    char *label;            /* owned */
    char *tc;               /* a control of its own, NULL: that of the run; owned */
    int version;            /* within its label */
    bool is_baseline;
    int64_t pair_count[5];  /* pairs against the baseline, or against all others, by points of this policy */
    int64_t mirrored;       /* of these, pairs whose two games are the same with the colours swapped */
    int64_t self_pairs;     /* against itself: always mirrors, never counted in pair_count */
    struct elo_stats elo;   /* of pair_count */
    bool measured;          /* false: nothing can be said, every pair is a mirror */

    /* over all its games in the run, whoever the opponent was */
    int64_t games, flags, moves, blind, fallbacks, starved, soft_stops, hard_stops;
    struct interval flag_share;                         /* 95 %, of its games */
    tm_ns spend_median, spend_max, clock_lowest, clock_end_median;
    int64_t rate_min, rate_max;                         /* nodes/s */
};

/* The sentences under a ranking. Each is appended to a list that owns it. */
struct note_list {
    char **note;
    int count;
    bool failed; /* out of memory */
};

struct ranking {
    int64_t run;
    char *key, *tc, *profile, *overhead, *seed; /* owned */
    tm_ns overhead_ns;      /* of a constant overhead, -1: another model */
    int baseline;           /* index into row, -1: against the pool of the others */
    struct rank_row *row;   /* best first after rank_judge */
    int count;
    int older;              /* versions of policies that are not shown */
    int64_t openings;       /* distinct ones */
    char *void_reason;      /* the gates that failed; owned, NULL: none did */
    struct note_list sweeps; /* sentences about parameters that were swept */
    struct bradley field;   /* of all games, in the order of the rows after rank_judge; anchored at the baseline */
    int64_t faulted, half;  /* pairs left out: a policy fault, a leg that is missing */
};

/* Reads a run's aggregates; rows in the order of first use. The caller clears it by ranking_clear, also on a fault. */
bool rank_read(struct store *store, int64_t run, const struct rank_options *options, struct ranking *out,
               struct tm_error *error);
void ranking_clear(struct ranking *ranking);

/* The ids of the runs that the options choose; the caller frees *out. */
bool rank_choose_runs(struct store *store, const struct rank_options *options, int64_t **out, int *count,
                      struct tm_error *error);

/* Fills what follows from the counts and sorts: known Elo first, best first, then by label. */
void rank_judge(struct ranking *ranking);

/* a is better than b beyond both intervals. */
bool rank_separated(const struct rank_row *a, const struct rank_row *b);

/* Whether the two play at the same control: else more time may be all that makes one better. */
bool rank_comparable(const struct rank_row *a, const struct rank_row *b);

/* b is dominated by a: separated at the same control, and a flags no more often. */
bool rank_dominates(const struct rank_row *a, const struct rank_row *b);

void note_list_add(struct note_list *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rank_notes(const struct ranking *ranking, struct note_list *notes);

/* The last sentence under all rankings: what they are, and what to do next. */
void rank_closing(const struct ranking *ranking, int count, struct note_list *notes);

/* Prints each within the width of a page. */
void note_list_print(const struct note_list *notes, FILE *stream);
void note_list_clear(struct note_list *notes);

/* Rates all policies by all games of the run; after rank_judge. */
bool rank_field_read(struct store *store, struct ranking *ranking, struct tm_error *error);

/* How many intervals a ranking shows; the sum over a table makes them simultaneous. */
int rank_field_comparisons(const struct ranking *ranking);

/* Elo of a row over the baseline (or the mean) and half its simultaneous 95 % interval. False: undefined. */
bool rank_field_interval(const struct ranking *ranking, int row, int comparisons, double *elo, double *half);

/* Probability that one row is better than another. False: undefined. */
bool rank_field_superiority(const struct ranking *ranking, int row, int other, double *probability);

/* Fits the response to each parameter that was swept and leaves the sentences in the ranking. */
bool rank_sweep_notes(struct store *store, struct ranking *ranking, struct tm_error *error);

void rank_field_notes(const struct ranking *ranking, int comparisons, struct note_list *notes);

/* What the time controls say together: policies whose Elo changes its sign. */
void rank_across_notes(const struct ranking *ranking, int count, int comparisons, struct note_list *notes);

#endif
