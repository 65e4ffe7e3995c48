/* What games show to be wrong, as rows beside those of the solver. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/pathologies.h"
#include "tmsim/seen.h"
#include "tmsim/store_internal.h"

static const double STARVED_SHARE = 0.25, RESERVE_SHARE = 0.25; /* as the solver's: guesses */

enum { MOST = 8, SENTENCE = 420, WITNESS = 640 };

struct found {
    const struct seen *seen;
    int count;
    struct pathology_record record[MOST];
    char sentence[MOST][SENTENCE], witness[MOST][WITNESS];
    const char *found_by;
};

/* Adds one; `at` is where it shows. */
static void add(struct found *f, enum pathology_kind kind, enum severity severity, const struct seen_move *at, const char *sentence)
{
    const struct seen *seen = f->seen;
    const int i = f->count++;
    char clock[32], inc[32];
    snprintf(f->sentence[i], SENTENCE, "%s; pair %d, leg %d, ply %d, %.3f s on the clock, branches %016" PRIx64, sentence, at->pair,
             at->leg, at->ply, ns_to_s(at->clock), at->signature);
    snprintf(f->witness[i], WITNESS, "tmsim policy eval %s --time %ss --inc %ss --ply %d", seen->label,
             ns_print_seconds(clock, sizeof clock, at->clock > 0 ? at->clock : 0), ns_print_seconds(inc, sizeof inc, seen->inc), at->ply);
    f->record[i] = (struct pathology_record){
        .kind = pathology_name(kind), .severity = severity_name(severity), .found_by = f->found_by, .tc = seen->tc,
        .has_interval = true, .clock_lo = at->clock, .clock_hi = at->clock, .ply = at->ply, .witness = f->witness[i],
        .sentence = f->sentence[i], .run = seen->run, .game = at->game, .signature = at->signature };
}

static void find_time_losses(struct found *f)
{
    const struct seen *seen = f->seen;
    char text[200];
    if (seen->flags > 0) {
        snprintf(text, sizeof text, "%" PRId64 " flags in %" PRId64 " games, at worst %.1f ms or %" PRId64 " nodes beyond the clock; the first",
                 seen->flags, seen->games, (double)seen->overrun_worst / 1e6, seen->overrun_nodes);
        add(f, PATHOLOGY_FLAG, SEVERITY_SEVERE, &seen->first_flag, text);
    }
    if (seen->forgiven > 0) {
        snprintf(text, sizeof text, "would have flagged %" PRId64 " times without the margin; the first", seen->forgiven);
        add(f, PATHOLOGY_FLAG_RISK, SEVERITY_SEVERE, &seen->first_forgiven, text);
    }
}

static void find_budgets(struct found *f)
{
    const struct seen *seen = f->seen;
    char text[200];
    if (seen->blind_run > 0) {
        snprintf(text, sizeof text, "%.1f %% of %" PRId64 " moves are blind, the longest run is %d; it begins at",
                 100.0 * (double)seen->blind / (double)seen->moves, seen->moves, seen->blind_run);
        add(f, PATHOLOGY_BLIND_RUN, SEVERITY_WARNING, &seen->first_blind_run, text);
    }
    if (seen->starved > 0) {
        const double share = (double)seen->starved / (double)seen->moves;
        snprintf(text, sizeof text, "%.1f %% of %" PRId64 " moves are starved; the first", 100 * share, seen->moves);
        add(f, PATHOLOGY_STARVED, share > STARVED_SHARE ? SEVERITY_WARNING : SEVERITY_NOTE, &seen->first_starved, text);
    }
    if (seen->inversions > 0) {
        snprintf(text, sizeof text, "soft exceeds hard in %.1f %% of %" PRId64 " moves, at clocks from %.3f to %.3f s; the first",
                 100.0 * (double)seen->inversions / (double)seen->moves, seen->moves, ns_to_s(seen->inversion_lo), ns_to_s(seen->inversion_hi));
        add(f, PATHOLOGY_INVERSION, SEVERITY_WARNING, &seen->first_inversion, text);
    }
}

static void find_reserve(struct found *f)
{
    const struct seen *seen = f->seen;
    const tm_ns base = seen->base > 10 * seen->inc ? seen->base : 10 * seen->inc;
    char text[200];
    if ((double)seen->end_median <= RESERVE_SHARE * (double)base)
        return;
    snprintf(text, sizeof text, "%.3f s of %.3f s lie unused when a game ends (median); most", ns_to_s(seen->end_median), ns_to_s(base));
    add(f, PATHOLOGY_UNSPENT_RESERVE, SEVERITY_NOTE, &seen->fullest_end, text);
}

static bool forget(struct store *store, int64_t run, struct tm_error *error)
{
    char sql[96];
    sqlite3_snprintf(sizeof sql, sql, "DELETE FROM pathology WHERE run = %lld", (long long)run);
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, "storing pathologies", error);
}

