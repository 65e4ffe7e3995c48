/* Opening the store. A file is only written to once it is known to be ours or empty, and a file that this call
   has created but could not fill is removed, so that a failed start leaves nothing behind. */
#include "tmsim/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tmsim/schema.h"
#include "tmsim/store_internal.h"

/* How long a writer waits for another process's transaction: guess; one game takes about a millisecond. */
enum { BUSY_MS = 5000 };

static const struct migration migrations[] = {
    { 0, STORE_VERSION, schema_sql },
    { 1, 2, "ALTER TABLE gate ADD COLUMN value REAL NOT NULL DEFAULT 0; "
            "ALTER TABLE gate ADD COLUMN place INTEGER NOT NULL DEFAULT 0;" },
    { 2, 3, "ALTER TABLE policy ADD COLUMN tc TEXT;" },
};

static const char *const statement_sql[STATEMENT_COUNT] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_ROLLBACK] = "ROLLBACK",
    [STATEMENT_FIND_ENGINE] = "SELECT id FROM engine WHERE hash = ?",
    [STATEMENT_ADD_ENGINE] = "INSERT INTO engine (hash, name, identity) VALUES (?, ?, ?)",
    [STATEMENT_FIND_PROFILE] = "SELECT id FROM profile WHERE hash = ?",
    [STATEMENT_ADD_PROFILE] = "INSERT INTO profile (hash, name, json) VALUES (?, ?, ?)",
    [STATEMENT_FIND_RUN] = "SELECT id FROM run WHERE key = ?",
    [STATEMENT_ADD_RUN] = "INSERT INTO run (key, identity, program, tc, engine, profile, book_name, book_hash, book_order, overhead, "
                          "overhead_ns, quantum_ns, margin_ns, poll, first_inc, nps_scale, seed, adjudication, max_plies, "
                          "starved_floor_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_BASELINE] = "UPDATE run SET baseline = ?2 WHERE id = ?1",
    [STATEMENT_FIND_POLICY] = "SELECT id FROM policy WHERE hash = ?",
    [STATEMENT_ADD_POLICY] = "INSERT INTO policy (hash, label, name, title, source, unit, params, text, tc, version) "
                             "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                             "(SELECT ifnull(max(version), 0) + 1 FROM policy WHERE label = ?2))",
    [STATEMENT_POLICY_LABEL] = "SELECT CASE WHEN (SELECT count(*) FROM policy o WHERE o.label = p.label) > 1 "
                               "THEN label || '@' || substr(hash, 1, 4) ELSE label END FROM policy p WHERE id = ?",
    [STATEMENT_FIND_PAIRING] = "SELECT id FROM pairing WHERE run = ? AND first = ? AND second = ?",
    [STATEMENT_ADD_PAIRING] = "INSERT INTO pairing (run, first, second) VALUES (?, ?, ?)",
    [STATEMENT_FIND_OPENING] = "SELECT id FROM opening WHERE fen = ?",
    [STATEMENT_ADD_OPENING] = "INSERT INTO opening (fen) VALUES (?)",
    [STATEMENT_FIND_GAME] = "SELECT id FROM game WHERE pairing = ? AND pair = ? AND leg = ?",
    [STATEMENT_ADD_GAME] = "INSERT INTO game (pairing, pair, leg, opening, white, ending, white_points, loser_side, fault, "
                           "plies, clock_white_ns, clock_black_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_ADD_MOVE] = "INSERT INTO move VALUES "
                           "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_ADD_TIMING] = "INSERT INTO timing (game, wall_ns, cpu_ns) VALUES (?, ?, ?)",
    [STATEMENT_ADD_PATHOLOGY] = "INSERT INTO pathology (policy, kind, severity, found_by, tc, clock_lo_ns, clock_hi_ns, ply, "
                                "witness, sentence, run) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE NOT EXISTS "
                                "(SELECT 1 FROM pathology WHERE policy = ?1 AND kind = ?2 AND found_by = ?4 AND tc = ?5 "
                                "AND witness = ?9 AND sentence = ?10 AND run IS ?11)",
    [STATEMENT_PRESENT_GAMES] = "SELECT pair, leg FROM game WHERE pairing = ? AND pair < ?",
    [STATEMENT_COUNT_ENDS] = "SELECT count(*) FROM game g JOIN pairing p ON p.id = g.pairing WHERE p.run = ? AND g.ending = ?",
    [STATEMENT_READ_GAME] = "SELECT g.id, g.white, g.ending, ifnull(g.white_points, -1), ifnull(g.loser_side, -1), g.fault, "
                            "g.plies, g.clock_white_ns, g.clock_black_ns, o.fen, ifnull(t.wall_ns, 0), ifnull(t.cpu_ns, 0) "
                            "FROM game g JOIN opening o ON o.id = g.opening LEFT JOIN timing t ON t.game = g.id "
                            "WHERE g.pairing = ? AND g.pair = ? AND g.leg = ?",
    [STATEMENT_READ_MOVES] = "SELECT * FROM move WHERE game = ? ORDER BY ply",
    [STATEMENT_READ_TRACES] = "SELECT rate, trace FROM move WHERE trace IS NOT NULL ORDER BY game, ply",
};

