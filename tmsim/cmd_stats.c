/* `tmsim stats`: Elo, sequential tests, rare events and schedules from counts, without a store. */
#include <stdlib.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/stats.h"
#include "tmsim/table.h"

/* The orders in which counts are given. A bare triple is refused: half of the field writes losses first. */
static const struct { const char *option, *argument; int cells; int place[5]; } orders[] = {
    { "wld", "W,L,D", 3, { 2, 0, 1 } },
    { "ldw", "L,D,W", 3, { 0, 1, 2 } },
    { "ptnml", "LL,LD,DD+WL,WD,WW", 5, { 0, 1, 2, 3, 4 } },
};
enum { ORDER_COUNT = sizeof orders / sizeof *orders };

#define COUNT_ROWS \
    { .name = "wld", .kind = OPTION_TEXT, .argument = "W,L,D", .help = "games: wins, losses, draws" }, \
    { .name = "ldw", .kind = OPTION_TEXT, .argument = "L,D,W", .help = "games: losses, draws, wins" }, \
    { .name = "ptnml", .kind = OPTION_TEXT, .argument = "LL,LD,DD+WL,WD,WW", \
      .help = "pairs that scored 0, 1/2, 1, 3/2 and 2 points; the sound choice for paired games" }

static bool parse_counts(int order, const char *text, int64_t *count, struct tm_error *error)
{
    char what[32], copy[200];
    snprintf(what, sizeof what, "--%s", orders[order].option);
    snprintf(copy, sizeof copy, "%s", text);
    int cells = 0;
    for (char *part = copy, *next; part; part = next, cells++) {
        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        /* At most 10^12: sums of five stay exact in a double. */
        if (cells < orders[order].cells
            && !option_parse_integer(what, part, 0, INT64_C(1000000000000), &count[orders[order].place[cells]], error))
            return false;
    }
    return cells == orders[order].cells
           || error_fail(error, TM_INPUT, "%s %s: expected %s, %d whole numbers; found %d", what, text, orders[order].argument,
                         orders[order].cells, cells);
}

/* The counts of whichever option gives them; `cells` is 3 or 5. */
static bool read_counts(const struct options *options, int64_t *count, int *cells, struct tm_error *error)
{
    int order = -1;
    for (int i = 0; i < ORDER_COUNT; i++)
        if (options_given(options, orders[i].option)) {
            if (order >= 0)
                return error_fail(error, TM_INPUT, "--%s and --%s: expected one of them", orders[order].option,
                                  orders[i].option);
            order = i;
        }
    if (options_operand_count(options) > 0)
        return error_fail(error, TM_INPUT, "'%s': which order is it? expected --wld, --ldw or --ptnml before it",
                          options_operand(options, 0));
    if (order < 0)
        return error_fail(error, TM_INPUT, "no counts; expected --ptnml LL,LD,DD+WL,WD,WW, --wld W,L,D or --ldw L,D,W");
    *cells = orders[order].cells;
    return parse_counts(order, options_text(options, orders[order].option), count, error);
}

static void put_estimate(struct table *table, int column, struct estimate estimate)
{
    if (estimate.gap == STATS_DEFINED)
        table_real(table, column, estimate.value);
    else if (estimate.gap == STATS_PLUS_INFINITY || estimate.gap == STATS_MINUS_INFINITY)
        table_infinite(table, column, estimate.gap == STATS_PLUS_INFINITY, stats_gap_text(estimate.gap));
    else
        table_undefined(table, column, stats_gap_text(estimate.gap));
}

/* A table with its only row begun. */
static struct table *new_row(const struct table_column *column, int count, struct tm_error *error)
{
    struct table *table = table_new(column, count);
    if (table)
        table_row(table);
    else
        error_set(error, TM_INTERNAL, "out of memory for a table");
    return table;
}

