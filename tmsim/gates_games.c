/* Gates over the games of a run: everything is read back from the store, nothing is taken from the match. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "tmsim/engine_check.h"
#include "tmsim/game_line.h"
#include "tmsim/gates.h"
#include "tmsim/store_internal.h"

/* Beyond this share of moves for which no iteration had finished, games measure the fallback. Measured: a policy that
   plays that share of its moves with one node loses 108 ± 54 Elo to itself, as much as the error of forty games; a tenth
   of them costs 17 ± 47 (10+0.1, 120 games each). */
static const double most_fallbacks = 0.25;

/* Of the nodes that a foreign engine was asked for: where the engine check begins to warn. */
static const double most_excess = 0.05;

/* Moves of which an engine reported no nodes are charged as asked: a few of them (single replies) do no harm. Guess. */
static const double most_unknown = 0.05;

/* Digests of the games (and of the openings) of one ordered pairing. */
struct digests {
    uint64_t *value;
    int count, room;
};

static bool note_digest(struct digests *list, uint64_t value)
{
    if (list->count == list->room) {
        const int room = list->room ? 2 * list->room : 256;
        uint64_t *grown = realloc(list->value, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        list->value = grown;
        list->room = room;
    }
    list->value[list->count++] = value;
    return true;
}

static int compare_digests(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static int count_distinct(struct digests *list)
{
    int distinct = 0;
    if (list->count)
        qsort(list->value, (size_t)list->count, sizeof *list->value, compare_digests);
    for (int i = 0; i < list->count; i++)
        distinct += i == 0 || list->value[i] != list->value[i - 1];
    return distinct;
}

/* What is found while reading. */
struct findings {
    struct digests game[2], opening[2]; /* of the pairing being read, by who has White */
    int64_t games, distinct_games, distinct_openings, illegal;
    int64_t last_pair_points;  /* of the pair being read */
    int64_t uneven_pairs;      /* whose two games do not sum to one point */
    char illegal_where[200];
};

static bool is_legal_line(const struct game_line *line, int *ply)
{
    struct position position;
    struct tm_error ignored;
    if (!position_parse(&position, line->fen, &ignored))
        return false;
    const char *at = line->moves;
    for (*ply = 0; *ply < line->plies; ++*ply) {
        char text[8];
        const size_t length = strcspn(at, " ");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        const move_t move = length < sizeof text ? move_parse(&position, text) : 0;
        if (!move)
            return false;
        struct undo undo;
        position_make(&position, move, &undo);
        at += length + 1;
    }
    return true;
}

static bool read_line(void *ctx, const struct game_line *line, struct tm_error *error)
{
    struct findings *found = ctx;
    const uint64_t opening = game_line_digest(line->fen, "", 0);
    int ply;
    if (!note_digest(&found->game[line->white], game_line_digest(line->fen, line->moves, line->length))
        || !note_digest(&found->opening[line->white], opening))
        return error_fail(error, TM_INTERNAL, "out of memory while checking games");
    found->games++;
    if ((!is_legal_line(line, &ply) || strstr(line->ending, "illegal")) && found->illegal++ == 0)
        snprintf(found->illegal_where, sizeof found->illegal_where, "; the first in game %lld, ply %d",
                 (long long)line->game, ply);
    /* Legs come one after the other: 0, 1. */
    if (line->leg == 0)
        found->last_pair_points = line->white_points;
    else
        found->uneven_pairs += line->white_points != found->last_pair_points;
    return true;
}

static bool read_pairing(struct findings *found, struct store *store, int64_t pairing, struct tm_error *error)
{
    const bool ok = game_lines(store, pairing, read_line, found, error);
    for (int white = 0; white < 2; white++) {
        found->distinct_games += count_distinct(&found->game[white]);
        found->distinct_openings += count_distinct(&found->opening[white]);
        free(found->game[white].value);
        free(found->opening[white].value);
        found->game[white] = found->opening[white] = (struct digests){ 0 };
    }
    return ok;
}

/* ---- numbers by SQL ---- */

static bool ask(struct store *store, const char *sql, int64_t run, sqlite3_stmt **statement, struct tm_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK)
        return store_fail(store, "checking its games", error);
    sqlite3_bind_int64(*statement, 1, run);
    return true;
}

static bool ask_number(struct store *store, const char *sql, int64_t run, int64_t second, int64_t *out,
                       struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (!ask(store, sql, run, &statement, error))
        return false;
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, second);
    const bool ok = sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int64(statement, 0);
    else
        store_fail(store, "checking its games", error);
    sqlite3_finalize(statement);
    return ok;
}

