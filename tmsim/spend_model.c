/* The time source is the identity: nodes are nanoseconds. The events go through the real stop rule, so the solver has
   no reading of a limit of its own. Iterations are numbered from 2: at depth 1 no event is read, and the model's first
   iteration stands for everything up to the first that costs something. */
#include "tmsim/spend_model.h"

#include <math.h>

enum {
    FIRST_DEPTH = 2,
    LAST_DEPTH = 245, /* as deep as engines count; then the search is exhausted */
    READINGS = 4096   /* of one move: guess; far above 244 iterations of 4 events */
};

static const char *const names[SPEND_KINDS] = { [SPEND_LADDER] = "ladder", [SPEND_SOFT] = "soft", [SPEND_HARD] = "hard",
                                                [SPEND_TRACE] = "trace" };

const char *spend_name(enum spend_kind kind) { return names[kind]; }

struct spend_model spend_default(void)
{
    return (struct spend_model){ .kind = SPEND_LADDER, .t1 = 2000.0 / 23000, .growth = 2.5, .events = 4 };
}

/* ---- the time source ---- */

static tm_ns identity(void *ctx, int64_t nodes)
{
    (void)ctx;
    return nodes;
}

/* The wall, or the flag if it comes first. */
static int64_t wall_or_flag(void *ctx, tm_ns hard, int64_t nodes)
{
    const tm_ns *flag = ctx;
    const tm_ns wall = hard < *flag ? hard : *flag;
    (void)nodes;
    return wall > 0 ? wall : 0;
}

/* ---- the streams ---- */

struct stream {
    const struct spend_model *model;
    int depth, slice;      /* of the last event */
    double started, ended; /* of the running iteration, seconds */
    double lasts;
    const struct spend_search *search; /* SPEND_TRACE */
    int read;                          /* of its events */
};

static struct tm_event event_at(enum tm_event_kind kind, int depth, tm_ns at, int legal)
{
    /* One move is best throughout, at an even score, with half of the nodes: a quiet position (guess). */
    return (struct tm_event){ .kind = kind, .move = 1, .depth = depth, .legal = legal, .nodes = at,
                              .best_nodes = at / 2, .known = TM_KNOWS_ALL };
}

/* Only policies that read every event are shown the slices within an iteration: nobody else would look. */
static struct tm_event next_rung(struct stream *s, bool slices, int legal)
{
    const int events = s->model->events;
    if (s->depth == 0 || s->slice == events) {
        s->depth = s->depth ? s->depth + 1 : FIRST_DEPTH;
        s->lasts = s->depth == FIRST_DEPTH ? s->model->t1 : s->lasts * s->model->growth;
        s->started = s->ended;
        s->ended = s->started + s->lasts;
        s->slice = 0;
    }
    s->slice = slices ? s->slice + 1 : events;
    if (s->slice == events)
        return event_at(s->depth > LAST_DEPTH ? TM_END : TM_ITERATION, s->depth, ns_from_units(s->ended, 1e9), legal);
    return event_at(TM_NEW_BEST, s->depth, ns_from_units(s->started + s->lasts * s->slice / events, 1e9), legal);
}

/* An iteration that ends where soft stands now. A `limit` may move it further each time. */
static struct tm_event next_at_soft(struct stream *s, const struct stop *stop, int legal)
{
    const tm_ns soft = stop_soft(stop);
    s->depth = s->depth ? s->depth + 1 : FIRST_DEPTH;
    return event_at(TM_ITERATION, s->depth, soft > 0 ? soft : 0, legal);
}

/* What was recorded; from its end on, each iteration lasts longer than the last recorded one by the model's growth. */
static struct tm_event next_recorded(struct stream *s, bool slices, int legal)
{
    while (s->read < s->search->count) {
        const struct tm_event *event = &s->search->event[s->read++];
        const double at = ns_to_s(event->nodes);
        s->depth = event->depth;
        s->ended = at;
        s->slice = s->model->events;
        if (event->kind == TM_ITERATION) {
            s->lasts = at - s->started;
            s->started = at;
        }
        if (slices || event->kind == TM_ITERATION)
            return *event;
    }
    if (!(s->lasts > 0))
        s->lasts = s->model->t1;
    return next_rung(s, slices, legal);
}

static struct tm_event next_event(struct stream *s, const struct stop *stop, int64_t wall, int legal)
{
    struct tm_event event = event_at(TM_POLL, s->depth, wall, legal);
    if (s->model->kind == SPEND_LADDER)
        event = next_rung(s, stop->info->stop_at_event, legal);
    else if (s->model->kind == SPEND_TRACE)
        event = next_recorded(s, stop->info->stop_at_event, legal);
    else if (s->model->kind == SPEND_SOFT && s->depth < LAST_DEPTH)
        event = next_at_soft(s, stop, legal);
    return event.nodes > wall ? event_at(TM_POLL, s->depth, wall, legal) : event;
}

bool spend_move(const struct spend_model *model, struct stop *stop, const struct clock_state *clock, tm_ns overhead,
                struct tm_verdict *verdict)
{
    tm_ns flag = clock->time - overhead;
    flag = flag < 0 ? 0 : flag < TM_NS_MAX ? flag + 1 : flag;
    const struct tm_time time = { .ctx = &flag, .elapsed = identity, .next_poll = wall_or_flag };
    struct stream stream = { .model = model };
    if (model->kind == SPEND_TRACE)
        stream.search = spend_trace_draw(model->trace, clock->moves);
    *verdict = stop_begin(stop, clock, time, false);
    for (int i = 0; !verdict->stop && i < READINGS; i++) {
        const struct tm_event event = next_event(&stream, stop, verdict->next_poll, clock->legal);
        *verdict = stop_read(stop, &event);
    }
    return verdict->stop && verdict->reason != TM_POLICY_FAULT;
}
