/* Noise of the node rate: its text, its distribution, and what it is the same for. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tmsim/rate_noise.h"

static struct profile *shipped(const char *name)
{
    struct profile *profile;
    struct tm_error error;
    cr_assert(profile_load(name, TEST_DATA "/../data/profiles", &profile, &error), "%s", error.message);
    return profile;
}

Test(rate_noise, is_read_from_a_profile_that_splits_its_residual_or_given)
{
    struct rate_noise noise;
    struct tm_error error;
    char text[RATE_NOISE_TEXT];
    double game, move;
    struct profile *split = shipped("stockfish-15.1"), *whole = shipped("sunfish-pypy3");
    cr_assert(profile_residual(split, &game, &move));
    cr_assert(rate_noise_parse("--rate-noise", "residual", split, &noise, &error), "%s", error.message);
    cr_expect(noise.game == game && noise.move == move);
    cr_expect_not(rate_noise_parse("--rate-noise", "residual", whole, &noise, &error));
    cr_expect(strstr(error.message, "does not say how its residual splits"), "%s", error.message);
    cr_assert(rate_noise_parse("--rate-noise", "game=0.05,move=0.1", whole, &noise, &error));
    cr_expect_str_eq(rate_noise_print(text, &noise), "game=0.05,move=0.1");
    cr_expect_str_eq(rate_noise_print(text, &(struct rate_noise){ 0, 0 }), "");
    static const char *const bad[] = { "", "game=0.1", "game=,move=0.1", "game=0.1;move=0.1", "game=-1,move=0", "game=2,move=0",
                                       "game=nan,move=0", "game=0.1,move=0.1x", "residuals" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(rate_noise_parse("--rate-noise", bad[i], whole, &noise, &error), "%s", bad[i]);
    profile_free(split);
    profile_free(whole);
}

/* Over many games and moves: mean 1, the stated deviations, and the part of the game alike in all its moves. */
Test(rate_noise, has_mean_one_and_the_deviations_that_were_asked_for)
{
    enum { GAMES = 4000, MOVES = 50 };
    const struct rate_noise noise = { .game = 0.1, .move = 0.2 };
    double sum = 0, squares = 0, between = 0;
    for (int pair = 0; pair < GAMES; pair++) {
        double own = 0;
        for (int move = 0; move < MOVES; move++) {
            const double factor = rate_noise_factor(&noise, 7, pair, move);
            cr_assert(factor > 0);
            own += factor / MOVES;
            squares += factor * factor;
        }
        sum += own;
        between += own * own;
    }
    const double mean = sum / GAMES, all = squares / (GAMES * MOVES) - mean * mean, games = between / GAMES - mean * mean;
    cr_expect(fabs(mean - 1) < 4 * sqrt((0.01 + 0.04 / MOVES) / GAMES), "%g", mean);
    /* (1 + 0.1^2)(1 + 0.2^2) - 1 in all, and 0.1^2 + 0.2^2 (1 + 0.1^2) / 50 between the means of games */
    cr_expect(fabs(all - 0.0504) < 0.003, "%g", all);
    cr_expect(fabs(games - 0.010808) < 0.001, "%g", games);
}

Test(rate_noise, is_a_function_of_seed_pair_and_move_and_none_without_deviations)
{
    const struct rate_noise noise = { .game = 0.1, .move = 0.2 }, none = { 0, 0 }, by_game = { .game = 0.1 };
    const double factor = rate_noise_factor(&noise, 7, 3, 11);
    cr_expect(factor == rate_noise_factor(&noise, 7, 3, 11));
    cr_expect(factor != rate_noise_factor(&noise, 7, 3, 12) && factor != rate_noise_factor(&noise, 8, 3, 11));
    cr_expect(rate_noise_factor(&by_game, 7, 3, 11) == rate_noise_factor(&by_game, 7, 3, 12));
    cr_expect(rate_noise_factor(&by_game, 7, 3, 11) != rate_noise_factor(&by_game, 7, 4, 11));
    cr_expect(rate_noise_factor(&none, 7, 3, 11) == 1);
}
