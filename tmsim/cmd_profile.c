/* `tmsim profile measure | fit | show | check`. A rate profile says how many nodes per second an engine searches. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/fit.h"
#include "profiles/profile.h"
#include "tmsim/book.h"
#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/engine_spec.h"
#include "tmsim/progress.h"
#include "tmsim/table.h"
#include "vclock/data_dir.h"

static const struct option_spec measure_specs[] = {
    { .name = "out", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the samples, as JSON; with --overhead one lag a line" },
    { .name = "overhead", .kind = OPTION_FLAG,
      .help = "measure the send-to-receive lag instead: wall time from go to bestmove less the engine's processor time, "
              "for vmatch and hammer --overhead 'empirical(FILE)'" },
    { .name = "lags", .kind = OPTION_INTEGER, .argument = "N", .fallback = "1000", .min = 20, .max = 100000,
      .help = "searches with --overhead" },
    { .name = "positions", .kind = OPTION_INTEGER, .argument = "N", .fallback = "24", .min = 8, .max = 400,
      .help = "spread over all numbers of men" },
    { .name = "games", .kind = OPTION_INTEGER, .argument = "N", .fallback = "6", .min = 2, .max = 64,
      .help = "that the engine plays against itself, where the positions come from" },
    { .name = "nodes", .kind = OPTION_INTEGER, .argument = "N", .fallback = "50000", .repeated = true, .min = 100,
      .max = 1000000000, .help = "budget of a timed search" },
    { .name = "repetitions", .kind = OPTION_INTEGER, .argument = "N", .fallback = "3", .min = 1, .max = 60,
      .help = "of each search; the largest rate is the least disturbed one" },
    { .name = "concurrency", .kind = OPTION_INTEGER, .argument = "N", .fallback = "1", .min = 1, .max = 256,
      .help = "measure with so many searches at once, too" },
    OPTION_ROW_QUIET,
};

static const struct option_set measure_set = {
    .command = "tmsim profile measure",
    .operands = "CMD",
    .summary = "Times searches of a UCI engine at positions from its own games, with fresh tables and as in a game.\n"
               "CMD is a program with its arguments, or cmd=…,option.Hash=16,… as in vmatch --engine.",
    .example = "tmsim profile measure stockfish --nodes 20000 --nodes 200000 --out sf-samples.json\n"
               "         tmsim profile measure zeitnot --overhead --out lag.txt",
    .spec = measure_specs,
    .count = sizeof measure_specs / sizeof *measure_specs,
    .min_operands = 1,
    .max_operands = 1,
};

static const struct option_spec fit_specs[] = {
    { .name = "out", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the profile, as JSON" },
    { .name = "name", .kind = OPTION_TEXT, .argument = "NAME", .required = true, .help = "of the profile" },
    { .name = "tables", .kind = OPTION_CHOICE, .argument = "in-game|fresh", .fallback = "in-game",
      .help = "which samples: with tables as a real move meets them, or with empty ones" },
    { .name = "time", .kind = OPTION_CHOICE, .argument = "wall|cpu", .fallback = "wall",
      .help = "wall is what a player has; cpu where other work disturbed the measurement" },
    OPTION_ROW_FORMAT,
};

static const struct option_set fit_set = {
    .command = "tmsim profile fit",
    .operands = "SAMPLES",
    .summary = "Fits the node rate (robust, linear in pieces; phase and log2 of the nodes if whole games are predicted\n"
               "better with them) and writes a profile.",
    .example = "tmsim profile fit sf-samples.json --name stockfish-15.1 --out sf.json",
    .spec = fit_specs,
    .count = sizeof fit_specs / sizeof *fit_specs,
    .min_operands = 1,
    .max_operands = 1,
};

static const struct option_spec show_specs[] = { OPTION_ROW_FORMAT };

static const struct option_set show_set = {
    .command = "tmsim profile show",
    .operands = "PROFILE",
    .summary = "The rate of a profile by number of men. PROFILE is a name in the data directory, or a file.",
    .example = "tmsim profile show sunfish-pypy3",
    .spec = show_specs,
    .count = sizeof show_specs / sizeof *show_specs,
    .min_operands = 1,
    .max_operands = 1,
};

static const struct option_spec check_specs[] = {
    { .name = "nodes", .kind = OPTION_INTEGER, .argument = "N", .fallback = "50000", .min = 100, .max = 1000000000,
      .help = "budget of a timed search" },
    { .name = "tolerance", .kind = OPTION_REAL, .argument = "PERCENT", .fallback = "10", .low = 0.1, .high = 1000,
      .help = "how far the mean rate may have drifted" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set check_set = {
    .command = "tmsim profile check",
    .operands = "PROFILE CMD",
    .summary = "Does a profile still hold for this engine on this machine? A few searches, and the drift.\n"
               "Exit 0: it does; 4: it has drifted.",
    .example = "tmsim profile check stockfish-15.1 stockfish --tolerance 15",
    .spec = check_specs,
    .count = sizeof check_specs / sizeof *check_specs,
    .min_operands = 2,
    .max_operands = 2,
};

/* ---- measure ---- */

