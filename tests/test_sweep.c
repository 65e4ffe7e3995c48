/* Sweeps: what they expand to, and the response that is fitted to them. */
#include <criterion/criterion.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tmsim/sweep.h"

static void no_handler(void) { gsl_set_error_handler_off(); }

TestSuite(sweep, .init = no_handler);

static bool join(void *ctx, const char *spec, struct tm_error *error)
{
    char *text = ctx;
    (void)error;
    snprintf(text + strlen(text), 400 - strlen(text), "%s%s", *text ? " " : "", spec);
    return true;
}

Test(sweep, operands_are_expanded_with_both_ends)
{
    static const struct { const char *spec, *expanded; } rows[] = {
        { "pool", "pool" },
        { "pool:moves=30", "pool:moves=30" },
        { "pool:moves=20..40:10", "pool:moves=20 pool:moves=30 pool:moves=40" },
        { "pool:moves=20..39:10", "pool:moves=20 pool:moves=30" },
        { "pool:overhead=100ms..300ms:100ms:moves=3", "pool:overhead=100ms:moves=3 pool:overhead=200ms:moves=3 pool:overhead=300ms:moves=3" },
        { "x:a=0.1..0.3:0.1", "x:a=0.1 x:a=0.2 x:a=0.3" },
        { "../dir/p.lua", "../dir/p.lua" },
        { "../dir/p.lua:n=1..2:1", "../dir/p.lua:n=1 ../dir/p.lua:n=2" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400] = "";
        struct tm_error error = { 0 };
        cr_assert(sweep_expand(rows[i].spec, join, text, &error), "%s: %s", rows[i].spec, error.message);
        cr_expect_str_eq(text, rows[i].expanded, "%s: %s", rows[i].spec, text);
    }
    static const char *const bad[] = { "p:n=1..3", "p:n=3..1:1", "p:n=1..3:0", "p:n=1..3:-1", "p:n=..3:1", "p:n=1..x:1", "p:n=1ms..3s:1ms",
                                       "p:n=1..2:1:m=1..2:1", "p:n=1..1000000:1", "p:1..2:1" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[400] = "";
        struct tm_error error = { 0 };
        cr_expect(!sweep_expand(bad[i], join, text, &error), "%s was expanded to %s", bad[i], text);
        cr_expect_eq(error.code, TM_INPUT);
    }
}

/* y = 100 - (x - 40)² / 10 at 20, 30, … 60, each with an error of 1: the optimum is 40. By the delta method in
   u = (x - 40) / 20: c = -40; var b = 1 / sum u² = 1 / 2.5; optimum's error = 20 * sqrt(1 / 2.5) / 80. */
Test(sweep, the_response_to_a_parameter)
{
    double x[5], y[5], covariance[25] = { 0 };
    struct response response;
    struct tm_error error = { 0 };
    for (int i = 0; i < 5; i++) {
        x[i] = 20 + 10 * i;
        y[i] = 100 - (x[i] - 40) * (x[i] - 40) / 10;
        covariance[6 * i] = 1;
    }
    cr_assert(sweep_fit(x, y, covariance, 5, &response, &error), "%s", error.message);
    cr_expect(response.has_optimum);
    cr_expect_float_eq(response.optimum, 40, 1e-9);
    cr_expect_float_eq(response.optimum_hi - response.optimum, 1.959964 * 20 * sqrt(1 / 2.5) / 80, 1e-6);
    cr_expect_float_eq(response.a, 100 - 160, 1e-9);
    cr_expect_float_eq(response.b, 8, 1e-9);
    cr_expect_float_eq(response.c, -0.1, 1e-9);

    /* A common error of all (they share the baseline) moves the level, not the optimum. */
    for (int i = 0; i < 25; i++)
        covariance[i] += 1000;
    cr_assert(sweep_fit(x, y, covariance, 5, &response, &error), "%s", error.message);
    cr_expect_float_eq(response.optimum_hi - response.optimum, 1.959964 * 20 * sqrt(1 / 2.5) / 80, 1e-4);

    memset(covariance, 0, sizeof covariance);
    for (int i = 0; i < 5; i++)
        covariance[6 * i] = 10000; /* the same shape drowned in errors */
    cr_assert(sweep_fit(x, y, covariance, 5, &response, &error), "%s", error.message);
    cr_expect(!response.has_optimum);
    for (int i = 0; i < 5; i++)
        y[i] = -y[i];
    covariance[0] = covariance[6] = covariance[12] = covariance[18] = covariance[24] = 1;
    cr_assert(sweep_fit(x, y, covariance, 5, &response, &error), "%s", error.message);
    cr_expect(!response.has_optimum, "a valley has no best value inside");
}
