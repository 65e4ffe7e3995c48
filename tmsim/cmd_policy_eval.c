/* `tmsim policy eval`: one clock. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/knee_term.h"
#include "tmsim/policy_commands.h"
#include "tmsim/policy_eval.h"
#include "tmsim/table.h"

static const struct option_spec specs[] = {
    { .name = "time", .kind = OPTION_TEXT, .argument = "DURATION", .required = true,
      .help = "on the clock, with its unit; -0.5s is possible too" },
    { .name = "inc", .kind = OPTION_DURATION, .argument = "DURATION", .fallback = "0s", .help = "increment" },
    { .name = "movestogo", .kind = OPTION_INTEGER, .argument = "N", .min = -1000, .max = 100000,
      .help = "moves to the next control; without it there is none" },
    { .name = "period-moves", .kind = OPTION_INTEGER, .argument = "N", .fallback = "0", .min = 0, .max = 100000,
      .help = "moves of the running period; 0: nil" },
    { .name = "ply", .kind = OPTION_INTEGER, .argument = "PLY", .fallback = "0", .min = 0, .max = 100000,
      .help = "game ply; own moves are half of it" },
    { .name = "base", .kind = OPTION_DURATION, .argument = "DURATION",
      .help = "base of the control: a first move is played there before, for what the policy remembers of it; "
              "default: TIME, and nothing is remembered" },
    { .name = "overhead", .kind = OPTION_DURATION, .argument = "DURATION", .fallback = "0ms",
      .help = "the lag that the policy sees" },
    OPTION_ROW_EXPR,
    OPTION_ROW_FORMAT,
};

static const struct option_set set = {
    .command = "tmsim policy eval", .operands = "POLICY…",
    .summary = "Asks a policy for its budget at one clock: raw, floored and effective limits, and which branches won.",
    .example = "tmsim policy eval oldtm pool --time 1.9s --inc 0s", .spec = specs,
    .count = sizeof specs / sizeof *specs, .max_operands = OPERANDS_MAX,
};

enum column {
    EVAL_POLICY, EVAL_SOFT_RAW, EVAL_HARD_RAW, EVAL_SOFT_FLOORED, EVAL_HARD_FLOORED, EVAL_SOFT, EVAL_BLIND, EVAL_BRANCHES,
    EVAL_COLUMNS
};

static const struct table_column columns[EVAL_COLUMNS] = {
    [EVAL_POLICY] = { .key = "policy", .head = "policy" },
    [EVAL_SOFT_RAW] = { .key = "soft_raw_s", .group = "raw s", .head = "soft", .align = TABLE_RIGHT, .decimals = 6 },
    [EVAL_HARD_RAW] = { .key = "hard_raw_s", .group = "raw s", .head = "hard", .align = TABLE_RIGHT, .decimals = 6 },
    [EVAL_SOFT_FLOORED] = { .key = "soft_floored_s", .group = "floored s", .head = "soft", .align = TABLE_RIGHT,
                            .decimals = 6 },
    [EVAL_HARD_FLOORED] = { .key = "hard_floored_s", .group = "floored s", .head = "hard", .align = TABLE_RIGHT,
                            .decimals = 6 },
    [EVAL_SOFT] = { .key = "soft_effective_s", .group = "effective s", .head = "soft", .align = TABLE_RIGHT, .decimals = 6 },
    [EVAL_BLIND] = { .key = "blind", .head = "blind" },
    [EVAL_BRANCHES] = { .key = "branches" },
};

/* A duration that may be negative. */
static bool read_time(const char *text, tm_ns *out, struct tm_error *error)
{
    const bool negative = *text == '-';
    if (!duration_parse("--time", text + negative, out, error))
        return false;
    if (negative)
        *out = -*out;
    return true;
}

static bool read_request(const struct options *options, struct eval_request *request, struct tm_error *error)
{
    *request = (struct eval_request){
        .inc = options_duration(options, "inc"),
        .overhead = options_duration(options, "overhead"),
        .has_base = options_given(options, "base") > 0,
        .has_movestogo = options_given(options, "movestogo") > 0,
        .movestogo = (int)options_integer(options, "movestogo"),
        .period_moves = (int)options_integer(options, "period-moves"),
        .ply = (int)options_integer(options, "ply"),
    };
    if (request->has_base)
        request->base = options_duration(options, "base");
    return read_time(options_text(options, "time"), &request->time, error);
}

