/* A cell for programs: nested JSON, and a flat line for tables and CSV. */
#include <math.h>

#include "tmsim/solve.h"

/* Whole nanoseconds have at most 9 decimals, and a double of seconds shows them. */
static json_t *seconds(tm_ns time) { return json_real(ns_to_s(time)); }

static json_t *number_or_null(int value) { return value ? json_integer(value) : json_null(); }

static json_t *walk_json(const struct walk *walk)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:i, s:o}", "moves", walk->moves, "flag_move",
                     number_or_null(walk->flag_move), "end_clock_s", seconds(walk->end_clock), "min_clock_s",
                     seconds(walk->min_clock), "median_spend_s", seconds(walk->median_spend), "max_spend_s",
                     seconds(walk->max_spend), "floor_moves", walk->floor_moves, "first_floor_move",
                     number_or_null(walk->first_floor_move), "starved_moves", walk->starved_moves, "reserve_s",
                     seconds(walk->reserve));
}

static json_t *one_park_json(const struct park *park)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:b}", "kind", park_kind_name(park->kind), "clock_s", seconds(park->clock),
                     "from_s", seconds(park->from), "to_s", seconds(park->to), "blind", park->blind);
}

/* The park that is reached, and all of them in `all`. */
static json_t *parks_json(const struct parks *parks)
{
    json_t *all = json_array();
    for (int i = 0; i < parks->count; i++)
        json_array_append_new(all, one_park_json(&parks->park[i]));
    json_t *json = parks->outcome == PARK_PARKS
                       ? one_park_json(&parks->park[0])
                       : json_pack("{s:n, s:n, s:n, s:n, s:n}", "kind", "clock_s", "from_s", "to_s", "blind");
    json_object_set_new(json, "outcome", json_string(park_outcome_name(parks->outcome)));
    json_object_set_new(json, "all", all);
    return json;
}

static json_t *knees_json(const struct knees *knees)
{
    json_t *array = json_array();
    for (int i = 0; i < knees->count; i++) {
        const struct knee *knee = &knees->knee[i];
        json_array_append_new(array, json_pack("{s:s, s:o, s:o}", "kind", knee_name(knee->kind), "clock_s",
                                               seconds(knee->clock), "term",
                                               *knee->term ? json_string(knee->term) : json_null()));
    }
    return array;
}

static json_t *pathologies_json(const struct pathologies *pathologies)
{
    json_t *array = json_array();
    for (int i = 0; i < pathologies->count; i++) {
        const struct pathology *item = &pathologies->item[i];
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "kind", pathology_name(item->kind), "severity",
                             severity_name(item->severity), "from_s", item->has_interval ? seconds(item->from)
                                 : json_null(),
                             "to_s", item->has_interval ? seconds(item->to) : json_null(), "ply",
                             item->ply >= 0 ? json_integer(item->ply) : json_null(), "witness",
                             *item->witness ? json_string(item->witness) : json_null(), "text",
                             json_string(item->text)));
    }
    return array;
}

static const char *label_of(const struct solution *solution)
{
    const char *formula = "--expr ";
    for (const char *a = formula, *b = solution->spec; *a == *b; a++, b++)
        if (!a[1])
            return b + 1;
    return policy_info(solution->setup.policy)->label;
}

json_t *solution_json(const struct solution *solution)
{
    char tc[TC_TEXT_SIZE];
    const struct cell_setup *setup = &solution->setup;
    return json_pack("{s:s, s:s, s:o, s:b, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "policy", label_of(solution), "tc",
                     tc_print(tc, &setup->tc), "overhead_s", seconds(setup->overhead), "first_inc", setup->first_inc,
                     "spend", spend_name(setup->model.kind), "at_ply", setup->middle_ply, "at_movestogo",
                     number_or_null(solution->movestogo), "walk", walk_json(&solution->walk), "park",
                     parks_json(&solution->parks), "knees", knees_json(&solution->knees), "pathologies",
                     pathologies_json(&solution->pathologies));
}

/* ---- one line ---- */

