/* Finished legs wait in a table until their turn comes. */
#include "tmsim/sequential.h"

#include <stdlib.h>
#include <string.h>

#include "tmsim/fields.h"

struct leg {
    int8_t half_points; /* -1: no score */
    bool present;
    uint64_t digest;
};

struct sequential {
    struct sprt sprt;
    int pairs;
    struct leg (*leg)[2];
    struct sequential_state state;
    struct sprt_overshoot overshoot;
    uint64_t *seen; /* digests of the pairs counted, sorted */
};

static const char *const model_names[] = {
    [SPRT_NORMALIZED] = "normalized", [SPRT_LOGISTIC] = "logistic", [SPRT_BAYESIAN] = "bayesian",
};

const char *sprt_model_name(enum sprt_model model) { return model_names[model]; }

static bool read_model(const char *word, struct sprt *out)
{
    for (size_t i = 0; i < sizeof model_names / sizeof *model_names; i++)
        if (strcmp(word, model_names[i]) == 0) {
            out->model = (enum sprt_model)i;
            return true;
        }
    return false;
}

static bool read_overshoot(const char *word, struct sprt *out)
{
    out->overshoot = strcmp(word, "dynamic") == 0;
    return out->overshoot || strcmp(word, "none") == 0;
}

bool sequential_parse(const char *text, struct sprt *out, struct tm_error *error)
{
    *out = (struct sprt){ .model = SPRT_NORMALIZED, .alpha = 0.05, .beta = 0.05 };
    const struct field_number rows[] = {
        { .key = "elo0", .real = &out->elo0, .low = -1000, .high = 1000 },
        { .key = "elo1", .real = &out->elo1, .low = -1000, .high = 1000 },
        { .key = "alpha", .real = &out->alpha, .low = 0, .high = 1 },
        { .key = "beta", .real = &out->beta, .low = 0, .high = 1 },
    };
    struct field field;
    bool given[2] = { false, false };
    for (const char *at = text; fields_next(&at, &field);) {
        bool known;
        if (!fields_read_number("--sprt", &field, rows, 4, &known, error))
            return false;
        known = known || (strcmp(field.key, "model") == 0 && read_model(field.value, out))
                || (strcmp(field.key, "overshoot") == 0 && read_overshoot(field.value, out));
        if (!known)
            return error_fail(error, TM_INPUT, "--sprt %s: expected elo0=, elo1=, alpha=, beta=, "
                              "model=normalized|logistic|bayesian or overshoot=none|dynamic, found '%s=%s'", text, field.key,
                              field.value);
        given[0] = given[0] || strcmp(field.key, "elo0") == 0;
        given[1] = given[1] || strcmp(field.key, "elo1") == 0;
    }
    if (!given[0] || !given[1])
        return error_fail(error, TM_INPUT, "--sprt %s: expected elo0=X,elo1=Y, the two hypotheses", text);
    return sprt_check(out, 5, error);
}

struct sequential *sequential_new(const struct sprt *sprt, int pairs)
{
    struct sequential *test = calloc(1, sizeof *test);
    if (!test)
        return NULL;
    test->sprt = *sprt;
    test->pairs = pairs;
    test->leg = calloc((size_t)pairs + 1, sizeof *test->leg);
    test->seen = calloc((size_t)pairs + 1, sizeof *test->seen);
    if (test->leg && test->seen)
        return test;
    sequential_free(test);
    return NULL;
}

void sequential_free(struct sequential *test)
{
    if (!test)
        return;
    free(test->leg);
    free(test->seen);
    free(test);
}

/* Where the digest stands among the first `count`, or would. */
static int place_of(const uint64_t *seen, int count, uint64_t digest)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (seen[middle] < digest)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Remembers the pair's games; false if they were seen before. */
static bool is_distinct(struct sequential *test, const struct leg *leg)
{
    const uint64_t digest = leg[0].digest * 0x9E3779B97F4A7C15u ^ leg[1].digest;
    const int count = test->state.pairs, place = place_of(test->seen, count, digest);
    if (place < count && test->seen[place] == digest)
        return false;
    memmove(test->seen + place + 1, test->seen + place, (size_t)(count - place) * sizeof *test->seen);
    test->seen[place] = digest;
    return true;
}

static bool count_pair(struct sequential *test, const struct leg *leg, struct tm_error *error)
{
    struct sequential_state *state = &test->state;
    if (leg[0].half_points < 0 || leg[1].half_points < 0) {
        state->void_pairs++;
        return true;
    }
    if (!is_distinct(test, leg)) {
        state->repeated_pairs++;
        return true;
    }
    state->count[leg[0].half_points + leg[1].half_points]++;
    state->pairs++;
    if (!sprt_llr(&test->sprt, state->count, 5, &state->llr, error))
        return false;
    if (!test->sprt.overshoot) {
        state->verdict = sprt_verdict(&test->sprt, state->llr);
        return true;
    }
    sprt_overshoot_add(&test->overshoot, state->llr);
    for (int upper = 0; upper < 2; upper++)
        state->shift[upper] = sprt_overshoot_shift(&test->overshoot, upper);
    state->verdict = sprt_overshoot_verdict(&test->sprt, &test->overshoot, state->llr);
    return true;
}

bool sequential_add(struct sequential *test, int pair, int leg, int half_points, uint64_t digest,
                    struct tm_error *error)
{
    struct sequential_state *state = &test->state;
    if (pair < test->pairs)
        test->leg[pair][leg] = (struct leg){ .half_points = (int8_t)half_points, .present = true, .digest = digest };
    while (state->verdict == SPRT_CONTINUE && state->read < test->pairs && test->leg[state->read][0].present
           && test->leg[state->read][1].present)
        if (!count_pair(test, test->leg[state->read++], error))
            return false;
    return true;
}

struct sequential_state sequential_state(const struct sequential *test) { return test->state; }
