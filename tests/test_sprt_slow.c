/* Acceptance rates of the exact test by simulation, against an independent implementation's: within four combined
   standard errors, at a fixed seed. */
#include <criterion/criterion.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#include "tmsim/draw.h"
#include "tmsim/stats.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(sprt_slow, .init = no_handler);

enum { RUNS = 2000, MOST_PAIRS = 200000 };

/* SPRT(0, 10), alpha = beta = 0.05, checked after every pair: rate of H1 and mean pairs, with the standard errors. */
static const struct {
    const char *name;
    enum sprt_model model;
    double p[5], rate, rate_error, pairs, pairs_error;
} rows[] = {
    { "A 0", SPRT_LOGISTIC, { .060000, .220000, .440000, .220000, .060000 }, 0.0488, 0.0011, 1495.2, 5.3 },
    { "A 5", SPRT_LOGISTIC, { .056336, .213128, .439802, .226889, .063845 }, 0.4915, 0.0050, 2466.8, 20.3 },
    { "A 10", SPRT_LOGISTIC, { .052848, .206287, .439209, .233782, .067875 }, 0.9464, 0.0023, 1499.7, 10.7 },
    { "B 0", SPRT_LOGISTIC, { .005000, .175000, .640000, .175000, .005000 }, 0.0470, 0.0021, 643.7, 4.6 },
    { "B 5", SPRT_LOGISTIC, { .004309, .162380, .639321, .188201, .005789 }, 0.5094, 0.0050, 1067.2, 8.9 },
    { "B 10", SPRT_LOGISTIC, { .003707, .150363, .637290, .201952, .006687 }, 0.9478, 0.0022, 636.3, 4.5 },
    { "C 0", SPRT_LOGISTIC, { .030000, .150000, .640000, .150000, .030000 }, 0.0484, 0.0021, 884.8, 6.4 },
    { "C 5", SPRT_LOGISTIC, { .026947, .142108, .639510, .158087, .033348 }, 0.4954, 0.0050, 1456.7, 12.1 },
    { "C 10", SPRT_LOGISTIC, { .024174, .134444, .638044, .166335, .037003 }, 0.9545, 0.0021, 886.0, 6.4 },
    { "A 0 normalized", SPRT_NORMALIZED, { .060000, .220000, .440000, .220000, .060000 }, 0.0494, 0.0022, 3229.1, 23.5 },
};

static int draw_cell(const double *p, uint64_t seed, int run, int pair)
{
    double left = draw_unit(seed, run, pair, DRAW_POLICY, 0);
    int cell = 0;
    while (cell < 4 && left >= p[cell])
        left -= p[cell++];
    return cell;
}

/* Far from both bounds the ratio is not worked out: the normal approximation errs by far less than 1 there once there
   are 100 pairs, so that no crossing is missed. */
static bool is_far(const struct sprt *sprt, const int64_t *count, int pairs)
{
    if (pairs < 100)
        return false;
    struct elo_stats stats = stats_elo(count, 5);
    double scale = sprt->model == SPRT_NORMALIZED ? sqrt(2 * stats.variance) / STATS_NELO_SCALE : 0;
    double s0 = scale > 0 ? 0.5 + scale * sprt->elo0 : stats_elo_to_score(sprt->elo0);
    double s1 = scale > 0 ? 0.5 + scale * sprt->elo1 : stats_elo_to_score(sprt->elo1);
    return fabs(pairs * (s1 - s0) * (2 * stats.score.value - s0 - s1) / (2 * stats.variance)) < 1.9;
}

static int run_test(const struct sprt *sprt, const double *p, uint64_t seed, int run, enum sprt_verdict *verdict)
{
    int64_t count[5] = { 0 };
    struct tm_error error = { 0 };
    double llr;
    *verdict = SPRT_CONTINUE;
    int pairs = 0;
    while (*verdict == SPRT_CONTINUE && pairs < MOST_PAIRS) {
        count[draw_cell(p, seed, run, pairs++)]++;
        if (is_far(sprt, count, pairs))
            continue;
        cr_assert(sprt_llr(sprt, count, 5, &llr, &error), "%s", error.message);
        *verdict = sprt_verdict(sprt, llr);
    }
    return pairs;
}

Test(sprt_slow, acceptance_rates_are_those_of_the_reference, .timeout = 850)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct sprt sprt = { rows[r].model, 0, 10, 0.05, 0.05, false };
        double accepted = 0, sum = 0, squares = 0;
        for (int run = 0; run < RUNS; run++) {
            enum sprt_verdict verdict;
            double pairs = run_test(&sprt, rows[r].p, 20260101 + r, run, &verdict);
            accepted += verdict == SPRT_H1;
            sum += pairs;
            squares += pairs * pairs;
        }
        double rate = accepted / RUNS, mean = sum / RUNS;
        double rate_error = hypot(sqrt(rows[r].rate * (1 - rows[r].rate) / RUNS), rows[r].rate_error);
        double mean_error = hypot(sqrt((squares / RUNS - mean * mean) / RUNS), rows[r].pairs_error);
        cr_expect(fabs(rate - rows[r].rate) < 4 * rate_error, "%s: rate %.4f, reference %.4f", rows[r].name, rate, rows[r].rate);
        cr_expect(fabs(mean - rows[r].pairs) < 4 * mean_error, "%s: %.1f pairs, reference %.1f", rows[r].name, mean, rows[r].pairs);
        cr_log_info("%s: rate %.4f (%.4f), pairs %.1f (%.1f)", rows[r].name, rate, rows[r].rate, mean, rows[r].pairs);
    }
}
