/* Against published and 40-digit reference values: tests/fixtures/stats-vectors.json, each within its tolerance. */
#include <criterion/criterion.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/bradley.h"
#include "tmsim/commands.h"
#include "tmsim/sequential.h"
#include "tmsim/stats.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(stats, .init = no_handler);

static json_t *load(void)
{
    json_error_t error;
    json_t *rows = json_load_file(TEST_DATA "/fixtures/stats-vectors.json", 0, &error);
    cr_assert_not_null(rows, "%s", error.text);
    return rows;
}

static double number(const json_t *row, const char *group, const char *name)
{
    return json_number_value(json_object_get(json_object_get(row, group), name));
}

static int64_t whole(const json_t *row, const char *name) { return (int64_t)number(row, "inputs", name); }

static void expect_near(const json_t *row, const char *what, double actual, double expected)
{
    double tolerance = number(row, "tolerance", "abs") + number(row, "tolerance", "rel") * fabs(expected);
    cr_expect(fabs(actual - expected) <= tolerance, "%s %s: %.17g, expected %.17g within %g",
              json_string_value(json_object_get(row, "id")), what, actual, expected, tolerance);
}

/* An expected value is a number, "inf", "-inf" or null: undefined. */
static void expect_estimate(const json_t *row, const char *name, struct estimate actual)
{
    const char *id = json_string_value(json_object_get(row, "id"));
    const json_t *expected = json_object_get(json_object_get(row, "expected"), name);
    cr_assert_not_null(expected, "%s has no %s", id, name);
    if (json_is_null(expected)) {
        cr_expect(actual.gap == STATS_NO_SAMPLES || actual.gap == STATS_ONE_SAMPLE || actual.gap == STATS_NO_SPREAD,
                  "%s %s: %g, expected undefined", id, name, actual.value);
        return;
    }
    if (json_is_string(expected)) {
        enum stats_gap gap = json_string_value(expected)[0] == '-' ? STATS_MINUS_INFINITY : STATS_PLUS_INFINITY;
        cr_expect_eq(actual.gap, gap, "%s %s: %g, expected %s", id, name, actual.value, json_string_value(expected));
        return;
    }
    cr_expect_eq(actual.gap, STATS_DEFINED, "%s %s: %s", id, name, stats_gap_text(actual.gap));
    expect_near(row, name, actual.value, json_number_value(expected));
}

static void expect_elo_stats(const json_t *row, const int64_t *count, int cells)
{
    struct elo_stats stats = stats_elo(count, cells);
    expect_estimate(row, "score", stats.score);
    expect_estimate(row, "elo", stats.elo);
    expect_estimate(row, "elo_lo95", stats.elo_lo);
    expect_estimate(row, "elo_hi95", stats.elo_hi);
    expect_estimate(row, "nelo", stats.nelo);
    expect_estimate(row, "nelo_halfwidth95", stats.nelo_half);
    expect_estimate(row, "los", stats.los);
    if (stats.samples) {
        expect_near(row, "variance", stats.variance, number(row, "expected", "variance_per_sample"));
        expect_near(row, "standard error", stats.standard_error, number(row, "expected", "se_score"));
    }
}

static void check_trinomial(const json_t *row)
{
    expect_elo_stats(row, (int64_t[]){ whole(row, "losses"), whole(row, "draws"), whole(row, "wins") }, 3);
}

static void check_pentanomial(const json_t *row)
{
    expect_elo_stats(row, (int64_t[]){ whole(row, "LL"), whole(row, "LD_DL"), whole(row, "WL_DD"), whole(row, "WD_DW"),
                                       whole(row, "WW") }, 5);
}

static void check_ratios(const json_t *row)
{
    const int64_t count[] = { whole(row, "LL"), whole(row, "LD_DL"), whole(row, "WL") + whole(row, "DD"), whole(row, "WD_DW"),
                              whole(row, "WW") };
    struct elo_stats stats = stats_elo(count, 5);
    expect_near(row, "draw ratio", 100 * stats.draw_ratio.value, number(row, "expected", "draw_ratio_pairs_percent"));
    expect_estimate(row, "pairs_ratio", stats.pairs_ratio);
}

