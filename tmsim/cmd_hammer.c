/* `tmsim hammer`: from the command line to games, and from verdicts to the exit code. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/hammer_mc.h"
#include "tmsim/hammer_real.h"
#include "tmsim/hammer_sweep.h"
#include "tmsim/openings.h"
#include "tmsim/policy_operand.h"
#include "tmsim/seen.h"
#include "vclock/data_dir.h"

static const struct option_spec specs[] = {
    { .name = "tc", .kind = OPTION_TC, .fallback = "1+0.01", .repeated = true, .help = "time control in seconds, hostile ones" },
    { .name = "overhead", .kind = OPTION_TEXT, .argument = "MODEL", .fallback = "lognormal(median=8ms,sigma=0.6)",
      .help = "a sum of: 50ms, uniform(5ms,20ms), normal(mean=8ms,sd=2ms), lognormal(median=8ms,sigma=0.6), "
              "gamma(shape=2,scale=4ms), pareto(scale=5ms,alpha=2.5), empirical(FILE), spike(p=0.001,MODEL), "
              "burst(p=0.002,length=8,MODEL), seen(MODEL) for stalls that the engine notices" },
    { .name = "games", .kind = OPTION_INTEGER, .min = 1, .max = 1000000,
      .help = "of each policy; default: 400, on a real clock 20" },
    { .name = "clock", .kind = OPTION_CHOICE, .argument = "virtual|real", .fallback = "virtual",
      .help = "real: zeitnot plays by each policy, and each engine by itself, in real time; a noisy machine gives VOID" },
    { .name = "engine", .kind = OPTION_TEXT, .argument = "cmd=FILE,…", .repeated = true,
      .help = "an engine to hammer beside or instead of policies, as in vmatch: its own time manager, on the virtual clock "
              "by VirtualNps, or policy=POLICY" },
    { .name = "allow-failed-check", .kind = OPTION_FLAG, .help = "play an engine that fails its check" },
    { .name = "log", .kind = OPTION_TEXT, .argument = "DIR", .help = "transcripts of engines go there" },
    { .name = "against", .kind = OPTION_TEXT, .argument = "POLICY", .help = "the opponent; without it each plays itself" },
    { .name = "moves", .kind = OPTION_INTEGER, .argument = "N", .fallback = "60", .min = 1, .max = 2000,
      .help = "own moves of a game, for break-even; 60 was about the mean of 160 games" },
    { .name = "sweep-overhead", .kind = OPTION_TEXT, .argument = "LO..HI",
      .help = "0ms..300ms: flags against constant overhead, by games and by arithmetic" },
    { .name = "steps", .kind = OPTION_INTEGER, .argument = "N", .fallback = "11", .min = 2, .max = SWEEP_MAX_STEPS,
      .help = "overheads of the sweep, both ends among them" },
    { .name = "plot", .kind = OPTION_TEXT, .argument = "FILE", .help = "the sweep as FILE.svg or FILE.png" },
    { .name = "monte-carlo", .kind = OPTION_REAL, .argument = "N", .low = 1000, .high = 1e10,
      .help = "1e6: so many games more without a search, resampled from those played, for rare flags" },
    { .name = "margin", .kind = OPTION_DURATION, .fallback = "0ms", .help = "a flag within it is forgiven, and counted" },
    { .name = "quantum", .kind = OPTION_DURATION, .fallback = "1ms",
      .help = "policies see the clock in whole multiples of this, floored, as real runners send it" },
    { .name = "poll", .kind = OPTION_INTEGER, .argument = "NODES", .fallback = "0", .min = 0, .max = 1000000000,
      .help = "nodes between two looks at the hard limit; 0: every node" },
    { .name = "first-inc", .kind = OPTION_CHOICE, .argument = "yes|no", .fallback = "yes",
      .help = "whether the first move has base + increment, as in the match runners" },
    { .name = "profile", .kind = OPTION_TEXT, .argument = "NAME|FILE", .fallback = "sunfish-pypy3",
      .help = "rate profile of the modelled player" },
    { .name = "nps-scale", .kind = OPTION_REAL, .fallback = "1", .low = 1e-6, .high = 1e6,
      .help = "factor on the profile's node rate" },
    { .name = "openings", .kind = OPTION_TEXT, .argument = "file=FILE,…",
      .help = "book: file=FILE[,format=epd][,order=random|sequential]; a book of 240 positions is built in" },
    { .name = "max-plies", .kind = OPTION_INTEGER, .argument = "N", .fallback = "600", .min = 0, .max = 100000,
      .help = "a longer game is a draw; 0: no bound" },
    { .name = "seed", .kind = OPTION_UNSIGNED, .fallback = "1", .help = "of openings and random draws" },
    { .name = "concurrency", .kind = OPTION_INTEGER, .argument = "N", .min = 1, .max = 512,
      .help = "games at once; default: one for each processor, on a real clock one" },
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .fallback = "tmsim.db",
      .help = "the store; the same command on it continues" },
    OPTION_ROW_EXPR,
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set set = {
    .command = "tmsim hammer",
    .operands = "[POLICY…]",
    .summary = "Plays many games at a hostile time control to see whether a policy ever loses on time, how close it is and what\n"
               "it would take. Exit 0: all pass, 20: one flagged or moved illegally, 4: the cell says nothing about anyone.",
    .example = "tmsim hammer sf_17 min40_4 --tc 1+0.01 --overhead '8ms + spike(p=0.001,300ms)' --games 2000 --db hammer.db\n         "
               "tmsim hammer min40_4 --clock real --tc 1+0.01 --games 20 --db hammer.db",
    .spec = specs,
    .count = sizeof specs / sizeof *specs,
    .min_operands = 0,
    .max_operands = OPERANDS_MAX,
};

/* About a minute at 1+0.01 each: a thousand virtual games cost less than one real one. */
enum { GAMES = 400, REAL_GAMES = 20 };

