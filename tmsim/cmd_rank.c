/* `tmsim rank`: the ranking of a store that is there already. */
#include <stdlib.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/rank_internal.h"
#include "tmsim/seen.h"

static const struct option_spec specs[] = {
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the store" },
    { .name = "baseline", .kind = OPTION_TEXT, .argument = "POLICY",
      .help = "Elo is shown against this policy, \"smooth\" or \"smooth@a1b2\"; without it against the baseline of the "
              "last vmatch, or the pool of the others" },
    { .name = "run", .kind = OPTION_TEXT, .argument = "KEY", .help = "only the runs whose key begins so" },
    { .name = "gates", .kind = OPTION_FLAG, .help = "show the checks that each run passed or failed instead" },
    { .name = "pathologies", .kind = OPTION_FLAG, .help = "show what the solver and the games found wrong instead" },
    { .name = "cross-check", .kind = OPTION_FLAG, .help = "show what the solver predicts beside what the games did "
                                                          "instead" },
    OPTION_ROW_FORMAT,
};

static const struct option_set set = {
    .command = "tmsim rank", .operands = "",
    .summary = "Orders the policies of a store: Elo with intervals from pairs, flags, blind moves, clocks. Each run "
               "(time\n"
               "control, profile, engine, …) is a block of its own.",
    .example = "tmsim rank --db demo.db --baseline smooth", .spec = specs, .count = sizeof specs / sizeof *specs,
};

typedef bool seen_printer(struct store *store, const int64_t *run, int count, enum table_format format, FILE *stream,
                          struct tm_error *error);

static bool print_seen(const struct options *options, struct store *store, const struct rank_options *rank,
                       seen_printer *printer, struct tm_error *error)
{
    int64_t *run = NULL;
    int count = 0;
    const bool pathologies = options_flag(options, "pathologies");
    /* The solver's pathologies need no game. */
    bool ok = rank_choose_runs(store, rank, &run, &count, error) || (pathologies && !rank->run_prefix && count == 0);
    ok = ok && printer(store, run, count, rank->format, stdout, error);
    free(run);
    return ok;
}

int cmd_rank(int argc, char **argv)
{
    int exit_code;
    struct options *options = command_options(&set, argc, argv, &exit_code);
    if (!options)
        return exit_code;
    const struct rank_options rank = {
        .format = (enum table_format)options_choice(options, "format"), .store_name = options_text(options, "db"),
        .baseline = options_text(options, "baseline"), .run_prefix = options_text(options, "run"),
    };
    struct tm_error error = { 0 };
    struct store *store;
    bool is_void = false;
    bool ok = store_open(options_text(options, "db"), true, &store, &error)
              && (options_flag(options, "pathologies")
                  ? print_seen(options, store, &rank, seen_print_pathologies, &error)
                  : options_flag(options, "cross-check") ? print_seen(options, store, &rank, seen_cross_check, &error)
                  : options_flag(options, "gates")       ? rank_print_gates(store, &rank, stdout, &is_void, &error)
                                                         : rank_print(store, &rank, stdout, &is_void, &error));
    store_close(store, NULL);
    options_free(options);
    return !ok ? command_fail(&error) : is_void ? TM_VOID : TM_OK;
}
