/* Sweeps: "pool:moves=20..60:5" stands for nine policies. */
#ifndef TMSIM_SWEEP_H
#define TMSIM_SWEEP_H

#include <stddef.h>

#include "vclock/error.h"

/* Receives each policy's spec. False stops with `error`. */
typedef bool sweep_sink(void *ctx, const char *spec, struct tm_error *error);

/* Calls `sink` for the spec itself, or for each value of the one parameter that is given as LOW..HIGH:STEP, both ends
   included; units ("100ms..300ms:50ms") must agree. */
bool sweep_expand(const char *spec, sweep_sink *sink, void *ctx, struct tm_error *error);

/* A quadratic through values with their covariance: value = a + b x + c x². */
struct response {
    double a, b, c;
    bool has_optimum;                        /* c is negative beyond its error, and the optimum within the values */
    double optimum, optimum_lo, optimum_hi;  /* x, with its 95 % interval by the delta method */
};

/* `count` >= 4 values y at x; covariance count x count. If it cannot be inverted only its diagonal counts. */
bool sweep_fit(const double *x, const double *y, const double *covariance, int count, struct response *out,
               struct tm_error *error);

#endif
