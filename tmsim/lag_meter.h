/* What a machine takes from a game on a real clock: how late a thread of ours wakes that sleeps a millisecond at a time, and
   how long an engine's threads wait for a processor. */
#ifndef TMSIM_LAG_METER_H
#define TMSIM_LAG_METER_H

#include "vclock/error.h"
#include "vclock/ns.h"

struct lag_meter;

/* Starts the thread. NULL and `error` (TM_INTERNAL). The caller frees it by lag_meter_free; NULL is allowed there. */
struct lag_meter *lag_meter_new(struct tm_error *error);
void lag_meter_free(struct lag_meter *meter);

/* Begins a move of the process `pid`. */
void lag_meter_begin(struct lag_meter *meter, int pid);

/* The lag since then, in ns: the larger of our largest lateness and the time in which the process's threads were ready to
   run and had no processor, as the kernel counts it (schedstat; 0 where it does not). */
tm_ns lag_meter_end(struct lag_meter *meter, int pid);

#endif
