#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/solver_reference.h"
#include "tmsim/policy_eval.h"
#include "tmsim/policy_verify.h"
#include "tmsim/solve.h"

static void start(void) { gsl_set_error_handler_off(); }
TestSuite(solve, .init = start);

/* ---- formulas of one line ---- */

static struct budget ask(const char *text, double time, double inc, int movestogo, tm_ns overhead)
{
    struct policy *policy = formula(text);
    struct eval_request request = {
        .policy = policy, .time = ns_from_units(time, 1e9), .inc = ns_from_units(inc, 1e9), .overhead = overhead,
        .has_movestogo = movestogo != 0, .movestogo = movestogo };
    struct cell cell;
    struct clock_state state;
    struct budget budget;
    struct tm_error error;
    cr_assert(eval_open(&request, &cell, &state, &error), "%s", error.message);
    cr_assert(cell_budget(&cell, &state, &budget, &error), "%s", error.message);
    cell_close(&cell);
    policy_free(policy);
    return budget;
}

Test(solve, a_formula_reads_t_i_m_o_and_names_of_its_own)
{
    struct budget b = ask("soft=T/40+0.9*I; hard=T/4", 60, 0.1, 0, 0);
    cr_expect(eq(i64, b.soft_raw, 1590 * TM_NS_PER_MS));
    cr_expect(eq(i64, b.hard_raw, 15 * TM_NS_PER_S));
    b = ask("P=T-(M+2)*O; soft=P/M", 10, 0, 3, 30 * TM_NS_PER_MS);
    cr_expect(eq(i64, b.soft_raw, 3283333333));
    cr_expect(eq(i64, b.hard_raw, b.soft_raw), "the limit that is left out is the other one");
    b = ask("m = when(T < 1, trunc(T*50), M) ; soft = T/m", 0.99, 0, 20, 0);
    cr_expect(fabs(b.raw.soft - 0.99 / 49) < 1e-12);
    b = ask("hard = max(M, 7)", 10, 0, 0, 0);
    cr_expect(eq(i64, b.hard_raw, 7 * TM_NS_PER_S), "without a control M is 0");
}

