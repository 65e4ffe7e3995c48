/* Statistics of matches: Elo with intervals, sequential tests, rare events, schedules. Pure functions.
   Counts go from low to high: 3 cells are losses, draws, wins of games; 5 cells are pairs that scored
   0, 1/2, 1, 3/2, 2 points. GSL's error handler must be off. */
#ifndef TMSIM_STATS_H
#define TMSIM_STATS_H

#include <stdint.h>

#include "vclock/error.h"

/* Why there is no number. */
enum stats_gap {
    STATS_DEFINED, STATS_NO_SAMPLES, STATS_ONE_SAMPLE, STATS_NO_SPREAD, STATS_PLUS_INFINITY, STATS_MINUS_INFINITY,
    STATS_NO_DECISIVE, STATS_NOT_ONE_SIDED, STATS_NOT_PAIRED, STATS_GAP_COUNT
};

/* "every sample scored the same: …". */
const char *stats_gap_text(enum stats_gap gap);

/* A number, or the reason why there is none; the value is 0 then. */
struct estimate {
    double value;
    enum stats_gap gap;
};

/* 800 / ln 10: Elo per unit of the t-value. */
#define STATS_NELO_SCALE 347.43558552260146
/* The 97.5 % quantile of the normal distribution. */
#define STATS_Z95 1.959963984540054

/* Expected score at an Elo difference, and back; scores 0 and 1 give an infinite gap. */
double stats_elo_to_score(double elo);
struct estimate stats_score_to_elo(double score);

struct elo_stats {
    int cells;
    int64_t samples;                     /* games, or pairs */
    double variance, standard_error;     /* of a sample's score in 0..1 (divisor n), of their mean */
    struct estimate score;               /* 0..1 */
    struct estimate elo, elo_lo, elo_hi; /* logistic, 95 % interval from score +- z * standard error */
    struct estimate nelo, nelo_half;     /* normalized per game, half width of its 95 % interval */
    struct estimate los;                 /* probability of superiority, normal approximation */
    struct estimate draw_ratio;          /* draws / games, or pairs of one point each / pairs */
    struct estimate pairs_ratio;         /* won pairs / lost pairs; only of pairs */
};

/* 3 or 5 cells. With fewer than two samples or no spread there is no interval, never one of zero width. */
struct elo_stats stats_elo(const int64_t *count, int cells);

/* Where everything was won (or lost) Elo is infinite; this is its one-sided 95 % bound, from Clopper-Pearson's
   bound of the share of samples won (lost) outright, which a score cannot be further from the end than. */
struct estimate stats_one_sided_elo(const struct elo_stats *stats);

/* Samples after which a difference as it was seen would be separated from 0 (its 95 % interval excludes it);
   0: it would never be, or is undefined. */
int64_t stats_samples_to_separate(const struct elo_stats *stats);

enum sprt_model { SPRT_NORMALIZED, SPRT_LOGISTIC, SPRT_BAYESIAN };
enum sprt_verdict { SPRT_CONTINUE, SPRT_H0, SPRT_H1 };

struct sprt {
    enum sprt_model model;
    double elo0, elo1; /* in the model's own Elo */
    double alpha, beta;
    bool overshoot;    /* a test that runs moves its bounds by its own overshoot; what is computed from counts cannot */
};

/* elo0 < elo1, 0 < alpha, beta, alpha + beta < 1, bounds within the model's domain, cells that the model has. */
bool sprt_check(const struct sprt *sprt, int cells, struct tm_error *error);

/* Exact generalised log likelihood ratio (constrained maximum likelihood under both hypotheses); an empty cell
   counts 0.001. The test must have passed sprt_check. */
bool sprt_llr(const struct sprt *sprt, const int64_t *count, int cells, double *llr, struct tm_error *error);

/* Wald's bounds. */
double sprt_lower(const struct sprt *sprt);
double sprt_upper(const struct sprt *sprt);
enum sprt_verdict sprt_verdict(const struct sprt *sprt, double llr);

/* How far a ratio jumps beyond a bound on average, learnt from its own records on the way (Siegmund, Sequential
   Analysis, 1985, corollary 8.33; as fishtest does it): [0] new lows, [1] new highs. Starts as zeros. */
struct sprt_overshoot {
    double record[2], sum[2], squares[2];
};

/* The ratio after one more sample. */
void sprt_overshoot_add(struct sprt_overshoot *overshoot, double llr);

/* By how much the lower (0) or upper (1) bound moves inwards, so that the error rates are those asked for. >= 0. */
double sprt_overshoot_shift(const struct sprt_overshoot *overshoot, int upper);

/* The verdict with bounds that are moved so: strictly beyond them. */
enum sprt_verdict sprt_overshoot_verdict(const struct sprt *sprt, const struct sprt_overshoot *overshoot, double llr);

/* What an empty cell counts: the convention of the common match runners. */
#define SPRT_EMPTY_CELL 0.001

/* A log likelihood ratio as a Brownian motion from 0 between two walls; drift and deviation per sample. */
struct sprt_motion {
    double lower, upper, mu, sigma;
};

/* Probability of an outcome before (time, y) in the order from an early fail to an early pass: absorbed below by
   `time`, or still inside then and below y. */
double sprt_outcome_probability(const struct sprt_motion *motion, double time, double y);

/* Logistic Elo after a sequential test, whatever its model: median-unbiased, with a 95 % interval, sought within
   +-1000; and the probability of the observed outcome or a lesser one at Elo 0 (likelihood of superiority). The
   plain estimate at the stop leans towards the verdict. */
struct sprt_estimate {
    double elo, elo_lo, elo_hi, los;
};
struct sprt_estimate sprt_estimate(const struct sprt *sprt, const int64_t *count, int cells);

struct interval {
    double lower, upper;
};

/* Clopper-Pearson. `tail` is the probability left out at each end: 0.025 for a two-sided 95 % interval, 0.05 for
   one-sided 95 % bounds. 0 <= events <= trials, trials > 0. */
struct interval stats_clopper_pearson(int64_t events, int64_t trials, double tail);

/* Openings dealt by (round * pairings + pairing) mod rounds, as common match runners do. */
struct schedule {
    int64_t pairings, gcd, distinct, games_per_opening;
};
struct schedule stats_schedule(int64_t rounds, int64_t players);

#endif
