/* Every figure is checked against arithmetic on a store that is built here, game by game. */
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <time.h>

#include "tests/store_fixture.h"
#include "tmsim/commands.h"
#include "tmsim/rank.h"
#include "tmsim/store_internal.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(rank, .init = no_handler);

/* Player 0 of the pairing gets `points` half points. The legs differ in their second move unless `mirrored`. */
static struct game_record game_of(int pair, int leg, int points, int plies, bool mirrored)
{
    struct game_record game = fixture_game(pair, leg, leg ? 2 - points : points, plies);
    if (leg && !mirrored && plies > 1)
        strcpy(game.move[1].move, "d7d5");
    return game;
}

static void play_pair(struct store *store, int64_t pairing, int pair, int points0, int points1)
{
    fixture_store(store, pairing, game_of(pair, 0, points0, 6, false), FIXTURE_WHITE);
    fixture_store(store, pairing, game_of(pair, 1, points1, 6, false), FIXTURE_WHITE);
}

static json_t *rank_json(struct store *store, struct rank_options options)
{
    char *text = NULL;
    size_t size = 0;
    struct tm_error error = { 0 };
    FILE *stream = open_memstream(&text, &size);
    options.format = TABLE_JSON;
    cr_assert(rank_print(store, &options, stream, NULL, &error), "%s", error.message);
    fclose(stream);
    json_t *json = json_loads(text, 0, NULL);
    cr_assert_not_null(json, "%s", text);
    free(text);
    return json;
}

/* The caller frees it. */
static char *rank_text(struct store *store, struct rank_options options)
{
    char *text = NULL;
    size_t size = 0;
    struct tm_error error = { 0 };
    FILE *stream = open_memstream(&text, &size);
    cr_assert(rank_print(store, &options, stream, NULL, &error), "%s", error.message);
    fclose(stream);
    return text;
}

static json_t *row_of(const json_t *json, const char *policy)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(json, "rows"), i, row)
        if (strcmp(json_string_value(json_object_get(row, "policy")), policy) == 0)
            return row;
    cr_assert(false, "no row for %s", policy);
    return NULL;
}

static void expect_number(const json_t *row, const char *key, double expected)
{
    const json_t *value = json_object_get(row, key);
    cr_expect(json_is_number(value) && fabs(json_number_value(value) - expected) < 1e-6 * (1 + fabs(expected)),
              "%s of %s is %g, expected %.9g", key, json_string_value(json_object_get(row, "policy")), json_number_value(value),
              expected);
}

static void expect_null(const json_t *row, const char *key, const char *reason)
{
    char name[64];
    snprintf(name, sizeof name, "%s_reason", key);
    const char *found = json_string_value(json_object_get(row, name));
    cr_expect(json_is_null(json_object_get(row, key)), "%s is defined", key);
    cr_expect(found && strstr(found, reason), "%s: %s, expected %s", key, found, reason);
}

static int64_t first_run(struct store *store)
{
    struct tm_error error = { 0 };
    struct run_identity run = fixture_run("60+0");
    char key[33];
    int64_t id = 0;
    cr_assert(store_run(store, &run, &id, key, &error), "%s", error.message);
    return id;
}

/* pool against smooth: pairs of 4, 3, 2 and 1 half points; oldtm loses all of two pairs on time. */
static struct store *example(const struct fixture_path *path)
{
    struct tm_error error = { 0 };
    struct store *store = fixture_open(path->file);
    int64_t smooth = fixture_policy(store, "smooth", "01"), pool = fixture_policy(store, "pool", "02");
    int64_t oldtm = fixture_policy(store, "oldtm", "03");
    int64_t one = fixture_pairing(store, "60+0", pool, smooth), two = fixture_pairing(store, "60+0", oldtm, smooth);
    cr_assert(store_baseline(store, first_run(store), smooth, &error), "%s", error.message);
    play_pair(store, one, 0, 2, 2);
    play_pair(store, one, 1, 2, 1);
    play_pair(store, one, 2, 1, 1);
    play_pair(store, one, 3, 0, 1);
    for (int pair = 0; pair < 2; pair++)
        for (int leg = 0; leg < 2; leg++) {
            /* oldtm has White in leg 0, and moves at even plies then. Its last move takes 61 s. */
            struct game_record game = game_of(pair, leg, 0, 5 + leg, false);
            struct move_record *last = &game.move[4 + leg];
            game.end = END_FLAG;
            last->spend = 61 * TM_NS_PER_S;
            last->clock_after = -1050 * TM_NS_PER_MS;
            last->flagged = last->blind = true;
            last->reason = TM_HARD;
            game.move[leg].fallback = game.move[leg].starved = true;
            game.clock_at_end[leg] = -1050 * TM_NS_PER_MS;
            fixture_store(store, two, game, FIXTURE_WHITE);
        }
    return store;
}

