/* `tmsim policy`: one row a subcommand. */
#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/policy_commands.h"

int cmd_policy(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "list", "the policies there are", policy_list_command },
        { "show", "what a policy is: formula's source, unit, parameters, floor, hooks", policy_show_command },
        { "check", "try a policy on odd clocks; is it scale-free?", policy_check_command },
        { "eval", "the budget at one clock, and which branch won", policy_eval_command },
        { "verify", "compare with budgets that were recorded elsewhere", policy_verify_command },
        { "vectors", "record a policy's own budgets over a grid of clocks", policy_vectors_command },
        { "plot", "draw budgets against the clock, or a walk", policy_plot_command },
    };
    static const struct command_group group = { "policy", rows, sizeof rows / sizeof *rows,
                                                "tmsim policy eval oldtm --time 1.9s --inc 0s" };
    return command_group_run(&group, argc, argv);
}
