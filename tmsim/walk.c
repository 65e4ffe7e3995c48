/* One game's worth of moves on the virtual clock, charged by the clock's own rules. */
#include "tmsim/walk.h"

#include <stdlib.h>
#include <string.h>

struct walker {
    const struct cell_setup *setup;
    struct stop stop;
    struct vclock clock;
};

static bool is_starved(const struct cell_setup *setup, const struct walk_move *move)
{
    const tm_ns by_increment = move->state.inc + move->state.inc / 2;
    const tm_ns bound = by_increment > setup->starved_floor ? by_increment : setup->starved_floor;
    return move->spend < bound;
}

static void note_move(struct walk *walk, const struct walk_move *move)
{
    const int number = ++walk->moves;
    walk->starved_moves += move->starved;
    if (move->spend > walk->max_spend)
        walk->max_spend = move->spend;
    if (!move->blind)
        return;
    walk->floor_moves++;
    if (!walk->first_floor_move)
        walk->first_floor_move = number;
}

/* What is left when a period ends, and at the end of the game, was never used. */
static void note_reserve(struct walk *walk, tm_ns left)
{
    if (left > walk->reserve)
        walk->reserve = left;
}

static bool take_move(struct walker *w, struct walk *walk)
{
    struct walk_move *move = &walk->move[walk->moves];
    struct tm_verdict verdict;
    *move = (struct walk_move){ .state = cell_state(w->setup, &w->clock, walk->moves) };
    if (!spend_move(&w->setup->model, &w->stop, &move->state, w->setup->overhead, &verdict)) {
        walk->fault_move = walk->moves + 1;
        walk->fault = w->stop.error;
        return false;
    }
    move->budget = w->stop.budget;
    move->spend = verdict.spend;
    move->reason = verdict.reason;
    move->blind = w->stop.blind;
    move->starved = is_starved(w->setup, move);
    move->clock_after = w->clock.left - move->spend - w->setup->overhead;
    note_move(walk, move);
    if (!stop_finish(&w->stop, &verdict, verdict.spend, &walk->fault)) {
        walk->fault_move = walk->moves;
        return false;
    }
    if (vclock_has_movestogo(&w->clock) && w->clock.movestogo == 1)
        note_reserve(walk, move->clock_after);
    if (!vclock_charge(&w->clock, move->spend, w->setup->overhead))
        walk->flag_move = walk->moves;
    if (w->clock.left < walk->min_clock)
        walk->min_clock = w->clock.left;
    return walk->flag_move == 0;
}

static int by_size(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

static bool find_median(struct walk *walk)
{
    const size_t count = (size_t)walk->moves;
    if (count == 0)
        return true;
    tm_ns *spend = malloc(count * sizeof *spend);
    if (!spend)
        return false;
    for (size_t i = 0; i < count; i++)
        spend[i] = walk->move[i].spend;
    qsort(spend, count, sizeof *spend, by_size);
    walk->median_spend = count % 2 ? spend[count / 2] : (spend[count / 2 - 1] + spend[count / 2]) / 2;
    free(spend);
    return true;
}

static bool walk_with(const struct cell_setup *setup, struct policy_game *game, struct walk *out, struct tm_error *error)
{
    *out = (struct walk){ .move = calloc((size_t)setup->moves, sizeof *out->move) };
    if (!out->move)
        return error_fail(error, TM_INTERNAL, "out of memory");
    struct walker walker = { .setup = setup, .clock = vclock_start(&setup->tc, setup->first_inc) };
    stop_new_game(&walker.stop, game, policy_info(setup->policy));
    out->min_clock = walker.clock.left;
    while (out->moves < setup->moves && take_move(&walker, out))
        continue;
    out->end_clock = walker.clock.left;
    if (!out->flag_move && setup->tc.period[walker.clock.period].moves == 0)
        note_reserve(out, out->end_clock);
    if (find_median(out))
        return true;
    walk_clear(out);
    return error_fail(error, TM_INTERNAL, "out of memory");
}

bool walk_run(const struct cell_setup *setup, struct walk *out, struct tm_error *error)
{
    struct policy_game *game = policy_game_new(setup->policy, error);
    if (!game)
        return false;
    const bool ok = walk_with(setup, game, out, error);
    policy_game_free(game);
    return ok;
}

bool walk_in_cell(struct cell *cell, struct walk *out, struct tm_error *error)
{
    struct policy_game *game = cell_new_game(cell);
    return game ? walk_with(&cell->setup, game, out, error)
                : error_fail(error, TM_INTERNAL, "the policy could not be started again after a fault");
}

void walk_clear(struct walk *walk)
{
    free(walk->move);
    walk->move = NULL;
}