Test(solve, a_formula_that_cannot_be_read_is_refused_with_its_place)
{
    static const struct { const char *text, *message; } rows[] = {
        { "", "neither soft nor hard" },
        { "x=1", "neither soft nor hard" },
        { "soft=T/", "--expr" },
        { "soft", "character 1: expected name=formula" },
        { "soft=T/40; hard", "character 12: expected name=formula" },
        { "T=5; soft=T", "T is given, not assigned" },
        { "soft==T", "expected name=formula" },
        { "soft=T\nhard=T", "one line" },
        { "soft=T^2", "pow" },
        { "soft=(T<1)?1:2; hard=1", "--expr" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct policy *policy = NULL;
        struct tm_error error = { 0 };
        const bool loaded = expression_load(rows[i].text, &policy, &error);
        cr_expect(loaded == false && error.code == TM_INPUT && strstr(error.message, rows[i].message), "'%s': %s", rows[i].text,
                  loaded ? "was taken" : error.message);
        policy_free(policy);
    }
}

/* No crash where the horizon of a low clock becomes 0 (12 of the list of known faults), and the cliff at 1 s is told. */
Test(solve, a_horizon_for_low_clocks_is_a_jump_and_no_crash)
{
    const struct tc tc = some_tc("40/1");
    struct cell_setup setup = cell_defaults(formula("m=when(T<1,trunc(T*50),M); soft=(0.88+ply/116)/m*T; hard=soft"), &tc, 0);
    struct solution *solution = malloc(sizeof *solution);
    struct tm_error error;
    setup.first_inc = true;
    setup.moves = 20;
    cr_assert(solve_cell(&setup, "it", false, solution, &error), "%s", error.message);
    for (int i = 0; i < solution->walk.moves; i++)
        cr_expect(solution->walk.move[i].spend >= 0);
    cr_expect(solution->walk.fault_move == 0 || strstr(solution->walk.fault.message, "NaN"));
    solution_clear(solution);
    free(solution);
    drop_policy(&setup);
}

/* ---- output ---- */

static const char *const cell_keys[] = { "policy", "tc", "overhead_s", "walk", "park", "knees", "pathologies" };
static const char *const walk_keys[] = { "moves", "flag_move", "end_clock_s", "min_clock_s", "median_spend_s", "max_spend_s",
                                         "floor_moves", "first_floor_move", "starved_moves", "reserve_s" };
static const char *const park_keys[] = { "outcome", "kind", "clock_s", "from_s", "to_s", "blind" };
static const char *const knee_keys[] = { "kind", "clock_s", "term" };
static const char *const pathology_keys[] = { "kind", "severity", "from_s", "to_s", "witness", "text" };

static void expect_keys(const json_t *object, const char *const *keys, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        cr_expect(json_object_get(object, keys[i]) != NULL, "%s has no %s", what, keys[i]);
}

#define EXPECT_KEYS(object, keys, what) expect_keys(object, keys, sizeof keys / sizeof *keys, what)

Test(solve, json_has_what_is_promised)
{
    static const char *const controls[] = { "60+0", "60+0.1" };
    for (size_t i = 0; i < 2; i++) {
        const struct tc tc = some_tc(controls[i]);
        struct cell_setup setup = cell_defaults(some_policy("oldtm"), &tc, 50 * TM_NS_PER_MS);
        struct solution *solution = malloc(sizeof *solution);
        struct tm_error error;
        cr_assert(solve_cell(&setup, "oldtm", false, solution, &error));
        json_t *json = solution_json(solution);
        cr_assert(json != NULL);
        EXPECT_KEYS(json, cell_keys, "a cell");
        EXPECT_KEYS(json_object_get(json, "walk"), walk_keys, "walk");
        EXPECT_KEYS(json_object_get(json, "park"), park_keys, "park");
        EXPECT_KEYS(json_array_get(json_object_get(json, "knees"), 0), knee_keys, "a knee");
        EXPECT_KEYS(json_array_get(json_object_get(json, "pathologies"), 0), pathology_keys, "a pathology");
        cr_expect_str_eq(json_string_value(json_object_get(json_object_get(json, "park"), "outcome")), i ? "parks" : "drains");
        const json_t *flag = json_object_get(json_object_get(json, "walk"), "flag_move");
        cr_expect_eq(json_is_null(flag), i == 1);
        json_decref(json);
        solution_clear(solution);
        free(solution);
        drop_policy(&setup);
    }
}

/* ---- recorded budgets ---- */

static void write_file(char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool verify(const char *spec, const char *suffix, const char *text, double tolerance, struct verify_result *result,
                   struct tm_error *error)
{
    char path[64];
    json_t *rows;
    snprintf(path, sizeof path, "/tmp/zeitnot-verify-%ld%s", (long)getpid(), suffix);
    write_file(path, text);
    bool ok = vectors_load(path, &rows, error);
    unlink(path);
    if (!ok)
        return false;
    ok = policy_verify(spec, ZEITNOT_DATA_SOURCE "/policies", rows, tolerance, result, error);
    json_decref(rows);
    return ok;
}

/* min(60/12, 60/2 - 1) = 5 s and 4 s. */
Test(solve, recorded_budgets_are_compared_floored)
{
    static const char csv[] = "time_s,inc_s,movestogo,soft_s,hard_s\r\n60,0,,4,5\r\n1.9,0,40,0.04,0.05\n\n60,0,,4.0005,5\n";
    struct verify_result result;
    struct tm_error error;
    cr_assert(verify("oldtm", ".csv", csv, 1e-9, &result, &error), "%s", error.message);
    cr_expect(result.rows == 3 && result.agreeing == 2 && result.shown == 1);
    cr_expect(fabs(result.largest - 0.0005) < 1e-9);
    cr_expect(strstr(result.disagreement[0], "row 3: time 60 s, inc 0 s, movestogo none") != NULL, "%s",
              result.disagreement[0]);
    cr_assert(verify("oldtm", ".csv", csv, 1e-3, &result, &error));
    cr_expect(eq(int, result.agreeing, 3));
}

Test(solve, a_row_s_state_and_overhead_set_parameters_memory_and_clock)
{
    static const char json[] =
        "{\"vectors\": [{\"policy\": \"sunfish_pool\", \"inputs\": {\"time_s\": 60, \"inc_s\": 0, \"movestogo\": null, \"ply\": "
        "40, \"overhead_s\": 0.1, \"state\": {\"phase_m\": true, \"scale\": 0.8}}, \"soft_s\": 1.76, \"hard_s\": 8.8},"
        "{\"policy\": \"someone_else\", \"inputs\": {\"time_s\": 1}, \"soft_s\": 1, \"hard_s\": 1}]}";
    struct verify_result result;
    struct tm_error error;
    cr_assert(verify("pool", ".json", json, 1e-9, &result, &error), "%s", error.message);
    /* m = 26, pool = 60 - 28 * 0.1 = 57.2, share = 0.8 * 57.2 / 26 = 1.76 */
    cr_expect(eq(int, result.rows, 1));
    cr_expect(eq(int, result.agreeing, 1), "%s", result.disagreement[0]);
}

Test(solve, a_policy_s_own_table_says_what_a_state_is)
{
    struct policy *policy = some_policy("budget");
    cr_expect_str_eq(policy_vector_target(policy, "overhead_s"), "p.delay");
    cr_expect(policy_vector_target(policy, "nothing") == NULL);
    policy_free(policy);
    static const char csv[] = "time_s,overhead_s,soft_s,hard_s\n60,0.1,1.4,7\n";
    struct verify_result result;
    struct tm_error error;
    cr_assert(verify("budget", ".csv", csv, 1e-9, &result, &error), "%s", error.message);
    cr_expect(eq(int, result.agreeing, 1), "%s", result.disagreement[0]);
}

Test(solve, files_of_budgets_that_cannot_be_read_are_refused)
{
    static const struct { const char *suffix, *text, *message; } rows[] = {
        { ".json", "{", ":1" },
        { ".json", "{}", "expected an object with a list" },
        { ".json", "{\"vectors\": [{\"inputs\": {}}]}", "time_s is missing" },
        { ".json", "{\"vectors\": [{\"policy\": \"x\", \"inputs\": {\"time_s\": 1}}]}", "no row of the file is about" },
        { ".json", "{\"vectors\": [{\"inputs\": {\"time_s\": 1, \"state\": {\"a\": \"b\"}}}]}", "state.a is not a number" },
        { ".csv", "", "is empty" },
        { ".csv", "time_s,soft_s\n1,2\n", "no column hard_s" },
        { ".csv", "time_s,soft_s,hard_s\n1,2\n", ":2: 2 fields" },
        { ".csv", "time_s,soft_s,hard_s\n1,2,x\n", ":2: hard_s: expected a number" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct verify_result result;
        struct tm_error error = { 0 };
        const bool ok = verify("oldtm", rows[i].suffix, rows[i].text, 1e-9, &result, &error);
        cr_expect(ok == false && error.code == TM_INPUT && strstr(error.message, rows[i].message), "row %zu: %s", i,
                  ok ? "was taken" : error.message);
    }
}

/* ---- the store ---- */

Test(solve, pathologies_are_stored_once)
{
    char path[64];
    struct store *store;
    struct tm_error error;
    int64_t id;
    struct policy *policy = some_policy("oldtm");
    const struct pathology_record record[] = {
        { .kind = "flag", .severity = "severe", .found_by = "solve", .tc = "60+0", .ply = 122, .witness = "w", .sentence = "s" },
        { .kind = "park", .severity = "note", .found_by = "solve", .tc = "60+0", .has_interval = true, .clock_hi = 5, .ply = -1,
          .witness = "w", .sentence = "s" } };
    snprintf(path, sizeof path, "/tmp/zeitnot-pathology-%ld.db", (long)getpid());
    unlink(path);
    cr_assert(store_open(path, false, &store, &error), "%s", error.message);
    cr_assert(store_policy(store, policy, &id, &error), "%s", error.message);
    for (int i = 0; i < 2; i++)
        cr_expect(store_pathologies(store, id, record, 2, &error), "%s", error.message);
    cr_expect(store_close(store, &error));
    sqlite3 *db;
    sqlite3_stmt *query;
    cr_assert(sqlite3_open(path, &db) == SQLITE_OK);
    cr_assert(sqlite3_prepare_v2(db, "SELECT count(*), sum(ply), sum(clock_hi_ns) FROM pathology", -1, &query, NULL) == SQLITE_OK);
    cr_expect(sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0) == 2 && sqlite3_column_int(query, 1) == 122
              && sqlite3_column_int(query, 2) == 5);
    sqlite3_finalize(query);
    sqlite3_close(db);
    unlink(path);
    policy_free(policy);
}
