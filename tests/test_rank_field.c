/* The sentences about the whole field: each figure from arithmetic on games built here. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>

#include "tests/store_fixture.h"
#include "tmsim/rank.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(rank_field, .init = no_handler);

enum { OPENINGS = 12 };

/* The position after White's and Black's `k`th first moves: `k` different openings. */
static const char *opening(int k)
{
    static char fen[OPENINGS][100];
    snprintf(fen[k], sizeof fen[k], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 %d", k + 1);
    return fen[k];
}

/* A pair at opening `pair`, half points of the pairing's first player in each leg; the legs are different games. */
static void play(struct store *store, int64_t pairing, int pair, int leg0, int leg1, bool flags)
{
    const int points[2] = { leg0, 2 - leg1 };
    for (int leg = 0; leg < 2; leg++) {
        struct game_record game = fixture_game(pair, leg, points[leg], 6);
        if (leg)
            strcpy(game.move[1].move, "d7d5");
        if (flags) { /* of the first player, who moves at even plies where it is White */
            game.end = END_FLAG;
            game.move[4 + leg].flagged = true;
        }
        fixture_store(store, pairing, game, opening(pair));
    }
}

static void set_baseline(struct store *store, const char *tc, int64_t policy)
{
    struct run_identity run = fixture_run(tc);
    struct tm_error error = { 0 };
    char key[33];
    int64_t id;
    cr_assert(store_run(store, &run, &id, key, &error) && store_baseline(store, id, policy, &error), "%s", error.message);
}

static char *text_of(struct store *store)
{
    char *text = NULL;
    size_t size = 0;
    struct tm_error error = { 0 };
    FILE *stream = open_memstream(&text, &size);
    cr_assert(rank_print(store, &(struct rank_options){ .format = TABLE_TEXT }, stream, NULL, &error), "%s", error.message);
    fclose(stream);
    /* As one line: sentences are broken at a page's width. */
    for (char *at = text; (at = strstr(at, "\n  "));)
        memmove(at, at + 2, strlen(at + 2) + 1), *at = ' ';
    return text;
}

static json_t *json_of(struct store *store)
{
    char *text = NULL;
    size_t size = 0;
    struct tm_error error = { 0 };
    FILE *stream = open_memstream(&text, &size);
    cr_assert(rank_print(store, &(struct rank_options){ .format = TABLE_JSON }, stream, NULL, &error), "%s", error.message);
    fclose(stream);
    json_t *json = json_loads(text, 0, NULL);
    cr_assert_not_null(json);
    free(text);
    return json;
}

static const json_t *row_of(const json_t *json, const char *policy, const char *tc)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(json, "rows"), i, row)
        if (strcmp(json_string_value(json_object_get(row, "policy")), policy) == 0 &&
            strcmp(json_string_value(json_object_get(row, "tc")), tc) == 0)
            return row;
    cr_assert(false, "no row for %s at %s", policy, tc);
    return NULL;
}

static double value(const json_t *row, const char *key)
{
    cr_assert(json_is_number(json_object_get(row, key)), "%s is no number", key);
    return json_number_value(json_object_get(row, key));
}

static double score_to_elo(double score) { return 400 * log10(score / (1 - score)); }

/* Policies that met the baseline alone: each rating is that of its own match, and with the opening as the cluster its
   variance is G/(G-1) sum (points - expected)^2, divided by the square of the information. */
static double cluster_error(const int *half_points, int openings)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < openings; i++)
        mean += half_points[i] / 4.0 / openings;
    for (int i = 0; i < openings; i++)
        squares += (half_points[i] / 4.0 - mean) * (half_points[i] / 4.0 - mean);
    return sqrt(openings / (openings - 1.0) * squares) / openings * 400 / (log(10) * mean * (1 - mean));
}

static const int good[OPENINGS] = { 3, 2, 3, 4, 2, 3, 3, 2, 4, 2, 3, 3 }, fair[OPENINGS] = { 2, 2, 3, 1, 2, 3, 1, 2, 3, 2, 2, 2 };

/* good and fair against base at `tc`; `turn`: from the other side. */
static void two_against_base(struct store *store, const char *tc, bool turn, bool flags)
{
    const int64_t base = fixture_policy(store, "base", "01"), a = fixture_policy(store, "good", "02"),
                  b = fixture_policy(store, "fair", "03");
    const int64_t one = fixture_pairing(store, tc, a, base), two = fixture_pairing(store, tc, b, base);
    set_baseline(store, tc, base);
    for (int i = 0; i < OPENINGS; i++) {
        const int x = turn ? 4 - good[i] : good[i], y = turn ? 4 - fair[i] : fair[i];
        play(store, one, i, (x + 1) / 2, x / 2, flags && i == 0);
        play(store, two, i, (y + 1) / 2, y / 2, false);
    }
}

