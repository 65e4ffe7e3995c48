/* The parts of `tmsim engine` that stand in files of their own. */
#ifndef TMSIM_CMD_ENGINE_H
#define TMSIM_CMD_ENGINE_H

int engine_bench_command(int argc, char **argv);
int engine_lockstep_command(int argc, char **argv);

#endif
