/* Search events: all that the stop rule ever learns about a search. */
#ifndef VCLOCK_EVENT_H
#define VCLOCK_EVENT_H

#include <stdint.h>

enum tm_event_kind { TM_POLL, TM_ITERATION, TM_FAIL_LOW, TM_FAIL_HIGH, TM_NEW_BEST, TM_PONDERHIT, TM_END };

enum tm_bound { TM_EXACT, TM_LOWER, TM_UPPER };

/* Which fields this source can tell; an unknown one is nil to a policy, never 0. */
enum tm_known {
    TM_KNOWS_SCORE = 1,
    TM_KNOWS_BOUND = 2,      /* fail lows and fail highs are reported */
    TM_KNOWS_NODES = 4,
    TM_KNOWS_BEST_NODES = 8,
    TM_KNOWS_LEGAL = 16,
    TM_KNOWS_CHANGES = 32,   /* changes of the best move within an iteration are reported */
    TM_KNOWS_ALL = 63
};

/* A score of mate in n plies is +-(TM_MATE - n). */
enum { TM_MATE = 32000, TM_MATE_BOUND = 31000 };

/* One report of the search. `move` is the engine's own code of a move and opaque here; 0 is none.
   TM_ITERATION: depth `depth` has finished with `move` and `score`.
   TM_FAIL_LOW/HIGH: the window failed; `score` is a bound.
   TM_NEW_BEST: `move` is the best root move of the running iteration, its own search has finished.
   TM_POLL: only time has passed; `move` is what the source would play were it stopped now.
   TM_END: the search has nothing left to do. */
struct tm_event {
    enum tm_event_kind kind;
    uint32_t move;
    int depth;          /* the running iteration, or the finished one at TM_ITERATION */
    int score;          /* centipawns for the mover */
    int mate;           /* signed moves to mate, 0: none */
    int legal;          /* legal root moves */
    int bound;          /* enum tm_bound */
    int64_t nodes;      /* cumulative in this search */
    int64_t best_nodes; /* of these, under `move`; cumulative over iterations */
    uint32_t known;     /* enum tm_known */
};

#endif
