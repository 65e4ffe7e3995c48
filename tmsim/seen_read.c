/* One pass over a policy's moves. */
#include <stdlib.h>
#include <string.h>

#include "tmsim/seen.h"
#include "tmsim/store_internal.h"
#include "vclock/rate_time.h"

enum { LATE_MOVE = 40 };

static const char policies_sql[] =
    "SELECT q.id, ifnull(q.tc, r.tc) FROM policy q JOIN run r ON r.id = ?1 WHERE EXISTS (SELECT 1 FROM pairing p JOIN game g ON "
    "g.pairing = p.id WHERE p.run = ?1 AND q.id IN (p.first, p.second)) ORDER BY q.id";

/* CROSS JOIN fixes the order: the moves of a game lie together. */
static const char moves_sql[] =
    "SELECT g.id, g.pair, g.leg, m.player, m.ply, m.clock_before_ns, m.spend_ns, m.overhead_ns, m.clock_after_ns, "
    "m.soft_raw_ns, m.hard_raw_ns, m.blind, m.starved, m.flagged, m.rate, m.cap, m.reason = 'hard', m.signature "
    "FROM pairing p CROSS JOIN game g ON g.pairing = p.id CROSS JOIN move m ON m.game = g.id WHERE p.run = ?1 AND "
    "((p.first = ?2 AND m.player = 0) OR (p.second = ?2 AND m.player = 1)) ORDER BY p.id, g.pair, g.leg, m.player, m.ply";

struct row {
    int64_t game, rate, cap;
    int player;
    tm_ns spend, overhead, after, soft, hard;
    bool limited, blind, starved, flagged, on_hard;
    struct seen_move at;
};

static struct row read_row(sqlite3_stmt *s)
{
    return (struct row){
        .game = sqlite3_column_int64(s, 0), .player = sqlite3_column_int(s, 3),
        .at = { true, sqlite3_column_int(s, 1), sqlite3_column_int(s, 2), sqlite3_column_int(s, 4),
                sqlite3_column_int64(s, 5), (uint64_t)sqlite3_column_int64(s, 17) },
        .spend = sqlite3_column_int64(s, 6), .overhead = sqlite3_column_int64(s, 7), .after = sqlite3_column_int64(s, 8),
        .limited = sqlite3_column_type(s, 9) != SQLITE_NULL && sqlite3_column_type(s, 10) != SQLITE_NULL,
        .soft = sqlite3_column_int64(s, 9), .hard = sqlite3_column_int64(s, 10), .blind = sqlite3_column_int(s, 11),
        .starved = sqlite3_column_int(s, 12), .flagged = sqlite3_column_int(s, 13), .rate = sqlite3_column_int64(s, 14),
        .cap = sqlite3_column_int64(s, 15), .on_hard = sqlite3_column_int(s, 16),
    };
}

/* Values of which the median is wanted. */
struct list {
    int64_t *value;
    size_t count, room;
    bool failed;
};

