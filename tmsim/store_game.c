/* Games and their moves: written in one transaction each, and read back. One table of columns serves both. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/store_internal.h"

enum column_kind { COLUMN_INT, COLUMN_INT64, COLUMN_LIMIT, COLUMN_BOOL, COLUMN_REASON };

#define FIELD(name) offsetof(struct move_record, name)

/* The columns of `move` from the fifth on, as in schema.sql; before them stand game, ply, player and move. */
static const struct { enum column_kind kind; size_t offset; } columns[] = {
    { COLUMN_INT64, FIELD(clock_before) },
    { COLUMN_LIMIT, FIELD(soft_raw) },
    { COLUMN_LIMIT, FIELD(hard_raw) },
    { COLUMN_LIMIT, FIELD(soft_floored) },
    { COLUMN_LIMIT, FIELD(hard_floored) },
    { COLUMN_LIMIT, FIELD(soft) },
    { COLUMN_INT64, FIELD(rate) },
    { COLUMN_INT64, FIELD(cap) },
    { COLUMN_INT64, FIELD(nodes_asked) },
    { COLUMN_INT64, FIELD(nodes_used) },
    { COLUMN_INT64, FIELD(nodes_charged) },
    { COLUMN_INT64, FIELD(spend) },
    { COLUMN_INT64, FIELD(overhead) },
    { COLUMN_INT64, FIELD(clock_after) },
    { COLUMN_INT, FIELD(depth) },
    { COLUMN_INT, FIELD(score) },
    { COLUMN_INT, FIELD(bound) },
    { COLUMN_REASON, FIELD(reason) },
    { COLUMN_BOOL, FIELD(blind) },
    { COLUMN_BOOL, FIELD(fallback) },
    { COLUMN_BOOL, FIELD(starved) },
    { COLUMN_BOOL, FIELD(flagged) },
    { COLUMN_INT64, FIELD(signature) },
};
enum { FIRST_COLUMN = 4, COLUMN_COUNT = sizeof columns / sizeof *columns, TRACE_COLUMN = FIRST_COLUMN + COLUMN_COUNT };

static struct store_value column_value(const struct move_record *move, int column)
{
    const void *field = (const char *)move + columns[column].offset;
    int64_t wide = 0;
    if (columns[column].kind == COLUMN_INT64 || columns[column].kind == COLUMN_LIMIT)
        memcpy(&wide, field, sizeof wide);
    switch (columns[column].kind) {
    case COLUMN_INT: return store_integer(*(const int *)field);
    case COLUMN_LIMIT: return store_limit(wide);
    case COLUMN_BOOL: return store_integer(*(const bool *)field);
    case COLUMN_REASON: return store_text(stop_reason_name(*(const enum tm_stop_reason *)field));
    case COLUMN_INT64: break;
    }
    return store_integer(wide);
}

static bool add_move(struct store *store, int64_t game_id, int player, const struct move_record *move,
                     struct tm_error *error)
{
    struct store_value row[TRACE_COLUMN] = { store_integer(game_id), store_integer(move->ply), store_integer(player),
                                             store_text(move->move) };
    for (int i = 0; i < COLUMN_COUNT; i++)
        row[FIRST_COLUMN + i] = column_value(move, i);
    sqlite3_stmt *statement = store_bind(store, STATEMENT_ADD_MOVE, row, TRACE_COLUMN);
    if (move->trace)
        sqlite3_bind_blob64(statement, TRACE_COLUMN + 1, move->trace, move->trace_size, SQLITE_STATIC);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, "storing a move", error);
    sqlite3_reset(statement);
    return ok;
}