/* Prints the only row, and the notes under it if people read. */
static bool finish(struct table *table, const struct options *options, const char *schema, const char *const *notes,
                   int note_count, struct tm_error *error)
{
    enum table_format format = (enum table_format)options_choice(options, "format");
    const struct table_frame frame = { .schema = schema, .notes = notes, .note_count = note_count };
    bool ok = table && table_print(table, format, &frame, stdout);
    for (int i = 0; ok && format == TABLE_TEXT && i < note_count; i++)
        printf("%s\n", notes[i]);
    table_free(table);
    return ok || error_fail(error, TM_INTERNAL, "the result could not be printed");
}

static bool tell_elo(const struct options *options, int *code, struct tm_error *error)
{
    static const struct table_column columns[] = {
        { .key = "unit" }, /* what a sample is */
        { "samples", "samples", "", TABLE_RIGHT, 0, false },
        { "score", "score", "", TABLE_RIGHT, 4, false },
        { "elo", "Elo", "", TABLE_RIGHT, 2, true },
        { "elo_lo", "95 % interval", "from", TABLE_RIGHT, 2, true },
        { "elo_hi", "95 % interval", "to", TABLE_RIGHT, 2, true },
        { "nelo", "nElo", "", TABLE_RIGHT, 2, true },
        { "nelo_half", "±", "", TABLE_RIGHT, 2, false },
        { "los", "LOS", "", TABLE_RIGHT, 4, false },
        { "draw_ratio", "draws", "", TABLE_RIGHT, 4, false },
        { "pairs_ratio", "won/lost pairs", "", TABLE_RIGHT, 3, false },
    };
    (void)code;
    int64_t count[5];
    int cells;
    if (!read_counts(options, count, &cells, error))
        return false;
    struct elo_stats stats = stats_elo(count, cells);
    struct table *table = new_row(columns, sizeof columns / sizeof *columns, error);
    if (!table)
        return false;
    table_text(table, 0, cells == 5 ? "pair" : "game");
    table_integer(table, 1, stats.samples);
    const struct estimate values[] = { stats.score, stats.elo, stats.elo_lo, stats.elo_hi, stats.nelo, stats.nelo_half,
                                       stats.los, stats.draw_ratio, stats.pairs_ratio };
    for (int i = 0; i < 9; i++)
        put_estimate(table, 2 + i, values[i]);
    const char *notes[3];
    int note_count = 0;
    char gap[160], bound[160];
    if (stats.elo_lo.gap != STATS_DEFINED && stats.elo_lo.gap != STATS_MINUS_INFINITY) {
        snprintf(gap, sizeof gap, "No interval: %s.", stats_gap_text(stats.elo_lo.gap));
        notes[note_count++] = gap;
    }
    struct estimate one_sided = stats_one_sided_elo(&stats);
    if (one_sided.gap == STATS_DEFINED) {
        bool lost = stats.elo.gap == STATS_MINUS_INFINITY;
        snprintf(bound, sizeof bound, "All were %s: Elo is %.0f or %s (one-sided 95 %% bound).", lost ? "lost" : "won",
                 one_sided.value, lost ? "less" : "more");
        notes[note_count++] = bound;
    }
    if (cells == 3)
        notes[note_count++] = "Counted as independent games; for games in colour-swapped pairs give --ptnml.";
    return finish(table, options, "tmsim.stats.elo/1", notes, note_count, error);
}

