/* Virtual time: nodes at a fixed rate, in exact integer arithmetic (design, section 3, node cap). */
#ifndef VCLOCK_RATE_TIME_H
#define VCLOCK_RATE_TIME_H

#include "vclock/stop.h"

struct rate_time {
    int64_t rate;          /* whole nodes/s, at least 1 */
    int64_t poll;          /* hard is visible at multiples of this many nodes; 0: at every node */
    tm_ns clock, overhead; /* of this move: where the flag falls */
    tm_ns stall;           /* a pause before the first node that the engine's own clock shows: elapsed time, no nodes */
};

/* nodes * 10^9 / rate, rounded half up. */
tm_ns rate_elapsed(int64_t rate, int64_t nodes);

/* max(1, floor(hard * rate)); INT64_MAX where it does not fit. */
int64_t rate_cap(int64_t rate, tm_ns hard);

/* The first node count at which stall + elapsed + overhead exceeds the clock, at least 1. */
int64_t rate_flag_node(const struct rate_time *time);

/* The time source; `time` is borrowed and must outlive the move. */
struct tm_time rate_time_source(struct rate_time *time);

#endif
