/* `tmsim rank`: the ranking of a store that is there already. */
#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/rank.h"

static const struct option_spec specs[] = {
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the store" },
    { .name = "baseline", .kind = OPTION_TEXT, .argument = "POLICY",
      .help = "Elo is shown against this policy, \"smooth\" or \"smooth@a1b2\"; without it against the baseline of the "
              "last vmatch, or the pool of the others" },
    { .name = "run", .kind = OPTION_TEXT, .argument = "KEY", .help = "only the runs whose key begins so" },
    { .name = "gates", .kind = OPTION_FLAG, .help = "show the checks that each run passed or failed instead" },
    OPTION_ROW_FORMAT,
};

static const struct option_set set = {
    .command = "tmsim rank", .operands = "",
    .summary = "Orders the policies of a store: Elo with intervals from pairs, flags, blind moves, clocks. Each run (time\n"
               "control, profile, engine, …) is a block of its own.",
    .example = "tmsim rank --db demo.db --baseline smooth", .spec = specs, .count = sizeof specs / sizeof *specs,
};

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
              && (options_flag(options, "gates") ? rank_print_gates : rank_print)(store, &rank, stdout, &is_void, &error);
    store_close(store, NULL);
    options_free(options);
    return !ok ? command_fail(&error) : is_void ? TM_VOID : TM_OK;
}