/* Counts that must be 0. */
static const struct { const char *name, *what, *sql; } zeros[] = {
    { "policy_faults", "games ended as policy_fault",
      "SELECT count(*) FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ? AND g.ending = 'policy_fault'" },
    { "crashes", "games ended by an engine that crashed, stalled or broke the protocol",
      "SELECT count(*) FROM pairing p JOIN game g ON g.pairing = p.id WHERE p.run = ? AND (g.ending LIKE '%crash%' OR g.ending "
      "LIKE '%stall%' OR g.ending LIKE '%disconnect%' OR g.ending LIKE '%protocol%' OR g.ending LIKE '%engine%')" },
    /* The last pair may be a half: a longer match was cut short there, and no table counts it. */
};

static bool gate_zeros(struct gate_list *list, struct store *store, int64_t run, struct tm_error *error)
{
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        int64_t count;
        if (!ask_number(store, zeros[i].sql, run, 0, &count, error))
            return false;
        gate_add(list, zeros[i].name, count == 0, (double)count, "%lld %s", (long long)count, zeros[i].what);
    }
    return true;
}

/* Sums a count over the pairings and pairs that were asked for. Half pairs beyond them, of a longer match that was
   cut short, are no fault of this one: no statistic counts them. */
static bool sum_asked(struct store *store, const char *sql, const struct gate_request *request, int64_t *sum,
                      struct tm_error *error)
{
    *sum = 0;
    for (int i = 0; i < request->pairing_count; i++) {
        int64_t count;
        if (!ask_number(store, sql, request->pairing[i], request->pairs, &count, error))
            return false;
        *sum += count;
    }
    return true;
}

static bool gate_counts(struct gate_list *list, struct store *store, const struct gate_request *request,
                        struct tm_error *error)
{
    static const char stored_sql[] = "SELECT count(*) FROM game WHERE pairing = ? AND pair < ?";
    static const char unpaired_sql[] = "SELECT count(*) FROM game g WHERE pairing = ? AND pair < ? AND NOT EXISTS (SELECT 1 "
                                       "FROM game h WHERE h.pairing = g.pairing AND h.pair = g.pair AND h.leg = 1 - g.leg)";
    const int64_t asked = (int64_t)request->pairing_count * request->pairs * 2;
    int64_t games, unpaired;
    if (!sum_asked(store, stored_sql, request, &games, error) || !sum_asked(store, unpaired_sql, request, &unpaired, error))
        return false;
    gate_add(list, "game_count", games == asked, (double)games, "%lld games stored, %lld asked for", (long long)games,
             (long long)asked);
    gate_add(list, "unpaired_games", unpaired == 0, (double)unpaired, "%lld games without the other leg of their pair",
             (long long)unpaired);
    return true;
}

/* Over the moves that were asked to stop at a number of nodes; an engine on its own clock never is. */
struct obeyed {
    double asked, used, excess; /* nodes; the excess beyond what a poll explains */
    double moves, unknown;      /* moves, those whose nodes the engine did not report */
    bool built_in;
};

static void add_nodes_gate(struct gate_list *list, const struct obeyed *o)
{
    const double share = o->asked > 0 ? o->used / o->asked : 0, excess = o->asked > 0 ? o->excess / o->asked : 0;
    const double most = o->built_in ? 0 : most_excess;
    const bool known = o->moves <= 0 || o->unknown <= most_unknown * o->moves;
    gate_add(list, "nodes", excess <= most && known, share,
             "%.3f of the nodes asked for were used; %.2f %% beyond the limits, at most %.0f %% expected%s%.0f of %.0f moves without "
             "a node count, at most %.0f %% expected", share, 100 * excess, 100 * most, o->built_in ? "; " :
             " (a poll of 4096 nodes a move aside); ", o->unknown, o->moves, 100 * most_unknown);
}

/* Only the built-in engine has a bench signature. */
#define IS_BUILT_IN \
    "(SELECT json_extract(e.identity, '$.bench') IS NOT NULL FROM run r JOIN engine e ON e.id = r.engine WHERE r.id = ?1)"

static bool gate_nodes(struct gate_list *list, struct store *store, int64_t run, struct tm_error *error)
{
    static const char sql[] =
        "SELECT total(CASE WHEN m.nodes_used >= 0 THEN m.nodes_asked END), total(CASE WHEN m.nodes_used >= 0 THEN m.nodes_used "
        "END), total(max(0, m.nodes_used - m.nodes_asked - CASE WHEN " IS_BUILT_IN " THEN 0 ELSE ?2 END)), count(*), "
        "total(m.nodes_used < 0), " IS_BUILT_IN " FROM pairing p CROSS JOIN game g ON g.pairing = p.id CROSS JOIN move m ON "
        "m.game = g.id WHERE p.run = ?1 AND m.nodes_asked > 0";
    sqlite3_stmt *statement;
    if (!ask(store, sql, run, &statement, error))
        return false;
    sqlite3_bind_int64(statement, 2, ENGINE_POLL_NODES);
    const bool ok = sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
        add_nodes_gate(list, &(struct obeyed){
            .asked = sqlite3_column_double(statement, 0), .used = sqlite3_column_double(statement, 1),
            .excess = sqlite3_column_double(statement, 2), .moves = sqlite3_column_double(statement, 3),
            .unknown = sqlite3_column_double(statement, 4), .built_in = sqlite3_column_int(statement, 5),
        });
    else
        store_fail(store, "checking its games", error);
    sqlite3_finalize(statement);
    return ok;
}

