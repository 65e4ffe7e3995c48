/* A run's aggregates by SQL. Nothing here depends on the order in which games were stored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/gates.h"
#include "tmsim/rank_internal.h"
#include "tmsim/store_internal.h"

/* (a, b) and (b, a) of one run hold the same games with the legs exchanged: count each once. */
#define NOT_TWICE \
    " NOT EXISTS (SELECT 1 FROM pairing r JOIN game t ON t.pairing = r.id AND t.pair = g.pair AND t.leg = 1 - g.leg " \
    "WHERE r.run = p.run AND r.first = p.second AND r.second = p.first AND r.id < p.id) "

static const char heading_sql[] =
    "SELECT r.key, r.tc, f.name, r.overhead, r.seed, ifnull(r.baseline, 0), ifnull(r.overhead_ns, -1) FROM run r JOIN profile f "
    "ON f.id = r.profile WHERE r.id = ?";

static const char openings_sql[] =
    "SELECT count(DISTINCT g.opening) FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ?";

static const char policies_sql[] =
    "SELECT q.id, CASE WHEN (SELECT count(*) FROM policy o WHERE o.label = q.label) > 1 THEN q.label || '@' || "
    "substr(q.hash, 1, 4) ELSE q.label END, q.version, q.label, q.tc FROM policy q WHERE EXISTS (SELECT 1 FROM pairing p JOIN "
    "game g ON g.pairing = p.id WHERE p.run = ? AND q.id IN (p.first, p.second)) ORDER BY q.id";

/* Pairs with both legs: points of the first policy, whether the two games are the same with the colours swapped,
   whether a policy faulted, how many. The moves are only compared where all else is equal. */
static const char pairs_sql[] =
    "SELECT p.first, p.second, "
    "CASE WHEN g.white = 0 THEN g.white_points ELSE 2 - g.white_points END + "
    "CASE WHEN h.white = 0 THEN h.white_points ELSE 2 - h.white_points END AS points, "
    "CASE WHEN g.white != h.white AND g.white_points = h.white_points AND g.plies = h.plies AND g.opening = h.opening "
    "THEN NOT EXISTS (SELECT 1 FROM move m JOIN move n ON n.game = h.id AND n.ply = m.ply WHERE m.game = g.id "
    "AND n.move != m.move) ELSE 0 END AS mirrored, "
    "g.ending = 'policy_fault' OR h.ending = 'policy_fault' OR g.white_points IS NULL OR h.white_points IS NULL AS faulted, "
    "count(*) "
    "FROM pairing p JOIN game g ON g.pairing = p.id AND g.leg = 0 JOIN game h ON h.pairing = p.id AND h.pair = g.pair "
    "AND h.leg = 1 WHERE p.run = ? AND" NOT_TWICE "GROUP BY p.id, points, mirrored, faulted";

static const char half_sql[] =
    "SELECT count(*) FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ? AND NOT EXISTS (SELECT 1 FROM game h "
    "WHERE h.pairing = p.id AND h.pair = g.pair AND h.leg = 1 - g.leg)";

/* CROSS JOIN fixes the order: the moves of a game lie together. `median` is ours. */
static const char moves_sql[] =
    "SELECT count(*), total(m.blind), total(m.fallback), total(m.starved), total(m.flagged), total(m.reason = 'soft'), "
    "total(m.reason = 'hard'), median(m.spend_ns), max(m.spend_ns), min(m.clock_before_ns - m.spend_ns - m.overhead_ns), "
    "min(m.rate), max(m.rate) FROM pairing p CROSS JOIN game g ON g.pairing = p.id CROSS JOIN move m ON m.game = g.id "
    "WHERE p.run = ?1 AND (p.first = ?2 OR p.second = ?2) AND ((p.first = ?2 AND m.player = 0) OR (p.second = ?2 AND "
    "m.player = 1)) AND" NOT_TWICE;

