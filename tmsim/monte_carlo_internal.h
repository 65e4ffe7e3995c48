/* What the parts of the Monte-Carlo share. */
#ifndef TMSIM_MONTE_CARLO_INTERNAL_H
#define TMSIM_MONTE_CARLO_INTERNAL_H

#include "tmsim/cell.h"
#include "tmsim/monte_carlo.h"

enum { MC_MAX_MOVES = 2000 };

/* A budget's scale against the clock, linear between points. */
struct mc_curve {
    tm_ns *clock, *scale;
    int count;
};

struct mc_table {
    struct mc_curve *curve;
    int curve_count, points;
    int of_move[MC_MAX_MOVES]; /* which curve */
    tm_ns error;               /* largest difference that probing between the points has met */
};

/* hard, or soft where hard is no limit; 0 if neither is a positive limit. */
tm_ns mc_scale(const struct budget *budget);

/* Whether the policy's text uses `rand`; whether it uses `g` or has a `finish`, and so may remember. */
bool mc_draws(const struct policy *policy);
bool mc_remembers(const struct policy *policy);

/* Whether walks with little and with much spending get the budgets at every move that a policy asked out of order gives:
   then what it remembers is set by its first move, or does not reach its budget. */
bool mc_forgets(const struct mc_request *request, int moves);

bool mc_table_make(const struct mc_request *request, int moves, struct mc_table *out, struct tm_error *error);
void mc_table_clear(struct mc_table *table);
tm_ns mc_table_scale(const struct mc_table *table, int move, tm_ns clock);

/* Budgets of a policy that sees whole quanta only: each clock and move asked once, exactly. */
struct mc_memo {
    struct cell cell;
    struct clock_state *state; /* of every move */
    tm_ns *scale;              /* -1: not asked yet */
    int64_t columns;
    tm_ns quantum;
    bool open;
};

/* Whether so many clocks fit. */
bool mc_memo_fits(const struct game_rules *rules, int moves);
bool mc_memo_open(const struct mc_request *request, int moves, struct mc_memo *out, struct tm_error *error);
void mc_memo_close(struct mc_memo *memo);
tm_ns mc_memo_scale(struct mc_memo *memo, int move, tm_ns clock);

/* What a thread simulates with. */
struct mc_world {
    const struct mc_request *request;
    const struct mc_table *table;     /* NULL: a memo, or ask the policy */
    bool memorized;
    struct mc_memo *memo;             /* of this thread */
    const struct vclock *at;          /* the clock's period before own move i, for states that are picked up there */
    struct policy_game *game[2];
    struct policy_memory *memory[2];  /* as a new game has it */
    const double *hazard;
    const tm_ns *typical;             /* mean slack after own move i + 1, for the splitting */
    int moves;                        /* no game is longer */
};

struct mc_state {
    struct vclock clock[2];
    int move;          /* own moves done */
    tm_ns slack;       /* the lowest after the last move */
    bool over, flagged;
};

struct mc_state mc_start(const struct mc_world *world);

/* One own move of every player, and whether the game goes on; draws belong to (stream, move). */
void mc_step(const struct mc_world *world, int64_t stream, struct mc_state *state);

/* Whether a game that has come to `move` own moves ends there. */
bool mc_ends(const struct mc_world *world, int64_t stream, int move);

/* Adaptive multilevel splitting: one estimate of the probability, for light-tailed overheads alone. -1: out of memory. */
double mc_split(const struct mc_world *world, int particles, int64_t first_stream, int64_t *moves);

#endif
