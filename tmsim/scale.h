/* Is a policy scale-free? Decided by numbers: all times and time parameters scaled together (design, section 4). */
#ifndef TMSIM_SCALE_H
#define TMSIM_SCALE_H

#include "tmsim/knees.h"
#include "vclock/policy_quantity.h"

enum scale_verdict { SCALE_FREE, SCALE_BOUND, SCALE_UNDECIDED };

struct scale_result {
    enum scale_verdict verdict;
    double factor;           /* of all times */
    bool at_hard;            /* which limit differs: hard, else soft */
    struct clock_state state; /* SCALE_BOUND: the state whose budget does not scale */
    double is, should;       /* the raw limit with scaled times, and the scaled limit; in the policy's unit */
    const char *reason;      /* SCALE_UNDECIDED: why */
    struct quantity_result quantity; /* SCALE_BOUND: which line is at fault, if the run on quantities can tell */
};

const char *scale_verdict_name(enum scale_verdict verdict); /* "scale-free", "not scale-free", "undecided" */

/* Compares raw limits at a few clocks and on both sides of each knee. */
struct scale_result scale_check(struct cell *cell, const struct knees *knees);

/* Where the bare number is: "FILE:4: a time is compared with the bare number 1000\n    4 | if time < 1000 then", or
   why that is not known; "" unless SCALE_BOUND. Returns `buffer`. */
char *scale_culprit(const struct scale_result *scale, const struct policy *policy, char *buffer, size_t size);

#endif
