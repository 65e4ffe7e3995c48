/* Running the store's statements, and saying what went wrong. */
#include "tmsim/store_internal.h"

/* SQLite's primary result codes that have a cause outside this program. */
static const struct { int code; const char *text; } causes[] = {
    { SQLITE_BUSY, "locked by another process" },
    { SQLITE_LOCKED, "locked by another process" },
    { SQLITE_FULL, "the disk is full; what was stored before is complete, and the same command continues it" },
    { SQLITE_READONLY, "may not be written" },
    { SQLITE_CANTOPEN, "cannot be opened; are the file and its directory writable?" },
    { SQLITE_PERM, "may not be opened" },
    { SQLITE_NOTADB, "not a store of tmsim: this is no SQLite file" },
    { SQLITE_CORRUPT, "damaged: SQLite finds it malformed" },
    { SQLITE_IOERR, "cannot be read or written" },
    { SQLITE_TOOBIG, "a value is too large" },
};

bool store_fail(struct store *store, const char *doing, struct tm_error *error)
{
    int code = store->db ? sqlite3_errcode(store->db) & 0xFF : SQLITE_NOMEM;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].code == code)
            return error_fail(error, TM_INPUT, "store %s: %s (%s)", store->path, causes[i].text, doing);
    return error_fail(error, TM_INTERNAL, "store %s: %s failed: %s", store->path, doing,
                      store->db ? sqlite3_errmsg(store->db) : "out of memory");
}

sqlite3_stmt *store_bind(struct store *store, enum statement which, const struct store_value *value, int count)
{
    sqlite3_stmt *statement = store->statement[which];
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    for (int i = 0; i < count; i++)
        switch (value[i].kind) {
        case VALUE_NULL: break;
        case VALUE_INTEGER: sqlite3_bind_int64(statement, i + 1, value[i].integer); break;
        case VALUE_REAL: sqlite3_bind_double(statement, i + 1, value[i].real); break;
        case VALUE_TEXT: sqlite3_bind_text(statement, i + 1, value[i].text, -1, SQLITE_STATIC); break;
        }
    return statement;
}

bool store_execute(struct store *store, enum statement which, const struct store_value *value, int count,
                   const char *doing, struct tm_error *error)
{
    sqlite3_stmt *statement = store_bind(store, which, value, count);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, doing, error);
    sqlite3_reset(statement);
    return ok;
}

bool store_lookup(struct store *store, enum statement which, const struct store_value *value, int count, bool *found,
                  int64_t *out, struct tm_error *error)
{
    sqlite3_stmt *statement = store_bind(store, which, value, count);
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    if (*found)
        *out = sqlite3_column_int64(statement, 0);
    bool ok = *found || code == SQLITE_DONE || store_fail(store, "reading it", error);
    sqlite3_reset(statement);
    return ok;
}

bool store_begin(struct store *store, struct tm_error *error)
{
    return store_execute(store, STATEMENT_BEGIN, NULL, 0, "waiting to write", error);
}

bool store_end(struct store *store, bool ok, struct tm_error *error)
{
    if (ok && store_execute(store, STATEMENT_COMMIT, NULL, 0, "writing", error))
        return true;
    if (!sqlite3_get_autocommit(store->db)) /* SQLite itself rolls back on some errors */
        store_execute(store, STATEMENT_ROLLBACK, NULL, 0, "taking back", NULL);
    return false;
}
