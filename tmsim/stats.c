/* Point estimates, intervals and bounds. Undefined cases are told by their reason and never shown as 0 or NaN. */
#include "tmsim/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

static const char *const gap_text[STATS_GAP_COUNT] = {
    [STATS_DEFINED] = "",
    [STATS_NO_SAMPLES] = "nothing was played",
    [STATS_ONE_SAMPLE] = "one sample has no spread to estimate an error from",
    [STATS_NO_SPREAD] = "every sample scored the same: no spread to estimate an error from",
    [STATS_PLUS_INFINITY] = "plus infinity",
    [STATS_MINUS_INFINITY] = "minus infinity",
    [STATS_NO_DECISIVE] = "no pair was won or lost",
    [STATS_NOT_ONE_SIDED] = "not every sample was won or lost",
    [STATS_NOT_PAIRED] = "only defined for pairs",
};

const char *stats_gap_text(enum stats_gap gap) { return gap_text[gap]; }

static struct estimate defined(double value) { return (struct estimate){ value, STATS_DEFINED }; }

static struct estimate undefined(enum stats_gap gap) { return (struct estimate){ 0, gap }; }

double stats_elo_to_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

struct estimate stats_score_to_elo(double score)
{
    if (score <= 0)
        return undefined(STATS_MINUS_INFINITY);
    if (score >= 1)
        return undefined(STATS_PLUS_INFINITY);
    return defined(0 - 400 * log10(1 / score - 1)); /* 0 - x: never a negative zero */
}

static struct estimate pairs_ratio(const int64_t *count, int cells)
{
    if (cells != 5)
        return undefined(STATS_NOT_PAIRED);
    int64_t lost = count[0] + count[1], won = count[3] + count[4];
    if (lost == 0)
        return undefined(won ? STATS_PLUS_INFINITY : STATS_NO_DECISIVE);
    return defined((double)won / (double)lost);
}

/* All that needs a spread is undefined for the same reason. */
static void leave_open(struct elo_stats *stats, enum stats_gap gap)
{
    stats->elo_lo = stats->elo_hi = stats->nelo = stats->nelo_half = stats->los = undefined(gap);
}

static void fill_spread(struct elo_stats *stats)
{
    double mean = stats->score.value, error = stats->standard_error;
    /* A pair's deviation times sqrt 2 is the deviation per game. */
    double games = stats->cells == 5 ? 2 : 1;
    stats->elo_lo = stats_score_to_elo(mean - STATS_Z95 * error);
    stats->elo_hi = stats_score_to_elo(mean + STATS_Z95 * error);
    stats->nelo = defined(STATS_NELO_SCALE * (mean - 0.5) / sqrt(games * stats->variance));
    stats->nelo_half = defined(STATS_NELO_SCALE * STATS_Z95 / sqrt(games * (double)stats->samples));
    stats->los = defined(gsl_cdf_ugaussian_P((mean - 0.5) / error));
}

struct elo_stats stats_elo(const int64_t *count, int cells)
{
    struct elo_stats stats = { .cells = cells };
    double sum = 0, squares = 0, step = 1.0 / (cells - 1);
    for (int i = 0; i < cells; i++) {
        stats.samples += count[i];
        sum += (double)count[i] * i * step;
    }
    if (stats.samples == 0) {
        stats.score = stats.elo = stats.draw_ratio = undefined(STATS_NO_SAMPLES);
        stats.pairs_ratio = undefined(cells == 5 ? STATS_NO_SAMPLES : STATS_NOT_PAIRED);
        leave_open(&stats, STATS_NO_SAMPLES);
        return stats;
    }
    double n = (double)stats.samples, mean = sum / n;
    for (int i = 0; i < cells; i++)
        squares += (double)count[i] * (i * step - mean) * (i * step - mean);
    int used = 0;
    for (int i = 0; i < cells; i++)
        used += count[i] != 0;
    stats.score = defined(mean);
    stats.elo = stats_score_to_elo(mean);
    stats.draw_ratio = defined((double)count[cells / 2] / n);
    stats.pairs_ratio = pairs_ratio(count, cells);
    stats.variance = squares / n; /* scores are multiples of 1/4: exactly 0 if all are equal */
    stats.standard_error = sqrt(stats.variance / n);
    if (used > 1)
        fill_spread(&stats);
    else
        leave_open(&stats, stats.samples == 1 ? STATS_ONE_SAMPLE : STATS_NO_SPREAD);
    return stats;
}

struct estimate stats_one_sided_elo(const struct elo_stats *stats)
{
    if (stats->elo.gap != STATS_PLUS_INFINITY && stats->elo.gap != STATS_MINUS_INFINITY)
        return undefined(STATS_NOT_ONE_SIDED);
    bool won = stats->elo.gap == STATS_PLUS_INFINITY;
    struct interval bound = stats_clopper_pearson(won ? stats->samples : 0, stats->samples, 0.05);
    return stats_score_to_elo(won ? bound.lower : bound.upper);
}

int64_t stats_samples_to_separate(const struct elo_stats *stats)
{
    if (stats->score.gap || !(stats->variance > 0))
        return 0;
    double distance = stats->score.value - 0.5;
    double samples = STATS_Z95 * STATS_Z95 * stats->variance / (distance * distance);
    /* Beyond 10^9 a number would only be noise: guess. */
    return samples < 1e9 ? (int64_t)ceil(samples) : 0;
}

/* Where the beta distribution leaves `tail` below (or, if `above`, beyond) itself: bisection of ln x, down to the
   spacing of doubles. gsl_cdf_beta_Pinv and Qinv 2.7.1 give NaN for many arguments, for instance a = 2, b = 10^6. */
static double beta_quantile(double tail, double a, double b, bool above)
{
    double low = -745, high = 0; /* ln of the smallest double, of 1 */
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2, x = exp(middle);
        bool rise = above ? gsl_cdf_beta_Q(x, a, b) > tail : gsl_cdf_beta_P(x, a, b) < tail;
        *(rise ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

struct interval stats_clopper_pearson(int64_t events, int64_t trials, double tail)
{
    double k = (double)events, n = (double)trials;
    struct interval interval = { 0, 1 };
    if (events > 0)
        interval.lower = events == trials ? exp(log(tail) / n) : beta_quantile(tail, k, n - k + 1, false);
    if (events < trials)
        interval.upper = events == 0 ? -expm1(log(tail) / n) : beta_quantile(tail, k + 1, n - k, true);
    return interval;
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

struct schedule stats_schedule(int64_t rounds, int64_t players)
{
    int64_t pairings = players * (players - 1) / 2, divisor = gcd(rounds, pairings);
    return (struct schedule){ pairings, divisor, rounds / divisor, 2 * divisor };
}
