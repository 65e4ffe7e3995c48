/* Spend models: what a search that nobody runs would report, and what the stop rule makes of it. */
#ifndef TMSIM_SPEND_MODEL_H
#define TMSIM_SPEND_MODEL_H

#include "tmsim/spend_trace.h"
#include "vclock/stop.h"

enum spend_kind {
    SPEND_LADDER, /* geometric iterations: the first lasts t1, each next one `growth` times as long */
    SPEND_SOFT,   /* an iteration ends exactly at soft */
    SPEND_HARD,   /* no iteration ends before the wall: the worst case */
    SPEND_TRACE,  /* each own move is a search drawn from recorded games, and goes on as a ladder where that ended */
    SPEND_KINDS
};

struct spend_model {
    enum spend_kind kind;
    double t1;       /* seconds */
    double growth;   /* above 1 */
    int events;      /* equal slices of an iteration, each of which ends with an event */
    const struct spend_trace *trace; /* SPEND_TRACE: borrowed */
};

enum { SPEND_MAX_EVENTS = 64 };

/* t1 = 2000 nodes at 23000 nodes/s, growth 2.5, 4 events: sunfish's own solver (tools/ctwin/tmsim.py, a8feb637). */
struct spend_model spend_default(void);

/* "ladder", "soft", "hard", "trace". */
const char *spend_name(enum spend_kind kind);

/* Nodes/s that policies in the unit "node" see in the solver: the rate behind the default t1. */
enum { SPEND_RATE = 23000 };

/* One move. `stop` has its game; it asks the policy for a budget and reads the events of the model. The verdict's
   spend is never negative, and at most the first nanosecond at which spend + overhead exceeds the clock.
   False: a policy fault, told in stop->error. */
bool spend_move(const struct spend_model *model, struct stop *stop, const struct clock_state *clock, tm_ns overhead,
                struct tm_verdict *verdict);

#endif
