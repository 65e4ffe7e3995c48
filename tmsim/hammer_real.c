#include "tmsim/hammer_real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/store_internal.h"

/* Beyond it in one move of a hundred a machine is too noisy for a verdict: half of the increment of 1+0.01, the control
   that the hammer is made for. Guess; an idle machine shows a tenth of it. */
#define NOISY_NS (5 * TM_NS_PER_MS)

char *hammer_real_engine(char *buffer, size_t size)
{
    static const char *const places[] = { "zeitnot", "../engine/zeitnot" };
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        *strrchr(self, '/') = '\0';
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if ((size_t)snprintf(buffer, size, "%s/%s", self, places[i]) < size && access(buffer, X_OK) == 0)
                return buffer;
    }
    snprintf(buffer, size, "zeitnot");
    return buffer;
}

struct arm *hammer_real_arm(const struct policy *policy, const char *spec, const struct arm_request *request,
                            struct tm_error *error)
{
    char engine[4200], text[9000];
    struct arm_request with_policy = *request;
    char *label = store_label_of(policy_info(policy));
    const int length = snprintf(text, sizeof text, "cmd=\"%s\",name=\"%s-real\",option.Policy=\"%s\"",
                                hammer_real_engine(engine, sizeof engine), label ? label : "", spec);
    free(label);
    if (strchr(spec, '"') || length >= (int)sizeof text) {
        error_set(error, TM_INPUT, "policy %.200s: found a quotation mark, or too long a name, for an option of the engine", spec);
        return NULL;
    }
    with_policy.text = text;
    return arm_new(&with_policy, error);
}

/* ---- the machine ---- */

/* Of both sides, which are one player. */
static const char lags_sql[] =
    "SELECT m.overhead_ns FROM game g JOIN move m ON m.game = g.id WHERE g.pairing = ?1 ORDER BY m.overhead_ns";

/* Flags that would not have fallen if the machine had not been late in any own move of that game. */
static const char excused_sql[] =
    "SELECT count(*) FROM game g JOIN move m ON m.game = g.id WHERE g.pairing = ?1 AND m.flagged "
    "AND m.clock_before_ns - m.spend_ns - m.overhead_ns + (SELECT sum(n.overhead_ns) FROM move n WHERE n.game = g.id AND "
    "n.player = m.player AND n.ply % 2 = m.ply % 2) >= 0";

static bool read_lags(struct store *store, struct hammer_verdict *verdict, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, lags_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading lags", error);
    sqlite3_bind_int64(statement, 1, verdict->pairing);
    tm_ns *lag = NULL;
    int count = 0, capacity = 0, code;
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            tm_ns *grown = realloc(lag, (size_t)capacity * sizeof *lag);
            ok = grown || error_fail(error, TM_INTERNAL, "out of memory for lags");
            lag = grown ? grown : lag;
        }
        if (ok)
            lag[count++] = sqlite3_column_int64(statement, 0);
    }
    if (ok && code != SQLITE_DONE)
        ok = store_fail(store, "reading lags", error);
    if (ok && count > 0) {
        verdict->lag_median = lag[count / 2];
        verdict->lag_p99 = lag[count - 1 - count / 100];
        verdict->lag_worst = lag[count - 1];
    }
    free(lag);
    sqlite3_finalize(statement);
    return ok;
}

static bool read_excused(struct store *store, struct hammer_verdict *verdict, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, excused_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading flags", error);
    sqlite3_bind_int64(statement, 1, verdict->pairing);
    const bool ok = sqlite3_step(statement) == SQLITE_ROW || store_fail(store, "reading flags", error);
    if (ok)
        verdict->excused = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return ok;
}

bool hammer_real_read(struct store *store, struct hammer_verdict *verdict, struct tm_error *error)
{
    return read_lags(store, verdict, error) && read_excused(store, verdict, error);
}

void hammer_real_judge(struct hammer_verdict *verdict)
{
    if (verdict->illegal > 0 || verdict->flags > verdict->excused)
        return; /* it failed whatever the machine did */
    if (verdict->lag_p99 > NOISY_NS) {
        verdict->outcome = HAMMER_VOID;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "the machine is too noisy: 1 move in 100 was late by more than %.1f ms, %.1f ms are allowed",
                 (double)verdict->lag_p99 / 1e6, (double)NOISY_NS / 1e6);
    } else if (verdict->excused > 0) {
        verdict->outcome = HAMMER_VOID;
        snprintf(verdict->reason, sizeof verdict->reason, "%d flags would not have fallen without this machine's own lag in these games",
                 verdict->excused);
    }
}
