/* The second progress line: points, flags and intervals from the named player's side. */
#include <criterion/criterion.h>
#include <string.h>

#include "tmsim/player.h"
#include "tmsim/standings.h"

static struct policy *policy_of(const char *name)
{
    struct policy *policy;
    struct tm_error error = { 0 };
    cr_assert(player_load(name, ZEITNOT_DATA_SOURCE "/policies", &policy, &error), "%s", error.message);
    return policy;
}

Test(standings, pairs_are_counted_from_the_side_that_is_named_first)
{
    struct policy *pool = policy_of("pool"), *smooth = policy_of("smooth");
    struct standings *standings = standings_new(pool); /* player 0 is the baseline: it is named second */
    char text[200];
    struct match_job job = { .player = { pool, smooth }, .pairing_id = 7, .run = 0 };
    /* Half points of smooth: 1 + 2, 2 + 2, 1 + 0, and one game more; it flags in the game of 0. */
    static const int points[7] = { 1, 2, 2, 2, 1, 0, 2 };
    for (int i = 0; i < 7; i++) {
        job.leg = i % 2;
        job.pair = i / 2;
        const int white = job.leg; /* pool has White in leg 0 */
        const struct game_record record = {
            .white = white, .white_points = white == 1 ? points[i] : 2 - points[i],
            .end = points[i] == 0 ? END_FLAG : END_CHECKMATE, .loser_side = points[i] == 0 ? (white == 1 ? WHITE : BLACK) : -1,
        };
        standings_add(standings, &job, &record);
    }
    job.pairing_id = 8;
    job.run = 1;
    standings_add(standings, &job, &(struct game_record){ .white_points = -1, .end = END_POLICY_FAULT, .loser_side = WHITE });
    /* Scores 3/4, 1, 1/4: mean 2/3, 120 Elo; half the interval is beyond 1, so only the middle is told. */
    cr_expect_str_eq(standings_print(standings, 0, text, sizeof text), "smooth\u2013pool +120, 1 flag (7)");
    cr_expect_str_eq(standings_print(standings, 1, text, sizeof text), "smooth\u2013pool \u2013 (1)");
    cr_expect_str_eq(standings_print(standings, 2, text, sizeof text), "");
    cr_expect_str_eq(standings_print(standings, 0, text, 10), "", "cut in the middle of a pairing");
    standings_free(standings);
    policy_free(pool);
    policy_free(smooth);
}
