/* Tests that stop: the same pair whatever order games end in, and only distinct, complete pairs count. */
#include <criterion/criterion.h>
#include <gsl/gsl_errno.h>
#include <string.h>

#include "tmsim/adjudicate.h"
#include "tmsim/sequential.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(sequential, .init = no_handler);

static struct sequential *test_of(const char *text, int pairs)
{
    struct sprt sprt;
    struct tm_error error = { 0 };
    cr_assert(sequential_parse(text, &sprt, &error), "%s", error.message);
    struct sequential *test = sequential_new(&sprt, pairs);
    cr_assert_not_null(test);
    return test;
}

static void add(struct sequential *test, int pair, int leg, int points, uint64_t digest)
{
    struct tm_error error = { 0 };
    cr_assert(sequential_add(test, pair, leg, points, digest, &error), "%s", error.message);
}

Test(sequential, the_option_is_read_with_its_defaults)
{
    struct sprt sprt;
    struct tm_error error;
    cr_assert(sequential_parse("elo0=-3,elo1=2.5,alpha=0.1,model=logistic", &sprt, &error));
    cr_expect_eq(sprt.elo0, -3);
    cr_expect_eq(sprt.elo1, 2.5);
    cr_expect_eq(sprt.alpha, 0.1);
    cr_expect_eq(sprt.beta, 0.05);
    cr_expect_eq(sprt.model, SPRT_LOGISTIC);
    static const char *const bad[] = { "", "elo0=0", "elo1=5", "elo0=0,elo1=5,gamma=1", "elo0=5,elo1=0", "elo0=x,elo1=1",
                                       "elo0=0,elo1=5,model=bayesian", "elo0=0,elo1=5,model=", "elo0=0,elo1=5,alpha=0.5,beta=0.5",
                                       "elo0=0,elo1=300", "elo0=0,elo1=5,overshoot=yes" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.message[0] = '\0';
        cr_expect(!sequential_parse(bad[i], &sprt, &error), "%s was accepted", bad[i]);
        cr_expect(error.message[0] && error.code == TM_INPUT, "%s", bad[i]);
    }
}

/* All pairs won but for a draw: the ratio rises with each pair. */
static int points_of(int pair, int leg) { return pair % 3 == 0 && leg ? 1 : 2; }

Test(sequential, it_stops_at_the_same_pair_in_any_order)
{
    struct sequential *forward = test_of("elo0=0,elo1=50", 100), *backward = test_of("elo0=0,elo1=50", 100);
    for (int pair = 0; pair < 100; pair++)
        for (int leg = 0; leg < 2; leg++)
            add(forward, pair, leg, points_of(pair, leg), (uint64_t)(2 * pair + leg));
    for (int pair = 99; pair >= 0; pair--)
        for (int leg = 1; leg >= 0; leg--) {
            cr_expect_eq(sequential_state(backward).pairs, 0, "pair 0 is missing");
            add(backward, pair, leg, points_of(pair, leg), (uint64_t)(2 * pair + leg));
        }
    const struct sequential_state a = sequential_state(forward), b = sequential_state(backward);
    cr_expect_eq(a.verdict, SPRT_H1);
    cr_expect_lt(a.pairs, 100);
    cr_expect_eq(memcmp(a.count, b.count, sizeof a.count), 0);
    cr_expect_eq(a.pairs, b.pairs);
    cr_expect_eq(a.count[3] + a.count[4], a.pairs);
    cr_expect_eq(a.count[3], (a.pairs + 2) / 3, "every third pair from the first has a draw");
    sequential_free(forward);
    sequential_free(backward);
}

/* Every step is a jump, so a bound that is moved inwards by the mean jump beyond it is reached by a smaller ratio. */
Test(sequential, bounds_that_know_the_overshoot_are_reached_no_later)
{
    struct sequential *plain = test_of("elo0=0,elo1=50,model=logistic", 100),
                      *dynamic = test_of("elo0=0,elo1=50,model=logistic,overshoot=dynamic", 100);
    for (int pair = 0; pair < 100; pair++)
        for (int leg = 0; leg < 2; leg++) {
            add(plain, pair, leg, points_of(pair, leg), (uint64_t)(2 * pair + leg));
            add(dynamic, pair, leg, points_of(pair, leg), (uint64_t)(2 * pair + leg));
        }
    const struct sequential_state a = sequential_state(plain), b = sequential_state(dynamic);
    cr_expect(a.shift[0] + a.shift[1] <= 0, "bounds were moved unasked");
    cr_expect(b.shift[1] > 0.01 && b.shift[0] <= 0, "%g %g", b.shift[0], b.shift[1]);
    cr_expect_eq(a.verdict, SPRT_H1);
    cr_expect_eq(b.verdict, SPRT_H1);
    cr_expect(b.pairs <= a.pairs && b.llr > 2.944438979 - b.shift[1]);
    sequential_free(plain);
    sequential_free(dynamic);
}