Test(rank, elo_against_the_baseline_from_pairs)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    const json_t *pool = row_of(json, "pool"), *oldtm = row_of(json, "oldtm"), *smooth = row_of(json, "smooth");
    cr_expect_str_eq(json_string_value(json_object_get(json, "schema")), "tmsim.rank/1");
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 3);
    /* Mean (1/4 + 1/2 + 3/4 + 1) / 4 = 5/8, variance 5/64, standard error sqrt(5/256). */
    double error = 1.959963984540054 * sqrt(5.0 / 256);
    expect_number(pool, "pairs", 4);
    expect_number(pool, "score", 0.625);
    expect_number(pool, "elo", 400 * log10(0.625 / 0.375));
    expect_number(pool, "elo_lo", 400 * log10((0.625 - error) / (0.375 + error)));
    expect_number(pool, "elo_hi", 400 * log10((0.625 + error) / (0.375 - error)));
    expect_number(pool, "nelo", 800 / log(10) * 0.125 / sqrt(2 * 5.0 / 64));
    expect_number(pool, "rank", 1);
    expect_null(oldtm, "elo", "minus infinity");
    expect_null(oldtm, "elo_lo", "no spread");
    expect_number(oldtm, "score", 0);
    expect_number(smooth, "elo", 0);
    expect_null(smooth, "elo_lo", "baseline");
    cr_expect(json_is_true(json_object_get(smooth, "is_baseline")));
    cr_expect_str_eq(json_string_value(json_object_get(pool, "against")), "smooth");
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, behaviour_is_counted_over_all_games)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    const json_t *oldtm = row_of(json, "oldtm"), *smooth = row_of(json, "smooth");
    /* oldtm: 4 games, as White 3 of 5 plies, as Black 3 of 6: 12 moves, of which 4 took 61 s. */
    expect_number(oldtm, "games", 4);
    expect_number(oldtm, "moves", 12);
    expect_number(oldtm, "flags", 4);
    expect_number(oldtm, "flag_share_lo", pow(0.025, 0.25));
    expect_number(oldtm, "flag_share_hi", 1);
    expect_number(oldtm, "blind_share", 4.0 / 12);
    expect_number(oldtm, "starved_share", 4.0 / 12);
    expect_number(oldtm, "fallbacks", 4);
    expect_number(oldtm, "spend_median_s", 1);
    expect_number(oldtm, "spend_max_s", 61);
    expect_number(oldtm, "clock_lowest_s", 60 - 61 - 0.05);
    expect_number(oldtm, "clock_end_median_s", -1.05);
    expect_number(oldtm, "soft_stop_share", 8.0 / 12);
    expect_number(oldtm, "hard_stop_share", 4.0 / 12);
    /* smooth: 8 games of 3 moves against pool, and 2, 3, 2, 3 moves against oldtm. Its clock at the end: as White
       10 s in leg 1 of each of 6 pairs, as Black 12 s. */
    expect_number(smooth, "games", 12);
    expect_number(smooth, "moves", 34);
    expect_number(smooth, "flags", 0);
    expect_number(smooth, "flag_share_hi", 1 - pow(0.025, 1.0 / 12));
    expect_number(smooth, "clock_end_median_s", 11);
    expect_number(smooth, "clock_lowest_s", 58.95);
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, people_get_a_table_and_an_honest_last_line)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    char *text = rank_text(store, (struct rank_options){ .store_name = "s.db" });
    static const char *const parts[] = {
        "RANKING on a virtual clock, 60+0, baseline smooth, 4 to 8 games each, 1 opening, seed 7\n",
        "profile flat (30 thousand nodes/s), overhead 50ms, store s.db, run ",
        "1 pool    +89  [\u2212107, +380]   5.0/8      0    0.0",
        "2 oldtm    \u2212\u221E  below +216",
        "  smooth    0  baseline",
        "0.0/4      4   33.3",
        "\u22121.05",
        "oldtm flags in 100 % of its games [40, 100].",
        "oldtm lost every game of its 2 pairs: Elo is 216 or less (one-sided 95 % bound).",
        "Not separated: pool, smooth, oldtm.",
        "more pairs would separate pool's +89 from 0",
        "What this is: an order on a virtual clock, not a verdict. ",
        "Next: one real-clock match of pool against smooth, and the hammer.\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect_not_null(strstr(text, parts[i]), "no '%s' in:\n%s", parts[i], text);
    cr_expect_null(strstr(text, "nan"));
    cr_expect_null(strstr(text, "inf,"));
    int lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
        if (lines < 7)
            cr_expect_leq(text_width(line), 100, "%s", line);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, more_pairs_until_separation)
{
    /* 5/8 with variance 5/64: z^2 * (5/64) / (1/64) = 19.2 pairs, 20; 4 are played. */
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "About 16 more pairs"), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, a_clearly_worse_policy_is_dominated)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    int64_t bad = fixture_policy(store, "bad", "04"), smooth = 1;
    int64_t pairing = fixture_pairing(store, "60+0", bad, smooth);
    for (int pair = 0; pair < 20; pair++)
        play_pair(store, pairing, pair, 0, pair % 2);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "bad is dominated by pool, smooth."), "%s", text);
    free(text);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_number(row_of(json, "bad"), "rank", 2);
    const json_t *row = row_of(json, "bad"); /* ten pairs of 0, ten of 1 half point: score 1/8 */
    expect_number(row, "elo", 400 * log10(1.0 / 7));
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, losing_every_game_is_dominated_too)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    int64_t pairing = fixture_pairing(store, "60+0", fixture_policy(store, "bad", "04"), 1);
    for (int pair = 0; pair < 20; pair++)
        play_pair(store, pairing, pair, 0, 0);
    char *text = rank_text(store, (struct rank_options){ 0 });
    /* 1 - 0.05^(1/20) = 0.1391: Elo 400 log10(0.1391 / 0.8609) = -317. */
    cr_expect_not_null(strstr(text, "below \u2212317"), "%s", text);
    cr_expect_not_null(strstr(text, "bad is dominated by pool, smooth."), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, mirrored_pairs_measure_nothing)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t smooth = fixture_policy(store, "smooth", "01"), same = fixture_policy(store, "same", "02");
    int64_t pairing = fixture_pairing(store, "60+0", same, smooth);
    cr_assert(store_baseline(store, first_run(store), smooth, &error));
    /* White wins both legs with the same moves: each player has one point of two. */
    for (int pair = 0; pair < 5; pair++) {
        fixture_store(store, pairing, game_of(pair, 0, 2, 6, true), FIXTURE_WHITE);
        fixture_store(store, pairing, game_of(pair, 1, 0, 6, true), FIXTURE_WHITE);
    }
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_null(row_of(json, "same"), "elo", "nothing was measured");
    expect_null(row_of(json, "same"), "elo_lo", "nothing was measured");
    expect_number(row_of(json, "same"), "mirrored_pairs", 5);
    json_decref(json);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "same: nothing was measured. In all its 5 pairs"), "%s", text);
    cr_expect_null(strstr(text, "real-clock match"), "nothing to recommend:\n%s", text);
    free(text);
    /* One pair that differs, and the rest counts as it is. */
    play_pair(store, pairing, 5, 2, 2);
    json = rank_json(store, (struct rank_options){ 0 });
    expect_number(row_of(json, "same"), "mirrored_pairs", 5);
    expect_number(row_of(json, "same"), "score", (5 * 0.5 + 1) / 6);
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, a_policy_against_itself_measures_nothing)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t smooth = fixture_policy(store, "smooth", "01");
    int64_t pairing = fixture_pairing(store, "60+0", smooth, smooth);
    play_pair(store, pairing, 0, 2, 0);
    play_pair(store, pairing, 1, 1, 1);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_null(row_of(json, "smooth"), "elo", "nothing was measured");
    expect_number(row_of(json, "smooth"), "games", 8);
    expect_number(row_of(json, "smooth"), "moves", 24);
    json_decref(json);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "smooth against itself (2 pairs): nothing was measured"), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, without_a_baseline_against_the_pool_of_the_others)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "01"), b = fixture_policy(store, "b", "02"), c = fixture_policy(store, "c", "03");
    play_pair(store, fixture_pairing(store, "60+0", a, b), 0, 2, 1);
    play_pair(store, fixture_pairing(store, "60+0", a, c), 0, 2, 2);
    play_pair(store, fixture_pairing(store, "60+0", b, c), 0, 1, 1);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_number(row_of(json, "a"), "score", 7.0 / 8);
    expect_number(row_of(json, "b"), "score", 3.0 / 8);
    expect_number(row_of(json, "c"), "score", 2.0 / 8);
    cr_expect_str_eq(json_string_value(json_object_get(row_of(json, "a"), "against")), "pool");
    expect_number(row_of(json, "c"), "rank", 3);
    json_decref(json);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "Elo against the pool of the others"), "%s", text);
    free(text);
    /* A baseline by option takes only the pairs against it. */
    json = rank_json(store, (struct rank_options){ .baseline = "c" });
    expect_number(row_of(json, "b"), "score", 0.5);
    expect_number(row_of(json, "b"), "pairs", 1);
    expect_null(row_of(json, "b"), "elo_lo", "one sample");
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, both_orders_of_a_pairing_hold_the_same_games)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "01"), b = fixture_policy(store, "b", "02");
    play_pair(store, fixture_pairing(store, "60+0", a, b), 0, 2, 1);
    play_pair(store, fixture_pairing(store, "60+0", b, a), 0, 1, 0);
    play_pair(store, fixture_pairing(store, "60+0", b, a), 1, 2, 2);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_number(row_of(json, "a"), "pairs", 2);
    expect_number(row_of(json, "a"), "score", 0.375);
    expect_number(row_of(json, "a"), "games", 4);
    expect_number(row_of(json, "b"), "moves", 12);
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, half_and_faulted_pairs_do_not_count)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "01"), b = fixture_policy(store, "b", "02");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    play_pair(store, pairing, 0, 1, 1);
    play_pair(store, pairing, 1, 2, 1);
    fixture_store(store, pairing, game_of(2, 0, 2, 6, false), FIXTURE_WHITE);
    fixture_store(store, pairing, game_of(3, 0, 2, 6, false), FIXTURE_WHITE);
    struct game_record fault = game_of(3, 1, 2, 6, false);
    fault.end = END_POLICY_FAULT;
    fault.white_points = -1;
    fixture_store(store, pairing, fault, FIXTURE_WHITE);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    expect_number(row_of(json, "a"), "pairs", 2);
    expect_number(row_of(json, "a"), "score", 0.625);
    json_decref(json);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "Left out: 1 pair with a game that ended as policy_fault."), "%s", text);
    cr_expect_not_null(strstr(text, "Left out: 1 pair of which only one game"), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, the_newest_version_of_a_policy_is_shown)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    int64_t again = fixture_policy(store, "pool", "ffee"), smooth = 1;
    play_pair(store, fixture_pairing(store, "60+0", again, smooth), 0, 1, 1);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 3);
    expect_number(row_of(json, "pool@ffee"), "pairs", 1);
    json_decref(json);
    const int64_t wanted[] = { 2 };
    json = rank_json(store, (struct rank_options){ .policy = wanted, .policy_count = 1 });
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 2, "the wanted one and the baseline");
    expect_number(row_of(json, "pool@02"), "pairs", 4);
    json_decref(json);
    char *text = rank_text(store, (struct rank_options){ 0 });
    cr_expect_not_null(strstr(text, "Not shown: 1 older version of changed policies."), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, each_run_is_a_block_and_runs_are_never_pooled)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    play_pair(store, fixture_pairing(store, "1+0", 2, 1), 0, 1, 1);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 5);
    cr_expect(json_is_null(json_object_get(json, "run")));
    json_t *last = json_array_get(json_object_get(json, "rows"), 4);
    cr_expect_str_eq(json_string_value(json_object_get(last, "tc")), "1+0");
    expect_number(last, "pairs", 1);
    char key[33];
    snprintf(key, sizeof key, "%s", json_string_value(json_object_get(last, "run")));
    json_decref(json);
    key[6] = '\0';
    json = rank_json(store, (struct rank_options){ .run_prefix = key });
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 2);
    json_decref(json);
    const int64_t only[] = { 1 };
    json = rank_json(store, (struct rank_options){ .run = only, .run_count = 1 });
    cr_expect_eq(json_array_size(json_object_get(json, "rows")), 3);
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, wishes_that_cannot_be_met_are_told)
{
    struct fixture_path path = fixture_path("s.db"), empty = fixture_path("e.db");
    struct store *store = example(&path), *nothing = fixture_open(empty.file);
    struct tm_error error = { 0 };
    FILE *stream = tmpfile();
    cr_expect(!rank_print(store, &(struct rank_options){ .baseline = "smoth" }, stream, NULL, &error));
    cr_expect_eq(error.code, TM_INPUT);
    cr_expect_not_null(strstr(error.message, "smooth, pool, oldtm"), "%s", error.message);
    cr_expect(!rank_print(store, &(struct rank_options){ .run_prefix = "zz" }, stream, NULL, &error));
    cr_expect_not_null(strstr(error.message, "--run zz"), "%s", error.message);
    cr_expect(!rank_print(nothing, &(struct rank_options){ 0 }, stream, NULL, &error));
    cr_expect_not_null(strstr(error.message, "no game"), "%s", error.message);
    cr_expect_eq(ftell(stream), 0, "something was printed");
    fclose(stream);
    store_close(store, NULL);
    store_close(nothing, NULL);
    fixture_remove(&path);
    fixture_remove(&empty);
}