static int read_counts(const json_t *row, int64_t *count)
{
    const json_t *list = json_object_get(json_object_get(row, "inputs"), "counts_low_to_high");
    for (size_t i = 0; i < json_array_size(list); i++)
        count[i] = json_integer_value(json_array_get(list, i));
    return (int)json_array_size(list);
}

static void check_llr(const json_t *row, enum sprt_model model, const char *prefix)
{
    char elo0[16], elo1[16];
    snprintf(elo0, sizeof elo0, "%s0", prefix);
    snprintf(elo1, sizeof elo1, "%s1", prefix);
    const struct sprt sprt = { model, number(row, "inputs", elo0), number(row, "inputs", elo1), 0.05, 0.05, false };
    const char *id = json_string_value(json_object_get(row, "id"));
    struct tm_error error = { 0 };
    int64_t count[5];
    double llr = 0;
    int cells = read_counts(row, count);
    if (json_object_get(json_object_get(row, "expected"), "error")) {
        cr_expect(!sprt_check(&sprt, cells, &error), "%s: outside the domain", id);
        return;
    }
    cr_expect(sprt_check(&sprt, cells, &error), "%s: %s", id, error.message);
    cr_assert(sprt_llr(&sprt, count, cells, &llr, &error), "%s: %s", id, error.message);
    const json_t *limit = json_object_get(json_object_get(row, "expected"), "llr_limit");
    if (!limit)
        expect_near(row, "llr", llr, number(row, "expected", "llr"));
    else /* of empty cells that count nothing; ours count 0.001: within 0.3 % (logistic) and 5 % (normalized) */
        cr_expect(fabs(llr / json_number_value(limit) - 1) < (model == SPRT_LOGISTIC ? 0.003 : 0.05), "%s: %g", id, llr);
}

static void check_limit(const json_t *row)
{
    const char *model = json_string_value(json_object_get(json_object_get(row, "inputs"), "model"));
    check_llr(row, strcmp(model, "logistic") == 0 ? SPRT_LOGISTIC : SPRT_NORMALIZED, "elo");
}

static void check_logistic(const json_t *row) { check_llr(row, SPRT_LOGISTIC, "elo"); }
static void check_normalized(const json_t *row) { check_llr(row, SPRT_NORMALIZED, "elo"); }
static void check_bayesian(const json_t *row) { check_llr(row, SPRT_BAYESIAN, "belo"); }

static void check_bounds(const json_t *row)
{
    const struct sprt sprt = { .alpha = number(row, "inputs", "alpha"), .beta = number(row, "inputs", "beta") };
    expect_near(row, "lower", sprt_lower(&sprt), number(row, "expected", "lower"));
    expect_near(row, "upper", sprt_upper(&sprt), number(row, "expected", "upper"));
}

static void check_verdict(const json_t *row)
{
    static const char *const names[] = { "continue", "H0", "H1" };
    const struct sprt sprt = { .alpha = number(row, "inputs", "alpha"), .beta = number(row, "inputs", "beta") };
    enum sprt_verdict verdict = sprt_verdict(&sprt, number(row, "inputs", "llr"));
    cr_expect_str_eq(names[verdict], json_string_value(json_object_get(json_object_get(row, "expected"), "verdict")));
}

