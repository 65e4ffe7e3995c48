/* Event streams out of a store. */
#include "tmsim/store_internal.h"

bool store_read_traces(struct store *store, store_trace_reader *each, void *ctx, struct tm_error *error)
{
    sqlite3_stmt *statement = store_bind(store, STATEMENT_READ_TRACES, NULL, 0);
    bool ok = true;
    int code;
    while (ok && (code = sqlite3_step(statement)) != SQLITE_DONE)
        ok = code == SQLITE_ROW
                 ? each(ctx, sqlite3_column_int64(statement, 0), sqlite3_column_blob(statement, 1),
                        (size_t)sqlite3_column_bytes(statement, 1), error)
                 : store_fail(store, "reading event streams", error);
    sqlite3_reset(statement);
    return ok;
}
