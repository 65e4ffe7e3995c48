/* Exact generalised sequential probability ratio tests. Under a hypothesis the cells' probabilities are those of
   maximum likelihood among all that fulfil it: p / (1 + theta * phi), where phi is the constraint's gradient and
   theta makes the constraint hold. Approximations (normal, BayesElo) are not used: started at the first pair they
   accept falsely in 30 % instead of 5 % of the tests. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#include "tmsim/stats.h"

enum { MAX_CELLS = 5, ROOT_STEPS = 200, FIXED_POINT_STEPS = 100 };

struct sample {
    int cells;
    double total, p[MAX_CELLS], score[MAX_CELLS];
};

static struct sample sample_from(const int64_t *count, int cells)
{
    struct sample sample = { .cells = cells };
    for (int i = 0; i < cells; i++) {
        sample.p[i] = count[i] > 0 ? (double)count[i] : SPRT_EMPTY_CELL;
        sample.score[i] = (double)i / (cells - 1);
        sample.total += sample.p[i];
    }
    for (int i = 0; i < cells; i++)
        sample.p[i] /= sample.total;
    return sample;
}

struct constraint {
    const struct sample *sample;
    double phi[MAX_CELLS], least, greatest;
};

static void find_ends(struct constraint *constraint)
{
    constraint->least = constraint->greatest = constraint->phi[0];
    for (int i = 1; i < constraint->sample->cells; i++) {
        constraint->least = fmin(constraint->least, constraint->phi[i]);
        constraint->greatest = fmax(constraint->greatest, constraint->phi[i]);
    }
}

/* Sum p phi / (1 + theta phi), times both poles' factors: the same root, and finite at both ends. */
static double constraint_sum(double theta, void *context)
{
    const struct constraint *c = context;
    double low = 1 + theta * c->greatest, high = 1 + theta * c->least, sum = 0;
    for (int i = 0; i < c->sample->cells; i++) {
        double phi = c->phi[i], weight = c->sample->p[i] * phi;
        if (phi >= c->greatest)
            sum += weight * high;
        else if (phi <= c->least)
            sum += weight * low;
        else
            sum += weight * low * high / (1 + theta * phi);
    }
    return sum;
}

/* The only root on (-1 / greatest, -1 / least), where all probabilities are positive. */
static bool solve_theta(struct constraint *constraint, double *theta)
{
    find_ends(constraint);
    if (!(constraint->greatest > 0) || !(constraint->least < 0))
        return false;
    double low = -1 / constraint->greatest, high = -1 / constraint->least, width = high - low;
    gsl_function function = { constraint_sum, constraint };
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return false;
    bool ok = gsl_root_fsolver_set(solver, &function, low, high) == GSL_SUCCESS;
    for (int step = 0; ok && step < ROOT_STEPS; step++) {
        ok = gsl_root_fsolver_iterate(solver) == GSL_SUCCESS;
        if (gsl_root_fsolver_x_upper(solver) - gsl_root_fsolver_x_lower(solver) <= 1e-15 * width)
            break;
    }
    *theta = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return ok;
}

/* Log likelihood of the sample under the hypothesis, relative to the unconstrained maximum. */
static double log_likelihood(const struct constraint *constraint, double theta)
{
    double sum = 0;
    for (int i = 0; i < constraint->sample->cells; i++)
        sum -= constraint->sample->p[i] * log1p(theta * constraint->phi[i]);
    return constraint->sample->total * sum;
}

/* Hypothesis: the mean is `score`. */
static bool fit_mean(const struct sample *sample, double score, double *likelihood)
{
    struct constraint constraint = { .sample = sample };
    double theta;
    for (int i = 0; i < sample->cells; i++)
        constraint.phi[i] = sample->score[i] - score;
    if (!solve_theta(&constraint, &theta))
        return false;
    *likelihood = log_likelihood(&constraint, theta);
    return true;
}

/* The gradient of (mean - 1/2) - t * deviation at the distribution q. */
static void t_gradient(const struct sample *sample, const double *q, double t, double *phi)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < sample->cells; i++)
        mean += q[i] * sample->score[i];
    for (int i = 0; i < sample->cells; i++)
        variance += q[i] * (sample->score[i] - mean) * (sample->score[i] - mean);
    double deviation = sqrt(variance);
    for (int i = 0; i < sample->cells; i++) {
        double z = (sample->score[i] - mean) / deviation;
        phi[i] = sample->score[i] - 0.5 - t * deviation / 2 * (1 + z * z);
    }
}

/* Hypothesis: (mean - 1/2) / deviation is t. A fixed point from the uniform distribution; 6 to 31 steps are
   typical, 100 bounds it. */
static bool fit_t(const struct sample *sample, double t, double *likelihood)
{
    struct constraint constraint = { .sample = sample };
    double q[MAX_CELLS], theta = 0, change = 1;
    for (int i = 0; i < sample->cells; i++)
        q[i] = 1.0 / sample->cells;
    for (int step = 0; step < FIXED_POINT_STEPS && change > 1e-12; step++) {
        t_gradient(sample, q, t, constraint.phi);
        if (!solve_theta(&constraint, &theta))
            return false;
        change = 0;
        for (int i = 0; i < sample->cells; i++) {
            double next = sample->p[i] / (1 + theta * constraint.phi[i]);
            change = fmax(change, fabs(next - q[i]));
            q[i] = next;
        }
    }
    *likelihood = log_likelihood(&constraint, theta);
    return true;
}

