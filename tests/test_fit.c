#define _DEFAULT_SOURCE /* mkstemps */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profiles/fit.h"
#include "profiles/profile.h"

static void set_up(void) { gsl_set_error_handler_off(); }

TestSuite(fit, .init = set_up);

enum { GAMES = 5, SPOTS = 40, REPETITIONS = 3 };

/* rate = 50000 - 800 * pieces + phase_slope * phase, the first repetition undisturbed, others up to a third slower. */
static int make_samples(struct rate_sample *sample, double phase_slope, double nodes_slope)
{
    int count = 0;
    for (int spot = 0; spot < SPOTS; spot++)
        for (int64_t asked = 10000; asked <= 160000; asked *= 4)
            for (int r = 0; r < REPETITIONS; r++) {
                const int pieces = 3 + (spot * 29) / (SPOTS - 1), phase = (spot * 7) % 25;
                const double rate = (50000 - 800 * pieces + phase_slope * phase + nodes_slope * log2((double)asked)) * (1 - 0.15 * r);
                sample[count++] = (struct rate_sample){
                    .game = spot % GAMES, .spot = spot, .pieces = pieces, .phase = phase, .in_game = true, .concurrency = 1,
                    .asked = asked, .nodes = asked, .wall = (tm_ns)((double)asked / rate * 1e9),
                    .cpu = (tm_ns)((double)asked / 40000 * 1e9) };
            }
    return count;
}

Test(fit, the_straight_line_behind_the_samples_is_found_through_their_disturbances)
{
    static struct rate_sample sample[SPOTS * 3 * REPETITIONS + 1];
    struct samples samples = { .sample = sample, .count = make_samples(sample, 0, 0) };
    struct fit fit;
    struct tm_error error;
    cr_assert(fit_samples(&samples, true, &fit, &error), "%s", error.message);
    const struct fit_model *model = &fit.model[fit.chosen];
    cr_expect(eq(int, fit.chosen, 0), "no term more than pieces is worth it");
    cr_expect(fabs(model->coefficient[0] - 50000) < 5 && fabs(model->coefficient[1] + 800) < 0.5, "%g %g",
              model->coefficient[0], model->coefficient[1]);
    cr_expect(fit.points == SPOTS * 3 && fit.lowest_pieces == 3 && fit.highest_pieces == 32);
    cr_expect(fabs(fit.median_to_largest - 0.85) < 1e-3, "%g", fit.median_to_largest);
    cr_expect(model->residual < 1e-4 && model->r2 > 0.9999);
}

Test(fit, terms_are_taken_when_they_predict_unseen_games)
{
    static struct rate_sample sample[SPOTS * 3 * REPETITIONS];
    static const struct { double phase, nodes; int chosen; } rows[] = { { 400, 0, 1 }, { 0, 900, 2 }, { 400, 900, 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct samples samples = { .sample = sample, .count = make_samples(sample, rows[i].phase, rows[i].nodes) };
        struct fit fit;
        struct tm_error error;
        cr_assert(fit_samples(&samples, true, &fit, &error), "%s", error.message);
        cr_expect(eq(int, fit.chosen, rows[i].chosen));
        cr_expect(fabs(fit.model[fit.chosen].coefficient[2] - rows[i].phase) < 1);
        cr_expect(fabs(fit.model[fit.chosen].coefficient[3] - rows[i].nodes) < 1);
    }
}

Test(fit, searches_that_ended_early_are_no_evidence_and_too_little_is_refused)
{
    static struct rate_sample sample[SPOTS * 3 * REPETITIONS + 1];
    struct samples samples = { .sample = sample, .count = make_samples(sample, 0, 0) };
    struct fit fit;
    struct tm_error error;
    sample[samples.count++] = (struct rate_sample){ .game = 0, .spot = 0, .pieces = 3, .in_game = true, .concurrency = 1,
                                                    .asked = 10000, .nodes = 500, .wall = 1 };
    cr_assert(fit_samples(&samples, true, &fit, &error));
    cr_expect(fit.model[0].residual < 1e-4, "a mate that was found at once is left out: %g", fit.model[0].residual);
    samples.by_cpu = true;
    cr_assert(fit_samples(&samples, true, &fit, &error));
    cr_expect(fabs(fit.model[0].coefficient[0] - 40000) < 5, "by processor time every rate is 40000");
    cr_expect_not(fit_samples(&samples, false, &fit, &error), "there are no fresh samples");
    cr_expect(error.code == TM_INPUT);
}

Test(fit, a_profile_that_was_written_is_read_with_its_rates)
{
    static struct rate_sample sample[SPOTS * 3 * REPETITIONS];
    char json[] = "{\"format\":\"zeitnot.samples/1\",\"provenance\":{\"engine\":\"Mock\"},\"columns\":[],\"rows\":[]}";
    char path[] = "/tmp/zeitnot-fit-XXXXXX.json";
    const int file = mkstemps(path, 5);
    struct samples samples = { .sample = sample, .count = make_samples(sample, 400, 0), .json = json };
    struct fit fit;
    struct tm_error error;
    struct profile *profile;
    cr_assert(file >= 0 && fit_samples(&samples, true, &fit, &error));
    cr_assert(fit_write(&fit, &samples, true, "mock", path, &error), "%s", error.message);
    cr_assert(profile_load(path, ".", &profile, &error), "%s", error.message);
    cr_expect_str_eq(profile_engine(profile), "Mock");
    cr_expect(llabs(profile_rate_at(profile, 20, 10, 1) - (50000 - 16000 + 4000)) < 5);
    cr_expect(llabs(profile_rate_at(profile, 20, 10, 2) - 2 * (50000 - 16000 + 4000)) < 10);
    cr_expect(profile_rate_at(profile, 2, 10, 1) == profile_rate_at(profile, 3, 10, 1), "nothing beyond the measured range");
    profile_free(profile);
    close(file);
    remove(path);
}
