/* `tmsim policy verify`: recorded budgets, or those of a running engine, against a policy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/engine_spec.h"
#include "tmsim/policy_commands.h"
#include "tmsim/policy_live.h"
#include "tmsim/policy_verify.h"
#include "tmsim/progress.h"
#include "tmsim/table.h"

static const struct option_spec verify_specs[] = {
    { .name = "against", .kind = OPTION_TEXT, .argument = "FILE", .help = "recorded budgets, JSON or CSV" },
    { .name = "engine", .kind = OPTION_TEXT, .argument = "cmd=…",
      .help = "instead: a UCI engine that prints `info string tm soft 412 hard 1650` (ms) for each `go wtime …`" },
    { .name = "tolerance", .kind = OPTION_REAL, .argument = "SECONDS", .fallback = "1e-9", .low = 0, .high = 1e9,
      .help = "largest difference that still agrees; with --engine 0.001, since engines print whole milliseconds" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set verify_set = {
    .command = "tmsim policy verify", .operands = "POLICY…",
    .summary = "Holds a policy's floored limits against budgets that an engine logged, or prints while it is asked, to show\n"
               "that the file mirrors it. Exit 4 if any differs by more than the tolerance.",
    .example = "tmsim policy verify ethereal --against logged.csv --tolerance 0.001", .spec = verify_specs,
    .count = sizeof verify_specs / sizeof *verify_specs, .min_operands = 1, .max_operands = OPERANDS_MAX,
};

enum column { VERIFY_POLICY, VERIFY_ROWS, VERIFY_AGREE, VERIFY_LARGEST, VERIFY_FIRST, VERIFY_COLUMNS };

static const struct table_column columns[VERIFY_COLUMNS] = {
    [VERIFY_POLICY] = { .key = "policy", .head = "policy" },
    [VERIFY_ROWS] = { .key = "rows", .head = "rows", .align = TABLE_RIGHT },
    [VERIFY_AGREE] = { .key = "agree", .head = "agree", .align = TABLE_RIGHT },
    [VERIFY_LARGEST] = { .key = "largest_difference_s" },
    [VERIFY_FIRST] = { .key = "disagreements" },
};

static void add_result(struct table *table, const char *policy, const struct verify_result *result)
{
    char sentences[sizeof result->disagreement + VERIFY_SHOWN] = "";
    for (int i = 0; i < result->shown; i++) {
        const size_t used = strlen(sentences);
        snprintf(sentences + used, sizeof sentences - used, "%s%s", i ? "\n" : "", result->disagreement[i]);
    }
    table_row(table);
    table_text(table, VERIFY_POLICY, policy);
    table_integer(table, VERIFY_ROWS, result->rows);
    table_integer(table, VERIFY_AGREE, result->agreeing);
    if (isfinite(result->largest))
        table_real(table, VERIFY_LARGEST, result->largest);
    else
        table_undefined(table, VERIFY_LARGEST, "a limit is missing on one side");
    table_text(table, VERIFY_FIRST, sentences);
}

static void print_result(const char *policy, const struct verify_result *result, double tolerance)
{
    printf("%s: %d of %d rows agree within %g s, ", policy, result->agreeing, result->rows, tolerance);
    if (isfinite(result->largest))
        printf("largest difference %.3g s\n", result->largest);
    else
        printf("in some a limit is missing on one side\n");
    for (int i = 0; i < result->shown; i++)
        printf("  %s\n", result->disagreement[i]);
    if (result->rows - result->agreeing > result->shown)
        printf("  … and %d more\n", result->rows - result->agreeing - result->shown);
}

static double tolerance_of(const struct options *options)
{
    const bool live = options_text(options, "engine") && !options_given(options, "tolerance");
    return live ? 0.001 : options_real(options, "tolerance");
}

static const char *source_of(const struct options *options)
{
    const char *file = options_text(options, "against");
    return file ? file : options_text(options, "engine");
}

static void show_progress(void *ctx, int done, int total)
{
    progress_update(ctx, "verify  %d/%d clocks", done, total);
}

static bool ask_engine(const struct options *options, json_t **rows, struct tm_error *error)
{
    struct engine_spec *spec = engine_spec_operand(options_text(options, "engine"), error);
    if (!spec)
        return false;
    struct progress progress = progress_start(stderr, options_flag(options, "quiet"));
    const bool ok = policy_live_rows(&spec->client, show_progress, &progress, rows, error);
    progress_clear(&progress);
    engine_spec_free(spec);
    return ok;
}

static bool load_rows(const struct options *options, json_t **rows, struct tm_error *error)
{
    const char *file = options_text(options, "against");
    if (!file == !options_text(options, "engine"))
        return error_fail(error, TM_INPUT, "expected one of --against FILE and --engine cmd=…");
    return file ? vectors_load(file, rows, error) : ask_engine(options, rows, error);
}

static bool verify_all(const struct options *options, const json_t *rows, struct table *table, int *code,
                       struct tm_error *error)
{
    char directory[4200];
    const double tolerance = tolerance_of(options);
    const bool text = options_choice(options, "format") == TABLE_TEXT;
    policies_directory(directory, sizeof directory);
    for (int i = 0; i < options_operand_count(options); i++) {
        const char *spec = options_operand(options, i);
        struct verify_result result;
        if (!policy_verify(spec, directory, rows, tolerance, &result, error)) {
            error_prefix(error, "%s", source_of(options));
            return false;
        }
        add_result(table, spec, &result);
        if (text)
            print_result(spec, &result, tolerance);
        if (result.agreeing < result.rows)
            *code = TM_VOID;
    }
    return true;
}

static bool verify(const struct options *options, int *code, struct tm_error *error)
{
    json_t *rows;
    const enum table_format format = (enum table_format)options_choice(options, "format");
    if (!load_rows(options, &rows, error))
        return false;
    struct table *table = table_new(columns, VERIFY_COLUMNS);
    bool ok = table ? verify_all(options, rows, table, code, error) : error_fail(error, TM_INTERNAL, "out of memory");
    const struct table_frame frame = { .schema = "tmsim.policy.verify/1" };
    if (ok && format != TABLE_TEXT && !table_print(table, format, &frame, stdout))
        ok = error_fail(error, TM_INTERNAL, "standard output could not be written");
    table_free(table);
    json_decref(rows);
    return ok;
}

int policy_verify_command(int argc, char **argv) { return command_run(&verify_set, argc, argv, verify); }