/* The same path through the whole test and through the estimate alone. */
static void check_overshoot(const json_t *row)
{
    const json_t *inputs = json_object_get(row, "inputs"), *sequence = json_object_get(inputs, "category_sequence_0_to_4");
    const struct sprt sprt = { .model = SPRT_LOGISTIC, .elo0 = number(row, "inputs", "elo0"), .elo1 = number(row, "inputs", "elo1"),
                               .alpha = number(row, "inputs", "alpha"), .beta = number(row, "inputs", "beta"), .overshoot = true };
    const int pairs = (int)json_array_size(sequence);
    struct sequential *test = sequential_new(&sprt, pairs);
    struct sprt_overshoot overshoot = { { 0 }, { 0 }, { 0 } };
    struct tm_error error = { 0 };
    int64_t count[5] = { 0 };
    double llr = 0;
    for (int pair = 0; pair < pairs; pair++) {
        const int points = (int)json_integer_value(json_array_get(sequence, (size_t)pair));
        count[points]++;
        cr_assert(sprt_llr(&sprt, count, 5, &llr, &error), "%s", error.message);
        sprt_overshoot_add(&overshoot, llr);
        for (int leg = 0; leg < 2; leg++)
            cr_assert(sequential_add(test, pair, leg, leg ? points / 2 : points - points / 2, (uint64_t)(2 * pair + leg), &error));
    }
    const struct sequential_state state = sequential_state(test);
    expect_near(row, "llr", state.llr, number(row, "expected", "llr"));
    expect_near(row, "o0", state.shift[0], number(row, "expected", "o0"));
    expect_near(row, "o1", state.shift[1], number(row, "expected", "o1"));
    cr_expect_eq(state.verdict, SPRT_CONTINUE);
    static const char *const names[2][3] = { { "ref0", "m0", "sq0" }, { "ref1", "m1", "sq1" } };
    for (int upper = 0; upper < 2; upper++) {
        expect_near(row, names[upper][0], overshoot.record[upper], number(row, "expected", names[upper][0]));
        expect_near(row, names[upper][1], overshoot.sum[upper], number(row, "expected", names[upper][1]));
        expect_near(row, names[upper][2], overshoot.squares[upper], number(row, "expected", names[upper][2]));
    }
    sequential_free(test);
}

static void check_rare(const json_t *row)
{
    int64_t events = whole(row, "events"), trials = whole(row, "trials");
    double out = 1 - number(row, "inputs", "confidence");
    struct interval two = stats_clopper_pearson(events, trials, out / 2), one = stats_clopper_pearson(events, trials, out);
    expect_near(row, "lower", two.lower, number(row, "expected", "lower"));
    expect_near(row, "upper", two.upper, number(row, "expected", "upper"));
    expect_near(row, "one-sided lower", one.lower, number(row, "expected", "lower_one_sided"));
    expect_near(row, "one-sided upper", one.upper, number(row, "expected", "upper_one_sided"));
}

static void check_schedule(const json_t *row)
{
    struct schedule schedule = stats_schedule(whole(row, "rounds"), whole(row, "engines"));
    cr_expect_eq(schedule.pairings, (int64_t)number(row, "expected", "pairings"));
    cr_expect_eq(schedule.gcd, (int64_t)number(row, "expected", "gcd"));
    cr_expect_eq(schedule.distinct, (int64_t)number(row, "expected", "distinct"));
    cr_expect_eq(schedule.games_per_opening, (int64_t)number(row, "expected", "reuse_games_per_opening"));
}

static void check_elo_to_score(const json_t *row)
{
    expect_near(row, "score", stats_elo_to_score(number(row, "inputs", "elo")), number(row, "expected", "score"));
}

static void check_score_to_elo(const json_t *row)
{
    expect_estimate(row, "elo", stats_score_to_elo(number(row, "inputs", "score")));
}