static void show_progress(void *ctx, const char *what, int done, int total)
{
    progress_update(ctx, "profile measure  %s %d/%d", what, done, total);
}

enum { BUDGETS_MAX = 16, OPENINGS = 64 };

static bool load_book(struct book **book, struct tm_error *error)
{
    char data[2048], path[4096];
    if (!data_dir(data, sizeof data))
        return error_fail(error, TM_INPUT, "the books that come with tmsim are not where it was installed; set "
                                           "ZEITNOT_DATA to their directory");
    snprintf(path, sizeof path, "%s/books/zeitnot-240.epd", data);
    return book_load(path, &(struct book_format){ .pgn = false }, book, error);
}

static bool measure_with(struct measure_plan *plan, struct measurement *found, bool quiet, struct tm_error *error)
{
    struct book *book;
    const char *opening[OPENINGS];
    if (!load_book(&book, error))
        return false;
    for (int i = 0; i < OPENINGS; i++)
        opening[i] = book_opening(book, BOOK_RANDOM, 1, i);
    plan->opening = opening;
    plan->opening_count = OPENINGS;
    struct progress progress = progress_start(stderr, quiet);
    const bool ok = measure_rates(plan, found, show_progress, &progress, error);
    progress_clear(&progress);
    book_free(book);
    return ok;
}

static bool budgets(const struct options *options, int64_t *budget, int *count, struct tm_error *error)
{
    *count = options_count(options, "nodes");
    if (*count > BUDGETS_MAX)
        return error_fail(error, TM_INPUT, "--nodes: more than %d budgets", BUDGETS_MAX);
    for (int i = 0; i < *count; i++)
        if (!option_parse_integer("--nodes", options_text_at(options, "nodes", i), 100, 1000000000, &budget[i], error))
            return false;
    return true;
}

static bool write_lags(const struct measurement *found, const char *command, const char *path, struct tm_error *error)
{
    tm_ns *lag = measurement_lags(found);
    if (!lag)
        return error_fail(error, TM_INTERNAL, "out of memory for lags");
    const bool ok = measurement_write_lags(found, lag, command, path, error);
    if (ok)
        printf("%d lags of %s written to %s: %.3f ms (median), %.3f ms (1 in 100), %.3f ms (worst)\n"
               "use them: --overhead 'empirical(%s)'\n", found->count, found->engine, path,
               (double)lag[found->count / 2] / 1e6, (double)lag[found->count - 1 - found->count / 100] / 1e6,
               (double)lag[found->count - 1] / 1e6, path);
    free(lag);
    return ok;
}

static bool write_samples(const struct measurement *found, const struct engine_spec *spec, const char *command,
                          const char *path, struct tm_error *error)
{
    char *identity = engine_spec_identity(spec, found->engine, "", error);
    const bool ok = identity && measurement_write(found, command, identity, path, error);
    if (ok)
        printf("%d samples of %s written to %s; go movetime 50 overshoots by %.1f ms, at worst %.1f ms\n", found->count,
               found->engine, path, (double)found->overshoot_median / 1e6, (double)found->overshoot_worst / 1e6);
    free(identity);
    return ok;
}

static bool measure(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    int64_t budget[BUDGETS_MAX];
    struct measurement found = { .sample = NULL };
    const char *command = options_operand(options, 0), *path = options_text(options, "out");
    struct engine_spec *spec = engine_spec_operand(command, error);
    if (!spec)
        return false;
    struct measure_plan plan = {
        .engine = &spec->client, .games = (int)options_integer(options, "games"),
        .positions = (int)options_integer(options, "positions"), .budget = budget,
        .repetitions = (int)options_integer(options, "repetitions"),
        .concurrency = (int)options_integer(options, "concurrency"),
        .lags = options_flag(options, "overhead") ? (int)options_integer(options, "lags") : 0,
    };
    bool ok = budgets(options, budget, &plan.budget_count, error) &&
              measure_with(&plan, &found, options_flag(options, "quiet"), error);
    ok = ok && (plan.lags ? write_lags(&found, command, path, error) : write_samples(&found, spec, command, path, error));
    measurement_clear(&found);
    engine_spec_free(spec);
    return ok;
}

