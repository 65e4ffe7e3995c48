/* The frame of a command: its options, its help, its last word. */
#include "tmsim/command.h"

int command_fail(const struct tm_error *error)
{
    fprintf(stderr, "tmsim: %s\n", error->message);
    return (int)error->code;
}

struct options *command_options(const struct option_set *set, int argc, char **argv, int *exit_code)
{
    struct tm_error error = { 0 };
    struct options *options = options_parse(set, argc, argv, &error);
    if (!options) {
        *exit_code = command_fail(&error);
        return NULL;
    }
    if (!options_help_wanted(options))
        return options;
    options_print_help(set, stdout);
    options_free(options);
    *exit_code = TM_OK;
    return NULL;
}
