/* The schedule of a match: which pairings, which games are missing, in which order. The order is by control, pair,
   pairing and leg, so that an interrupted run has about as many games of each pairing. */
#include "tmsim/vmatch.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "tmsim/game_line.h"
#include "tmsim/gates.h"
#include "tmsim/player.h"
#include "tmsim/progress.h"
#include "tmsim/standings.h"

struct pairing {
    const struct policy *player[2];
    int64_t id;
};

struct timetable {
    const struct vmatch_plan *plan;
    struct pairing *pairing; /* of one run */
    int pairing_count;
    int64_t *asked[VMATCH_MAX_TCS]; /* ids of each run's pairings */
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
            if (!policy_preflight(plan->policy[i], player_tc(plan->policy[i], &plan->rules[t].tc),
                                  plan->rules[t].first_inc, error))
                return false;
    }
    return true;
}

/* ---- what identifies a run ---- */

static char *built_in_identity(void)
{
    json_t *json = json_pack("{s:s, s:s, s:i, s:I}", "name", "zeitnot", "version", ZEITNOT_VERSION, "hash_mb",
                             VMATCH_HASH_MB, "bench", (json_int_t)BENCH_SIGNATURE);
    char *text = json ? json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

/* The engine that the policies drive. Engines on their own clock are identified by their players' policies. */
static char *engine_identity(const struct vmatch_plan *plan)
{
    bool native = false;
    for (int i = 0; i < plan->policy_count; i++) {
        if (!plan->arm[i])
            return built_in_identity();
        if (arm_is_driven(plan->arm[i]))
            return strdup(plan->arm[i]->identity);
        native = true;
    }
    return native ? strdup("{\"name\":\"each player's own\"}") : built_in_identity();
}

bool vmatch_store_run(const struct vmatch_plan *plan, int tc, struct store *store, int64_t *run_id,
                      struct tm_error *error)
{
    const struct game_rules *rules = &plan->rules[tc];
    char control[TC_TEXT_SIZE], constant[64], seconds[32], key[33], adjudication[ADJUDICATION_TEXT];
    char *engine = engine_identity(plan);
    if (!engine)
        return error_fail(error, TM_INTERNAL, "out of memory for the run's identity");
    snprintf(constant, sizeof constant, "const:%ss", ns_print_seconds(seconds, sizeof seconds, rules->overhead));
    struct run_identity identity = {
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
        .adjudication = adjudication_print(adjudication, &rules->adjudication),
        .max_plies = rules->max_plies,
        .starved_s_floor = STARVED_NS,
    };
    if (plan->real) {
        identity.overhead = STORE_REAL_CLOCK;
        identity.profile_name = identity.profile_hash = STORE_REAL_CLOCK;
        identity.profile_json = "{}";
    }
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

static bool is_scheduled(const struct timetable *schedule, const struct pairing *pairing)
{
    for (int i = 0; i < schedule->pairing_count; i++)
        if (strcmp(policy_info(schedule->pairing[i].player[0])->hash, policy_info(pairing->player[0])->hash) == 0 &&
            strcmp(policy_info(schedule->pairing[i].player[1])->hash, policy_info(pairing->player[1])->hash) == 0)
            return true;
    return false;
}

static bool add_pairing(struct timetable *schedule, int a, int b, struct store *store, int64_t run_id,
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

static bool add_pairings(struct timetable *schedule, struct store *store, int64_t run_id, struct tm_error *error)
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

static const struct arm *arm_of(const struct vmatch_plan *plan, const struct policy *player)
{
    for (int i = 0; i < plan->policy_count; i++)
        if (plan->policy[i] == player)
            return plan->arm[i];
    return NULL;
}

static bool add_job(struct timetable *schedule, const struct game_rules *rules, int run, const struct pairing *pairing,
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
        .arm = { arm_of(plan, pairing->player[0]), arm_of(plan, pairing->player[1]) },
        .log = plan->log,
        .pairing_id = pairing->id,
        .run = run,
        .pair = pair,
        .leg = leg,
        .fen = book_opening(plan->book, plan->order, rules->seed, pair),
    };
    return true;
}

/* Adds the games of one run that the store lacks. */
static bool add_missing(struct timetable *schedule, int run, struct store *store, struct vmatch_result *result,
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

static bool remember_pairings(struct timetable *schedule, int run, struct tm_error *error)
{
    int64_t *ids = calloc((size_t)schedule->pairing_count + 1, sizeof *ids);
    if (!ids)
        return error_fail(error, TM_INTERNAL, "out of memory for the schedule");
    for (int i = 0; i < schedule->pairing_count; i++)
        ids[i] = schedule->pairing[i].id;
    schedule->asked[run] = ids;
    return true;
}

static bool make_schedule(struct timetable *schedule, struct store *store, struct vmatch_result *result,
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
            !remember_pairings(schedule, run, error) || !add_missing(schedule, run, store, result, error))
            return false;
    return true;
}

/* ---- playing ---- */

struct hand_over {
    struct store *store;
    struct progress *progress;
    struct standings *standings;
    struct vmatch_result *result;
    struct sequential *test; /* NULL: fixed number of rounds */
    const struct policy *candidate;
    int total, flags;
    bool recover;
};

static bool engine_failed(const struct game_record *record)
{
    return record->end == END_CRASH || record->end == END_STALL;
}

static bool report_failure(const struct game_record *record, struct tm_error *error)
{
    return error_fail(error, TM_ENGINE_FAILED, "%s; its game is stored as lost. With --recover the match goes on",
                      record->fault);
}

static void show_progress(struct hand_over *to, const struct match_job *job)
{
    char control[TC_TEXT_SIZE], standings[1000];
    const int played = to->result->played;
    const double seconds = progress_seconds(to->progress), left = seconds / played * (to->total - played);
    progress_update(to->progress, "vmatch  %s  %d/%d games  %.1f games/s  %d flags  left %.0f s\n        %s",
                    tc_print(control, &job->rules->tc), played, to->total, played / seconds, to->flags, left,
                    standings_print(to->standings, job->run, standings, sizeof standings));
}

/* Half points of player `player` of the pairing. */
static int half_points(int white_points, int white, int player)
{
    return white_points < 0 ? -1 : white == player ? white_points : 2 - white_points;
}

/* A game that has just been stored goes to the test. */
static bool test_record(struct hand_over *to, const struct match_job *job, const struct game_record *record,
                        struct tm_error *error)
{
    uint64_t digest;
    const int player = job->player[1] == to->candidate;
    return game_record_digest(job->fen, record, &digest, error)
           && sequential_add(to->test, job->pair, job->leg, half_points(record->white_points, record->white, player),
                             digest, error);
}

static enum match_wish store_one(void *ctx, const struct match_job *job, struct game_record *record,
                                 struct tm_error *error)
{
    struct hand_over *to = ctx;
    if (!store_game(to->store, job->pairing_id, record, job->fen, error))
        return MATCH_FAILED;
    to->result->played++;
    to->flags += record->end == END_FLAG;
    standings_add(to->standings, job, record);
    show_progress(to, job);
    if (!to->recover && engine_failed(record)) {
        report_failure(record, error);
        return MATCH_FAILED;
    }
    if (!to->test)
        return MATCH_MORE;
    if (!test_record(to, job, record, error))
        return MATCH_FAILED;
    return sequential_state(to->test).verdict == SPRT_CONTINUE ? MATCH_MORE : MATCH_ENOUGH;
}

/* Games of earlier commands: the test begins with them. */
struct earlier {
    struct sequential *test;
    int player;
};

static bool test_line(void *ctx, const struct game_line *line, struct tm_error *error)
{
    const struct earlier *earlier = ctx;
    return sequential_add(earlier->test, line->pair, line->leg,
                          half_points(line->white_points, line->white, earlier->player),
                          game_line_digest(line->fen, line->moves, line->length), error);
}

static bool start_test(const struct timetable *schedule, struct hand_over *to, struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    to->candidate = plan->policy[0];
    to->test = sequential_new(plan->sprt, plan->rounds);
    if (!to->test)
        return error_fail(error, TM_INTERNAL, "out of memory for the sequential test");
    struct earlier earlier = { to->test, schedule->pairing->player[1] == to->candidate };
    return game_lines(to->store, schedule->pairing->id, test_line, &earlier, error);
}

/* Plays the jobs, or none if the stored games decide already. */
static bool play_jobs(const struct timetable *schedule, struct hand_over *to, const atomic_bool *interrupted,
                      struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    bool ok = !plan->sprt || start_test(schedule, to, error);
    const bool decided = to->test && sequential_state(to->test).verdict != SPRT_CONTINUE;
    if (ok && !decided)
        ok = match_run(schedule->job, schedule->job_count, plan->concurrency, (size_t)VMATCH_HASH_MB << 20,
                       interrupted, store_one, to, error);
    if (to->test)
        to->result->sequential = sequential_state(to->test);
    sequential_free(to->test);
    return ok;
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

/* ---- gates ---- */

/* What the short check said of each foreign engine. */
static void gates_arms(struct gate_list *list, const struct vmatch_plan *plan)
{
    for (int i = 0; i < plan->policy_count; i++) {
        const struct arm *arm = plan->arm[i];
        bool told = !arm;
        for (int k = 0; k < i && !told; k++)
            told = plan->arm[k] && strcmp(plan->arm[k]->identity, arm->identity) == 0;
        if (told)
            continue;
        char name[40];
        const struct finding *worst = engine_check_worst(&arm->check);
        const bool failed = worst && worst->verdict == FINDING_FAIL;
        snprintf(name, sizeof name, "engine_check %d", i + 1);
        gate_add(list, name, true, arm->check.used_to_asked, "%s: %s%s%s%s", arm->check.name,
                 failed ? "FAILED, and allowed: " : "passed; ", worst ? worst->check : "", worst ? ": " : "",
                 worst ? worst->found : "nothing to say");
    }
}

static void gates_charged(struct gate_list *list, const struct vmatch_plan *plan)
{
    struct charged player[VMATCH_MAX_POLICIES];
    for (int i = 0; i < plan->policy_count; i++) {
        const struct arm *arm = plan->arm[i];
        player[i] = (struct charged){ arm && arm->profile ? arm->profile : plan->rules[0].profile,
                                      arm ? arm->check.name : "zeitnot" };
    }
    gates_profiles(list, player, plan->policy_count);
}

static bool any_built_in(const struct vmatch_plan *plan)
{
    for (int i = 0; i < plan->policy_count; i++)
        if (!plan->arm[i])
            return true;
    return false;
}

static bool gates_before(const struct vmatch_plan *plan, struct gate_list *list, struct tm_error *error)
{
    struct engine *engine = engine_new((size_t)VMATCH_HASH_MB << 20, error);
    if (!engine)
        return false;
    gates_openings(list, plan->book, plan->order, plan->rules[0].seed, plan->rounds);
    if (any_built_in(plan))
        gates_engine(list, engine);
    engine_free(engine);
    gates_arms(list, plan);
    gates_charged(list, plan);
    return true;
}

bool vmatch_gates(const struct vmatch_plan *plan, struct tm_error *error)
{
    struct gate_list list = { 0 };
    if (!gates_before(plan, &list, error))
        return false;
    const struct gate *failed = gates_failed(&list);
    return !failed || error_fail(error, TM_VOID, "void before it began: %s: %s", failed->name, failed->detail);
}

static bool check_run(const struct timetable *schedule, int run, struct store *store, const struct vmatch_result *result,
                      struct tm_error *error)
{
    const struct vmatch_plan *plan = schedule->plan;
    const struct gate_request request = {
        .run = result->run_id[run],
        .pairing = schedule->asked[run],
        .pairing_count = schedule->pairing_count,
        .pairs = plan->sprt ? result->sequential.read : plan->rounds,
        .control = plan->control,
    };
    struct gate_list list = { 0 };
    return gates_before(plan, &list, error) && gates_games(&list, store, &request, error)
           && gates_write(&list, store, request.run, error);
}

static bool check_runs(const struct timetable *schedule, struct store *store, const struct vmatch_result *result,
                       struct tm_error *error)
{
    for (int run = 0; run < schedule->plan->tc_count; run++)
        if (!check_run(schedule, run, store, result, error))
            return false;
    return true;
}

bool vmatch_play(const struct vmatch_plan *plan, struct store *store, const atomic_bool *interrupted,
                 struct vmatch_result *result, struct tm_error *error)
{
    struct timetable schedule = { .plan = plan };
    *result = (struct vmatch_result){ 0 };
    bool ok = make_schedule(&schedule, store, result, error);
    if (ok) {
        struct progress progress = progress_start(stderr, plan->quiet);
        struct hand_over to = { .store = store, .progress = &progress, .result = result,
                                .standings = standings_new(plan->baseline >= 0 ? plan->policy[plan->baseline] : NULL),
                                .total = schedule.job_count, .recover = plan->recover };
        ok = play_jobs(&schedule, &to, interrupted, error);
        standings_free(to.standings);
        progress_clear(&progress);
    }
    result->interrupted = ok && result->played < schedule.job_count && result->sequential.verdict == SPRT_CONTINUE;
    if (ok && !result->interrupted)
        ok = check_runs(&schedule, store, result, error);
    ok = ok && count_ends(plan, store, result, error);
    for (int run = 0; run < plan->tc_count; run++)
        free(schedule.asked[run]);
    free(schedule.pairing);
    free(schedule.job);
    return ok;
}
