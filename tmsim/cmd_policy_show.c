/* `tmsim policy list | show`. */
#include <stdio.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/policy_commands.h"
#include "tmsim/table.h"
#include "vclock/policy_names.h"

static const char *const unit_names[] = {
    [POLICY_S] = "s", [POLICY_MS] = "ms", [POLICY_CS] = "cs", [POLICY_NODE] = "node",
};

static const char *hooks_of(const struct policy_info *info)
{
    if (info->hooks)
        return info->hooks;
    return info->has_limit && info->has_finish ? "limit, finish" : info->has_limit ? "limit" : info->has_finish ? "finish" : "";
}

/* ---- list ---- */

static const struct option_spec list_specs[] = { OPTION_ROW_FORMAT };

static const struct option_set list_set = {
    .command = "tmsim policy list", .operands = "", .summary = "Lists the built-in policies.",
    .example = "tmsim policy list", .spec = list_specs, .count = 1,
};

enum { LIST_NAME, LIST_UNIT, LIST_STOP, LIST_HOOKS, LIST_PARAMS, LIST_TITLE, LIST_COLUMNS };

static const struct table_column list_columns[LIST_COLUMNS] = {
    [LIST_NAME] = { .key = "policy", .head = "policy" },
    [LIST_UNIT] = { .key = "unit", .head = "unit" },
    [LIST_STOP] = { .key = "stop", .head = "soft read at" },
    [LIST_HOOKS] = { .key = "hooks", .head = "hooks" },
    [LIST_PARAMS] = { .key = "params", .head = "parameters", .align = TABLE_RIGHT },
    [LIST_TITLE] = { .key = "title", .head = "title" },
};

static bool add_listed(struct table *table, const char *name, const char *directory, struct tm_error *error)
{
    struct policy *policy;
    if (!policy_load(name, directory, &policy, error))
        return false;
    const struct policy_info *info = policy_info(policy);
    table_row(table);
    table_text(table, LIST_NAME, name);
    table_text(table, LIST_UNIT, unit_names[info->unit]);
    table_text(table, LIST_STOP, info->stop_at_event ? "events" : "iterations");
    table_text(table, LIST_HOOKS, hooks_of(info));
    table_integer(table, LIST_PARAMS, info->param_count);
    table_text(table, LIST_TITLE, info->title ? info->title : "");
    policy_free(policy);
    return true;
}

static bool list(const struct options *options, int *code, struct tm_error *error)
{
    char directory[4200], **names;
    size_t count;
    (void)code;
    if (!policy_names(policies_directory(directory, sizeof directory), &names, &count, error))
        return false;
    struct table *table = table_new(list_columns, LIST_COLUMNS);
    bool ok = table || error_fail(error, TM_INTERNAL, "out of memory");
    for (size_t i = 0; ok && i < count; i++)
        ok = add_listed(table, names[i], directory, error);
    const struct table_frame frame = { .schema = "tmsim.policy.list/1" };
    if (ok && !table_print(table, (enum table_format)options_choice(options, "format"), &frame, stdout))
        ok = error_fail(error, TM_INTERNAL, "standard output could not be written");
    table_free(table);
    policy_names_free(names, count);
    return ok;
}

int policy_list_command(int argc, char **argv) { return command_run(&list_set, argc, argv, list); }

/* ---- show ---- */

static const struct option_spec show_specs[] = {
    OPTION_ROW_EXPR,
    { .name = "text", .kind = OPTION_FLAG, .help = "the policy's file as it stands" },
};

static const struct option_set show_set = {
    .command = "tmsim policy show", .operands = "POLICY…",
    .summary = "Shows what a policy is: title, source, unit, parameters with ranges, floor, hooks.",
    .example = "tmsim policy show pool:moves=30", .spec = show_specs,
    .count = sizeof show_specs / sizeof *show_specs, .max_operands = OPERANDS_MAX,
};

static void print_range(const struct policy_param *param, const char *unit)
{
    printf("%g", param->value);
    if (param->value != param->initial)
        printf(" (default %g)", param->initial);
    printf("%s%s, %g … %g", param->is_time ? " " : "", param->is_time ? unit : "", param->min, param->max);
}

static void show_one(const struct policy *policy)
{
    const struct policy_info *info = policy_info(policy);
    const char *unit = unit_names[info->unit];
    printf("%s: %s\n", info->label, info->title ? info->title : "");
    printf("  source      %s\n", info->source ? info->source : "");
    printf("  file        %s\n", info->path);
    printf("  unit        %s\n", unit);
    if (info->has_hard_floor || info->has_soft_floor)
        printf("  floor       soft %g %s, hard %g %s\n", info->has_soft_floor ? info->soft_floor : 0, unit,
               info->has_hard_floor ? info->hard_floor : 0, unit);
    printf("  soft        is read at %s\n", info->stop_at_event ? "every event after depth 1" : "each finished iteration");
    if (info->min_depth)
        printf("  min_depth   %d\n", info->min_depth);
    if (*hooks_of(info))
        printf("  hooks       %s\n", hooks_of(info));
    for (int i = 0; i < info->param_count; i++) {
        printf("  %-11s ", info->param[i].name);
        print_range(&info->param[i], unit);
        printf("; %s\n", info->param[i].help);
    }
    printf("  hash        %s\n", info->hash);
}

static bool show(const struct options *options, int *code, struct tm_error *error)
{
    struct policy_operands operands;
    (void)code;
    const bool ok = operands_load(options, 0, &operands, error);
    for (int i = 0; ok && i < operands.count; i++) {
        if (options_flag(options, "text"))
            fputs(policy_text(operands.item[i].policy), stdout);
        else
            show_one(operands.item[i].policy);
    }
    operands_clear(&operands);
    return ok;
}

int policy_show_command(int argc, char **argv) { return command_run(&show_set, argc, argv, show); }