/* ---- fit ---- */

static const struct table_column fit_columns[] = {
    { .key = "terms", .head = "terms" },
    { .key = "residual_rms_frac", .head = "residual", .align = TABLE_RIGHT, .decimals = 3 },
    { .key = "r2", .head = "R2", .align = TABLE_RIGHT, .decimals = 3 },
    { .key = "cross_validated_frac", .head = "unseen games", .align = TABLE_RIGHT, .decimals = 3 },
    { .key = "chosen", .head = "chosen" },
};

static bool print_fit(const struct fit *fit, enum table_format format, struct tm_error *error)
{
    struct table *table = table_new(fit_columns, sizeof fit_columns / sizeof *fit_columns);
    for (int i = 0; i < FIT_MODELS; i++) {
        const struct fit_model *model = &fit->model[i];
        table_row(table);
        table_text(table, 0, model->name);
        if (!isfinite(model->cross_validated)) {
            for (int c = 1; c < 4; c++)
                table_undefined(table, c, "a term does not vary");
        } else {
            table_real(table, 1, model->residual);
            table_real(table, 2, model->r2);
            table_real(table, 3, model->cross_validated);
        }
        table_bool(table, 4, i == fit->chosen);
    }
    const struct table_frame frame = { .schema = "tmsim.profile-fit/1" };
    const bool ok = table_print(table, format, &frame, stdout);
    table_free(table);
    if (ok && format == TABLE_TEXT)
        printf("\n%d points, %d to %d men. Residual: %.1f %% of a game, %.1f %% of a move. The median of the repetitions is "
               "%.3f of the largest;\nfresh tables are %.3f times the rate of warm ones, several searches at once %.3f times "
               "that of one.\n", fit->points, fit->lowest_pieces, fit->highest_pieces, 100 * fit->game_part,
               100 * fit->move_part, fit->median_to_largest, fit->fresh_to_in_game, fit->loaded_to_alone);
    return ok || error_fail(error, TM_INTERNAL, "the table cannot be printed");
}

static bool fit(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct samples samples;
    struct fit found;
    const bool in_game = options_choice(options, "tables") == 0;
    if (!samples_load(options_operand(options, 0), &samples, error))
        return false;
    samples.by_cpu = options_choice(options, "time") == 1;
    const bool ok = fit_samples(&samples, in_game, &found, error) &&
                    fit_write(&found, &samples, in_game, options_text(options, "name"), options_text(options, "out"), error) &&
                    print_fit(&found, (enum table_format)options_choice(options, "format"), error);
    samples_clear(&samples);
    return ok;
}

/* ---- show ---- */

static const struct table_column show_columns[] = {
    { .key = "pieces", .head = "men", .align = TABLE_RIGHT },
    { .key = "nodes_per_s", .head = "nodes/s", .align = TABLE_RIGHT },
    { .head = "" },
};

enum { BAR = 50 };

static bool load_profile(const char *name, struct profile **profile, struct tm_error *error)
{
    char data[2048] = ".", directory[4096];
    data_dir(data, sizeof data);
    snprintf(directory, sizeof directory, "%s/profiles", data);
    return profile_load(name, directory, profile, error);
}

static bool show(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct profile *profile;
    if (!load_profile(options_operand(options, 0), &profile, error))
        return false;
    int64_t lowest, highest;
    char bar[BAR + 1];
    profile_range(profile, 1, &lowest, &highest);
    struct table *table = table_new(show_columns, sizeof show_columns / sizeof *show_columns);
    for (int pieces = 32; pieces >= 2; pieces -= 2) {
        const int64_t rate = profile_rate(profile, pieces, 1);
        const int length = (int)(BAR * rate / highest);
        memset(bar, '*', (size_t)length);
        bar[length] = '\0';
        table_row(table);
        table_integer(table, 0, pieces);
        table_integer(table, 1, rate);
        table_text(table, 2, bar);
    }
    const enum table_format format = (enum table_format)options_choice(options, "format");
    const struct table_frame frame = { .schema = "tmsim.profile/1" };
    if (format == TABLE_TEXT)
        printf("%s: %s, %" PRId64 " to %" PRId64 " nodes/s, hash %s\n\n", profile_name(profile), profile_engine(profile),
               lowest, highest, profile_hash(profile));
    const bool ok = table_print(table, format, &frame, stdout) || error_fail(error, TM_INTERNAL, "the table cannot be printed");
    table_free(table);
    profile_free(profile);
    return ok;
}