static void list_add(struct list *list, int64_t value)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        int64_t *grown = realloc(list->value, room * sizeof *grown);
        if (!grown) {
            list->failed = true;
            return;
        }
        list->value = grown;
        list->room = room;
    }
    list->value[list->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t median(struct list *list, int64_t none)
{
    if (list->count == 0)
        return none;
    qsort(list->value, list->count, sizeof *list->value, by_value);
    return list->value[list->count / 2];
}

struct reading {
    struct seen *seen;
    struct list lowest, end, late, first_blind, flag, length;
    /* of the side of a game that is being read */
    int64_t game;
    int player, own, blind_run, blind_at;
    tm_ns low, after;
    struct seen_move last, run_start;
};

static void end_side(struct reading *r)
{
    struct seen *seen = r->seen;
    if (r->own == 0)
        return;
    seen->games++;
    list_add(&r->lowest, r->low);
    list_add(&r->end, r->after);
    list_add(&r->length, r->own);
    if (r->blind_at)
        list_add(&r->first_blind, r->blind_at);
    if (!seen->fullest_end.known || r->after > seen->fullest_end.clock) {
        seen->fullest_end = r->last;
        seen->fullest_end.clock = r->after;
    }
}

static void note_first(struct seen_move *first, const struct row *row)
{
    if (!first->known)
        *first = row->at;
}

static void note_blind(struct reading *r, const struct row *row)
{
    struct seen *seen = r->seen;
    r->blind_run = row->blind ? r->blind_run + 1 : 0;
    if (!row->blind)
        return;
    seen->blind++;
    if (r->blind_run == 1)
        r->run_start = row->at;
    if (!r->blind_at)
        r->blind_at = r->own;
    if (row->at.clock > seen->blind_clock)
        seen->blind_clock = row->at.clock;
    if (r->blind_run > seen->blind_run) {
        seen->blind_run = r->blind_run;
        seen->first_blind_run = r->run_start;
    }
}

static void note_flag(struct reading *r, const struct row *row, tm_ns slack)
{
    struct seen *seen = r->seen;
    tm_ns over = -slack;
    if (row->on_hard && row->cap < INT64_MAX)
        over = ns_add(rate_elapsed(row->rate, row->cap), row->overhead - row->at.clock);
    seen->flags++;
    list_add(&r->flag, r->own);
    note_first(&seen->first_flag, row);
    if (over > seen->overrun_worst) {
        seen->overrun_worst = over;
        seen->overrun_nodes = (int64_t)((double)over / 1e9 * (double)row->rate);
    }
}

static void note_inversion(struct seen *seen, const struct row *row)
{
    if (!row->limited || row->soft <= row->hard)
        return;
    note_first(&seen->first_inversion, row);
    if (seen->inversions == 0 || row->at.clock < seen->inversion_lo)
        seen->inversion_lo = row->at.clock;
    if (row->at.clock > seen->inversion_hi)
        seen->inversion_hi = row->at.clock;
    seen->inversions++;
}

static void take_row(struct reading *r, const struct row *row)
{
    struct seen *seen = r->seen;
    if (row->game != r->game || row->player != r->player) {
        end_side(r);
        r->game = row->game;
        r->player = row->player;
        r->own = r->blind_run = r->blind_at = 0;
        r->low = TM_NS_MAX;
    }
    const tm_ns slack = row->at.clock - row->spend - row->overhead;
    seen->moves++;
    r->own++;
    r->low = slack < r->low ? slack : r->low;
    r->after = row->after;
    r->last = row->at;
    if (r->own >= LATE_MOVE)
        list_add(&r->late, row->at.clock);
    note_blind(r, row);
    note_inversion(seen, row);
    seen->starved += row->starved;
    if (row->starved)
        note_first(&seen->first_starved, row);
    if (row->flagged)
        note_flag(r, row, slack);
    else if (slack < 0) {
        seen->forgiven++;
        note_first(&seen->first_forgiven, row);
    }
}

static bool finish(struct reading *r, struct tm_error *error)
{
    struct seen *seen = r->seen;
    struct list *const lists[] = { &r->lowest, &r->end, &r->late, &r->first_blind, &r->flag, &r->length };
    bool ok = true;
    end_side(r);
    const bool half_blind = 2 * (int64_t)r->first_blind.count >= seen->games, half_flag = 2 * (int64_t)r->flag.count >= seen->games;
    seen->lowest_median = median(&r->lowest, 0);
    seen->end_median = median(&r->end, 0);
    seen->late_median = median(&r->late, -1);
    seen->first_blind_median = half_blind ? (int)median(&r->first_blind, 0) : 0;
    seen->flag_median = half_flag ? (int)median(&r->flag, 0) : 0;
    seen->length_median = (int)median(&r->length, 0);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ok = ok && !lists[i]->failed;
        free(lists[i]->value);
    }
    return ok || error_fail(error, TM_INTERNAL, "out of memory while reading games");
}

static bool read_policy(struct store *store, struct seen *seen, struct tm_error *error)
{
    struct reading reading = { .seen = seen, .player = -1 };
    sqlite3_stmt *statement;
    seen->blind_clock = -1;
    if (sqlite3_prepare_v2(store->db, moves_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading moves", error);
    sqlite3_bind_int64(statement, 1, seen->run);
    sqlite3_bind_int64(statement, 2, seen->policy);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const struct row row = read_row(statement);
        take_row(&reading, &row);
    }
    const bool ok = code == SQLITE_DONE || store_fail(store, "reading moves", error);
    sqlite3_finalize(statement);
    return finish(&reading, ok ? error : NULL) && ok;
}

static bool add_policy(struct seen **list, int *count, sqlite3_stmt *statement, int64_t run, struct tm_error *error)
{
    struct seen *grown = realloc(*list, ((size_t)*count + 1) * sizeof *grown);
    if (!grown)
        return error_fail(error, TM_INTERNAL, "out of memory while reading games");
    *list = grown;
    struct seen *seen = &grown[(*count)++];
    *seen = (struct seen){ .run = run, .policy = sqlite3_column_int64(statement, 0),
                           .tc = strdup((const char *)sqlite3_column_text(statement, 1)) };
    struct tc tc;
    if (!seen->tc || !tc_parse(seen->tc, &tc, error))
        return false;
    seen->inc = tc.period[0].inc;
    seen->base = tc.period[0].base;
    return true;
}

bool seen_read(struct store *store, int64_t run, struct seen **out, int *count, struct tm_error *error)
{
    sqlite3_stmt *statement;
    *out = NULL;
    *count = 0;
    if (sqlite3_prepare_v2(store->db, policies_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading policies", error);
    sqlite3_bind_int64(statement, 1, run);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = add_policy(out, count, statement, run, error);
    ok = ok && (code == SQLITE_DONE || store_fail(store, "reading policies", error));
    sqlite3_finalize(statement);
    for (int i = 0; ok && i < *count; i++)
        ok = ((*out)[i].label = store_policy_label(store, (*out)[i].policy, error)) != NULL && read_policy(store, &(*out)[i], error);
    if (ok)
        return true;
    seen_clear(*out, *count);
    free(*out);
    *out = NULL;
    *count = 0;
    return false;
}

void seen_clear(struct seen *seen, int count)
{
    for (int i = 0; i < count; i++) {
        free(seen[i].label);
        free(seen[i].tc);
    }
}
