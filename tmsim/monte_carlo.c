/* Plain simulation on all cores, and splitting where plain flags are too few. Game i draws from stream i whichever thread
   plays it, so results do not depend on the concurrency. */
#include "tmsim/monte_carlo.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tmsim/draw.h"
#include "tmsim/monte_carlo_internal.h"

enum {
    SPLITS = 16,          /* independent estimates, whose spread is the standard error */
    PARTICLES = 2048,     /* of each: guess; 20 MB at 300 moves */
    MAX_THREADS = 64,
    TYPICAL_GAMES = 2000, TYPICAL_ENOUGH = 30
};
/* Streams of the splitting begin beyond all games, each estimate in a range of its own. */
static const int64_t SPLIT_STREAM = INT64_C(1) << 40, SPLIT_RANGE = INT64_C(1) << 32;

struct mc_state mc_start(const struct mc_world *world)
{
    struct mc_state state = { .slack = TM_NS_MAX };
    for (int side = 0; side < 2; side++) {
        state.clock[side] = world->at[0];
        if (world->game[side])
            policy_game_restore(world->game[side], world->memory[side]);
    }
    return state;
}

/* A policy that remembers is asked, and told of a quiet search: `finish` sees the time and no surprise. */
static tm_ns ask_policy(const struct mc_world *world, int side, const struct mc_state *state, int64_t stream)
{
    const struct game_rules *rules = world->request->rules;
    struct cell_setup setup = cell_defaults(world->request->policy, &rules->tc, rules->overhead);
    struct clock_state seen = cell_state(&setup, &state->clock[side], state->move);
    struct budget budget;
    struct tm_error ignored;
    if (rules->quantum > 0)
        seen.time -= seen.time % rules->quantum;
    seen.opp_time = state->clock[!side].left;
    seen.rand = draw_unit(rules->seed, stream, state->move, DRAW_POLICY, 0);
    return policy_budget(world->game[side], &seen, &budget, &ignored) ? mc_scale(&budget) : 0;
}

static void tell_policy(const struct mc_world *world, int side, tm_ns spend)
{
    struct tm_error ignored;
    const struct signals signals = { .elapsed = spend, .nodes = spend / 30000, .depth = 8, .stable = 4, .share = 0.5, .legal = 30,
                                     .scores = (const int[1]){ 0 }, .score_count = 1, .known = TM_KNOWS_ALL };
    if (policy_info(world->request->policy)->has_finish)
        policy_finish(world->game[side], &signals, &ignored);
}

static tm_ns spend_of(const struct mc_world *world, int side, const struct mc_state *state, int64_t stream, tm_ns stall)
{
    const struct game_rules *rules = world->request->rules;
    const tm_ns left = state->clock[side].left;
    const tm_ns scale = world->memo    ? mc_memo_scale(world->memo, state->move, left)
                        : world->table ? mc_table_scale(world->table, state->move, rules->quantum > 0 ? left - left % rules->quantum : left)
                                       : ask_policy(world, side, state, stream);
    const double u = draw_unit(rules->seed, stream, state->move, DRAW_SPEND, side);
    const tm_ns spend = mc_data_spend(world->request->data, state->move, scale, u);
    if (world->game[side])
        tell_policy(world, side, spend);
    return spend > stall ? spend : stall; /* the engine sees the stall: it eats thinking time first */
}

bool mc_ends(const struct mc_world *world, int64_t stream, int move)
{
    return move >= world->moves ||
           draw_unit(world->request->rules->seed, stream, move, DRAW_LENGTH, 0) < world->hazard[move];
}

void mc_step(const struct mc_world *world, int64_t stream, struct mc_state *state)
{
    const struct game_rules *rules = world->request->rules;
    const struct overhead_cost cost = rules->model ? overhead_draw(rules->model, rules->seed, stream, state->move)
                                                   : (struct overhead_cost){ .unseen = rules->overhead };
    state->slack = TM_NS_MAX;
    for (int side = 0; side < world->request->players && !state->flagged; side++) {
        const tm_ns spend = spend_of(world, side, state, stream, cost.seen);
        const tm_ns slack = state->clock[side].left - ns_add(spend, cost.unseen);
        state->slack = slack < state->slack ? slack : state->slack;
        state->flagged = !vclock_charge(&state->clock[side], spend, cost.unseen);
    }
    state->move++;
    state->over = state->flagged || mc_ends(world, stream, state->move);
}

/* ---- threads ---- */

