/* Draws by inversion: one uniform number a term, a function of what it is for, turned by the term's quantile. */
#include "tmsim/overhead.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/draw.h"
#include "tmsim/overhead_internal.h"

enum { QUANTILE_DRAWS = 1 << 17 }; /* 131 of them beyond 1 in 1000: its rank is known to about 9 % */

/* The cost of a random leaf at a share u of the draws; never below 0. */
static double leaf_quantile(const struct overhead *model, const struct overhead_term *term, double u)
{
    const double a = term->value[0], b = term->value[1];
    switch (term->kind) {
    case OVERHEAD_CONSTANT: return a;
    case OVERHEAD_UNIFORM: return a + u * (b - a);
    case OVERHEAD_NORMAL: return fmax(0, a + gsl_cdf_gaussian_Pinv(u, b));
    case OVERHEAD_LOGNORMAL: return a * exp(b * gsl_cdf_ugaussian_Pinv(u));
    case OVERHEAD_GAMMA: return b > 0 ? gsl_cdf_gamma_Pinv(u, a, b) : 0;
    case OVERHEAD_PARETO: return a * pow(1 - u, -1 / b);
    case OVERHEAD_EMPIRICAL: return (double)model->sample[(int)(u * model->sample_count)];
    default: return 0;
    }
}

struct drawing {
    const struct overhead *model;
    uint64_t seed;
    int64_t pair, move;
};

/* In (0, 1): a normal quantile of 0 would be infinite. */
static double unit(const struct drawing *d, int64_t move, const struct overhead_term *term)
{
    return draw_unit(d->seed, d->pair, move, DRAW_OVERHEAD, term->number) + 0x1p-54;
}

/* A burst begins at any move with probability p and lasts `length` moves, so whether one runs now is asked of the moves
   before: no state, and no draw depends on who asks. */
static bool bursts(const struct drawing *d, const struct overhead_term *term)
{
    const int64_t first = d->move - (int64_t)term->value[1] + 1;
    for (int64_t move = first > 0 ? first : 0; move <= d->move; move++)
        if (unit(d, move, term) < term->value[0])
            return true;
    return false;
}

static bool occurs(const struct drawing *d, const struct overhead_term *term)
{
    if (term->kind == OVERHEAD_SPIKE)
        return unit(d, d->move, term) < term->value[0];
    return term->kind != OVERHEAD_BURST || bursts(d, term);
}

static void add_sum(const struct drawing *d, int first, bool seen, struct overhead_cost *cost)
{
    for (int i = first; i >= 0; i = d->model->term[i].next) {
        const struct overhead_term *term = &d->model->term[i];
        if (term->inner >= 0) {
            if (occurs(d, term))
                add_sum(d, term->inner, seen || term->kind == OVERHEAD_SEEN, cost);
            continue;
        }
        const double u = term->kind == OVERHEAD_CONSTANT ? 0 : unit(d, d->move, term);
        tm_ns *part = seen ? &cost->seen : &cost->unseen;
        *part = ns_add(*part, ns_from_units(leaf_quantile(d->model, term, u), 1));
    }
}

struct overhead_cost overhead_draw(const struct overhead *model, uint64_t seed, int64_t pair, int64_t move)
{
    const struct drawing d = { model, seed, pair, move };
    struct overhead_cost cost = { 0 };
    add_sum(&d, model->first, false, &cost);
    return cost;
}

bool overhead_is_constant(const struct overhead *model, tm_ns *value)
{
    *value = 0;
    for (int i = 0; i < model->count; i++) {
        if (model->term[i].kind != OVERHEAD_CONSTANT)
            return false;
        *value = ns_add(*value, ns_from_units(model->term[i].value[0], 1));
    }
    return true;
}

const char *overhead_text(const struct overhead *model) { return model->text; }

void overhead_free(struct overhead *model)
{
    if (model)
        free(model->sample);
    free(model);
}

/* ---- moments and quantiles ---- */

static double sample_mean(const struct overhead *model)
{
    double sum = 0;
    for (int i = 0; i < model->sample_count; i++)
        sum += (double)model->sample[i];
    return sum / model->sample_count;
}

