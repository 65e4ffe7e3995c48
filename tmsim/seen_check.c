/* The solver held against games: each thing it predicts beside what the moves show, and whether they differ by more than
   a stated tolerance. The policy is the one in the store, not the file that may have changed since. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/hammer.h"
#include "tmsim/player.h"
#include "tmsim/seen.h"
#include "tmsim/solve.h"
#include "tmsim/store_internal.h"

/* Beyond these the solver and the games are said to differ. Guesses: the solver's ladder is one typical search. */
static const double SHARE_TOLERANCE = 0.15;   /* of the moves */
static const double CLOCK_TOLERANCE = 0.05;   /* of the base */
static const double KNEE_TOLERANCE = 0.02;    /* of the knee, and 20 ms */
static const int MOVE_TOLERANCE = 10;

enum column { POLICY, TC, WHAT, SOLVED, GAMES, TOLERANCE, DIFFERS, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [POLICY] = { "policy", NULL, "policy", TABLE_LEFT, 0, false },
    [TC] = { "tc", NULL, "tc", TABLE_LEFT, 0, false },
    [WHAT] = { "what", NULL, "what", TABLE_LEFT, 0, false },
    [SOLVED] = { "solved", NULL, "solved", TABLE_RIGHT, 3, false },
    [GAMES] = { "games", NULL, "games", TABLE_RIGHT, 3, false },
    [TOLERANCE] = { "tolerance", NULL, "tolerance", TABLE_RIGHT, 3, false },
    [DIFFERS] = { "differs", NULL, "differs", TABLE_LEFT, 0, false },
};

struct number {
    bool known;
    double value;
};

static struct number number_of(double value) { return (struct number){ true, value }; }
static struct number number_if(bool known, double value) { return (struct number){ known, value }; }

static void add_row(struct table *table, const struct seen *seen, const char *what, struct number solved, struct number games,
                    double tolerance)
{
    const bool differs = solved.known != games.known || (solved.known && fabs(solved.value - games.value) > tolerance);
    table_row(table);
    table_text(table, POLICY, seen->label);
    table_text(table, TC, seen->tc);
    table_text(table, WHAT, what);
    if (solved.known)
        table_real(table, SOLVED, solved.value);
    else
        table_undefined(table, SOLVED, "none is predicted");
    if (games.known)
        table_real(table, GAMES, games.value);
    else
        table_undefined(table, GAMES, "none, or in less than half of the games");
    table_real(table, TOLERANCE, tolerance);
    table_text(table, DIFFERS, differs ? "differs" : "");
}

static void compare(struct table *table, const struct seen *seen, const struct solution *solution)
{
    const struct walk *walk = &solution->walk;
    const struct parks *parks = &solution->parks;
    const struct knee *knee = knees_first(&solution->knees, KNEE_HARD_FLOOR);
    const double base = ns_to_s(seen->base), clock = CLOCK_TOLERANCE * base, moves = walk->moves > 0 ? walk->moves : 1;
    add_row(table, seen, "blind moves, share", number_of(walk->floor_moves / moves),
            number_of((double)seen->blind / (double)seen->moves), SHARE_TOLERANCE);
    add_row(table, seen, "first blind move", number_if(walk->first_floor_move > 0, walk->first_floor_move),
            number_if(seen->first_blind_median > 0, seen->first_blind_median), MOVE_TOLERANCE);
    add_row(table, seen, "starved moves, share", number_of(walk->starved_moves / moves),
            number_of((double)seen->starved / (double)seen->moves), SHARE_TOLERANCE);
    add_row(table, seen, "lowest clock, s", number_of(ns_to_s(walk->min_clock)), number_of(ns_to_s(seen->lowest_median)), clock);
    add_row(table, seen, "reserve at the end, s", number_of(ns_to_s(walk->end_clock)), number_of(ns_to_s(seen->end_median)), clock);
    add_row(table, seen, "flag, own move", number_if(walk->flag_move > 0, walk->flag_move),
            number_if(seen->flag_median > 0, seen->flag_median), MOVE_TOLERANCE);
    /* a walk that has not come down to its park within a game says nothing of it, and neither do games */
    if (parks->outcome == PARK_PARKS && parks->count > 0 && seen->late_median >= 0 &&
        fabs(ns_to_s(walk->end_clock - parks->park[0].clock)) <= clock)
        add_row(table, seen, "park, s (games: from move 40 on)", number_of(ns_to_s(parks->park[0].clock)),
                number_of(ns_to_s(seen->late_median)), clock);
    if (knee && (walk->floor_moves > 0 || seen->blind_clock >= 0))
        add_row(table, seen, "hard = floor, s (games: highest blind)", number_of(ns_to_s(knee->clock)),
                number_if(seen->blind_clock >= 0, ns_to_s(seen->blind_clock)), KNEE_TOLERANCE * ns_to_s(knee->clock) + 0.02);
}

