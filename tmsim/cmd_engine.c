/* `tmsim engine check | bench | lockstep`. */
#include "tmsim/cmd_engine.h"

#include <string.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/engine_check.h"
#include "tmsim/engine_spec.h"
#include "tmsim/table.h"

static const struct option_spec check_specs[] = {
    { .name = "node-clock", .kind = OPTION_FLAG,
      .help = "also prove its VirtualNps: same clock, same nodes; doubled rate, doubled nodes; ms stay ms" },
    { .name = "quick", .kind = OPTION_FLAG, .help = "the short form that vmatch runs before a match" },
    OPTION_ROW_FORMAT,
};

static const struct option_set check_set = {
    .command = "tmsim engine check",
    .operands = "CMD",
    .summary = "May this UCI engine be ranked on a virtual clock? Node limits, determinism, reset, moves, signals.\n"
               "CMD is a program with its arguments, or cmd=…,option.Hash=16,… as in vmatch --engine.\n"
               "Exit 0: it may; 4: a check failed; 3: the engine itself failed.",
    .example = "tmsim engine check 'cmd=stockfish,option.Use NNUE=false' --node-clock",
    .spec = check_specs,
    .count = sizeof check_specs / sizeof *check_specs,
    .min_operands = 1,
    .max_operands = 1,
};

static const struct table_column check_columns[] = {
    { .key = "check", .head = "check" },
    { .key = "verdict", .head = "verdict" },
    { .key = "found", .head = "found" },
    { .key = "meaning" }, /* people read it below the table */
};

enum { COLUMN_CHECK, COLUMN_VERDICT, COLUMN_FOUND, COLUMN_MEANING, COLUMNS };

static const char *const answers[FINDING_VERDICTS] = {
    [FINDING_PASS] = "may be ranked", [FINDING_NOTE] = "may be ranked", [FINDING_WARN] = "may be ranked, with the warnings above",
    [FINDING_FAIL] = "must not be ranked",
};

static void print_meanings(const struct engine_check *check, const char *verdict)
{
    putchar('\n');
    for (int i = 0; i < check->count; i++)
        if (*check->finding[i].meaning)
            printf("%-8s %s: %s\n", finding_verdict_name(check->finding[i].verdict), check->finding[i].check,
                   check->finding[i].meaning);
    puts(verdict);
}

static bool print_check(const struct engine_check *check, enum table_format format, bool whole, struct tm_error *error)
{
    char verdict[320];
    struct table *table = table_new(check_columns, COLUMNS);
    for (int i = 0; table && i < check->count; i++) {
        const struct finding *finding = &check->finding[i];
        table_row(table);
        table_text(table, COLUMN_CHECK, finding->check);
        table_text(table, COLUMN_VERDICT, finding_verdict_name(finding->verdict));
        table_text(table, COLUMN_FOUND, finding->found);
        table_text(table, COLUMN_MEANING, finding->meaning);
    }
    snprintf(verdict, sizeof verdict, "%s %s.", *check->name ? check->name : "The engine",
             whole ? answers[engine_check_verdict(check)] : "failed");
    const char *const notes[] = { verdict };
    const struct table_frame frame = { .schema = "tmsim.engine-check/1", .notes = notes, .note_count = 1 };
    const bool ok = table && table_print(table, format, &frame, stdout);
    if (ok && format == TABLE_TEXT)
        print_meanings(check, verdict);
    table_free(table);
    return ok || error_fail(error, TM_INTERNAL, "the table cannot be printed");
}

static bool check(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct engine_check found;
    struct tm_error fault = { 0 };
    struct engine_spec *spec = engine_spec_operand(options_operand(options, 0), error);
    if (!spec)
        return false;
    const struct engine_check_options wanted = { .quick = options_flag(options, "quick"),
                                                 .node_clock = options_flag(options, "node-clock") };
    const bool sound = engine_check_run(&spec->client, &wanted, &found, &fault);
    engine_spec_free(spec);
    if (sound || found.count) {
        const enum table_format format = (enum table_format)options_choice(options, "format");
        if (!print_check(&found, format, sound, error))
            return false;
    }
    if (!sound) {
        *error = fault;
        return false;
    }
    return engine_check_verdict(&found) < FINDING_FAIL ||
           error_fail(error, TM_VOID, "%s failed its check", *found.name ? found.name : "the engine");
}

static int run_check(int argc, char **argv) { return command_run(&check_set, argc, argv, check); }

int cmd_engine(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "check", "may this engine be ranked?", run_check },
        { "bench", "nodes and nodes/s on fixed positions", engine_bench_command },
        { "lockstep", "do two engines search the same?", engine_lockstep_command },
    };
    static const struct command_group group = { "engine", rows, sizeof rows / sizeof *rows, "tmsim engine check stockfish" };
    return command_group_run(&group, argc, argv);
}