static bool store_prepare(struct store *store, struct tm_error *error)
{
    for (int i = 0; i < STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(store->db, statement_sql[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statement[i], NULL)
            != SQLITE_OK)
            return error_fail(error, TM_INPUT, "store %s: damaged, its tables are not those of version %d: %s",
                              store->path, STORE_VERSION, sqlite3_errmsg(store->db));
    return true;
}

static bool store_run_sql(struct store *store, const char *sql, const char *doing, struct tm_error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, doing, error);
}

/* The first integer of a query that is not worth keeping prepared. */
static bool store_ask(struct store *store, const char *sql, int *out, struct tm_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK
              && sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int(statement, 0);
    else
        store_fail(store, "reading it", error);
    sqlite3_finalize(statement);
    return ok;
}

static const struct migration *migration_from(const struct migration *step, int step_count, int version)
{
    for (int i = 0; i < step_count; i++)
        if (step[i].from == version)
            return &step[i];
    return NULL;
}

static bool migrate_inside(struct store *store, const struct migration *step, int step_count, int version,
                           struct tm_error *error)
{
    int found = 0;
    /* Read again under the lock: another process may have been first. */
    while (store_ask(store, "PRAGMA user_version", &found, error)) {
        if (found >= version)
            return true;
        const struct migration *next = migration_from(step, step_count, found);
        if (!next)
            return error_fail(error, TM_INPUT, "store %s: no way leads from schema version %d to %d", store->path, found,
                              version);
        if (!store_run_sql(store, next->sql, "changing its schema", error))
            return false;
        char pragma[64];
        sqlite3_snprintf(sizeof pragma, pragma, "PRAGMA user_version = %d", next->to);
        if (!store_run_sql(store, pragma, "changing its schema", error))
            return false;
    }
    return false;
}

