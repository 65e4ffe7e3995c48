/* Faults that people have reported of time managers, each as a policy file under tests/fixtures/faults, which a row
   here solves as a user would. The numbers of the files are those of the reports.

   Other reported faults of clocks, policies and statistics have their tests elsewhere:
     14  first increment          clock, walk           23  one-sided results    stats, sequential
     16  hangs on the overhead    pathologies, hammer   26  which Elo            stats
     17  forgiven overruns        clock, e2e_hammer     27  other controls       rank_field (sign flips)
     18  one constant node rate   profile, fit          39, 70  grammar of tc    tc, fuzz_corpus_tc
     22  trinomial on pairs       stats                 87  one name twice       rank, store */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/solver_reference.h"
#include "tmsim/solve.h"

static void start(void) { gsl_set_error_handler_off(); }
TestSuite(known_faults, .init = start);

static struct policy *fault_policy(const char *name)
{
    char path[512];
    struct policy *policy;
    struct tm_error error;
    snprintf(path, sizeof path, TEST_DATA "/fixtures/faults/%s.lua", name);
    cr_assert(policy_load(path, ".", &policy, &error), "%s", error.message);
    return policy;
}

struct scene {
    const char *policy, *tc;
    int overhead_ms, moves;
    enum spend_kind spend;
};

static struct solution *solve(const struct scene *scene)
{
    const struct tc tc = some_tc(scene->tc);
    struct cell_setup setup = cell_defaults(fault_policy(scene->policy), &tc, scene->overhead_ms * TM_NS_PER_MS);
    struct solution *solution = malloc(sizeof *solution);
    struct tm_error error;
    setup.moves = scene->moves ? scene->moves : setup.moves;
    setup.model.kind = scene->spend;
    cr_assert(solve_cell(&setup, scene->policy, false, solution, &error), "%s: %s", scene->policy, error.message);
    return solution;
}

static void drop(struct solution *solution)
{
    struct cell_setup setup = solution->setup;
    solution_clear(solution);
    drop_policy(&setup);
    free(solution);
}

static const struct pathology *find(const struct solution *solution, enum pathology_kind kind, const char *beginning)
{
    for (int i = 0; i < solution->pathologies.count; i++) {
        const struct pathology *item = &solution->pathologies.item[i];
        if (item->kind == kind && strncmp(item->text, beginning, strlen(beginning)) == 0)
            return item;
    }
    return NULL;
}