static const char sides_sql[] =
    "SELECT count(*), median(clock) FROM (SELECT CASE WHEN g.white = side.player THEN g.clock_white_ns ELSE "
    "g.clock_black_ns END AS clock FROM (SELECT 0 AS player UNION ALL SELECT 1) side CROSS JOIN pairing p JOIN game g ON "
    "g.pairing = p.id WHERE p.run = ?1 AND ((side.player = 0 AND p.first = ?2) OR (side.player = 1 AND p.second = ?2)) "
    "AND" NOT_TWICE ")";

/* The values that the aggregate function `median` has seen. */
struct sample_list {
    int64_t *value;
    size_t count, room;
};

static void median_step(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct sample_list *list = sqlite3_aggregate_context(context, sizeof *list);
    if (!list || sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 1024;
        int64_t *value = realloc(list->value, room * sizeof *value);
        if (!value) {
            sqlite3_result_error_nomem(context);
            return;
        }
        list->value = value;
        list->room = room;
    }
    list->value[list->count++] = sqlite3_value_int64(argument[0]);
}

/* The element that would stand at `place` if the list were sorted (Hoare's selection). */
static int64_t select_place(int64_t *value, size_t count, size_t place)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        int64_t pivot = value[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (value[i] < pivot)
                i++;
            while (value[j] > pivot)
                j--;
            if (i >= j)
                break;
            int64_t swap = value[i];
            value[i++] = value[j];
            value[j--] = swap;
        }
        if (place <= j)
            high = j;
        else
            low = j + 1;
    }
    return value[place];
}

/* The middle value, or the mean of the two, rounded down; NULL of nothing. */
static void median_final(sqlite3_context *context)
{
    struct sample_list *list = sqlite3_aggregate_context(context, 0);
    if (!list || list->count == 0) {
        sqlite3_result_null(context);
        return;
    }
    int64_t upper = select_place(list->value, list->count, list->count / 2);
    int64_t lower = list->count % 2 ? upper : select_place(list->value, list->count, list->count / 2 - 1);
    sqlite3_result_int64(context, lower + (upper - lower) / 2);
    free(list->value);
}

/* Prepares a query and binds the run and, if the query has a second parameter, the policy. */
static sqlite3_stmt *ask(struct store *store, const char *sql, int64_t run, int64_t policy, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        store_fail(store, "ranking", error);
        return NULL;
    }
    sqlite3_bind_int64(statement, 1, run);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, policy);
    return statement;
}

/* Ends a query whose last step gave `code`. */
static bool asked(struct store *store, sqlite3_stmt *statement, int code, struct tm_error *error)
{
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW || store_fail(store, "ranking", error);
    sqlite3_finalize(statement);
    return ok;
}

static char *column_copy(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return strdup(text ? text : "");
}

static bool read_heading(struct store *store, struct ranking *ranking, int64_t *baseline, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, heading_sql, ranking->run, 0, error);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        char **const text[] = { &ranking->key, &ranking->tc, &ranking->profile, &ranking->overhead, &ranking->seed };
        for (int i = 0; i < 5; i++)
            *text[i] = column_copy(statement, i);
        *baseline = sqlite3_column_int64(statement, 5);
        ranking->overhead_ns = sqlite3_column_int64(statement, 6);
    }
    return asked(store, statement, code, error)
           && (ranking->seed || error_fail(error, TM_INTERNAL, "store %s: no run %lld", store->path, (long long)ranking->run));
}

static bool read_number(struct store *store, const char *sql, int64_t run, int64_t *out, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, sql, run, 0, error);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    return asked(store, statement, code, error);
}

static int find_row(const struct ranking *ranking, int64_t policy)
{
    for (int i = 0; i < ranking->count; i++)
        if (ranking->row[i].policy == policy)
            return i;
    return -1;
}

