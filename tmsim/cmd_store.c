/* `tmsim store info | prune`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/store_internal.h"
#include "tmsim/table.h"

static const struct option_spec info_specs[] = {
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the store" },
    OPTION_ROW_FORMAT,
};

static const struct option_spec prune_specs[] = {
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the store" },
    { .name = "traces", .kind = OPTION_FLAG, .help = "drop the recorded events of all games; results and replay by "
                                                     "search stay" },
    { .name = "run", .kind = OPTION_TEXT, .argument = "KEY", .repeated = true,
      .help = "drop the run whose key begins so, with its games" },
};

static const struct option_set sets[] = {
    { .command = "tmsim store info", .operands = "", .summary = "Shows the runs of a store, their games, moves and "
                                                                "traces.",
      .example = "tmsim store info --db games.db", .spec = info_specs,
      .count = sizeof info_specs / sizeof *info_specs },
    { .command = "tmsim store prune", .operands = "",
      .summary = "Drops traces or runs from a store, in one transaction, and gives the space back.",
      .example = "tmsim store prune --traces --db games.db", .spec = prune_specs,
      .count = sizeof prune_specs / sizeof *prune_specs },
};

/* ---- info ---- */

static const struct table_column columns[] = {
    { "run", "run", "", TABLE_LEFT, 0, false },         { "tc", "tc", "", TABLE_LEFT, 0, false },
    { "profile", "profile", "", TABLE_LEFT, 0, false }, { "overhead", "overhead", "", TABLE_LEFT, 0, false },
    { "seed", "seed", "", TABLE_RIGHT, 0, false },      { "pairings", "pairings", "", TABLE_RIGHT, 0, false },
    { "games", "games", "", TABLE_RIGHT, 0, false },    { "moves", "moves", "", TABLE_RIGHT, 0, false },
    { "trace_bytes", "trace", "bytes", TABLE_RIGHT, 0, false }, { "gates", "gates", "", TABLE_LEFT, 0, false },
};
enum { TEXTS = 4, COLUMNS = sizeof columns / sizeof *columns };

static const char info_sql[] =
    "SELECT r.key, r.tc, f.name, r.overhead, r.seed, (SELECT count(*) FROM pairing p WHERE p.run = r.id), "
    "count(DISTINCT g.id), count(m.ply), total(length(m.trace)), CASE (SELECT min(passed) FROM gate t WHERE t.run = "
    "r.id) WHEN 1 THEN 'passed' WHEN 0 THEN 'VOID' ELSE 'not checked' END FROM run r JOIN profile f ON f.id = "
    "r.profile LEFT JOIN pairing p ON p.run = r.id LEFT JOIN game g ON g.pairing = p.id LEFT JOIN move m ON m.game = "
    "g.id GROUP BY r.id ORDER BY r.id";

static bool info(const struct options *options, int *exit_code, struct tm_error *error)
{
    (void)exit_code;
    struct store *store;
    sqlite3_stmt *row = NULL;
    if (!store_open(options_text(options, "db"), true, &store, error))
        return false;
    struct table *table = table_new(columns, COLUMNS);
    bool ok = sqlite3_prepare_v2(store->db, info_sql, -1, &row, NULL) == SQLITE_OK
        || store_fail(store, "reading it", error);
    int code = SQLITE_DONE;
    while (ok && table && (code = sqlite3_step(row)) == SQLITE_ROW) {
        table_row(table);
        for (int i = 0; i < COLUMNS; i++)
            if (i <= TEXTS || i == COLUMNS - 1)
                table_text(table, i, (const char *)sqlite3_column_text(row, i));
            else
                table_integer(table, i, sqlite3_column_int64(row, i));
    }
    sqlite3_finalize(row);
    ok = ok && (code == SQLITE_DONE || store_fail(store, "reading it", error));
    const struct table_frame frame = { .schema = "tmsim.store/1" };
    if (ok && !(table && table_print(table, (enum table_format)options_choice(options, "format"), &frame, stdout)))
        ok = error_fail(error, TM_INTERNAL, "the table could not be printed");
    table_free(table);
    store_close(store, NULL);
    return ok;
}

/* ---- prune ---- */

/* Children before parents; the foreign keys are on. */
static const char *const drop_sql[] = {
    "DELETE FROM timing WHERE game IN (SELECT g.id FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ?)",
    "DELETE FROM move WHERE game IN (SELECT g.id FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ?)",
    "DELETE FROM game WHERE pairing IN (SELECT id FROM pairing WHERE run = ?)",
    "DELETE FROM pairing WHERE run = ?",
    "DELETE FROM gate WHERE run = ?",
    "DELETE FROM pathology WHERE run = ?",
    "DELETE FROM run WHERE id = ?",
};

static bool execute(struct store *store, const char *sql, int64_t parameter, struct tm_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK;
    if (ok && sqlite3_bind_parameter_count(statement) > 0)
        sqlite3_bind_int64(statement, 1, parameter);
    ok = (ok && sqlite3_step(statement) == SQLITE_DONE) || store_fail(store, "pruning it", error);
    sqlite3_finalize(statement);
    return ok;
}

/* The one run whose key begins so. */
static bool find_run(struct store *store, const char *prefix, int64_t *run, struct tm_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, "SELECT count(*), max(id) FROM run WHERE substr(key, 1, length(?1)) = ?1", -1,
                           &statement, NULL) != SQLITE_OK)
        return store_fail(store, "pruning it", error);
    sqlite3_bind_text(statement, 1, prefix, -1, SQLITE_STATIC);
    const int count = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    *run = sqlite3_column_int64(statement, 1);
    sqlite3_finalize(statement);
    return count == 1 || error_fail(error, TM_INPUT, "--run %s: %d runs have a key that begins so, expected one",
                                    prefix, count);
}

static bool drop_runs(const struct options *options, struct store *store, struct tm_error *error)
{
    for (int i = 0; i < options_given(options, "run"); i++) {
        int64_t run = 0;
        if (!find_run(store, options_text_at(options, "run", i), &run, error))
            return false;
        for (size_t k = 0; k < sizeof drop_sql / sizeof *drop_sql; k++)
            if (!execute(store, drop_sql[k], run, error))
                return false;
    }
    return true;
}

static bool prune_store(const struct options *options, struct store *store, struct tm_error *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = drop_runs(options, store, error);
    if (ok && options_flag(options, "traces"))
        ok = execute(store, "UPDATE move SET trace = NULL WHERE trace IS NOT NULL", 0, error);
    return store_end(store, ok, error) && execute(store, "VACUUM", 0, error);
}

static bool prune(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct store *store;
    if (!options_flag(options, "traces") && !options_given(options, "run"))
        return error_fail(error, TM_INPUT, "nothing to drop; expected --traces or --run KEY");
    if (access(options_text(options, "db"), F_OK) != 0)
        return error_fail(error, TM_INPUT, "store %s: there is no such file", options_text(options, "db"));
    if (!store_open(options_text(options, "db"), false, &store, error))
        return false;
    const bool ok = prune_store(options, store, error);
    return store_close(store, ok ? error : NULL) && ok;
}

static int run_info(int argc, char **argv) { return command_run(&sets[0], argc, argv, info); }
static int run_prune(int argc, char **argv) { return command_run(&sets[1], argc, argv, prune); }

int cmd_store(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "info", "the runs of a store, their games, moves and traces", run_info },
        { "prune", "drop traces or runs", run_prune },
    };
    static const struct command_group group = { "store", rows, sizeof rows / sizeof *rows,
                                                "tmsim store info --db games.db" };
    return command_group_run(&group, argc, argv);
}
