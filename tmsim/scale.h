/* Is a policy scale-free? Decided by numbers: all times and time parameters scaled together (design, section 4). */
#ifndef TMSIM_SCALE_H
#define TMSIM_SCALE_H

#include "tmsim/knees.h"

enum scale_verdict { SCALE_FREE, SCALE_BOUND, SCALE_UNDECIDED };

struct scale_result {
    enum scale_verdict verdict;
    double factor;           /* of all times */
    bool at_hard;            /* which limit differs: hard, else soft */
    struct clock_state state; /* SCALE_BOUND: the state whose budget does not scale */
    double is, should;       /* the raw limit with scaled times, and the scaled limit; in the policy's unit */
    const char *reason;      /* SCALE_UNDECIDED: why */
};

const char *scale_verdict_name(enum scale_verdict verdict); /* "scale-free", "not scale-free", "undecided" */

/* Compares raw limits at a few clocks and on both sides of each knee. */
struct scale_result scale_check(struct cell *cell, const struct knees *knees);

#endif