/* ---- fallback moves: who is hurt more ---- */

struct share {
    char label[80];
    double fallbacks, moves;
};

static double share_of(const struct share *share) { return share->moves > 0 ? share->fallbacks / share->moves : 0; }

static void add_fallback_gate(struct gate_list *list, const struct share *most, const struct share *least,
                              const struct share *all)
{
    char bias[400] = "";
    if (share_of(most) > share_of(least))
        snprintf(bias, sizeof bias, "; %s has most (%.2f %%), %s least (%.2f %%), which favours %s", most->label,
                 100 * share_of(most), least->label, 100 * share_of(least), least->label);
    gate_add(list, "fallback_share", share_of(all) <= most_fallbacks, share_of(all),
             "%.0f of %.0f moves were fallbacks: %.2f %%, at most %.0f %% expected%s", all->fallbacks, all->moves,
             100 * share_of(all), 100 * most_fallbacks, bias);
}

static bool gate_fallbacks(struct gate_list *list, struct store *store, int64_t run, struct tm_error *error)
{
    static const char sql[] =
        "SELECT q.label, total(m.fallback), count(*) FROM pairing p CROSS JOIN game g ON g.pairing = p.id CROSS JOIN move m ON "
        "m.game = g.id JOIN policy q ON q.id = CASE WHEN m.player = 0 THEN p.first ELSE p.second END WHERE p.run = ? "
        "GROUP BY q.id ORDER BY q.id";
    sqlite3_stmt *statement;
    if (!ask(store, sql, run, &statement, error))
        return false;
    struct share all = { 0 }, most = { 0 }, least = { 0 };
    int code, rows = 0;
    for (; (code = sqlite3_step(statement)) == SQLITE_ROW; rows++) {
        struct share share = { .fallbacks = sqlite3_column_double(statement, 1), .moves = sqlite3_column_double(statement, 2) };
        snprintf(share.label, sizeof share.label, "%s", (const char *)sqlite3_column_text(statement, 0));
        all.fallbacks += share.fallbacks;
        all.moves += share.moves;
        most = rows == 0 || share_of(&share) > share_of(&most) ? share : most;
        least = rows == 0 || share_of(&share) < share_of(&least) ? share : least;
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE)
        return store_fail(store, "checking its games", error);
    add_fallback_gate(list, &most, &least, &all);
    return true;
}

static void add_findings(struct gate_list *list, const struct findings *found, bool control)
{
    const long long games = found->games;
    gate_add(list, "distinct_openings", found->distinct_openings == games, (double)found->distinct_openings,
             "%lld distinct openings in %lld games, counted for each ordered pairing", (long long)found->distinct_openings,
             games);
    gate_add(list, "distinct_games", found->distinct_games == games, (double)found->distinct_games,
             "%lld of %lld games are distinct, counted for each ordered pairing", (long long)found->distinct_games, games);
    gate_add(list, "illegal_moves", found->illegal == 0, (double)found->illegal, "%lld games with an illegal move%s",
             (long long)found->illegal, found->illegal_where);
    if (control)
        gate_add(list, "control", found->uneven_pairs == 0, (double)found->uneven_pairs,
                 "%lld pairs of a policy against itself whose legs differ; mirrors measure nothing, 0 is what they must show",
                 (long long)found->uneven_pairs);
}

bool gates_games(struct gate_list *list, struct store *store, const struct gate_request *request, struct tm_error *error)
{
    static const char sql[] = "SELECT id FROM pairing WHERE run = ? ORDER BY id";
    sqlite3_stmt *pairings;
    struct findings found = { 0 };
    if (!ask(store, sql, request->run, &pairings, error))
        return false;
    int code = SQLITE_DONE;
    bool ok = true;
    while (ok && (code = sqlite3_step(pairings)) == SQLITE_ROW)
        ok = read_pairing(&found, store, sqlite3_column_int64(pairings, 0), error);
    sqlite3_finalize(pairings);
    if (!ok || (code != SQLITE_DONE && !store_fail(store, "checking its games", error)))
        return false;
    if (!gate_counts(list, store, request, error))
        return false;
    add_findings(list, &found, request->control);
    return gate_zeros(list, store, request->run, error) && gate_nodes(list, store, request->run, error)
           && gate_fallbacks(list, store, request->run, error);
}