struct job {
    const atomic_bool *interrupted;
    struct policy_operands policies;
    struct policy *against;
    struct arm *arm[VMATCH_MAX_POLICIES], *against_arm;
    struct profile *profile;
    struct book *book;
    struct overhead *overhead;
    struct vmatch_plan match;
    struct hammer_plan plan;
    struct hammer_verdict *verdict;
    struct hammer_sweep sweep;          /* steps 0: none */
    struct table *table;
    int64_t simulated;           /* games of the Monte-Carlo; 0: none */
    struct hammer_mc *mc;
    struct table *mc_table;
    char data[2048], book_path[OPENINGS_PATH_SIZE];
    bool failed, void_result;
};

/* ---- players ---- */

static bool is_real(const struct options *options) { return options_choice(options, "clock") == 1; }

/* `text` NULL: the built-in engine on a real clock, with the policy `spec`. */
static struct arm *load_arm(const struct options *options, const struct job *job, const char *text,
                            const struct policy *policy, const char *spec, struct tm_error *error)
{
    char policies[4200], profiles[4200];
    snprintf(policies, sizeof policies, "%s/policies", job->data);
    snprintf(profiles, sizeof profiles, "%s/profiles", job->data);
    const struct arm_request request = {
        .text = text, .policies = policies, .profiles = profiles, .real = is_real(options),
        .allow_failed = options_flag(options, "allow-failed-check"),
    };
    return text ? arm_new(&request, error) : hammer_real_arm(policy, spec, &request, error);
}

static bool seat(struct job *job, const struct policy *policy, struct arm *arm, struct tm_error *error)
{
    struct vmatch_plan *match = &job->match;
    const int index = match->policy_count;
    if (index >= VMATCH_MAX_POLICIES - 1) {
        arm_free(arm);
        return error_fail(error, TM_INPUT, "more than %d players", VMATCH_MAX_POLICIES - 1);
    }
    match->policy[index] = arm ? arm->policy : policy;
    match->arm[index] = job->arm[index] = arm;
    match->policy_count++;
    return true;
}

