/* What a played game is: the rows that go into the store, as plain data. */
#ifndef TMSIM_RECORD_H
#define TMSIM_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "vclock/stop.h"

enum game_end {
    END_NONE, END_CHECKMATE, END_STALEMATE, END_REPETITION, END_FIFTY_MOVES, END_INSUFFICIENT, END_FLAG,
    END_MAX_PLIES, END_POLICY_FAULT, END_DRAW_ADJUDICATED, END_RESIGNATION,
    END_ILLEGAL_MOVE, END_CRASH, END_STALL, END_COUNT
};

/* "checkmate", "flag", …: as stored. */
const char *game_end_name(enum game_end end);

/* One own move. Durations in nanoseconds, TM_NS_MAX: no limit. */
struct move_record {
    int ply;             /* game ply of the move, 0 at the book's end */
    char move[6];        /* UCI text */
    tm_ns clock_before, soft_raw, hard_raw, soft_floored, hard_floored, soft;
    int64_t rate, cap;   /* nodes/s; nodes at the wall */
    int64_t nodes_asked, nodes_used, nodes_charged; /* used -1: the engine did not say */
    tm_ns spend, overhead, clock_after;
    int depth, score, bound;
    enum tm_stop_reason reason;
    bool blind, fallback, starved, flagged;
    uint64_t signature;  /* branches of the policy */
    uint8_t *trace;      /* compact event stream up to the stop, or NULL; owned by the game record */
    size_t trace_size;
};

/* One finished game. White is player 0 of leg 0 and player 1 of leg 1 of its pairing. */
struct game_record {
    int pair, leg;
    int white;            /* 0 or 1: which player of the pairing has White */
    enum game_end end;
    int white_points;     /* half points: 0, 1, 2; -1: no score (policy fault) */
    int loser_side;       /* 0 White, 1 Black, -1 none */
    char *fault;          /* message and inputs of a policy fault, or what an engine did; NULL */
    struct move_record *move;
    int move_count, move_capacity;
    tm_ns clock_at_end[2];   /* White, Black */
    /* durations of this machine: table `timing` */
    int64_t wall_ns, cpu_ns;
};

void game_record_clear(struct game_record *record);

#endif
