/* The clocks at which policies are recorded and engines are asked. */
#ifndef TMSIM_VECTORS_GRID_H
#define TMSIM_VECTORS_GRID_H

#include "vclock/policy.h"

/* How many states there are, and state `index`: the first own move of a game, with base = time, the same clock for
   the opponent, all men on the board and 20 legal moves. */
int vectors_grid_size(void);
struct clock_state vectors_grid_state(int index);

#endif
