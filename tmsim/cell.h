/* A cell: one policy under one time control and overhead, ready to be asked about any clock. */
#ifndef TMSIM_CELL_H
#define TMSIM_CELL_H

#include "tmsim/spend_model.h"
#include "vclock/clock.h"

struct cell_setup {
    const struct policy *policy; /* borrowed */
    struct tc tc;
    tm_ns overhead;              /* charged on top of every move */
    bool first_inc;
    bool fresh;                  /* single clocks see the g of a new game, not the one that a first move leaves */
    int ply_step;                /* game plies between two own moves: 2, or 1 for walks that count own moves only */
    int moves;                   /* own moves of the walk */
    int middle_ply;              /* the ply at which single clocks are asked about */
    struct spend_model model;
    tm_ns starved_floor;         /* starved: spend < max(this, 1.5 * inc) */
};

/* 40 plies: the middle of a game, and what the published knees of pool:phase_m=1 were taken at. */
enum { CELL_MIDDLE_PLY = 40 };

/* The setup with everything but policy, control and overhead at its default: first_inc, 2 plies a move, 80 moves. */
struct cell_setup cell_defaults(const struct policy *policy, const struct tc *tc, tm_ns overhead);

struct cell {
    struct cell_setup setup;
    struct policy_game *game;
    struct policy_memory *start;  /* g of a new game */
    struct policy_memory *memory; /* g as a first move at base leaves it */
    struct stop stop;
    struct clock_state middle;    /* the state of a move at middle_ply, whose time callers replace */
    tm_ns top;                    /* the clock at the first move */
};

/* One clock and what the policy makes of it. */
struct cell_point {
    tm_ns time;
    bool fault;             /* nothing else is known then */
    bool blind;
    struct budget budget;
    tm_ns spend;
};

/* Plays a first move at base, to know the g it leaves. False: the policy cannot even do that. */
bool cell_open(struct cell *cell, const struct cell_setup *setup, struct tm_error *error);
void cell_close(struct cell *cell);

/* The policy as in a new game, for a walk; after a breach of the sandbox it is made anew. NULL: that failed. */
struct policy_game *cell_new_game(struct cell *cell);

/* The state of own move `move` (from 0) with `clock`. */
struct clock_state cell_state(const struct cell_setup *setup, const struct vclock *clock, int move);

/* The state at middle_ply with that much time. */
struct clock_state cell_state_at(const struct cell *cell, tm_ns time);

/* Budget only. `g` is restored first, so calls do not see each other. False: a policy fault; after a breach of the
   sandbox the game is made anew. */
bool cell_budget(struct cell *cell, const struct clock_state *state, struct budget *out, struct tm_error *error);

/* Budget and spend at a clock; a fault is marked in the point. */
struct cell_point cell_point_at(struct cell *cell, tm_ns time);

/* spend + overhead - increment: what a move takes off the clock. */
tm_ns cell_drain(const struct cell *cell, const struct cell_point *point);

/* The branches of the last evaluation; valid until the next. */
int cell_branches(const struct cell *cell, const struct policy_branch **out);

/* raw limit at or below its floor, or floored limit at or below 0. */
bool cell_at_floor(double raw, bool has_floor, double floor);

#endif
