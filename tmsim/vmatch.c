/* The schedule of a match: which pairings, which games are missing, in which order. The order is by control, pair,
   pairing and leg, so that an interrupted run has about as many games of each pairing. */
#include "tmsim/vmatch.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "tmsim/progress.h"

struct pairing {
    const struct policy *player[2];
    int64_t id;
};

struct schedule {
    const struct vmatch_plan *plan;
    struct pairing *pairing; /* of one run */
    int pairing_count;
    struct match_job *job;
    int job_count, job_capacity;
};

bool vmatch_preflight(const struct vmatch_plan *plan, struct tm_error *error)
{
    for (int i = 0; i < plan->policy_count; i++) {
        const struct policy_info *info = policy_info(plan->policy[i]);
        if (info->hooks)
            return error_fail(error, TM_INPUT, "policy %s: its hooks are %s, so its games would not be its own; "
                                               "it can be solved, not played", info->label, info->hooks);
        for (int t = 0; t < plan->tc_count; t++)
            if (!policy_preflight(plan->policy[i], &plan->rules[t].tc, plan->rules[t].first_inc, error))
                return false;
    }
    return true;
}

/* ---- what identifies a run ---- */

static char *engine_identity(void)
{
    json_t *json = json_pack("{s:s, s:s, s:i, s:I}", "name", "zeitnot", "version", ZEITNOT_VERSION, "hash_mb",
                             VMATCH_HASH_MB, "bench", (json_int_t)BENCH_SIGNATURE);
    char *text = json ? json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

bool vmatch_store_run(const struct vmatch_plan *plan, int tc, struct store *store, int64_t *run_id,
                      struct tm_error *error)
{
    const struct game_rules *rules = &plan->rules[tc];
    char control[TC_TEXT_SIZE], constant[64], seconds[32], key[33];
    char *engine = engine_identity();
    if (!engine)
        return error_fail(error, TM_INTERNAL, "out of memory for the run's identity");
    snprintf(constant, sizeof constant, "const:%ss", ns_print_seconds(seconds, sizeof seconds, rules->overhead));
    const struct run_identity identity = {
        .tc = tc_print(control, &rules->tc),
        .engine = engine,
        .profile_name = profile_name(rules->profile),
        .profile_hash = profile_hash(rules->profile),
        .profile_json = profile_canonical(rules->profile),
        .book_name = plan->book_name,
        .book_hash = book_hash(plan->book),
        .book_order = plan->order == BOOK_RANDOM ? "random" : "sequential",
        .overhead = rules->model ? overhead_text(rules->model) : constant,
        .overhead_ns = rules->overhead,
        .quantum = rules->quantum,
        .margin = rules->margin,
        .poll = rules->poll,
        .first_inc = rules->first_inc,
        .nps_scale = rules->nps_scale,
        .seed = rules->seed,
        .adjudication = "none",
        .max_plies = rules->max_plies,
        .starved_s_floor = STARVED_NS,
    };
    const bool ok = store_run(store, &identity, run_id, key, error);
    free(engine);
    return ok;
}

/* ---- pairings ---- */

/* Player 0 is the policy with the smaller hash, so that `a b` and `b a` are one pairing. */
static void orient(struct pairing *pairing, const struct policy *a, const struct policy *b)
{
    const bool in_order = strcmp(policy_info(a)->hash, policy_info(b)->hash) <= 0;
    pairing->player[0] = in_order ? a : b;
    pairing->player[1] = in_order ? b : a;
}

static bool is_scheduled(const struct schedule *schedule, const struct pairing *pairing)
{
    for (int i = 0; i < schedule->pairing_count; i++)
        if (strcmp(policy_info(schedule->pairing[i].player[0])->hash, policy_info(pairing->player[0])->hash) == 0 &&
            strcmp(policy_info(schedule->pairing[i].player[1])->hash, policy_info(pairing->player[1])->hash) == 0)
            return true;
    return false;
}

static bool add_pairing(struct schedule *schedule, int a, int b, struct store *store, int64_t run_id,
                        struct tm_error *error)
{
    struct pairing pairing;
    int64_t id[2];
    orient(&pairing, schedule->plan->policy[a], schedule->plan->policy[b]);
    if (is_scheduled(schedule, &pairing))
        return true;
    for (int i = 0; i < 2; i++)
        if (!store_policy(store, pairing.player[i], &id[i], error))
            return false;
    if (!store_pairing(store, run_id, id[0], id[1], &pairing.id, error))
        return false;
    schedule->pairing[schedule->pairing_count++] = pairing;
    return true;
}

static bool note_baseline(const struct vmatch_plan *plan, struct store *store, int64_t run_id, struct tm_error *error)
{
    int64_t id = 0;
    if (plan->baseline >= 0 && !store_policy(store, plan->policy[plan->baseline], &id, error))
        return false;
    return store_baseline(store, run_id, id, error);
}

static bool add_pairings(struct schedule *schedule, struct store *store, int64_t run_id, struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    schedule->pairing_count = 0;
    for (int a = 0; a < plan->policy_count; a++)
        for (int b = a + 1; b < plan->policy_count; b++) {
            const bool wanted = plan->baseline < 0 || plan->baseline == a || plan->baseline == b;
            if (wanted && !add_pairing(schedule, a, b, store, run_id, error))
                return false;
        }
    return note_baseline(plan, store, run_id, error);
}

/* ---- games ---- */

static bool add_job(struct schedule *schedule, const struct game_rules *rules, int run, const struct pairing *pairing,
                    int pair, int leg, struct tm_error *error)
{
    if (schedule->job_count == schedule->job_capacity) {
        const int capacity = schedule->job_capacity ? schedule->job_capacity * 2 : 256;
        struct match_job *grown = realloc(schedule->job, (size_t)capacity * sizeof *grown);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory for the schedule");
        schedule->job = grown;
        schedule->job_capacity = capacity;
    }
    const struct vmatch_plan *plan = schedule->plan;
    schedule->job[schedule->job_count++] = (struct match_job){
        .rules = rules,
        .player = { pairing->player[0], pairing->player[1] },
        .pairing_id = pairing->id,
        .run = run,
        .pair = pair,
        .leg = leg,
        .fen = book_opening(plan->book, plan->order, rules->seed, pair),
    };
    return true;
}

/* Adds the games of one run that the store lacks. */
static bool add_missing(struct schedule *schedule, int run, struct store *store, struct vmatch_result *result,
                        struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    const size_t games = (size_t)plan->rounds * 2;
    bool *present = calloc((size_t)schedule->pairing_count * games, sizeof *present);
    bool ok = present || error_fail(error, TM_INTERNAL, "out of memory for the schedule");
    for (int i = 0; ok && i < schedule->pairing_count; i++)
        ok = store_present_games(store, schedule->pairing[i].id, plan->rounds, present + (size_t)i * games, error);
    for (int pair = 0; ok && pair < plan->rounds; pair++)
        for (int i = 0; ok && i < schedule->pairing_count; i++)
            for (int leg = 0; ok && leg < 2; leg++) {
                if (present[(size_t)i * games + (size_t)(2 * pair + leg)])
                    result->kept++;
                else
                    ok = add_job(schedule, &plan->rules[run], run, &schedule->pairing[i], pair, leg, error);
            }
    free(present);
    return ok;
}

static bool make_schedule(struct schedule *schedule, struct store *store, struct vmatch_result *result,
                          struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    const size_t most = (size_t)plan->policy_count * (size_t)plan->policy_count;
    schedule->pairing = calloc(most, sizeof *schedule->pairing);
    if (!schedule->pairing)
        return error_fail(error, TM_INTERNAL, "out of memory for the schedule");
    for (int run = 0; run < plan->tc_count; run++)
        if (!vmatch_store_run(plan, run, store, &result->run_id[run], error) ||
            !add_pairings(schedule, store, result->run_id[run], error) ||
            !add_missing(schedule, run, store, result, error))
            return false;
    return true;
}

/* ---- playing ---- */

struct hand_over {
    struct store *store;
    struct progress *progress;
    struct vmatch_result *result;
    int total, flags;
};

static void show_progress(struct hand_over *to, const struct match_job *job)
{
    char control[TC_TEXT_SIZE];
    const int played = to->result->played;
    const double seconds = progress_seconds(to->progress), left = seconds / played * (to->total - played);
    progress_update(to->progress, "vmatch  %s  %s–%s  %d/%d games  %.1f games/s  %d flags  left %.0f s",
                    tc_print(control, &job->rules->tc), policy_info(job->player[0])->label,
                    policy_info(job->player[1])->label, played, to->total, played / seconds, to->flags, left);
}

static bool store_one(void *ctx, const struct match_job *job, struct game_record *record, struct tm_error *error)
{
    struct hand_over *to = ctx;
    if (!store_game(to->store, job->pairing_id, record, job->fen, error))
        return false;
    to->result->played++;
    to->flags += record->end == END_FLAG;
    show_progress(to, job);
    return true;
}

static bool count_ends(const struct vmatch_plan *plan, struct store *store, struct vmatch_result *result,
                       struct tm_error *error)
{
    for (int run = 0; run < plan->tc_count; run++) {
        int faults, flags;
        if (!store_count_ends(store, result->run_id[run], END_POLICY_FAULT, &faults, error) ||
            !store_count_ends(store, result->run_id[run], END_FLAG, &flags, error))
            return false;
        result->faults += faults;
        result->flags += flags;
    }
    return true;
}

bool vmatch_play(const struct vmatch_plan *plan, struct store *store, const atomic_bool *interrupted,
                 struct vmatch_result *result, struct tm_error *error)
{
    struct schedule schedule = { .plan = plan };
    *result = (struct vmatch_result){ 0 };
    bool ok = make_schedule(&schedule, store, result, error);
    if (ok) {
        struct progress progress = progress_start(stderr, plan->quiet);
        struct hand_over to = { .store = store, .progress = &progress, .result = result,
                                .total = schedule.job_count };
        ok = match_run(schedule.job, schedule.job_count, plan->concurrency, (size_t)VMATCH_HASH_MB << 20, interrupted,
                       store_one, &to, error);
        progress_clear(&progress);
    }
    result->interrupted = ok && result->played < schedule.job_count;
    ok = ok && count_ends(plan, store, result, error);
    free(schedule.pairing);
    free(schedule.job);
    return ok;
}