/* fishtest's outcome of the same counts; its own tolerance comes from its series and root finder. */
static void check_median_unbiased(const json_t *row)
{
    const char *model = json_string_value(json_object_get(json_object_get(row, "inputs"), "elo_model"));
    const struct sprt sprt = { strcmp(model, "logistic") == 0 ? SPRT_LOGISTIC : SPRT_NORMALIZED, number(row, "inputs", "elo0"),
                               number(row, "inputs", "elo1"), number(row, "inputs", "alpha"), number(row, "inputs", "beta"), false };
    int64_t count[5];
    int cells = read_counts(row, count);
    const struct sprt_estimate estimate = sprt_estimate(&sprt, count, cells);
    const json_t *ends = json_object_get(json_object_get(row, "expected"), "ci95");
    expect_near(row, "elo", estimate.elo, number(row, "expected", "elo_median_unbiased"));
    expect_near(row, "elo_lo", estimate.elo_lo, json_number_value(json_array_get(ends, 0)));
    expect_near(row, "elo_hi", estimate.elo_hi, json_number_value(json_array_get(ends, 1)));
    expect_near(row, "los", estimate.los, number(row, "expected", "los"));
}

static void check_motion(const json_t *row)
{
    const struct sprt_motion motion = { number(row, "inputs", "a"), number(row, "inputs", "b"), number(row, "inputs", "mu"),
                                        number(row, "inputs", "sigma") };
    expect_near(row, "cdf", sprt_outcome_probability(&motion, number(row, "inputs", "T"), number(row, "inputs", "y")),
                number(row, "expected", "cdf"));
}

/* Rows of white, black, half points of White, and a count, or (as the last) the opening. */
static int read_games(const json_t *list, bool openings, struct bradley_games *games)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        int cell[4];
        for (size_t k = 0; k < 4; k++)
            cell[k] = (int)json_integer_value(json_array_get(json_array_get(list, i), k));
        for (int n = openings ? 1 : cell[3]; n > 0; n--, count++)
            games[count] = (struct bradley_games){ cell[0], cell[1], openings ? cell[3] : count, 1, cell[2] / 2.0 };
    }
    return count;
}

static void expect_matrix(const json_t *row, const char *name, const struct bradley *fit, double factor)
{
    const json_t *matrix = json_object_get(json_object_get(row, "expected"), name);
    for (int a = 0; a < fit->players; a++)
        for (int b = 0; b < fit->players; b++) {
            double expected = json_number_value(json_array_get(json_array_get(matrix, (size_t)a), (size_t)b));
            double actual = factor * fit->covariance[a * fit->players + b];
            cr_expect(fabs(actual - expected) <= 1e-6 * fabs(expected) + 1e-6, "%s [%d][%d]: %.9g, expected %.9g", name, a, b,
                      actual, expected);
        }
}

static void expect_ratings(const json_t *row, const struct bradley *fit)
{
    const json_t *elo = json_object_get(json_object_get(row, "expected"), "elo");
    for (int i = 0; i < fit->players; i++)
        cr_expect(fabs(fit->elo[i] - json_number_value(json_array_get(elo, (size_t)i))) < 1e-6, "player %d: %.9g", i,
                  fit->elo[i]);
}

static struct bradley_games bradley_rows[2000];

/* The reference has no small-sample factor where each game is a cluster of its own. */
static void check_bradley_games(const json_t *row)
{
    struct bradley fit;
    struct tm_error error = { 0 };
    int count = read_games(json_object_get(json_object_get(row, "inputs"), "games"), false, bradley_rows);
    cr_assert(bradley_fit(bradley_rows, count, 4, count, -1, &fit, &error), "%s", error.message);
    cr_assert_eq(fit.state, BRADLEY_FITTED);
    expect_ratings(row, &fit);
    expect_matrix(row, "cov_sandwich_games", &fit, (count - 1.0) / count);
    bradley_clear(&fit);
}

static void check_bradley_two(const json_t *row)
{
    struct bradley fit;
    struct tm_error error = { 0 };
    int count = read_games(json_object_get(json_object_get(row, "inputs"), "games"), false, bradley_rows);
    for (int anchor = -1; anchor < 2; anchor++) {
        cr_assert(bradley_fit(bradley_rows, count, 2, count, anchor, &fit, &error), "%s", error.message);
        expect_near(row, "difference", fit.elo[0] - fit.elo[1], number(row, "expected", "elo_difference"));
        expect_near(row, "error", sqrt(bradley_variance(&fit, 0, 1) * (count - 1) / count),
                    number(row, "expected", "se_difference_sandwich"));
        bradley_clear(&fit);
    }
}

