/* Newton's method on the concave log likelihood; player 0 is fixed meanwhile, and the anchor is applied at the end. */
#include "tmsim/bradley.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

enum { NEWTON_STEPS = 100 };

static const double elo_scale = 0.0057564627324851142; /* ln 10 / 400 */

struct work {
    const struct bradley_games *row;
    int count, players, clusters;
    double *rating;        /* natural units, player 0 at 0 */
    gsl_matrix *hessian;   /* of players 1 … */
    gsl_vector *gradient, *step;
};

static double expected(const struct work *work, const struct bradley_games *row)
{
    return 1 / (1 + exp(work->rating[row->second] - work->rating[row->first]));
}

static void add_at(gsl_vector *vector, int player, double value)
{
    if (player > 0)
        gsl_vector_set(vector, (size_t)player - 1, gsl_vector_get(vector, (size_t)player - 1) + value);
}

static void add_product(gsl_matrix *matrix, int a, int b, double value)
{
    if (a > 0 && b > 0)
        *gsl_matrix_ptr(matrix, (size_t)a - 1, (size_t)b - 1) += value;
}

static void differentiate(struct work *work)
{
    gsl_matrix_set_zero(work->hessian);
    gsl_vector_set_zero(work->gradient);
    for (int i = 0; i < work->count; i++) {
        const struct bradley_games *row = &work->row[i];
        double p = expected(work, row), residual = row->points - row->games * p, weight = row->games * p * (1 - p);
        add_at(work->gradient, row->first, residual);
        add_at(work->gradient, row->second, -residual);
        add_product(work->hessian, row->first, row->first, weight);
        add_product(work->hessian, row->second, row->second, weight);
        add_product(work->hessian, row->first, row->second, -weight);
        add_product(work->hessian, row->second, row->first, -weight);
    }
}

/* True once converged. Steps are bounded: far from the maximum the quadratic model overshoots. */
static bool newton(struct work *work)
{
    for (int step = 0; step < NEWTON_STEPS; step++) {
        differentiate(work);
        if (gsl_linalg_cholesky_decomp1(work->hessian) != 0
            || gsl_linalg_cholesky_solve(work->hessian, work->gradient, work->step) != 0)
            return false;
        double longest = fmax(fabs(gsl_vector_max(work->step)), fabs(gsl_vector_min(work->step)));
        double factor = longest > 2 ? 2 / longest : 1;
        for (int i = 1; i < work->players; i++)
            work->rating[i] += factor * gsl_vector_get(work->step, (size_t)i - 1);
        if (longest < 1e-12)
            return true;
    }
    return false;
}

/* Marks who can be reached from `player` along points scored (or, if `back`, conceded). */
static void reach(const struct work *work, int player, bool back, bool *seen)
{
    seen[player] = true;
    for (int i = 0; i < work->count; i++) {
        const struct bradley_games *row = &work->row[i];
        bool first_scored = row->points > 0, second_scored = row->points < row->games;
        if (row->first == player && (back ? second_scored : first_scored) && !seen[row->second])
            reach(work, row->second, back, seen);
        if (row->second == player && (back ? first_scored : second_scored) && !seen[row->first])
            reach(work, row->first, back, seen);
    }
}

/* The maximum is finite if points lead from everybody to everybody (Ford, 1957). */
static bool is_connected(const struct work *work, bool *seen)
{
    for (int back = 0; back < 2; back++) {
        for (int i = 0; i < work->players; i++)
            seen[i] = false;
        reach(work, 0, back, seen);
        for (int i = 0; i < work->players; i++)
            if (!seen[i])
                return false;
    }
    return true;
}

/* The middle of the sandwich: the clusters' scores, squared and summed. */
static void sum_clusters(struct work *work, double *score, gsl_matrix *meat)
{
    int players = work->players;
    for (int i = 0; i < work->count; i++) {
        const struct bradley_games *row = &work->row[i];
        double residual = row->points - row->games * expected(work, row);
        score[row->cluster * players + row->first] += residual;
        score[row->cluster * players + row->second] -= residual;
    }
    gsl_matrix_set_zero(meat);
    double factor = (double)work->clusters / (work->clusters - 1);
    for (int c = 0; c < work->clusters; c++)
        for (int a = 1; a < players; a++)
            for (int b = 1; b < players; b++)
                add_product(meat, a, b, factor * score[c * players + a] * score[c * players + b]);
}

