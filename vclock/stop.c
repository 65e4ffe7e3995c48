/* The stop rule. Simulator, live engine, foreign engines, solver and replay all feed it events and obey its verdicts;
   they differ only in the time source. So there is no second reading of a limit that could drift from this one. */
#include "vclock/stop.h"

#include <string.h>

static const char *const reason_names[TM_REASON_COUNT] = {
    [TM_REASON_NONE] = "",          [TM_SOFT] = "soft",     [TM_HARD] = "hard",
    [TM_EXHAUSTED] = "exhausted",   [TM_NATIVE] = "native", [TM_SINGLE_REPLY] = "single_reply",
    [TM_GIVEN] = "given",           [TM_STOPPED] = "stopped",
    [TM_POLICY_FAULT] = "policy_fault",
};

const char *stop_reason_name(enum tm_stop_reason reason) { return reason_names[reason]; }

void stop_new_game(struct stop *stop, struct policy_game *policy, const struct policy_info *info)
{
    *stop = (struct stop){ .policy = policy, .info = info };
}

/* ---- signals: what the events add up to ---- */

static void forget_last_search(struct stop *stop)
{
    stop->signals = (struct signals){
        .scores = stop->scores,
        .has_prev_move_score = stop->has_last_score,
        .prev_move_score = stop->last_score,
    };
    stop->finished = stop->running = stop->current = 0;
    stop->finished_depth = 0;
    stop->finished_at = 0;
    stop->iteration_open = stop->latched = false;
}

static void open_iteration(struct stop *stop)
{
    struct signals *s = &stop->signals;
    const int kept = s->score_count < STOP_SCORES ? s->score_count : STOP_SCORES - 1;
    memmove(stop->scores + 1, stop->scores, (size_t)kept * sizeof *stop->scores);
    stop->scores[0] = kept ? stop->scores[1] : 0;
    s->score_count = kept + 1;
    s->iteration_start = stop->finished_at;
    s->prev_mate = s->mate;
    s->fail_low = s->fail_high = s->changes = 0;
    s->changed = false;
    stop->running = 0;
    stop->iteration_open = true;
}

static void note_score(struct stop *stop, const struct tm_event *event)
{
    struct signals *s = &stop->signals;
    if (!(event->known & TM_KNOWS_SCORE))
        return;
    stop->scores[0] = s->score = event->score;
    s->mate = event->mate;
    s->prev_score = s->score_count > 1 ? stop->scores[1] : event->score;
    s->drop = s->prev_score - s->score;
}

static void note_best_move(struct stop *stop, const struct tm_event *event)
{
    struct signals *s = &stop->signals;
    if (!event->move)
        return;
    if (stop->current && event->move != stop->current)
        s->changes++;
    stop->current = event->move;
    s->changed = stop->finished && event->move != stop->finished;
}

static void note_finished(struct stop *stop, const struct tm_event *event)
{
    struct signals *s = &stop->signals;
    if (s->changed || !stop->finished) {
        s->stable = 0;
        s->last_change = event->depth;
    } else {
        s->stable++;
    }
    stop->finished = event->move;
    stop->finished_depth = event->depth;
    stop->finished_score = s->score;
    stop->finished_at = s->elapsed;
    stop->running = 0;
    stop->iteration_open = false;
}

static void note_nodes(struct stop *stop, const struct tm_event *event)
{
    struct signals *s = &stop->signals;
    s->elapsed = stop->time.elapsed(stop->time.ctx, event->nodes);
    s->nodes = event->nodes;
    s->known = event->known;
    if (event->known & TM_KNOWS_LEGAL)
        s->legal = event->legal;
    if (event->known & TM_KNOWS_BEST_NODES)
        s->share = event->nodes > 0 ? (double)event->best_nodes / (double)event->nodes : 0;
}

static bool says_something(enum tm_event_kind kind)
{
    return kind == TM_ITERATION || kind == TM_FAIL_LOW || kind == TM_FAIL_HIGH || kind == TM_NEW_BEST;
}

/* Takes one event into the signals. An unfinished iteration opens at its first event. */
static void take_event(struct stop *stop, const struct tm_event *event)
{
    struct signals *s = &stop->signals;
    if (says_something(event->kind) && !stop->iteration_open)
        open_iteration(stop);
    note_nodes(stop, event);
    if (!says_something(event->kind))
        return;
    s->depth = event->depth;
    note_score(stop, event);
    switch (event->kind) {
    case TM_FAIL_LOW:
        s->fail_low++;
        break;
    case TM_FAIL_HIGH:
        s->fail_high++;
        break;
    case TM_NEW_BEST:
        note_best_move(stop, event);
        stop->running = event->move;
        break;
    default:
        note_best_move(stop, event);
        note_finished(stop, event);
    }
}

/* ---- verdicts ---- */

static struct tm_verdict go_on(const struct stop *stop) { return (struct tm_verdict){ .next_poll = stop->wall }; }

/* What is played if the search ends at this event (design, section 3, move played). */
static struct tm_verdict end_with(const struct stop *stop, const struct tm_event *event, enum tm_stop_reason reason)
{
    struct tm_verdict verdict = {
        .stop = true,
        .reason = reason,
        .spend = stop->signals.elapsed,
        .next_poll = event->nodes,
        .fallback = !stop->finished && event->move,
    };
    const bool keeps = stop->info && stop->info->abort_keeps_finished;
    if (stop->running && !(keeps && stop->finished))
        verdict.move = stop->running;
    else
        verdict.move = stop->finished ? stop->finished : event->move;
    return verdict;
}

