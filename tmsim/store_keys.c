/* Runs, policies and pairings: rows that are found by what they are, or inserted. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tmsim/store_internal.h"

static void hash_text(const char *text, char hex[static 33])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(text, strlen(text)));
    for (int i = 0; i < 16; i++)
        sprintf(hex + 2 * i, "%02x", canonical.digest[i]);
}

/* Keys sorted, no blanks: equal values have equal text. The caller frees it. */
static char *json_canonical(const json_t *json) { return json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY); }

static bool find_or_add(struct store *store, enum statement find, const struct store_value *key, int key_count,
                        enum statement add, const struct store_value *row, int row_count, int64_t *id,
                        struct tm_error *error)
{
    bool found;
    if (!store_lookup(store, find, key, key_count, &found, id, error))
        return false;
    if (found)
        return true;
    if (!store_execute(store, add, row, row_count, "writing", error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

static bool add_engine(struct store *store, const json_t *engine, int64_t *id, struct tm_error *error)
{
    char *text = json_canonical(engine), hash[33];
    if (!text)
        return error_fail(error, TM_INTERNAL, "out of memory for the engine's identity");
    hash_text(text, hash);
    const char *name = json_string_value(json_object_get(engine, "name"));
    const struct store_value row[] = { store_text(hash), store_text(name ? name : ""), store_text(text) };
    bool ok = find_or_add(store, STATEMENT_FIND_ENGINE, row, 1, STATEMENT_ADD_ENGINE, row, 3, id, error);
    free(text);
    return ok;
}

static bool add_profile(struct store *store, const struct run_identity *run, int64_t *id, struct tm_error *error)
{
    const struct store_value row[] = { store_text(run->profile_hash), store_text(run->profile_name),
                                       store_text(run->profile_json) };
    return find_or_add(store, STATEMENT_FIND_PROFILE, row, 1, STATEMENT_ADD_PROFILE, row, 3, id, error);
}

/* The profile and the book count by their hashes: a file that is only renamed is the same. */
static json_t *identity_json(const struct run_identity *run, json_t *engine)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    return json_pack("{s:s, s:s, s:O, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:b, s:f, s:s, s:s, s:i, s:I}",
                     "program", ZEITNOT_VERSION, "tc", run->tc, "engine", engine, "profile", run->profile_hash,
                     "book", run->book_hash, "book_order", run->book_order, "overhead", run->overhead, "quantum_ns", (json_int_t)run->quantum,
                     "margin_ns", (json_int_t)run->margin, "poll", (json_int_t)run->poll, "first_inc", run->first_inc,
                     "nps_scale", run->nps_scale, "seed", seed, "adjudication", run->adjudication,
                     "max_plies", run->max_plies, "starved_floor_ns", (json_int_t)run->starved_s_floor);
}

static bool add_run(struct store *store, const struct run_identity *run, const json_t *engine, const char *identity,
                    const char *key, int64_t *id, struct tm_error *error)
{
    int64_t engine_id, profile_id;
    const struct store_value find[] = { store_text(key) };
    bool found;
    if (!store_lookup(store, STATEMENT_FIND_RUN, find, 1, &found, id, error))
        return false;
    if (found)
        return true;
    if (!add_engine(store, engine, &engine_id, error) || !add_profile(store, run, &profile_id, error))
        return false;
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    bool constant = strncmp(run->overhead, "const:", 6) == 0;
    const struct store_value row[] = {
        store_text(key), store_text(identity), store_text(ZEITNOT_VERSION), store_text(run->tc), store_integer(engine_id),
        store_integer(profile_id), store_text(run->book_name), store_text(run->book_hash), store_text(run->book_order),
        store_text(run->overhead),
        store_integer_or_null(run->overhead_ns, constant), store_integer(run->quantum), store_integer(run->margin),
        store_integer(run->poll), store_integer(run->first_inc), store_real(run->nps_scale), store_text(seed),
        store_text(run->adjudication), store_integer(run->max_plies), store_integer(run->starved_s_floor),
    };
    if (!store_execute(store, STATEMENT_ADD_RUN, row, sizeof row / sizeof *row, "storing the run", error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

bool store_run(struct store *store, const struct run_identity *identity, int64_t *run_id, char key[33],
               struct tm_error *error)
{
    json_error_t fault;
    json_t *engine = json_loads(identity->engine, 0, &fault);
    if (!engine)
        return error_fail(error, TM_INTERNAL, "the engine's identity is no JSON: %s", fault.text);
    json_t *json = identity_json(identity, engine);
    char *text = json ? json_canonical(json) : NULL;
    bool ok = text || error_fail(error, TM_INTERNAL, "the run's identity cannot be written as JSON");
    if (ok) {
        hash_text(text, key);
        ok = store_begin(store, error)
             && store_end(store, add_run(store, identity, engine, text, key, run_id, error), error);
    }
    free(text);
    json_decref(json);
    json_decref(engine);
    return ok;
}

bool store_baseline(struct store *store, int64_t run_id, int64_t policy_id, struct tm_error *error)
{
    const struct store_value value[] = { store_integer(run_id), store_integer_or_null(policy_id, policy_id != 0) };
    return store_execute(store, STATEMENT_BASELINE, value, 2, "storing the baseline", error);
}

bool store_policy_identity(struct store *store, const struct policy_identity *policy, int64_t *policy_id,
                           struct tm_error *error)
{
    const struct store_value row[] = {
        store_text(policy->hash), store_text(policy->label), store_text(policy->name), store_text(policy->title),
        store_text(policy->source), store_text(policy->unit), store_text(policy->params), store_text(policy->text),
        store_text(policy->tc),
    };
    return store_begin(store, error)
           && store_end(store, find_or_add(store, STATEMENT_FIND_POLICY, row, 1, STATEMENT_ADD_POLICY, row, 9, policy_id, error),
                        error);
}

static const char *const unit_names[] = {
    [POLICY_S] = "s", [POLICY_MS] = "ms", [POLICY_CS] = "cs", [POLICY_NODE] = "node",
};
static const double unit_ns[] = { [POLICY_S] = 1e9, [POLICY_MS] = 1e6, [POLICY_CS] = 1e7, [POLICY_NODE] = 0 };

/* The value as a user would type it: the fewest digits that give it back, times in seconds. */
static void print_param(char *out, size_t size, const struct policy_param *param, enum policy_unit unit)
{
    if (param->is_time && unit != POLICY_NODE) {
        ns_print_seconds(out, size - 1, ns_from_units(param->value, unit_ns[unit]));
        strcat(out, "s");
        return;
    }
    bool whole = fabs(param->value) < 1e15 && param->value == floor(param->value);
    snprintf(out, size, "%.0f", param->value);
    for (int digits = 1; !whole && digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, param->value);
        whole = strtod(out, NULL) == param->value;
    }
}

char *store_label_of(const struct policy_info *info)
{
    size_t size = strlen(info->name) + 1 + (size_t)info->param_count * (sizeof info->param->name + 40) + TC_TEXT_SIZE;
    char control[TC_TEXT_SIZE];
    char *label = malloc(size);
    if (!label)
        return NULL;
    size_t used = (size_t)snprintf(label, size, "%s", info->name);
    for (int i = 0; i < info->param_count; i++) {
        const struct policy_param *param = &info->param[i];
        if (param->value == param->initial)
            continue;
        char value[40];
        print_param(value, sizeof value, param, info->unit);
        used += (size_t)snprintf(label + used, size - used, ":%s=%s", param->name, value);
    }
    if (info->tc)
        snprintf(label + used, size - used, ":tc=%s", tc_print(control, info->tc));
    return label;
}

char *store_params_of(const struct policy_info *info)
{
    json_t *json = json_object();
    for (int i = 0; json && i < info->param_count; i++)
        json_object_set_new(json, info->param[i].name, json_real(info->param[i].value));
    char *text = json ? json_canonical(json) : NULL;
    json_decref(json);
    return text;
}

bool store_policy(struct store *store, const struct policy *policy, int64_t *policy_id, struct tm_error *error)
{
    const struct policy_info *info = policy_info(policy);
    char *label = store_label_of(info), *params = store_params_of(info), control[TC_TEXT_SIZE];
    const struct policy_identity identity = {
        .label = label, .name = info->name, .title = info->title ? info->title : "",
        .source = info->source ? info->source : "", .unit = unit_names[info->unit], .params = params, .hash = info->hash,
        .text = policy_text(policy), .tc = info->tc ? tc_print(control, info->tc) : NULL,
    };
    bool ok = label && params ? store_policy_identity(store, &identity, policy_id, error)
                              : error_fail(error, TM_INTERNAL, "out of memory for policy %s", info->name);
    free(label);
    free(params);
    return ok;
}

bool store_pairing(struct store *store, int64_t run_id, int64_t first_policy, int64_t second_policy,
                   int64_t *pairing_id, struct tm_error *error)
{
    const struct store_value row[] = { store_integer(run_id), store_integer(first_policy), store_integer(second_policy) };
    return store_begin(store, error)
           && store_end(store, find_or_add(store, STATEMENT_FIND_PAIRING, row, 3, STATEMENT_ADD_PAIRING, row, 3, pairing_id,
                                           error), error);
}

bool store_pairing_reversed(struct store *store, int64_t run_id, int64_t first_policy, int64_t second_policy,
                            bool *reversed, struct tm_error *error)
{
    const struct store_value as_is[] = { store_integer(run_id), store_integer(first_policy), store_integer(second_policy) };
    const struct store_value swapped[] = { as_is[0], as_is[2], as_is[1] };
    int64_t id;
    bool found;
    *reversed = false;
    if (!store_lookup(store, STATEMENT_FIND_PAIRING, as_is, 3, &found, &id, error))
        return false;
    return found || store_lookup(store, STATEMENT_FIND_PAIRING, swapped, 3, reversed, &id, error);
}

char *store_policy_label(struct store *store, int64_t policy_id, struct tm_error *error)
{
    const struct store_value value[] = { store_integer(policy_id) };
    sqlite3_stmt *statement = store_bind(store, STATEMENT_POLICY_LABEL, value, 1);
    char *label = NULL;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        label = strdup((const char *)sqlite3_column_text(statement, 0));
    else if (code == SQLITE_DONE)
        error_set(error, TM_INTERNAL, "store %s: no policy %lld", store->path, (long long)policy_id);
    else
        store_fail(store, "reading it", error);
    sqlite3_reset(statement);
    return label;
}