bool seen_store(struct store *store, int64_t run, const char *found_by, struct tm_error *error)
{
    struct seen *seen;
    int count;
    if (!seen_read(store, run, &seen, &count, error))
        return false;
    bool ok = forget(store, run, error);
    struct found *found = calloc(1, sizeof *found);
    ok = ok && (found || error_fail(error, TM_INTERNAL, "out of memory for pathologies"));
    for (int i = 0; ok && i < count; i++) {
        *found = (struct found){ .seen = &seen[i], .found_by = found_by };
        find_time_losses(found);
        find_budgets(found);
        find_reserve(found);
        ok = store_pathologies(store, seen[i].policy, found->record, found->count, error);
    }
    free(found);
    seen_clear(seen, count);
    free(seen);
    return ok;
}

/* ---- rank --pathologies ---- */

enum column { RUN, POLICY, TC, FOUND_BY, SEVERITY, KIND, LOW, HIGH, PLY, SENTENCE_COLUMN, WITNESS_COLUMN, GAME, SIGNATURE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [RUN] = { "run", NULL, "run", TABLE_LEFT, 0, false },
    [POLICY] = { "policy", NULL, "policy", TABLE_LEFT, 0, false },
    [TC] = { "tc", NULL, "tc", TABLE_LEFT, 0, false },
    [FOUND_BY] = { "found_by", NULL, "found by", TABLE_LEFT, 0, false },
    [SEVERITY] = { "severity", NULL, "severity", TABLE_LEFT, 0, false },
    [KIND] = { "kind", NULL, "kind", TABLE_LEFT, 0, false },
    [LOW] = { "clock_lo_s", NULL, NULL, TABLE_RIGHT, 3, false },
    [HIGH] = { "clock_hi_s", NULL, NULL, TABLE_RIGHT, 3, false },
    [PLY] = { "ply", NULL, NULL, TABLE_RIGHT, 0, false },
    [SENTENCE_COLUMN] = { "sentence", NULL, "what", TABLE_LEFT, 0, false },
    [WITNESS_COLUMN] = { "witness", NULL, NULL, TABLE_LEFT, 0, false },
    [GAME] = { "game", NULL, NULL, TABLE_RIGHT, 0, false },
    [SIGNATURE] = { "branches", NULL, NULL, TABLE_LEFT, 0, false },
};

static const char pathologies_sql[] =
    "SELECT ifnull(substr(r.key, 1, 4), ''), h.policy, h.tc, h.found_by, h.severity, h.kind, h.clock_lo_ns, h.clock_hi_ns, h.ply, "
    "h.sentence, h.witness, h.game, CASE WHEN h.signature IS NOT NULL THEN printf('%016x', h.signature) END, h.run FROM pathology h LEFT JOIN run r ON r.id = h.run ORDER BY h.tc, h.policy, h.run, "
    "CASE h.severity WHEN 'severe' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, h.kind, h.id";

static bool is_wanted(sqlite3_stmt *statement, const int64_t *run, int count)
{
    if (sqlite3_column_type(statement, 13) == SQLITE_NULL)
        return true;
    for (int i = 0; i < count; i++)
        if (run[i] == sqlite3_column_int64(statement, 13))
            return true;
    return false;
}

static bool add_row(struct table *table, struct store *store, sqlite3_stmt *statement, struct tm_error *error)
{
    char *label = store_policy_label(store, sqlite3_column_int64(statement, 1), error);
    if (!label)
        return false;
    table_row(table);
    for (int column = RUN; column < COLUMNS; column++)
        if (column == POLICY)
            table_text(table, column, label);
        else if (sqlite3_column_type(statement, column) == SQLITE_NULL)
            table_undefined(table, column, "open or not tied to one");
        else if (column == LOW || column == HIGH)
            table_real(table, column, ns_to_s(sqlite3_column_int64(statement, column)));
        else if (column == PLY || column == GAME)
            table_integer(table, column, sqlite3_column_int64(statement, column));
        else
            table_text(table, column, (const char *)sqlite3_column_text(statement, column));
    free(label);
    return true;
}

bool seen_print_pathologies(struct store *store, const int64_t *run, int count, enum table_format format, FILE *stream,
                            struct tm_error *error)
{
    sqlite3_stmt *statement;
    struct table *table = table_new(columns, COLUMNS);
    if (!table)
        return error_fail(error, TM_INTERNAL, "out of memory");
    bool ok = sqlite3_prepare_v2(store->db, pathologies_sql, -1, &statement, NULL) == SQLITE_OK ||
              store_fail(store, "reading pathologies", error);
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = !is_wanted(statement, run, count) || add_row(table, store, statement, error);
    ok = ok && (code == SQLITE_DONE || store_fail(store, "reading pathologies", error));
    sqlite3_finalize(statement);
    const struct table_frame frame = { .schema = "tmsim.pathologies/1" };
    if (ok && format == TABLE_TEXT)
        table_print_text(table, 0, table_row_count(table), stream);
    else if (ok)
        ok = table_print(table, format, &frame, stream) || error_fail(error, TM_INTERNAL, "standard output could not be written");
    table_free(table);
    return ok;
}
