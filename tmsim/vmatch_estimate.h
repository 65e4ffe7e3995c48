/* What a match would cost and could tell, from a short measurement that stores nothing. */
#ifndef TMSIM_VMATCH_ESTIMATE_H
#define TMSIM_VMATCH_ESTIMATE_H

#include <stdio.h>

#include "tmsim/table.h"
#include "tmsim/vmatch.h"

struct vmatch_estimate {
    int64_t games, pairings;       /* of the whole match, all time controls */
    int openings_needed, openings; /* per pairing; in the book */
    int measured;                  /* games of the measurement */
    double seconds;                /* it took */
    double cpu_s, wall_s;          /* of the whole match: on one core; at the plan's concurrency */
    double moves, bytes;           /* of the whole match; of its store */
    double pair_variance;          /* of a pair's score */
    bool variance_measured;        /* false: too few pairs, a typical value stands in */
    double elo;                    /* a difference that each pairing shows with 80 % probability at 5 %, two-sided */
};

/* Plays games of the plan for about `seconds` and extrapolates. */
bool vmatch_estimate(const struct vmatch_plan *plan, double seconds, const atomic_bool *interrupted,
                     struct vmatch_estimate *out, struct tm_error *error);

bool vmatch_estimate_print(const struct vmatch_estimate *estimate, enum table_format format, FILE *stream);

#endif