/* covariance = T (bread meat bread) T', where T moves the origin to the anchor (or to the mean). */
static void move_origin(const gsl_matrix *inner, int anchor, struct bradley *out)
{
    int n = out->players;
    double *full = out->covariance;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            full[a * n + b] =
                a && b ? gsl_matrix_get(inner, (size_t)a - 1, (size_t)b - 1) / (elo_scale * elo_scale) : 0;
    for (int pass = 0; pass < 2; pass++) /* rows, then columns */
        for (int line = 0; line < n; line++) {
            int stride = pass ? 1 : n, start = pass ? line * n : line;
            double origin = 0;
            for (int i = 0; anchor < 0 && i < n; i++)
                origin += full[start + i * stride] / n;
            if (anchor >= 0)
                origin = full[start + anchor * stride];
            for (int i = 0; i < n; i++)
                full[start + i * stride] -= origin;
        }
}

/* Leaves the covariance in out; the Hessian at the maximum is in the work. */
static bool make_covariance(struct work *work, int anchor, struct bradley *out, struct tm_error *error)
{
    size_t n = (size_t)work->players - 1;
    double *score = calloc((size_t)work->clusters * (size_t)work->players, sizeof *score);
    gsl_matrix *meat = gsl_matrix_alloc(n, n), *half = gsl_matrix_alloc(n, n);
    bool ok = score && meat && half;
    if (ok) {
        sum_clusters(work, score, meat);
        differentiate(work);
        ok = gsl_linalg_cholesky_decomp1(work->hessian) == 0 && gsl_linalg_cholesky_invert(work->hessian) == 0;
    }
    if (ok) {
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, work->hessian, meat, 0, half);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, half, work->hessian, 0, meat);
        move_origin(meat, anchor, out);
    }
    free(score);
    gsl_matrix_free(meat);
    gsl_matrix_free(half);
    return ok || error_fail(error, TM_INTERNAL, "the covariance of %d players cannot be computed", work->players);
}

static bool fit(struct work *work, int anchor, struct bradley *out, struct tm_error *error)
{
    bool *seen = calloc((size_t)work->players, sizeof *seen);
    if (!seen)
        return error_fail(error, TM_INTERNAL, "out of memory for the fit of %d players", work->players);
    bool connected = is_connected(work, seen);
    free(seen);
    out->state = BRADLEY_INFINITE;
    if (!connected)
        return true;
    if (!newton(work))
        return error_fail(error, TM_INTERNAL, "the fit of %d players does not converge", work->players);
    double origin = anchor < 0 ? 0 : work->rating[anchor];
    for (int i = 0; anchor < 0 && i < work->players; i++)
        origin += work->rating[i] / work->players;
    for (int i = 0; i < work->players; i++)
        out->elo[i] = (work->rating[i] - origin) / elo_scale;
    out->state = work->clusters < 2 ? BRADLEY_TOO_FEW : BRADLEY_FITTED;
    return work->clusters < 2 || make_covariance(work, anchor, out, error);
}

bool bradley_fit(const struct bradley_games *row, int count, int players, int clusters, int anchor, struct bradley *out,
                 struct tm_error *error)
{
    size_t n = (size_t)players;
    *out = (struct bradley){ .players = players, .clusters = clusters, .state = BRADLEY_INFINITE };
    if (players < 2)
        return true;
    struct work work = { .row = row, .count = count, .players = players, .clusters = clusters,
                         .rating = calloc(n, sizeof(double)), .hessian = gsl_matrix_alloc(n - 1, n - 1),
                         .gradient = gsl_vector_alloc(n - 1), .step = gsl_vector_alloc(n - 1) };
    out->elo = calloc(n, sizeof *out->elo);
    out->covariance = calloc(n * n, sizeof *out->covariance);
    bool ok = work.rating && work.hessian && work.gradient && work.step && out->elo && out->covariance;
    ok = ok ? fit(&work, anchor, out, error)
            : error_fail(error, TM_INTERNAL, "out of memory for the fit of %d players", players);
    free(work.rating);
    gsl_matrix_free(work.hessian);
    gsl_vector_free(work.gradient);
    gsl_vector_free(work.step);
    return ok;
}

void bradley_clear(struct bradley *fitted)
{
    free(fitted->elo);
    free(fitted->covariance);
    *fitted = (struct bradley){ 0 };
}

double bradley_variance(const struct bradley *fitted, int a, int b)
{
    const double *c = fitted->covariance;
    int n = fitted->players;
    return c[a * n + a] + c[b * n + b] - 2 * c[a * n + b];
}
