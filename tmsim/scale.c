/* A time parameter can only be scaled within its range, so the factor is looked for. */
#include "tmsim/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOLERANCE = 1e-7; /* relative; whole nanoseconds of scaled clocks are the coarsest rounding */

const char *scale_verdict_name(enum scale_verdict verdict)
{
    static const char *const names[] = {
        [SCALE_FREE] = "scale-free", [SCALE_BOUND] = "not scale-free", [SCALE_UNDECIDED] = "undecided"};
    return names[verdict];
}

static bool has_time_parameter(const struct policy_info *info)
{
    for (int i = 0; i < info->param_count; i++)
        if (info->param[i].is_time && info->param[i].value != 0)
            return true;
    return false;
}

static bool fits(const struct policy_info *info, double factor)
{
    for (int i = 0; i < info->param_count; i++) {
        const struct policy_param *param = &info->param[i];
        if (param->is_time && !(param->value * factor >= param->min && param->value * factor <= param->max))
            return false;
    }
    return true;
}

/* Powers of two first, which scale without rounding. 0: none fits. */
static double find_factor(const struct policy_info *info)
{
    static const double factors[] = { 2, 0.5, 4, 0.25, 1.25, 0.8 };
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (fits(info, factors[i]))
            return factors[i];
    return 0;
}

/* The policy with its time parameters scaled; it is loaded anew from its file. */
static bool load_scaled(const struct policy *policy, double factor, struct policy **out, struct tm_error *error)
{
    const struct policy_info *info = policy_info(policy);
    char spec[1024];
    snprintf(spec, sizeof spec, "%s", info->path);
    for (int i = 0; i < info->param_count; i++) {
        const struct policy_param *param = &info->param[i];
        const size_t used = strlen(spec);
        if (param->is_time)
            snprintf(spec + used, sizeof spec - used, ":%s=%.9fs", param->name,
                     param->value * factor * policy_unit_ns(policy, SPEND_RATE) / 1e9);
        else if (param->value != param->initial)
            snprintf(spec + used, sizeof spec - used, ":%s=%.17g", param->name, param->value);
    }
    return policy_load(spec, ".", out, error);
}

static tm_ns scaled(tm_ns time, double factor) { return llround((double)time * factor); }

static struct clock_state scaled_state(struct clock_state state, double factor)
{
    state.time = scaled(state.time, factor);
    state.inc = scaled(state.inc, factor);
    state.base = scaled(state.base, factor);
    state.period_base = scaled(state.period_base, factor);
    state.opp_time = scaled(state.opp_time, factor);
    state.opp_inc = scaled(state.opp_inc, factor);
    state.lag = scaled(state.lag, factor);
    return state;
}

static bool differs(double is, double should, double scale)
{
    if (is == should)
        return false;
    return !(fabs(is - should) <= TOLERANCE * fmax(fabs(should), scale));
}

/* The policy and the one with scaled parameters, each with the g of a new game: what a policy remembers may itself
   be a time. */
struct pair {
    struct policy_game *game[2];
    struct policy_memory *memory[2];
};

static bool pair_open(struct pair *pair, const struct policy *policy, const struct policy *larger)
{
    struct tm_error ignored;
    const struct policy *const policies[2] = { policy, larger };
    *pair = (struct pair){ 0 };
    for (int i = 0; i < 2; i++) {
        pair->game[i] = policy_game_new(policies[i], &ignored);
        pair->memory[i] = pair->game[i] ? policy_game_save(pair->game[i]) : NULL;
    }
    return pair->memory[0] && pair->memory[1];
}

static void pair_close(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        policy_memory_free(pair->memory[i]);
        policy_game_free(pair->game[i]);
    }
}

static bool ask(const struct pair *pair, int which, const struct clock_state *state, struct budget *out)
{
    struct tm_error ignored;
    policy_game_restore(pair->game[which], pair->memory[which]);
    return policy_budget(pair->game[which], state, out, &ignored);
}

