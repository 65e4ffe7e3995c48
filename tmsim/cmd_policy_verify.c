/* `tmsim policy verify | vectors`: recorded budgets, read and written. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/policy_commands.h"
#include "tmsim/policy_verify.h"
#include "tmsim/table.h"

/* ---- verify ---- */

static const struct option_spec verify_specs[] = {
    { .name = "against", .kind = OPTION_TEXT, .argument = "FILE", .required = true,
      .help = "recorded budgets, JSON or CSV" },
    { .name = "tolerance", .kind = OPTION_REAL, .argument = "SECONDS", .fallback = "1e-9", .low = 0, .high = 1e9,
      .help = "largest difference that still agrees; 0.001 for engines that print whole milliseconds" },
    OPTION_ROW_FORMAT,
};

static const struct option_set verify_set = {
    .command = "tmsim policy verify", .operands = "POLICY…",
    .summary = "Holds a policy's floored limits against budgets that an engine logged, to show that the file mirrors it.\n"
               "Exit 4 if any differs by more than the tolerance.",
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

static bool verify_all(const struct options *options, const json_t *rows, struct table *table, int *code,
                       struct tm_error *error)
{
    char directory[4200];
    const double tolerance = options_real(options, "tolerance");
    const bool text = options_choice(options, "format") == TABLE_TEXT;
    policies_directory(directory, sizeof directory);
    for (int i = 0; i < options_operand_count(options); i++) {
        const char *spec = options_operand(options, i);
        struct verify_result result;
        if (!policy_verify(spec, directory, rows, tolerance, &result, error)) {
            error_prefix(error, "%s", options_text(options, "against"));
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
    if (!vectors_load(options_text(options, "against"), &rows, error))
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

int policy_verify_command(int argc, char **argv) { return policy_run_subcommand(&verify_set, argc, argv, verify); }

/* ---- vectors ---- */

static const struct option_spec vectors_specs[] = {
    { .name = "out", .kind = OPTION_TEXT, .argument = "FILE", .help = "default: standard output" },
};

static const struct option_set vectors_set = {
    .command = "tmsim policy vectors", .operands = "POLICY…",
    .summary = "Records a policy's floored limits over a grid of clocks, for the unit tests of an engine that is to have\n"
               "the same; `policy verify --against` reads such files.",
    .example = "tmsim policy vectors pool:moves=30 --out pool.json", .spec = vectors_specs,
    .count = sizeof vectors_specs / sizeof *vectors_specs, .min_operands = 1, .max_operands = OPERANDS_MAX,
};

static const double grid_time[] = { 300, 60, 30, 10, 5, 2.4, 2, 1, 0.5, 0.1, 0.01 };
static const double grid_inc[] = { 0, 0.1, 1 };
static const int grid_movestogo[] = { 0, 40, 20, 2, 1 }; /* 0: none */
static const int grid_ply[] = { 0, 80 };

static json_t *limit_json(double limit) { return isfinite(limit) ? json_real(limit) : json_null(); }

/* A row, or NULL if the policy faults there. */
static json_t *vector_json(const struct policy *policy, const struct clock_state *clock, double overhead_s)
{
    struct tm_error ignored;
    struct budget b;
    struct policy_game *game = policy_game_new(policy, &ignored);
    const bool good = game && policy_budget(game, clock, &b, &ignored);
    policy_game_free(game);
    if (!good)
        return NULL;
    const double unit = policy_unit_ns(policy, clock->rate) / 1e9;
    return json_pack("{s:s, s:{s:f, s:f, s:o, s:i, s:f}, s:o, s:o}", "policy", policy_info(policy)->name, "inputs",
                     "time_s", ns_to_s(clock->time), "inc_s", ns_to_s(clock->inc), "movestogo",
                     clock->has_movestogo ? json_integer(clock->movestogo) : json_null(), "ply", clock->ply, "overhead_s",
                     overhead_s, "soft_s", limit_json(b.floored.soft * unit), "hard_s", limit_json(b.floored.hard * unit));
}

static double overhead_of(const struct policy *policy)
{
    const struct policy_info *info = policy_info(policy);
    for (int i = 0; i < info->param_count; i++)
        if (strcmp(info->param[i].name, "overhead") == 0 && info->param[i].is_time)
            return info->param[i].value * policy_unit_ns(policy, 0) / 1e9;
    return 0;
}

static void add_vectors(const struct policy *policy, json_t *rows)
{
    const size_t times = sizeof grid_time / sizeof *grid_time, incs = sizeof grid_inc / sizeof *grid_inc;
    const size_t controls = sizeof grid_movestogo / sizeof *grid_movestogo, plies = sizeof grid_ply / sizeof *grid_ply;
    for (size_t i = 0; i < times * incs * controls * plies; i++) {
        const tm_ns time = ns_from_units(grid_time[i % times], 1e9);
        const tm_ns inc = ns_from_units(grid_inc[i / times % incs], 1e9);
        const int ply = grid_ply[i / times / incs / controls];
        const int movestogo = grid_movestogo[i / times / incs % controls];
        /* the same state as `verify` makes of the row */
        const struct clock_state clock = {
            .time = time, .inc = inc, .base = time, .period_base = time, .opp_time = time, .opp_inc = inc,
            .has_movestogo = movestogo != 0, .movestogo = movestogo, .ply = ply, .moves = ply / 2,
            .pieces = 32, .phase = 24, .legal = 20, .threads = 1, .rate = 1000 };
        json_t *row = vector_json(policy, &clock, overhead_of(policy));
        if (row)
            json_array_append_new(rows, row);
    }
}

static bool write_vectors(const char *path, json_t *rows, struct tm_error *error)
{
    json_t *root = json_pack("{s:s, s:O}", "about", "Floored soft and hard limits; seconds. null: no limit.", "vectors", rows);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (!text)
        return error_fail(error, TM_INTERNAL, "out of memory");
    FILE *file = path ? fopen(path, "w") : stdout;
    bool ok = file && fprintf(file, "%s\n", text) > 0;
    if (path && file)
        ok = fclose(file) == 0 && ok;
    free(text);
    return ok || error_fail(error, TM_INPUT, "--out %s: %s", path ? path : "(standard output)", strerror(errno));
}

static bool vectors(const struct options *options, int *code, struct tm_error *error)
{
    json_t *rows = json_array();
    char directory[4200];
    bool ok = rows || error_fail(error, TM_INTERNAL, "out of memory");
    (void)code;
    policies_directory(directory, sizeof directory);
    for (int i = 0; ok && i < options_operand_count(options); i++) {
        struct policy *policy;
        ok = policy_load(options_operand(options, i), directory, &policy, error);
        if (!ok)
            break;
        add_vectors(policy, rows);
        policy_free(policy);
    }
    ok = ok && write_vectors(options_text(options, "out"), rows, error);
    json_decref(rows);
    return ok;
}

int policy_vectors_command(int argc, char **argv) { return policy_run_subcommand(&vectors_set, argc, argv, vectors); }
