/* The parts of `tmsim engine`. */
#ifndef TMSIM_CMD_ENGINE_H
#define TMSIM_CMD_ENGINE_H

#include "tmsim/options.h"

extern const struct option_set engine_bench_set, engine_lockstep_set;

bool engine_bench(const struct options *options, struct tm_error *error);
bool engine_lockstep(const struct options *options, struct tm_error *error);

#endif
