#include "engine/client_events.h"

#include <stdlib.h>

static void append_row(struct client_reports *reports)
{
    if (reports->count == reports->capacity) {
        const int capacity = reports->capacity ? reports->capacity * 2 : 64;
        struct client_row *grown = realloc(reports->row, (size_t)capacity * sizeof *grown);
        if (!grown) {
            reports->failed = true;
            return;
        }
        reports->row = grown;
        reports->capacity = capacity;
    }
    reports->row[reports->count++] = reports->now;
}

static struct client_row *last_row(struct client_reports *reports)
{
    return reports->count ? &reports->row[reports->count - 1] : NULL;
}

/* A new depth begins: what was said of the last one does not hold for it. The nodes go on counting. */
static void open_depth(struct client_reports *reports, int depth)
{
    reports->now = (struct client_row){ .depth = depth, .nodes = reports->now.nodes, .share = -1 };
    reports->has_score = false;
}

/* Nodes or a share that come on a line of their own, after the variation that they belong to. */
static void complete_last(struct client_reports *reports, const struct client_info *info)
{
    struct client_row *last = last_row(reports);
    if (!last || last->depth != reports->now.depth)
        return;
    if ((info->has & INFO_NODES) && !last->has_nodes) {
        last->nodes = info->nodes;
        last->has_nodes = true;
    }
    if ((info->has & INFO_SHARE) && last->share < 0)
        last->share = info->share;
}

static void take_fields(struct client_reports *reports, const struct client_info *info)
{
    struct client_row *now = &reports->now;
    if (info->has & INFO_NODES) {
        now->nodes = info->nodes > now->nodes ? info->nodes : now->nodes;
        now->has_nodes = true;
    }
    if (info->has & INFO_SHARE) {
        now->share = info->share;
        reports->shares = true;
    }
    if (info->has & INFO_SCORE) {
        now->score = info->score;
        now->mate = info->mate;
        now->bound = (int)info->bound;
        reports->has_score = true;
        reports->bounds = reports->bounds || info->bound != TM_EXACT;
    }
    if (info->has & INFO_MOVE) {
        const move_t move = move_parse(reports->position, info->move);
        now->move = move ? move : now->move;
        reports->illegal += !move;
    }
}

void client_reports_add(void *ctx, const struct client_info *info)
{
    struct client_reports *reports = ctx;
    if ((info->has & INFO_MULTIPV) && info->multipv > 1) {
        reports->multipv = true;
        return;
    }
    if ((info->has & INFO_DEPTH) && info->depth != reports->now.depth)
        open_depth(reports, info->depth);
    take_fields(reports, info);
    const bool says = info->has & (INFO_SCORE | INFO_MOVE);
    if (!says) {
        complete_last(reports, info);
        return;
    }
    if (reports->now.depth > 0 && reports->has_score && (reports->now.move || reports->now.bound != TM_EXACT)) {
        struct client_row *last = last_row(reports);
        if (last && last->depth == reports->now.depth && last->bound == TM_EXACT && last->move != reports->now.move)
            reports->repeats = true;
        append_row(reports);
        reports->now.has_nodes = false; /* the next line at this depth brings its own */
    }
}

void client_reports_clear(struct client_reports *reports)
{
    free(reports->row);
    *reports = (struct client_reports){ 0 };
}

/* Whether a later line of the same depth, below the cap, says something else than row `index`. */
static bool is_overruled(const struct client_reports *reports, int index, int64_t cap)
{
    const struct client_row *row = &reports->row[index];
    for (int i = index + 1; i < reports->count && reports->row[i].depth == row->depth; i++) {
        const struct client_row *later = &reports->row[i];
        if (later->nodes < cap && (later->bound != TM_EXACT || later->move != row->move || later->score != row->score))
            return true;
    }
    return false;
}

static bool is_told_again(const struct client_reports *reports, int index)
{
    const struct client_row *row = &reports->row[index], *last = index ? row - 1 : NULL;
    return last && last->depth == row->depth && last->bound == row->bound && last->move == row->move
           && last->score == row->score;
}

static enum tm_event_kind kind_of(const struct client_reports *reports, int index, int64_t cap)
{
    const struct client_row *row = &reports->row[index];
    if (row->bound == TM_LOWER)
        return TM_FAIL_HIGH;
    if (row->bound == TM_UPPER)
        return TM_FAIL_LOW;
    return is_overruled(reports, index, cap) ? TM_NEW_BEST : TM_ITERATION;
}

int client_reports_events(const struct client_reports *reports, int64_t cap, uint32_t known, int legal,
                          struct tm_event *event, int capacity)
{
    int count = 0;
    for (int i = 0; i < reports->count && count < capacity; i++) {
        const struct client_row *row = &reports->row[i];
        if (row->nodes >= cap || is_told_again(reports, i))
            continue;
        event[count] = (struct tm_event){
            .kind = kind_of(reports, i, cap), .move = row->move, .depth = row->depth, .score = row->score,
            .mate = row->mate, .legal = legal, .bound = row->bound, .nodes = row->nodes,
            .best_nodes = row->share >= 0 ? row->nodes * row->share / 1000 : 0, .known = known,
        };
        if (row->share < 0)
            event[count].known &= ~(uint32_t)TM_KNOWS_BEST_NODES;
        count++;
    }
    return count;
}