/* ---- check ---- */

static const struct table_column check_columns[] = {
    { .key = "engine", .head = "engine" },
    { .key = "points", .head = "points", .align = TABLE_RIGHT },
    { .key = "drift_frac", .head = "drift", .align = TABLE_RIGHT, .decimals = 3, .sign = true },
    { .key = "spread_frac", .head = "spread", .align = TABLE_RIGHT, .decimals = 3 },
    { .key = "tolerance_frac", .head = "tolerated", .align = TABLE_RIGHT, .decimals = 3 },
};

enum { CHECK_POINTS = 64 };

/* Mean and standard deviation of measured / profile - 1 over in-game points. */
static int drift_of(const struct profile *profile, const struct samples *samples, double *mean, double *spread)
{
    struct fit_point point[CHECK_POINTS];
    const int count = fit_points(samples, true, 1, point, CHECK_POINTS);
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        const double drift = point[i].largest / (double)profile_rate_at(profile, point[i].pieces, point[i].phase, 1) - 1;
        sum += drift;
        squares += drift * drift;
    }
    *mean = count ? sum / count : 0;
    *spread = count ? sqrt(fmax(squares / count - *mean * *mean, 0)) : 0;
    return count;
}

static bool print_drift(const struct options *options, const char *engine, int points, double mean, double spread,
                        double tolerance, struct tm_error *error)
{
    struct table *table = table_new(check_columns, sizeof check_columns / sizeof *check_columns);
    table_row(table);
    table_text(table, 0, engine);
    table_integer(table, 1, points);
    table_real(table, 2, mean);
    table_real(table, 3, spread);
    table_real(table, 4, tolerance);
    const struct table_frame frame = { .schema = "tmsim.profile-check/1" };
    const bool ok = table_print(table, (enum table_format)options_choice(options, "format"), &frame, stdout);
    table_free(table);
    return ok || error_fail(error, TM_INTERNAL, "the table cannot be printed");
}

static bool check_with(const struct options *options, const struct profile *profile, const struct engine_spec *spec,
                       struct tm_error *error)
{
    const int64_t budget = options_integer(options, "nodes");
    const double tolerance = options_real(options, "tolerance") / 100;
    struct measurement found;
    struct measure_plan plan = { .engine = &spec->client, .games = 3, .positions = 10, .budget = &budget, .budget_count = 1,
                                 .repetitions = 3, .concurrency = 1 };
    bool ok = measure_with(&plan, &found, options_flag(options, "quiet"), error);
    if (ok) {
        const struct samples samples = { .sample = found.sample, .count = found.count };
        double mean, spread;
        const int points = drift_of(profile, &samples, &mean, &spread);
        ok = print_drift(options, found.engine, points, mean, spread, tolerance, error);
        if (ok && strcmp(found.engine, profile_engine(profile)) != 0)
            fprintf(stderr, "tmsim: the profile was measured with %s, not with %s\n", profile_engine(profile), found.engine);
        if (ok && fabs(mean) > tolerance)
            ok = error_fail(error, TM_VOID, "the profile %s is off by %+.1f %%; measure again", profile_name(profile),
                            100 * mean);
    }
    measurement_clear(&found);
    return ok;
}

static bool check(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct profile *profile = NULL;
    struct engine_spec *spec = engine_spec_operand(options_operand(options, 1), error);
    const bool ok = spec && load_profile(options_operand(options, 0), &profile, error) &&
                    check_with(options, profile, spec, error);
    profile_free(profile);
    engine_spec_free(spec);
    return ok;
}

static int run_measure(int argc, char **argv) { return command_run(&measure_set, argc, argv, measure); }
static int run_fit(int argc, char **argv) { return command_run(&fit_set, argc, argv, fit); }
static int run_show(int argc, char **argv) { return command_run(&show_set, argc, argv, show); }
static int run_check(int argc, char **argv) { return command_run(&check_set, argc, argv, check); }

int cmd_profile(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "measure", "time an engine's searches", run_measure },
        { "fit", "samples to a rate profile", run_fit },
        { "show", "the rates of a profile", run_show },
        { "check", "does a profile still hold here?", run_check },
    };
    static const struct command_group group = { "profile", rows, sizeof rows / sizeof *rows, "tmsim profile show sunfish-pypy3" };
    return command_group_run(&group, argc, argv);
}
