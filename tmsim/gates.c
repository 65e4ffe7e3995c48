/* The list of gates, those that need no games, and their rows in the store. */
#include "tmsim/gates.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tmsim/store_internal.h"

enum { CHECK_NODES = 2345 }; /* of the engine check: enough for several iterations, a millisecond */

void gate_add(struct gate_list *list, const char *name, bool passed, double value, const char *format, ...)
{
    if (list->count == GATES_MAX)
        return;
    struct gate *gate = &list->gate[list->count++];
    *gate = (struct gate){ .passed = passed, .value = value };
    snprintf(gate->name, sizeof gate->name, "%s", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(gate->detail, sizeof gate->detail, format, arguments);
    va_end(arguments);
}

const struct gate *gates_failed(const struct gate_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (!list->gate[i].passed)
            return &list->gate[i];
    return NULL;
}

/* ---- before a match ---- */

static int compare_pointers(const void *a, const void *b)
{
    const char *const *one = a, *const *two = b;
    return (*one > *two) - (*one < *two);
}

/* Different openings in the first `rounds` rounds; each is a text of the book, so pointers tell. -1: no memory. */
static int dealt_openings(const struct book *book, enum book_order order, uint64_t seed, int rounds)
{
    const char **fen = calloc((size_t)rounds + 1, sizeof *fen);
    if (!fen)
        return -1;
    for (int i = 0; i < rounds; i++)
        fen[i] = book_opening(book, order, seed, i);
    qsort(fen, (size_t)rounds, sizeof *fen, compare_pointers);
    int distinct = 0;
    for (int i = 0; i < rounds; i++)
        distinct += i == 0 || fen[i] != fen[i - 1];
    free(fen);
    return distinct;
}

void gates_openings(struct gate_list *list, const struct book *book, enum book_order order, uint64_t seed, int rounds)
{
    const int size = book_size(book), distinct = dealt_openings(book, order, seed, rounds);
    gate_add(list, "book_size", size >= rounds, size, "%d distinct positions in the book, %d rounds%s", size, rounds,
             size < rounds && rounds <= 3000 ? " (--openings file=zeitnot-3000.epd has 3000)" : "");
    gate_add(list, "schedule", distinct == rounds, distinct, "%d distinct openings dealt to each pairing in %d rounds",
             distinct, rounds);
}

static uint64_t mix(uint64_t hash, int64_t value) { return (hash ^ (uint64_t)value) * 0x100000001B3u; }

static bool digest_event(void *ctx, const struct tm_event *event, int64_t *next_poll)
{
    uint64_t *digest = ctx;
    (void)next_poll;
    *digest = mix(mix(mix(*digest, event->nodes), event->score), event->move);
    return false;
}

static int64_t search_once(struct engine *engine, const struct game *game, uint64_t *digest)
{
    const struct search_limits limits = { .nodes = CHECK_NODES };
    *digest = 0xCBF29CE484222325u;
    engine_forget(engine);
    return engine_search(engine, game, &limits, INT64_MAX, digest_event, digest).nodes;
}

void gates_engine(struct gate_list *list, struct engine *engine)
{
    uint64_t first = 0, second = 1;
    int64_t nodes = 0;
    struct game *game = game_new(FEN_START, NULL);
    if (game) {
        nodes = search_once(engine, game, &first);
        search_once(engine, game, &second);
    }
    game_free(game);
    gate_add(list, "engine", nodes == CHECK_NODES && first == second, (double)nodes,
             "asked for %d nodes it searched %lld, and %s itself after forgetting", CHECK_NODES, (long long)nodes,
             first == second ? "repeats" : "does not repeat");
}

static bool is_matched(const struct charged *player)
{
    return strncasecmp(profile_engine(player->profile), player->searcher, strlen(player->searcher)) == 0;
}

/* The first player that is not matched, and whether all have one profile. */
static const struct charged *find_unmatched(const struct charged *player, int count, int *matched, bool *one_profile)
{
    const struct charged *unmatched = NULL;
    *matched = 0;
    *one_profile = true;
    for (int i = 0; i < count; i++) {
        *one_profile = *one_profile && strcmp(profile_hash(player[i].profile), profile_hash(player[0].profile)) == 0;
        if (is_matched(&player[i]))
            ++*matched;
        else if (!unmatched)
            unmatched = &player[i];
    }
    return unmatched;
}

void gates_profiles(struct gate_list *list, const struct charged *player, int count)
{
    int matched;
    bool one_profile;
    const struct charged *unmatched = find_unmatched(player, count, &matched, &one_profile);
    const double share = (double)matched / (count > 0 ? count : 1);
    if (!unmatched)
        gate_add(list, "profile_match", true, share, "measured with the searcher that plays");
    else if (one_profile)
        gate_add(list, "profile_match", true, share, "unmatched, the same for all: %s plays, the nodes are those of %s, and no "
                 "exchange rate has been measured", unmatched->searcher, profile_engine(unmatched->profile));
    else
        gate_add(list, "profile_match", false, share, "players have different profiles, and that of %s is of another searcher "
                 "(%s): a second is not the same to all; expected profiles of their own, or one for all", unmatched->searcher,
                 profile_engine(unmatched->profile));
}

/* ---- in the store ---- */

static const char write_sql[] =
    "INSERT INTO gate (run, place, name, passed, value, detail) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run, name) DO UPDATE "
    "SET place = excluded.place, passed = excluded.passed, value = excluded.value, detail = excluded.detail";
static const char stale_sql[] = "DELETE FROM gate WHERE run = ? AND place >= ?";
static const char read_sql[] = "SELECT name, passed, value, detail FROM gate WHERE run = ? ORDER BY place";

static bool write_gate(sqlite3_stmt *statement, int64_t run, int place, const struct gate *gate)
{
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, run);
    sqlite3_bind_int(statement, 2, place);
    sqlite3_bind_text(statement, 3, gate->name, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 4, gate->passed);
    sqlite3_bind_double(statement, 5, gate->value);
    sqlite3_bind_text(statement, 6, gate->detail, -1, SQLITE_STATIC);
    return sqlite3_step(statement) == SQLITE_DONE;
}

/* Forgets rows beyond the list, of a longer one. */
static bool drop_stale(struct store *store, int64_t run, int count)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(store->db, stale_sql, -1, &statement, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_bind_int64(statement, 1, run);
        sqlite3_bind_int(statement, 2, count);
        ok = sqlite3_step(statement) == SQLITE_DONE;
    }
    sqlite3_finalize(statement);
    return ok;
}

bool gates_write(const struct gate_list *list, struct store *store, int64_t run, struct tm_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (!store_begin(store, error))
        return false;
    bool ok = sqlite3_prepare_v2(store->db, write_sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; ok && i < list->count; i++)
        ok = write_gate(statement, run, i, &list->gate[i]);
    ok = ok && drop_stale(store, run, list->count);
    ok = ok || store_fail(store, "writing its gates", error);
    sqlite3_finalize(statement);
    return store_end(store, ok, error);
}

bool gates_read(struct gate_list *list, struct store *store, int64_t run, struct tm_error *error)
{
    sqlite3_stmt *statement = NULL;
    *list = (struct gate_list){ 0 };
    if (sqlite3_prepare_v2(store->db, read_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading its gates", error);
    sqlite3_bind_int64(statement, 1, run);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        gate_add(list, (const char *)sqlite3_column_text(statement, 0), sqlite3_column_int(statement, 1),
                 sqlite3_column_double(statement, 2), "%s", (const char *)sqlite3_column_text(statement, 3));
    sqlite3_finalize(statement);
    return code == SQLITE_DONE || store_fail(store, "reading its gates", error);
}