static bool tell_sprt(const struct options *options, int *code, struct tm_error *error)
{
    static const struct table_column columns[] = {
        { "model", "model", "", TABLE_LEFT, 0, false },     { "elo0", "elo0", "", TABLE_RIGHT, 2, false },
        { "elo1", "elo1", "", TABLE_RIGHT, 2, false },      { "llr", "LLR", "", TABLE_RIGHT, 4, false },
        { "lower", "lower", "", TABLE_RIGHT, 4, false },    { "upper", "upper", "", TABLE_RIGHT, 4, false },
        { "verdict", "verdict", "", TABLE_LEFT, 0, false },
    };
    static const char *const models[] = { "normalized", "logistic", "bayesian" };
    static const struct { const char *word; int exit_code; } verdicts[] = {
        [SPRT_CONTINUE] = { "continue", TM_UNDECIDED }, [SPRT_H0] = { "H0", TM_H0_ACCEPTED }, [SPRT_H1] = { "H1", TM_OK },
    };
    const struct sprt sprt = {
        .model = (enum sprt_model)options_choice(options, "model"), .elo0 = options_real(options, "elo0"),
        .elo1 = options_real(options, "elo1"), .alpha = options_real(options, "alpha"), .beta = options_real(options, "beta"),
    };
    int64_t count[5];
    int cells;
    double llr;
    if (!read_counts(options, count, &cells, error) || !sprt_check(&sprt, cells, error)
        || !sprt_llr(&sprt, count, cells, &llr, error))
        return false;
    enum sprt_verdict verdict = sprt_verdict(&sprt, llr);
    struct table *table = new_row(columns, sizeof columns / sizeof *columns, error);
    if (!table)
        return false;
    table_text(table, 0, models[sprt.model]);
    const double values[] = { sprt.elo0, sprt.elo1, llr, sprt_lower(&sprt), sprt_upper(&sprt) };
    for (int i = 0; i < 5; i++)
        table_real(table, 1 + i, values[i]);
    table_text(table, 6, verdicts[verdict].word);
    *code = verdicts[verdict].exit_code;
    return finish(table, options, "tmsim.stats.sprt/1", NULL, 0, error);
}

static bool tell_rare(const struct options *options, int *code, struct tm_error *error)
{
    static const struct table_column columns[] = {
        { "events", "events", "", TABLE_RIGHT, 0, false },  { "trials", "trials", "", TABLE_RIGHT, 0, false },
        { "rate", "rate", "", TABLE_RIGHT, 6, false },      { "lower", "95 % interval", "from", TABLE_RIGHT, 6, false },
        { "upper", "95 % interval", "to", TABLE_RIGHT, 6, false },
        { "upper_one_sided", "95 % bound", "", TABLE_RIGHT, 6, false },
    };
    (void)code;
    int64_t events = options_integer(options, "events"), trials = options_integer(options, "trials");
    if (events > trials)
        return error_fail(error, TM_INPUT, "--events %lld: expected at most as many as --trials %lld", (long long)events,
                          (long long)trials);
    struct interval two = stats_clopper_pearson(events, trials, 0.025), one = stats_clopper_pearson(events, trials, 0.05);
    struct table *table = new_row(columns, sizeof columns / sizeof *columns, error);
    if (!table)
        return false;
    table_integer(table, 0, events);
    table_integer(table, 1, trials);
    table_real(table, 2, (double)events / (double)trials);
    table_real(table, 3, two.lower);
    table_real(table, 4, two.upper);
    table_real(table, 5, one.upper);
    return finish(table, options, "tmsim.stats.rare/1", NULL, 0, error);
}

static bool tell_schedule(const struct options *options, int *code, struct tm_error *error)
{
    static const struct table_column columns[] = {
        { "rounds", "rounds", "", TABLE_RIGHT, 0, false },
        { "players", "players", "", TABLE_RIGHT, 0, false },
        { "pairings", "pairings", "", TABLE_RIGHT, 0, false },
        { "gcd", "gcd", "", TABLE_RIGHT, 0, false },
        { "distinct", "openings", "per pairing", TABLE_RIGHT, 0, false },
        { "games_per_opening", "games", "per opening", TABLE_RIGHT, 0, false },
    };
    int64_t rounds = options_integer(options, "rounds"), players = options_integer(options, "players");
    struct schedule schedule = stats_schedule(rounds, players);
    struct table *table = new_row(columns, sizeof columns / sizeof *columns, error);
    if (!table)
        return false;
    const int64_t values[] = { rounds, players, schedule.pairings, schedule.gcd, schedule.distinct,
                               schedule.games_per_opening };
    for (int i = 0; i < 6; i++)
        table_integer(table, i, values[i]);
    static const char *const notes[] = { "Void: pairings and rounds have a common divisor, so each pairing repeats its "
                                         "openings. One round more or less may cure it." };
    if (schedule.gcd > 1)
        *code = TM_VOID;
    return finish(table, options, "tmsim.stats.schedule/1", notes, schedule.gcd > 1, error);
}

