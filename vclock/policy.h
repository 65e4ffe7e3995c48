/* Policies: Lua files that turn the state of a clock into a budget (design, section 4). */
#ifndef VCLOCK_POLICY_H
#define VCLOCK_POLICY_H

#include <math.h>

#include "vclock/ns.h"
#include "vclock/tc.h"

enum policy_unit { POLICY_S, POLICY_MS, POLICY_CS, POLICY_NODE };

/* What a policy sees of the clock: `c`. Times are converted to the policy's unit. */
struct clock_state {
    tm_ns time, inc;
    tm_ns base, period_base; /* never contain the first increment */
    tm_ns opp_time, opp_inc, lag;
    bool has_movestogo;      /* false: movestogo is nil; 0 and negative values reach the policy as they are */
    int movestogo;
    int period_moves;        /* 0: nil */
    int ply, moves;          /* game ply; own moves since the book */
    int pieces, phase, legal; /* men on the board; 24 (all pieces) .. 0; legal root moves */
    double rand;             /* one number in [0,1) per own move */
    bool ponder;
    int threads;
    int64_t rate;            /* nodes/s of the modelled player, for the unit "node"; 0: unknown */
};

/* What a policy sees of the search: `s`, built by the stop rule. Unknown values are nil. */
struct signals {
    tm_ns elapsed, iteration_start;
    int64_t nodes;
    int depth;
    int score, prev_score, prev_move_score, drop;
    bool has_prev_move_score;
    int mate, prev_mate;       /* signed moves, 0: nil */
    bool changed;              /* this iteration's move differs from the one before */
    int changes;               /* changes of the best move within this iteration */
    int stable;                /* consecutive finished iterations with the same move, 0 at a change */
    int last_change;           /* depth of the last change */
    double share;              /* nodes under the best move / all nodes */
    int fail_low, fail_high;   /* within this iteration */
    int legal;
    const int *scores;         /* scores[k]: k iterations ago */
    int score_count;
    uint32_t known;            /* enum tm_known */
};

struct limits {
    double soft, hard; /* in the policy's unit; INFINITY: no limit */
};

/* The answer of `budget`. Nothing here is min(soft, hard) but `effective_soft`. */
struct budget {
    struct limits raw, floored;
    bool has_ceiling;
    double ceiling;                     /* the cap asked of a foreign engine */
    tm_ns soft_raw, hard_raw;           /* nanoseconds, saturating; TM_NS_MAX: no limit */
    tm_ns soft_floored, hard_floored;
    tm_ns effective_soft;               /* min(soft_floored, hard_floored) */
    uint64_t signature;                 /* which arguments of min, max, clamp, eq and when won */
};

struct policy_param {
    char name[32];
    double value, initial, min, max;
    bool is_time;
    char help[160];
};

struct policy_info {
    const char *name, *title, *source; /* as in the file */
    const char *label;                 /* as the user wrote it: "pool:moves=30" */
    const char *path;
    const char *hash;                  /* 32 hex digits: XXH3-128 of the text, the parameter values and `tc` */
    enum policy_unit unit;
    bool has_soft_floor, has_hard_floor, has_limit, has_finish;
    double soft_floor, hard_floor;     /* in the policy's unit */
    bool stop_at_event;                /* soft is read at every event, not only at finished iterations */
    bool abort_keeps_finished;         /* abort = "finished" */
    int min_depth;
    const char *hooks;                 /* "missing", or NULL: complete */
    int param_count;                   /* sorted by name */
    const struct policy_param *param;
    const struct tc *tc;               /* the control that it plays at; NULL: that of the match */
};

struct policy;      /* a loaded file with its parameters: immutable, may be shared by threads */
struct policy_game; /* its Lua state for one game and one side */

/* Loads `spec`: NAME, NAME:param=value:param=value, or a path (it contains '/' or ends in ".lua"),
   with parameters too. Names are looked up as DIRECTORY/NAME.lua; an unknown one is refused with the nearest.
   The caller frees *out by policy_free. */
bool policy_load(const char *spec, const char *directory, struct policy **out, struct tm_error *error);