struct part {
    struct mc_world world;
    int64_t first, count;       /* games, or estimates of the splitting */
    int64_t flags, moves;
    tm_ns lowest;
    double *estimate;           /* of the splitting; NULL: plain */
    pthread_t thread;
    bool running;
};

static void play_plain(struct part *part)
{
    part->lowest = TM_NS_MAX;
    for (int64_t i = part->first; i < part->first + part->count; i++) {
        struct mc_state state = mc_start(&part->world);
        while (!state.over) {
            mc_step(&part->world, i, &state);
            part->lowest = state.slack < part->lowest ? state.slack : part->lowest;
        }
        part->moves += (int64_t)state.move * part->world.request->players;
        part->flags += state.flagged;
    }
}

static void *work(void *argument)
{
    struct part *part = argument;
    if (!part->estimate)
        play_plain(part);
    else
        for (int64_t i = part->first; i < part->first + part->count; i++)
            part->estimate[i] = mc_split(&part->world, PARTICLES, SPLIT_STREAM + i * SPLIT_RANGE, &part->moves);
    return NULL;
}

static bool open_games(struct mc_world *world, struct tm_error *error)
{
    if (world->memorized) {
        world->memo = calloc(1, sizeof *world->memo);
        return world->memo ? mc_memo_open(world->request, world->moves, world->memo, error)
                           : error_fail(error, TM_INTERNAL, "out of memory");
    }
    for (int side = 0; side < world->request->players && !world->table; side++) {
        world->game[side] = policy_game_new(world->request->policy, error);
        if (!world->game[side])
            return false;
        world->memory[side] = policy_game_save(world->game[side]);
        if (!world->memory[side])
            return error_fail(error, TM_INTERNAL, "out of memory");
    }
    return true;
}

static void close_games(struct mc_world *world)
{
    if (world->memo)
        mc_memo_close(world->memo);
    free(world->memo);
    for (int side = 0; side < 2; side++) {
        policy_memory_free(world->memory[side]);
        policy_game_free(world->game[side]);
    }
}