Test(rank, medians_are_exact)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "01"), b = fixture_policy(store, "b", "02");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    /* a's spends are a shuffled 0 … 1022 (7 * i mod 1023), b's are 0 … 1021 in waves: medians 511 and 510. */
    struct game_record game = fixture_game(0, 0, 1, 2045);
    for (int i = 0; i < 1023; i++) {
        game.move[2 * i].spend = 7 * i % 1023;
        if (i < 1022)
            game.move[2 * i + 1].spend = i % 2 ? 1021 - i / 2 : i / 2;
    }
    fixture_store(store, pairing, game, FIXTURE_WHITE);
    json_t *json = rank_json(store, (struct rank_options){ 0 });
    cr_expect_float_eq(json_number_value(json_object_get(row_of(json, "a"), "spend_median_s")), 511e-9, 1e-15);
    cr_expect_float_eq(json_number_value(json_object_get(row_of(json, "b"), "spend_median_s")), 510e-9, 1e-15);
    json_decref(json);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, csv_has_a_heading_and_a_line_for_each_policy)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = example(&path);
    char *text = rank_text(store, (struct rank_options){ .format = TABLE_CSV });
    cr_expect_eq(strncmp(text, "run,tc,policy,rank,is_baseline,against,elo,elo_lo,elo_hi,nelo,los,pairs,", 71), 0, "%s", text);
    int lines = 0, commas[4] = { 0 };
    for (char *at = text; *at; at++) {
        lines += *at == '\n';
        if (*at == ',' && lines < 4)
            commas[lines]++;
    }
    cr_expect_eq(lines, 4);
    for (int i = 1; i < 4; i++)
        cr_expect_eq(commas[i], commas[0], "line %d", i);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank, the_command_reads_a_store_and_leaves_it_alone)
{
    struct fixture_path path = fixture_path("s.db");
    store_close(example(&path), NULL);
    char command[] = "rank", db[] = "--db", none[] = "/nonexistent/x.db", format[] = "--format=csv";
    FILE *null = freopen("/dev/null", "w", stdout);
    cr_assert_not_null(null);
    cr_expect_eq(cmd_rank(4, (char *[]){ command, db, path.file, format }), TM_OK);
    cr_expect_eq(cmd_rank(3, (char *[]){ command, db, none }), TM_INPUT);
    cr_expect_eq(cmd_rank(1, (char *[]){ command }), TM_INPUT);
    fixture_remove(&path);
}
