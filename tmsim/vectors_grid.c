/* Long and short clocks, both sides of the knees that are known from engines (2.4 s, 2 s, 1 s), with and without
   increments, moves to go and a game behind. */
#include "tmsim/vectors_grid.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const double grid_time[] = { 300, 60, 30, 10, 5, 2.4, 2, 1, 0.5, 0.1, 0.01 }; /* s */
static const double grid_inc[] = { 0, 0.1, 1 };                                      /* s */
static const int grid_ply[] = { 0, 80 };
static const int grid_movestogo[] = { 0, 40, 20, 2, 1 }; /* 0: none */

int vectors_grid_size(void) { return COUNT(grid_time) * COUNT(grid_inc) * COUNT(grid_ply) * COUNT(grid_movestogo); }

struct clock_state vectors_grid_state(int index)
{
    const int times = COUNT(grid_time), incs = COUNT(grid_inc), plies = COUNT(grid_ply);
    const tm_ns time = ns_from_units(grid_time[index % times], 1e9);
    const tm_ns inc = ns_from_units(grid_inc[index / times % incs], 1e9);
    const int movestogo = grid_movestogo[index / times / incs / plies];
    return (struct clock_state){
        .time = time, .inc = inc, .base = time, .period_base = time, .opp_time = time, .opp_inc = inc,
        .has_movestogo = movestogo != 0, .movestogo = movestogo, .ply = grid_ply[index / times / incs % plies],
        .pieces = 32, .phase = 24, .legal = 20, .threads = 1, .rate = 1000,
    };
}
