/* Evaluations out of order: the memory of a policy is put back before each. */
#include "tmsim/cell.h"

struct cell_setup cell_defaults(const struct policy *policy, const struct tc *tc, tm_ns overhead)
{
    return (struct cell_setup){
        .policy = policy, .tc = *tc, .overhead = overhead, .first_inc = true, .ply_step = 2, .moves = 80,
        .middle_ply = CELL_MIDDLE_PLY, .model = spend_default(), .starved_floor = 150 * TM_NS_PER_MS,
    };
}

struct clock_state cell_state(const struct cell_setup *setup, const struct vclock *clock, int move)
{
    const struct tc_period *period = &setup->tc.period[clock->period];
    /* A middlegame of 24 men, 30 moves to choose from, and a draw in the middle of [0,1): guesses. */
    return (struct clock_state){
        .time = clock->left, .inc = period->inc, .base = setup->tc.period[0].base, .period_base = period->base,
        .period_moves = period->moves, .opp_time = clock->left, .opp_inc = period->inc, .lag = setup->overhead,
        .has_movestogo = vclock_has_movestogo(clock), .movestogo = clock->movestogo, .moves = move,
        .ply = move * setup->ply_step, .pieces = 24, .phase = 18, .legal = 30, .rand = 0.5, .threads = 1,
        .rate = SPEND_RATE,
    };
}

static bool open_game(struct cell *cell, struct tm_error *error)
{
    policy_game_free(cell->game);
    cell->game = policy_game_new(cell->setup.policy, error);
    if (!cell->game)
        return false;
    stop_new_game(&cell->stop, cell->game, policy_info(cell->setup.policy));
    return true;
}

/* A policy that faults at base leaves g as it was: it is asked about other clocks all the same. */
static void play_first_move(struct cell *cell, const struct vclock *start)
{
    const struct clock_state state = cell_state(&cell->setup, start, 0);
    struct tm_verdict verdict;
    struct tm_error fault;
    if (spend_move(&cell->setup.model, &cell->stop, &state, cell->setup.overhead, &verdict))
        stop_finish(&cell->stop, &verdict, verdict.spend, &fault);
}

/* The state at middle_ply: its period and movestogo are those of a game whose moves cost nothing. */
static struct clock_state state_in_the_middle(const struct cell_setup *setup)
{
    struct vclock clock = vclock_start(&setup->tc, setup->first_inc);
    const int moves = setup->middle_ply / 2;
    for (int i = 0; i < moves; i++)
        vclock_charge(&clock, 0, 0);
    struct clock_state state = cell_state(setup, &clock, moves);
    state.ply = setup->middle_ply;
    return state;
}

bool cell_open(struct cell *cell, const struct cell_setup *setup, struct tm_error *error)
{
    *cell = (struct cell){ .setup = *setup };
    if (!open_game(cell, error))
        return false;
    const struct vclock start = vclock_start(&cell->setup.tc, setup->first_inc);
    cell->top = start.left;
    cell->middle = state_in_the_middle(setup);
    cell->start = policy_game_save(cell->game);
    if (!setup->fresh)
        play_first_move(cell, &start);
    cell->memory = policy_game_save(cell->game);
    if (cell->start && cell->memory)
        return true;
    cell_close(cell);
    return error_fail(error, TM_INTERNAL, "out of memory");
}

void cell_close(struct cell *cell)
{
    policy_memory_free(cell->start);
    policy_memory_free(cell->memory);
    policy_game_free(cell->game);
    cell->start = cell->memory = NULL;
    cell->game = NULL;
}

struct clock_state cell_state_at(const struct cell *cell, tm_ns time)
{
    struct clock_state state = cell->middle;
    state.time = state.opp_time = time;
    return state;
}

/* After a breach the state is dead; a fresh one answers the next question. */
static void recover(struct cell *cell)
{
    struct tm_error ignored;
    open_game(cell, &ignored);
}

struct policy_game *cell_new_game(struct cell *cell)
{
    if (cell->game && policy_game_is_dead(cell->game))
        recover(cell);
    if (cell->game)
        policy_game_restore(cell->game, cell->start);
    return cell->game;
}

bool cell_budget(struct cell *cell, const struct clock_state *state, struct budget *out, struct tm_error *error)
{
    if (!cell->game)
        return error_fail(error, TM_INTERNAL, "the policy could not be started again after a fault");
    policy_game_restore(cell->game, cell->memory);
    if (policy_budget(cell->game, state, out, error))
        return true;
    recover(cell);
    return false;
}

struct cell_point cell_point_at(struct cell *cell, tm_ns time)
{
    const struct clock_state state = cell_state_at(cell, time);
    struct cell_point point = { .time = time, .fault = true };
    struct tm_verdict verdict;
    if (!cell->game)
        return point;
    policy_game_restore(cell->game, cell->memory);
    if (!spend_move(&cell->setup.model, &cell->stop, &state, cell->setup.overhead, &verdict)) {
        recover(cell);
        return point;
    }
    point.fault = false;
    point.blind = cell->stop.blind;
    point.budget = cell->stop.budget;
    point.spend = verdict.spend;
    return point;
}

tm_ns cell_drain(const struct cell *cell, const struct cell_point *point)
{
    return point->spend + cell->setup.overhead - cell->middle.inc;
}

int cell_branches(const struct cell *cell, const struct policy_branch **out)
{
    *out = NULL;
    return cell->game ? policy_branches(cell->game, out) : 0;
}

bool cell_at_floor(double raw, bool has_floor, double floor) { return has_floor && raw <= floor; }