static double leaf_mean(const struct overhead *model, const struct overhead_term *term)
{
    const double a = term->value[0], b = term->value[1];
    switch (term->kind) {
    case OVERHEAD_UNIFORM: return (a + b) / 2;
    case OVERHEAD_NORMAL: /* of max(0, X) */
        return b > 0 ? a * gsl_cdf_ugaussian_P(a / b) + b * gsl_ran_ugaussian_pdf(a / b) : a;
    case OVERHEAD_LOGNORMAL: return a * exp(b * b / 2);
    case OVERHEAD_GAMMA: return a * b;
    case OVERHEAD_PARETO: return b > 1 ? a * b / (b - 1) : INFINITY;
    case OVERHEAD_EMPIRICAL: return sample_mean(model);
    default: return a;
    }
}

static double share_of(const struct overhead_term *term)
{
    if (term->kind == OVERHEAD_SPIKE)
        return term->value[0];
    /* of the moves from the length-th on; earlier ones have had fewer chances */
    return term->kind == OVERHEAD_BURST ? 1 - pow(1 - term->value[0], term->value[1]) : 1;
}

static double sum_mean(const struct overhead *model, int first, bool in_seen, bool seen)
{
    double sum = 0;
    for (int i = first; i >= 0; i = model->term[i].next) {
        const struct overhead_term *term = &model->term[i];
        if (term->inner < 0) {
            sum += in_seen == seen ? leaf_mean(model, term) : 0;
        } else if (share_of(term) > 0) {
            sum += share_of(term) * sum_mean(model, term->inner, in_seen || term->kind == OVERHEAD_SEEN, seen);
        }
    }
    return sum;
}

double overhead_mean(const struct overhead *model, bool seen) { return sum_mean(model, model->first, false, seen); }

bool overhead_is_light_tailed(const struct overhead *model)
{
    static const bool light[OVERHEAD_KINDS] = {
        [OVERHEAD_CONSTANT] = true, [OVERHEAD_UNIFORM] = true, [OVERHEAD_NORMAL] = true, [OVERHEAD_GAMMA] = true,
        [OVERHEAD_SEEN] = true, /* what it nests is a term of its own */
    };
    for (int i = 0; i < model->count; i++)
        if (!light[model->term[i].kind])
            return false;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

/* Moves far enough apart that bursts do not join them. */
static tm_ns sampled_quantile(const struct overhead *model, double p)
{
    tm_ns *draw = malloc(QUANTILE_DRAWS * sizeof *draw), found = 0;
    for (int i = 0; draw && i < QUANTILE_DRAWS; i++) {
        const struct overhead_cost cost = overhead_draw(model, 0, i, OVERHEAD_MAX_LENGTH);
        draw[i] = ns_add(cost.unseen, cost.seen);
    }
    if (draw) {
        qsort(draw, QUANTILE_DRAWS, sizeof *draw, by_size);
        found = draw[(int)(p * QUANTILE_DRAWS)];
    }
    free(draw);
    return found;
}

tm_ns overhead_quantile(const struct overhead *model, double p, bool *exact)
{
    double sum = 0;
    int random = 0;
    for (int i = 0; i < model->count; i++) {
        const struct overhead_term *term = &model->term[i];
        random += term->kind != OVERHEAD_CONSTANT && term->kind != OVERHEAD_SEEN;
        if (term->kind == OVERHEAD_SPIKE || term->kind == OVERHEAD_BURST)
            random = 2;
        if (random < 2)
            sum += leaf_quantile(model, term, p);
    }
    *exact = random < 2;
    return *exact ? ns_from_units(sum, 1) : sampled_quantile(model, p);
}

char *overhead_describe(const struct overhead *model, char *buffer, size_t size)
{
    tm_ns constant;
    bool exact;
    if (overhead_is_constant(model, &constant)) {
        snprintf(buffer, size, "%.4g ms on every move", (double)constant / 1e6);
        return buffer;
    }
    const double mean = overhead_mean(model, false) + overhead_mean(model, true);
    const double tail = (double)overhead_quantile(model, 0.999, &exact) / 1e6;
    if (isinf(mean))
        snprintf(buffer, size, "no finite mean, 1 in 1000 above %s%.3g ms", exact ? "" : "about ", tail);
    else
        snprintf(buffer, size, "mean %.3g ms, 1 in 1000 above %s%.3g ms", mean / 1e6, exact ? "" : "about ", tail);
    return buffer;
}