static bool limits_are_read(const struct stop *stop)
{
    return !stop->info || stop->finished_depth >= stop->info->min_depth;
}

static void look_up_wall(struct stop *stop, int64_t nodes)
{
    const tm_ns hard = limits_are_read(stop) ? stop->hard : TM_NS_MAX;
    stop->wall = stop->time.next_poll(stop->time.ctx, hard, nodes);
}

/* "Event" policies read at each event past depth 1; polls are no events, or a live clock would read more often. */
static bool is_reading(const struct stop *stop, const struct tm_event *event)
{
    if (!limits_are_read(stop))
        return false;
    if (stop->info && stop->info->stop_at_event)
        return says_something(event->kind) && event->depth > 1;
    return event->kind == TM_ITERATION;
}

/* Lets the policy move its limits at this reading. False: it faulted. */
static bool apply_limit_hook(struct stop *stop)
{
    if (!stop->info || !stop->info->has_limit)
        return true;
    tm_ns soft, hard;
    bool hard_given;
    if (!policy_limit(stop->policy, &stop->signals, &stop->budget, &soft, &hard, &hard_given, &stop->error))
        return false;
    stop->soft = soft;
    if (hard_given)
        stop->hard = hard;
    return true;
}

static bool soft_is_reached(const struct stop *stop)
{
    return stop->soft != TM_NS_MAX && stop->signals.elapsed >= stop->soft;
}

/* Where a `limit` hook cut the time of a root with one move, it stopped for want of a choice. */
static enum tm_stop_reason soft_reason(const struct stop *stop)
{
    const bool cut = stop->soft < stop->budget.effective_soft;
    return cut && stop->signals.legal == 1 ? TM_SINGLE_REPLY : TM_SOFT;
}

static struct tm_verdict judge(struct stop *stop, const struct tm_event *event)
{
    if (event->kind == TM_END)
        return end_with(stop, event, TM_EXHAUSTED);
    if (is_reading(stop, event)) {
        if (!apply_limit_hook(stop))
            return end_with(stop, event, TM_POLICY_FAULT);
        if (soft_is_reached(stop))
            return end_with(stop, event, soft_reason(stop));
    }
    look_up_wall(stop, event->nodes);
    if (event->nodes >= stop->wall)
        return end_with(stop, event, TM_HARD);
    return go_on(stop);
}

/* ---- the calls ---- */

static struct tm_verdict begin(struct stop *stop, bool ponder)
{
    stop->pondering = ponder;
    stop->soft = stop->budget.effective_soft;
    stop->hard = stop->budget.hard_floored;
    look_up_wall(stop, 0);
    return go_on(stop);
}

struct tm_verdict stop_begin_given(struct stop *stop, tm_ns soft, tm_ns hard, struct tm_time time, bool ponder)
{
    stop->time = time;
    stop->policy = NULL;
    stop->info = NULL;
    stop->blind = false;
    forget_last_search(stop);
    stop->budget = (struct budget){
        .soft_raw = soft, .soft_floored = soft, .hard_raw = hard, .hard_floored = hard,
        .effective_soft = soft < hard ? soft : hard,
    };
    return begin(stop, ponder);
}

static bool is_blind(const struct stop *stop)
{
    const struct policy_info *info = stop->info;
    if (stop->budget.hard_floored <= 0)
        return true;
    return info->has_hard_floor && stop->budget.raw.hard <= info->hard_floor;
}

struct tm_verdict stop_begin(struct stop *stop, const struct clock_state *clock, struct tm_time time, bool ponder)
{
    stop->time = time;
    forget_last_search(stop);
    stop->signals.legal = clock->legal;
    stop->budget = (struct budget){ 0 };
    if (!policy_budget(stop->policy, clock, &stop->budget, &stop->error))
        return (struct tm_verdict){ .stop = true, .reason = TM_POLICY_FAULT };
    stop->blind = is_blind(stop);
    return begin(stop, ponder);
}

/* While pondering no verdict stops; the first that would is kept for the ponderhit. */
static struct tm_verdict latch(struct stop *stop, struct tm_verdict verdict)
{
    if (verdict.stop && !stop->latched) {
        stop->latched = true;
        stop->latch = verdict;
    }
    stop->wall = INT64_MAX;
    return go_on(stop);
}

struct tm_verdict stop_read(struct stop *stop, const struct tm_event *event)
{
    if (event->kind == TM_PONDERHIT) {
        stop->pondering = false;
        note_nodes(stop, event);
        if (stop->latched) {
            struct tm_verdict verdict = end_with(stop, event, stop->latch.reason);
            return verdict;
        }
        return judge(stop, event);
    }
    if (event->nodes > stop->wall && !stop->pondering) {
        /* The wall came first: what is reported past it has not happened. */
        struct tm_event poll = *event;
        poll.kind = TM_POLL;
        take_event(stop, &poll);
        return judge(stop, &poll);
    }
    take_event(stop, event);
    const struct tm_verdict verdict = judge(stop, event);
    return stop->pondering ? latch(stop, verdict) : verdict;
}

tm_ns stop_soft(const struct stop *stop) { return stop->soft; }

bool stop_finish(struct stop *stop, const struct tm_verdict *verdict, int64_t charged_nodes, struct tm_error *error)
{
    if (stop->signals.score_count > 0) {
        stop->has_last_score = true;
        stop->last_score = stop->finished ? stop->finished_score : stop->signals.score;
    }
    if (!stop->info || !stop->info->has_finish)
        return true;
    stop->signals.elapsed = verdict->spend;
    stop->signals.nodes = charged_nodes;
    return policy_finish(stop->policy, &stop->signals, error);
}
