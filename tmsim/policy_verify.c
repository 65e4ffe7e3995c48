/* A row's state goes where the policy's table `vectors` says; without an entry, to the parameter, the field of the
   clock or the value of g with that name. */
#include "tmsim/policy_verify.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* Keys of published vectors whose name differs from what they are in the policy files that came with them. */
static const struct {
    const char *key, *target;
} customary[] = {
    { "npmsec", "p.nodestime" }, { "own_moves", "c.moves" }, { "opp", "c.opp_time" }, { "first", "!g.started" },
    { "tc_time", "c.period_base" },
    { "tc_moves", "c.period_moves" }, { "phase", "c.phase255" },
};

/* The clock state's fields that a vector may set; times come in the policy's unit. */
static void set_pieces(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->pieces = (int)value;
}
static void set_phase(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->phase = (int)value;
}
/* 0 with all men to 255 with none. */
static void set_phase255(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->phase = 24 - (int)(value * 24 / 255);
}
static void set_legal(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->legal = (int)value;
}
static void set_ponder(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->ponder = value != 0;
}
static void set_moves(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->moves = (int)value;
}
static void set_period_moves(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->period_moves = (int)value;
}
static void set_rand(struct clock_state *c, double value, double unit_ns)
{
    (void)unit_ns;
    c->rand = value;
}
static void set_opp_time(struct clock_state *c, double value, double unit_ns)
{
    c->opp_time = ns_from_units(value, unit_ns);
}

static void set_opp_inc(struct clock_state *c, double value, double unit_ns)
{
    c->opp_inc = ns_from_units(value, unit_ns);
}

static void set_base(struct clock_state *c, double value, double unit_ns) { c->base = ns_from_units(value, unit_ns); }
static void set_period_base(struct clock_state *c, double value, double unit_ns)
{
    c->period_base = ns_from_units(value, unit_ns);
}

static const struct field {
    const char *name;
    void (*set)(struct clock_state *clock, double value, double unit_ns);
} fields[] = {
    { "pieces", set_pieces },       { "phase", set_phase },     { "phase255", set_phase255 },
    { "legal", set_legal },         { "ponder", set_ponder },   { "moves", set_moves },
    { "rand", set_rand },           { "opp_time", set_opp_time }, { "opp_inc", set_opp_inc },
    { "base", set_base },           { "period_base", set_period_base }, { "period_moves", set_period_moves },
};