/* The t-value of a pair is sqrt 2 times that of a game. */
static double t_value(double elo, int cells) { return elo * (cells == 5 ? sqrt(2) : 1) / STATS_NELO_SCALE; }

/* The fixed point starts at the uniform distribution, which reaches only so far. */
static bool t_in_domain(double elo, int cells)
{
    const int64_t ones[MAX_CELLS] = { 1, 1, 1, 1, 1 };
    struct sample uniform = sample_from(ones, cells);
    struct constraint constraint = { .sample = &uniform };
    t_gradient(&uniform, uniform.p, t_value(elo, cells), constraint.phi);
    find_ends(&constraint);
    return constraint.greatest > 0 && constraint.least < 0;
}

/* Score at a BayesElo difference, with the sample's own rate of draws (plugged in). */
static double bayes_score(const struct sample *sample, double elo)
{
    double lost = sample->p[0], won = sample->p[2];
    double draw_elo = 200 * log10((1 - lost) / lost * (1 - won) / won);
    double win = 1 / (1 + pow(10, (draw_elo - elo) / 400)), loss = 1 / (1 + pow(10, (draw_elo + elo) / 400));
    return win + (1 - win - loss) / 2;
}

bool sprt_check(const struct sprt *sprt, int cells, struct tm_error *error)
{
    if (!(sprt->elo0 < sprt->elo1))
        return error_fail(error, TM_INPUT, "elo0 %g, elo1 %g: elo0 must be below elo1", sprt->elo0, sprt->elo1);
    if (!(sprt->alpha > 0) || !(sprt->beta > 0) || !(sprt->alpha + sprt->beta < 1))
        return error_fail(error, TM_INPUT, "alpha %g, beta %g: both must be above 0 and their sum below 1", sprt->alpha,
                          sprt->beta);
    if (sprt->model == SPRT_BAYESIAN && cells != 3)
        return error_fail(error, TM_INPUT, "the bayesian model knows wins, draws and losses, not pairs; use normalized or "
                          "logistic for pairs");
    double limit = cells == 5 ? 231.6 : 340.4; /* for the message only */
    for (int i = 0; i < 2; i++) {
        double elo = i ? sprt->elo1 : sprt->elo0;
        if (sprt->model == SPRT_NORMALIZED && !t_in_domain(elo, cells))
            return error_fail(error, TM_INPUT, "elo%d %g: normalized Elo must lie within ±%.1f", i, elo, limit);
        double score = stats_elo_to_score(elo);
        if (!(score > 0) || !(score < 1))
            return error_fail(error, TM_INPUT, "elo%d %g: too far from 0", i, elo);
    }
    return true;
}

static bool fit(const struct sprt *sprt, const struct sample *sample, double elo, double *likelihood)
{
    if (sprt->model == SPRT_NORMALIZED)
        return fit_t(sample, t_value(elo, sample->cells), likelihood);
    return fit_mean(sample, sprt->model == SPRT_LOGISTIC ? stats_elo_to_score(elo) : bayes_score(sample, elo), likelihood);
}

bool sprt_llr(const struct sprt *sprt, const int64_t *count, int cells, double *llr, struct tm_error *error)
{
    struct sample sample = sample_from(count, cells);
    double under0, under1;
    if (!fit(sprt, &sample, sprt->elo0, &under0) || !fit(sprt, &sample, sprt->elo1, &under1))
        return error_fail(error, TM_INPUT, "no distribution of these results fulfils elo0 %g and elo1 %g", sprt->elo0,
                          sprt->elo1);
    *llr = under1 - under0;
    return true;
}

double sprt_lower(const struct sprt *sprt) { return log(sprt->beta / (1 - sprt->alpha)); }

double sprt_upper(const struct sprt *sprt) { return log((1 - sprt->beta) / sprt->alpha); }

enum sprt_verdict sprt_verdict(const struct sprt *sprt, double llr)
{
    if (llr >= sprt_upper(sprt))
        return SPRT_H1;
    return llr <= sprt_lower(sprt) ? SPRT_H0 : SPRT_CONTINUE;
}

void sprt_overshoot_add(struct sprt_overshoot *overshoot, double llr)
{
    for (int upper = 0; upper < 2; upper++) {
        const double step = llr - overshoot->record[upper];
        if (upper ? step <= 0 : step >= 0)
            continue;
        overshoot->record[upper] = llr;
        overshoot->sum[upper] += step;
        overshoot->squares[upper] += step * step;
    }
}

double sprt_overshoot_shift(const struct sprt_overshoot *overshoot, int upper)
{
    const double sum = fabs(overshoot->sum[upper]);
    return sum > 0 ? overshoot->squares[upper] / (2 * sum) : 0;
}

enum sprt_verdict sprt_overshoot_verdict(const struct sprt *sprt, const struct sprt_overshoot *overshoot, double llr)
{
    if (llr > sprt_upper(sprt) - sprt_overshoot_shift(overshoot, 1))
        return SPRT_H1;
    return llr < sprt_lower(sprt) + sprt_overshoot_shift(overshoot, 0) ? SPRT_H0 : SPRT_CONTINUE;
}
