/* `tmsim policy plot`. */
#include <stdlib.h>

#include "tmsim/command.h"
#include "tmsim/policy_commands.h"
#include "tmsim/policy_plot.h"

static const struct option_spec specs[] = {
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0", .help = "time control" },
    { .name = "overhead", .kind = OPTION_DURATION, .fallback = "50ms", .help = "charged on top of every move" },
    { .name = "walk", .kind = OPTION_FLAG, .help = "clock and spend per move of a walk, instead of budgets against the clock" },
    { .name = "moves", .kind = OPTION_INTEGER, .argument = "N", .fallback = "80", .min = 1, .max = 2000,
      .help = "own moves of the walk" },
    { .name = "spend", .kind = OPTION_CHOICE, .argument = "ladder|soft|hard", .fallback = "ladder",
      .help = "what a search of the walk spends" },
    { .name = "log", .kind = OPTION_FLAG, .help = "logarithmic axes" },
    { .name = "out", .kind = OPTION_TEXT, .argument = "FILE", .help = "FILE.svg or FILE.png" },
    { .name = "term", .kind = OPTION_FLAG, .help = "draw it in the terminal; this is the default without --out" },
    OPTION_ROW_EXPR,
};

static const struct option_set set = {
    .command = "tmsim policy plot", .operands = "POLICY…",
    .summary = "Draws budgets against the clock, several policies over each other, with their knees; or a walk.",
    .example = "tmsim policy plot pool oldtm --tc 60+0.1 --log --out budgets.svg", .spec = specs,
    .count = sizeof specs / sizeof *specs, .max_operands = OPERANDS_MAX,
};

static bool draw(const struct options *options, const struct policy_operands *operands, struct tm_error *error)
{
    struct cell_setup *setup = calloc((size_t)operands->count, sizeof *setup);
    const char *label[OPERANDS_MAX];
    if (!setup)
        return error_fail(error, TM_INTERNAL, "out of memory");
    for (int i = 0; i < operands->count; i++) {
        setup[i] = cell_defaults(operands->item[i].policy, options_tc_at(options, "tc", 0),
                                 options_duration(options, "overhead"));
        setup[i].moves = (int)options_integer(options, "moves");
        setup[i].model.kind = (enum spend_kind)options_choice(options, "spend");
        label[i] = operands->item[i].spec;
    }
    const struct plot plot = {
        .subject = options_flag(options, "walk") ? PLOT_WALK : PLOT_BUDGET,
        .logarithmic = options_flag(options, "log"),
        .out = options_text(options, "out"),
        .count = operands->count, .setup = setup, .label = label,
    };
    bool ok = plot_draw(&plot, error);
    if (ok && plot.out && options_flag(options, "term")) {
        struct plot text = plot;
        text.out = NULL;
        ok = plot_draw(&text, error);
    }
    free(setup);
    return ok;
}

static bool plot_policies(const struct options *options, int *code, struct tm_error *error)
{
    struct policy_operands operands = { 0 };
    (void)code;
    const bool ok = operands_load(options, 0, &operands, error) && draw(options, &operands, error);
    operands_clear(&operands);
    return ok;
}

int policy_plot_command(int argc, char **argv) { return command_run(&set, argc, argv, plot_policies); }