static void check_bradley_clusters(const json_t *row)
{
    struct bradley fit;
    struct tm_error error = { 0 };
    const json_t *list = json_object_get(json_object_get(row, "inputs"), "games_white_black_result_opening");
    int count = read_games(list, true, bradley_rows);
    cr_assert(bradley_fit(bradley_rows, count, 3, 12, -1, &fit, &error), "%s", error.message);
    expect_ratings(row, &fit);
    expect_matrix(row, "cov_cluster_sandwich", &fit, 1);
    cr_expect_float_eq(sqrt(bradley_variance(&fit, 0, 1)), number(row, "expected", "se_diff_0_minus_1_cluster"), 1e-6);
    bradley_clear(&fit);
}

/* Two players whose openings are the clusters: the score's error from its Elo error, by the delta method. */
static void check_clusters(const json_t *row)
{
    const json_t *scores = json_object_get(json_object_get(row, "inputs"), "scores");
    const json_t *ids = json_object_get(json_object_get(row, "inputs"), "cluster_ids");
    int count = (int)json_array_size(scores), clusters = (int)number(row, "expected", "clusters");
    for (int i = 0; i < count; i++)
        bradley_rows[i] = (struct bradley_games){ 0, 1, (int)json_integer_value(json_array_get(ids, (size_t)i)), 1,
                                                  json_number_value(json_array_get(scores, (size_t)i)) };
    struct bradley fit;
    struct tm_error error = { 0 };
    cr_assert(bradley_fit(bradley_rows, count, 2, clusters, 1, &fit, &error), "%s", error.message);
    double score = number(row, "expected", "score");
    expect_near(row, "elo", fit.elo[0], number(row, "expected", "elo"));
    expect_near(row, "error of the score", sqrt(fit.covariance[0]) * log(10) / 400 * score * (1 - score),
                number(row, "expected", "se_cluster"));
    bradley_clear(&fit);
}

static const struct { const char *function; void (*check)(const json_t *); int rows; } checks[] = {
    { "sprt_elo_median_unbiased", check_median_unbiased, 6 },
    { "brownian_outcome_cdf", check_motion, 3 },
    { "bradley_terry_logistic_draw_half", check_bradley_games, 1 },
    { "bradley_terry_two_players_equals_match", check_bradley_two, 1 },
    { "bradley_terry_cluster_sandwich", check_bradley_clusters, 1 },
    { "cluster_robust_se", check_clusters, 3 },
    { "elo_to_score", check_elo_to_score, 5 },
    { "score_to_elo", check_score_to_elo, 4 },
    { "elo_stats_trinomial", check_trinomial, 9 },
    { "elo_stats_pentanomial", check_pentanomial, 9 },
    { "draw_and_pairs_ratio", check_ratios, 2 },
    { "sprt_llr_logistic", check_logistic, 18 },
    { "sprt_llr_normalized", check_normalized, 22 },
    { "sprt_llr_zero_variance_limit", check_limit, 5 },
    { "sprt_llr_bayesian", check_bayesian, 4 },
    { "wald_bounds", check_bounds, 3 },
    { "sprt_verdict", check_verdict, 5 },
    { "sprt_dynamic_overshoot", check_overshoot, 1 },
    { "clopper_pearson", check_rare, 6 },
    { "distinct_openings_per_pairing", check_schedule, 6 },
};

Test(stats, every_reference_vector_within_its_tolerance)
{
    json_t *rows = load();
    size_t checked = 0;
    for (size_t c = 0; c < sizeof checks / sizeof *checks; c++) {
        int found = 0;
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t *row = json_array_get(rows, i);
            if (strcmp(json_string_value(json_object_get(row, "function")), checks[c].function) != 0)
                continue;
            checks[c].check(row);
            found++;
        }
        cr_expect_eq(found, checks[c].rows, "%s: %d rows", checks[c].function, found);
        checked += (size_t)found;
    }
    cr_expect_eq(checked, json_array_size(rows), "rows that nothing checks");
    json_decref(rows);
}

