/* The limits of the sunfish policies against vectors that were computed apart from them. */
#include <criterion/criterion.h>

#include "tests/policy_vectors.h"
#include "vclock/event.h"

static const char *const names[] = {"legacy12", "oldtm", "steptm", "smooth", "min40_4", "min40_4c",
                                    "budget", "simple", "onemax", "pool", "poolyield"};
enum { NAMES = sizeof names / sizeof *names };

/* The spec that gives a row's policy its overhead and state: "pool:overhead=0.2s:phase_m=1:scale=0.8". */
static void spec_of(const char *name, const json_t *inputs, char *spec, size_t size)
{
    const json_t *state = json_object_get(inputs, "state");
    int used = snprintf(spec, size, "%s", name);
    bool reserves = strncmp(name, "pool", 4) == 0;
    if (reserves || strcmp(name, "budget") == 0)
        used += snprintf(spec + used, size - (size_t)used, ":%s=%.9fs", reserves ? "overhead" : "delay",
                         vectors_number(inputs, "overhead_s", 0));
    if (json_is_true(json_object_get(state, "phase_m")))
        snprintf(spec + used, size - (size_t)used, ":phase_m=1:scale=%.17g", vectors_number(state, "scale", 1));
}

/* The floored limits of one row in seconds. */
static struct limits answer(const char *spec, const json_t *inputs)
{
    struct policy *policy = vectors_policy(spec);
    struct tm_error error = {0};
    struct policy_game *game = policy_game_new(policy, &error);
    cr_assert(game != NULL, "%s: %s", spec, error.message);
    struct clock_state clock = vectors_clock(inputs);
    struct budget budget;
    cr_assert(policy_budget(game, &clock, &budget, &error), "%s: %s", spec, error.message);
    double unit = policy_unit_ns(policy, 0) / 1e9;
    policy_game_free(game);
    policy_free(policy);
    return (struct limits){budget.floored.soft * unit, budget.floored.hard * unit};
}

Test(policy_vectors, every_sunfish_row_is_reproduced)
{
    json_t *root, *rows = vectors_read("policy-vectors-sunfish.json", &root), *row;
    size_t index;
    int seen[NAMES] = {0};
    json_array_foreach(rows, index, row) {
        const char *name = json_string_value(json_object_get(row, "policy")) + strlen("sunfish_");
        const json_t *inputs = json_object_get(row, "inputs");
        for (int i = 0; i < NAMES; i++) {
            if (strcmp(name, names[i]) != 0)
                continue;
            char spec[128];
            spec_of(name, inputs, spec, sizeof spec);
            struct limits limits = answer(spec, inputs);
            double soft = vectors_number(row, "soft_s", NAN), hard = vectors_number(row, "hard_s", NAN);
            cr_expect(fabs(limits.soft - soft) <= 1e-9 && fabs(limits.hard - hard) <= 1e-9,
                      "row %zu, %s: soft %.12g hard %.12g, expected %.12g %.12g", index, spec, limits.soft, limits.hard,
                      soft, hard);
            seen[i]++;
        }
    }
    for (int i = 0; i < NAMES; i++)
        cr_expect(seen[i] >= 24, "%s has %d rows", names[i], seen[i]);
    json_decref(root);
}

/* legacy12 thinks time/12 when the cap is out of reach, so 12 times a think is the clock that gives it. */
Test(policy_vectors, the_opening_ramp_limits_the_first_eight_plies)
{
    json_t *root, *rows = vectors_read("policy-vectors-sunfish.json", &root), *row;
    size_t index;
    int seen = 0;
    struct policy *policy = vectors_policy("legacy12:ramp=1");
    struct tm_error error = {0};
    struct policy_game *game = policy_game_new(policy, &error);
    json_array_foreach(rows, index, row) {
        if (strcmp(json_string_value(json_object_get(row, "policy")), "sunfish_opening_ramp") != 0)
            continue;
        const json_t *inputs = json_object_get(row, "inputs");
        struct clock_state clock = vectors_clock(inputs);
        clock.time = llround(12e9 * vectors_number(inputs, "think_s", 0));
        clock.rand = vectors_number(inputs, "u", 0);
        struct budget budget;
        cr_assert(policy_budget(game, &clock, &budget, &error), "%s", error.message);
        cr_expect(fabs(budget.floored.soft - vectors_number(row, "soft_s", NAN)) <= 1e-9 &&
                      fabs(budget.floored.hard - vectors_number(row, "hard_s", NAN)) <= 1e-9,
                  "row %zu: soft %.12g hard %.12g", index, budget.floored.soft, budget.floored.hard);
        seen++;
    }
    cr_expect_eq(seen, 37);
    policy_game_free(game);
    policy_free(policy);
    json_decref(root);
}

static struct signals dynamic_signals(const json_t *inputs)
{
    bool mate = json_is_true(json_object_get(inputs, "mate"));
    return (struct signals){
        .depth = 9, .stable = (int)vectors_number(inputs, "stable_iters", 0),
        .changed = json_is_true(json_object_get(inputs, "changed")),
        .drop = (int)vectors_number(inputs, "score_drop_cp", 0), .mate = mate ? 4 : 0, .known = TM_KNOWS_ALL};
}

Test(policy_vectors, pool_moves_its_soft_limit_as_sunfish_does)
{
    json_t *root, *rows = vectors_read("policy-vectors-sunfish.json", &root), *row;
    size_t index;
    int seen = 0;
    struct policy *policy = vectors_policy("pool:dynamic=1");
    struct tm_error error = {0};
    struct policy_game *game = policy_game_new(policy, &error);
    json_array_foreach(rows, index, row) {
        if (strcmp(json_string_value(json_object_get(row, "policy")), "sunfish_dynamic_target") != 0)
            continue;
        const json_t *inputs = json_object_get(row, "inputs");
        struct budget budget = {.floored = {vectors_number(inputs, "soft_s", 0), 1000}};
        struct signals signals = dynamic_signals(inputs);
        tm_ns soft, hard;
        bool hard_given;
        cr_assert(policy_limit(game, &signals, &budget, &soft, &hard, &hard_given, &error), "%s", error.message);
        cr_expect(fabs(ns_to_s(soft) - vectors_number(row, "soft_s", NAN)) <= 1e-9, "row %zu: soft %.12g", index,
                  ns_to_s(soft));
        cr_expect(!hard_given);
        seen++;
    }
    cr_expect_eq(seen, 57);
    policy_game_free(game);
    policy_free(policy);
    json_decref(root);
}