enum column {
    COLUMN_POLICY, COLUMN_TC, COLUMN_OVERHEAD, COLUMN_OUTCOME, COLUMN_PARK, COLUMN_FLAG, COLUMN_END, COLUMN_LOWEST,
    COLUMN_MEDIAN, COLUMN_LARGEST, COLUMN_FLOOR, COLUMN_STARVED, COLUMN_SEVERE, COLUMN_WARNINGS, COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_POLICY] = { .key = "policy", .head = "policy" },
    [COLUMN_TC] = { .key = "tc", .head = "tc" },
    [COLUMN_OVERHEAD] = { .key = "overhead_s", .group = "over-", .head = "head s", .align = TABLE_RIGHT,
                          .decimals = 3 },
    [COLUMN_OUTCOME] = { .key = "outcome", .head = "clock" },
    [COLUMN_PARK] = { .key = "park_s", .group = "park", .head = "s", .align = TABLE_RIGHT, .decimals = 3 },
    [COLUMN_FLAG] = { .key = "flag_move", .group = "flag", .head = "move", .align = TABLE_RIGHT },
    [COLUMN_END] = { .key = "end_clock_s", .group = "clock s", .head = "end", .align = TABLE_RIGHT, .decimals = 2 },
    [COLUMN_LOWEST] = { .key = "min_clock_s", .group = "clock s", .head = "lowest", .align = TABLE_RIGHT,
                        .decimals = 2 },
    [COLUMN_MEDIAN] = { .key = "median_spend_s", .group = "spend s", .head = "median", .align = TABLE_RIGHT,
                        .decimals = 2 },
    [COLUMN_LARGEST] = { .key = "max_spend_s", .group = "spend s", .head = "max", .align = TABLE_RIGHT, .decimals = 2 },
    [COLUMN_FLOOR] = { .key = "floor_moves", .group = "moves", .head = "floor", .align = TABLE_RIGHT },
    [COLUMN_STARVED] = { .key = "starved_moves", .group = "moves", .head = "starved", .align = TABLE_RIGHT },
    [COLUMN_SEVERE] = { .key = "severe", .head = "severe", .align = TABLE_RIGHT },
    [COLUMN_WARNINGS] = { .key = "warnings", .head = "warn", .align = TABLE_RIGHT },
};

struct table *solution_table_new(void) { return table_new(columns, COLUMN_COUNT); }

static int count_of(const struct solution *solution, enum severity severity)
{
    int count = 0;
    for (int i = 0; i < solution->pathologies.count; i++)
        count += solution->pathologies.item[i].severity == severity;
    return count;
}

void solution_row(struct table *table, const struct solution *solution)
{
    char tc[TC_TEXT_SIZE];
    const struct walk *walk = &solution->walk;
    const struct parks *parks = &solution->parks;
    table_row(table);
    table_text(table, COLUMN_POLICY, label_of(solution));
    table_text(table, COLUMN_TC, tc_print(tc, &solution->setup.tc));
    table_real(table, COLUMN_OVERHEAD, ns_to_s(solution->setup.overhead));
    table_text(table, COLUMN_OUTCOME, park_outcome_name(parks->outcome));
    if (parks->outcome == PARK_PARKS)
        table_real(table, COLUMN_PARK, ns_to_s(parks->park[0].clock));
    else
        table_undefined(table, COLUMN_PARK, "the clock does not park");
    if (walk->flag_move)
        table_integer(table, COLUMN_FLAG, walk->flag_move);
    else
        table_undefined(table, COLUMN_FLAG, "no flag in the walk");
    table_real(table, COLUMN_END, ns_to_s(walk->end_clock));
    table_real(table, COLUMN_LOWEST, ns_to_s(walk->min_clock));
    table_real(table, COLUMN_MEDIAN, ns_to_s(walk->median_spend));
    table_real(table, COLUMN_LARGEST, ns_to_s(walk->max_spend));
    table_integer(table, COLUMN_FLOOR, walk->floor_moves);
    table_integer(table, COLUMN_STARVED, walk->starved_moves);
    table_integer(table, COLUMN_SEVERE, count_of(solution, SEVERITY_SEVERE));
    table_integer(table, COLUMN_WARNINGS, count_of(solution, SEVERITY_WARNING));
}

/* ---- the store ---- */

bool solution_store(const struct solution *solution, struct store *store, struct tm_error *error)
{
    struct pathology_record record[PATHOLOGIES_MAX];
    char tc[TC_TEXT_SIZE];
    int64_t policy_id;
    tc_print(tc, &solution->setup.tc);
    if (!store_policy(store, solution->setup.policy, &policy_id, error))
        return false;
    for (int i = 0; i < solution->pathologies.count; i++) {
        const struct pathology *item = &solution->pathologies.item[i];
        record[i] = (struct pathology_record){
            .kind = pathology_name(item->kind), .severity = severity_name(item->severity), .found_by = "solve",
            .tc = tc,
            .has_interval = item->has_interval, .clock_lo = item->from, .clock_hi = item->to, .ply = item->ply,
            .witness = item->witness, .sentence = item->text };
    }
    return store_pathologies(store, policy_id, record, solution->pathologies.count, error);
}
