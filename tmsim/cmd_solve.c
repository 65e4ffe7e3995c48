/* `tmsim solve`: policies over a grid of time controls and overheads, without a game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/commands.h"
#include "tmsim/policy_operand.h"
#include "tmsim/progress.h"
#include "tmsim/solve.h"

static const struct option_spec specs[] = {
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0", .repeated = true,
      .help = "time control in seconds: 60+0.6, 40/60, 40/60+0.6,20+0.2, 1:30+1" },
    { .name = "overhead", .kind = OPTION_TEXT, .argument = "DURATION", .fallback = "50ms", .repeated = true,
      .help = "charged on top of every move, with its unit; several are separated by commas" },
    { .name = "moves", .kind = OPTION_INTEGER, .argument = "N", .fallback = "80", .min = 1, .max = WALK_MAX_MOVES,
      .help = "own moves of the walk" },
    { .name = "first-inc", .kind = OPTION_CHOICE, .argument = "yes|no", .fallback = "yes",
      .help = "whether the first move has base + increment, as in the match runners" },
    { .name = "ply-step", .kind = OPTION_INTEGER, .argument = "PLIES", .fallback = "2", .min = 0, .max = 1000,
      .help = "game plies between two own moves; 1 shows policies the number of own moves as ply" },
    { .name = "at-ply", .kind = OPTION_INTEGER, .argument = "PLY", .fallback = "40", .min = 0, .max = 100000,
      .help = "where knees and parks are looked at" },
    { .name = "spend", .kind = OPTION_CHOICE, .argument = "ladder|soft|hard|trace", .fallback = "ladder",
      .help = "what a search spends: geometric iterations, exactly soft, all of hard, or as recorded in --traces" },
    { .name = "traces", .kind = OPTION_TEXT, .argument = "FILE",
      .help = "trace: a store with games of vmatch --trace stop, whose searches are drawn, one an own move" },
    { .name = "t1", .kind = OPTION_DURATION, .argument = "DURATION", .fallback = "86956522ns",
      .help = "ladder: length of the first iteration; 2000 nodes at 23000 nodes/s" },
    { .name = "growth", .kind = OPTION_REAL, .argument = "B", .fallback = "2.5", .low = 1.001, .high = 1000,
      .help = "ladder, and where a trace ends: each iteration lasts B times as long as the one before" },
    { .name = "events", .kind = OPTION_INTEGER, .argument = "N", .fallback = "4", .min = 1, .max = SPEND_MAX_EVENTS,
      .help = "ladder: events in an iteration, where a policy that reads every event can stop" },
    OPTION_ROW_EXPR,
    { .name = "grid", .kind = OPTION_FLAG, .help = "one line per cell" },
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .help = "store the pathologies there" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set set = {
    .command = "tmsim solve",
    .operands = "POLICY…",
    .summary = "Finds what is wrong with time managers before a single game: the clock through a game, knees, parks "
               "and\n"
               "pathologies, each with a command that reproduces it. Exit 20 if any policy flags.",
    .example = "tmsim solve pool oldtm --expr 'soft=T/40+0.9*I; hard=T/4' --tc 60+0 --tc 60+0.6 --overhead 0ms,50ms "
               "--grid",
    .spec = specs,
    .count = sizeof specs / sizeof *specs,
    .min_operands = 0,
    .max_operands = OPERANDS_MAX,
};

enum { OVERHEADS_MAX = 64 };

struct job {
    struct policy_operands policies;
    struct cell_setup common; /* without policy, control and overhead */
    struct spend_trace trace;
    int overhead_count;
    tm_ns overhead[OVERHEADS_MAX];
    enum table_format format;
    bool grid;
    struct store *store;      /* NULL: none */
    /* what has been collected */
    struct table *table;
    json_t *rows;
    int printed;
    bool flagged;
};

static bool add_overhead(struct job *job, const char *text, struct tm_error *error)
{
    if (job->overhead_count == OVERHEADS_MAX)
        return error_fail(error, TM_INPUT, "--overhead: more than %d values", OVERHEADS_MAX);
    return duration_parse("--overhead", text, &job->overhead[job->overhead_count++], error);
}

static bool read_overheads(const struct options *options, struct job *job, struct tm_error *error)
{
    for (int i = 0; i < options_count(options, "overhead"); i++)
        for (const char *at = options_text_at(options, "overhead", i); at;) {
            char piece[64];
            const size_t length = strcspn(at, ",");
            snprintf(piece, sizeof piece, "%.*s", length < sizeof piece ? (int)length : 63, at);
            if (!add_overhead(job, piece, error))
                return false;
            at = at[length] ? at + length + 1 : NULL;
        }
    return true;
}

static struct spend_model read_model(const struct options *options)
{
    struct spend_model model = spend_default();
    model.kind = (enum spend_kind)options_choice(options, "spend");
    if (options_given(options, "t1"))
        model.t1 = ns_to_s(options_duration(options, "t1"));
    model.growth = options_real(options, "growth");
    model.events = (int)options_integer(options, "events");
    return model;
}

static bool read_traces(const struct options *options, struct job *job, struct tm_error *error)
{
    const char *path = options_text(options, "traces");
    if (!path != (job->common.model.kind != SPEND_TRACE))
        return error_fail(error, TM_INPUT, "--spend trace and --traces FILE belong together");
    job->common.model.trace = &job->trace;
    return !path || spend_trace_load(path, &job->trace, error);
}