static bool add_policy(struct ranking *ranking, sqlite3_stmt *statement)
{
    struct rank_row *row = realloc(ranking->row, ((size_t)ranking->count + 1) * sizeof *row);
    if (!row)
        return false;
    ranking->row = row;
    row = &ranking->row[ranking->count++];
    *row = (struct rank_row){ .policy = sqlite3_column_int64(statement, 0), .label = column_copy(statement, 1),
                              .version = sqlite3_column_int(statement, 2) };
    const bool own_tc = sqlite3_column_type(statement, 4) != SQLITE_NULL;
    if (own_tc)
        row->tc = column_copy(statement, 4);
    return row->label && (row->tc || !own_tc);
}

static bool read_policies(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, policies_sql, ranking->run, 0, error);
    if (!statement)
        return false;
    int code;
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = add_policy(ranking, statement);
    return asked(store, statement, ok ? code : SQLITE_DONE, error)
           && (ok || error_fail(error, TM_INTERNAL, "out of memory while ranking"));
}

/* Same label, whatever stands behind the "@". */
static bool same_label(const char *a, const char *b)
{
    size_t length = strcspn(a, "@");
    return length == strcspn(b, "@") && strncmp(a, b, length) == 0;
}

static bool is_shown(const struct ranking *ranking, int index, const struct rank_options *options)
{
    const struct rank_row *row = &ranking->row[index];
    for (int i = 0; i < options->policy_count; i++)
        if (options->policy[i] == row->policy)
            return true;
    if (options->policy_count || row->is_baseline)
        return row->is_baseline;
    for (int i = 0; i < ranking->count; i++)
        if (ranking->row[i].version > row->version && same_label(ranking->row[i].label, row->label))
            return false;
    return true;
}

static void drop_hidden(struct ranking *ranking, const struct rank_options *options)
{
    bool *shown = calloc((size_t)ranking->count + 1, sizeof *shown);
    for (int i = 0; shown && i < ranking->count; i++)
        shown[i] = is_shown(ranking, i, options);
    int kept = 0;
    for (int i = 0; shown && i < ranking->count; i++) {
        if (shown[i]) {
            ranking->row[kept++] = ranking->row[i];
        } else {
            free(ranking->row[i].label);
            free(ranking->row[i].tc);
            ranking->older += options->policy_count == 0;
        }
    }
    if (shown)
        ranking->count = kept;
    free(shown);
}

/* The newest policy that is called so; "smooth" also finds "smooth@a1b2". */
static int find_label(const struct ranking *ranking, const char *label)
{
    int found = -1;
    for (int i = 0; i < ranking->count; i++) {
        const char *own = ranking->row[i].label;
        bool match = strcmp(own, label) == 0 || (!strchr(label, '@') && same_label(own, label));
        if (match && (found < 0 || ranking->row[i].version > ranking->row[found].version))
            found = i;
    }
    return found;
}

static bool mark_baseline(struct ranking *ranking, int64_t recorded, const struct rank_options *options,
                          struct tm_error *error)
{
    int index = options->baseline ? find_label(ranking, options->baseline) : find_row(ranking, recorded);
    if (index >= 0)
        ranking->row[index].is_baseline = true;
    if (index >= 0 || !options->baseline)
        return true;
    char names[400] = "";
    for (int i = 0; i < ranking->count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", ranking->row[i].label);
    return error_fail(error, TM_INPUT, "--baseline %s: not in run %.4s; expected one of %s", options->baseline, ranking->key,
                      names);
}

/* A pair of row a against row b with `points` half points for a. */
static void count_pair(struct ranking *ranking, int a, int b, int points, bool mirrored, int64_t count)
{
    if (a < 0 || b < 0 || (ranking->baseline >= 0 && b != ranking->baseline))
        return;
    ranking->row[a].pair_count[points] += count;
    ranking->row[a].mirrored += mirrored ? count : 0;
}

static bool read_pairs(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, pairs_sql, ranking->run, 0, error);
    if (!statement)
        return false;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        int first = find_row(ranking, sqlite3_column_int64(statement, 0));
        int second = find_row(ranking, sqlite3_column_int64(statement, 1));
        int points = sqlite3_column_int(statement, 2);
        bool mirrored = sqlite3_column_int(statement, 3);
        int64_t count = sqlite3_column_int64(statement, 5);
        if (sqlite3_column_int(statement, 4)) {
            ranking->faulted += count;
        } else if (first == second) {
            if (first >= 0)
                ranking->row[first].self_pairs += count;
        } else {
            count_pair(ranking, first, second, points, mirrored, count);
            count_pair(ranking, second, first, 4 - points, mirrored, count);
        }
    }
    return asked(store, statement, code, error);
}

