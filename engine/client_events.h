/* What an engine printed during a search, as the events that the stop rule reads. */
#ifndef ENGINE_CLIENT_EVENTS_H
#define ENGINE_CLIENT_EVENTS_H

#include "engine/client_info.h"
#include "engine/position.h"

/* A line of the engine's first variation, merged with what earlier lines of the same depth said. */
struct client_row {
    int depth, score, mate, bound, share; /* share: per mille, -1: unknown */
    move_t move;
    int64_t nodes;
    bool has_nodes;
};

/* Starts as { 0 } with `position` set, for one search; freed by client_reports_clear. */
struct client_reports {
    const struct position *position;      /* borrowed: the root */
    struct client_row *row;
    int count, capacity;
    struct client_row now;                /* what is known of the running depth */
    bool has_score, failed;               /* failed: out of memory */
    bool multipv, bounds, shares, repeats; /* seen: several variations, failed windows, shares, new best moves */
    int illegal;                          /* variations whose first move is not legal here */
};

/* A client_reporter; `ctx` is the reports. */
void client_reports_add(void *ctx, const struct client_info *info);
void client_reports_clear(struct client_reports *reports);

/* Writes the events in order, at most `capacity`, and returns their number; `capacity` client_reports.count suffices.
   An iteration has finished at the first exact line of its depth after which none of that depth says otherwise;
   exact lines before it are new best moves. Lines at `cap` nodes or more end no iteration: engines print one for an
   unfinished depth as they stop. `known` is what this engine can tell. */
int client_reports_events(const struct client_reports *reports, int64_t cap, uint32_t known, int legal,
                          struct tm_event *event, int capacity);

#endif
