/* How much constant overhead a policy bears, by arithmetic: the walk under a spend model, and a player who spends
   nothing. */
#ifndef TMSIM_BREAK_EVEN_H
#define TMSIM_BREAK_EVEN_H

#include "tmsim/cell.h"

/* The own move (from 1) at which a player who spends nothing flags under setup's control within setup->moves; 0:
   none. */
int break_even_without_spend(const struct cell_setup *setup, tm_ns overhead);

/* The largest overhead that a player who spends nothing survives for setup->moves, to 0.1 ms from above. */
tm_ns break_even_bearable(const struct cell_setup *setup);

/* Whether the policy's walk at this overhead ends neither on time nor by a fault. */
bool break_even_survives(const struct cell_setup *setup, tm_ns overhead);

/* The largest constant overhead that the walk survives, a multiple of 0.1 ms found to a 500th part; -1: not even 0.
   *beyond, if not NULL, gets an overhead at which it does not. */
tm_ns break_even_find(const struct cell_setup *setup, tm_ns *beyond);

#endif