static bool read_job(const struct options *options, struct job *job, struct tm_error *error)
{
    job->common = (struct cell_setup){
        .first_inc = options_choice(options, "first-inc") == 0,
        .ply_step = (int)options_integer(options, "ply-step"),
        .moves = (int)options_integer(options, "moves"),
        .middle_ply = (int)options_integer(options, "at-ply"),
        .model = read_model(options),
        .starved_floor = 150 * TM_NS_PER_MS,
    };
    if (job->common.model.t1 <= 0)
        return error_fail(error, TM_INPUT, "--t1: an iteration takes time; expected more than 0");
    job->format = (enum table_format)options_choice(options, "format");
    job->grid = options_flag(options, "grid");
    if (!read_traces(options, job, error) || !read_overheads(options, job, error)
        || !operands_load(options, 0, &job->policies, error))
        return false;
    job->table = solution_table_new();
    job->rows = json_array();
    return (job->table && job->rows) || error_fail(error, TM_INTERNAL, "out of memory");
}

static bool take_solution(struct job *job, const struct solution *solution, struct tm_error *error)
{
    job->flagged |= solution_flags(solution);
    if (job->store && !solution_store(solution, job->store, error))
        return false;
    if (job->format == TABLE_JSON)
        return json_array_append_new(job->rows, solution_json(solution)) == 0
               || error_fail(error, TM_INTERNAL, "out of memory");
    if (job->format == TABLE_CSV || job->grid) {
        solution_row(job->table, solution);
        return true;
    }
    if (job->printed++)
        fputc('\n', stdout);
    solution_print(solution, stdout);
    return true;
}

static bool solve_one(struct job *job, int policy, const struct tc *tc, tm_ns overhead, struct tm_error *error)
{
    struct solution *solution = malloc(sizeof *solution); /* too large for a stack that others share */
    struct cell_setup setup = job->common;
    setup.policy = job->policies.item[policy].policy;
    setup.tc = *tc;
    setup.overhead = overhead;
    if (!solution)
        return error_fail(error, TM_INTERNAL, "out of memory");
    const bool brief = !job->store && (job->format == TABLE_CSV || (job->format == TABLE_TEXT && job->grid));
    bool ok = solve_cell(&setup, job->policies.item[policy].spec, brief, solution, error);
    if (ok) {
        ok = take_solution(job, solution, error);
        solution_clear(solution);
    }
    free(solution);
    return ok;
}

static bool solve_all(const struct options *options, struct job *job, struct tm_error *error)
{
    struct progress progress = progress_start(stderr, options_flag(options, "quiet"));
    const int tcs = options_count(options, "tc"), total = job->policies.count * tcs * job->overhead_count;
    int done = 0;
    bool ok = true;
    for (int p = 0; ok && p < job->policies.count; p++)
        for (int t = 0; ok && t < tcs; t++)
            for (int o = 0; ok && o < job->overhead_count; o++) {
                ok = solve_one(job, p, options_tc_at(options, "tc", t), job->overhead[o], error);
                progress_update(&progress, "solve  %d/%d cells", ++done, total);
            }
    progress_clear(&progress);
    return ok;
}

static bool print_json(json_t *rows, struct tm_error *error)
{
    json_t *root = json_pack("{s:s, s:n, s:O}", "schema", "tmsim.solve/1", "run", "rows", rows);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(root);
    if (!text)
        return error_fail(error, TM_INTERNAL, "the result cannot be written as JSON");
    puts(text);
    free(text);
    return true;
}

static bool print_rest(struct job *job, struct tm_error *error)
{
    const struct table_frame frame = { .schema = "tmsim.solve/1" };
    if (job->format == TABLE_JSON)
        return print_json(job->rows, error);
    if (job->format == TABLE_TEXT && !job->grid)
        return true;
    return table_print(job->table, job->format, &frame, stdout)
           || error_fail(error, TM_INTERNAL, "standard output could not be written");
}

static bool run_job(const struct options *options, struct job *job, struct tm_error *error)
{
    const char *path = options_text(options, "db");
    if (!read_job(options, job, error) || (path && !store_open(path, false, &job->store, error)))
        return false;
    bool ok = solve_all(options, job, error);
    ok = ok && print_rest(job, error);
    struct tm_error close_error;
    if (!store_close(job->store, &close_error) && ok) {
        *error = close_error;
        ok = false;
    }
    return ok;
}

int cmd_solve(int argc, char **argv)
{
    struct tm_error error = { 0 };
    struct job *job = calloc(1, sizeof *job);
    struct options *options = options_parse(&set, argc, argv, &error);
    bool ok = options && job;
    if (ok && options_help_wanted(options))
        options_print_help(&set, stdout);
    else if (ok)
        ok = run_job(options, job, &error);
    const int code = !ok ? (int)error.code : job->flagged ? TM_UNSAFE : TM_OK;
    if (!ok)
        fprintf(stderr, "tmsim: %s\n", job ? error.message : "out of memory");
    if (job) {
        operands_clear(&job->policies);
        table_free(job->table);
        json_decref(job->rows);
        spend_trace_clear(&job->trace);
    }
    free(job);
    options_free(options);
    return code;
}
