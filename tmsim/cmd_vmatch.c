/* `tmsim vmatch`: from the command line to a plan, and from the result to the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/fields.h"
#include "tmsim/pgn_write.h"
#include "tmsim/openings.h"
#include "tmsim/player.h"
#include "tmsim/rank.h"
#include "tmsim/runner_form.h"
#include "tmsim/seen.h"
#include "tmsim/sweep.h"
#include "tmsim/vmatch.h"
#include "tmsim/vmatch_estimate.h"
#include "vclock/data_dir.h"

static const struct option_spec specs[] = {
    { .name = "baseline", .kind = OPTION_TEXT, .argument = "POLICY",
      .help = "play each policy against this one; without it, each against each" },
    { .name = "engine", .kind = OPTION_TEXT, .argument = "cmd=…,…", .repeated = true,
      .help = "a foreign engine: cmd=PROGRAM[,args=\"…\"][,dir=…][,name=…][,option.NAME=VALUE][,profile=…][,tc=…]"
              "[,clock=nodes] on its own clock, or policy=POLICY[,clock=cold|warm]" },
    { .name = "each", .kind = OPTION_TEXT, .argument = "FIELDS",
      .help = "fields for every --engine; with a cmd, every policy drives that engine" },
    { .name = "recover", .kind = OPTION_FLAG, .help = "restart an engine that failed, and go on" },
    { .name = "log", .kind = OPTION_TEXT, .argument = "DIR", .help = "a transcript for each game of a foreign engine" },
    { .name = "allow-failed-check", .kind = OPTION_FLAG, .help = "play engines that fail tmsim engine check" },
    { .name = "allow-warm", .kind = OPTION_FLAG, .help = "accept clock=warm, whose results are no ranking" },
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0", .repeated = true,
      .help = "time control in seconds: 60+0.6, 40/60, 40/60+0.6,20+0.2, 1:30+1; POLICY:tc=20+0.2 gives one player another, "
              "and compares policy and control together" },
    { .name = "rounds", .kind = OPTION_INTEGER, .fallback = "20", .min = 1, .max = 1000000,
      .help = "pairs of games for each pairing: an opening, both colours" },
    { .name = "sprt", .kind = OPTION_TEXT, .argument = "elo0=X,elo1=Y,…",
      .help = "stop once decided: elo0=,elo1=[,alpha=0.05][,beta=0.05][,model=normalized|logistic]"
              "[,overshoot=none|dynamic], of the first policy against the second; --rounds bounds it, else the book. "
              "Exit 0: H1, 10: H0, 11: undecided" },
    { .name = "control", .kind = OPTION_FLAG,
      .help = "play the one policy named against itself; must come out at 0, since mirrors measure nothing" },
    { .name = "plan", .kind = OPTION_FLAG,
      .help = "play nothing: CPU hours, games, detectable Elo and store size, from a ten-second measurement" },
    { .name = "repeat", .kind = OPTION_FLAG, .help = "each opening with both colours, as is always done here" },
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
      .help = "book: file=FILE[,format=epd|fen|pgn][,plies=N][,order=random|sequential]; zeitnot-240.epd (the default) "
              "and zeitnot-3000.epd come with tmsim" },
    { .name = "first-inc", .kind = OPTION_CHOICE, .argument = "yes|no", .fallback = "yes",
      .help = "whether the first move has base + increment, as in the match runners" },
    { .name = "quantum", .kind = OPTION_DURATION, .fallback = "0ms",
      .help = "policies see the clock in whole multiples of this; 1ms as real runners send it" },
    { .name = "poll", .kind = OPTION_INTEGER, .argument = "NODES", .fallback = "0", .min = 0, .max = 1000000000,
      .help = "nodes between two looks at the hard limit; 0: every node" },
    { .name = "max-plies", .kind = OPTION_INTEGER, .argument = "N", .fallback = "600", .min = 0, .max = 100000,
      .help = "a longer game is a draw; 0: no bound" },
    { .name = "draw", .kind = OPTION_TEXT, .argument = "movecount=N,…",
      .help = "adjudicate: [movenumber=N,]movecount=N,score=CP; off by default, since a drained clock is lost in just "
              "those endgames" },
    { .name = "resign", .kind = OPTION_TEXT, .argument = "movecount=N,…",
      .help = "adjudicate: movecount=N,score=CP[,twosided=true]; off by default" },
    { .name = "trace", .kind = OPTION_CHOICE, .argument = "none|stop", .fallback = "none",
      .help = "keep each search's events up to its stop in the store" },
    { .name = "pgnout", .kind = OPTION_TEXT, .argument = "FILE",
      .help = "write the games of these runs as PGN when they end" },
    { .name = "pgn-clocks", .kind = OPTION_FLAG, .help = "with [%clk] and [%emt] in its comments" },
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
    .operands = "[POLICY…]",
    .summary = "Plays virtual-clock games between policies, in colour-swapped pairs, and ranks them.\n"
               "A policy is NAME, NAME:param=value:…, or the path of a Lua file; NAME:param=20..60:5 is a sweep of policies.",
    .example = "tmsim vmatch pool simple --baseline smooth --tc 60+0 --tc 60+0.6 --overhead 50ms --rounds 50 --db a.db",
    .spec = specs,
    .count = sizeof specs / sizeof *specs,
    .max_operands = VMATCH_MAX_POLICIES - 1,
};

/* What a plan borrows, so that one call frees it. */
struct inputs {
    struct policy *policy[VMATCH_MAX_POLICIES];
    struct arm *arm[VMATCH_MAX_POLICIES];
    struct profile *profile;
    struct book *book;
    struct sprt sprt;
    struct overhead *overhead;
    char data[2048], book_path[OPENINGS_PATH_SIZE];
};

