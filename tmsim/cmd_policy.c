/* `tmsim policy`: one row a subcommand. */
#include <stdio.h>
#include <string.h>

#include "tmsim/commands.h"
#include "tmsim/policy_commands.h"
#include "vclock/suggest.h"

static const struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    { "list", "the policies there are", policy_list_command },
    { "show", "what a policy is: formula's source, unit, parameters, floor, hooks", policy_show_command },
    { "check", "try a policy on odd clocks; is it scale-free?", policy_check_command },
    { "eval", "the budget at one clock, and which branch won", policy_eval_command },
    { "verify", "compare with budgets that were recorded elsewhere", policy_verify_command },
    { "vectors", "record a policy's own budgets over a grid of clocks", policy_vectors_command },
    { "plot", "draw budgets against the clock, or a walk", policy_plot_command },
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static void print_help(FILE *stream)
{
    fputs("usage: tmsim policy SUBCOMMAND [options]\n\n", stream);
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        fprintf(stream, "  %-8s %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\nexample: tmsim policy eval oldtm --time 1.9s --inc 0s\n", stream);
}

int policy_run_subcommand(const struct option_set *set, int argc, char **argv, policy_subcommand *run)
{
    struct tm_error error = { 0 };
    int code = TM_OK;
    struct options *options = options_parse(set, argc, argv, &error);
    bool ok = options != NULL;
    if (ok && options_help_wanted(options))
        options_print_help(set, stdout);
    else if (ok)
        ok = run(options, &code, &error);
    if (!ok)
        fprintf(stderr, "tmsim: %s\n", error.message);
    options_free(options);
    return ok ? code : (int)error.code;
}

int cmd_policy(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return TM_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return TM_OK;
    }
    const char *names[SUBCOMMANDS];
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        names[i] = subcommands[i].name;
        if (strcmp(argv[1], names[i]) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    }
    char hint[64];
    fprintf(stderr, "tmsim: policy has no subcommand '%s'%s\n", argv[1],
            suggest_text(hint, sizeof hint, argv[1], names, SUBCOMMANDS));
    return TM_INPUT;
}