bool store_migrate(struct store *store, const struct migration *step, int step_count, int version,
                   struct tm_error *error)
{
    if (!store_run_sql(store, "BEGIN IMMEDIATE", "changing its schema", error))
        return false;
    if (migrate_inside(store, step, step_count, version, error))
        return store_run_sql(store, "COMMIT", "changing its schema", error);
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* Only reads: a foreign file stays as it is. */
static bool store_check(struct store *store, int *version, struct tm_error *error)
{
    int application = 0, tables = 0;
    if (!store_ask(store, "SELECT count(*) FROM sqlite_schema", &tables, error)
        || !store_ask(store, "PRAGMA application_id", &application, error)
        || !store_ask(store, "PRAGMA user_version", version, error))
        return false;
    bool empty = tables == 0 && application == 0 && *version == 0;
    if (application != STORE_APPLICATION && !empty)
        return error_fail(error, TM_INPUT, "store %s: an SQLite file of another program; expected a store of tmsim or a "
                          "new file", store->path);
    if (*version > STORE_VERSION)
        return error_fail(error, TM_INPUT, "store %s: schema version %d, written by a newer tmsim; this one knows versions "
                          "up to %d", store->path, *version, STORE_VERSION);
    return true;
}

/* The file as a URI that promises SQLite that nobody writes to it; the caller frees it. */
static char *immutable_uri(const char *path)
{
    static const char head[] = "file:", tail[] = "?immutable=1";
    char *uri = malloc(sizeof head + 3 * strlen(path) + sizeof tail), *out = uri;
    if (!uri)
        return NULL;
    out += sprintf(out, "%s", head);
    for (; *path; path++)
        out += strchr("?#%", *path) ? sprintf(out, "%%%02X", (unsigned char)*path) : sprintf(out, "%c", *path);
    strcpy(out, tail);
    return uri;
}

/* In a directory that may not be written, SQLite cannot make the shared memory that a WAL file needs. With no WAL
   there the file is whole and nobody writes, so it may be read without. */
static bool reopen_immutable(struct store *store)
{
    char *wal = malloc(strlen(store->path) + 5), *uri = immutable_uri(store->path);
    bool ok = wal && uri;
    if (ok) {
        strcpy(wal, store->path);
        strcat(wal, "-wal");
        ok = access(wal, F_OK) != 0;
    }
    if (ok) {
        sqlite3_close(store->db);
        ok = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    }
    free(wal);
    free(uri);
    return ok;
}

/* Reads the schema for the first time: here it shows whether the file can be read at all. */
static bool is_readable(struct store *store)
{
    return sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK;
}

static bool store_start(struct store *store, bool read_only, struct tm_error *error)
{
    int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return store_fail(store, "opening it", error);
    if (read_only && !is_readable(store) && (sqlite3_errcode(store->db) & 0xFF) != SQLITE_BUSY)
        reopen_immutable(store);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    int version = 0;
    if (!store_check(store, &version, error))
        return false;
    if (read_only && version < STORE_VERSION)
        return error_fail(error, TM_INPUT, "store %s: %s", store->path,
                          version ? "of an older schema; any writing command migrates it" : "empty, nothing has been played");
    if (!read_only
        && (!store_run_sql(store, "PRAGMA journal_mode = WAL", "opening it for writing", error)
            /* Survives kill -9 at any point; a power failure may cost the last games, never the file. */
            || !store_run_sql(store, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", "opening it", error)
            || !store_migrate(store, migrations, sizeof migrations / sizeof *migrations, STORE_VERSION, error)))
        return false;
    return store_prepare(store, error);
}

/* Makes sure that the file is there, and tells why not in the user's words; *created: it was not. */
static bool file_claim(const char *path, bool read_only, bool *created, struct tm_error *error)
{
    int file = open(path, read_only ? O_RDONLY : O_RDWR | O_CREAT | O_EXCL, 0666);
    *created = file >= 0 && !read_only;
    if (file < 0 && errno == EEXIST)
        file = open(path, O_RDWR);
    if (file < 0) {
        if (errno == ENOENT)
            return error_fail(error, TM_INPUT, read_only ? "store %s: there is no such file"
                              : "store %s: its directory does not exist", path);
        return error_fail(error, TM_INPUT, "store %s: cannot be %s: %s", path, read_only ? "read" : "written",
                          strerror(errno));
    }
    struct stat status;
    bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    close(file);
    return regular || error_fail(error, TM_INPUT, "store %s: not an ordinary file", path);
}

static void file_remove(const char *path)
{
    static const char *const suffix[] = { "", "-wal", "-shm" };
    char *name = malloc(strlen(path) + 5);
    for (size_t i = 0; name && i < sizeof suffix / sizeof *suffix; i++) {
        strcpy(name, path);
        strcat(name, suffix[i]);
        unlink(name);
    }
    free(name);
}

/* Keeps other writers out as long as this one lives: SQLite's own locks only cover a transaction. They are of another
   kind (fcntl) and are not disturbed, as long as this file is closed after the connection. */
static bool file_lock(struct store *store, struct tm_error *error)
{
    store->lock = open(store->path, O_RDWR | O_CLOEXEC);
    if (store->lock < 0)
        return error_fail(error, TM_INPUT, "store %s: cannot be written: %s", store->path, strerror(errno));
    return flock(store->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK /* a file system without such locks */
           || error_fail(error, TM_INPUT, "store %s: locked by another process that writes into it", store->path);
}

bool store_open(const char *path, bool read_only, struct store **out, struct tm_error *error)
{
    bool created;
    *out = NULL;
    if (!file_claim(path, read_only, &created, error))
        return false;
    struct store *store = calloc(1, sizeof *store);
    if (store)
        store->lock = -1;
    if (store && (store->path = strdup(path)) && (read_only || file_lock(store, error)) && store_start(store, read_only, error)) {
        *out = store;
        return true;
    }
    if (!store || !store->path)
        error_set(error, TM_INTERNAL, "out of memory while opening %s", path);
    store_close(store, NULL);
    if (created)
        file_remove(path);
    return false;
}

bool store_close(struct store *store, struct tm_error *error)
{
    if (!store)
        return true;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statement[i]);
    bool ok = sqlite3_close(store->db) == SQLITE_OK || store_fail(store, "closing it", error);
    if (!ok)
        sqlite3_close_v2(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
    return ok;
}
