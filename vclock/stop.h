/* The stop rule: the only place that reads a soft limit (design, section 5). */
#ifndef VCLOCK_STOP_H
#define VCLOCK_STOP_H

#include "vclock/event.h"
#include "vclock/policy.h"

enum tm_stop_reason {
    TM_REASON_NONE, TM_SOFT, TM_HARD, TM_EXHAUSTED, TM_SINGLE_REPLY, TM_NATIVE, TM_GIVEN, TM_STOPPED,
    TM_POLICY_FAULT, TM_REASON_COUNT
};

/* "soft", "hard", … as they are stored; "" for none. */
const char *stop_reason_name(enum tm_stop_reason reason);

/* Where time comes from. `elapsed` turns cumulative nodes into time since the start of the search (a live
   clock ignores them). `next_poll` says at how many nodes the wall at `hard` must be looked at next. */
struct tm_time {
    void *ctx;
    tm_ns (*elapsed)(void *ctx, int64_t nodes);
    int64_t (*next_poll)(void *ctx, tm_ns hard, int64_t nodes);
};

struct tm_verdict {
    bool stop, fallback;
    enum tm_stop_reason reason;
    uint32_t move;     /* what is played */
    tm_ns spend;       /* what is charged */
    int64_t next_poll; /* the node count at which the search reports next at the latest */
};

enum { STOP_SCORES = 256 };

/* The state of one player's stop rule; one object lives for a game, since it remembers the last move's score.
   Callers may read `budget`, `signals`, `blind` and `error`; the rest is its own. */
struct stop {
    struct policy_game *policy; /* borrowed; NULL: only given limits count */
    const struct policy_info *info;
    struct tm_time time;
    struct budget budget;
    struct signals signals;
    int scores[STOP_SCORES];    /* signals.scores */
    tm_ns soft, hard;           /* as they stand now */
    int64_t wall;               /* where the hard limit is looked at next */
    uint32_t finished;          /* best move of the last finished iteration, 0: none yet */
    uint32_t running;           /* newer best move of the running iteration, its own search finished; 0: none */
    uint32_t current;           /* best move seen last, to count changes */
    int finished_depth, finished_score;
    tm_ns finished_at;          /* elapsed at the last finished iteration */
    bool iteration_open;        /* an event of the running iteration has been seen */
    bool blind;                 /* raw hard at or below the floor, or hard <= 0 */
    bool pondering;
    bool latched;               /* a reading while pondering said stop */
    struct tm_verdict latch;
    bool has_last_score;
    int last_score;             /* of the previous own move */
    struct tm_error error;      /* of a policy fault */
};

/* A new game: no previous move. `policy` may be NULL (with stop_begin_given only); both are borrowed for the game. */
void stop_new_game(struct stop *stop, struct policy_game *policy, const struct policy_info *info);

/* As stop_begin, for limits that were given (movetime, infinite): no policy is asked. TM_NS_MAX: none. */
struct tm_verdict stop_begin_given(struct stop *stop, tm_ns soft, tm_ns hard, struct tm_time time, bool ponder);

/* Asks the policy for its budget. The verdict stops at once only on a policy fault; its next_poll is where
   the search reports first. */
struct tm_verdict stop_begin(struct stop *stop, const struct clock_state *clock, struct tm_time time, bool ponder);

/* Reads one event. After a verdict that stops, nothing more may be read. */
struct tm_verdict stop_read(struct stop *stop, const struct tm_event *event);

/* The soft limit as the last reading left it (`limit` may move it); TM_NS_MAX: none. For sources of events that
   want to report exactly there; whether it is reached is for stop_read to say. */
tm_ns stop_soft(const struct stop *stop);

/* After the move: runs the policy's `finish` once with the charged spend. False: a policy fault. */
bool stop_finish(struct stop *stop, const struct tm_verdict *verdict, int64_t charged_nodes, struct tm_error *error);

#endif