Test(rank_field, intervals_hold_together_over_the_whole_table)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    two_against_base(store, "60+0", false, false);
    for (int runs = 1; runs <= 2; runs++) {
        json_t *json = json_of(store);
        const json_t *row = row_of(json, "good", "60+0");
        /* Sidak: 2 intervals for each run; 11 degrees of freedom. */
        const double quantile = gsl_cdf_tdist_Pinv(0.5 + pow(0.95, 1 / (2.0 * runs)) / 2, OPENINGS - 1);
        const double elo = score_to_elo(34 / 48.0), half = quantile * cluster_error(good, OPENINGS);
        cr_expect_float_eq(value(row, "field_elo"), elo, 1e-6, "%g", value(row, "field_elo"));
        cr_expect_float_eq(value(row, "field_elo_lo"), elo - half, 1e-6, "%g, expected %g", value(row, "field_elo_lo"), elo - half);
        cr_expect_float_eq(value(row, "field_elo_hi"), elo + half, 1e-6);
        json_decref(json);
        char *text = text_of(store), expected[200];
        snprintf(expected, sizeof expected, "simultaneous 95 %% intervals of %d): good %+.0f [%+.0f, %+.0f], fair %+.0f", 2 * runs, elo,
                 elo - half, elo + half, score_to_elo(25 / 48.0));
        cr_expect(strstr(text, expected), "no '%s' in:\n%s", expected, text);
        free(text);
        two_against_base(store, runs == 1 ? "10+0" : "1+0", false, false);
    }
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank_field, superiority_of_neighbours_is_a_t_test_over_openings)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    two_against_base(store, "60+0", false, false);
    json_t *json = json_of(store);
    const double elo = score_to_elo(25 / 48.0);
    const double expected = gsl_cdf_tdist_P(elo / cluster_error(fair, OPENINGS), OPENINGS - 1);
    cr_expect_float_eq(value(row_of(json, "fair", "60+0"), "los_over_next"), expected, 1e-9);
    json_decref(json);
    char *text = text_of(store), sentence[80];
    snprintf(sentence, sizeof sentence, "fair over base %.1f %%.", 100 * expected);
    cr_expect(strstr(text, sentence), "no '%s' in:\n%s", sentence, text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank_field, the_pareto_set_is_who_is_beaten_in_neither_elo_nor_flags)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    two_against_base(store, "60+0", false, true); /* good flags in one pair of twelve */
    char *text = text_of(store), expected[200];
    /* base never flags and is below fair, which never flags either. */
    snprintf(expected, sizeof expected, "Pareto set of Elo against flags, by what was seen: good (%+.0f, %.1f %% flags), fair (%+.0f, "
             "0.0 %% flags).", score_to_elo(34 / 48.0), 100 * 2 / 24.0, score_to_elo(25 / 48.0));
    cr_expect(strstr(text, expected), "no '%s' in:\n%s", expected, text);
    cr_expect(strstr(text, "base is dominated") == NULL, "base flags less than good, and fair is not separated:\n%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank_field, who_is_separated_and_flags_no_more_dominates)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    two_against_base(store, "60+0", false, false);
    char *text = text_of(store);
    cr_expect(strstr(text, "\nbase is dominated by good.\n"), "%s", text);
    cr_expect(strstr(text, "fair is dominated") == NULL, "its interval meets that of good:\n%s", text);
    cr_expect(strstr(text, "Pareto") == NULL, "nobody flags:\n%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

/* Intervals against base: wide [-a, +b] meets both others, which do not meet each other. */
Test(rank_field, not_separated_are_sets_without_a_separated_pair)
{
    static const int wide[OPENINGS] = { 4, 0, 4, 1, 4, 0, 4, 2, 4, 1, 4, 3 }, high[OPENINGS] = { 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 3 };
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    const int64_t base = fixture_policy(store, "base", "01"), a = fixture_policy(store, "wide", "02"),
                  b = fixture_policy(store, "high", "03");
    const int64_t one = fixture_pairing(store, "60+0", a, base), two = fixture_pairing(store, "60+0", b, base);
    set_baseline(store, "60+0", base);
    for (int i = 0; i < OPENINGS; i++) {
        play(store, one, i, (wide[i] + 1) / 2, wide[i] / 2, false);
        play(store, two, i, (high[i] + 1) / 2, high[i] / 2, false);
    }
    char *text = text_of(store);
    cr_expect(strstr(text, "Not separated: high, wide.\n"), "%s", text);
    cr_expect(strstr(text, "Not separated: wide, base.\n"), "%s", text);
    cr_expect(strstr(text, "high, wide, base") == NULL, "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(rank_field, a_sign_that_flips_between_controls_is_pointed_out)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    two_against_base(store, "60+0", false, false);
    two_against_base(store, "10+0", true, false);
    char *text = text_of(store), expected[200];
    snprintf(expected, sizeof expected, "Sign flip: good is %+.0f at 60+0 and %+.0f at 10+0, both beyond the simultaneous intervals.",
             score_to_elo(34 / 48.0), score_to_elo(14 / 48.0));
    cr_expect(strstr(text, expected), "no '%s' in:\n%s", expected, text);
    snprintf(expected, sizeof expected, "Sign flip: fair is %+.0f at 60+0 and %+.0f at 10+0, which the intervals do not exclude to be "
             "chance.", score_to_elo(25 / 48.0), score_to_elo(23 / 48.0));
    cr_expect(strstr(text, expected), "no '%s' in:\n%s", expected, text);
    cr_expect(strstr(text, "What these are: orders on a virtual clock, not verdicts. Next, on a real clock: good against base at 60+0; "
                           "base against fair at 10+0; and the hammer.\n"), "%s", text);
    free(text);
    store_close(store, NULL);
    fixture_remove(&path);
}
