/* A sequential test over the pairs of a match, fed in pair order whatever order the games ended in, so that it stops
   at the same pair at any concurrency. */
#ifndef TMSIM_SEQUENTIAL_H
#define TMSIM_SEQUENTIAL_H

#include "tmsim/stats.h"

/* Reads "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized,overshoot=none"; all from alpha on may be left out and
   have these values then. */
bool sequential_parse(const char *text, struct sprt *out, struct tm_error *error);

/* "normalized", …. */
const char *sprt_model_name(enum sprt_model model);

struct sequential;

/* For up to `pairs` pairs. NULL: out of memory. The caller frees it. */
struct sequential *sequential_new(const struct sprt *sprt, int pairs);
void sequential_free(struct sequential *test);

/* A game of the candidate: its half points (0..2, -1: no score, which voids the pair) and a digest of opening and
   moves. Pairs are counted once all before them are complete; none after the verdict. A pair whose two games equal
   those of an earlier pair is no evidence and not counted. False: the ratio cannot be computed, or out of memory. */
bool sequential_add(struct sequential *test, int pair, int leg, int half_points, uint64_t digest,
                    struct tm_error *error);

struct sequential_state {
    enum sprt_verdict verdict;
    double llr;
    double shift[2];   /* by which the lower and the upper bound were moved inwards; 0 without overshoot=dynamic */
    int64_t count[5];  /* pairs counted, by the candidate's points */
    int pairs;         /* their number */
    int read;          /* pairs read up to the verdict, those not counted too */
    int void_pairs, repeated_pairs;
};
struct sequential_state sequential_state(const struct sequential *test);

#endif
