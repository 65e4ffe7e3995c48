/* Many policies at once: ratings from all games of a run with openings as clusters, and what several time controls say
   together. Elo is never pooled over time controls. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/rank_internal.h"
#include "tmsim/store_internal.h"

/* Points of the first policy from each opening, of complete pairs between different policies. */
static const char games_sql[] =
    "SELECT p.first, p.second, g.opening, total(CASE WHEN g.white = 0 THEN g.white_points ELSE 2 - g.white_points END) / 2, "
    "count(*) FROM pairing p JOIN game g ON g.pairing = p.id JOIN game h ON h.pairing = p.id AND h.pair = g.pair AND h.leg = 1 - "
    "g.leg WHERE p.run = ? AND p.first <> p.second AND g.white_points IS NOT NULL AND h.white_points IS NOT NULL "
    "GROUP BY g.opening, p.id ORDER BY g.opening, p.id";

struct field {
    struct bradley_games *row;
    int count, room, clusters;
    int64_t last_opening;
};

static int row_of(const struct ranking *ranking, int64_t policy)
{
    for (int i = 0; i < ranking->count; i++)
        if (ranking->row[i].policy == policy)
            return i;
    return -1;
}

static bool add_row(struct field *field, const struct ranking *ranking, sqlite3_stmt *statement, struct tm_error *error)
{
    const int first = row_of(ranking, sqlite3_column_int64(statement, 0)), second = row_of(ranking, sqlite3_column_int64(statement, 1));
    const int64_t opening = sqlite3_column_int64(statement, 2);
    if (first < 0 || second < 0)
        return true;
    if (field->count == field->room) {
        const int room = field->room ? 2 * field->room : 256;
        struct bradley_games *grown = realloc(field->row, (size_t)room * sizeof *grown);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory while ranking");
        field->row = grown;
        field->room = room;
    }
    if (field->count == 0 || opening != field->last_opening)
        field->clusters++;
    field->last_opening = opening;
    field->row[field->count++] = (struct bradley_games){ first, second, field->clusters - 1, sqlite3_column_double(statement, 4),
                                                         sqlite3_column_double(statement, 3) };
    return true;
}

bool rank_field_read(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    sqlite3_stmt *statement;
    struct field field = { 0 };
    if (sqlite3_prepare_v2(store->db, games_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "ranking", error);
    sqlite3_bind_int64(statement, 1, ranking->run);
    int code = SQLITE_DONE;
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = add_row(&field, ranking, statement, error);
    sqlite3_finalize(statement);
    ok = ok && (code == SQLITE_DONE || store_fail(store, "ranking", error));
    ok = ok && bradley_fit(field.row, field.count, ranking->count, field.clusters, ranking->baseline, &ranking->field, error);
    free(field.row);
    return ok;
}

int rank_field_comparisons(const struct ranking *ranking)
{
    if (ranking->field.state != BRADLEY_FITTED)
        return 0;
    return ranking->count - (ranking->baseline >= 0);
}

/* Sidak's level for `comparisons` intervals that hold together with 95 %; Student's t, since openings may be few. */
static double simultaneous_quantile(const struct ranking *ranking, int comparisons)
{
    const double level = pow(0.95, 1.0 / (comparisons > 0 ? comparisons : 1));
    return gsl_cdf_tdist_Pinv(0.5 + level / 2, ranking->field.clusters - 1);
}

bool rank_field_interval(const struct ranking *ranking, int row, int comparisons, double *elo, double *half)
{
    if (ranking->field.state != BRADLEY_FITTED || row == ranking->baseline)
        return false;
    const double variance = ranking->field.covariance[row * ranking->count + row];
    *elo = ranking->field.elo[row];
    *half = simultaneous_quantile(ranking, comparisons) * sqrt(variance);
    return variance > 1e-9; /* every opening scored alike: no spread is no evidence */
}

bool rank_field_superiority(const struct ranking *ranking, int row, int other, double *probability)
{
    if (ranking->field.state != BRADLEY_FITTED)
        return false;
    const double variance = bradley_variance(&ranking->field, row, other);
    *probability = variance > 1e-9 ? gsl_cdf_tdist_P((ranking->field.elo[row] - ranking->field.elo[other]) / sqrt(variance),
                                                     ranking->field.clusters - 1) : 0.5;
    return variance > 1e-9;
}

/* ---- sentences ---- */

static void note_ratings(const struct ranking *ranking, int comparisons, struct note_list *notes)
{
    char text[1800] = "";
    for (int i = 0; i < ranking->count; i++) {
        double elo, half;
        const size_t used = strlen(text);
        if (rank_field_interval(ranking, i, comparisons, &elo, &half))
            snprintf(text + used, sizeof text - used, "%s%s %+.0f [%+.0f, %+.0f]", used ? ", " : "", ranking->row[i].label, elo,
                     elo - half, elo + half);
    }
    if (*text)
        note_list_add(notes, "All games together (Bradley-Terry, %d openings as clusters, simultaneous 95 %% intervals of %d): %s.",
                      ranking->field.clusters, comparisons, text);
}

static void note_neighbours(const struct ranking *ranking, struct note_list *notes)
{
    char text[1800] = "";
    for (int i = 0; i + 1 < ranking->count; i++) {
        double probability;
        const size_t used = strlen(text);
        if (rank_field_superiority(ranking, i, i + 1, &probability))
            snprintf(text + used, sizeof text - used, "%s%s over %s %.1f %%", used ? ", " : "", ranking->row[i].label,
                     ranking->row[i + 1].label, 100 * probability);
    }
    if (*text)
        note_list_add(notes, "Likelihood of superiority between neighbours: %s.", text);
}

/* Whether another is at least as good in both Elo and flags, and better in one. */
static bool is_beaten(const struct ranking *ranking, int row)
{
    const struct rank_row *own = &ranking->row[row];
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *other = &ranking->row[i];
        const double better = ranking->field.elo[i] - ranking->field.elo[row];
        const int64_t fewer = own->flags * other->games - other->flags * own->games;
        if (i != row && rank_comparable(own, other) && better >= 0 && fewer >= 0 && (better > 0 || fewer > 0))
            return true;
    }
    return false;
}

