/* What `vmatch --plan` says, against arithmetic and against the match itself. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/player.h"
#include "tmsim/vmatch_estimate.h"

#define POLICIES ZEITNOT_DATA_SOURCE "/policies"

enum { PLAYERS = 3, ROUNDS = 3 };

struct setting {
    struct policy *policy[PLAYERS];
    struct profile *profile;
    struct book *book;
    struct vmatch_plan plan;
};

/* Three policies at controls so short that a game takes some milliseconds. */
static void set_up(struct setting *s, int controls, int baseline)
{
    static const char *const names[PLAYERS] = { "pool", "smooth", "simple" };
    const struct book_format epd = { .pgn = false };
    struct tm_error error = { 0 };
    *s = (struct setting){ .plan = { .policy_count = PLAYERS, .baseline = baseline, .tc_count = controls, .rounds = ROUNDS,
                                     .concurrency = 1, .order = BOOK_RANDOM } };
    for (int i = 0; i < PLAYERS; i++) {
        cr_assert(player_load(names[i], POLICIES, &s->policy[i], &error), "%s", error.message);
        s->plan.policy[i] = s->policy[i];
    }
    cr_assert(profile_load("sunfish-pypy3", ZEITNOT_DATA_SOURCE "/profiles", &s->profile, &error), "%s", error.message);
    cr_assert(book_load(ZEITNOT_DATA_SOURCE "/books/zeitnot-240.epd", &epd, &s->book, &error), "%s", error.message);
    s->plan.book = s->book;
    for (int i = 0; i < controls; i++) {
        s->plan.rules[i] = (struct game_rules){ .first_inc = true, .overhead = TM_NS_PER_MS, .profile = s->profile, .nps_scale = 1,
                                                .seed = 1, .max_plies = 60 };
        cr_assert(tc_parse(i ? "2+0.02" : "1+0.01", &s->plan.rules[i].tc, &error));
    }
}

static void tear_down(struct setting *s)
{
    for (int i = 0; i < PLAYERS; i++)
        policy_free(s->policy[i]);
    profile_free(s->profile);
    book_free(s->book);
}

Test(vmatch_estimate, games_and_pairings_are_those_of_the_schedule)
{
    static const struct { int controls, baseline; int64_t pairings; } table[] = { { 1, -1, 3 }, { 1, 0, 2 }, { 2, -1, 6 }, { 2, 2, 4 } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct setting s;
        struct vmatch_estimate estimate;
        struct tm_error error = { 0 };
        atomic_bool interrupted = false;
        set_up(&s, table[i].controls, table[i].baseline);
        cr_assert(vmatch_estimate(&s.plan, 0, &interrupted, &estimate, &error), "%s", error.message);
        cr_expect_eq(estimate.pairings, table[i].pairings, "row %zu", i);
        cr_expect_eq(estimate.games, table[i].pairings * ROUNDS * 2, "row %zu", i);
        cr_expect_eq(estimate.openings_needed, ROUNDS);
        cr_expect_eq(estimate.openings, 240);
        cr_expect_eq(estimate.measured, 1, "row %zu: no time, and yet %d games", i, estimate.measured);
        cr_expect(estimate.cpu_s > 0 && estimate.moves > 0);
        tear_down(&s);
    }
}

/* Given the time for it, all games are measured, and nothing is left to extrapolate. */
Test(vmatch_estimate, a_measurement_of_all_games_is_the_match)
{
    struct setting s;
    struct vmatch_estimate estimate;
    struct tm_error error = { 0 };
    atomic_bool interrupted = false;
    set_up(&s, 1, -1);
    cr_assert(vmatch_estimate(&s.plan, 600, &interrupted, &estimate, &error), "%s", error.message);
    cr_expect_eq(estimate.measured, 18);
    cr_expect_float_eq(estimate.wall_s, estimate.seconds, 1e-9);
    double moves = 0;
    struct engine *engines[2] = { engine_new((size_t)1 << 20, &error), engine_new((size_t)1 << 20, &error) };
    for (int a = 0; a < PLAYERS; a++)
        for (int b = 0; b < PLAYERS; b++)
            for (int pair = 0; a != b && pair < ROUNDS; pair++) {
                struct game_record record;
                const struct policy *const players[2] = { s.plan.policy[a], s.plan.policy[b] };
                cr_assert(game_play(&s.plan.rules[0], engines, players, book_opening(s.book, BOOK_RANDOM, 1, pair), pair, &record, &error));
                moves += record.move_count;
                game_record_clear(&record);
            }
    cr_expect(fabs(estimate.moves - moves) < 0.05 * moves, "%g moves, played %g", estimate.moves, moves);
    cr_expect_float_eq(estimate.bytes, estimate.moves * 120 + 18 * 100 + 1e5, 1e-6);
    /* Three pairs of each pairing are too few for a variance: the typical 0.05 stands in. */
    cr_expect(!estimate.variance_measured);
    const double score = 0.5 + (1.959963985 + 0.841621234) * sqrt(0.05 / ROUNDS);
    cr_expect_float_eq(estimate.elo, 400 * log10(score / (1 - score)), 1e-4);
    engine_free(engines[0]);
    engine_free(engines[1]);
    tear_down(&s);
}

Test(vmatch_estimate, the_table_says_that_nothing_was_stored)
{
    const struct vmatch_estimate estimate = { .games = 240, .pairings = 6, .openings_needed = 20, .openings = 240, .measured = 50,
                                              .seconds = 10, .cpu_s = 7200, .wall_s = 3600, .moves = 24000, .bytes = 4.6e6,
                                              .pair_variance = 0.0625, .variance_measured = true, .elo = 123.4 };
    static const char *const parts[] = { "240", "2.000", "1.000", "123.4", "4.6", "Nothing was stored. Measured: 50 games in 10.0 s",
                                         "0.0625 (measured)" };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert(vmatch_estimate_print(&estimate, TABLE_TEXT, stream));
    fclose(stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(text, parts[i]), "no '%s' in:\n%s", parts[i], text);
    free(text);
}
