/* Policies of a ranking that differ in one parameter alone: how Elo answers to it. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/rank_internal.h"
#include "tmsim/store_internal.h"
#include "tmsim/sweep.h"

enum { SWEEP_LEAST = 4 }; /* values: one more than the quadratic has coefficients */

struct arm_values {
    char *text;   /* policy file */
    char *tc;     /* a control of its own, or "" */
    json_t *params;
};

static bool read_arm(struct store *store, int64_t policy, struct arm_values *arm, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, "SELECT text, params, ifnull(tc, '') FROM policy WHERE id = ?", -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "ranking", error);
    sqlite3_bind_int64(statement, 1, policy);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        arm->text = strdup((const char *)sqlite3_column_text(statement, 0));
        arm->params = json_loads((const char *)sqlite3_column_text(statement, 1), 0, NULL);
        arm->tc = strdup((const char *)sqlite3_column_text(statement, 2));
    }
    sqlite3_finalize(statement);
    return (arm->text && arm->params && arm->tc) || error_fail(error, TM_INTERNAL, "policy %lld cannot be read", (long long)policy);
}

/* Whether the two are one file with different values of `name` and of nothing else. */
static bool differ_only_in(const struct arm_values *a, const struct arm_values *b, const char *name)
{
    const char *key;
    json_t *value;
    if (strcmp(a->text, b->text) != 0 || strcmp(a->tc, b->tc) != 0)
        return false;
    json_object_foreach(a->params, key, value) {
        const bool same = json_equal(value, json_object_get(b->params, key));
        if (same == (strcmp(key, name) == 0))
            return false;
    }
    return true;
}

/* One sweep: rows of the ranking, the first of them and those that differ from it in `name`. */
struct sweep {
    const char *name;
    int row[256], count;
};

static void note_sweep(const struct ranking *ranking, const struct arm_values *arm, const struct sweep *sweep,
                       struct note_list *notes)
{
    double x[256], y[256], *covariance = calloc((size_t)(sweep->count * sweep->count), sizeof *covariance);
    struct response response;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; covariance && i < sweep->count; i++) {
        x[i] = json_number_value(json_object_get(arm[sweep->row[i]].params, sweep->name));
        y[i] = ranking->field.elo[sweep->row[i]];
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        for (int k = 0; k < sweep->count; k++)
            covariance[i * sweep->count + k] = ranking->field.covariance[sweep->row[i] * ranking->count + sweep->row[k]];
    }
    const char *label = ranking->row[sweep->row[0]].label;
    const int length = (int)strcspn(label, ":@");
    struct tm_error ignored;
    if (!covariance || !sweep_fit(x, y, covariance, sweep->count, &response, &ignored)) {
        notes->failed = notes->failed || !covariance;
    } else if (response.has_optimum) {
        const double best = response.a + response.optimum * (response.b + response.optimum * response.c);
        note_list_add(notes, "Sweep of %.*s:%s over %.6g to %.6g, %d values: best at %.4g [%.4g, %.4g], where the fit gives Elo "
                      "%+.0f (quadratic).", length, label, sweep->name, low, high, sweep->count, response.optimum,
                      fmax(response.optimum_lo, low), fmin(response.optimum_hi, high), best); /* beyond them nobody looked */
    } else {
        const double rise = response.b * (high - low) + response.c * (high * high - low * low);
        note_list_add(notes, "Sweep of %.*s:%s over %.6g to %.6g, %d values: no optimum inside can be told from noise; the fit "
                      "changes by %+.0f Elo from one end to the other.", length, label, sweep->name, low, high, sweep->count, rise);
    }
    free(covariance);
}

/* Starts a sweep at `first` in each of its parameters, unless an earlier row belongs to it. */
static void find_sweeps(const struct ranking *ranking, const struct arm_values *arm, int first, struct note_list *notes)
{
    const char *name;
    json_t *value;
    json_object_foreach(arm[first].params, name, value) {
        struct sweep sweep = { .name = name, .row = { first }, .count = 1 };
        bool begun = false;
        for (int i = 0; i < ranking->count && sweep.count < 256; i++)
            if (i != first && differ_only_in(&arm[first], &arm[i], name)) {
                begun = begun || i < first;
                sweep.row[sweep.count++] = i;
            }
        if (!begun && sweep.count >= SWEEP_LEAST)
            note_sweep(ranking, arm, &sweep, notes);
    }
}

bool rank_sweep_notes(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    if (ranking->field.state != BRADLEY_FITTED || ranking->count < SWEEP_LEAST)
        return true;
    struct arm_values *arm = calloc((size_t)ranking->count, sizeof *arm);
    bool ok = arm || error_fail(error, TM_INTERNAL, "out of memory while ranking");
    for (int i = 0; ok && i < ranking->count; i++)
        ok = read_arm(store, ranking->row[i].policy, &arm[i], error);
    for (int i = 0; ok && i < ranking->count; i++)
        find_sweeps(ranking, arm, i, &ranking->sweeps);
    for (int i = 0; arm && i < ranking->count; i++) {
        free(arm[i].text);
        free(arm[i].tc);
        json_decref(arm[i].params);
    }
    free(arm);
    return ok;
}