static const struct field *find_field(const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static const struct policy_param *find_param(const struct policy *policy, const char *name)
{
    const struct policy_info *info = policy_info(policy);
    for (int i = 0; i < info->param_count; i++)
        if (strcmp(info->param[i].name, name) == 0)
            return &info->param[i];
    return NULL;
}

/* "p.nodestime", "c.legal", "g.ota", "!g.started". */
static void find_target(const struct policy *policy, const char *key, char *target, size_t size)
{
    const char *told = policy_vector_target(policy, key);
    if (!told && find_param(policy, key)) {
        snprintf(target, size, "p.%s", key);
        return;
    }
    for (size_t i = 0; !told && i < sizeof customary / sizeof *customary; i++)
        if (strcmp(customary[i].key, key) == 0)
            told = customary[i].target;
    if (told)
        snprintf(target, size, "%s", told);
    else
        snprintf(target, size, "%s.%s", find_field(key) ? "c" : "g", key);
}

static double number_of(const json_t *value)
{
    if (json_is_boolean(value))
        return json_is_true(value);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double input_of(const json_t *object, const char *key, double absent)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : absent;
}

/* One row at work. */
struct trial {
    const json_t *row, *inputs, *state;
    size_t number; /* from 1 */
    struct policy *policy;
    struct clock_state clock;
    double soft, hard; /* floored, seconds; NAN: a fault */
};

static void add_parameter(char *spec, size_t size, const struct policy *policy, const struct policy_param *param,
                          double value)
{
    const size_t used = strlen(spec);
    if (param->is_time)
        snprintf(spec + used, size - used, ":%s=%.9fs", param->name, value * policy_unit_ns(policy, 0) / 1e9);
    else
        snprintf(spec + used, size - used, ":%s=%.17g", param->name, value);
}

/* What `overhead_s` of a row sets: by the table `vectors`, else the parameter `overhead`; NULL: nothing. */
static const struct policy_param *overhead_param(const struct policy *policy)
{
    const char *told = policy_vector_target(policy, "overhead_s");
    return find_param(policy, told && strncmp(told, "p.", 2) == 0 ? told + 2 : "overhead");
}

/* The policy with the parameters that the row asks for. One that the user has set is not set again. */
static bool load_for_row(struct trial *trial, const char *spec, const char *directory, struct tm_error *error)
{
    char full[1024], target[64];
    struct policy *plain;
    if (!policy_load(spec, directory, &plain, error))
        return false;
    snprintf(full, sizeof full, "%s", spec);
    const struct policy_param *overhead = overhead_param(plain);
    char set[64];
    snprintf(set, sizeof set, ":%s=", overhead ? overhead->name : "");
    if (overhead && overhead->is_time && !strstr(spec, set) && json_object_get(trial->inputs, "overhead_s"))
        add_parameter(full, sizeof full, plain, overhead,
                      input_of(trial->inputs, "overhead_s", 0) * 1e9 / policy_unit_ns(plain, 0));
    void *at;
    for (at = json_object_iter((json_t *)(uintptr_t)trial->state); at;
         at = json_object_iter_next((json_t *)(uintptr_t)trial->state, at)) {
        find_target(plain, json_object_iter_key(at), target, sizeof target);
        const struct policy_param *param = strncmp(target, "p.", 2) == 0 ? find_param(plain, target + 2) : NULL;
        if (param)
            add_parameter(full, sizeof full, plain, param, number_of(json_object_iter_value(at)));
    }
    policy_free(plain);
    return policy_load(full, directory, &trial->policy, error);
}

static struct clock_state clock_of(const json_t *inputs)
{
    const tm_ns time = ns_from_units(input_of(inputs, "time_s", 0), 1e9);
    const tm_ns inc = ns_from_units(input_of(inputs, "inc_s", 0), 1e9);
    const json_t *movestogo = json_object_get(inputs, "movestogo");
    const int ply = (int)input_of(inputs, "ply", 0);
    return (struct clock_state){
        .time = time, .inc = inc, .base = time, .period_base = time, .opp_time = time, .opp_inc = inc,
        .has_movestogo = json_is_integer(movestogo), .movestogo = (int)json_integer_value(movestogo),
        .ply = ply, .moves = ply / 2, .pieces = 32, .phase = 24, .legal = 20, .threads = 1, .rate = 1000,
    };
}

static bool apply_state(struct trial *trial, struct policy_game *game, struct tm_error *error)
{
    void *at;
    for (at = json_object_iter((json_t *)(uintptr_t)trial->state); at;
         at = json_object_iter_next((json_t *)(uintptr_t)trial->state, at)) {
        char target[64];
        const char *key = json_object_iter_key(at);
        const double value = number_of(json_object_iter_value(at));
        find_target(trial->policy, key, target, sizeof target);
        const bool negated = target[0] == '!';
        const char *place = target + negated;
        const struct field *field = strncmp(place, "c.", 2) == 0 ? find_field(place + 2) : NULL;
        if (isnan(value))
            return error_fail(error, TM_INPUT, "row %zu: state.%s is not a number", trial->number, key);
        if (field)
            field->set(&trial->clock, value, policy_unit_ns(trial->policy, 0));
        else if (strncmp(place, "g.", 2) == 0)
            policy_game_set(game, place + 2, negated ? value == 0 : value);
        else if (strncmp(place, "p.", 2) != 0 || !find_param(trial->policy, place + 2))
            return error_fail(error, TM_INPUT, "row %zu: state.%s: there is no %s in policy %s", trial->number, key,
                              place, policy_info(trial->policy)->name);
    }
    return true;
}

/* Rows of engines that count time in nodes give nodes / 1000, the policy milliseconds of that many nodes each. */
static double nodes_per_ms(const struct trial *trial)
{
    return json_object_get(trial->row, "soft_nodes") ? input_of(trial->state, "npmsec", 1) : 1;
}

static bool try_row(struct trial *trial, struct tm_error *error)
{
    struct tm_error fault;
    struct budget budget;
    struct policy_game *game = policy_game_new(trial->policy, error);
    if (!game)
        return false;
    trial->clock = clock_of(trial->inputs);
    bool ok = apply_state(trial, game, error);
    if (ok && policy_budget(game, &trial->clock, &budget, &fault)) {
        const double unit = policy_unit_ns(trial->policy, trial->clock.rate) / 1e9 * nodes_per_ms(trial);
        trial->soft = budget.floored.soft * unit;
        trial->hard = budget.floored.hard * unit;
    } else {
        trial->soft = trial->hard = NAN;
    }
    policy_game_free(game);
    return ok;
}

/* null stands for no limit, a value beyond the engine's integers, or a fault where the engine dies. */
static double difference(const json_t *row, const char *key, double found)
{
    const double expected = input_of(row, key, NAN);
    const bool none = !(fabs(found) < 9e15 - 1);
    if (isnan(expected))
        return none ? 0 : HUGE_VAL;
    return none ? HUGE_VAL : fabs(found - expected);
}

static void print_limit(char *buffer, size_t size, double value)
{
    if (isnan(value))
        snprintf(buffer, size, "none");
    else
        snprintf(buffer, size, "%.9g", value);
}

static void tell(const struct trial *trial, struct verify_result *out)
{
    char movestogo[16] = "none", limit[4][40];
    if (out->shown == VERIFY_SHOWN)
        return;
    if (trial->clock.has_movestogo)
        snprintf(movestogo, sizeof movestogo, "%d", trial->clock.movestogo);
    print_limit(limit[0], sizeof limit[0], trial->soft);
    print_limit(limit[1], sizeof limit[1], input_of(trial->row, "soft_s", NAN));
    print_limit(limit[2], sizeof limit[2], trial->hard);
    print_limit(limit[3], sizeof limit[3], input_of(trial->row, "hard_s", NAN));
    char *state = trial->state && json_object_size(trial->state) ? json_dumps(trial->state, JSON_COMPACT) : NULL;
    snprintf(out->disagreement[out->shown++], sizeof out->disagreement[0],
             "row %zu: time %.9g s, inc %.9g s, movestogo %s, ply %d, overhead %.9g s%s%.80s: soft %s s, expected %s; "
             "hard %s s, expected %s", trial->number, ns_to_s(trial->clock.time), ns_to_s(trial->clock.inc), movestogo,
             trial->clock.ply, input_of(trial->inputs, "overhead_s", 0), state ? ", state " : "", state ? state : "",
             limit[0], limit[1], limit[2], limit[3]);
    free(state);
}

static bool verify_row(struct trial *trial, const char *spec, const char *directory, double tolerance,
                       struct verify_result *out, struct tm_error *error)
{
    if (!json_is_number(json_object_get(trial->inputs, "time_s")))
        return error_fail(error, TM_INPUT, "row %zu: inputs.time_s is missing or no number", trial->number);
    if (!load_for_row(trial, spec, directory, error)) {
        error_prefix(error, "row %zu", trial->number);
        return false;
    }
    const bool ok = try_row(trial, error);
    policy_free(trial->policy);
    if (!ok)
        return false;
    const double soft = difference(trial->row, "soft_s", trial->soft),
        hard = difference(trial->row, "hard_s", trial->hard);
    const double larger = fmax(soft, hard);
    out->rows++;
    out->largest = fmax(out->largest, larger);
    if (larger <= tolerance)
        out->agreeing++;
    else
        tell(trial, out);
    return true;
}

static bool concerns(const json_t *row, const char *name)
{
    const char *recorded = json_string_value(json_object_get(row, "policy"));
    if (!recorded || strcmp(recorded, name) == 0)
        return true;
    return strncmp(recorded, "sunfish_", 8) == 0 && strcmp(recorded + 8, name) == 0;
}

bool policy_verify(const char *spec, const char *directory, const json_t *rows, double tolerance,
                   struct verify_result *out, struct tm_error *error)
{
    struct policy *policy;
    char name[64];
    *out = (struct verify_result){ 0 };
    if (!policy_load(spec, directory, &policy, error))
        return false;
    snprintf(name, sizeof name, "%s", policy_info(policy)->name);
    policy_free(policy);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        struct trial trial = { .row = json_array_get(rows, i), .number = i + 1 };
        trial.inputs = json_object_get(trial.row, "inputs");
        trial.state = json_object_get(trial.inputs, "state");
        if (concerns(trial.row, name) && !verify_row(&trial, spec, directory, tolerance, out, error))
            return false;
    }
    return out->rows > 0 || error_fail(error, TM_INPUT, "no row of the file is about policy %s", name);
}
