#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "tests/store_fixture.h"
#include "tmsim/break_even.h"
#include "tmsim/hammer.h"
#include "tmsim/hammer_sweep.h"

#define MS TM_NS_PER_MS

static void init(void) { gsl_set_error_handler_off(); }

TestSuite(hammer, .init = init);

static struct game_rules rules_of(const char *tc, tm_ns overhead)
{
    struct game_rules rules = { .first_inc = true, .overhead = overhead, .nps_scale = 1, .seed = 1 };
    struct tm_error error;
    cr_assert(tc_parse(tc, &rules.tc, &error));
    return rules;
}

/* What a player who spends nothing can bear, counted by hand. */
Test(hammer, overhead_alone_exhausts_the_clock_at_the_move_that_arithmetic_says)
{
    static const struct { const char *tc; tm_ns overhead; int move; } cases[] = {
        { "1+0", 50 * MS, 21 },      /* 20 moves leave exactly 0, which survives */
        { "1+0", 51 * MS, 20 },
        { "1+0.01", 10 * MS, 0 },    /* the increment pays for it */
        { "1+0.01", 11 * MS, 1001 }, /* 1.010 s loses 1 ms a move: 11 ms before the 1000th, 10 ms before the next */
        { "10/1+0", 100 * MS, 0 },   /* every period of ten moves is just enough */
        { "10/1+0", 101 * MS, 10 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct game_rules rules = rules_of(cases[i].tc, cases[i].overhead);
        const int move = hammer_hopeless_move(&rules, 9, 2000);
        cr_expect(eq(int, move, cases[i].move), "%s with %lld ns", cases[i].tc, (long long)cases[i].overhead);
    }
    struct game_rules forgiven = rules_of("1+0", 51 * MS);
    forgiven.margin = 20 * MS; /* the 20th move is 20 ms over and forgiven, the 21st is 51 ms over */
    cr_expect(eq(int, hammer_hopeless_move(&forgiven, 3, 100), 21));
}

/* A model's draws are those of the games: half of the cells by the median over pairs. */
Test(hammer, a_random_overhead_is_hopeless_when_it_is_in_half_of_the_games)
{
    struct tm_error error;
    struct game_rules rules = rules_of("1+0", 0);
    struct overhead *model;
    cr_assert(overhead_parse("o", "uniform(40ms,60ms)", &model, &error));
    rules.model = model;
    const int move = hammer_hopeless_move(&rules, 301, 200);
    cr_expect(move == 20 || move == 21, "%d: 20 draws of 50 ms on average are a second", move);
    overhead_free(model);
}

/* soft = 10 ms whatever the clock: over 60 moves of 1+0 (1 s) there are 1000 / 60 - 10 = 6.67 ms to spare. */
Test(hammer, break_even_is_what_arithmetic_by_hand_says)
{
    static const char text[] = "return policy { name = 'ten', title = 't', source = 's', unit = 's', params = {}, "
                               "budget = function(c, p, g) return 0.01, 0.01 end }";
    struct policy *policy;
    struct tm_error error = { 0 };
    struct tc tc;
    tm_ns beyond;
    cr_assert(policy_load_text("ten.lua", text, sizeof text - 1, &policy, &error), "%s", error.message);
    cr_assert(tc_parse("1+0", &tc, &error));
    struct cell_setup setup = cell_defaults(policy, &tc, 50 * MS);
    setup.moves = 60;
    setup.model.kind = SPEND_HARD;
    cr_expect(eq(i64, break_even_find(&setup, &beyond), 6600000), "6.66 ms in steps of 0.1");
    cr_expect(beyond > 6666666 && beyond < 6800000);
    setup.overhead = 0;
    cr_expect(eq(i64, break_even_find(&setup, &beyond), 6600000), "from below as from above");
    setup.moves = 101;
    cr_expect(eq(i64, break_even_find(&setup, &beyond), -1), "101 moves of 10 ms exceed a second");
    policy_free(policy);
}

/* ---- verdicts of games that were made up ---- */

struct made_up {
    struct fixture_path path;
    struct store *store;
    struct policy *policy;
    struct vmatch_plan match;
    struct hammer_plan plan;
    struct hammer_verdict verdict;
};

static struct made_up make_up(int games)
{
    static const char text[] = "return policy { name = 'a', title = 't', source = 's', unit = 's', params = {}, "
                               "budget = function(c, p, g) return 1, 1 end }";
    struct made_up m = { .path = fixture_path("h.db") };
    struct tm_error error = { 0 };
    int64_t policy;
    cr_assert(policy_load_text("a.lua", text, sizeof text - 1, &m.policy, &error));
    m.store = fixture_open(m.path.file);
    cr_assert(store_policy(m.store, m.policy, &policy, &error));
    m.plan = (struct hammer_plan){ .games = games, .moves = 60 };
    m.verdict = (struct hammer_verdict){ .policy = m.policy, .pairing = fixture_pairing(m.store, "1+0", policy, policy) };
    return m;
}

static void read_made_up(struct made_up *m)
{
    struct tm_error error = { 0 };
    m->plan.match = &m->match;
    cr_assert(hammer_read(m->store, &m->plan, &m->verdict, &error), "%s", error.message);
}

static void clear_made_up(struct made_up *m)
{
    store_close(m->store, NULL);
    fixture_remove(&m->path);
    policy_free(m->policy);
}

static void set_clock(struct move_record *move, tm_ns before, tm_ns spend, tm_ns overhead)
{
    move->clock_before = before;
    move->spend = spend;
    move->overhead = overhead;
}

/* Game 0: White is left 30 ms at move 2, Black 100 ms. Game 1: Black overruns by 7 ms at move 2 on a hard stop. */
Test(hammer, a_verdict_counts_flags_by_colour_and_reason_and_the_lowest_clocks)
{
    struct made_up m = make_up(2);
    for (int pair = 0; pair < 2; pair++) {
        struct game_record game = fixture_game(pair, 0, 1, 4);
        game.white = 0;
        set_clock(&game.move[0], 1000 * MS, 500 * MS, 10 * MS);
        set_clock(&game.move[1], 1000 * MS, 500 * MS, 10 * MS);
        set_clock(&game.move[2], 490 * MS, 450 * MS, 10 * MS);
        set_clock(&game.move[3], 490 * MS, (pair ? 487 : 380) * MS, 10 * MS);
        for (int ply = 0; ply < 4; ply++)
            strcpy(game.move[ply].move, ((const char *[]){ "e2e4", "e7e5", "g1f3", "b8c6" })[ply]);
        if (pair) {
            game.end = END_FLAG;
            game.loser_side = 1;
            game.white_points = 2;
            game.move[3].flagged = true;
            game.move[3].reason = TM_HARD;
        }
        fixture_store(m.store, m.verdict.pairing, game, FIXTURE_WHITE);
    }
    read_made_up(&m);
    const struct hammer_verdict *v = &m.verdict;
    cr_expect(v->games == 2 && v->distinct == 2 && v->flags == 1 && v->flags_white == 0 && v->clocks == 4);
    cr_expect(v->flag_first == 2 && v->flag_last == 2 && v->flag_reason[TM_HARD] == 1);
    cr_expect(eq(i64, v->lowest_worst, -7 * MS));
    cr_expect(eq(i64, v->overrun_worst, 7 * MS));
    cr_expect(eq(i64, v->overrun_nodes, 210), "7 ms at the fixture's 30000 nodes/s");
    cr_expect(v->worst_pair == 1 && v->worst_ply == 3 && v->worst_move == 2);
    cr_expect(eq(i64, v->lowest_median, 30 * MS), "of -7, 30, 30 and 100 ms the upper middle one");
    cr_expect(v->bottom_phase[0] == 4, "all pieces are on the board");
    cr_expect_float_eq(v->flag_share.lower, 0.012579117, 1e-8); /* 1 of 2: 1 - sqrt(0.975) */
    cr_expect_float_eq(v->flag_share.upper, 0.987420883, 1e-8);
    clear_made_up(&m);
}

/* The same game four times is one game: 0 of 1 is bounded by 0.975, 0 of 4 would be by 0.602. */
Test(hammer, games_that_repeat_count_once_and_forgiven_overruns_are_counted)
{
    struct made_up m = make_up(4);
    for (int pair = 0; pair < 4; pair++) {
        struct game_record game = fixture_game(pair, 0, 1, 2);
        game.white = 0;
        strcpy(game.move[1].move, "e7e5");
        set_clock(&game.move[1], 1000 * MS, 1000 * MS, 10 * MS); /* over by 10 ms, and no flag */
        fixture_store(m.store, m.verdict.pairing, game, FIXTURE_WHITE);
    }
    read_made_up(&m);
    cr_expect(m.verdict.games == 4 && m.verdict.distinct == 1 && m.verdict.flags == 0);
    cr_expect(eq(int, m.verdict.forgiven, 4));
    cr_expect_float_eq(m.verdict.flag_share.upper, 0.975, 1e-12);
    cr_expect(m.verdict.natural == 4 && m.verdict.natural_median == 1);
    clear_made_up(&m);
}

Test(hammer, a_sweep_is_two_durations_in_order)
{
    struct sweep sweep;
    struct tm_error error;
    cr_assert(sweep_parse("0ms..0.3s", &sweep, &error));
    cr_expect(sweep.low == 0 && sweep.high == 300 * MS);
    static const char *const wrong[] = { "0..300ms", "300ms", "300ms..0ms", "5ms..5ms", "..", "" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(sweep_parse(wrong[i], &sweep, &error), "%s", wrong[i]);
}
