/* The game is played by the same function that played it first; only where its events come from differs. */
#include "tmsim/replay.h"

#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "tmsim/game_play.h"
#include "tmsim/player.h"
#include "tmsim/store_internal.h"
#include "vclock/trace.h"

/* All that the game needs, as it was stored. */
struct stored {
    int64_t pairing, policy[2];
    struct game_rules rules;
    struct profile *profile;
    struct overhead *overhead; /* NULL: constant */
    struct policy *player[2]; /* of the pairing */
    struct game_record record;
    char *fen, *engine;
};

static const char game_sql[] =
    "SELECT p.id, g.pair, g.leg, p.first, p.second, r.tc, r.first_inc, ifnull(r.overhead_ns, -1), r.quantum_ns, r.poll, "
    "r.nps_scale, r.seed, r.max_plies, r.adjudication, f.json, e.identity, r.overhead FROM game g JOIN pairing p ON p.id = g.pairing JOIN "
    "run r ON r.id = p.run JOIN profile f ON f.id = r.profile JOIN engine e ON e.id = r.engine WHERE g.id = ?";
static const char policy_sql[] = "SELECT name, label, hash, text FROM policy WHERE id = ?";

static const char *column(sqlite3_stmt *row, int index)
{
    const char *text = (const char *)sqlite3_column_text(row, index);
    return text ? text : "";
}

/* ---- what was stored ---- */

static bool read_rules(struct stored *stored, sqlite3_stmt *row, struct tm_error *error)
{
    struct game_rules *rules = &stored->rules;
    const char *profile = column(row, 14);
    if (!tc_parse(column(row, 5), &rules->tc, error)
        || !profile_load_text("the stored profile", profile, strlen(profile), &stored->profile, error)
        || !adjudication_read(column(row, 13), &rules->adjudication, error))
        return false;
    rules->first_inc = sqlite3_column_int(row, 6);
    rules->overhead = sqlite3_column_int64(row, 7);
    rules->quantum = sqlite3_column_int64(row, 8);
    rules->poll = sqlite3_column_int64(row, 9);
    rules->nps_scale = sqlite3_column_double(row, 10);
    rules->seed = strtoull(column(row, 11), NULL, 10);
    rules->max_plies = sqlite3_column_int(row, 12);
    rules->profile = stored->profile;
    if (rules->overhead >= 0)
        return true;
    /* A random one: its draws are a function of seed, pair and move. */
    rules->overhead = 0;
    if (!overhead_parse("the stored overhead", column(row, 16), &stored->overhead, error))
        return false;
    rules->model = stored->overhead;
    return true;
}

static bool load_policy(sqlite3_stmt *row, struct policy **out, struct tm_error *error)
{
    const char *label = column(row, 1);
    if (!player_load_stored(column(row, 0), label, column(row, 3), out, error))
        return false;
    return strcmp(policy_info(*out)->hash, column(row, 2)) == 0
           || error_fail(error, TM_INPUT, "policy %s: its stored text and parameters have not the hash they had", label);
}

static bool read_policy(struct store *store, int64_t id, struct policy **out, struct tm_error *error)
{
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(store->db, policy_sql, -1, &row, NULL) != SQLITE_OK)
        return store_fail(store, "reading a policy", error);
    sqlite3_bind_int64(row, 1, id);
    const bool ok = sqlite3_step(row) == SQLITE_ROW ? load_policy(row, out, error)
                                                    : store_fail(store, "reading a policy", error);
    sqlite3_finalize(row);
    return ok;
}

static bool read_row(struct store *store, int64_t game, struct stored *stored, struct replay *out, struct tm_error *error)
{
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(store->db, game_sql, -1, &row, NULL) != SQLITE_OK)
        return store_fail(store, "reading a game", error);
    sqlite3_bind_int64(row, 1, game);
    const int code = sqlite3_step(row);
    bool ok = code == SQLITE_ROW;
    if (ok) {
        stored->pairing = sqlite3_column_int64(row, 0);
        out->pair = sqlite3_column_int(row, 1);
        out->leg = sqlite3_column_int(row, 2);
        stored->policy[0] = sqlite3_column_int64(row, 3);
        stored->policy[1] = sqlite3_column_int64(row, 4);
        out->tc = strdup(column(row, 5));
        stored->engine = strdup(column(row, 15));
        ok = out->tc && stored->engine ? read_rules(stored, row, error) : error_fail(error, TM_INTERNAL, "out of memory");
    } else if (code == SQLITE_DONE) {
        error_set(error, TM_INPUT, "there is no such game in %s", store->path);
    } else {
        store_fail(store, "reading a game", error);
    }
    sqlite3_finalize(row);
    return ok;
}

