/* `tmsim policy vectors`: a policy's own budgets over a grid of clocks. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/policy_commands.h"
#include "tmsim/policy_verify.h"
#include "tmsim/vectors_grid.h"

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
    return json_pack("{s:s, s:{s:f, s:f, s:o, s:i, s:f, s:{s:i}}, s:o, s:o}", "policy", policy_info(policy)->name, "inputs",
                     "time_s", ns_to_s(clock->time), "inc_s", ns_to_s(clock->inc), "movestogo",
                     clock->has_movestogo ? json_integer(clock->movestogo) : json_null(), "ply", clock->ply, "overhead_s",
                     overhead_s, "state", "own_moves", clock->moves, "soft_s", limit_json(b.floored.soft * unit), "hard_s", limit_json(b.floored.hard * unit));
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
    const int count = vectors_grid_size();
    for (int i = 0; i < count; i++) {
        const struct clock_state clock = vectors_grid_state(i);
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

int policy_vectors_command(int argc, char **argv) { return command_run(&vectors_set, argc, argv, vectors); }