/* Shares `total` out over threads and waits for them. The sums are in part[0]. */
static bool run_parts(const struct mc_world *world, int64_t total, double *estimate, struct part *sum, struct tm_error *error)
{
    struct part part[MAX_THREADS];
    const int wanted = world->request->concurrency, threads = wanted < 1 ? 1 : wanted > MAX_THREADS ? MAX_THREADS : wanted;
    bool ok = true;
    *sum = (struct part){ .lowest = TM_NS_MAX };
    for (int i = 0; i < threads; i++) {
        part[i] = (struct part){ .world = *world, .first = total * i / threads, .estimate = estimate };
        part[i].count = total * (i + 1) / threads - part[i].first;
        ok = ok && open_games(&part[i].world, error);
        part[i].running = ok && pthread_create(&part[i].thread, NULL, work, &part[i]) == 0;
        if (ok && !part[i].running)
            ok = error_fail(error, TM_INTERNAL, "cannot start a thread");
    }
    for (int i = 0; i < threads; i++) {
        if (part[i].running)
            pthread_join(part[i].thread, NULL);
        close_games(&part[i].world);
        sum->flags += part[i].flags;
        sum->moves += part[i].moves;
        sum->lowest = part[i].lowest < sum->lowest ? part[i].lowest : sum->lowest;
    }
    return ok;
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool run_plain(const struct mc_world *world, struct mc_result *result, struct tm_error *error)
{
    struct part sum;
    const double start = now_seconds(), games = (double)world->request->games;
    if (!run_parts(world, world->request->games, NULL, &sum, error))
        return false;
    result->seconds = now_seconds() - start;
    result->games = world->request->games;
    result->moves = sum.moves;
    result->flags = sum.flags;
    result->lowest = sum.lowest;
    result->crude = result->probability = (double)sum.flags / games;
    result->crude_error = result->error = sqrt(result->crude * (1 - result->crude) / games);
    return true;
}

static bool run_split(const struct mc_world *world, struct mc_result *result, struct tm_error *error)
{
    double estimate[SPLITS] = { 0 }, mean = 0, squares = 0;
    struct part sum;
    if (!run_parts(world, SPLITS, estimate, &sum, error))
        return false;
    for (int i = 0; i < SPLITS; i++) {
        if (estimate[i] < 0)
            return error_fail(error, TM_INTERNAL, "out of memory for the splitting");
        mean += estimate[i] / SPLITS;
    }
    for (int i = 0; i < SPLITS; i++)
        squares += (estimate[i] - mean) * (estimate[i] - mean);
    const double spread = sqrt(squares / (SPLITS - 1) / SPLITS);
    /* Where one spike is the whole story no level lies between, and counting is the better of the two. */
    if (mean > 0 && (result->crude <= 0 || spread / mean < result->crude_error / result->crude)) {
        result->split = true;
        result->probability = mean;
        result->error = spread;
    }
    return true;
}

/* The clocks of a player who spends nothing tell period and movestogo of every move. */
static struct vclock *periods(const struct game_rules *rules, int moves)
{
    struct vclock *at = calloc((size_t)moves + 1, sizeof *at);
    if (!at)
        return NULL;
    at[0] = vclock_start(&rules->tc, rules->first_inc);
    at[0].margin = rules->margin;
    for (int i = 0; i < moves; i++) {
        at[i + 1] = at[i];
        vclock_charge(&at[i + 1], 0, 0);
    }
    return at;
}

/* The mean slack of every move among the first games; where few got so far, that of the last move that many reached. */
static bool find_typical(struct mc_world *world, tm_ns *typical, struct tm_error *error)
{
    struct mc_world own = *world;
    double *sum = calloc((size_t)world->moves, sizeof *sum);
    int *count = calloc((size_t)world->moves, sizeof *count);
    bool ok = (sum && count) || error_fail(error, TM_INTERNAL, "out of memory");
    ok = ok && open_games(&own, error);
    for (int64_t i = 0; ok && i < TYPICAL_GAMES; i++)
        for (struct mc_state state = mc_start(&own); !state.over;) {
            mc_step(&own, i, &state);
            sum[state.move - 1] += (double)state.slack;
            count[state.move - 1]++;
        }
    for (int i = 0; ok && i < world->moves; i++)
        typical[i] = count[i] >= TYPICAL_ENOUGH || i == 0 ? (tm_ns)(sum[i] / (count[i] ? count[i] : 1)) : typical[i - 1];
    close_games(&own);
    free(sum);
    free(count);
    return ok;
}

static bool split(struct mc_world *world, struct mc_result *result, struct tm_error *error)
{
    tm_ns *typical = calloc((size_t)world->moves, sizeof *typical);
    world->typical = typical;
    bool ok = typical || error_fail(error, TM_INTERNAL, "out of memory");
    ok = ok && find_typical(world, typical, error) && run_split(world, result, error);
    free(typical);
    return ok;
}

static bool simulate(struct mc_world *world, struct mc_result *result, struct tm_error *error)
{
    if (!run_plain(world, result, error))
        return false;
    /* Copies of a particle share the dear move that brought them to their level. Where one move can make a flag, no level
       leads there by degrees, and the estimate misses the tail together with its error: 2e-17 for 2.8e-7 was seen. */
    const struct overhead *model = world->request->rules->model;
    result->jumps = model && !overhead_is_light_tailed(model);
    return result->flags >= MC_ENOUGH_FLAGS || !result->tabulated || result->jumps || split(world, result, error);
}

bool mc_run(const struct mc_request *request, struct mc_result *result, struct tm_error *error)
{
    const int moves = request->data->longest;
    struct mc_table table = { 0 };
    double *hazard = calloc((size_t)moves + 1, sizeof *hazard);
    struct vclock *at = periods(request->rules, moves);
    *result = (struct mc_result){ .tabulated = !mc_draws(request->policy) };
    bool ok = (hazard && at) || error_fail(error, TM_INTERNAL, "out of memory");
    for (int move = 1; ok && move <= moves; move++)
        hazard[move] = mc_data_hazard(request->data, move);
    if (ok && result->tabulated && mc_remembers(request->policy))
        result->tabulated = mc_forgets(request, moves);
    const bool memorized = ok && result->tabulated && mc_memo_fits(request->rules, moves), curves = result->tabulated && !memorized;
    ok = ok && (!curves || mc_table_make(request, moves, &table, error));
    if (ok) {
        struct mc_world world = { .request = request, 
                                  .table = curves ? &table : NULL, .memorized = memorized, .at = at, .hazard = hazard,
                                  .moves = moves };
        result->table_error = table.error;
        result->table_points = table.points;
        ok = simulate(&world, result, error);
    }
    mc_table_clear(&table);
    free(hazard);
    free(at);
    return ok;
}