static void set_limit(struct table *table, int column, tm_ns limit)
{
    if (limit == TM_NS_MAX)
        table_undefined(table, column, "no limit");
    else
        table_real(table, column, ns_to_s(limit));
}

/* "line 14: min takes `time / 2 - 1000` (argument 2)", one after another. */
static void describe_branches(const struct policy *policy, const struct policy_branch *branch, int count, char *text,
                              size_t size, const char *separator)
{
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        char argument[160];
        int ordinal = 0;
        for (int k = 0; k < i; k++)
            ordinal += branch[k].line == branch[i].line && branch[k].kind == branch[i].kind;
        const bool is_eq = branch[i].kind == POLICY_EQ;
        const int wins = branch[i].kind == POLICY_WHEN ? branch[i].winner + 1 : branch[i].winner;
        term_argument(policy, &branch[i], ordinal, wins, argument, sizeof argument);
        const size_t used = strlen(text);
        if (is_eq)
            snprintf(text + used, size - used, "%sline %d: eq is %s", i ? separator : "", branch[i].line,
                     branch[i].winner == 1 ? "true" : "false");
        else
            snprintf(text + used, size - used, "%sline %d: %s takes `%s`", i ? separator : "", branch[i].line,
                     policy_branch_name(branch[i].kind), argument);
    }
}

static bool eval_one(const struct policy_operand *item, const struct eval_request *common, struct table *table, bool text,
                     struct tm_error *error)
{
    struct eval_request request = *common;
    struct cell cell;
    struct clock_state state;
    struct budget b;
    request.policy = item->policy;
    if (!eval_open(&request, &cell, &state, error))
        return false;
    const bool ok = cell_budget(&cell, &state, &b, error);
    if (ok) {
        const struct policy_branch *branch;
        char branches[4096];
        const int count = cell_branches(&cell, &branch);
        const struct policy_info *info = policy_info(item->policy);
        table_row(table);
        table_text(table, EVAL_POLICY, item->spec);
        set_limit(table, EVAL_SOFT_RAW, b.soft_raw);
        set_limit(table, EVAL_HARD_RAW, b.hard_raw);
        set_limit(table, EVAL_SOFT_FLOORED, b.soft_floored);
        set_limit(table, EVAL_HARD_FLOORED, b.hard_floored);
        set_limit(table, EVAL_SOFT, b.effective_soft);
        const bool blind = b.hard_floored <= 0 || cell_at_floor(b.raw.hard, info->has_hard_floor, info->hard_floor);
        if (text)
            table_text(table, EVAL_BLIND, blind ? "yes" : "no");
        else
            table_bool(table, EVAL_BLIND, blind);
        describe_branches(item->policy, branch, count, branches, sizeof branches, text ? "\n  " : "; ");
        table_text(table, EVAL_BRANCHES, branches);
        if (text && count)
            printf("%s\n  %s\n", item->spec, branches);
    }
    cell_close(&cell);
    return ok;
}

static bool eval(const struct options *options, int *code, struct tm_error *error)
{
    struct policy_operands operands = { 0 };
    struct eval_request request;
    const enum table_format format = (enum table_format)options_choice(options, "format");
    (void)code;
    struct table *table = table_new(columns, EVAL_COLUMNS);
    bool ok = table ? read_request(options, &request, error) && operands_load(options, 0, &operands, error)
                    : error_fail(error, TM_INTERNAL, "out of memory");
    for (int i = 0; ok && i < operands.count; i++)
        ok = eval_one(&operands.item[i], &request, table, format == TABLE_TEXT, error);
    const struct table_frame frame = { .schema = "tmsim.policy.eval/1" };
    if (ok && !table_print(table, format, &frame, stdout))
        ok = error_fail(error, TM_INTERNAL, "standard output could not be written");
    table_free(table);
    operands_clear(&operands);
    return ok;
}

int policy_eval_command(int argc, char **argv) { return command_run(&set, argc, argv, eval); }
