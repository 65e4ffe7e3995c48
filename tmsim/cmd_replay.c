/* `tmsim replay`: stored games again, bit for bit, or where they diverge. */
#include <stdlib.h>
#include <string.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/replay.h"
#include "tmsim/store_internal.h"
#include "tmsim/table.h"

static const struct option_spec specs[] = {
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the store" },
    { .name = "from", .kind = OPTION_CHOICE, .argument = "events|search|best", .fallback = "best",
      .help = "events: feed what --trace stop has kept to the stop rule; search: let the engine search again; best: "
              "events where they were kept" },
    OPTION_ROW_FORMAT,
};

static const struct option_set set = {
    .command = "tmsim replay", .operands = "GAME…",
    .summary = "Plays stored games again and compares every field of every move. GAME is an id of the table `game`, "
               "or\n"
               "`all`. Exit code 4: a game diverges.",
    .example = "tmsim replay 17 --db games.db", .spec = specs, .count = sizeof specs / sizeof *specs,
    .min_operands = 1, .max_operands = 10000,
};

enum column { COLUMN_GAME, COLUMN_TC, COLUMN_WHITE, COLUMN_BLACK, COLUMN_PAIR, COLUMN_LEG, COLUMN_PLIES, COLUMN_SOURCE,
              COLUMN_WORD, COLUMN_IDENTICAL, COLUMN_PLY, COLUMN_DIVERGENCE, COLUMN_COUNT };

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_GAME] = { "game", "game", "", TABLE_RIGHT, 0, false },
    [COLUMN_TC] = { "tc", "tc", "", TABLE_LEFT, 0, false },
    [COLUMN_WHITE] = { "white", "White", "", TABLE_LEFT, 0, false },
    [COLUMN_BLACK] = { "black", "Black", "", TABLE_LEFT, 0, false },
    [COLUMN_PAIR] = { "pair", "pair", "", TABLE_RIGHT, 0, false },
    [COLUMN_LEG] = { "leg", "leg", "", TABLE_RIGHT, 0, false },
    [COLUMN_PLIES] = { "plies", "plies", "", TABLE_RIGHT, 0, false },
    [COLUMN_SOURCE] = { "source", "from", "", TABLE_LEFT, 0, false },
    [COLUMN_WORD] = { .group = "", .head = "" },
    [COLUMN_IDENTICAL] = { .key = "identical" },
    [COLUMN_PLY] = { .key = "divergence_ply" },
    [COLUMN_DIVERGENCE] = { .key = "divergence", .group = "", .head = "" },
};

static void put_replay(struct table *table, const struct replay *replay)
{
    char divergence[400] = "";
    table_row(table);
    table_integer(table, COLUMN_GAME, replay->game);
    table_text(table, COLUMN_TC, replay->tc);
    table_text(table, COLUMN_WHITE, replay->white);
    table_text(table, COLUMN_BLACK, replay->black);
    table_integer(table, COLUMN_PAIR, replay->pair);
    table_integer(table, COLUMN_LEG, replay->leg);
    table_integer(table, COLUMN_PLIES, replay->plies);
    table_text(table, COLUMN_SOURCE, replay->source == REPLAY_EVENTS ? "events" : "search");
    table_text(table, COLUMN_WORD, replay->identical ? "bit-identical" : "DIVERGES");
    table_bool(table, COLUMN_IDENTICAL, replay->identical);
    if (replay->identical || replay->ply < 0)
        table_undefined(table, COLUMN_PLY, replay->identical ? "identical" : "the game as a whole");
    else
        table_integer(table, COLUMN_PLY, replay->ply);
    if (!replay->identical && replay->ply >= 0)
        snprintf(divergence, sizeof divergence, "at ply %d: %s", replay->ply, replay->divergence);
    else
        snprintf(divergence, sizeof divergence, "%s", replay->divergence);
    table_text(table, COLUMN_DIVERGENCE, divergence);
}

static bool replay_one(struct store *store, int64_t game, enum replay_source source, struct table *table,
                       bool *diverges, struct tm_error *error)
{
    struct replay replay;
    const bool ok = replay_game(store, game, source, &replay, error);
    if (ok) {
        put_replay(table, &replay);
        *diverges = *diverges || !replay.identical;
    }
    replay_clear(&replay);
    return ok;
}

static bool replay_all(struct store *store, enum replay_source source, struct table *table, bool *diverges,
                       struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, "SELECT id FROM game ORDER BY id", -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading its games", error);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = replay_one(store, sqlite3_column_int64(statement, 0), source, table, diverges, error);
    sqlite3_finalize(statement);
    return ok && (code == SQLITE_DONE || store_fail(store, "reading its games", error));
}

static bool replay_operands(const struct options *options, struct store *store, struct table *table, bool *diverges,
                            struct tm_error *error)
{
    const enum replay_source source = (enum replay_source)options_choice(options, "from");
    for (int i = 0; i < options_operand_count(options); i++) {
        const char *word = options_operand(options, i);
        int64_t game = 0;
        if (strcmp(word, "all") == 0) {
            if (!replay_all(store, source, table, diverges, error))
                return false;
        } else if (!option_parse_integer("GAME", word, 1, INT64_MAX, &game, error)
                   || !replay_one(store, game, source, table, diverges, error)) {
            return false;
        }
    }
    return true;
}

int cmd_replay(int argc, char **argv)
{
    int code = TM_OK;
    struct options *options = command_options(&set, argc, argv, &code);
    if (!options)
        return code;
    struct tm_error error = { 0 };
    struct store *store = NULL;
    struct table *table = table_new(columns, COLUMN_COUNT);
    bool diverges = false;
    bool ok = table || error_fail(&error, TM_INTERNAL, "out of memory");
    ok = ok && store_open(options_text(options, "db"), true, &store, &error)
         && replay_operands(options, store, table, &diverges, &error);
    const struct table_frame frame = { .schema = "tmsim.replay/1" };
    if (ok && !table_print(table, (enum table_format)options_choice(options, "format"), &frame, stdout))
        ok = error_fail(&error, TM_INTERNAL, "the result could not be printed");
    store_close(store, NULL);
    table_free(table);
    options_free(options);
    return !ok ? command_fail(&error) : diverges ? TM_VOID : TM_OK;
}
