/* Figures of another solver for sunfish's policies. Header-only, since every test is one file. */
#ifndef TESTS_SOLVER_REFERENCE_H
#define TESTS_SOLVER_REFERENCE_H

#include <criterion/criterion.h>

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tmsim/expression.h"
#include "tmsim/walk.h"

/* The "cells"; the caller drops *root. */
static inline json_t *reference_cells(json_t **root)
{
    json_error_t fault;
    *root = json_load_file(TEST_DATA "/fixtures/solver-reference.json", 0, &fault);
    cr_assert(root[0] != NULL, "%s", fault.text);
    json_t *cells = json_object_get(*root, "cells");
    cr_assert(json_array_size(cells) == 47);
    return cells;
}

static inline struct policy *some_policy(const char *spec)
{
    struct policy *policy;
    struct tm_error error = { 0 };
    cr_assert(policy_load(spec, ZEITNOT_DATA_SOURCE "/policies", &policy, &error), "%s", error.message);
    return policy;
}

static inline struct policy *formula(const char *text)
{
    struct policy *policy;
    struct tm_error error = { 0 };
    cr_assert(expression_load(text, &policy, &error), "%s", error.message);
    return policy;
}

static inline struct tc some_tc(const char *text)
{
    struct tc tc;
    struct tm_error error = { 0 };
    cr_assert(tc_parse(text, &tc, &error), "%s", error.message);
    return tc;
}

/* The setup of a row: no first increment, own moves as ply, 63 moves. The caller frees setup.policy. */
static inline struct cell_setup reference_setup(const json_t *row)
{
    char spec[64];
    const char *manager = json_string_value(json_object_get(row, "manager"));
    snprintf(spec, sizeof spec, "%s%s", manager, strstr(manager, "overhead=") ? "s" : "");
    const struct tc tc = some_tc(json_string_value(json_object_get(row, "tc")));
    const double overhead = json_number_value(json_object_get(row, "overhead"));
    struct cell_setup setup = cell_defaults(some_policy(spec), &tc, ns_from_units(overhead, 1e9));
    setup.first_inc = false;
    setup.ply_step = 1;
    setup.moves = (int)json_integer_value(json_object_get(row, "plies"));
    return setup;
}

static inline void drop_policy(struct cell_setup *setup) { policy_free((struct policy *)(uintptr_t)setup->policy); }

/* NAN for null. */
static inline double reference_number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline const char *row_name(const json_t *row)
{
    static char name[96];
    snprintf(name, sizeof name, "%s at %s", json_string_value(json_object_get(row, "manager")),
             json_string_value(json_object_get(row, "tc")));
    return name;
}

#endif