/* ---- the policy and the rules as the store has them ---- */

static const char run_sql[] =
    "SELECT ifnull(q.tc, r.tc), r.overhead, ifnull(r.overhead_ns, -1), r.first_inc, r.nps_scale, f.json, q.text, q.name, q.label FROM run r JOIN "
    "profile f ON f.id = r.profile JOIN policy q ON q.id = ?2 WHERE r.id = ?1";

/* A model that names a file's samples by their hash cannot be read again: its mean is in the moves then. */
static bool read_rules(sqlite3_stmt *s, struct game_rules *rules, struct profile **profile, struct tm_error *error)
{
    const char *json = (const char *)sqlite3_column_text(s, 5), *text = (const char *)sqlite3_column_text(s, 1);
    struct overhead *model = NULL;
    *rules = (struct game_rules){ .first_inc = sqlite3_column_int(s, 3), .nps_scale = sqlite3_column_double(s, 4),
                                  .overhead = sqlite3_column_int64(s, 2) };
    if (!tc_parse((const char *)sqlite3_column_text(s, 0), &rules->tc, error) ||
        !profile_load_text("the stored profile", json, strlen(json), profile, error))
        return false;
    rules->profile = *profile;
    if (rules->overhead >= 0)
        return true;
    if (strstr(text, "empirical(") || !overhead_parse("the stored overhead", text, &model, error))
        return error_fail(error, TM_INPUT, "the run's overhead '%s' cannot be read again", text);
    const double mean = overhead_mean(model, false) + overhead_mean(model, true);
    overhead_free(model);
    rules->overhead = isfinite(mean) ? ns_from_units(mean, 1) : 0;
    return true;
}

static bool solve_seen(const struct seen *seen, const struct game_rules *rules, const struct policy *policy, struct table *table,
                       struct tm_error *error)
{
    struct solution *solution = malloc(sizeof *solution);
    if (!solution)
        return error_fail(error, TM_INTERNAL, "out of memory");
    const int length = seen->length_median < 1 ? 1 : seen->length_median > WALK_MAX_MOVES ? WALK_MAX_MOVES : seen->length_median;
    const struct cell_setup setup = hammer_setup(policy, rules, length);
    const bool ok = solve_cell(&setup, seen->label, true, solution, error);
    if (ok) {
        compare(table, seen, solution);
        solution_clear(solution);
    }
    free(solution);
    return ok;
}

static bool check_one(struct store *store, const struct seen *seen, struct table *table, struct tm_error *error)
{
    sqlite3_stmt *s;
    struct game_rules rules;
    struct profile *profile = NULL;
    struct policy *policy = NULL;
    if (sqlite3_prepare_v2(store->db, run_sql, -1, &s, NULL) != SQLITE_OK)
        return store_fail(store, "reading a run", error);
    sqlite3_bind_int64(s, 1, seen->run);
    sqlite3_bind_int64(s, 2, seen->policy);
    bool ok = sqlite3_step(s) == SQLITE_ROW || store_fail(store, "reading a run", error);
    ok = ok && read_rules(s, &rules, &profile, error);
    ok = ok && player_load_stored((const char *)sqlite3_column_text(s, 7), (const char *)sqlite3_column_text(s, 8),
                                  (const char *)sqlite3_column_text(s, 6), &policy, error);
    sqlite3_finalize(s);
    ok = ok && solve_seen(seen, &rules, policy, table, error);
    policy_free(policy);
    profile_free(profile);
    return ok;
}

static bool check_run(struct store *store, int64_t run, struct table *table, struct tm_error *error)
{
    struct seen *seen;
    int count;
    if (!seen_read(store, run, &seen, &count, error))
        return false;
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = seen[i].moves == 0 || check_one(store, &seen[i], table, error);
    seen_clear(seen, count);
    free(seen);
    return ok;
}

bool seen_cross_check(struct store *store, const int64_t *run, int count, enum table_format format, FILE *stream,
                      struct tm_error *error)
{
    struct table *table = table_new(columns, COLUMNS);
    bool ok = table || error_fail(error, TM_INTERNAL, "out of memory");
    for (int i = 0; ok && i < count; i++)
        ok = check_run(store, run[i], table, error);
    const struct table_frame frame = { .schema = "tmsim.cross-check/1" };
    if (ok && format == TABLE_TEXT) {
        table_print_text(table, 0, table_row_count(table), stream);
        fputs("\nSolved: a walk as long as the median game, with this engine's iterations. Games: medians, and shares of moves.\n", stream);
    } else if (ok) {
        ok = table_print(table, format, &frame, stream) || error_fail(error, TM_INTERNAL, "standard output could not be written");
    }
    table_free(table);
    return ok;
}