/* One more player: NULL for `arm` is the built-in engine. */
static void add_player(struct vmatch_plan *plan, const struct policy *policy, const struct arm *arm)
{
    plan->policy[plan->policy_count] = policy;
    plan->arm[plan->policy_count++] = arm;
}

/* An engine of --engine (`text`), or of --each driven by a policy. */
static bool load_arm(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan, const char *text,
                     const char *policy, struct tm_error *error)
{
    char policies[4200], profiles[4200];
    snprintf(policies, sizeof policies, "%s/policies", inputs->data);
    snprintf(profiles, sizeof profiles, "%s/profiles", inputs->data);
    const struct arm_request request = {
        .each = options_text(options, "each"), .text = text, .policy = policy, .policies = policies, .profiles = profiles,
        .allow_failed = options_flag(options, "allow-failed-check"), .allow_warm = options_flag(options, "allow-warm"),
    };
    struct arm *arm = inputs->arm[plan->policy_count] = arm_new(&request, error);
    if (!arm)
        return false;
    add_player(plan, arm->policy, arm);
    return true;
}

static bool has_command(const char *fields)
{
    return fields && (strncmp(fields, "cmd=", 4) == 0 || strstr(fields, ",cmd="));
}

static bool load_policy(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan, const char *spec,
                        struct tm_error *error)
{
    char directory[4200];
    if (has_command(options_text(options, "each")))
        return load_arm(options, inputs, plan, "", spec, error);
    snprintf(directory, sizeof directory, "%s/policies", inputs->data);
    if (!player_load(spec, directory, &inputs->policy[plan->policy_count], error))
        return false;
    add_player(plan, inputs->policy[plan->policy_count], NULL);
    return true;
}

static bool load_engines(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan,
                         struct tm_error *error)
{
    for (int i = 0; i < options_given(options, "engine"); i++) {
        if (plan->policy_count >= VMATCH_MAX_POLICIES - 1)
            return error_fail(error, TM_INPUT, "more than %d players", VMATCH_MAX_POLICIES - 1);
        if (!load_arm(options, inputs, plan, options_text_at(options, "engine", i), NULL, error))
            return false;
    }
    return true;
}

/* All policies of a match must drive the same engine: nodes of different engines are different currencies. */
static bool check_engines(const struct vmatch_plan *plan, struct tm_error *error)
{
    const struct arm *driven = NULL;
    bool built_in = false;
    for (int i = 0; i < plan->policy_count; i++) {
        const struct arm *arm = plan->arm[i];
        built_in = built_in || !arm;
        if (!arm || !arm_is_driven(arm))
            continue;
        if (driven && strcmp(driven->identity, arm->identity) != 0)
            return error_fail(error, TM_INPUT, "policies drive two different engines, whose nodes are different "
                                               "currencies; give one engine to all by --each cmd=…");
        driven = arm;
    }
    if (driven && built_in)
        return error_fail(error, TM_INPUT, "some policies drive %s and some the built-in engine; give one engine to all "
                                           "by --each cmd=…", driven->spec->client.argv[0]);
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
            arm_free(inputs->arm[last]);
            inputs->policy[last] = NULL;
            inputs->arm[last] = NULL;
            plan->policy_count = last;
            plan->baseline = i;
            break;
        }
    return true;
}

/* Where the arms of a sweep go. */
struct arms {
    const struct options *options;
    struct inputs *inputs;
    struct vmatch_plan *plan;
};

static bool add_arm(void *ctx, const char *spec, struct tm_error *error)
{
    const struct arms *arms = ctx;
    if (arms->plan->policy_count >= VMATCH_MAX_POLICIES - 1)
        return error_fail(error, TM_INPUT, "more than %d policies", VMATCH_MAX_POLICIES - 1);
    return load_policy(arms->options, arms->inputs, arms->plan, spec, error);
}

