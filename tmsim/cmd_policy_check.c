/* `tmsim policy check`: faults where time is left are errors, oddities where none is left are warnings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/policy_commands.h"
#include "tmsim/scale.h"
#include "tmsim/table.h"

static const struct option_spec specs[] = {
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0.6", .repeated = true,
      .help = "controls whose reachable states are tried, besides 60+0 and 40/60" },
    OPTION_ROW_EXPR,
    OPTION_ROW_FORMAT,
};

static const struct option_set set = {
    .command = "tmsim policy check", .operands = "POLICY…",
    .summary = "Tries a policy on the states that controls can reach (a fault there is an error) and on those that\n"
               "some runners send (no time, no moves to go: warnings), and decides whether it is scale-free.",
    .example = "tmsim policy check ./mine.lua --tc 10+0.1", .spec = specs,
    .count = sizeof specs / sizeof *specs, .max_operands = OPERANDS_MAX,
};

enum column { CHECK_POLICY, CHECK_SCALE, CHECK_DETAIL, CHECK_CULPRIT, CHECK_WARNINGS, CHECK_TEXT, CHECK_COLUMNS };

static const struct table_column columns[CHECK_COLUMNS] = {
    [CHECK_POLICY] = { .key = "policy", .head = "policy" },
    [CHECK_SCALE] = { .key = "scale", .head = "scale" },
    [CHECK_DETAIL] = { .key = "scale_detail" },
    [CHECK_CULPRIT] = { .key = "culprit" },
    [CHECK_WARNINGS] = { .key = "warnings", .head = "warnings", .align = TABLE_RIGHT },
    [CHECK_TEXT] = { .key = "warning_text" },
};

enum { WARNINGS_SIZE = 8192 };

struct warnings {
    int count;
    char text[WARNINGS_SIZE];
};

static void warn(struct warnings *warnings, const char *where, const char *what)
{
    const size_t used = strlen(warnings->text);
    snprintf(warnings->text + used, sizeof warnings->text - used, "%s%s: %s", warnings->count ? "\n" : "", where, what);
    warnings->count++;
}

/* What runners send past the end of the clock, and engines make of no moves to go. */
static void try_odd_state(struct cell *cell, tm_ns time, bool has_movestogo, int movestogo, struct warnings *warnings)
{
    struct clock_state state = cell_state_at(cell, time);
    struct budget budget;
    struct tm_error error;
    char where[96], what[300], number[24] = "none";
    state.has_movestogo = has_movestogo;
    state.movestogo = movestogo;
    if (has_movestogo)
        snprintf(number, sizeof number, "%d", movestogo);
    snprintf(where, sizeof where, "time %.3f s, movestogo %s", ns_to_s(time), number);
    if (!cell_budget(cell, &state, &budget, &error)) {
        error.message[strcspn(error.message, "\n")] = '\0';
        snprintf(what, sizeof what, "%.280s", error.message);
        warn(warnings, where, what);
    } else if (isinf(budget.raw.hard) || budget.hard_floored == TM_NS_MAX) {
        warn(warnings, where, "no limit: only the flag ends the search");
    } else if (budget.hard_floored > (time > 0 ? time : TM_NS_PER_S)) {
        snprintf(what, sizeof what, "hard is %.3f s", ns_to_s(budget.hard_floored));
        warn(warnings, where, what);
    }
}

static void try_odd_states(struct cell *cell, struct warnings *warnings)
{
    static const tm_ns none[] = { 0, -1 * TM_NS_PER_MS, -500 * TM_NS_PER_MS };
    static const tm_ns some[] = { 60 * TM_NS_PER_S, TM_NS_PER_S };
    static const int odd[] = { 0, -1 };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        try_odd_state(cell, none[i], false, 0, warnings);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
            try_odd_state(cell, some[i], true, odd[k], warnings);
}

static bool try_controls(const struct options *options, const struct policy *policy, struct tm_error *error)
{
    static const char *const always[] = { "60+0", "40/60" };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        struct tc tc;
        if (!tc_parse(always[i], &tc, error) || !policy_preflight(policy, &tc, true, error))
            return false;
    }
    for (int i = 0; i < options_count(options, "tc"); i++)
        if (!policy_preflight(policy, options_tc_at(options, "tc", i), true, error))
            return false;
    return true;
}

static void describe_scale(const struct scale_result *scale, char *text, size_t size)
{
    if (scale->verdict == SCALE_BOUND)
        snprintf(text, size, "with all times multiplied by %g, %s at %.6g s is %.6g where %.6g would be in proportion",
                 scale->factor, scale->at_hard ? "hard" : "soft", ns_to_s(scale->state.time), scale->is, scale->should);
    else
        snprintf(text, size, "%s", scale->reason ? scale->reason : "");
}

static bool check_one(const struct options *options, const struct policy_operand *item, struct table *table, bool text,
                      struct tm_error *error)
{
    struct cell cell;
    struct survey survey;
    struct knees knees = { 0 };
    struct warnings warnings = { 0 };
    if (!try_controls(options, item->policy, error))
        return false;
    const struct cell_setup setup = cell_defaults(item->policy, options_tc_at(options, "tc", 0), 50 * TM_NS_PER_MS);
    if (!cell_open(&cell, &setup, error))
        return false;
    if (!survey_take(&cell, 100, &survey, error)) {
        cell_close(&cell);
        return false;
    }
    knees_find(&cell, &survey, KNEES_ALL, &knees);
    survey_clear(&survey);
    const struct scale_result scale = scale_check(&cell, &knees);
    try_odd_states(&cell, &warnings);
    cell_close(&cell);
    char detail[300], culprit[600];
    describe_scale(&scale, detail, sizeof detail);
    scale_culprit(&scale, item->policy, culprit, sizeof culprit);
    table_row(table);
    table_text(table, CHECK_POLICY, item->spec);
    table_text(table, CHECK_SCALE, scale_verdict_name(scale.verdict));
    table_text(table, CHECK_DETAIL, detail);
    table_text(table, CHECK_CULPRIT, culprit);
    table_integer(table, CHECK_WARNINGS, warnings.count);
    table_text(table, CHECK_TEXT, warnings.text);
    if (!text)
        return true;
    printf("%s: %s%s%s\n", item->spec, scale_verdict_name(scale.verdict), *detail ? "; " : "", detail);
    if (*culprit)
        printf("  %s\n", culprit);
    if (policy_info(item->policy)->hooks)
        printf("  hooks are missing: solved statically, refused by vmatch\n");
    for (const char *at = warnings.text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        printf("  warning: %.*s\n", (int)strcspn(at, "\n"), at);
    return true;
}

static bool check(const struct options *options, int *code, struct tm_error *error)
{
    struct policy_operands operands = { 0 };
    const enum table_format format = (enum table_format)options_choice(options, "format");
    (void)code;
    struct table *table = table_new(columns, CHECK_COLUMNS);
    bool ok = table ? operands_load(options, 0, &operands, error) : error_fail(error, TM_INTERNAL, "out of memory");
    for (int i = 0; ok && i < operands.count; i++)
        ok = check_one(options, &operands.item[i], table, format == TABLE_TEXT, error);
    const struct table_frame frame = { .schema = "tmsim.policy.check/1" };
    if (ok && format != TABLE_TEXT && !table_print(table, format, &frame, stdout))
        ok = error_fail(error, TM_INTERNAL, "standard output could not be written");
    table_free(table);
    operands_clear(&operands);
    return ok;
}

int policy_check_command(int argc, char **argv) { return command_run(&set, argc, argv, check); }
