/* What every command does at its start and at its end. Only commands print. */
#ifndef TMSIM_COMMAND_H
#define TMSIM_COMMAND_H

#include "tmsim/options.h"

/* Prints "tmsim: message" on stderr and gives the exit code of the error. */
int command_fail(const struct tm_error *error);

/* Parses the command's line. NULL: --help was printed, or the fault; *exit_code is then what to return.
   The caller frees the result by options_free. */
struct options *command_options(const struct option_set *set, int argc, char **argv, int *exit_code);

#endif
