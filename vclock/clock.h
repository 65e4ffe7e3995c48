/* One player's virtual clock. */
#ifndef VCLOCK_CLOCK_H
#define VCLOCK_CLOCK_H

#include "vclock/tc.h"

struct vclock {
    const struct tc *tc; /* borrowed */
    tm_ns left;
    int period;          /* index of the running period */
    int movestogo;       /* own moves to the next control; meaningless without one, see vclock_has_movestogo */
    int moves;           /* own moves charged so far */
    bool flagged;
    tm_ns margin;        /* 0 at the start; a runner's grace: see vclock_charge */
    int forgiven;        /* overruns that only the margin let pass */
};

/* A clock at the start of the game; with `first_inc` the first move has base + inc. */
struct vclock vclock_start(const struct tc *tc, bool first_inc);

bool vclock_has_movestogo(const struct vclock *clock);

/* Charges one own move, in this order: left -= spend + overhead; flag if below 0 (0 survives);
   movestogo -= 1; left += increment; at movestogo 0 the next period's base is added.
   A flagged clock earns nothing and keeps its negative rest. Returns false if the flag fell.
   With a margin the flag falls below -margin only; an overrun within it is counted and the clock goes on from 0, as
   match runners do it: the time that the move took beyond it is a gift. */
bool vclock_charge(struct vclock *clock, tm_ns spend, tm_ns overhead);

#endif