static bool seat_policies(const struct options *options, struct job *job, struct tm_error *error)
{
    for (int i = 0; i < job->policies.count; i++) {
        const struct policy *policy = job->policies.item[i].policy;
        struct arm *arm = NULL;
        if (is_real(options) && i >= options_operand_count(options))
            return error_fail(error, TM_INPUT, "--expr: no engine can read it on a real clock; write it into a file");
        if (is_real(options) && !(arm = load_arm(options, job, NULL, policy, options_operand(options, i), error)))
            return false;
        if (!seat(job, policy, arm, error))
            return false;
    }
    return true;
}

static bool load_players(const struct options *options, struct job *job, struct tm_error *error)
{
    char directory[4200];
    const char *against = options_text(options, "against");
    const int engines = options_given(options, "engine");
    const bool none = options_operand_count(options) + options_given(options, "expr") == 0;
    if (!(none && engines) && !operands_load(options, 0, &job->policies, error))
        return false;
    if (!seat_policies(options, job, error))
        return false;
    for (int i = 0; i < engines; i++) {
        struct arm *arm = load_arm(options, job, options_text_at(options, "engine", i), NULL, NULL, error);
        if (!arm || !seat(job, NULL, arm, error))
            return false;
    }
    if (against && !policy_load(against, policies_directory(directory, sizeof directory), &job->against, error))
        return false;
    if (!against || !is_real(options))
        return true;
    job->against_arm = load_arm(options, job, NULL, job->against, against, error);
    return job->against_arm != NULL;
}

static bool load_inputs(const struct options *options, struct job *job, struct tm_error *error)
{
    char directory[4200];
    if (!data_dir(job->data, sizeof job->data))
        return error_fail(error, TM_INPUT, "the policies, profiles and books that come with tmsim are not where it was "
                                           "installed; set ZEITNOT_DATA to their directory");
    if (!overhead_parse("--overhead", options_text(options, "overhead"), &job->overhead, error) ||
        !load_players(options, job, error))
        return false;
    snprintf(directory, sizeof directory, "%s/profiles", job->data);
    return profile_load(options_text(options, "profile"), directory, &job->profile, error) &&
           openings_read(options_text(options, "openings"), job->data, job->book_path, &job->book, &job->match.order, error);
}

static struct game_rules read_rules(const struct options *options, const struct job *job, int tc)
{
    tm_ns overhead;
    const bool constant = overhead_is_constant(job->overhead, &overhead), real = is_real(options);
    return (struct game_rules){
        .tc = *options_tc_at(options, "tc", tc),
        .first_inc = options_choice(options, "first-inc") == 0,
        .overhead = constant && !real ? overhead : 0,
        .model = constant || real ? NULL : job->overhead,
        .margin = options_duration(options, "margin"),
        .quantum = options_duration(options, "quantum"),
        .poll = options_integer(options, "poll"),
        .profile = job->profile,
        .nps_scale = options_real(options, "nps-scale"),
        .seed = options_unsigned(options, "seed"),
        .max_plies = (int)options_integer(options, "max-plies"),
    };
}

static void make_plan(const struct options *options, struct job *job)
{
    struct vmatch_plan *match = &job->match;
    const bool real = is_real(options);
    match->baseline = -1;
    match->tc_count = 1;
    match->real = real;
    match->log = options_text(options, "log");
    match->concurrency = real && !options_given(options, "concurrency") ? 1 : command_concurrency(options);
    match->book = job->book;
    match->book_name = openings_name(job->book_path);
    match->quiet = options_flag(options, "quiet");
    job->plan = (struct hammer_plan){
        .match = match, .against = job->against_arm ? job->against_arm->policy : job->against,
        .against_arm = job->against_arm,
        .games = options_given(options, "games") ? (int)options_integer(options, "games") : real ? REAL_GAMES : GAMES,
        .moves = (int)options_integer(options, "moves"),
    };
}

