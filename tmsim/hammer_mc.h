/* Flags far rarer than games can show: the stored games of a verdict, resampled, and held against those games. */
#ifndef TMSIM_HAMMER_MC_H
#define TMSIM_HAMMER_MC_H

#include "tmsim/hammer.h"
#include "tmsim/monte_carlo.h"

struct hammer_mc {
    struct mc_result result;
    int64_t learnt_games, learnt_moves;
    bool agrees;   /* the games' 95 % interval and the estimate with two standard errors meet */
};

/* Resamples `games` games from those of the verdict, which were played by hammer_run. */
bool hammer_mc_run(const struct hammer_plan *plan, const struct hammer_verdict *verdict, struct store *store,
                   int64_t games, struct hammer_mc *out, struct tm_error *error);

struct table *hammer_mc_table_new(void);
void hammer_mc_add(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *verdict,
                   const struct hammer_mc *mc);

/* For people, after hammer_print. */
void hammer_mc_print(const struct table *table, int from, const struct hammer_verdict *verdict,
                     const struct hammer_mc *mc, int count, FILE *stream);

#endif
