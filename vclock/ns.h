/* Time in whole nanoseconds: conversions, saturating arithmetic, durations as text. */
#ifndef VCLOCK_NS_H
#define VCLOCK_NS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vclock/error.h"

typedef int64_t tm_ns;

#define TM_NS_PER_S INT64_C(1000000000)
#define TM_NS_PER_MS INT64_C(1000000)
#define TM_NS_MAX INT64_MAX /* also stands for "no limit" */

/* value * ns_per_unit, rounded half away from zero, saturating at the ends of int64; NaN gives 0. */
tm_ns ns_from_units(double value, double ns_per_unit);

/* The exact sum where it fits, else the nearer end of int64. */
tm_ns ns_add(tm_ns a, tm_ns b);

static inline double ns_to_s(tm_ns t) { return (double)t / 1e9; }

/* Reads unsigned decimal seconds ("60", "0.6") from *text, moves *text past them.
   False if no number stands there, if it has more than 9 decimals, or exceeds 10^9 s. */
bool ns_scan_seconds(const char **text, tm_ns *out);

/* Reads a duration with its unit: 50ms, 0.3s, 20us, 7ns. A bare number is refused by a message that
   offers both readings. `what` names the option in messages. */
bool duration_parse(const char *what, const char *text, tm_ns *out, struct tm_error *error);

/* The shortest exact seconds: "0.05", "60", "-0.0003". `size` 32 suffices. Returns `buffer`. */
char *ns_print_seconds(char *buffer, size_t size, tm_ns t);

#endif
