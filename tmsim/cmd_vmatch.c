/* `tmsim vmatch`: from the command line to a plan, and from the result to the exit code. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/openings.h"
#include "tmsim/rank.h"
#include "tmsim/vmatch.h"
#include "vclock/data_dir.h"

static const struct option_spec specs[] = {
    { .name = "baseline", .kind = OPTION_TEXT, .argument = "POLICY",
      .help = "play each policy against this one; without it, each against each" },
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0", .repeated = true,
      .help = "time control in seconds: 60+0.6, 40/60, 40/60+0.6,20+0.2, 1:30+1" },
    { .name = "rounds", .kind = OPTION_INTEGER, .fallback = "20", .min = 1, .max = 1000000,
      .help = "pairs of games for each pairing: an opening, both colours" },
    { .name = "overhead", .kind = OPTION_TEXT, .argument = "MODEL", .fallback = "50ms",
      .help = "charged on top of every move: 50ms, uniform(5ms,20ms), 'lognormal(median=8ms,sigma=0.6)', "
              "'8ms + spike(p=0.001,300ms)', empirical(FILE), …; see hammer --help" },
    { .name = "margin", .kind = OPTION_DURATION, .fallback = "0ms",
      .help = "a flag within it is forgiven, and counted" },
    { .name = "profile", .kind = OPTION_TEXT, .argument = "NAME|FILE", .fallback = "sunfish-pypy3",
      .help = "rate profile of the modelled player" },
    { .name = "nps-scale", .kind = OPTION_REAL, .fallback = "1", .low = 1e-6, .high = 1e6,
      .help = "factor on the profile's node rate" },
    { .name = "openings", .kind = OPTION_TEXT, .argument = "file=FILE,…",
      .help = "book: file=FILE[,format=epd][,order=random|sequential]; a book of 240 positions is built in" },
    { .name = "first-inc", .kind = OPTION_CHOICE, .argument = "yes|no", .fallback = "yes",
      .help = "whether the first move has base + increment, as in the match runners" },
    { .name = "quantum", .kind = OPTION_DURATION, .fallback = "0ms",
      .help = "policies see the clock in whole multiples of this; 1ms as real runners send it" },
    { .name = "poll", .kind = OPTION_INTEGER, .argument = "NODES", .fallback = "0", .min = 0, .max = 1000000000,
      .help = "nodes between two looks at the hard limit; 0: every node" },
    { .name = "max-plies", .kind = OPTION_INTEGER, .argument = "N", .fallback = "600", .min = 0, .max = 100000,
      .help = "a longer game is a draw; 0: no bound" },
    { .name = "trace", .kind = OPTION_CHOICE, .argument = "none|stop", .fallback = "none",
      .help = "keep each search's events up to its stop in the store" },
    { .name = "seed", .kind = OPTION_UNSIGNED, .fallback = "1", .help = "of openings and random draws" },
    { .name = "concurrency", .kind = OPTION_INTEGER, .argument = "N", .min = 1, .max = 512,
      .help = "games at once; default: one for each processor" },
    { .name = "fail-on-flag", .kind = OPTION_FLAG, .help = "exit 20 if any game was lost on time" },
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .fallback = "tmsim.db",
      .help = "the store; the same command on it continues" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set set = {
    .command = "tmsim vmatch",
    .operands = "POLICY…",
    .summary = "Plays virtual-clock games between policies, in colour-swapped pairs, and ranks them.\n"
               "A policy is NAME, NAME:param=value:…, or the path of a Lua file.",
    .example = "tmsim vmatch pool simple --baseline smooth --tc 60+0 --tc 60+0.6 --overhead 50ms --rounds 50 --db a.db",
    .spec = specs,
    .count = sizeof specs / sizeof *specs,
    .min_operands = 1,
    .max_operands = VMATCH_MAX_POLICIES - 1,
};

/* What a plan borrows, so that one call frees it. */
struct inputs {
    struct policy *policy[VMATCH_MAX_POLICIES];
    struct profile *profile;
    struct book *book;
    struct overhead *overhead;
    char data[2048], book_path[OPENINGS_PATH_SIZE];
};

static atomic_bool interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

/* A second interrupt ends the program at once, as SA_RESETHAND restores the default. */
static void catch_interrupts(void)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool load_policy(struct inputs *inputs, struct vmatch_plan *plan, const char *spec, struct tm_error *error)
{
    char directory[4200];
    snprintf(directory, sizeof directory, "%s/policies", inputs->data);
    if (!policy_load(spec, directory, &inputs->policy[plan->policy_count], error))
        return false;
    plan->policy[plan->policy_count] = inputs->policy[plan->policy_count];
    plan->policy_count++;
    return true;
}

/* The last policy loaded is the baseline; where it was also named among several others, once is enough. */
static bool seat_baseline(struct inputs *inputs, struct vmatch_plan *plan)
{
    const int last = plan->policy_count - 1;
    plan->baseline = last;
    for (int i = 0; i < last && last > 1; i++)
        if (strcmp(policy_info(plan->policy[i])->hash, policy_info(plan->policy[last])->hash) == 0) {
            policy_free(inputs->policy[last]);
            plan->policy_count = last;
            plan->baseline = i;
            break;
        }
    return true;
}

