/* The estimate after a sequential test. The log likelihood ratio is treated as a Brownian motion from 0 that ends at
   the bounds; outcomes are ordered from an early fail to an early pass, and the estimate is the Elo at which the
   observed outcome is the median one. Formulas: the outcome distribution is the classical series of a motion
   between two absorbing walls, with Siegmund's approximation (Sequential Analysis, 1985, chapter 3) where the
   series converges badly. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>

#include "tmsim/stats.h"

enum { SERIES_TERMS = 100000, ROOT_STEPS = 200 };

static const double series_end = 1e-9; /* a term below this adds nothing that is shown */
static const double elo_limit = 1000;  /* the estimate is sought within +-this */

/* Probability of having been absorbed at the lower wall at all. */
static double absorbed_below(double width, double start, double drift)
{
    if (fabs(drift * width) < 1e-12)
        return (width - start) / width;
    return expm1(2 * drift * (width - start)) / expm1(2 * drift * width);
}

static double series_cdf(const struct sprt_motion *motion, double time, double y)
{
    double width = motion->upper - motion->lower, start = -motion->lower, end = y - motion->lower;
    double variance = motion->sigma * motion->sigma, drift = motion->mu / variance, sum = 0;
    for (int n = 1; n < SERIES_TERMS; n++) {
        double wave = n * M_PI / width;
        double rate = wave * wave * variance / 2 + motion->mu * motion->mu / (2 * variance);
        double u = (2 * width * drift * sin(wave * end) - 2 * n * M_PI * cos(wave * end))
                   / (width * width * drift * drift + (double)n * n * M_PI * M_PI);
        double factor = exp(drift * (end - start) - rate * time);
        sum += factor * sin(wave * start) * u;
        if (fabs(factor * u) <= series_end)
            break;
    }
    return absorbed_below(width, start, drift) + sum;
}

/* exp(2 drift wall) * P(Z < z). With the wall far in the drift's direction the first overflows and the second
   vanishes: two terms of Mills' ratio then, as the reference implementation has it. */
static double reflected(double drift, double wall, double z)
{
    if (drift * wall < 5)
        return exp(2 * drift * wall) * gsl_cdf_ugaussian_P(z);
    return -exp(2 * drift * wall - z * z / 2) / (sqrt(2 * M_PI) * z) * (1 - 1 / (z * z));
}

static double siegmund_cdf(const struct sprt_motion *motion, double time, double y)
{
    double a = motion->lower, b = motion->upper, drift = motion->mu / (motion->sigma * motion->sigma);
    double spread = motion->sigma * sqrt(time), way = motion->mu * time;
    double p = gsl_cdf_ugaussian_P((y - way) / spread);
    double below = reflected(drift, a, (2 * a - y + way) / spread);
    double above = reflected(drift, b, (y - 2 * b - way) / spread);
    return p + below - above;
}

double sprt_outcome_probability(const struct sprt_motion *motion, double time, double y)
{
    double width = motion->upper - motion->lower, variance = motion->sigma * motion->sigma;
    /* Where the two agree best: the reference implementation's limits. */
    bool slow = variance * time / (width * width) < 0.01 || fabs(motion->mu / variance * width) > 15;
    return slow ? siegmund_cdf(motion, time, y) : series_cdf(motion, time, y);
}

/* What was seen, as a motion: the position at the time of the stop. */
struct observed {
    struct sprt_motion motion;
    double score0, score1, variance, time, position, target;
};

static double probability_at(const struct observed *seen, double elo)
{
    struct sprt_motion motion = seen->motion;
    double gap = seen->score1 - seen->score0, score = stats_elo_to_score(elo);
    motion.mu = (score - (seen->score0 + seen->score1) / 2) * gap / seen->variance;
    motion.sigma = gap / sqrt(seen->variance);
    return sprt_outcome_probability(&motion, seen->time, seen->position);
}

static double excess(double elo, void *context)
{
    const struct observed *seen = context;
    return probability_at(seen, elo) - seen->target;
}

/* The Elo at which the observed outcome has probability `target`; it falls with Elo. */
static double solve_elo(struct observed *seen, double target, double middle, double reach)
{
    seen->target = target;
    double low = fmax(middle - reach, -elo_limit), high = fmin(middle + reach, elo_limit);
    while (excess(low, seen) < 0 && low > -elo_limit)
        low = fmax(middle - (reach *= 2), -elo_limit);
    while (excess(high, seen) > 0 && high < elo_limit)
        high = fmin(middle + (reach *= 2), elo_limit);
    if (excess(low, seen) <= 0)
        return low;
    if (excess(high, seen) >= 0)
        return high;
    for (int step = 0; step < ROOT_STEPS && high - low > 1e-9; step++) {
        double half = (low + high) / 2;
        *(excess(half, seen) > 0 ? &low : &high) = half;
    }
    return (low + high) / 2;
}

/* Mean and variance of a sample's score; an empty cell counts as in the test itself. */
static double moments(const int64_t *count, int cells, double *mean, double *variance)
{
    double total = 0, sum = 0, squares = 0;
    for (int i = 0; i < cells; i++) {
        double weight = count[i] > 0 ? (double)count[i] : SPRT_EMPTY_CELL, score = (double)i / (cells - 1);
        total += weight;
        sum += weight * score;
        squares += weight * score * score;
    }
    *mean = sum / total;
    *variance = squares / total - *mean * *mean;
    return total;
}

static double hypothesis_score(const struct sprt *sprt, double elo, double variance, int cells)
{
    if (sprt->model != SPRT_NORMALIZED)
        return stats_elo_to_score(elo);
    return 0.5 + elo / STATS_NELO_SCALE * sqrt(cells == 5 ? 2 * variance : variance);
}

struct sprt_estimate sprt_estimate(const struct sprt *sprt, const int64_t *count, int cells)
{
    struct observed seen = { .motion = { .lower = sprt_lower(sprt), .upper = sprt_upper(sprt) } };
    double mean, samples = moments(count, cells, &mean, &seen.variance);
    seen.score0 = hypothesis_score(sprt, sprt->elo0, seen.variance, cells);
    seen.score1 = hypothesis_score(sprt, sprt->elo1, seen.variance, cells);
    double slope = (seen.score1 - seen.score0) * (2 * mean - seen.score0 - seen.score1) / (2 * seen.variance);
    seen.position = fmin(fmax(slope * samples, seen.motion.lower), seen.motion.upper);
    /* Beyond a bound the last step was too long: the motion ended where it crossed. */
    seen.time = seen.position < slope * samples || seen.position > slope * samples ? seen.position / slope : samples;
    double middle = (sprt->elo0 + sprt->elo1) / 2, reach = 30 * (sprt->elo1 - sprt->elo0);
    return (struct sprt_estimate){
        .elo = solve_elo(&seen, 0.5, middle, reach),
        .elo_lo = solve_elo(&seen, 0.975, middle, reach),
        .elo_hi = solve_elo(&seen, 0.025, middle, reach),
        .los = probability_at(&seen, 0),
    };
}

char *sprt_estimate_text(char buffer[static 32], double elo, int decimals)
{
    if (fabs(elo) < elo_limit)
        snprintf(buffer, 32, "%+.*f", decimals, elo);
    else
        snprintf(buffer, 32, "%cinf", elo > 0 ? '+' : '-');
    return buffer;
}
