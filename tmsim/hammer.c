/* Which games a hammer needs, whether the cell can say anything, and the verdict. */
#include "tmsim/hammer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/break_even.h"
#include "tmsim/hammer_real.h"
#include "tmsim/progress.h"

/* A game of fewer own moves hardly occurs: the shortest of 160 games of sf_17, stash and simple had more (guess). */
enum { SHORT_GAME = 20 };
/* So many games that ended otherwise tell how long games are here: guess. */
enum { ENOUGH_NATURAL = 20 };

/* Nodes of the first iteration and growth from one to the next: `zeitnot`, depths 1 to 9 at the start position, after
   nine moves of a Queen's Gambit and in a rook ending: medians 69 and 15559 nodes. */
static const double FIRST_NODES = 69, GROWTH = 1.97;

static const char *const outcome_names[] = { [HAMMER_PASS] = "PASS", [HAMMER_FAIL] = "FAIL", [HAMMER_VOID] = "VOID" };

const char *hammer_outcome_name(enum hammer_outcome outcome) { return outcome_names[outcome]; }

struct cell_setup hammer_setup(const struct policy *policy, const struct game_rules *rules, int moves)
{
    struct cell_setup setup = cell_defaults(policy, &rules->tc, rules->overhead);
    int64_t lowest, highest;
    profile_range(rules->profile, rules->nps_scale, &lowest, &highest);
    setup.first_inc = rules->first_inc;
    setup.moves = moves;
    setup.model.t1 = FIRST_NODES / ((double)(lowest + highest) / 2);
    setup.model.growth = GROWTH;
    return setup;
}

/* ---- hopeless cells ---- */