/* What makes sense on a virtual clock only. */
static bool check_real(const struct options *options, struct tm_error *error)
{
    static const char *const no[] = { "overhead", "sweep-overhead", "monte-carlo", "margin", "quantum", "poll", "profile", "nps-scale" };
    for (size_t i = 0; is_real(options) && i < sizeof no / sizeof *no; i++)
        if (options_given(options, no[i]))
            return error_fail(error, TM_INPUT, "--%s has no meaning with --clock real: the machine is what it is", no[i]);
    return true;
}

static bool prepare(const struct options *options, struct job *job, struct tm_error *error)
{
    const char *sweep = options_text(options, "sweep-overhead");
    if (!check_real(options, error))
        return false;
    if (sweep && options_given(options, "overhead"))
        return error_fail(error, TM_INPUT, "--sweep-overhead and --overhead: a sweep is of constant overheads alone");
    if (sweep && !hammer_sweep_parse(sweep, &job->sweep, error))
        return false;
    job->sweep.steps = sweep ? (int)options_integer(options, "steps") : 0;
    if (options_text(options, "plot") && (!sweep || options_count(options, "tc") > 1))
        return error_fail(error, TM_INPUT, "--plot draws one --sweep-overhead at one --tc");
    job->simulated = (int64_t)options_real(options, "monte-carlo");
    if (sweep && job->simulated)
        return error_fail(error, TM_INPUT, "--sweep-overhead and --monte-carlo: one at a time");
    if (!load_inputs(options, job, error))
        return false;
    make_plan(options, job);
    job->verdict = calloc((size_t)job->match.policy_count, sizeof *job->verdict);
    job->table = sweep ? hammer_sweep_table_new() : hammer_table_new();
    job->mc = calloc((size_t)job->match.policy_count, sizeof *job->mc);
    job->mc_table = hammer_mc_table_new();
    if (!job->verdict || !job->table || !job->mc || !job->mc_table)
        return error_fail(error, TM_INTERNAL, "out of memory");
    for (int tc = 0; tc < options_count(options, "tc"); tc++) {
        job->match.rules[0] = read_rules(options, job, tc);
        struct vmatch_plan checked = job->match;
        if (job->against && checked.policy_count < VMATCH_MAX_POLICIES)
            checked.policy[checked.policy_count++] = job->against;
        if (!vmatch_preflight(&checked, error))
            return false;
    }
    return true;
}

static void note_outcome(struct job *job, const struct hammer_verdict *verdict)
{
    job->failed |= verdict->outcome == HAMMER_FAIL;
    job->void_result |= verdict->outcome == HAMMER_VOID;
}

static bool run_sweep(const struct options *options, struct job *job, struct store *store, struct tm_error *error)
{
    const int from = table_row_count(job->table);
    const char *file = options_text(options, "plot");
    int played = 0;
    bool ok = hammer_sweep_run(&job->sweep, &job->plan, &job->match.rules[0], store, job->interrupted, &played, error);
    if (ok) {
        hammer_sweep_add(job->table, &job->sweep);
        if (options_choice(options, "format") == TABLE_TEXT)
            hammer_sweep_print(&job->sweep, job->table, from, stdout);
        ok = !file || hammer_sweep_plot(&job->sweep, file, error);
    }
    hammer_sweep_clear(&job->sweep);
    return ok;
}

