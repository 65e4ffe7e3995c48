/* The limits of published engines against vectors that were computed apart from the policy files. */
#include <criterion/criterion.h>

#include "tests/policy_vectors.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What a row's state means here: a value of g, a parameter, or a field of the clock state. */
static const struct {
    const char *key;
    enum { IN_G, PARAMETER, CLOCK } where;
    const char *name; /* in g or of the parameter */
} state_keys[] = {
    {"ota", IN_G, "ota"}, {"avail", IN_G, "avail"}, {"npmsec", PARAMETER, "nodestime"}, {"ponder", CLOCK, "ponder"},
    {"legal", CLOCK, "legal"}, {"opp", CLOCK, "opp"}, {"first", IN_G, "started"}, {"spared", IN_G, "spared"},
    {"piggy", IN_G, "piggy"}, {"timeuse", IN_G, "timeuse"}, {"prev_b", IN_G, "prev_b"}, {"prev_a", IN_G, "prev_a"},
    {"movelimit", IN_G, "movelimit"}, {"step", IN_G, "step"}, {"opening", PARAMETER, "opening"},
    {"variability", IN_G, "variability"}, {"constance", IN_G, "constance"}, {"ratio", IN_G, "ratio"},
    {"phase", PARAMETER, "phase"}, {"tc_time", CLOCK, "tc_time"}, {"tc_moves", CLOCK, "tc_moves"},
    {"safety", PARAMETER, "safety"}};

/* Keys of state_after and the values of g that they are. */
static const char *const after_keys[][2] = {
    {"originalTimeAdjust", "ota"}, {"spared", "spared"}, {"piggy", "piggy"}, {"timeuse", "timeuse"}, {"avg", "average"},
    {"alloc", "alloc"}, {"prev_b", "prev_b"}, {"prev_a", "prev_a"}};

static double state_number(const json_t *value)
{
    return json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
}

static void spec_add(char *spec, size_t size, const char *name, const char *format, double value)
{
    size_t used = strlen(spec);
    used += (size_t)snprintf(spec + used, size - used, ":%s=", name);
    snprintf(spec + used, size - used, format, value);
}

static const struct policy_param *parameter_of(const struct policy *policy, const char *name)
{
    const struct policy_info *info = policy_info(policy);
    for (int i = 0; i < info->param_count; i++)
        if (strcmp(info->param[i].name, name) == 0)
            return &info->param[i];
    return NULL;
}

/* The policy of a row with its overhead and those parts of the state that are parameters. */
static struct policy *policy_of(const json_t *row)
{
    char spec[256];
    snprintf(spec, sizeof spec, "%s", json_string_value(json_object_get(row, "policy")));
    const json_t *inputs = json_object_get(row, "inputs"), *state = json_object_get(inputs, "state");
    struct policy *plain = vectors_policy(spec);
    if (parameter_of(plain, "overhead"))
        spec_add(spec, sizeof spec, "overhead", "%.9fs", vectors_number(inputs, "overhead_s", 0));
    policy_free(plain);
    for (size_t i = 0; i < COUNT(state_keys); i++) {
        const json_t *value = json_object_get(state, state_keys[i].key);
        if (value && state_keys[i].where == PARAMETER)
            spec_add(spec, sizeof spec, state_keys[i].name, "%.17g", state_number(value));
    }
    return vectors_policy(spec);
}

static void apply(const char *key, double value, const char *name, bool in_g, struct policy_game *game,
                  struct clock_state *clock)
{
    if (in_g)
        policy_game_set(game, name, strcmp(key, "first") == 0 ? !value : value);
    else if (strcmp(key, "ponder") == 0)
        clock->ponder = value != 0;
    else if (strcmp(key, "legal") == 0)
        clock->legal = (int)value;
    else if (strcmp(key, "opp") == 0)
        clock->opp_time = llround(value * 1e6);
    else if (strcmp(key, "tc_time") == 0)
        clock->period_base = llround(value * 1e7);
    else if (strcmp(key, "tc_moves") == 0)
        clock->period_moves = (int)value;
}

