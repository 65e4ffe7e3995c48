/* One ordered query for all games of a pairing: their moves lie together in the file. */
#include "tmsim/game_line.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tmsim/store_internal.h"

static const char lines_sql[] =
    "SELECT g.id, g.pair, g.leg, g.white, ifnull(g.white_points, -1), g.ending, o.fen FROM game g JOIN opening o "
    "ON o.id = g.opening WHERE g.pairing = ? ORDER BY g.pair, g.leg";
static const char moves_sql[] = "SELECT move FROM move WHERE game = ? ORDER BY ply";

/* A text that grows. */
struct text {
    char *data;
    size_t size, capacity;
};

static bool append(struct text *text, const char *word)
{
    const size_t length = strlen(word);
    if (text->size + length + 2 > text->capacity) {
        const size_t capacity = text->capacity * 2 + 1024;
        char *grown = realloc(text->data, capacity);
        if (!grown)
            return false;
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, word, length);
    text->size += length;
    text->data[text->size++] = ' ';
    text->data[text->size] = '\0';
    return true;
}

static bool read_moves(struct store *store, sqlite3_stmt *statement, int64_t game, struct text *text, int *plies,
                       struct tm_error *error)
{
    int code;
    text->size = 0;
    *plies = 0;
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, game);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *move = (const char *)sqlite3_column_text(statement, 0);
        if (!append(text, move ? move : ""))
            return error_fail(error, TM_INTERNAL, "out of memory while reading a game");
        ++*plies;
    }
    return code == SQLITE_DONE || store_fail(store, "reading its games", error);
}

static bool each_line(struct store *store, sqlite3_stmt *games, sqlite3_stmt *moves, game_line_sink *sink, void *ctx,
                      struct tm_error *error)
{
    struct text text = { 0 };
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(games)) == SQLITE_ROW) {
        struct game_line line = {
            .game = sqlite3_column_int64(games, 0),
            .pair = sqlite3_column_int(games, 1),
            .leg = sqlite3_column_int(games, 2),
            .white = sqlite3_column_int(games, 3),
            .white_points = sqlite3_column_int(games, 4),
            .ending = (const char *)sqlite3_column_text(games, 5),
            .fen = (const char *)sqlite3_column_text(games, 6),
        };
        ok = read_moves(store, moves, line.game, &text, &line.plies, error);
        line.moves = text.size ? text.data : "";
        line.length = text.size;
        ok = ok && sink(ctx, &line, error);
    }
    free(text.data);
    return ok && (code == SQLITE_DONE || store_fail(store, "reading its games", error));
}

bool game_lines(struct store *store, int64_t pairing_id, game_line_sink *sink, void *ctx, struct tm_error *error)
{
    sqlite3_stmt *games = NULL, *moves = NULL;
    bool ok = sqlite3_prepare_v2(store->db, lines_sql, -1, &games, NULL) == SQLITE_OK
              && sqlite3_prepare_v2(store->db, moves_sql, -1, &moves, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_bind_int64(games, 1, pairing_id);
    ok = ok ? each_line(store, games, moves, sink, ctx, error) : store_fail(store, "reading its games", error);
    sqlite3_finalize(games);
    sqlite3_finalize(moves);
    return ok;
}

uint64_t game_line_digest(const char *fen, const char *moves, size_t length)
{
    return XXH3_64bits_withSeed(moves, length, XXH3_64bits(fen, strlen(fen)));
}

bool game_record_digest(const char *fen, const struct game_record *record, uint64_t *digest, struct tm_error *error)
{
    struct text text = { 0 };
    bool ok = true;
    for (int i = 0; ok && i < record->move_count; i++)
        ok = append(&text, record->move[i].move);
    *digest = game_line_digest(fen, text.size ? text.data : "", text.size);
    free(text.data);
    return ok || error_fail(error, TM_INTERNAL, "out of memory while reading a game");
}
