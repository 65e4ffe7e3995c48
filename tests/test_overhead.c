#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/overhead.h"

static void init(void) { gsl_set_error_handler_off(); }

TestSuite(overhead, .init = init);

static struct overhead *parse(const char *text)
{
    struct overhead *model;
    struct tm_error error = { 0 };
    cr_assert(overhead_parse("--overhead", text, &model, &error), "%s", error.message);
    return model;
}

Test(overhead, the_canonical_text_is_read_again_as_the_same_model)
{
    static const struct { const char *text, *canonical; } cases[] = {
        { "50ms", "const:0.05s" },
        { "8ms + 2ms", "const:0.01s" },
        { "uniform(5ms, 0.02s)", "uniform(low=5ms,high=20ms)" },
        { "normal(mean=8ms,sd=500us)", "normal(mean=8ms,sd=0.5ms)" },
        { "lognormal( median = 8ms , sigma = 0.6 )", "lognormal(median=8ms,sigma=0.6)" },
        { "gamma(2,4ms)", "gamma(shape=2,scale=4ms)" },
        { "pareto(scale=5ms,alpha=2.5)", "pareto(scale=5ms,alpha=2.5)" },
        { "8ms+spike(p=0.001,300ms)", "8ms + spike(p=0.001,300ms)" },
        { "burst(0.01,8,spike(0.5,uniform(1ms,2ms)) + 1ns)", "burst(p=0.01,length=8,spike(p=0.5,uniform(low=1ms,high=2ms)) + 0.000001ms)" },
        { "5ms + seen(gamma(2,4ms))", "5ms + seen(gamma(shape=2,scale=4ms))" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overhead *model = parse(cases[i].text);
        cr_expect_str_eq(overhead_text(model), cases[i].canonical);
        if (strncmp(overhead_text(model), "const:", 6) != 0) {
            struct overhead *again = parse(overhead_text(model));
            cr_expect_str_eq(overhead_text(again), cases[i].canonical);
            overhead_free(again);
        }
        overhead_free(model);
    }
}

Test(overhead, a_fault_is_refused_with_its_place)
{
    static const struct { const char *text, *says; } cases[] = {
        { "50", "a duration needs its unit; 50ms or 50s?" },
        { "", "expected a duration or a model" },
        { "lognorma(median=8ms,sigma=0.6)", "did you mean lognormal?" },
        { "uniform(20ms,5ms)", "low exceeds its high" },
        { "uniform(5ms)", "expected ," },
        { "uniform(5,20)", "a duration needs its unit" },
        { "spike(p=2,300ms)", "from 0 to 1" },
        { "spike(p=0.1)", "expected , and a model" },
        { "8ms +", "expected a duration or a model" },
        { "8ms 9ms", "unknown unit" },
        { "burst(p=0.1,length=2.5,1ms)", "whole number of moves" },
        { "seen(seen(1ms))", "seen inside seen" },
        { "gamma(2,4ms", "expected )" },
        { "empirical(/no/such/file)", "No such file" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overhead *model;
        struct tm_error error = { 0 };
        cr_expect_not(overhead_parse("--overhead", cases[i].text, &model, &error), "%s", cases[i].text);
        cr_expect(strstr(error.message, cases[i].says) != NULL, "%s: %s", cases[i].text, error.message);
        cr_expect(error.code == TM_INPUT);
    }
}

/* Means and quantiles from the distributions' own formulas. */
Test(overhead, draws_have_the_mean_and_the_tail_that_are_reported)
{
    static const struct { const char *text; double mean, p999; } cases[] = {
        { "50ms", 50, 50 },
        { "uniform(5ms,20ms)", 12.5, 19.985 },
        { "normal(mean=0ms,sd=10ms)", 3.989422804, 30.90232306 }, /* max(0, X): sd / sqrt(2 pi) */
        { "lognormal(median=8ms,sigma=0.6)", 9.577738, 51.08285 }, /* 8 exp(0.18), 8 exp(0.6 * 3.0902323) */
        { "gamma(shape=1,scale=4ms)", 4, 27.63102 },               /* the exponential: 4 ln 1000 */
        { "pareto(scale=5ms,alpha=2.5)", 8.333333, 79.24466 },     /* 5 * 1000^(1/2.5) */
        { "8ms + uniform(0ms,1ms)", 8.5, 8.999 },
        { "8ms + spike(p=0.01,300ms)", 11, 308 },
        { "burst(p=0.01,length=8,100ms)", 7.725530557, 100 },      /* 100 (1 - 0.99^8) */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overhead *model = parse(cases[i].text);
        bool exact;
        cr_expect_float_eq(overhead_mean(model, false) / 1e6, cases[i].mean, 1e-4 * cases[i].mean, "%s", cases[i].text);
        cr_expect_float_eq((double)overhead_quantile(model, 0.999, &exact) / 1e6, cases[i].p999, 2e-4 * cases[i].p999,
                           "%s: %.6f", cases[i].text, (double)overhead_quantile(model, 0.999, &exact) / 1e6);
        double sum = 0, squares = 0;
        enum { DRAWS = 40000 };
        for (int pair = 0; pair < DRAWS; pair++) {
            const struct overhead_cost cost = overhead_draw(model, 1, pair, 20);
            cr_assert(cost.unseen >= 0 && cost.seen == 0);
            sum += (double)cost.unseen / 1e6;
            squares += (double)cost.unseen / 1e6 * (double)cost.unseen / 1e6;
        }
        const double mean = sum / DRAWS, error = sqrt((squares / DRAWS - mean * mean) / DRAWS);
        cr_expect(fabs(mean - cases[i].mean) <= 4 * error + 1e-9, "%s: drawn mean %.4f, expected %.4f +- %.4f", cases[i].text,
                  mean, cases[i].mean, error);
        overhead_free(model);
    }
    struct overhead *heavy = parse("pareto(scale=1ms,alpha=1)");
    cr_expect(isinf(overhead_mean(heavy, false)));
    overhead_free(heavy);
}

Test(overhead, a_draw_depends_on_seed_pair_and_move_alone)
{
    struct overhead *model = parse("lognormal(median=8ms,sigma=0.6) + seen(uniform(1ms,2ms))");
    const struct overhead_cost first = overhead_draw(model, 1, 7, 30);
    overhead_draw(model, 1, 8, 30);
    const struct overhead_cost again = overhead_draw(model, 1, 7, 30);
    cr_expect(first.unseen == again.unseen && first.seen == again.seen);
    cr_expect(first.seen >= TM_NS_PER_MS && first.seen <= 2 * TM_NS_PER_MS);
    cr_expect(overhead_draw(model, 2, 7, 30).unseen != first.unseen);
    cr_expect(overhead_draw(model, 1, 8, 30).unseen != first.unseen);
    cr_expect(overhead_draw(model, 1, 7, 31).unseen != first.unseen);
    cr_expect(overhead_mean(model, true) == 1.5e6);
    overhead_free(model);
}

/* With bursts of 10 moves, a move after a costly one is costly in at least 9 cases of 10; spikes stand alone. */
Test(overhead, bursts_cluster_and_spikes_do_not)
{
    static const struct { const char *text; double low, high; } cases[] = {
        { "burst(p=0.01,length=10,50ms)", 0.88, 0.94 }, { "spike(p=0.0956,50ms)", 0.08, 0.11 },
    };
    for (size_t i = 0; i < 2; i++) {
        struct overhead *model = parse(cases[i].text);
        int costly = 0, both = 0;
        for (int pair = 0; pair < 500; pair++)
            for (int move = 20; move < 120; move++)
                if (overhead_draw(model, 1, pair, move).unseen > 0) {
                    costly++;
                    both += overhead_draw(model, 1, pair, move + 1).unseen > 0;
                }
        cr_expect_float_eq((double)costly / 50000, 0.0956, 0.01, "%s", cases[i].text); /* 1 - 0.99^10 */
        const double follows = (double)both / costly;
        cr_expect(follows > cases[i].low && follows < cases[i].high, "%s: %.3f", cases[i].text, follows);
        overhead_free(model);
    }
}

Test(overhead, measured_samples_are_drawn_as_they_are_and_known_by_their_values)
{
    char path[2][64], spec[128];
    static const char *const text[2] = { "# measured\n1ms\n 2ms # two\n\n4ms\n", "4ms\n1ms\n2ms\n" };
    struct overhead *model[2];
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/zeitnot-overhead-%d-%d", (int)getpid(), i);
        FILE *file = fopen(path[i], "w");
        fputs(text[i], file);
        fclose(file);
        snprintf(spec, sizeof spec, "empirical(%s)", path[i]);
        model[i] = parse(spec);
        unlink(path[i]);
    }
    cr_expect_str_eq(overhead_text(model[0]), overhead_text(model[1]), "neither the path nor the order counts");
    cr_expect_float_eq(overhead_mean(model[0], false), 7e6 / 3, 1e-6);
    int count[3] = { 0 };
    for (int pair = 0; pair < 3000; pair++) {
        const tm_ns t = overhead_draw(model[0], 5, pair, 0).unseen;
        cr_assert(t == TM_NS_PER_MS || t == 2 * TM_NS_PER_MS || t == 4 * TM_NS_PER_MS);
        count[t == TM_NS_PER_MS ? 0 : t == 2 * TM_NS_PER_MS ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++)
        cr_expect(abs(count[i] - 1000) < 110, "%d", count[i]); /* 4 standard errors */
    overhead_free(model[0]);
    overhead_free(model[1]);
}