static const struct option_spec elo_specs[] = { COUNT_ROWS, OPTION_ROW_FORMAT };

static const struct option_spec sprt_specs[] = {
    COUNT_ROWS,
    { .name = "elo0", .kind = OPTION_REAL, .required = true, .help = "hypothesis 0, in the model's Elo" },
    { .name = "elo1", .kind = OPTION_REAL, .required = true, .help = "hypothesis 1, above it" },
    { .name = "alpha", .kind = OPTION_REAL, .fallback = "0.05", .help = "probability of accepting H1 under H0" },
    { .name = "beta", .kind = OPTION_REAL, .fallback = "0.05", .help = "probability of accepting H0 under H1" },
    { .name = "model", .kind = OPTION_CHOICE, .argument = "normalized|logistic|bayesian", .fallback = "normalized",
      .help = "what elo0 and elo1 are; bayesian: of games, for comparison with older tests" },
    OPTION_ROW_FORMAT,
};

static const struct option_spec rare_specs[] = {
    { .name = "events", .kind = OPTION_INTEGER, .argument = "K", .required = true, .min = 0, .max = 1000000000,
      .help = "how often it happened" },
    { .name = "trials", .kind = OPTION_INTEGER, .argument = "N", .required = true, .min = 1, .max = 1000000000,
      .help = "in how many games" },
    OPTION_ROW_FORMAT,
};

static const struct option_spec schedule_specs[] = {
    { .name = "rounds", .kind = OPTION_INTEGER, .argument = "R", .required = true, .min = 1, .max = 1000000000,
      .help = "pairs of games in each pairing" },
    { .name = "players", .kind = OPTION_INTEGER, .argument = "E", .required = true, .min = 2, .max = 1000000,
      .help = "engines in the round robin" },
    OPTION_ROW_FORMAT,
};

#define ROWS(specs) .spec = specs, .count = sizeof specs / sizeof *specs

static const struct option_set elo_set = {
    "tmsim stats elo", "", "Elo with its 95 % interval, normalized Elo and likelihood of superiority from counts.",
    "tmsim stats elo --ptnml 34,54,63,64,75", ROWS(elo_specs), .max_operands = 1,
};

static const struct option_set sprt_set = {
    "tmsim stats sprt", "", "Exact sequential test of counts. Exit code 0: H1, 10: H0, 11: undecided.",
    "tmsim stats sprt --ptnml 34,54,63,64,75 --elo0 0 --elo1 5", ROWS(sprt_specs), .max_operands = 1,
};

static const struct option_set rare_set = {
    "tmsim stats rare", "", "Clopper-Pearson bounds for the probability of a rare event, such as a flag.",
    "tmsim stats rare --events 0 --trials 3000", ROWS(rare_specs),
};

static const struct option_set schedule_set = {
    "tmsim stats schedule", "", "How many distinct openings each pairing sees in a match runner's round robin. Exit code 4: it repeats some.",
    "tmsim stats schedule --rounds 151 --players 3", ROWS(schedule_specs),
};

static int run_elo(int argc, char **argv) { return command_run(&elo_set, argc, argv, tell_elo); }
static int run_sprt(int argc, char **argv) { return command_run(&sprt_set, argc, argv, tell_sprt); }
static int run_rare(int argc, char **argv) { return command_run(&rare_set, argc, argv, tell_rare); }
static int run_schedule(int argc, char **argv) { return command_run(&schedule_set, argc, argv, tell_schedule); }

int cmd_stats(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "elo", "Elo, normalized Elo and likelihood of superiority from counts", run_elo },
        { "sprt", "exact sequential test of counts", run_sprt },
        { "rare", "bounds for the probability of a rare event", run_rare },
        { "schedule", "distinct openings of each pairing in a match runner's round robin", run_schedule },
    };
    static const struct command_group group = { "stats", rows, sizeof rows / sizeof *rows,
                                                "tmsim stats elo --ptnml 34,54,63,64,75" };
    return command_group_run(&group, argc, argv);
}