static bool load_policies(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan,
                          struct tm_error *error)
{
    const char *baseline = options_text(options, "baseline");
    for (int i = 0; i < options_operand_count(options); i++)
        if (!sweep_expand(options_operand(options, i), add_arm, &(struct arms){ options, inputs, plan }, error))
            return false;
    if (!load_engines(options, inputs, plan, error))
        return false;
    plan->baseline = -1;
    plan->control = options_flag(options, "control");
    if (plan->control && (baseline || plan->policy_count != 1 || options_operand_count(options) != 1))
        return error_fail(error, TM_INPUT, "--control: expected one policy and no --baseline");
    if (plan->control)
        baseline = options_operand(options, 0);
    if (baseline)
        return load_policy(options, inputs, plan, baseline, error) && seat_baseline(inputs, plan) &&
               check_engines(plan, error);
    if (plan->policy_count == 0)
        return error_fail(error, TM_INPUT, "expected POLICY…, or engines by --engine cmd=…, found none");
    if (plan->policy_count < 2)
        return error_fail(error, TM_INPUT, "one policy alone has nobody to play; name a second one or a --baseline");
    return check_engines(plan, error);
}

static bool read_rules(const struct options *options, const struct inputs *inputs, struct vmatch_plan *plan,
                       struct tm_error *error)
{
    tm_ns overhead;
    const bool constant = overhead_is_constant(inputs->overhead, &overhead);
    struct game_rules common = {
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
    const char *draw = options_text(options, "draw"), *resign = options_text(options, "resign");
    if ((draw && !adjudication_parse_draw(draw, &common.adjudication, error)) ||
        (resign && !adjudication_parse_resign(resign, &common.adjudication, error)))
        return false;
    for (int i = 0; i < plan->tc_count; i++) {
        plan->rules[i] = common;
        plan->rules[i].tc = *options_tc_at(options, "tc", i);
    }
    return true;
}

/* The longest sequential test is bounded by the book, whose openings must not repeat. */
static bool read_rounds(const struct options *options, struct inputs *inputs, struct vmatch_plan *plan,
                        struct tm_error *error)
{
    const char *sprt = options_text(options, "sprt");
    plan->rounds = (int)options_integer(options, "rounds");
    if (!sprt)
        return true;
    if (!sequential_parse(sprt, &inputs->sprt, error))
        return false;
    if (plan->policy_count != 2 || plan->tc_count != 1)
        return error_fail(error, TM_INPUT, "--sprt: expected two policies and one --tc, found %d and %d; each test is a run "
                          "of its own", plan->policy_count, plan->tc_count);
    plan->sprt = &inputs->sprt;
    if (!options_given(options, "rounds"))
        plan->rounds = book_size(plan->book);
    return true;
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
    if (!read_rules(options, inputs, plan, error) || !read_rounds(options, inputs, plan, error))
        return false;
    plan->concurrency = command_concurrency(options);
    plan->quiet = options_flag(options, "quiet");
    plan->recover = options_flag(options, "recover");
    plan->log = options_text(options, "log");
    return vmatch_preflight(plan, error) && vmatch_gates(plan, error);
}

/* When several apply: void, a flag, the test's verdict (design, section 7). */
static int exit_code(const struct options *options, const struct vmatch_plan *plan, const struct vmatch_result *result,
                     bool is_void)
{
    static const int verdicts[] = { [SPRT_CONTINUE] = TM_UNDECIDED, [SPRT_H0] = TM_H0_ACCEPTED, [SPRT_H1] = TM_OK };
    if (is_void || result->faults > 0)
        return TM_VOID;
    if (result->flags > 0 && options_flag(options, "fail-on-flag"))
        return TM_UNSAFE;
    return plan->sprt ? verdicts[result->sequential.verdict] : TM_OK;
}

/* What the runners' form of a run is made of. */
struct below {
    struct store *store;
    const struct vmatch_plan *plan;
    const struct vmatch_result *result;
    struct tm_error *error;
};

static bool print_runner_form(void *ctx, int64_t run, FILE *stream)
{
    const struct below *below = ctx;
    const struct vmatch_plan *plan = below->plan;
    char control[TC_TEXT_SIZE];
    if (!plan->sprt)
        return runner_form_print_run(below->store, run, stream, below->error);
    const struct runner_form form = {
        .player = policy_info(plan->policy[0])->label,
        .opponent = policy_info(plan->policy[1])->label,
        .tc = tc_print(control, &plan->rules[0].tc),
        .count = below->result->sequential.count,
        .sprt = plan->sprt,
        .sequential = &below->result->sequential,
    };
    fputc('\n', stream);
    runner_form_print(&form, stream);
    return true;
}

/* The test in a sentence, for programs: people have it in the runners' form. */
static void tell_test(const struct vmatch_plan *plan, const struct vmatch_result *result, char *out, size_t size)
{
    static const char *const verdicts[] = { [SPRT_CONTINUE] = "undecided", [SPRT_H0] = "H0", [SPRT_H1] = "H1" };
    const struct sequential_state *state = &result->sequential;
    snprintf(out, size, "SPRT [%.12g, %.12g] %s of %s against %s: %s after %d pairs, LLR %.6g (%.6g, %.6g).",
             plan->sprt->elo0, plan->sprt->elo1, sprt_model_name(plan->sprt->model), policy_info(plan->policy[0])->label,
             policy_info(plan->policy[1])->label, verdicts[state->verdict], state->pairs, state->llr,
             sprt_lower(plan->sprt) + state->shift[0], sprt_upper(plan->sprt) - state->shift[1]);
}

static bool print_result(const struct options *options, struct store *store, const struct vmatch_plan *plan,
                         const struct vmatch_result *result, bool *is_void, struct tm_error *error)
{
    static const char mirrors[] = "A control: a policy against itself must come out at 0, and mirrors measure nothing.";
    const enum table_format format = (enum table_format)options_choice(options, "format");
    static const char cut_short[] = "Interrupted: the match is not complete, and its gates have not been checked.";
    char test[600] = "";
    const char *notes[3];
    int note_count = 0;
    if (result->interrupted)
        notes[note_count++] = cut_short;
    if (plan->control)
        notes[note_count++] = mirrors;
    if (plan->sprt && format != TABLE_TEXT) {
        tell_test(plan, result, test, sizeof test);
        notes[note_count++] = test;
    }
    struct below below = { store, plan, result, error };
    const struct rank_options request = {
        .format = format,
        .store_name = options_text(options, "db"),
        .run = result->run_id,
        .run_count = plan->tc_count,
        .extra_notes = notes,
        .extra_note_count = note_count,
        .below = print_runner_form,
        .below_ctx = &below,
    };
    return rank_print(store, &request, stdout, is_void, error);
}

/* A command that played nothing leaves the store as it is. */
static bool store_seen(const struct vmatch_plan *plan, struct store *store, const struct vmatch_result *result,
                       struct tm_error *error)
{
    for (int tc = 0; result->played > 0 && tc < plan->tc_count; tc++)
        if (!seen_store(store, result->run_id[tc], "vmatch", error))
            return false;
    return true;
}

static bool play_and_rank(const struct options *options, const struct vmatch_plan *plan, const atomic_bool *interrupted,
                          int *code, struct tm_error *error)
{
    struct store *store;
    struct vmatch_result result;
    bool is_void = false;
    if (!store_open(options_text(options, "db"), false, &store, error))
        return false;
    bool ok = vmatch_play(plan, store, interrupted, &result, error)
              && store_seen(plan, store, &result, error)
              && print_result(options, store, plan, &result, &is_void, error);
    const char *pgn = options_text(options, "pgnout");
    if (ok && pgn)
        ok = pgn_export(store, result.run_id, plan->tc_count, pgn, options_flag(options, "pgn-clocks"), error);
    if (ok && result.interrupted)
        fprintf(stderr, "tmsim: interrupted after %d games; the same command continues\n", result.played);
    if (ok && result.faults > 0)
        fprintf(stderr, "tmsim: %d games ended as policy_fault; their pairs are excluded\n", result.faults);
    *code = exit_code(options, plan, &result, is_void);
    struct tm_error close_error;
    if (!store_close(store, &close_error) && ok) {
        *error = close_error;
        ok = false;
    }
    return ok;
}

/* Ten seconds are enough for some pairs of most matches and short enough to wait for. */
static bool estimate(const struct options *options, const struct vmatch_plan *plan, const atomic_bool *interrupted,
                     struct tm_error *error)
{
    struct vmatch_estimate estimate;
    return vmatch_estimate(plan, 10, interrupted, &estimate, error)
           && (vmatch_estimate_print(&estimate, (enum table_format)options_choice(options, "format"), stdout)
               || error_fail(error, TM_INTERNAL, "the estimate could not be printed"));
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
    const atomic_bool *interrupted = command_catch_interrupts();
    const bool ok = make_plan(options, &inputs, &plan, &error)
                    && (options_flag(options, "plan") ? estimate(options, &plan, interrupted, &error)
                                                      : play_and_rank(options, &plan, interrupted, &code, &error));
    if (!ok)
        code = command_fail(&error);
    for (int i = 0; i < VMATCH_MAX_POLICIES; i++) {
        policy_free(inputs.policy[i]);
        arm_free(inputs.arm[i]);
    }
    overhead_free(inputs.overhead);
    profile_free(inputs.profile);
    book_free(inputs.book);
    options_free(options);
    return code;
}