static bool read_moves(struct store *store, int64_t run, struct rank_row *row, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, moves_sql, run, row->policy, error);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        int64_t *const field[] = { &row->moves, &row->blind, &row->fallbacks, &row->starved, &row->flags, &row->soft_stops,
                                   &row->hard_stops, &row->spend_median, &row->spend_max, &row->clock_lowest,
                                   &row->rate_min, &row->rate_max };
        for (int i = 0; i < 12; i++)
            *field[i] = sqlite3_column_int64(statement, i);
    }
    return asked(store, statement, code, error);
}

static bool read_sides(struct store *store, int64_t run, struct rank_row *row, struct tm_error *error)
{
    sqlite3_stmt *statement = ask(store, sides_sql, run, row->policy, error);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        row->games = sqlite3_column_int64(statement, 0);
        row->clock_end_median = sqlite3_column_int64(statement, 1);
    }
    return asked(store, statement, code, error);
}

/* "distinct_games: 31 of 450 games are distinct; …" of the gates that failed. */
static bool read_void(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    struct gate_list gates;
    char text[2000] = "";
    if (!gates_read(&gates, store, ranking->run, error))
        return false;
    for (int i = 0; i < gates.count; i++) {
        size_t used = strlen(text);
        if (!gates.gate[i].passed)
            snprintf(text + used, sizeof text - used, "%s%s: %s", used ? "; " : "", gates.gate[i].name, gates.gate[i].detail);
    }
    ranking->void_reason = *text ? strdup(text) : NULL;
    return !*text || ranking->void_reason || error_fail(error, TM_INTERNAL, "out of memory while ranking");
}

bool rank_read(struct store *store, int64_t run, const struct rank_options *options, struct ranking *out,
               struct tm_error *error)
{
    *out = (struct ranking){ .run = run, .baseline = -1 };
    int64_t recorded = 0;
    if (sqlite3_create_function(store->db, "median", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, median_step,
                                median_final) != SQLITE_OK)
        return store_fail(store, "ranking", error);
    if (!read_heading(store, out, &recorded, error) || !read_policies(store, out, error)
        || !mark_baseline(out, recorded, options, error))
        return false;
    drop_hidden(out, options);
    for (int i = 0; i < out->count; i++)
        if (out->row[i].is_baseline)
            out->baseline = i;
    if (!read_number(store, openings_sql, run, &out->openings, error) || !read_number(store, half_sql, run, &out->half, error)
        || !read_pairs(store, out, error) || !read_void(store, out, error))
        return false;
    for (int i = 0; i < out->count; i++)
        if (!read_moves(store, run, &out->row[i], error) || !read_sides(store, run, &out->row[i], error))
            return false;
    return true;
}

void ranking_clear(struct ranking *ranking)
{
    for (int i = 0; i < ranking->count; i++) {
        free(ranking->row[i].label);
        free(ranking->row[i].tc);
    }
    free(ranking->row);
    free(ranking->key);
    free(ranking->tc);
    free(ranking->profile);
    free(ranking->overhead);
    free(ranking->seed);
    free(ranking->void_reason);
    bradley_clear(&ranking->field);
    note_list_clear(&ranking->sweeps);
    *ranking = (struct ranking){ 0 };
}
