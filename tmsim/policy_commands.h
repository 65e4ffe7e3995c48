/* The subcommands of `tmsim policy`; each takes its own name as argv[0] and returns the exit code. */
#ifndef TMSIM_POLICY_COMMANDS_H
#define TMSIM_POLICY_COMMANDS_H

#include "tmsim/policy_operand.h"

int policy_list_command(int argc, char **argv);
int policy_show_command(int argc, char **argv);
int policy_check_command(int argc, char **argv);
int policy_eval_command(int argc, char **argv);
int policy_verify_command(int argc, char **argv);
int policy_vectors_command(int argc, char **argv);
int policy_plot_command(int argc, char **argv);

#endif
