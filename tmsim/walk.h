/* The walk: a policy's clock through a game of own moves, with spends from a model. */
#ifndef TMSIM_WALK_H
#define TMSIM_WALK_H

#include "tmsim/cell.h"

enum { WALK_MAX_MOVES = 2000 };

struct walk_move {
    struct clock_state state;
    struct budget budget;
    tm_ns spend, clock_after; /* after the charge, before anything is earned */
    enum tm_stop_reason reason;
    bool blind, starved;
};

struct walk {
    int moves;                /* that were charged; the last one is the flag, if there is one */
    int flag_move;            /* from 1; 0: none */
    int fault_move;           /* the policy faulted there; 0: nowhere */
    tm_ns end_clock, min_clock; /* after the last move with what it earned; lowest of those. A flag leaves its debt */
    tm_ns median_spend, max_spend;
    int floor_moves, first_floor_move; /* raw hard at or below its floor, or hard <= 0; 0: none */
    int starved_moves;
    tm_ns reserve;            /* the most that lay unused when a period or the game ended */
    struct walk_move *move;   /* moves of them */
    struct tm_error fault;
};

/* Walks setup->moves own moves. False: out of memory (TM_INTERNAL). The caller clears *out. */
bool walk_run(const struct cell_setup *setup, struct walk *out, struct tm_error *error);

/* The same in an open cell, which can be asked about clocks as before. */
bool walk_in_cell(struct cell *cell, struct walk *out, struct tm_error *error);
void walk_clear(struct walk *walk);

#endif
