/* Node counts become times at the rate that the move was played with. */
#include "tmsim/spend_trace.h"

#include <stdlib.h>

#include "tmsim/draw.h"
#include "tmsim/store.h"
#include "vclock/rate_time.h"
#include "vclock/trace.h"

static bool append_event(struct spend_search *search, int *capacity, const struct tm_event *event)
{
    if (search->count == *capacity) {
        const int wanted = *capacity ? 2 * *capacity : 32;
        struct tm_event *grown = realloc(search->event, (size_t)wanted * sizeof *grown);
        if (!grown)
            return false;
        search->event = grown;
        *capacity = wanted;
    }
    search->event[search->count++] = *event;
    return true;
}

/* Polls and the end say nothing about the search. False: out of memory or damaged, told by `error`. */
static bool read_events(struct trace_reader *reader, int64_t rate, struct spend_search *search, bool *finished,
                        struct tm_error *error)
{
    struct tm_event event;
    tm_ns last = 0;
    int capacity = 0;
    *finished = false;
    while (trace_next(reader, &event)) {
        if (event.kind != TM_ITERATION && event.kind != TM_NEW_BEST && event.kind != TM_FAIL_LOW
            && event.kind != TM_FAIL_HIGH)
            continue;
        event.nodes = rate_elapsed(rate, event.nodes);
        event.best_nodes = rate_elapsed(rate, event.best_nodes);
        if (event.nodes < last)
            return error_fail(error, TM_INPUT, "an event stream of the store runs backwards");
        last = event.nodes;
        *finished |= event.kind == TM_ITERATION;
        if (!append_event(search, &capacity, &event))
            return error_fail(error, TM_INTERNAL, "out of memory");
    }
    return reader->at == reader->size || error_fail(error, TM_INPUT, "an event stream of the store is damaged");
}

static bool append_search(struct spend_trace *trace, const struct spend_search *search)
{
    if (trace->count == trace->capacity) {
        const int wanted = trace->capacity ? 2 * trace->capacity : 256;
        struct spend_search *grown = realloc(trace->search, (size_t)wanted * sizeof *grown);
        if (!grown)
            return false;
        trace->search = grown;
        trace->capacity = wanted;
    }
    trace->search[trace->count++] = *search;
    return true;
}

static bool take(void *ctx, int64_t rate, const void *bytes, size_t size, struct tm_error *error)
{
    struct spend_trace *trace = ctx;
    struct trace_reader reader = { .data = bytes, .size = size };
    struct spend_search search = { 0 };
    bool finished;
    bool ok = rate > 0 || error_fail(error, TM_INPUT, "a move of the store has no node rate");
    ok = ok && read_events(&reader, rate, &search, &finished, error);
    if (ok && finished) {
        if (append_search(trace, &search))
            return true;
        ok = error_fail(error, TM_INTERNAL, "out of memory");
    }
    free(search.event);
    return ok;
}

bool spend_trace_load(const char *path, struct spend_trace *out, struct tm_error *error)
{
    struct store *store;
    struct tm_error ignored;
    *out = (struct spend_trace){ .path = path };
    if (!store_open(path, true, &store, error))
        return false;
    const bool ok = store_read_traces(store, take, out, error);
    store_close(store, &ignored);
    return ok && (out->count > 0
                  || error_fail(error, TM_INPUT, "%s: no searches are recorded; play games with vmatch --trace stop",
                                path));
}

void spend_trace_clear(struct spend_trace *trace)
{
    for (int i = 0; i < trace->count; i++)
        free(trace->search[i].event);
    free(trace->search);
    *trace = (struct spend_trace){ 0 };
}

const struct spend_search *spend_trace_draw(const struct spend_trace *trace, int move)
{
    return &trace->search[draw_below(1, 0, move, DRAW_TRACE, (uint64_t)trace->count)];
}
