/* Tries a policy on the states that a time control can reach, before any game is played on it. */
#include "vclock/clock.h"
#include "vclock/event.h"
#include "vclock/policy_internal.h"

enum {
    GAINED_INCREMENTS = 200 /* moves of saved increments in the largest clock of the grid (guess) */
};

/* The values besides clock and movestogo take turns over the grid instead of multiplying it. */
static void vary(struct clock_state *c, int turn)
{
    static const struct {
        int pieces, phase, legal;
        double rand;
    } table[] = {{32, 24, 20, 0}, {32, 24, 40, 0.999999}, {20, 14, 35, 0.5}, {8, 4, 12, 0.25}, {3, 0, 1, 0.75}};
    size_t row = (size_t)turn % (sizeof table / sizeof *table);
    c->pieces = table[row].pieces;
    c->phase = table[row].phase;
    c->legal = table[row].legal;
    c->rand = table[row].rand;
    const tm_ns opponent[] = {c->time, 1, ns_add(c->time, c->time), c->base};
    c->opp_time = opponent[turn % 4];
    c->lag = turn % 3 ? 0 : 50 * TM_NS_PER_MS;
}

static struct clock_state state_of(const struct tc *tc, int period, tm_ns time)
{
    const struct tc_period *p = &tc->period[period];
    return (struct clock_state){
        .time = time, .inc = p->inc, .base = tc->period[0].base, .period_base = p->base, .opp_time = time,
        .opp_inc = p->inc, .has_movestogo = p->moves != 0, .movestogo = p->moves, .period_moves = p->moves,
        .pieces = 32, .phase = 24, .legal = 20, .threads = 1, .rate = 1000000};
}

/* Signals of an invented search that show a policy all that can be known, mates and failed windows included. */
static struct signals signals_of(int depth, tm_ns spend)
{
    static const int scores[] = {12, 40, 12, 300, -15, 0, 25, 30};
    return (struct signals){
        .elapsed = spend, .iteration_start = spend / 2, .nodes = 1000 * depth, .depth = depth, .score = scores[0],
        .prev_score = depth > 1 ? scores[1] : scores[0], .prev_move_score = 20, .has_prev_move_score = depth > 2,
        .drop = depth > 1 ? scores[1] - scores[0] : 0, .mate = depth % 5 ? 0 : 3, .changed = depth % 3 == 0,
        .changes = depth % 2, .stable = depth % 3, .last_change = 1 + depth / 3 * 3, .share = 0.1 * (depth % 11),
        .fail_low = depth % 4 == 1, .fail_high = depth % 4 == 2, .legal = 20, .scores = scores,
        .score_count = depth < 8 ? depth : 8, .known = TM_KNOWS_ALL};
}

/* The first move of a game, which leaves its `g`: budget, some readings, the end of the move. */
static bool play_move(struct policy_game *game, const struct policy_info *info, const struct clock_state *c,
                      struct tm_error *error)
{
    struct budget budget;
    if (!policy_budget(game, c, &budget, error))
        return false;
    const tm_ns soft_ns = budget.effective_soft;
    const tm_ns spend = soft_ns < 0 ? 0 : soft_ns < c->time ? soft_ns : c->time;
    for (int depth = 1; info->has_limit && depth <= 12; depth++) {
        struct signals s = signals_of(depth, spend / 12 * depth);
        tm_ns soft, hard;
        bool hard_given;
        if (!policy_limit(game, &s, &budget, &soft, &hard, &hard_given, error))
            return false;
    }
    struct signals end = signals_of(12, spend);
    return policy_finish(game, &end, error);
}

static bool try_clock(struct policy_game *game, const struct policy_memory *memory, struct clock_state c, int *turn,
                      struct tm_error *error)
{
    static const int plies[] = {0, 1, 8, 41, 120, 300};
    struct budget budget;
    for (size_t i = 0; i < sizeof plies / sizeof *plies; i++) {
        c.ply = plies[i];
        c.moves = plies[i] / 2;
        vary(&c, (*turn)++);
        policy_game_restore(game, memory);
        if (!policy_budget(game, &c, &budget, error))
            return false;
    }
    return true;
}

/* Clocks from the largest down to a nanosecond by halves, and movestogo from the period's down to 1 likewise. */
static bool try_period(struct policy_game *game, const struct policy_memory *memory, const struct tc *tc, int period,
                       struct tm_error *error)
{
    const struct tc_period *p = &tc->period[period];
    tm_ns top = p->inc > TM_NS_MAX / GAINED_INCREMENTS ? TM_NS_MAX : p->inc * GAINED_INCREMENTS;
    for (int i = 0; i <= period; i++)
        top = ns_add(top, tc->period[i].base);
    int turn = period;
    for (tm_ns time = top; time > 0; time /= 2)
        for (int movestogo = p->moves;; movestogo = (movestogo + 1) / 2) {
            struct clock_state c = state_of(tc, period, time);
            c.movestogo = movestogo;
            if (!try_clock(game, memory, c, &turn, error))
                return false;
            if (movestogo <= 1)
                break;
        }
    return true;
}

static bool try_grid(struct policy_game *game, const struct policy_info *info, const struct tc *tc, bool first_inc,
                     struct tm_error *error)
{
    struct vclock start = vclock_start(tc, first_inc);
    struct clock_state first = state_of(tc, 0, start.left);
    if (!play_move(game, info, &first, error))
        return false;
    struct policy_memory *memory = policy_game_save(game);
    if (!memory)
        return error_fail(error, TM_INTERNAL, "out of memory");
    bool good = true;
    for (int period = 0; good && period < tc->count; period++)
        good = try_period(game, memory, tc, period, error);
    policy_memory_free(memory);
    return good;
}

bool policy_preflight(const struct policy *policy, const struct tc *tc, bool first_inc, struct tm_error *error)
{
    const struct policy_info *info = policy_info(policy);
    struct policy_game *game = policy_game_new(policy, error);
    bool good = game && try_grid(game, info, tc, first_inc, error) && policy_locals_unchanged(game, error);
    policy_game_free(game);
    return good;
}
