/* Clocks without a search: spends resampled from stored games, lengths from their lengths, overhead from its model.
   What it cannot know is how a search would behave under a budget that no stored move had. */
#ifndef TMSIM_MONTE_CARLO_H
#define TMSIM_MONTE_CARLO_H

#include "tmsim/game_play.h"

/* What stored games teach. Starts as { 0 }; freed by mc_data_clear. */
enum { MC_PHASES = 3, MC_BUDGETS = 48 };
struct mc_bin {
    float *ratio;       /* of spends to the budget's scale: hard, or soft where hard is no limit */
    int count, room;
};
struct mc_data {
    struct mc_bin bin[MC_PHASES][MC_BUDGETS]; /* by own move, and by log2 of the scale in ns; 0: no positive scale, the
                                                 ratios are then milliseconds */
    int64_t moves, games;
    int *ended, *censored;  /* games that ended otherwise, or on time, after own move i + 1 */
    int longest;            /* own moves of the longest game */
};

/* Adds the moves of one player (0 White, 1 Black) of a game; the game's length too if `counts`. */
bool mc_data_add(struct mc_data *data, const struct game_record *game, int first_ply, bool counts, struct tm_error *error);

/* Ends the learning: bins that are too thin borrow from their neighbours. */
bool mc_data_finish(struct mc_data *data, struct tm_error *error);
void mc_data_clear(struct mc_data *data);

/* The chance that a game which has lasted `move` own moves ends there by itself, from the games that got so far
   (Kaplan-Meier); 1 at the longest. */
double mc_data_hazard(const struct mc_data *data, int move);

/* The spend of own move `move` (from 0) under a budget of that scale, by a number u in [0,1). */
tm_ns mc_data_spend(const struct mc_data *data, int move, tm_ns scale, double u);

struct mc_request {
    const struct policy *policy;
    const struct game_rules *rules;
    const struct mc_data *data;
    int players;            /* 2: both sides of a game against itself, who share their overhead; 1: one side */
    int64_t games;
    int concurrency;
};

struct mc_result {
    bool tabulated;         /* false: the policy was asked at every move, since it remembers or draws */
    tm_ns table_error;      /* largest seen between the knees of the table */
    int table_points;
    int64_t games, moves;
    int64_t flags;          /* plainly counted */
    double crude, crude_error;
    bool jumps;             /* the overhead is not light-tailed, and so was not split */
    bool split;             /* splitting gave the estimate: too few plain flags, and a smaller relative error */
    double probability, error; /* of a flag in a game, and its standard error, by the better of both */
    double seconds;         /* of the plain part, wall clock */
    tm_ns lowest;           /* of all clocks in the plain part */
};

/* Fewer plain flags than this are not trusted, and splitting follows: 100 flags are known to 10 %. */
enum { MC_ENOUGH_FLAGS = 100 };

bool mc_run(const struct mc_request *request, struct mc_result *result, struct tm_error *error);

#endif