Test(stats, an_unbeaten_player_has_no_finite_rating)
{
    const struct bradley_games games[] = { { 0, 1, 0, 2, 2 }, { 1, 2, 0, 2, 1 }, { 0, 1, 1, 2, 2 }, { 1, 2, 1, 2, 1.5 } };
    struct bradley fit;
    struct tm_error error = { 0 };
    cr_assert(bradley_fit(games, 4, 3, 2, 2, &fit, &error), "%s", error.message);
    cr_expect_eq(fit.state, BRADLEY_INFINITE);
    bradley_clear(&fit);
    cr_assert(bradley_fit(games + 1, 1, 3, 1, 2, &fit, &error), "%s", error.message);
    cr_expect_eq(fit.state, BRADLEY_INFINITE, "player 0 has no games");
    bradley_clear(&fit);
}

Test(stats, no_games_and_one_game_give_no_error_bar)
{
    for (int cells = 3; cells <= 5; cells += 2) {
        int64_t count[5] = { 0 };
        struct elo_stats stats = stats_elo(count, cells);
        cr_expect_eq(stats.score.gap, STATS_NO_SAMPLES);
        cr_expect_eq(stats.elo.gap, STATS_NO_SAMPLES);
        cr_expect_eq(stats.elo_lo.gap, STATS_NO_SAMPLES);
        cr_expect_eq(stats_samples_to_separate(&stats), 0);
        count[1] = 1;
        stats = stats_elo(count, cells);
        cr_expect_eq(stats.elo.gap, STATS_DEFINED);
        cr_expect_eq(stats.los.gap, STATS_ONE_SAMPLE);
        count[1] = 1000003;
        stats = stats_elo(count, cells);
        cr_expect_eq(stats.elo_hi.gap, STATS_NO_SPREAD);
        cr_expect_eq(stats.nelo.gap, STATS_NO_SPREAD);
        cr_expect_eq(stats.variance, 0);
    }
    cr_expect_eq(stats_elo((const int64_t[]){ 0, 0, 5, 0, 0 }, 5).pairs_ratio.gap, STATS_NO_DECISIVE);
}

Test(stats, won_throughout_is_infinite_with_a_bound)
{
    /* 0.05^(1/100) = 0.970487: Elo 400 log10(0.970487 / 0.029513) = 606.8 */
    struct elo_stats stats = stats_elo((const int64_t[]){ 0, 0, 100 }, 3);
    cr_expect_eq(stats.elo.gap, STATS_PLUS_INFINITY);
    cr_expect_float_eq(stats_one_sided_elo(&stats).value, 606.8, 0.05, "%g", stats_one_sided_elo(&stats).value);
    stats = stats_elo((const int64_t[]){ 100, 0, 0, 0, 0 }, 5);
    cr_expect_float_eq(stats_one_sided_elo(&stats).value, -606.8, 0.05, "%g", stats_one_sided_elo(&stats).value);
    stats = stats_elo((const int64_t[]){ 1, 0, 100 }, 3);
    cr_expect_eq(stats_one_sided_elo(&stats).gap, STATS_NOT_ONE_SIDED);
    cr_expect(!signbit(stats_elo((const int64_t[]){ 1, 0, 1 }, 3).elo.value), "no negative zero");
}

