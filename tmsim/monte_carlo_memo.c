/* Real runners send whole milliseconds, so a policy only ever sees a few thousand clocks: those that occur are asked
   once each, and nothing is interpolated. */
#include <stdlib.h>

#include "tmsim/monte_carlo_internal.h"

enum { MEMO_CELLS = 4000000 }; /* 32 MB a thread */

static int64_t columns_of(const struct game_rules *rules, int moves)
{
    struct vclock clock = vclock_start(&rules->tc, rules->first_inc);
    tm_ns top = clock.left;
    for (int i = 0; i < moves; i++) {
        vclock_charge(&clock, 0, 0);
        top = clock.left > top ? clock.left : top;
    }
    return top / rules->quantum + 2;
}

bool mc_memo_fits(const struct game_rules *rules, int moves)
{
    return rules->quantum > 0 && columns_of(rules, moves) <= MEMO_CELLS / (moves + 1);
}

bool mc_memo_open(const struct mc_request *request, int moves, struct mc_memo *out, struct tm_error *error)
{
    const struct game_rules *rules = request->rules;
    struct cell_setup setup = cell_defaults(request->policy, &rules->tc, rules->overhead);
    setup.first_inc = rules->first_inc;
    *out = (struct mc_memo){ .columns = columns_of(rules, moves), .quantum = rules->quantum };
    const size_t cells = (size_t)out->columns * (size_t)(moves + 1);
    out->scale = malloc(cells * sizeof *out->scale);
    out->state = calloc((size_t)moves + 1, sizeof *out->state);
    if (!out->scale || !out->state)
        return error_fail(error, TM_INTERNAL, "out of memory for a policy's budgets");
    for (size_t i = 0; i < cells; i++)
        out->scale[i] = -1;
    struct vclock clock = vclock_start(&rules->tc, rules->first_inc);
    for (int move = 0; move <= moves; move++) {
        out->state[move] = cell_state(&setup, &clock, move);
        vclock_charge(&clock, 0, 0);
    }
    out->open = cell_open(&out->cell, &setup, error);
    return out->open;
}

void mc_memo_close(struct mc_memo *memo)
{
    if (memo->open)
        cell_close(&memo->cell);
    free(memo->scale);
    free(memo->state);
    *memo = (struct mc_memo){ 0 };
}

/* A fault in a clock that no game has met counts as no budget: the spend is then that of moves without one. */
tm_ns mc_memo_scale(struct mc_memo *memo, int move, tm_ns clock)
{
    int64_t column = clock > 0 ? clock / memo->quantum : 0;
    column = column < memo->columns ? column : memo->columns - 1;
    tm_ns *scale = &memo->scale[(int64_t)move * memo->columns + column];
    if (*scale < 0) {
        struct clock_state state = memo->state[move];
        struct budget budget;
        struct tm_error ignored;
        state.time = state.opp_time = column * memo->quantum;
        *scale = cell_budget(&memo->cell, &state, &budget, &ignored) ? mc_scale(&budget) : 0;
    }
    return *scale;
}