Test(known_faults, are_named_with_their_interval)
{
    static const struct {
        struct scene scene;
        enum pathology_kind kind;
        const char *beginning;
        double from, to; /* seconds; -1: no interval */
        int ply;         /* -1: none */
    } rows[] = {
        { { "08_negative_cap", "60+0", 0, 0, SPEND_LADDER }, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, -1 },
        { { "08_negative_cap", "60+0", 5, 0, SPEND_LADDER }, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, -1 },
        { { "08_negative_cap", "60+0", 200, 0, SPEND_LADDER }, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, -1 },
        { { "08_negative_cap", "60+0.1", 50, 0, SPEND_LADDER }, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, -1 },
        { { "08_negative_cap", "60+0", 50, 0, SPEND_LADDER }, PATHOLOGY_CAP_BINDS, "below 2.400 s", 0, 2.4, -1 },
        { { "09_inversion", "30+1", 50, 0, SPEND_LADDER }, PATHOLOGY_INVERSION, "soft lies above hard up to 4.000 s; ", 0, 4.0, -1 },
        { { "09_inversion", "60+0.1", 50, 0, SPEND_LADDER }, PATHOLOGY_INVERSION, "soft lies above hard up to 0.400 s; ", 0, 0.4, -1 },
        { { "09_inversion", "0.001+1", 0, 0, SPEND_LADDER }, PATHOLOGY_INVERSION,
          "soft lies above hard up to 4.000 s; 80 of the walk's 80 moves", 0, 4.0, -1 },
        { { "12_low_clock_horizon", "40/10", 0, 0, SPEND_LADDER }, PATHOLOGY_JUMP,
          "hard jumps from 0.025 s to 0.061 s where the clock crosses 1.000 s", 1.0, 1.0, -1 },
        { { "12_low_clock_horizon", "40/10", 0, 0, SPEND_LADDER }, PATHOLOGY_NON_FINITE, "hard is infinite from 0.000 s to 0.020 s", 0, 0.02,
          -1 },
        { { "15_overhead_never", "10+0.04", 50, 0, SPEND_LADDER }, PATHOLOGY_DRAIN,
          "the increment of 0.040 s does not pay for the overhead of 0.050 s: no policy can hold the clock", -1, -1, -1 },
        { { "15_overhead_each", "10+0", 50, 0, SPEND_LADDER }, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, -1 },
        { { "21_milliseconds_as_s", "60+0", 0, 0, SPEND_LADDER }, PATHOLOGY_FLAG_RISK, "hard + overhead exceeds the clock", 0, 50, -1 },
        { { "21_milliseconds_as_s", "60+0", 0, 0, SPEND_LADDER }, PATHOLOGY_MIXED_UNITS, "not scale-free", -1, -1, -2 },
        { { "21_milliseconds_as_ms", "60+0", 0, 0, SPEND_LADDER }, PATHOLOGY_MIXED_UNITS, "not scale-free", -1, -1, -2 },
        { { "30_ignores_movestogo", "40/10", 0, 0, SPEND_LADDER }, PATHOLOGY_IGNORES_MOVESTOGO,
          "the budget with 1 move to go is the one with 40", -1, -1, -2 },
        { { "30_ignores_movestogo", "40/10", 0, 0, SPEND_LADDER }, PATHOLOGY_UNSPENT_RESERVE, "2.607 s of 10.000 s lie unused when a period ends",
          -1, -1, -2 },
        { { "30_ignores_movestogo", "0.001+1", 0, 0, SPEND_LADDER }, PATHOLOGY_UNSPENT_RESERVE, "24.114 s, or 24.1 increments, lie unused when the walk ends", -1, -1, -2 },
        { { "31_reserve_above_clock", "40/10", 100, 0, SPEND_SOFT }, PATHOLOGY_BLIND_RUN, "2 blind moves in a row from move 39",
          -1, -1, 76 },
        { { "32_share_above_one", "60/15", 10, 0, SPEND_LADDER }, PATHOLOGY_FLAG_RISK,
          "hard + overhead exceeds a clock of 15.000 s from 9 moves to go on", -1, -1, -2 },
        { { "33_growing_share", "5+0", 10, 0, SPEND_LADDER }, PATHOLOGY_RAMP, "soft grows with ply", -1, -1, -2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct solution *solution = solve(&rows[i].scene);
        const struct pathology *found = find(solution, rows[i].kind, rows[i].beginning);
        cr_expect(found != NULL, "%s at %s: no %s '%s'", rows[i].scene.policy, rows[i].scene.tc,
                  pathology_name(rows[i].kind), rows[i].beginning);
        if (found && rows[i].from >= 0)
            cr_expect(fabs(ns_to_s(found->from) - rows[i].from) < 1e-6 && fabs(ns_to_s(found->to) - rows[i].to) < 1e-6,
                      "%s at %s: %s: %.9f … %.9f", rows[i].scene.policy, rows[i].scene.tc, found->text,
                      ns_to_s(found->from), ns_to_s(found->to));
        if (found && rows[i].ply >= 0)
            cr_expect(found->ply == rows[i].ply, "%s: %s: ply %d", rows[i].scene.policy, found->text, found->ply);
        drop(solution);
    }
}

/* The share of the clock alone is the same formula in every unit; nothing is wrong with it. */
Test(known_faults, a_formula_without_constants_mixes_nothing)
{
    struct solution *solution = solve(&(struct scene){ "21_no_constants", "60+0.6", 50, 0, SPEND_LADDER });
    cr_expect(find(solution, PATHOLOGY_MIXED_UNITS, "") == NULL);
    drop(solution);
}

/* 8: the knees do not depend on how fast the modelled player searches. */
Test(known_faults, a_negative_cap_crosses_zero_at_two_seconds_at_any_node_rate)
{
    for (double t1 = 0.001; t1 < 2; t1 *= 10) {
        const struct tc tc = some_tc("60+0");
        struct cell_setup setup = cell_defaults(fault_policy("08_negative_cap"), &tc, 50 * TM_NS_PER_MS);
        struct solution *solution = malloc(sizeof *solution);
        struct tm_error error;
        setup.model.t1 = t1;
        cr_assert(solve_cell(&setup, "08", true, solution, &error));
        const struct knee *zero = knees_first(&solution->knees, KNEE_HARD_ZERO), *cap = knees_first(&solution->knees, KNEE_CAP);
        cr_assert(zero != NULL && cap != NULL);
        cr_expect(fabs(ns_to_s(zero->clock) - 2.0) < 1e-6, "%.9f", ns_to_s(zero->clock));
        cr_expect(fabs(ns_to_s(cap->clock) - 2.4) < 1e-6, "%.9f", ns_to_s(cap->clock));
        drop(solution);
    }
}

/* 12: at 990 ms with 20 moves to go the horizon is 49, at 900 ms with 30 it is 45, at 100 ms with 20 it is 5, and at
   19 ms it is 0, which gives no limit at all instead of an end of the program. */
Test(known_faults, a_horizon_of_zero_is_no_crash)
{
    static const struct { double time; int movestogo, horizon; } rows[] = {
        { 1.0, 20, 20 }, { 0.99, 20, 49 }, { 0.9, 30, 45 }, { 0.1, 20, 5 }, { 0.019, 20, 0 },
    };
    struct policy *policy = fault_policy("12_low_clock_horizon");
    struct tm_error error;
    struct policy_game *game = policy_game_new(policy, &error);
    cr_assert(game != NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct clock_state clock = { .time = ns_from_units(rows[i].time, 1e9), .has_movestogo = true,
                                           .movestogo = rows[i].movestogo, .ply = 40, .threads = 1 };
        struct budget budget;
        cr_assert(policy_budget(game, &clock, &budget, &error), "%s", error.message);
        const double expected = rows[i].horizon ? (0.88 + 40.0 / 116) / rows[i].horizon * rows[i].time : INFINITY;
        cr_expect(isinf(expected) ? isinf(budget.raw.soft) : fabs(budget.raw.soft - expected) < 1e-12,
                  "at %g s: %g, expected %g", rows[i].time, budget.raw.soft, expected);
    }
    policy_game_free(game);
    policy_free(policy);
}

/* 15: half of 10 s goes to overhead in 100 moves. Who does not reserve it flags; who reserves it for each move does not;
   subtracting it once is worth one move. */
Test(known_faults, overhead_is_paid_at_every_move)
{
    static const struct { const char *policy; int flag_move; } rows[] = {
        { "15_overhead_never", 71 }, { "15_overhead_once", 72 }, { "15_overhead_each", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct solution *solution = solve(&(struct scene){ rows[i].policy, "10+0", 50, 100, SPEND_LADDER });
        const struct walk *walk = &solution->walk;
        tm_ns left = 10 * TM_NS_PER_S;
        for (int k = 0; k < walk->moves; k++)
            left -= walk->move[k].spend + 50 * TM_NS_PER_MS;
        cr_expect(walk->flag_move == rows[i].flag_move, "%s flags at %d", rows[i].policy, walk->flag_move);
        cr_expect(left == walk->end_clock, "%s: %g s are left", rows[i].policy, ns_to_s(walk->end_clock));
        drop(solution);
    }
}

/* 33: the pool is empty below 52 overheads; the fallback of a millisecond wins from where the pool gives less. */
Test(known_faults, a_horizon_of_overheads_empties_a_short_clock)
{
    struct solution *solution = solve(&(struct scene){ "33_negative_pool", "5+0", 10, 0, SPEND_LADDER });
    const struct knee *knee = knees_first(&solution->knees, KNEE_BRANCH);
    cr_assert(knee != NULL);
    cr_expect(fabs(ns_to_s(knee->clock) - (52 * 0.01 + 50 * 0.001)) < 1e-6, "%.9f", ns_to_s(knee->clock));
    drop(solution);
}

/* 41: three outcomes; and steptm, which parks at a jump, with and without overhead. */
Test(known_faults, no_park_is_told_apart)
{
    static const struct { struct scene scene; enum park_outcome outcome; } rows[] = {
        { { "41_spends_a_share", "60+0.03", 50, 0, SPEND_LADDER }, PARK_DRAINS },
        { { "41_hardly_spends", "60+1", 50, 0, SPEND_LADDER }, PARK_ACCUMULATES },
        { { "41_spends_a_share", "60+1", 50, 0, SPEND_LADDER }, PARK_PARKS },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct solution *solution = solve(&rows[i].scene);
        cr_expect(solution->parks.outcome == rows[i].outcome, "%s at %s %s", rows[i].scene.policy, rows[i].scene.tc,
                  park_outcome_name(solution->parks.outcome));
        cr_expect_eq(solution->parks.count > 0, rows[i].outcome == PARK_PARKS);
        drop(solution);
    }
}
