/* Robust linear regression of the node rate. The candidates are compared by predicting whole games from the others:
   positions of one game are alike, so that leaving out single positions would flatter every model. */
#include "profiles/fit.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 4096, REPETITIONS_MAX = 64 };

static const struct fit_model candidates[FIT_MODELS] = {
    { .name = "pieces", .term = { true, true, false, false } },
    { .name = "pieces + phase", .term = { true, true, true, false } },
    { .name = "pieces + log2 nodes", .term = { true, true, false, true } },
    { .name = "pieces + phase + log2 nodes", .term = { true, true, true, true } },
};

/* A larger model must predict unseen games better by this share: guess, about the noise of the comparison. */
#define WORTH_A_TERM 0.97
#define WORTH_AT_LEAST 0.001 /* and by so much of the rate: far below what any machine repeats */

/* ---- points ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool same_point(const struct rate_sample *a, const struct rate_sample *b)
{
    return a->spot == b->spot && a->asked == b->asked && a->in_game == b->in_game && a->concurrency == b->concurrency;
}

static double rate_of(const struct samples *samples, const struct rate_sample *s)
{
    return (double)s->nodes * 1e9 / (double)(samples->by_cpu && s->cpu > 0 ? s->cpu : s->wall);
}

/* A search that had nothing left to do (a mate, a table draw) runs through its iterations and says nothing of rates. */
static bool is_whole(const struct rate_sample *s) { return s->nodes >= s->asked * 9 / 10; }

static struct fit_point make_point(const struct samples *samples, int first)
{
    double rate[REPETITIONS_MAX];
    int count = 0;
    const struct rate_sample *s = &samples->sample[first];
    for (int i = first; i < samples->count && count < REPETITIONS_MAX; i++)
        if (same_point(s, &samples->sample[i]) && is_whole(&samples->sample[i]))
            rate[count++] = rate_of(samples, &samples->sample[i]);
    qsort(rate, (size_t)count, sizeof *rate, by_value);
    return (struct fit_point){ .game = s->game, .pieces = s->pieces, .phase = s->phase, .asked = s->asked,
                               .largest = rate[count - 1], .median = rate[count / 2] };
}

static bool is_first(const struct samples *samples, int index)
{
    for (int i = 0; i < index; i++)
        if (same_point(&samples->sample[i], &samples->sample[index]) && is_whole(&samples->sample[i]))
            return false;
    return is_whole(&samples->sample[index]);
}

int fit_points(const struct samples *samples, bool in_game, int concurrency, struct fit_point *point, int capacity)
{
    int count = 0;
    for (int i = 0; i < samples->count && count < capacity; i++) {
        const struct rate_sample *s = &samples->sample[i];
        if (s->in_game == in_game && s->concurrency == concurrency && is_first(samples, i))
            point[count++] = make_point(samples, i);
    }
    return count;
}

static double mean_rate(const struct fit_point *point, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += point[i].largest;
    return count ? sum / count : 0;
}

/* ---- regression ---- */

static double term_value(const struct fit_point *point, int term)
{
    const double value[FIT_TERMS] = { 1, point->pieces, point->phase, log2((double)point->asked) };
    return value[term];
}

static double predict(const struct fit_model *model, const struct fit_point *point)
{
    double rate = 0;
    for (int t = 0; t < FIT_TERMS; t++)
        rate += model->coefficient[t] * term_value(point, t);
    return rate;
}

/* Fits the points that are not of game `without` (-1: all). False: too few, or degenerate. */
static bool regress(struct fit_model *model, const struct fit_point *point, int count, int without)
{
    size_t terms = 0, rows = 0;
    for (int t = 0; t < FIT_TERMS; t++)
        terms += model->term[t];
    for (int i = 0; i < count; i++)
        rows += point[i].game != without;
    if (rows < terms + 2)
        return false;
    gsl_matrix *x = gsl_matrix_alloc(rows, terms), *covariance = gsl_matrix_alloc(terms, terms);
    gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(terms);
    gsl_multifit_robust_workspace *work = gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, rows, terms);
    size_t row = 0;
    for (int i = 0; i < count; i++) {
        if (point[i].game == without)
            continue;
        size_t column = 0;
        for (int t = 0; t < FIT_TERMS; t++)
            if (model->term[t])
                gsl_matrix_set(x, row, column++, term_value(&point[i], t));
        gsl_vector_set(y, row++, point[i].largest);
    }
    gsl_multifit_robust_maxiter(500, work);
    const int status = gsl_multifit_robust(x, y, c, covariance, work);
    size_t column = 0;
    for (int t = 0; t < FIT_TERMS; t++)
        model->coefficient[t] = model->term[t] ? gsl_vector_get(c, column++) : 0;
    gsl_multifit_robust_free(work);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(covariance);
    gsl_matrix_free(x);
    return status == 0 || status == GSL_EMAXITER;
}

static double relative_error(const struct fit_model *model, const struct fit_point *point)
{
    const double expected = fmax(predict(model, point), 1);
    return point->largest / expected - 1;
}

static void judge(struct fit_model *model, const struct fit_point *point, int count)
{
    const double mean = mean_rate(point, count);
    double squares = 0, left = 0, total = 0;
    for (int i = 0; i < count; i++) {
        const double error = relative_error(model, &point[i]), absolute = point[i].largest - predict(model, &point[i]);
        squares += error * error;
        left += absolute * absolute;
        total += (point[i].largest - mean) * (point[i].largest - mean);
    }
    model->residual = sqrt(squares / count);
    model->r2 = total > 0 ? 1 - left / total : 0;
}