static bool read_stored(struct store *store, int64_t game, struct stored *stored, struct replay *out,
                        struct tm_error *error)
{
    if (!read_row(store, game, stored, out, error)
        || !store_read_game(store, stored->pairing, out->pair, out->leg, &stored->record, &stored->fen, error))
        return false;
    const int white = stored->record.white;
    out->plies = stored->record.move_count;
    out->white = store_policy_label(store, stored->policy[white], error);
    out->black = out->white ? store_policy_label(store, stored->policy[!white], error) : NULL;
    for (int i = 0; out->black && i < 2; i++)
        if (!read_policy(store, stored->policy[i], &stored->player[i], error))
            return false;
    return out->black != NULL;
}

static void clear_stored(struct stored *stored)
{
    for (int i = 0; i < 2; i++)
        policy_free(stored->player[i]);
    profile_free(stored->profile);
    overhead_free(stored->overhead);
    game_record_clear(&stored->record);
    free(stored->fen);
    free(stored->engine);
}

/* ---- the source of events ---- */

static bool has_events(const struct game_record *record)
{
    for (int i = 0; i < record->move_count; i++)
        if (!record->move[i].trace)
            return false;
    return record->move_count > 0;
}

/* Feeds what was recorded of a move. What is left over after the stop shows when the traces are compared. */
static void feed_events(void *ctx, int ply, search_callback *callback, void *callback_ctx)
{
    const struct game_record *record = ctx;
    if (ply >= record->move_count)
        return;
    struct trace_reader reader = { .data = record->move[ply].trace, .size = record->move[ply].trace_size };
    struct tm_event event;
    int64_t next_poll;
    while (trace_next(&reader, &event))
        if (callback(callback_ctx, &event, &next_poll))
            return;
}

/* Only games of the built-in engine are replayed: what a foreign one searched past its stop is its own. Searching anew
   needs the very same engine. */
static bool check_engine(const struct stored *stored, enum replay_source source, struct tm_error *error)
{
    json_t *json = json_loads(stored->engine, 0, NULL);
    const char *name = json_string_value(json_object_get(json, "name"));
    const json_int_t bench = json_integer_value(json_object_get(json, "bench"));
    const bool built_in = name && strcmp(name, "zeitnot") == 0 && bench;
    json_decref(json);
    if (!built_in)
        return error_fail(error, TM_INPUT, "played by foreign engines (%.200s), which are not replayed", stored->engine);
    return source == REPLAY_EVENTS || bench == (json_int_t)BENCH_SIGNATURE || error_fail(error, TM_INPUT, "no events were kept (--trace stop keeps them), and the engine that searched "
                              "(%s) is not the one of this program (bench %lld)", stored->engine, (long long)BENCH_SIGNATURE);
}

/* ---- comparing ---- */

enum kind { KIND_INT, KIND_INT64, KIND_BOOL, KIND_REASON };

#define FIELD(kind, name) { kind, #name, offsetof(struct move_record, name) }
static const struct field_row { enum kind kind; const char *name; size_t offset; } fields[] = {
    FIELD(KIND_INT64, clock_before), FIELD(KIND_INT64, soft_raw), FIELD(KIND_INT64, hard_raw), FIELD(KIND_INT64, soft_floored),
    FIELD(KIND_INT64, hard_floored), FIELD(KIND_INT64, soft), FIELD(KIND_INT64, rate), FIELD(KIND_INT64, cap),
    FIELD(KIND_INT64, nodes_asked), FIELD(KIND_INT64, nodes_used), FIELD(KIND_INT64, nodes_charged), FIELD(KIND_INT64, spend),
    FIELD(KIND_INT64, overhead), FIELD(KIND_INT, depth), FIELD(KIND_INT, score), FIELD(KIND_INT, bound),
    FIELD(KIND_REASON, reason), FIELD(KIND_BOOL, blind), FIELD(KIND_BOOL, fallback), FIELD(KIND_BOOL, starved),
    FIELD(KIND_INT64, clock_after), FIELD(KIND_BOOL, flagged), FIELD(KIND_INT64, signature),
};

static int64_t field_value(const struct move_record *row, const struct field_row *field)
{
    const char *at = (const char *)row + field->offset;
    int64_t wide;
    switch (field->kind) {
    case KIND_INT64: memcpy(&wide, at, sizeof wide); return wide;
    case KIND_INT: return *(const int *)(const void *)at;
    case KIND_BOOL: return *(const bool *)(const void *)at;
    case KIND_REASON: return (int64_t)*(const enum tm_stop_reason *)(const void *)at;
    }
    return 0;
}

