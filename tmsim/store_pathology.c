/* Pathologies, of arithmetic and of games. */
#include "tmsim/store_internal.h"

static bool add(struct store *store, int64_t policy_id, const struct pathology_record *r, struct tm_error *error)
{
    const struct store_value row[] = {
        store_integer(policy_id), store_text(r->kind), store_text(r->severity), store_text(r->found_by),
        store_text(r->tc), store_integer_or_null(r->clock_lo, r->has_interval),
        store_integer_or_null(r->clock_hi, r->has_interval), store_integer_or_null(r->ply, r->ply >= 0),
        store_text(r->witness), store_text(r->sentence), store_integer_or_null(r->run, r->run != 0),
        store_integer_or_null(r->game, r->game != 0), store_integer_or_null((int64_t)r->signature, r->game != 0) };
    return store_execute(store, STATEMENT_ADD_PATHOLOGY, row, sizeof row / sizeof *row, "storing a pathology", error);
}

bool store_pathologies(struct store *store, int64_t policy_id, const struct pathology_record *record, int count,
                       struct tm_error *error)
{
    bool ok = store_begin(store, error);
    if (!ok)
        return false;
    for (int i = 0; ok && i < count; i++)
        ok = add(store, policy_id, &record[i], error);
    return store_end(store, ok, error);
}
