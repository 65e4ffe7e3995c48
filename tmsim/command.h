/* What every command does at its start and at its end. Only commands print. */
#ifndef TMSIM_COMMAND_H
#define TMSIM_COMMAND_H

#include <stdatomic.h>

#include "tmsim/options.h"

/* Prints "tmsim: message" on stderr and gives the exit code of the error. */
int command_fail(const struct tm_error *error);

/* Parses the command's line. NULL: --help was printed, or the fault; *exit_code is then what to return.
   The caller frees the result by options_free. */
struct options *command_options(const struct option_set *set, int argc, char **argv, int *exit_code);

/* Parses, answers --help, and lets `run` do the work; returns the exit code: that of the error which it prints, else
   *code, TM_OK before. */
typedef bool command_action(const struct options *options, int *code, struct tm_error *error);
int command_run(const struct option_set *set, int argc, char **argv, command_action *run);

/* A command that has only subcommands. Each takes its own name as argv[0]. */
struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

struct command_group {
    const char *name;             /* "engine" */
    const struct subcommand *row;
    int count;
    const char *example;
};

/* Runs the one that argv[1] names, or shows which there are. */
int command_group_run(const struct command_group *group, int argc, char **argv);

/* From now on SIGINT and SIGTERM set the flag that is returned; a second one ends the program at once. */
const atomic_bool *command_catch_interrupts(void);

/* The option --concurrency, or one for each processor. */
int command_concurrency(const struct options *options);

#endif
