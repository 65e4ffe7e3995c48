#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/monte_carlo.h"

#define MS TM_NS_PER_MS

static void init(void) { gsl_set_error_handler_off(); }

TestSuite(monte_carlo, .init = init);

/* A game of `moves` own moves on both sides, each of which spends `share` of a hard limit of 10 ms. */
static struct game_record game_of(int moves, double share, enum game_end end)
{
    struct game_record game = { .end = end, .loser_side = -1, .move_count = 2 * moves };
    game.move = calloc((size_t)game.move_count, sizeof *game.move);
    for (int ply = 0; ply < game.move_count; ply++)
        game.move[ply] = (struct move_record){ .ply = ply, .rate = 30000, .nodes_charged = (int64_t)(300 * share),
                                               .soft_floored = 10 * MS, .hard_floored = 10 * MS, .reason = TM_HARD };
    return game;
}

static void learn(struct mc_data *data, int moves, double share, enum game_end end)
{
    struct tm_error error = { 0 };
    struct game_record game = game_of(moves, share, end);
    cr_assert(mc_data_add(data, &game, 0, true, &error));
    game_record_clear(&game);
}

struct fixture {
    struct policy *policy;
    struct overhead *overhead;
    struct game_rules rules;
    struct mc_data data;
};

#define HEAD "return policy { name = 'p', title = 't', source = 's', unit = 's', params = {}, "

static struct fixture set_up(const char *policy, const char *overhead)
{
    struct fixture f = { .rules = { .first_inc = true, .nps_scale = 1, .seed = 1 } };
    struct tm_error error = { 0 };
    cr_assert(policy_load_text("p.lua", policy, strlen(policy), &f.policy, &error), "%s", error.message);
    cr_assert(overhead_parse("o", overhead, &f.overhead, &error), "%s", error.message);
    cr_assert(tc_parse("1+0", &f.rules.tc, &error));
    f.rules.model = f.overhead;
    return f;
}

static struct mc_result run(struct fixture *f, int players, int64_t games, int concurrency)
{
    struct tm_error error = { 0 };
    struct mc_result result;
    const struct mc_request request = { f->policy, &f->rules, &f->data, players, games, concurrency };
    cr_assert(mc_run(&request, &result, &error), "%s", error.message);
    return result;
}

static void tear_down(struct fixture *f)
{
    mc_data_clear(&f->data);
    overhead_free(f->overhead);
    policy_free(f->policy);
}

#define TEN HEAD "budget = function(c, p, g) return 0.01, 0.01 end }"

/* 60 moves of 10 ms leave 400 ms of a second for 60 exponential overheads: their sum is a gamma variable. */
Test(monte_carlo, flags_are_as_rare_as_the_exact_distribution_says)
{
    static const struct { const char *overhead; double mean; bool split; } cases[] = {
        { "gamma(shape=1,scale=5ms)", 5, false }, { "gamma(shape=1,scale=4ms)", 4, true },
    };
    for (size_t i = 0; i < 2; i++) {
        struct fixture f = set_up(TEN, cases[i].overhead);
        struct tm_error error;
        learn(&f.data, 60, 1, END_CHECKMATE);
        cr_assert(mc_data_finish(&f.data, &error));
        const struct mc_result result = run(&f, 1, 20000, 2);
        const double exact = gsl_cdf_gamma_Q(400, 60, cases[i].mean);
        cr_expect(result.tabulated && result.table_error == 0);
        cr_expect(result.split == cases[i].split, "%s", cases[i].overhead);
        cr_expect(fabs(result.probability - exact) < 4 * result.error, "%s: %.3e +- %.1e, exactly %.3e", cases[i].overhead,
                  result.probability, result.error, exact);
        cr_expect(result.error < 0.2 * exact, "%.1e of %.3e", result.error, exact);
        tear_down(&f);
    }
}

/* One dear move makes the flag here; splitting gave 2e-17 and 3e-12 for the second and third. The exact tails are those of the
   sum of 60 draws beyond 400 ms, by convolution on a lattice of 0.1 ms. */
Test(monte_carlo, heavy_tails_are_counted_and_never_split)
{
    static const struct { const char *overhead; double exact; } cases[] = {
        { "pareto(scale=2ms,alpha=2.5)", 6.044e-4 }, { "pareto(scale=2ms,alpha=4)", 2.790e-7 },
        { "lognormal(median=3ms,sigma=0.6)", 4.116e-10 }, { "seen(lognormal(median=1ms,sigma=0.9))", 5.629e-9 },
    };
    enum { GAMES = 40000 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = set_up(TEN, cases[i].overhead);
        struct tm_error error;
        learn(&f.data, 60, 1, END_CHECKMATE);
        cr_assert(mc_data_finish(&f.data, &error));
        const struct mc_result result = run(&f, 1, GAMES, 2);
        const double exact = cases[i].exact;
        cr_expect(result.jumps && !result.split, "%s", cases[i].overhead);
        cr_expect(fabs(result.probability - exact) < 4 * sqrt(exact / GAMES), "%s: %.3e, exactly %.3e", cases[i].overhead,
                  result.probability, exact);
        tear_down(&f);
    }
}