/* Runs a line and gives its exit code; *text gets what it printed on stdout, the caller frees it. */
static int run(const char *line, char **text)
{
    char copy[200], *argv[16] = { (char[]){ "stats" } };
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc < 16; word = strtok(NULL, " "))
        argv[argc++] = word;
    fflush(stdout);
    int saved = dup(1);
    FILE *file = tmpfile();
    cr_assert(file && saved >= 0 && dup2(fileno(file), 1) == 1);
    int code = cmd_stats(argc, argv);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    long size = (fseek(file, 0, SEEK_END), ftell(file));
    *text = calloc((size_t)size + 1, 1);
    rewind(file);
    cr_assert_eq(fread(*text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return code;
}

Test(stats, the_command_answers_with_exit_codes_and_keys)
{
    static const struct { const char *line; int code; const char *part; } rows[] = {
        { "elo --ptnml 34,54,63,64,75 --format json", 0, "\"elo\": 55.57" },
        { "elo --wld 136,96,111 --format json", 0, "\"elo\": 40.70245818" },
        { "elo --ldw 96,111,136 --format json", 0, "\"los\": 0.996" },
        { "elo --wld 100,0,0", 0, "Elo is 607 or more" },
        { "elo --wld 0,0,9 --format json", 0, "\"elo_lo\": null" },
        { "elo 10,5,3", 2, "" },
        { "elo --wld 1,2", 2, "" },
        { "elo --wld 1,2,3,4", 2, "" },
        { "elo --wld 1,2,-3", 2, "" },
        { "elo --wld 1,2,3 --ldw 1,2,3", 2, "" },
        { "elo", 2, "" },
        { "sprt --ptnml 85,320,655,340,100 --elo0 0 --elo1 10 --format json", 11, "\"llr\": 0.86487898" },
        { "sprt --ptnml 85,320,655,340,100 --elo0 0 --elo1 10 --model logistic --format json", 11, "\"llr\": 0.42186227" },
        { "sprt --ptnml 0,0,3,747,750 --elo0 0 --elo1 10 --format json", 0, "\"verdict\": \"H1\"" },
        { "sprt --ptnml 750,747,3,0,0 --elo0 0 --elo1 10 --format json", 10, "\"verdict\": \"H0\"" },
        { "sprt --ptnml 1,1,1,1,1 --elo0 5 --elo1 0", 2, "" },
        { "sprt --ptnml 1,1,1,1,1 --elo0 0", 2, "" },
        { "rare --events 0 --trials 3000 --format csv", 0, "0,3000,0,0,0.00122887080382551,0.000998079011996587" },
        { "rare --events 4 --trials 3", 2, "" },
        { "rare --events 0 --trials 0", 2, "" },
        { "schedule --rounds 151 --players 3", 0, "151" },
        { "schedule --rounds 150 --players 3 --format json", 4, "\"distinct\": 50" },
        { "nothing", 2, "" },
        { "--help", 0, "usage" },
        { "elo --help", 0, "--ptnml" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text;
        int code = run(rows[i].line, &text);
        cr_expect_eq(code, rows[i].code, "%s: exit code %d", rows[i].line, code);
        cr_expect_not_null(strstr(text, rows[i].part), "%s printed:\n%s", rows[i].line, text);
        if (rows[i].code == 2)
            cr_expect_str_eq(text, "", "%s", rows[i].line);
        free(text);
    }
}

Test(stats, enough_samples_separate_just)
{
    /* Score 0.6, variance 0.24: z^2 * 0.24 / 0.01 = 92.19 games. */
    struct elo_stats stats = stats_elo((const int64_t[]){ 4, 0, 6 }, 3);
    cr_expect_eq(stats_samples_to_separate(&stats), 93);
    stats = stats_elo((const int64_t[]){ 93 * 4, 0, 93 * 6 }, 3);
    cr_expect_gt(stats.elo_lo.value, 0);
    stats = stats_elo((const int64_t[]){ 5, 1, 5 }, 3);
    cr_expect_eq(stats_samples_to_separate(&stats), 0);
}

Test(stats, rare_events_in_very_many_trials)
{
    struct interval none = stats_clopper_pearson(0, 1000000000, 0.05), one = stats_clopper_pearson(1, 1000000000, 0.025);
    cr_expect_float_eq(none.upper * 1e9, 2.995732269, 1e-6, "%g", none.upper * 1e9); /* -ln 0.05 */
    cr_expect_float_eq(one.lower * 1e9, 0.0253178, 1e-6, "%g", one.lower * 1e9);     /* -ln 0.975 */
    cr_expect_float_eq(one.upper * 1e9, 5.5716434, 1e-4, "%g", one.upper * 1e9);     /* Poisson, 97.5 % */
    /* Poisson, 2.5 % beyond each end; where GSL's own inverses give NaN. */
    struct interval ten = stats_clopper_pearson(10, 1000000000, 0.025);
    cr_expect_float_eq(ten.lower * 1e9, 4.79538870, 1e-6, "%g", ten.lower * 1e9);
    cr_expect_float_eq(ten.upper * 1e9, 18.3903560, 1e-6, "%g", ten.upper * 1e9);
    struct interval many = stats_clopper_pearson(100000, 1000000, 0.025);
    cr_expect_float_eq(many.lower * 1e6, 99412.669866, 1e-4, "%g", many.lower * 1e6);
    cr_expect_float_eq(many.upper * 1e6, 100589.648187, 1e-4, "%g", many.upper * 1e6);
    struct interval all = stats_clopper_pearson(20, 20, 0.05);
    cr_expect_eq(all.upper, 1);
    cr_expect_float_eq(all.lower, pow(0.05, 1.0 / 20), 1e-12);
}

Test(stats, tests_that_make_no_sense_are_refused)
{
    static const struct { struct sprt sprt; int cells; const char *part; } rows[] = {
        { { SPRT_LOGISTIC, 5, 5, 0.05, 0.05, false }, 5, "below elo1" },
        { { SPRT_LOGISTIC, 5, 0, 0.05, 0.05, false }, 5, "below elo1" },
        { { SPRT_LOGISTIC, 0, 5, 0, 0.05, false }, 5, "above 0" },
        { { SPRT_LOGISTIC, 0, 5, 0.5, 0.5, false }, 5, "below 1" },
        { { SPRT_BAYESIAN, 0, 5, 0.05, 0.05, false }, 5, "not pairs" },
        { { SPRT_NORMALIZED, 0, 232, 0.05, 0.05, false }, 5, "231.6" },
        { { SPRT_NORMALIZED, -341, 0, 0.05, 0.05, false }, 3, "340.4" },
        { { SPRT_LOGISTIC, 0, 1e9, 0.05, 0.05, false }, 3, "too far" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tm_error error = { 0 };
        cr_expect(!sprt_check(&rows[i].sprt, rows[i].cells, &error), "row %zu", i);
        cr_expect_not_null(strstr(error.message, rows[i].part), "%s", error.message);
    }
    const struct sprt edge = { SPRT_NORMALIZED, -231, 231, 0.05, 0.05, false };
    struct tm_error error = { 0 };
    cr_expect(sprt_check(&edge, 5, &error), "%s", error.message);
}

Test(stats, the_colours_of_a_test_can_be_swapped)
{
    /* Results mirrored and hypotheses mirrored: the ratio changes its sign. */
    for (int model = SPRT_NORMALIZED; model <= SPRT_LOGISTIC; model++) {
        const struct sprt one = { (enum sprt_model)model, -2, 7, 0.05, 0.05, false }, two = { (enum sprt_model)model, -7, 2, 0.05, 0.05, false };
        double a = 0, b = 0;
        struct tm_error error = { 0 };
        cr_assert(sprt_llr(&one, (const int64_t[]){ 3, 20, 51, 33, 9 }, 5, &a, &error));
        cr_assert(sprt_llr(&two, (const int64_t[]){ 9, 33, 51, 20, 3 }, 5, &b, &error));
        cr_expect_float_eq(a, -b, 1e-9, "model %d: %g and %g", model, a, b);
        cr_expect_gt(fabs(a), 0.1);
    }
}