/* A cell in which no game was played has nothing to resample. */
static bool run_monte_carlo(const struct options *options, struct job *job, struct store *store, struct tm_error *error)
{
    const int from = table_row_count(job->mc_table), count = job->match.policy_count;
    if (job->verdict[0].games == 0)
        return true;
    for (int i = 0; i < count; i++) {
        if (!hammer_mc_run(&job->plan, &job->verdict[i], store, job->simulated, &job->mc[i], error))
            return false;
        hammer_mc_add(job->mc_table, &job->plan, &job->verdict[i], &job->mc[i]);
        if (!job->match.quiet && job->mc[i].result.seconds > 2)
            fprintf(stderr, "hammer  %s  %.2g simulated moves/s\n", job->verdict[i].label,
                    (double)job->mc[i].result.moves / job->mc[i].result.seconds);
    }
    if (options_choice(options, "format") == TABLE_TEXT)
        hammer_mc_print(job->mc_table, from, job->verdict, job->mc, count, stdout);
    return true;
}

static bool run_hammer(const struct options *options, struct job *job, struct store *store, struct tm_error *error)
{
    const int from = table_row_count(job->table), count = job->match.policy_count;
    int played = 0;
    if (!hammer_run(&job->plan, store, job->interrupted, &played, job->verdict, error))
        return false;
    if (played > 0 && !seen_store(store, job->verdict[0].run, job->match.real ? "real" : "hammer", error))
        return false;
    hammer_add(job->table, &job->plan, job->verdict, count);
    if (options_choice(options, "format") == TABLE_TEXT)
        hammer_print(job->table, from, &job->plan, job->verdict, count, stdout);
    for (int i = 0; i < count; i++)
        note_outcome(job, &job->verdict[i]);
    return !job->simulated || run_monte_carlo(options, job, store, error);
}

static bool run_cells(const struct options *options, struct job *job, struct store *store, struct tm_error *error)
{
    const enum table_format format = (enum table_format)options_choice(options, "format");
    bool ok = true;
    for (int tc = 0; ok && tc < options_count(options, "tc"); tc++) {
        if (tc > 0 && format == TABLE_TEXT)
            fputc('\n', stdout);
        job->match.rules[0] = read_rules(options, job, tc);
        ok = job->sweep.steps ? run_sweep(options, job, store, error) : run_hammer(options, job, store, error);
    }
    const struct table_frame frame = { .schema = job->simulated    ? "tmsim.hammer-monte-carlo/1"
                                                : job->sweep.steps ? "tmsim.hammer-sweep/1"
                                                                   : "tmsim.hammer/1" };
    const struct table *table = job->simulated ? job->mc_table : job->table;
    if (ok && format != TABLE_TEXT && !table_print(table, format, &frame, stdout))
        return error_fail(error, TM_INTERNAL, "standard output could not be written");
    return ok;
}

static bool run_job(const struct options *options, struct job *job, struct tm_error *error)
{
    struct store *store;
    struct tm_error close_error;
    if (!prepare(options, job, error) || !store_open(options_text(options, "db"), false, &store, error))
        return false;
    bool ok = run_cells(options, job, store, error);
    if (!store_close(store, &close_error) && ok) {
        *error = close_error;
        ok = false;
    }
    return ok;
}

static void clear_job(struct job *job)
{
    for (int i = 0; i < VMATCH_MAX_POLICIES; i++)
        arm_free(job->arm[i]);
    arm_free(job->against_arm);
    operands_clear(&job->policies);
    policy_free(job->against);
    profile_free(job->profile);
    book_free(job->book);
    overhead_free(job->overhead);
    table_free(job->table);
    table_free(job->mc_table);
    free(job->mc);
    free(job->verdict);
    free(job);
}

int cmd_hammer(int argc, char **argv)
{
    int code = TM_OK;
    struct tm_error error = { 0 };
    struct options *options = command_options(&set, argc, argv, &code);
    if (!options)
        return code;
    struct job *job = calloc(1, sizeof *job);
    if (job)
        job->interrupted = command_catch_interrupts();
    else
        error_set(&error, TM_INTERNAL, "out of memory");
    if (!job || !run_job(options, job, &error))
        code = command_fail(&error);
    else
        code = job->void_result ? TM_VOID : job->failed ? TM_UNSAFE : TM_OK;
    if (job)
        clear_job(job);
    options_free(options);
    return code;
}
