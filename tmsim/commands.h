/* The commands of tmsim. Each takes its own name as argv[0], prints, and returns the exit code. */
#ifndef TMSIM_COMMANDS_H
#define TMSIM_COMMANDS_H

int cmd_vmatch(int argc, char **argv);
int cmd_rank(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_hammer(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_book(int argc, char **argv);
int cmd_engine(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_solve(int argc, char **argv);
int cmd_policy(int argc, char **argv);

#endif