/* A spike of 0.5 s at any of 60 moves ends a game that has 0.4 s to spare: 1 - (1 - p)^60, and no level leads there. */
Test(monte_carlo, spikes_are_counted_where_splitting_finds_no_level)
{
    struct fixture f = set_up(TEN, "spike(p=0.00002,500ms)");
    struct tm_error error;
    learn(&f.data, 60, 1, END_CHECKMATE);
    cr_assert(mc_data_finish(&f.data, &error));
    const struct mc_result result = run(&f, 1, 40000, 2);
    const double exact = 1 - pow(1 - 0.00002, 60);
    cr_expect_not(result.split);
    cr_expect(fabs(result.probability - exact) < 4 * sqrt(exact / 40000), "%.3e, exactly %.3e", result.probability, exact);
    tear_down(&f);
}

/* Both sides of a game share their overhead; spends of 0.5 and 1 times 10 ms differ between them. */
Test(monte_carlo, results_do_not_depend_on_the_concurrency_and_two_sides_flag_more)
{
    struct fixture f = set_up(TEN, "gamma(shape=1,scale=5.5ms)");
    struct tm_error error;
    learn(&f.data, 60, 1, END_CHECKMATE);
    learn(&f.data, 60, 0.9, END_CHECKMATE);
    cr_assert(mc_data_finish(&f.data, &error));
    const struct mc_result one = run(&f, 1, 10000, 1), again = run(&f, 1, 10000, 3), two = run(&f, 2, 10000, 2);
    cr_expect(one.flags == again.flags && one.moves == again.moves && one.lowest == again.lowest);
    cr_expect(two.flags > one.flags && two.flags < 2 * one.flags, "%lld and %lld", (long long)one.flags, (long long)two.flags);
    tear_down(&f);
}

/* Of four games one ends after 2 moves, one flags after 2, two end after 4: 1/4 end at 2, none at 3, all at 4. */
Test(monte_carlo, a_game_that_flagged_still_tells_that_it_had_lasted_so_long)
{
    struct mc_data data = { 0 };
    struct tm_error error;
    learn(&data, 2, 1, END_CHECKMATE);
    learn(&data, 2, 1, END_FLAG);
    learn(&data, 4, 1, END_REPETITION);
    learn(&data, 4, 1, END_CHECKMATE);
    cr_assert(mc_data_finish(&data, &error));
    static const double expected[] = { 0, 0, 0.25, 0, 1, 1 };
    for (int move = 0; move < 6; move++)
        cr_expect_float_eq(mc_data_hazard(&data, move), expected[move], 1e-12, "move %d", move);
    mc_data_clear(&data);
}

Test(monte_carlo, a_spend_is_resampled_in_proportion_to_its_budget)
{
    struct mc_data data = { 0 };
    struct tm_error error;
    learn(&data, 60, 0.5, END_CHECKMATE);
    cr_assert(mc_data_finish(&data, &error));
    cr_expect(eq(i64, mc_data_spend(&data, 0, 10 * MS, 0.3), 5 * MS));
    cr_expect(eq(i64, mc_data_spend(&data, 70, 400 * MS, 0.9), 200 * MS), "a budget that no move had takes the nearest ones");
    mc_data_clear(&data);
}

/* What a policy remembers matters only if budgets out of order differ from those of a game. */
Test(monte_carlo, a_policy_whose_memory_reaches_its_budget_is_asked_at_every_move)
{
    static const struct { const char *text; bool tabulated; } cases[] = {
        { TEN, true },
        { HEAD "budget = function(c, p, g) g.first = g.first or c.base; return g.first / 100, g.first / 100 end }", true },
        { HEAD "budget = function(c, p, g) g.n = (g.n or 0) + 1; return 0.01 / g.n, 0.01 / g.n end }", false },
        { HEAD "budget = function(c, p, g) return 0.01, 0.01 * (0.5 + c.rand) end }", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = set_up(cases[i].text, "5ms");
        struct tm_error error;
        learn(&f.data, 40, 1, END_CHECKMATE);
        cr_assert(mc_data_finish(&f.data, &error));
        cr_expect(run(&f, 2, 100, 1).tabulated == cases[i].tabulated, "row %zu", i);
        tear_down(&f);
    }
}

/* Knees of a broken line, and stairs of a millisecond seen through a quantum, are met exactly enough. */
Test(monte_carlo, a_table_follows_knees_and_says_how_far_it_is_off)
{
    static const char knees[] = HEAD "budget = function(c, p, g) local h = max(0.001, min(c.time / 4 - 0.05, 0.05 + c.time / 20)) "
                                     "return h, h end }";
    struct fixture f = set_up(knees, "1ms");
    struct tm_error error;
    learn(&f.data, 40, 0.2, END_CHECKMATE);
    cr_assert(mc_data_finish(&f.data, &error));
    const struct mc_result curve = run(&f, 1, 2000, 1);
    cr_expect(curve.tabulated && curve.table_points > 48 && curve.table_points < 400, "%d points", curve.table_points);
    cr_expect(curve.table_error <= 100000, "%lld ns", (long long)curve.table_error); /* a thousandth of 100 ms */
    f.rules.quantum = MS;
    const struct mc_result exact = run(&f, 1, 2000, 1);
    cr_expect(exact.tabulated && exact.table_points == 0 && exact.table_error == 0);
    cr_expect(llabs((long long)(exact.lowest - curve.lowest)) < 2 * MS, "%lld and %lld", (long long)exact.lowest, (long long)curve.lowest);
    tear_down(&f);
}