Test(sequential, repeated_and_void_pairs_are_read_but_not_counted)
{
    struct sequential *test = test_of("elo0=0,elo1=10", 10);
    add(test, 0, 0, 2, 11);
    add(test, 0, 1, 0, 12);
    add(test, 1, 0, 2, 11); /* the same two games again */
    add(test, 1, 1, 0, 12);
    add(test, 2, 0, -1, 13); /* a policy fault */
    add(test, 2, 1, 2, 14);
    add(test, 3, 0, 2, 12); /* the games exchanged are another pair */
    add(test, 3, 1, 0, 11);
    add(test, 4, 0, 2, 15); /* one leg only */
    const struct sequential_state state = sequential_state(test);
    cr_expect_eq(state.pairs, 2);
    cr_expect_eq(state.count[2], 2);
    cr_expect_eq(state.repeated_pairs, 1);
    cr_expect_eq(state.void_pairs, 1);
    cr_expect_eq(state.read, 4);
    cr_expect_eq(state.verdict, SPRT_CONTINUE);
    sequential_free(test);
}

Test(sequential, adjudication_counts_scores_in_a_row)
{
    struct adjudication rules = { 0 };
    struct tm_error error = { 0 };
    char text[ADJUDICATION_TEXT];
    cr_expect_str_eq(adjudication_print(text, &rules), "none");
    cr_assert(adjudication_parse_draw("movenumber=5,movecount=2,score=10", &rules, &error), "%s", error.message);
    cr_assert(adjudication_parse_resign("movecount=3,score=400,twosided=true", &rules, &error), "%s", error.message);
    cr_expect_str_eq(adjudication_print(text, &rules), "draw:5,2,10;resign:3,400,twosided");
    cr_expect(!adjudication_parse_draw("score=10", &rules, &error));
    cr_expect(!adjudication_parse_draw("movecount=2,score=-1", &rules, &error));
    cr_expect(!adjudication_parse_resign("movecount=2", &rules, &error));
    cr_expect(!adjudication_parse_resign("movecount=2,score=400,twosided=perhaps", &rules, &error));

    rules = (struct adjudication){ .draw_move = 5, .draw_count = 2, .draw_score = 10 };
    struct adjudicator state = { 0 };
    static const struct { int score, full_move; enum adjudication_call call; } quiet[] = {
        { 5, 3, ADJUDICATE_PLAY_ON }, { -5, 3, ADJUDICATE_PLAY_ON }, { 10, 4, ADJUDICATE_PLAY_ON }, { -10, 4, ADJUDICATE_PLAY_ON },
        { 11, 5, ADJUDICATE_PLAY_ON }, { 0, 5, ADJUDICATE_PLAY_ON }, { 0, 6, ADJUDICATE_PLAY_ON }, { 0, 6, ADJUDICATE_PLAY_ON },
        { 0, 7, ADJUDICATE_DRAW },
    };
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        cr_expect_eq(adjudicate(&rules, &state, (int)i % 2, true, quiet[i].score, quiet[i].full_move), quiet[i].call, "row %zu", i);

    rules = (struct adjudication){ .resign_count = 2, .resign_score = 400, .resign_twosided = true };
    state = (struct adjudicator){ 0 };
    cr_expect_eq(adjudicate(&rules, &state, 0, true, -400, 1), ADJUDICATE_PLAY_ON);
    cr_expect_eq(adjudicate(&rules, &state, 1, true, 399, 1), ADJUDICATE_PLAY_ON);
    cr_expect_eq(adjudicate(&rules, &state, 0, true, -900, 2), ADJUDICATE_PLAY_ON, "the opponent does not agree yet");
    cr_expect_eq(adjudicate(&rules, &state, 1, true, 400, 2), ADJUDICATE_PLAY_ON);
    cr_expect_eq(adjudicate(&rules, &state, 0, true, -900, 3), ADJUDICATE_PLAY_ON);
    cr_expect_eq(adjudicate(&rules, &state, 1, true, 401, 3), ADJUDICATE_PLAY_ON, "the winner never resigns");
    cr_expect_eq(adjudicate(&rules, &state, 0, true, -900, 4), ADJUDICATE_RESIGN);
    cr_expect_eq(adjudicate(&rules, &state, 0, false, 0, 5), ADJUDICATE_PLAY_ON, "a move without a score breaks the row");
}
