/* A compact stream of events: what the store keeps of a search, and what replay feeds back to the stop rule. */
#ifndef VCLOCK_TRACE_H
#define VCLOCK_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "vclock/event.h"

/* Starts as { 0 }; freed by trace_clear. */
struct trace {
    uint8_t *data;
    size_t size, capacity;
    int64_t last_nodes, last_best_nodes; /* nodes are stored as differences */
    int last_legal;
    uint32_t last_known;
};

/* Appends an event. False: out of memory, the trace is unchanged. */
bool trace_append(struct trace *trace, const struct tm_event *event);

void trace_clear(struct trace *trace);

/* Reads events in their order from `size` bytes at `data`; starts with { .data, .size }. */
struct trace_reader {
    const uint8_t *data;
    size_t size, at;
    struct tm_event last;
};

/* The next event, or false at the end or where the bytes are damaged (then at < size). */
bool trace_next(struct trace_reader *reader, struct tm_event *event);

#endif