/* The same from a text in memory; `chunk` is the file name for messages. */
bool policy_load_text(const char *chunk, const char *text, size_t size, struct policy **out, struct tm_error *error);

/* The same with parameters, "moves=30:overhead=0.1s", or "". */
bool policy_load_text_with(const char *chunk, const char *text, size_t size, const char *parameters, struct policy **out,
                           struct tm_error *error);

/* Gives a policy a time control of its own, before anybody shares it; label and hash then name it. False: no memory. */
bool policy_own_tc(struct policy *policy, const struct tc *tc, struct tm_error *error);

void policy_free(struct policy *policy);

const struct policy_info *policy_info(const struct policy *policy);

/* What `key` of the state in a recorded budget is for this policy, by its table `vectors`: "g.ota", "p.nodestime";
   NULL: the file does not say. */
const char *policy_vector_target(const struct policy *policy, const char *key);

/* The file's text, NUL-terminated. */
const char *policy_text(const struct policy *policy);

/* Nanoseconds of one unit of the policy: 1e9 for "s"; for "node" from the rate of the state. */
double policy_unit_ns(const struct policy *policy, int64_t rate);

/* Runs the chunk anew with an empty `g`. NULL and `error` on a fault. */
struct policy_game *policy_game_new(const struct policy *policy, struct tm_error *error);

void policy_game_free(struct policy_game *game);

/* One decision of min, max, clamp, eq or when. `winner` counts arguments from 1; for eq 1 is equal, 2 is not;
   for clamp 1 is the value itself, 2 the low and 3 the high end; for when 1 is the first value, 2 the second. */
enum policy_branch_kind { POLICY_MIN, POLICY_MAX, POLICY_CLAMP, POLICY_EQ, POLICY_WHEN };

struct policy_branch {
    int line;
    enum policy_branch_kind kind;
    int winner;
};

/* "min", "max", … as in a policy's text. */
const char *policy_branch_name(enum policy_branch_kind kind);

/* The decisions of the last `budget` call in order; *out is valid until the next. At most the first 64 are
   kept (the signature covers all); returns how many are. */
int policy_branches(const struct policy_game *game, const struct policy_branch **out);

/* Line `line` (from 1) of the policy's text without its newline; "" if there is none. Returns `buffer`. */
char *policy_line(const struct policy *policy, int line, char *buffer, size_t size);

/* The three hooks. False is a policy fault: NaN, a missing value, an error, a breach of a limit. The message
   has file, line, the source line and the inputs. After a breach the game's state is dead and every call fails. */
bool policy_budget(struct policy_game *game, const struct clock_state *clock, struct budget *out,
                   struct tm_error *error);

/* `limit`: *hard_given tells if a second value came back. Only for policies that have it. */
bool policy_limit(struct policy_game *game, const struct signals *signals, const struct budget *budget,
                  tm_ns *soft, tm_ns *hard, bool *hard_given, struct tm_error *error);

bool policy_finish(struct policy_game *game, const struct signals *signals, struct tm_error *error);

/* A copy of `g`, for callers that evaluate out of order; freed by policy_memory_free. */
struct policy_memory;
/* Whether an earlier fault broke the state: every further call fails. */
bool policy_game_is_dead(const struct policy_game *game);

struct policy_memory *policy_game_save(const struct policy_game *game);
void policy_game_restore(struct policy_game *game, const struct policy_memory *memory);
void policy_memory_free(struct policy_memory *memory);

/* One number of g by its name, for tests and for evaluating a policy in the middle of a game. `get` is false if g
   has no such number; `set` if there is no memory for it. */
bool policy_game_get(const struct policy_game *game, const char *name, double *out);
bool policy_game_set(struct policy_game *game, const char *name, double value);

/* Evaluates the budget over a grid of the states that `tc` can reach with time left, each with the memory of a first
   move at base, and plays a short game with all hooks. False: a fault (TM_INPUT), or a hook that changes a local of
   the file, which no restore of g could undo. */
bool policy_preflight(const struct policy *policy, const struct tc *tc, bool first_inc, struct tm_error *error);

#endif