static void apply_state(const json_t *state, struct policy_game *game, struct clock_state *clock)
{
    for (size_t i = 0; i < COUNT(state_keys); i++) {
        const json_t *value = json_object_get(state, state_keys[i].key);
        if (value && state_keys[i].where != PARAMETER)
            apply(state_keys[i].key, state_number(value), state_keys[i].name, state_keys[i].where == IN_G, game, clock);
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)state, key, value) {
        bool known = false;
        for (size_t i = 0; i < COUNT(state_keys); i++)
            known = known || strcmp(key, state_keys[i].key) == 0;
        cr_assert(known, "no meaning for the state '%s'", key);
    }
}

/* null in a row: no limit, a value that overflowed the engine's integers, or a fault where the engine dies. */
static bool agrees(const json_t *row, const char *key, double found)
{
    double expected = vectors_number(row, key, NAN);
    return isnan(expected) ? fabs(found) >= 9e15 - 1 : fabs(found - expected) <= 1e-9;
}

static void expect_memory(size_t index, const json_t *row, const struct policy_game *game)
{
    for (size_t i = 0; i < COUNT(after_keys); i++) {
        const json_t *value = json_object_get(json_object_get(row, "state_after"), after_keys[i][0]);
        double found = NAN, expected = json_number_value(value);
        if (json_is_number(value)) {
            policy_game_get(game, after_keys[i][1], &found);
            /* lc0's alloc went through float32 in an order that is not published: one unit in the last place. */
            double tolerance = strcmp(after_keys[i][1], "alloc") == 0 ? 1e-7 : 1e-12;
            cr_expect(fabs(found - expected) <= tolerance * fabs(expected), "row %zu %s: g.%s is %.12g, expected %.12g", index,
                      json_string_value(json_object_get(row, "policy")), after_keys[i][1], found, expected);
        }
    }
}

static bool dies(const json_t *row)
{
    const char *note = json_string_value(json_object_get(row, "note"));
    return note && strstr(note, "SIGFPE");
}

static void check_row(size_t index, const json_t *row)
{
    struct policy *policy = policy_of(row);
    struct tm_error error = {0};
    struct policy_game *game = policy_game_new(policy, &error);
    cr_assert(game != NULL, "%s", error.message);
    const json_t *inputs = json_object_get(row, "inputs"), *state = json_object_get(inputs, "state");
    struct clock_state clock = vectors_clock(inputs);
    struct budget budget;
    apply_state(state, game, &clock);
    const char *label = policy_info(policy)->label;
    bool good = policy_budget(game, &clock, &budget, &error);
    if (dies(row)) {
        cr_expect(!good, "row %zu %s: no fault where the engine dies", index, label);
    } else {
        cr_expect(good, "row %zu %s: %s", index, label, error.message);
        double unit = policy_unit_ns(policy, 0) / 1e9, npm = vectors_number(state, "npmsec", 1);
        double soft = budget.floored.soft * unit * npm, hard = budget.floored.hard * unit * npm;
        cr_expect(!good || (agrees(row, "soft_s", soft) && agrees(row, "hard_s", hard)),
                  "row %zu %s: soft %.12g hard %.12g, expected %.12g %.12g for %s", index, label, soft, hard,
                  vectors_number(row, "soft_s", NAN), vectors_number(row, "hard_s", NAN), json_dumps(inputs, JSON_COMPACT));
        expect_memory(index, row, game);
    }
    policy_game_free(game);
    policy_free(policy);
}

Test(policy_engines, every_row_is_reproduced, .timeout = 300)
{
    json_t *root, *rows = vectors_read("policy-vectors-engines.json", &root), *row;
    size_t index;
    int checked = 0;
    const char *only = getenv("ONLY");
    json_array_foreach(rows, index, row) {
        const char *name = json_string_value(json_object_get(row, "policy"));
        if (only && strcmp(only, name) != 0)
            continue;
        char path[512]; 
        snprintf(path, sizeof path, "%s/policies/%s.lua", ZEITNOT_DATA_SOURCE, name);
        FILE *f = fopen(path, "r");
        if (!f) continue;
        fclose(f);
        check_row(index, row);
        checked++;
    }
    cr_expect_eq(checked, 923);
    json_decref(root);
}
