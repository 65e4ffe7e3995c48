/* tmsim: one front door, one small function a command. */
#include <gsl/gsl_errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tmsim/commands.h"
#include "vclock/error.h"
#include "vclock/suggest.h"

static const struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    { "solve", "no games: walks, knees, parks and pathologies of policies", cmd_solve },
    { "policy", "list, show, check, evaluate, verify or plot policies", cmd_policy },
    { "vmatch", "virtual-clock games between policies, stored as they end", cmd_vmatch },
    { "rank", "order the policies in a store: Elo with intervals, flags, blind moves", cmd_rank },
    { "hammer", "does a policy ever lose on time, how close is it, what would it take", cmd_hammer },
    { "stats", "Elo, SPRT, rare events and schedules from counts, offline", cmd_stats },
    { "book", "build a book of balanced positions, or check one", cmd_book },
    { "replay", "a stored game again: bit-identical, or where it diverges", cmd_replay },
    { "store", "what a store holds; drop traces or runs from it", cmd_store },
    { "engine", "check a UCI engine before it is ranked; bench; lockstep of two", cmd_engine },
    { "profile", "measure, fit, show or check the node rate of an engine", cmd_profile },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("usage: tmsim COMMAND [options]\n\n"
          "Ranks chess time managers on a virtual clock: nodes searched are charged as time, nothing sleeps.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\nEach command explains itself: tmsim COMMAND --help\n"
          "example: tmsim vmatch pool oldtm --baseline smooth --tc 60+0 --overhead 50ms --rounds 20 --db games.db\n"
          "exit codes: 0 done, 1 internal error, 2 bad usage or input, 3 an engine failed, 4 void, 10 H0 accepted,\n"
          "            11 undecided, 20 safety failure\n",
          out);
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = suggest_nearest(name, names, COMMANDS);
    if (nearest)
        fprintf(stderr, "tmsim: unknown command '%s'; did you mean %s?\n", name, nearest);
    else
        fprintf(stderr, "tmsim: unknown command '%s'; see tmsim --help\n", name);
    return TM_INPUT;
}

/* A closed pipe ends the output, not the program: what was played must still be stored. */
static bool output_is_whole(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fputs("tmsim: standard output could not be written\n", stderr);
    return false;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    signal(SIGPIPE, SIG_IGN);
    gsl_set_error_handler_off();
    if (argc < 2) {
        print_help(stderr);
        return TM_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return TM_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("tmsim " ZEITNOT_VERSION);
        return TM_OK;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            const int code = commands[i].run(argc - 1, argv + 1);
            return output_is_whole() || code != TM_OK ? code : TM_INTERNAL;
        }
    return unknown_command(argv[1]);
}
