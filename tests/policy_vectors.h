/* Published limits of policies: reading a file of vectors. Header-only, since every test is one file. */
#ifndef TESTS_POLICY_VECTORS_H
#define TESTS_POLICY_VECTORS_H

#include <criterion/criterion.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "vclock/policy.h"

/* The "vectors" of tests/fixtures/FILE; the caller drops *root. */
static inline json_t *vectors_read(const char *file, json_t **root)
{
    char path[512];
    snprintf(path, sizeof path, "%s/fixtures/%s", TEST_DATA, file);
    json_error_t fault;
    *root = json_load_file(path, 0, &fault);
    cr_assert(*root != NULL, "%s: %s", path, fault.text);
    json_t *rows = json_object_get(*root, "vectors");
    cr_assert(json_array_size(rows) > 0, "%s has no vectors", path);
    return rows;
}

/* A built-in policy, with parameters. */
static inline struct policy *vectors_policy(const char *spec)
{
    struct policy *policy;
    struct tm_error error = {0};
    cr_assert(policy_load(spec, ZEITNOT_DATA_SOURCE "/policies", &policy, &error), "%s", error.message);
    return policy;
}

/* A number of the object; `absent` if it is not there or null. */
static inline double vectors_number(const json_t *object, const char *key, double absent)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : absent;
}

/* The clock state of a row's inputs; overhead_s and state are left to the caller. */
static inline struct clock_state vectors_clock(const json_t *inputs)
{
    tm_ns time = llround(vectors_number(inputs, "time_s", 0) * 1e9);
    tm_ns inc = llround(vectors_number(inputs, "inc_s", 0) * 1e9);
    const json_t *movestogo = json_object_get(inputs, "movestogo");
    return (struct clock_state){
        .time = time, .inc = inc, .base = time, .period_base = time, .opp_time = time, .opp_inc = inc,
        .has_movestogo = json_is_integer(movestogo), .movestogo = (int)json_integer_value(movestogo),
        .ply = (int)vectors_number(inputs, "ply", 0), .moves = (int)vectors_number(inputs, "ply", 0) / 2,
        .pieces = 32, .phase = 24, .legal = 20, .threads = 1};
}

#endif