static bool find_opening(struct store *store, const char *fen, int64_t *id, struct tm_error *error)
{
    const struct store_value row[] = { store_text(fen) };
    bool found;
    if (!store_lookup(store, STATEMENT_FIND_OPENING, row, 1, &found, id, error))
        return false;
    if (!found && !store_execute(store, STATEMENT_ADD_OPENING, row, 1, "storing an opening", error))
        return false;
    if (!found)
        *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

static bool add_game(struct store *store, int64_t pairing_id, const struct game_record *game, const char *fen,
                     int64_t *id, struct tm_error *error)
{
    int64_t opening;
    if (!find_opening(store, fen, &opening, error))
        return false;
    const struct store_value row[] = {
        store_integer(pairing_id), store_integer(game->pair), store_integer(game->leg), store_integer(opening),
        store_integer(game->white), store_text(game_end_name(game->end)),
        store_integer_or_null(game->white_points, game->white_points >= 0),
        store_integer_or_null(game->loser_side, game->loser_side >= 0), store_text(game->fault),
        store_integer(game->move_count), store_integer(game->clock_at_end[0]), store_integer(game->clock_at_end[1]),
    };
    if (!store_execute(store, STATEMENT_ADD_GAME, row, sizeof row / sizeof *row, "storing a game", error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    const struct store_value timing[] = { store_integer(*id), store_integer(game->wall_ns),
                                          store_integer(game->cpu_ns) };
    return store_execute(store, STATEMENT_ADD_TIMING, timing, 3, "storing a game", error);
}

/* 0 if White moves first, 1 if Black, -1 if the text is no FEN. */
static int side_to_move(const char *fen)
{
    const char *side = strchr(fen, ' ');
    if (!side || (side[1] != 'w' && side[1] != 'b') || (side[2] != ' ' && side[2] != '\0'))
        return -1;
    return side[1] == 'b';
}

static bool add_all(struct store *store, int64_t pairing_id, const struct game_record *game, const char *fen, int side,
                    struct tm_error *error)
{
    bool present;
    int64_t id;
    if (!store_has_game(store, pairing_id, game->pair, game->leg, &present, error))
        return false;
    if (present)
        return error_fail(error, TM_INTERNAL, "store %s: leg %d of pair %d of pairing %lld is stored already",
                          store->path, game->leg, game->pair, (long long)pairing_id);
    if (!add_game(store, pairing_id, game, fen, &id, error))
        return false;
    for (int i = 0; i < game->move_count; i++) {
        bool white_moves = ((game->move[i].ply + side) & 1) == 0;
        int player = white_moves ? game->white : 1 - game->white;
        if (!add_move(store, id, player, &game->move[i], error))
            return false;
    }
    return true;
}

bool store_game(struct store *store, int64_t pairing_id, const struct game_record *game, const char *opening_fen,
                struct tm_error *error)
{
    int side = side_to_move(opening_fen);
    if (side < 0)
        return error_fail(error, TM_INTERNAL, "opening '%s': no side to move", opening_fen);
    return store_begin(store, error)
           && store_end(store, add_all(store, pairing_id, game, opening_fen, side, error), error);
}

bool store_has_game(struct store *store, int64_t pairing_id, int pair, int leg, bool *present, struct tm_error *error)
{
    const struct store_value key[] = { store_integer(pairing_id), store_integer(pair), store_integer(leg) };
    int64_t id;
    return store_lookup(store, STATEMENT_FIND_GAME, key, 3, present, &id, error);
}

bool store_count_ends(struct store *store, int64_t run_id, enum game_end end, int *count, struct tm_error *error)
{
    const struct store_value key[] = { store_integer(run_id), store_text(game_end_name(end)) };
    int64_t value;
    bool found;
    if (!store_lookup(store, STATEMENT_COUNT_ENDS, key, 2, &found, &value, error))
        return false;
    *count = found ? (int)value : 0;
    return true;
}

bool store_present_games(struct store *store, int64_t pairing_id, int pairs, bool *present, struct tm_error *error)
{
    memset(present, 0, (size_t)pairs * 2 * sizeof *present);
    const struct store_value key[] = { store_integer(pairing_id), store_integer(pairs) };
    sqlite3_stmt *statement = store_bind(store, STATEMENT_PRESENT_GAMES, key, 2);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        present[2 * sqlite3_column_int(statement, 0) + sqlite3_column_int(statement, 1)] = true;
    bool ok = code == SQLITE_DONE || store_fail(store, "reading it", error);
    sqlite3_reset(statement);
    return ok;
}

static enum tm_stop_reason reason_from(const char *name)
{
    for (int i = 0; i < TM_REASON_COUNT; i++)
        if (strcmp(stop_reason_name((enum tm_stop_reason)i), name) == 0)
            return (enum tm_stop_reason)i;
    return TM_REASON_NONE;
}

static enum game_end end_from(const char *name)
{
    for (int i = 0; i < END_COUNT; i++)
        if (strcmp(game_end_name((enum game_end)i), name) == 0)
            return (enum game_end)i;
    return END_NONE;
}

static void read_column(sqlite3_stmt *statement, int column, struct move_record *move)
{
    void *field = (char *)move + columns[column].offset;
    int index = FIRST_COLUMN + column;
    int64_t wide = sqlite3_column_int64(statement, index);
    switch (columns[column].kind) {
    case COLUMN_INT: *(int *)field = (int)wide; return;
    case COLUMN_BOOL: *(bool *)field = wide != 0; return;
    case COLUMN_REASON: *(enum tm_stop_reason *)field = reason_from((const char *)sqlite3_column_text(statement,
                                                                                                      index)); return;
    case COLUMN_LIMIT: wide = sqlite3_column_type(statement, index) == SQLITE_NULL ? TM_NS_MAX : wide; break;
    case COLUMN_INT64: break;
    }
    memcpy(field, &wide, sizeof wide);
}

static bool read_move(sqlite3_stmt *statement, struct move_record *move)
{
    *move = (struct move_record){ .ply = sqlite3_column_int(statement, 1) };
    strncpy(move->move, (const char *)sqlite3_column_text(statement, 3), sizeof move->move - 1);
    for (int i = 0; i < COLUMN_COUNT; i++)
        read_column(statement, i, move);
    int size = sqlite3_column_bytes(statement, TRACE_COLUMN);
    if (sqlite3_column_type(statement, TRACE_COLUMN) == SQLITE_NULL)
        return true;
    move->trace = malloc(size ? (size_t)size : 1);
    if (move->trace && size)
        memcpy(move->trace, sqlite3_column_blob(statement, TRACE_COLUMN), (size_t)size);
    move->trace_size = (size_t)size;
    return move->trace;
}

static bool read_moves(struct store *store, int64_t game_id, struct game_record *game, struct tm_error *error)
{
    game->move = calloc((size_t)game->move_capacity + 1, sizeof *game->move);
    if (!game->move)
        return error_fail(error, TM_INTERNAL, "out of memory for a game of %d plies", game->move_capacity);
    const struct store_value key[] = { store_integer(game_id) };
    sqlite3_stmt *statement = store_bind(store, STATEMENT_READ_MOVES, key, 1);
    int code;
    bool ok = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && ok && game->move_count < game->move_capacity)
        ok = read_move(statement, &game->move[game->move_count++]);
    if (code != SQLITE_DONE || !ok || game->move_count != game->move_capacity)
        ok = error_fail(error, TM_INPUT, "store %s: damaged, game %lld has not the %d plies that it claims",
                        store->path, (long long)game_id, game->move_capacity);
    sqlite3_reset(statement);
    return ok;
}

static char *copy_text(const unsigned char *text) { return text ? strdup((const char *)text) : NULL; }

static int64_t read_head(sqlite3_stmt *statement, struct game_record *game, char **fen)
{
    game->white = sqlite3_column_int(statement, 1);
    game->end = end_from((const char *)sqlite3_column_text(statement, 2));
    game->white_points = sqlite3_column_int(statement, 3);
    game->loser_side = sqlite3_column_int(statement, 4);
    game->fault = copy_text(sqlite3_column_text(statement, 5));
    game->move_capacity = sqlite3_column_int(statement, 6);
    game->clock_at_end[0] = sqlite3_column_int64(statement, 7);
    game->clock_at_end[1] = sqlite3_column_int64(statement, 8);
    *fen = copy_text(sqlite3_column_text(statement, 9));
    game->wall_ns = sqlite3_column_int64(statement, 10);
    game->cpu_ns = sqlite3_column_int64(statement, 11);
    return sqlite3_column_int64(statement, 0);
}

bool store_read_game(struct store *store, int64_t pairing_id, int pair, int leg, struct game_record *game,
                     char **opening_fen, struct tm_error *error)
{
    *game = (struct game_record){ .pair = pair, .leg = leg };
    *opening_fen = NULL;
    const struct store_value key[] = { store_integer(pairing_id), store_integer(pair), store_integer(leg) };
    sqlite3_stmt *statement = store_bind(store, STATEMENT_READ_GAME, key, 3);
    int code = sqlite3_step(statement);
    int64_t id = code == SQLITE_ROW ? read_head(statement, game, opening_fen) : 0;
    sqlite3_reset(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_fail(store, "reading it", error);
    if (code == SQLITE_DONE)
        return error_fail(error, TM_INPUT, "store %s: no leg %d of pair %d in pairing %lld", store->path, leg, pair,
                          (long long)pairing_id);
    if (read_moves(store, id, game, error))
        return true;
    game_record_clear(game);
    free(*opening_fen);
    *opening_fen = NULL;
    return false;
}