static void note_pareto(const struct ranking *ranking, struct note_list *notes)
{
    char text[1800] = "";
    int64_t flags = 0;
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        const size_t used = strlen(text);
        flags += row->flags;
        if (row->games && !is_beaten(ranking, i))
            snprintf(text + used, sizeof text - used, "%s%s (%+.0f, %.1f %% flags)", used ? ", " : "", row->label,
                     ranking->field.elo[i], 100 * (double)row->flags / (double)row->games);
    }
    if (flags)
        note_list_add(notes, "Pareto set of Elo against flags, by what was seen: %s.", text);
}

void rank_field_notes(const struct ranking *ranking, int comparisons, struct note_list *notes)
{
    if (ranking->count < 3)
        return;
    if (ranking->field.state == BRADLEY_INFINITE) {
        note_list_add(notes, "No rating of all games together: some policies never scored against some others.");
        return;
    }
    if (ranking->field.state != BRADLEY_FITTED)
        return;
    note_ratings(ranking, comparisons, notes);
    note_neighbours(ranking, notes);
    note_pareto(ranking, notes);
    for (int i = 0; i < ranking->sweeps.count; i++)
        note_list_add(notes, "%s", ranking->sweeps.note[i]);
}

/* ---- several time controls ---- */

static void note_flip(const struct ranking *one, int a, const struct ranking *two, int b, int comparisons, struct note_list *notes)
{
    double elo[2], half[2];
    if (!rank_field_interval(one, a, comparisons, &elo[0], &half[0]) || !rank_field_interval(two, b, comparisons, &elo[1], &half[1])
        || elo[0] * elo[1] >= 0)
        return;
    const bool sure = fabs(elo[0]) > half[0] && fabs(elo[1]) > half[1];
    note_list_add(notes, "Sign flip: %s is %+.0f at %s and %+.0f at %s, %s.", one->row[a].label, elo[0], one->tc, elo[1], two->tc,
                  sure ? "both beyond the simultaneous intervals" : "which the intervals do not exclude to be chance");
}

void rank_across_notes(const struct ranking *ranking, int count, int comparisons, struct note_list *notes)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            for (int a = 0; a < ranking[i].count && ranking[i].baseline >= 0 && ranking[k].baseline >= 0; a++)
                for (int b = 0; b < ranking[k].count; b++)
                    if (ranking[i].row[a].policy == ranking[k].row[b].policy)
                        note_flip(&ranking[i], a, &ranking[k], b, comparisons, notes);
}