static double cross_validate(const struct fit_model *model, const struct fit_point *point, int count, int games)
{
    double squares = 0;
    int seen = 0;
    for (int game = 0; game < games; game++) {
        struct fit_model others = *model;
        if (!regress(&others, point, count, game))
            return INFINITY;
        for (int i = 0; i < count; i++)
            if (point[i].game == game) {
                const double error = relative_error(&others, &point[i]);
                squares += error * error;
                seen++;
            }
    }
    return seen ? sqrt(squares / seen) : INFINITY;
}

/* ---- what else the samples say ---- */

/* Residual = part of the game + part of the move: variance between the games' means, and within. */
static void split_residual(struct fit *fit, const struct fit_point *point, int count, int games)
{
    const struct fit_model *model = &fit->model[fit->chosen];
    double within = 0, between = 0;
    int used = 0;
    for (int game = 0; game < games; game++) {
        double sum = 0, squares = 0;
        int n = 0;
        for (int i = 0; i < count; i++)
            if (point[i].game == game) {
                const double error = relative_error(model, &point[i]);
                sum += error;
                squares += error * error;
                n++;
            }
        if (n < 2)
            continue;
        within += (squares - sum * sum / n) / (n - 1);
        between += (sum / n) * (sum / n) - (squares - sum * sum / n) / (n - 1) / n;
        used++;
    }
    fit->move_part = used ? sqrt(fmax(within / used, 0)) : 0;
    fit->game_part = used ? sqrt(fmax(between / used, 0)) : 0;
}

static void compare_modes(struct fit *fit, const struct samples *samples, bool in_game, struct fit_point *room)
{
    int highest = 1;
    for (int i = 0; i < samples->count; i++)
        highest = samples->sample[i].concurrency > highest ? samples->sample[i].concurrency : highest;
    const double alone = mean_rate(room, fit_points(samples, in_game, 1, room, POINTS_MAX));
    const double loaded = mean_rate(room, fit_points(samples, in_game, highest, room, POINTS_MAX));
    const double warm = mean_rate(room, fit_points(samples, true, 1, room, POINTS_MAX));
    const double fresh = mean_rate(room, fit_points(samples, false, 1, room, POINTS_MAX));
    fit->loaded_to_alone = alone > 0 ? loaded / alone : 1;
    fit->fresh_to_in_game = warm > 0 ? fresh / warm : 1;
}

static void describe_points(struct fit *fit, const struct fit_point *point, int count)
{
    double pieces[POINTS_MAX], phase[POINTS_MAX], ratio = 0, nodes = 0, c00, c01, c11, rest;
    fit->lowest_pieces = 32;
    fit->highest_pieces = 2;
    for (int i = 0; i < count; i++) {
        pieces[i] = point[i].pieces;
        phase[i] = point[i].phase;
        ratio += point[i].median / point[i].largest;
        nodes += log2((double)point[i].asked);
        fit->lowest_pieces = point[i].pieces < fit->lowest_pieces ? point[i].pieces : fit->lowest_pieces;
        fit->highest_pieces = point[i].pieces > fit->highest_pieces ? point[i].pieces : fit->highest_pieces;
    }
    fit->median_to_largest = ratio / count;
    fit->log2_nodes = nodes / count;
    gsl_fit_linear(pieces, 1, phase, 1, (size_t)count, &fit->phase_at_0, &fit->phase_per_piece, &c00, &c01, &c11, &rest);
}

static bool fit_all(struct fit *fit, const struct samples *samples, bool in_game, struct fit_point *point,
                    struct tm_error *error)
{
    const int count = fit->points = fit_points(samples, in_game, 1, point, POINTS_MAX);
    int games = 0;
    for (int i = 0; i < count; i++)
        games = point[i].game + 1 > games ? point[i].game + 1 : games;
    if (count < 8 || games < 2)
        return error_fail(error, TM_INPUT, "%d points of %d games do not suffice for a fit; expected 8 of 2 games or more",
                          count, games);
    for (int m = 0; m < FIT_MODELS; m++) {
        fit->model[m] = candidates[m];
        if (!regress(&fit->model[m], point, count, -1)) {
            fit->model[m].cross_validated = INFINITY; /* a term that never varies, say: one budget only */
            continue;
        }
        judge(&fit->model[m], point, count);
        fit->model[m].cross_validated = cross_validate(&fit->model[m], point, count, games);
        const double best = fit->model[fit->chosen].cross_validated;
        if (fit->model[m].cross_validated < fmin(WORTH_A_TERM * best, best - WORTH_AT_LEAST))
            fit->chosen = m;
    }
    if (!isfinite(fit->model[fit->chosen].cross_validated))
        return error_fail(error, TM_INPUT, "no model can be fitted: too few positions in one of the games");
    describe_points(fit, point, count);
    split_residual(fit, point, count, games);
    compare_modes(fit, samples, in_game, point);
    return true;
}

bool fit_samples(const struct samples *samples, bool in_game, struct fit *fit, struct tm_error *error)
{
    struct fit_point *point = calloc(POINTS_MAX, sizeof *point);
    *fit = (struct fit){ .chosen = 0 };
    if (!point)
        return error_fail(error, TM_INTERNAL, "out of memory for a fit");
    const bool ok = fit_all(fit, samples, in_game, point, error);
    free(point);
    return ok;
}
