/* What the source files of the store share: the connection, its statements, values to bind, errors. */
#ifndef TMSIM_STORE_INTERNAL_H
#define TMSIM_STORE_INTERNAL_H

#include <sqlite3.h>

#include "tmsim/store.h"

enum { STORE_APPLICATION = 0x5A454954, STORE_VERSION = 3 };

enum statement {
    STATEMENT_BEGIN, STATEMENT_COMMIT, STATEMENT_ROLLBACK,
    STATEMENT_FIND_ENGINE, STATEMENT_ADD_ENGINE, STATEMENT_FIND_PROFILE, STATEMENT_ADD_PROFILE,
    STATEMENT_FIND_RUN, STATEMENT_ADD_RUN, STATEMENT_BASELINE,
    STATEMENT_FIND_POLICY, STATEMENT_ADD_POLICY, STATEMENT_POLICY_LABEL,
    STATEMENT_FIND_PAIRING, STATEMENT_ADD_PAIRING, STATEMENT_FIND_OPENING, STATEMENT_ADD_OPENING,
    STATEMENT_FIND_GAME, STATEMENT_ADD_GAME, STATEMENT_ADD_MOVE, STATEMENT_ADD_TIMING,
    STATEMENT_ADD_PATHOLOGY,
    STATEMENT_PRESENT_GAMES, STATEMENT_COUNT_ENDS, STATEMENT_READ_GAME, STATEMENT_READ_MOVES,
    STATEMENT_READ_TRACES,
    STATEMENT_COUNT
};

struct store {
    sqlite3 *db;
    char *path;
    int lock; /* of a writer: an open file with an advisory lock; -1: none */
    sqlite3_stmt *statement[STATEMENT_COUNT];
};

/* A value for one `?`. */
struct store_value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT } kind;
    int64_t integer;
    double real;
    const char *text;
};

static inline struct store_value store_integer(int64_t value)
{
    return (struct store_value){ .kind = VALUE_INTEGER, .integer = value };
}

static inline struct store_value store_real(double value)
{
    return (struct store_value){ .kind = VALUE_REAL, .real = value };
}

/* NULL text becomes NULL; borrowed until the statement is done. */
static inline struct store_value store_text(const char *value)
{
    return (struct store_value){ .kind = value ? VALUE_TEXT : VALUE_NULL, .text = value };
}

/* TM_NS_MAX, no limit, becomes NULL. */
static inline struct store_value store_limit(tm_ns value)
{
    return (struct store_value){ .kind = value == TM_NS_MAX ? VALUE_NULL : VALUE_INTEGER, .integer = value };
}

/* NULL instead of a number. */
static inline struct store_value store_integer_or_null(int64_t value, bool present)
{
    return (struct store_value){ .kind = present ? VALUE_INTEGER : VALUE_NULL, .integer = value };
}

/* Turns the connection's last error into one message. Always false. `doing`: "storing a game". */
bool store_fail(struct store *store, const char *doing, struct tm_error *error);

/* Resets the statement and binds values to its first `count` parameters. */
sqlite3_stmt *store_bind(struct store *store, enum statement which, const struct store_value *value, int count);

/* Runs a statement without a result, and resets it. */
bool store_execute(struct store *store, enum statement which, const struct store_value *value, int count,
                   const char *doing, struct tm_error *error);

/* The single integer that a query gives, or *found = false. */
bool store_lookup(struct store *store, enum statement which, const struct store_value *value, int count, bool *found,
                  int64_t *out, struct tm_error *error);

bool store_begin(struct store *store, struct tm_error *error);

/* Commits if `ok`, else rolls back and leaves `error` alone. Gives whether the transaction is in the file. */
bool store_end(struct store *store, bool ok, struct tm_error *error);

/* "pool:moves=30": without a path, and in the file's order of parameters, however the user wrote it. The caller
   frees it; NULL: out of memory. */
char *store_label_of(const struct policy_info *info);

/* Every parameter's value as canonical JSON; likewise. */
char *store_params_of(const struct policy_info *info);

/* One step from a schema version to another; the first, from 0, is schema.sql itself. */
struct migration {
    int from, to;
    const char *sql;
};

/* Brings the file to `version` by the steps of the table, in one transaction. */
bool store_migrate(struct store *store, const struct migration *step, int step_count, int version,
                   struct tm_error *error);

#endif