static bool differs(struct replay *out, int ply, const char *what, int64_t now, int64_t then)
{
    out->ply = ply;
    snprintf(out->divergence, sizeof out->divergence, "%s is %" PRId64 ", recorded %" PRId64, what, now, then);
    return true;
}

/* True, and the divergence is named, if the two rows are not alike. */
static bool moves_differ(struct replay *out, const struct move_record *now, const struct move_record *then)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (field_value(now, &fields[i]) != field_value(then, &fields[i]))
            return differs(out, then->ply, fields[i].name, field_value(now, &fields[i]), field_value(then, &fields[i]));
    if (strcmp(now->move, then->move) != 0) {
        out->ply = then->ply;
        snprintf(out->divergence, sizeof out->divergence, "the move is %s, recorded %s", now->move, then->move);
        return true;
    }
    if (now->trace && then->trace
        && (now->trace_size != then->trace_size || memcmp(now->trace, then->trace, now->trace_size) != 0))
        return differs(out, then->ply, "the trace, in bytes,", (int64_t)now->trace_size, (int64_t)then->trace_size);
    return false;
}

static void compare(struct replay *out, const struct game_record *now, const struct game_record *then)
{
    const int plies = now->move_count < then->move_count ? now->move_count : then->move_count;
    out->identical = false;
    out->ply = -1;
    for (int i = 0; i < plies; i++)
        if (moves_differ(out, &now->move[i], &then->move[i]))
            return;
    if (now->move_count != then->move_count) {
        differs(out, -1, "the number of plies", now->move_count, then->move_count);
    } else if (now->end != then->end) {
        snprintf(out->divergence, sizeof out->divergence, "the end is %s, recorded %s", game_end_name(now->end),
                 game_end_name(then->end));
    } else if (now->white_points != then->white_points || now->loser_side != then->loser_side) {
        differs(out, -1, "White's half points", now->white_points, then->white_points);
    } else {
        out->identical = true;
    }
}

/* ---- playing it again ---- */

static bool play(struct stored *stored, struct replay *out, struct tm_error *error)
{
    const int white = stored->record.white;
    const struct policy *const policies[2] = { stored->player[white], stored->player[!white] };
    struct engine *engines[2] = { NULL, NULL };
    struct game_record record = { 0 };
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        engines[i] = engine_new(out->source == REPLAY_SEARCH ? (size_t)GAME_HASH_MB << 20 : 0, error);
        ok = engines[i] != NULL;
    }
    stored->rules.keep_trace = has_events(&stored->record);
    if (out->source == REPLAY_EVENTS)
        stored->rules.source = (struct game_source){ feed_events, &stored->record };
    struct tm_error fault;
    if (ok && game_play(&stored->rules, engines, policies, stored->fen, out->pair, &record, &fault)) {
        compare(out, &record, &stored->record);
    } else if (ok && out->source == REPLAY_EVENTS) {
        /* The events ended before the stop rule stopped. */
        out->ply = record.move_count - 1;
        snprintf(out->divergence, sizeof out->divergence, "the recorded events do not lead to an end: %.200s",
                 fault.message);
    } else if (ok) {
        *error = fault;
        ok = false;
    }
    game_record_clear(&record);
    engine_free(engines[0]);
    engine_free(engines[1]);
    return ok;
}

bool replay_game(struct store *store, int64_t game, enum replay_source source, struct replay *out, struct tm_error *error)
{
    struct stored stored = { .pairing = 0 };
    *out = (struct replay){ .game = game, .source = source };
    bool ok = read_stored(store, game, &stored, out, error);
    if (ok && source == REPLAY_BEST)
        out->source = has_events(&stored.record) ? REPLAY_EVENTS : REPLAY_SEARCH;
    if (ok && out->source == REPLAY_EVENTS && !has_events(&stored.record))
        ok = error_fail(error, TM_INPUT, "no events were kept of it; play with --trace stop");
    ok = ok && check_engine(&stored, out->source, error);
    ok = ok && play(&stored, out, error);
    clear_stored(&stored);
    if (!ok)
        error_prefix(error, "game %lld", (long long)game);
    return ok;
}

void replay_clear(struct replay *replay)
{
    free(replay->white);
    free(replay->black);
    free(replay->tc);
    *replay = (struct replay){ 0 };
}
