/* The frame of a command: its options, its help, its last word. */
#include "tmsim/command.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "vclock/suggest.h"

enum { GROUP_MOST = 16, CONCURRENCY_MOST = 512 };

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

int command_run(const struct option_set *set, int argc, char **argv, command_action *run)
{
    struct tm_error error = { 0 };
    int code = TM_OK;
    struct options *options = command_options(set, argc, argv, &code);
    if (!options)
        return code;
    if (!run(options, &code, &error))
        code = command_fail(&error);
    options_free(options);
    return code;
}

/* ---- groups ---- */

static void print_group(const struct command_group *group, FILE *stream)
{
    fprintf(stream, "usage: tmsim %s SUBCOMMAND [options]\n\n", group->name);
    for (int i = 0; i < group->count; i++)
        fprintf(stream, "  %-9s %s\n", group->row[i].name, group->row[i].summary);
    fprintf(stream, "\nEach explains itself: tmsim %s %s --help\nexample: %s\n", group->name, group->row[0].name, group->example);
}

/* "check, bench or lockstep" */
static void list_names(const struct command_group *group, char *out, size_t size)
{
    *out = '\0';
    for (int i = 0; i < group->count; i++) {
        const size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", i == 0 ? "" : i + 1 < group->count ? ", " : " or ", group->row[i].name);
    }
}

static int unknown_subcommand(const struct command_group *group, const char *found)
{
    const char *names[GROUP_MOST];
    char list[200], near[64] = "";
    list_names(group, list, sizeof list);
    for (int i = 0; i < group->count && i < GROUP_MOST; i++)
        names[i] = group->row[i].name;
    const size_t count = (size_t)(group->count < GROUP_MOST ? group->count : GROUP_MOST);
    fprintf(stderr, "tmsim: %s: expected %s, found '%s'%s\n", group->name, list, found ? found : "the end",
            found ? suggest_text(near, sizeof near, found, names, count) : "");
    return TM_INPUT;
}

int command_group_run(const struct command_group *group, int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < group->count; i++)
        if (strcmp(argv[1], group->row[i].name) == 0)
            return group->row[i].run(argc - 1, argv + 1);
    if (argc < 2 || (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0))
        return unknown_subcommand(group, argc > 1 ? argv[1] : NULL);
    print_group(group, stdout);
    return TM_OK;
}

/* ---- long commands ---- */

static atomic_bool interrupted; /* a signal handler has no other way to tell */

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

/* SA_RESETHAND restores the default for the second one. */
const atomic_bool *command_catch_interrupts(void)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

int command_concurrency(const struct options *options)
{
    if (options_given(options, "concurrency"))
        return (int)options_integer(options, "concurrency");
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > CONCURRENCY_MOST ? CONCURRENCY_MOST : (int)processors;
}
