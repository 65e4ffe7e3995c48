/* The limits of published engines against vectors that were computed apart from the policy files. */
#include <criterion/criterion.h>

#include "tests/policy_vectors.h"
#include "vclock/event.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What a row's state means here: a value of g, a parameter, or a field of the clock state. */
static const struct {
    const char *key;
    enum { IN_G, PARAMETER, CENTISECONDS, CLOCK } where;
    const char *name; /* in g or of the parameter */
} state_keys[] = {
    {"ota", IN_G, "ota"}, {"avail", IN_G, "avail"}, {"npmsec", PARAMETER, "nodestime"}, {"ponder", CLOCK, "ponder"},
    {"legal", CLOCK, "legal"}, {"opp", CLOCK, "opp"}, {"first", IN_G, "started"}, {"spared", IN_G, "spared"},
    {"piggy", IN_G, "piggy"}, {"timeuse", IN_G, "timeuse"}, {"prev_b", IN_G, "prev_b"}, {"prev_a", IN_G, "prev_a"},
    {"movelimit", IN_G, "movelimit"}, {"step", IN_G, "step"}, {"opening", PARAMETER, "opening"},
    {"variability", IN_G, "variability"}, {"constance", IN_G, "constance"}, {"ratio", IN_G, "ratio"},
    {"phase", CLOCK, "phase"}, {"tc_time", CLOCK, "tc_time"}, {"tc_moves", CLOCK, "tc_moves"},
    {"safety", CENTISECONDS, "safety"}};

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
        if (value && state_keys[i].where == CENTISECONDS)
            spec_add(spec, sizeof spec, state_keys[i].name, "%.0f0ms", state_number(value));
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
    else if (strcmp(key, "phase") == 0) /* 0 with all men to 255 with none */
        clock->phase = 24 - (int)(value * 24 / 255);
    else if (strcmp(key, "tc_moves") == 0)
        clock->period_moves = (int)value;
}

static void apply_state(const json_t *state, struct policy_game *game, struct clock_state *clock)
{
    for (size_t i = 0; i < COUNT(state_keys); i++) {
        const json_t *value = json_object_get(state, state_keys[i].key);
        if (value && (state_keys[i].where == IN_G || state_keys[i].where == CLOCK))
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
            cr_expect(fabs(found - expected) <= tolerance * fabs(expected),
                      "row %zu %s: g.%s is %.12g, expected %.12g", index, json_string_value(json_object_get(row, "policy")), after_keys[i][1], found, expected);
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
                  "row %zu %s: soft %.12g hard %.12g, expected %.12g %.12g", index, label, soft, hard,
                  vectors_number(row, "soft_s", NAN), vectors_number(row, "hard_s", NAN));
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
    json_array_foreach(rows, index, row) {
        check_row(index, row);
        checked++;
    }
    cr_expect_eq(checked, 923);
    json_decref(root);
}

/* The factor on soft after a calm search: the same best move for ten iterations with 60 % of the nodes, a flat score,
   and the move before just as calm. */
static double calm_factor(const char *name)
{
    static const int flat[] = {10, 10, 10, 10, 10, 10};
    struct policy *policy = vectors_policy(name);
    struct tm_error error = {0};
    struct policy_game *game = policy_game_new(policy, &error);
    struct signals signals = {
        .elapsed = TM_NS_PER_S, .nodes = 100000, .depth = 12, .score = 10, .prev_score = 10, .prev_move_score = 10,
        .has_prev_move_score = true, .stable = 10, .last_change = 2, .share = 0.6, .legal = 30, .scores = flat,
        .score_count = 6, .known = TM_KNOWS_ALL};
    struct clock_state clock = vectors_clock(NULL);
    struct budget budget;
    tm_ns soft = 0, hard;
    bool given;
    clock.time = clock.opp_time = 60 * TM_NS_PER_S;
    for (int move = 0; move < 2; move++) {
        cr_assert(policy_budget(game, &clock, &budget, &error), "%s", error.message);
        cr_assert(policy_limit(game, &signals, &budget, &soft, &hard, &given, &error), "%s", error.message);
        cr_assert(policy_finish(game, &signals, &error), "%s", error.message);
    }
    policy_game_free(game);
    policy_free(policy);
    return (double)soft / (double)budget.effective_soft;
}

/* Published products; each is given to two digits. */
Test(policy_engines, a_calm_search_scales_soft_as_published)
{
    static const struct {
        const char *name;
        double factor;
    } table[] = {{"sf_head", 0.55}, {"sf_12", 0.38},   {"ethereal", 0.72},
                 {"weiss", 2.01},   {"berserk", 0.53}, {"koivisto", 0.38}};
    for (size_t i = 0; i < COUNT(table); i++) {
        double factor = calm_factor(table[i].name);
        cr_expect(fabs(factor - table[i].factor) <= 0.006, "%s: %.4f, expected %.2f", table[i].name, factor,
                  table[i].factor);
    }
}