static bool load_policies(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan,
                          struct tm_error *error)
{
    const char *baseline = options_text(options, "baseline");
    for (int i = 0; i < options_operand_count(options); i++)
        if (!load_policy(inputs, plan, options_operand(options, i), error))
            return false;
    plan->baseline = -1;
    if (baseline)
        return load_policy(inputs, plan, baseline, error) && seat_baseline(inputs, plan);
    if (plan->policy_count < 2)
        return error_fail(error, TM_INPUT, "one policy alone has nobody to play; name a second one or a --baseline");
    return true;
}

static void read_rules(const struct options *options, const struct inputs *inputs, struct vmatch_plan *plan)
{
    tm_ns overhead;
    const bool constant = overhead_is_constant(inputs->overhead, &overhead);
    const struct game_rules common = {
        .first_inc = options_choice(options, "first-inc") == 0,
        .overhead = constant ? overhead : 0,
        .model = constant ? NULL : inputs->overhead,
        .margin = options_duration(options, "margin"),
        .quantum = options_duration(options, "quantum"),
        .poll = options_integer(options, "poll"),
        .profile = inputs->profile,
        .nps_scale = options_real(options, "nps-scale"),
        .seed = options_unsigned(options, "seed"),
        .max_plies = (int)options_integer(options, "max-plies"),
        .keep_trace = options_choice(options, "trace") == 1,
    };
    for (int i = 0; i < plan->tc_count; i++) {
        plan->rules[i] = common;
        plan->rules[i].tc = *options_tc_at(options, "tc", i);
    }
}

static int default_concurrency(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > 512 ? 512 : (int)processors;
}

static bool make_plan(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan,
                      struct tm_error *error)
{
    char directory[4200];
    if (!data_dir(inputs->data, sizeof inputs->data))
        return error_fail(error, TM_INPUT, "the policies, profiles and books that come with tmsim are not where it was "
                                           "installed; set ZEITNOT_DATA to their directory");
    plan->tc_count = options_count(options, "tc");
    if (plan->tc_count > VMATCH_MAX_TCS)
        return error_fail(error, TM_INPUT, "--tc: more than %d controls", VMATCH_MAX_TCS);
    if (!load_policies(options, inputs, plan, error))
        return false;
    snprintf(directory, sizeof directory, "%s/profiles", inputs->data);
    if (!overhead_parse("--overhead", options_text(options, "overhead"), &inputs->overhead, error))
        return false;
    if (!profile_load(options_text(options, "profile"), directory, &inputs->profile, error) ||
        !openings_read(options_text(options, "openings"), inputs->data, inputs->book_path, &inputs->book, &plan->order, error))
        return false;
    plan->book = inputs->book;
    plan->book_name = openings_name(inputs->book_path);
    read_rules(options, inputs, plan);
    plan->rounds = (int)options_integer(options, "rounds");
    plan->concurrency = options_given(options, "concurrency") ? (int)options_integer(options, "concurrency")
                                                              : default_concurrency();
    plan->quiet = options_flag(options, "quiet");
    return vmatch_preflight(plan, error);
}

static int exit_code(const struct options *options, const struct vmatch_result *result)
{
    if (result->faults > 0)
        return TM_VOID;
    if (result->flags > 0 && options_flag(options, "fail-on-flag"))
        return TM_UNSAFE;
    return TM_OK;
}

static bool play_and_rank(const struct options *options, const struct vmatch_plan *plan, int *code,
                          struct tm_error *error)
{
    struct store *store;
    struct vmatch_result result;
    const char *path = options_text(options, "db");
    if (!store_open(path, false, &store, error))
        return false;
    bool ok = vmatch_play(plan, store, &interrupted, &result, error);
    const struct rank_options request = {
        .format = (enum table_format)options_choice(options, "format"),
        .store_name = path,
        .run = result.run_id,
        .run_count = plan->tc_count,
    };
    ok = ok && rank_print(store, &request, stdout, error);
    if (ok && result.interrupted)
        fprintf(stderr, "tmsim: interrupted after %d games; the same command continues\n", result.played);
    if (ok && result.faults > 0)
        fprintf(stderr, "tmsim: %d games ended as policy_fault; their pairs are excluded\n", result.faults);
    *code = exit_code(options, &result);
    struct tm_error close_error;
    if (!store_close(store, &close_error) && ok) {
        *error = close_error;
        ok = false;
    }
    return ok;
}

int cmd_vmatch(int argc, char **argv)
{
    struct tm_error error = { 0 };
    struct inputs inputs = { 0 };
    struct vmatch_plan plan = { 0 };
    int code = TM_OK;
    struct options *options = command_options(&set, argc, argv, &code);
    if (!options)
        return code;
    catch_interrupts();
    if (!make_plan(options, &inputs, &plan, &error) || !play_and_rank(options, &plan, &code, &error))
        code = command_fail(&error);
    for (int i = 0; i < plan.policy_count; i++)
        policy_free(inputs.policy[i]);
    overhead_free(inputs.overhead);
    profile_free(inputs.profile);
    book_free(inputs.book);
    options_free(options);
    return code;
}
