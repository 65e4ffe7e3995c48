/* A sweep is cut out of the text of an operand, so that everything else of it stays as it is written. */
#include "tmsim/sweep.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/stats.h"

enum { SWEEP_MOST = 200, SPEC_SIZE = 1024 };

struct range {
    double low, high, step;
    char unit[8];
};

/* A number and its unit off the front of *at. */
static bool take_number(const char **at, double *value, char unit[static 8])
{
    char *end;
    if (**at == '+' || **at == '-' || strspn(*at, "0123456789.") == 0)
        return false;
    /* "20..60": the number must not take the dots. */
    const size_t whole = strspn(*at, "0123456789");
    char digits[40];
    size_t length = whole;
    if ((*at)[whole] == '.' && (*at)[whole + 1] != '.')
        length += 1 + strspn(*at + whole + 1, "0123456789");
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, *at, length);
    digits[length] = '\0';
    *value = strtod(digits, &end);
    *at += length;
    const size_t letters = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
    snprintf(unit, 8, "%.*s", (int)letters, *at);
    *at += letters;
    return *end == '\0' && letters < 8;
}

static bool take_range(const char **at, struct range *range)
{
    char high[8], step[8];
    if (!take_number(at, &range->low, range->unit) || strncmp(*at, "..", 2) != 0)
        return false;
    *at += 2;
    if (!take_number(at, &range->high, high) || *(*at)++ != ':' || !take_number(at, &range->step, step))
        return false;
    return strcmp(range->unit, high) == 0 && strcmp(range->unit, step) == 0 && (**at == '\0' || **at == ':')
           && range->step > 0 && range->high > range->low;
}

bool sweep_expand(const char *spec, sweep_sink *sink, void *ctx, struct tm_error *error)
{
    const char *colon = strchr(spec, ':'), *dots = colon ? strstr(colon, "..") : NULL;
    if (!dots)
        return sink(ctx, spec, error);
    const char *start = dots;
    while (start > spec && start[-1] != '=' && start[-1] != ':')
        start--;
    struct range range;
    const char *end = start;
    if (start[-1] != '=' || !take_range(&end, &range) || strstr(end, ".."))
        return error_fail(error, TM_INPUT, "policy '%s': expected one parameter as LOW..HIGH:STEP, such as "
                                           "moves=20..60:5", spec);
    const int count = (int)fmin(floor((range.high - range.low) / range.step + 1e-9) + 1, SWEEP_MOST + 1);
    if (count > SWEEP_MOST)
        return error_fail(error, TM_INPUT, "policy '%s': more than %d values", spec, SWEEP_MOST);
    for (int i = 0; i < count; i++) {
        char arm[SPEC_SIZE];
        snprintf(arm, sizeof arm, "%.*s%.12g%s%s", (int)(start - spec), spec, range.low + i * range.step, range.unit,
                 end);
        if (!sink(ctx, arm, error))
            return false;
    }
    return true;
}

/* ---- response ---- */

/* Divides both sides by the square root of the covariance; of its diagonal if it has none. */
static void whiten(gsl_matrix *root, gsl_matrix *design, gsl_vector *values, const double *covariance, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        gsl_matrix_set(root, i / n, i % n, covariance[i]);
    bool ok = gsl_linalg_cholesky_decomp1(root) == 0;
    for (size_t i = 0; ok && i < n; i++)
        ok = gsl_matrix_get(root, i, i) > 1e-3 * sqrt(covariance[i * n + i]); /* nearly singular: guess */
    if (!ok) {
        gsl_matrix_set_zero(root);
        for (size_t i = 0; i < n; i++)
            gsl_matrix_set(root, i, i, sqrt(fmax(covariance[i * n + i], 1e-9)));
    }
    gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, root, design);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, root, values);
}

/* From the fit in u = (x - middle) / half back to x. */
static void to_response(const gsl_vector *c, const gsl_matrix *cov, double middle, double half, struct response *out)
{
    const double a = gsl_vector_get(c, 0), b = gsl_vector_get(c, 1), q = gsl_vector_get(c, 2);
    out->c = q / (half * half);
    out->b = b / half - 2 * out->c * middle;
    out->a = a - b / half * middle + out->c * middle * middle;
    const double u = q < 0 ? -b / (2 * q) : 0, by_b = -1 / (2 * q), by_q = b / (2 * q * q);
    const double variance = by_b * by_b * gsl_matrix_get(cov, 1, 1) + by_q * by_q * gsl_matrix_get(cov, 2, 2)
                            + 2 * by_b * by_q * gsl_matrix_get(cov, 1, 2);
    out->has_optimum = q + STATS_Z95 * sqrt(gsl_matrix_get(cov, 2, 2)) < 0 && fabs(u) < 1;
    out->optimum = middle + half * u;
    out->optimum_lo = out->optimum - STATS_Z95 * half * sqrt(variance);
    out->optimum_hi = out->optimum + STATS_Z95 * half * sqrt(variance);
}

bool sweep_fit(const double *x, const double *y, const double *covariance, int count, struct response *out,
               struct tm_error *error)
{
    const size_t n = (size_t)count;
    double low = x[0], high = x[0], chi;
    for (int i = 1; i < count; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    const double middle = (low + high) / 2, half = (high - low) / 2;
    gsl_matrix *root = gsl_matrix_alloc(n, n), *design = gsl_matrix_alloc(n, 3), *cov = gsl_matrix_alloc(3, 3);
    gsl_vector *values = gsl_vector_alloc(n), *ones = gsl_vector_alloc(n), *c = gsl_vector_alloc(3);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, 3);
    bool ok = root && design && cov && values && ones && c && work;
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            const double u = (x[i] - middle) / half;
            gsl_matrix_set(design, i, 0, 1);
            gsl_matrix_set(design, i, 1, u);
            gsl_matrix_set(design, i, 2, u * u);
            gsl_vector_set(values, i, y[i]);
        }
        gsl_vector_set_all(ones, 1);
        whiten(root, design, values, covariance, n);
        ok = gsl_multifit_wlinear(design, ones, values, c, cov, &chi, work) == 0;
    }
    if (ok)
        to_response(c, cov, middle, half, out);
    gsl_multifit_linear_free(work);
    gsl_vector_free(c);
    gsl_vector_free(ones);
    gsl_vector_free(values);
    gsl_matrix_free(cov);
    gsl_matrix_free(design);
    gsl_matrix_free(root);
    return ok || error_fail(error, TM_INTERNAL, "the response of a sweep cannot be fitted");
}
