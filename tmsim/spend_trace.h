/* Searches recorded in a store, for the spend model `trace`. */
#ifndef TMSIM_SPEND_TRACE_H
#define TMSIM_SPEND_TRACE_H

#include "vclock/event.h"
#include "vclock/ns.h"

/* One search: its events in their order; `nodes` are nanoseconds of the modelled player. */
struct spend_search {
    int count;
    struct tm_event *event;
};

struct spend_trace {
    const char *path; /* as it was given; borrowed */
    int count, capacity;
    struct spend_search *search;
};

/* Reads all searches that `vmatch --trace stop` kept in the store and in which an iteration has ended. False
   (TM_INPUT): the file is no store, has no such search, or an event stream in it is damaged. Freed by
   spend_trace_clear, also after a failure. */
bool spend_trace_load(const char *path, struct spend_trace *out, struct tm_error *error);
void spend_trace_clear(struct spend_trace *trace);

/* The search that own move `move` draws; the same for all policies, controls and overheads. */
const struct spend_search *spend_trace_draw(const struct spend_trace *trace, int move);

#endif