static int exhausted_at(const struct game_rules *rules, int pair, int moves)
{
    struct vclock clock = vclock_start(&rules->tc, rules->first_inc);
    clock.margin = rules->margin;
    for (int move = 0; move < moves; move++) {
        const struct overhead_cost cost = rules->model ? overhead_draw(rules->model, rules->seed, pair, move)
                                                       : (struct overhead_cost){ .unseen = rules->overhead };
        if (!vclock_charge(&clock, cost.seen, cost.unseen))
            return move + 1;
    }
    return moves + 1;
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int hammer_hopeless_move(const struct game_rules *rules, int games, int moves)
{
    int *at = calloc((size_t)games, sizeof *at), found = 0;
    for (int pair = 0; at && pair < games; pair++)
        at[pair] = exhausted_at(rules, pair, moves);
    if (at) {
        qsort(at, (size_t)games, sizeof *at, by_value);
        found = at[(games - 1) / 2];
    }
    free(at);
    return found > moves ? 0 : found;
}

/* ---- playing ---- */

struct job_list {
    struct match_job *job;
    int count;
};

static bool find_pairing(const struct hammer_plan *plan, struct store *store, struct hammer_verdict *verdict,
                         const struct policy *player[2], struct tm_error *error)
{
    const struct policy *other = plan->against ? plan->against : verdict->policy;
    int64_t id[2];
    verdict->player = strcmp(policy_info(verdict->policy)->hash, policy_info(other)->hash) > 0;
    player[verdict->player] = verdict->policy;
    player[!verdict->player] = other;
    for (int i = 0; i < 2; i++)
        if (!store_policy(store, player[i], &id[i], error))
            return false;
    return store_pairing(store, verdict->run, id[0], id[1], &verdict->pairing, error);
}

/* Against itself leg 1 would be leg 0 again, so every pair is one game; against another policy it is two. */
static bool schedule_policy(const struct hammer_plan *plan, struct store *store, int index, struct hammer_verdict *verdict,
                            struct job_list *schedule, struct tm_error *error)
{
    const struct vmatch_plan *match = plan->match;
    const struct policy *player[2];
    const struct arm *arm[2] = { NULL, NULL };
    const int legs = plan->against ? 2 : 1, pairs = (plan->games + legs - 1) / legs;
    if (!find_pairing(plan, store, verdict, player, error))
        return false;
    arm[verdict->player] = match->arm[index];
    arm[!verdict->player] = plan->against ? plan->against_arm : match->arm[index];
    bool *present = calloc((size_t)pairs * 2, sizeof *present);
    bool ok = present || error_fail(error, TM_INTERNAL, "out of memory for the schedule");
    ok = ok && store_present_games(store, verdict->pairing, pairs, present, error);
    for (int pair = 0; ok && pair < pairs; pair++)
        for (int leg = 0; leg < legs; leg++)
            if (!present[2 * pair + leg])
                schedule->job[schedule->count++] = (struct match_job){
                    .rules = &match->rules[0], .player = { player[0], player[1] }, .arm = { arm[0], arm[1] },
                    .log = match->log, .pairing_id = verdict->pairing, .pair = pair, .leg = leg,
                    .fen = book_opening(match->book, match->order, match->rules[0].seed, pair) };
    free(present);
    return ok;
}

struct hand_over {
    struct store *store;
    struct progress *progress;
    int total, played, flags;
};

static enum match_wish store_one(void *ctx, const struct match_job *job, struct game_record *record,
                                 struct tm_error *error)
{
    struct hand_over *to = ctx;
    if (!store_game(to->store, job->pairing_id, record, job->fen, error))
        return MATCH_FAILED;
    to->played++;
    to->flags += record->end == END_FLAG;
    progress_update(to->progress, "hammer  %s  %d/%d games  %.0f games/s  %d flags", policy_info(job->player[0])->label,
                    to->played, to->total, to->played / progress_seconds(to->progress), to->flags);
    return MATCH_MORE;
}

static bool play(const struct hammer_plan *plan, struct store *store, const atomic_bool *interrupted, int *played,
                 struct hammer_verdict *verdict, struct tm_error *error)
{
    const struct vmatch_plan *match = plan->match;
    struct job_list schedule = { 0 };
    schedule.job = calloc((size_t)match->policy_count * (size_t)(plan->games + 1), sizeof *schedule.job);
    bool ok = schedule.job || error_fail(error, TM_INTERNAL, "out of memory for the schedule");
    for (int i = 0; ok && i < match->policy_count; i++)
        ok = schedule_policy(plan, store, i, &verdict[i], &schedule, error);
    struct progress progress = progress_start(stderr, match->quiet);
    struct hand_over to = { .store = store, .progress = &progress, .total = schedule.count };
    ok = ok && match_run(schedule.job, schedule.count, match->concurrency, (size_t)VMATCH_HASH_MB << 20, interrupted,
                         store_one, &to, error);
    progress_clear(&progress);
    *played += to.played;
    free(schedule.job);
    return ok && (to.played == schedule.count ||
                  error_fail(error, TM_INPUT, "interrupted after %d of %d games; the same command continues", to.played,
                             schedule.count));
}

/* ---- the verdict ---- */

static void void_verdict(struct hammer_verdict *verdict, int length)
{
    verdict->outcome = HAMMER_VOID;
    snprintf(verdict->reason, sizeof verdict->reason,
             "hopeless: overhead alone exhausts the clock at move %d, and games here have %d; it says nothing about anyone",
             verdict->hopeless_move, length);
}

static void judge(const struct hammer_plan *plan, struct hammer_verdict *verdict)
{
    const int length = verdict->natural >= ENOUGH_NATURAL ? verdict->natural_median : plan->moves;
    verdict->outcome = verdict->flags > 0 || verdict->illegal > 0 ? HAMMER_FAIL : HAMMER_PASS;
    if (verdict->hopeless_move && verdict->hopeless_move <= length)
        void_verdict(verdict, length);
    if (verdict->faults > 0) {
        verdict->outcome = HAMMER_VOID;
        snprintf(verdict->reason, sizeof verdict->reason, "%d games ended as policy_fault", verdict->faults);
    }
    if (plan->match->real)
        hammer_real_judge(verdict);
}

static void find_break_even(const struct hammer_plan *plan, int index, struct hammer_verdict *verdict)
{
    const struct arm *arm = plan->match->arm[index];
    verdict->own_manager = arm && !arm_is_driven(arm);
    if (verdict->own_manager)
        return;
    const struct cell_setup setup = hammer_setup(verdict->policy, &plan->match->rules[0], plan->moves);
    verdict->break_even = break_even_find(&setup, NULL);
}

static bool find_label(struct store *store, struct hammer_verdict *verdict, struct tm_error *error)
{
    int64_t id;
    if (!store_policy(store, verdict->policy, &id, error))
        return false;
    char *label = store_policy_label(store, id, error);
    if (label)
        snprintf(verdict->label, sizeof verdict->label, "%s", label);
    free(label);
    return label != NULL;
}

bool hammer_run(const struct hammer_plan *plan, struct store *store, const atomic_bool *interrupted, int *played,
                struct hammer_verdict *verdict, struct tm_error *error)
{
    const struct vmatch_plan *match = plan->match;
    const struct game_rules *rules = &match->rules[0];
    const int hopeless = hammer_hopeless_move(rules, plan->games, plan->moves > 400 ? plan->moves : 400);
    int64_t run;
    if (!vmatch_store_run(match, 0, store, &run, error))
        return false;
    for (int i = 0; i < match->policy_count; i++) {
        verdict[i] = (struct hammer_verdict){ .policy = match->policy[i], .run = run, .hopeless_move = hopeless };
        if (!find_label(store, &verdict[i], error))
            return false;
        find_break_even(plan, i, &verdict[i]);
        if (hopeless && hopeless <= SHORT_GAME)
            void_verdict(&verdict[i], plan->moves);
    }
    if (hopeless && hopeless <= SHORT_GAME)
        return true;
    if (!play(plan, store, interrupted, played, verdict, error))
        return false;
    for (int i = 0; i < match->policy_count; i++) {
        if (!hammer_read(store, plan, &verdict[i], error) ||
            (match->real && !hammer_real_read(store, &verdict[i], error)))
            return false;
        judge(plan, &verdict[i]);
    }
    return true;
}