/* True if the limits scale, or if the policy faults there, which is another's business. */
static bool compare(const struct pair *pair, const struct clock_state *state, double unit_ns, struct scale_result *out)
{
    const struct clock_state large = scaled_state(*state, out->factor);
    struct budget plain, big;
    if (!ask(pair, 0, state, &plain) || !ask(pair, 1, &large, &big))
        return true;
    const double clock = 0.001 * (double)large.time / unit_ns; /* a limit far below the clock is compared with it */
    const bool hard = differs(big.raw.hard, plain.raw.hard * out->factor, clock);
    if (!hard && !differs(big.raw.soft, plain.raw.soft * out->factor, clock))
        return true;
    out->verdict = SCALE_BOUND;
    out->at_hard = hard;
    out->state = *state;
    out->is = hard ? big.raw.hard : big.raw.soft;
    out->should = (hard ? plain.raw.hard : plain.raw.soft) * out->factor;
    return false;
}

/* Shares of the clock, then both sides of the knees; the first that does not scale decides. */
static void compare_all(const struct cell *cell, const struct knees *knees, const struct policy *larger,
                        struct scale_result *out)
{
    static const double shares[] = { 1, 0.5, 0.2, 0.05, 0.01 };
    enum { SHARES = sizeof shares / sizeof *shares, KNEES = 8 };
    const int knee_count = knees->count < KNEES ? knees->count : KNEES;
    const double unit_ns = policy_unit_ns(cell->setup.policy, SPEND_RATE);
    struct pair pair;
    bool scales = pair_open(&pair, cell->setup.policy, larger);
    for (int i = 0; scales && i < SHARES + 2 * knee_count; i++) {
        tm_ns clock = llround((double)cell->top * shares[i % SHARES]);
        if (i >= SHARES) {
            const tm_ns knee = knees->knee[(i - SHARES) / 2].clock;
            clock = (i - SHARES) % 2 ? knee + knee / 1000 + 1 : knee - knee / 1000 - 1;
        }
        const struct clock_state state = cell_state_at(cell, clock);
        scales = compare(&pair, &state, unit_ns, out);
    }
    pair_close(&pair);
}

static struct scale_result decide(struct cell *cell, const struct knees *knees)
{
    const struct policy *policy = cell->setup.policy;
    const struct policy_info *info = policy_info(policy);
    struct scale_result result = { .verdict = SCALE_FREE, .factor = find_factor(info) };
    if (info->unit == POLICY_NODE)
        return (struct scale_result){ .verdict = SCALE_UNDECIDED, .reason = "its unit is the node, not a time" };
    if (result.factor == 0)
        return (struct scale_result){ .verdict = SCALE_UNDECIDED,
                                      .reason = "no factor keeps all time parameters within their ranges" };
    if (!has_time_parameter(info)) {
        compare_all(cell, knees, policy, &result);
        return result;
    }
    struct policy *larger;
    struct tm_error error;
    if (!load_scaled(policy, result.factor, &larger, &error))
        return (struct scale_result){ .verdict = SCALE_UNDECIDED,
                                      .reason = "it could not be loaded again with scaled parameters" };
    compare_all(cell, knees, larger, &result);
    policy_free(larger);
    return result;
}

struct scale_result scale_check(struct cell *cell, const struct knees *knees)
{
    struct scale_result result = decide(cell, knees);
    if (result.verdict == SCALE_BOUND)
        result.quantity = policy_quantities(cell->setup.policy, &result.state);
    return result;
}

char *scale_culprit(const struct scale_result *scale, const struct policy *policy, char *buffer, size_t size)
{
    char line[160];
    *buffer = '\0';
    if (scale->verdict != SCALE_BOUND)
        return buffer;
    switch (scale->quantity.verdict) {
    case QUANTITY_MIXED:
        snprintf(buffer, size, "%s:%d: %s\n    %d | %s", policy_info(policy)->path, scale->quantity.line,
                 scale->quantity.text, scale->quantity.line,
                 policy_line(policy, scale->quantity.line, line, sizeof line));
        break;
    case QUANTITY_CLEAN:
        snprintf(buffer, size, "no line mixes times with bare numbers there: rounding, or a time that was remembered");
        break;
    case QUANTITY_UNDECIDED:
        snprintf(buffer, size, "which line is at fault is undecided: on quantities the policy takes another branch");
        break;
    }
    return buffer;
}
