/* The commands of tmsim. argv[0] is the command's own name; each prints its results and gives the exit code. */
#ifndef TMSIM_COMMANDS_H
#define TMSIM_COMMANDS_H

int cmd_stats(int argc, char **argv);
int cmd_rank(int argc, char **argv);

#endif
