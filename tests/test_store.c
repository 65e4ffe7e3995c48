#include <sqlite3.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/store_fixture.h"
#include "tmsim/store_internal.h"

/* The text of a query's first row and column; the caller frees it. */
static char *ask(const char *file, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW, "%s", sql);
    char *text = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}

static void expect_answer(const char *file, const char *sql, const char *expected)
{
    char *text = ask(file, sql);
    cr_expect_str_eq(text, expected, "%s: %s, expected %s", sql, text, expected);
    free(text);
}

static void execute(const char *file, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

static void write_file(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");
    cr_assert_not_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* store_open must refuse with TM_INPUT, one line that holds `part`, and leave the file as it was. */
static void expect_refused(const char *file, bool read_only, const char *part)
{
    struct tm_error error = { 0 };
    struct store *store = NULL;
    struct stat before, after;
    bool existed = stat(file, &before) == 0;
    cr_expect(!store_open(file, read_only, &store, &error), "%s was opened", file);
    cr_expect_null(store);
    cr_expect_eq(error.code, TM_INPUT, "%s", error.message);
    cr_expect_not_null(strstr(error.message, part), "'%s' does not say '%s'", error.message, part);
    cr_expect_not_null(strstr(error.message, file), "'%s' does not name the file", error.message);
    cr_expect_null(strchr(error.message, '\n'));
    cr_expect_eq(stat(file, &after) == 0, existed, "%s", error.message);
    if (existed)
        cr_expect_eq(before.st_size, after.st_size);
}

Test(store, a_new_store_is_marked_as_ours)
{
    struct fixture_path path = fixture_path("new.db");
    struct tm_error error = { 0 };
    cr_expect(store_close(fixture_open(path.file), &error), "%s", error.message);
    expect_answer(path.file, "PRAGMA application_id", "1514490196");
    expect_answer(path.file, "PRAGMA user_version", "3");
    expect_answer(path.file, "PRAGMA journal_mode", "wal");
    expect_answer(path.file, "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE type = 'table' "
                  "ORDER BY name)", "calibration engine game gate move opening pairing pathology policy profile run timing");
    fixture_remove(&path);
}

Test(store, what_it_cannot_use_is_refused_in_one_line_and_left_alone)
{
    struct fixture_path path = fixture_path("s.db");
    write_file(path.file, "[Event \"?\"]\nthis is a PGN file and much longer than an SQLite header, so that it is read whole ....\n");
    expect_refused(path.file, false, "no SQLite file");
    unlink(path.file);
    execute(path.file, "CREATE TABLE bookmark (url TEXT); PRAGMA user_version = 1");
    expect_refused(path.file, false, "another program");
    expect_refused(path.file, true, "another program");
    unlink(path.file);
    execute(path.file, "PRAGMA application_id = 1514490196; PRAGMA user_version = 99; CREATE TABLE x (y)");
    expect_refused(path.file, false, "newer tmsim");
    unlink(path.file);
    execute(path.file, "PRAGMA application_id = 1514490196; PRAGMA user_version = 3; CREATE TABLE x (y)");
    expect_refused(path.file, true, "damaged");
    unlink(path.file);
    expect_refused(path.file, true, "no such file");
    write_file(path.file, "");
    expect_refused(path.file, true, "empty");
    fixture_remove(&path);
}

Test(store, paths_that_cannot_be_written_leave_nothing)
{
    struct fixture_path path = fixture_path("s.db");
    char below[200];
    snprintf(below, sizeof below, "%s/none/s.db", path.directory);
    expect_refused(below, false, "directory does not exist");
    expect_refused(path.directory, false, "");
    write_file(path.file, "");
    snprintf(below, sizeof below, "%s/s.db", path.file);
    expect_refused(below, false, "cannot be written");
    expect_refused("/proc/zeitnot.db", false, "");
    fixture_remove(&path);
}

Test(store, a_store_that_cannot_be_filled_is_removed)
{
    struct fixture_path path = fixture_path("s.db");
    const struct rlimit small = { 5000, RLIM_INFINITY }; /* bytes: room for one page of SQLite */
    struct rlimit before;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    expect_refused(path.file, false, "");
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_eq(rmdir(path.directory), 0, "something is left");
    fixture_remove(&path);
}

Test(store, a_truncated_store_is_damaged_not_empty)
{
    struct fixture_path path = fixture_path("s.db");
    store_close(fixture_open(path.file), NULL);
    cr_assert_eq(truncate(path.file, 6000), 0);
    expect_refused(path.file, false, "damaged");
    fixture_remove(&path);
}

Test(store, an_empty_file_becomes_a_store)
{
    struct fixture_path path = fixture_path("s.db");
    write_file(path.file, "");
    store_close(fixture_open(path.file), NULL);
    expect_answer(path.file, "PRAGMA user_version", "3");
    fixture_remove(&path);
}

Test(store, migration_goes_all_the_way_or_not_at_all)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    const struct migration broken[] = { { 3, 4, "CREATE TABLE later (x)" }, { 4, 5, "CREATE TABLE later (x)" } };
    cr_expect(!store_migrate(store, broken, 2, 5, &error));
    expect_answer(path.file, "PRAGMA user_version", "3");
    expect_answer(path.file, "SELECT count(*) FROM sqlite_schema WHERE name = 'later'", "0");
    cr_expect(!store_migrate(store, broken, 1, 5, &error), "a gap in the steps was jumped");
    const struct migration good[] = { { 3, 4, "CREATE TABLE later (x)" }, { 4, 6, "CREATE TABLE last (x)" } };
    cr_expect(store_migrate(store, good, 2, 6, &error), "%s", error.message);
    store_close(store, NULL);
    expect_answer(path.file, "PRAGMA user_version", "6");
    fixture_remove(&path);
}

/* A store as version 1 wrote it, with a gate. */
Test(store, version_1_is_migrated_and_keeps_its_rows)
{
    struct fixture_path path = fixture_path("s.db");
    store_close(fixture_open(path.file), NULL);
    execute(path.file, "DROP TABLE gate; CREATE TABLE gate (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run (id), "
            "name TEXT NOT NULL, passed INTEGER NOT NULL CHECK (passed IN (0, 1)), detail TEXT NOT NULL, UNIQUE (run, name)) "
            "STRICT; INSERT INTO gate VALUES (1, 1, 'old', 0, 'kept'); ALTER TABLE policy DROP COLUMN tc; PRAGMA user_version = 1");
    store_close(fixture_open(path.file), NULL);
    expect_answer(path.file, "PRAGMA user_version", "3");
    expect_answer(path.file, "SELECT name || detail || value || place FROM gate", "oldkept0.00");
    fixture_remove(&path);
}

Test(store, a_run_is_found_by_what_can_change_its_results)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    struct run_identity run = fixture_run("60+0");
    char key[33], again[33], other[33];
    int64_t id = 0, id_again = 0, id_other = 0;
    cr_assert(store_run(store, &run, &id, key, &error), "%s", error.message);
    cr_expect_eq(strlen(key), 32);
    /* Names of files and the spelling of JSON do not count, */
    run.book_name = "elsewhere.epd";
    run.engine = "{ \"name\":\"mock\", \"options\":{\"Hash\":16}, \"version\":\"1\" }";
    cr_assert(store_run(store, &run, &id_again, again, &error), "%s", error.message);
    cr_expect_eq(id_again, id);
    cr_expect_str_eq(again, key);
    /* everything else does. */
    struct run_identity changed[13];
    for (int i = 0; i < 13; i++)
        changed[i] = fixture_run("60+0");
    changed[0].tc = "60+0.6";
    changed[1].engine = "{\"name\": \"mock\"}";
    changed[2].profile_hash = "0";
    changed[3].book_hash = "0";
    changed[4].overhead = "const:51ms";
    changed[5].quantum = TM_NS_PER_MS;
    changed[6].margin = 1;
    changed[7].poll = 1024;
    changed[8].first_inc = false;
    changed[9].nps_scale = 1.0000000000000002;
    changed[10].seed = UINT64_C(0x8000000000000007);
    changed[11].adjudication = "draw";
    changed[12].max_plies = 401;
    for (int i = 0; i < 13; i++) {
        cr_assert(store_run(store, &changed[i], &id_other, other, &error), "%s", error.message);
        cr_expect_eq(id_other, id + 1 + i, "change %d did not make a new run", i);
        cr_expect_str_neq(other, key, "change %d", i);
    }
    store_close(store, NULL);
    expect_answer(path.file, "SELECT seed FROM run WHERE id = 12", "9223372036854775815");
    expect_answer(path.file, "SELECT identity FROM engine WHERE id = 1",
                  "{\"name\":\"mock\",\"options\":{\"Hash\":16},\"version\":\"1\"}");
    expect_answer(path.file, "SELECT count(*) FROM engine", "2");
    fixture_remove(&path);
}

Test(store, a_changed_policy_file_is_a_new_version)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t first = fixture_policy(store, "mine", "a1b2000000000000");
    char *label = store_policy_label(store, first, &error);
    cr_expect_str_eq(label, "mine");
    free(label);
    int64_t second = fixture_policy(store, "mine", "c3d4000000000000");
    cr_expect_neq(first, second);
    cr_expect_eq(fixture_policy(store, "mine", "a1b2000000000000"), first);
    label = store_policy_label(store, first, &error);
    cr_expect_str_eq(label, "mine@a1b2");
    free(label);
    cr_expect_null(store_policy_label(store, 77, &error));
    store_close(store, NULL);
    expect_answer(path.file, "SELECT group_concat(version) FROM policy", "1,2");
    fixture_remove(&path);
}

Test(store, labels_of_policies_hold_no_path_and_only_what_was_changed)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    const struct policy_param param[] = {
        { .name = "moves", .value = 30, .initial = 40 },
        { .name = "overhead", .value = 0.2, .initial = 0, .is_time = true },
        { .name = "share", .value = 0.1, .initial = 0.1 },
    };
    const struct policy_info info = {
        .name = "pool", .label = "/somewhere/pool.lua:overhead=200ms:moves=30", .path = "/somewhere/pool.lua",
        .hash = "abcd", .unit = POLICY_S, .param_count = 3, .param = param,
    };
    int64_t id;
    char *label = store_label_of(&info), *params = store_params_of(&info);
    cr_expect_str_eq(label, "pool:moves=30:overhead=0.2s");
    cr_expect_str_eq(params, "{\"moves\":30.0,\"overhead\":0.20000000000000001,\"share\":0.10000000000000001}");
    const struct policy_identity identity = { label, "pool", "", "", "s", params, "abcd", "", NULL };
    cr_expect(store_policy_identity(store, &identity, &id, &error), "%s", error.message);
    free(label);
    free(params);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(store, pairings_know_the_other_order)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    bool reversed = true;
    cr_assert(store_pairing_reversed(store, 1, a, b, &reversed, &error));
    cr_expect(!reversed, "nothing is stored yet");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    cr_assert(store_pairing_reversed(store, 1, a, b, &reversed, &error));
    cr_expect(!reversed);
    cr_assert(store_pairing_reversed(store, 1, b, a, &reversed, &error));
    cr_expect(reversed);
    cr_expect_eq(fixture_pairing(store, "60+0", a, b), pairing);
    cr_expect_neq(fixture_pairing(store, "60+0", b, a), pairing);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(store, a_game_comes_back_as_it_went_in)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    struct game_record game = fixture_game(3, 1, 2, 5), back;
    game.move[1].trace = malloc(3);
    memcpy(game.move[1].trace, "\0xy", 3);
    game.move[1].trace_size = 3;
    game.move[2].reason = TM_HARD;
    game.move[4].blind = game.move[3].fallback = game.move[2].starved = game.move[1].flagged = true;
    game.clock_at_end[1] = -5;
    cr_assert(store_game(store, pairing, &game, FIXTURE_BLACK, &error), "%s", error.message);
    char *fen;
    cr_assert(store_read_game(store, pairing, 3, 1, &back, &fen, &error), "%s", error.message);
    cr_expect_str_eq(fen, FIXTURE_BLACK);
    cr_expect_eq(back.move_count, 5);
    cr_expect_eq(back.white, 1);
    cr_expect_eq(back.end, END_CHECKMATE);
    cr_expect_eq(back.white_points, 2);
    cr_expect_eq(back.loser_side, 1);
    cr_expect_eq(back.clock_at_end[1], -5);
    cr_expect_eq(back.wall_ns, 123);
    for (int i = 0; i < 5; i++) {
        const struct move_record *in = &game.move[i], *out = &back.move[i];
        cr_expect_str_eq(out->move, in->move);
        cr_expect_eq(out->ply, in->ply);
        cr_expect_eq(out->hard_raw, TM_NS_MAX);
        cr_expect_eq(out->soft, in->soft);
        cr_expect_eq(out->nodes_asked, 900);
        cr_expect_eq(out->nodes_used, 800);
        cr_expect_eq(out->nodes_charged, 700);
        cr_expect_eq(out->clock_after, in->clock_after);
        cr_expect_eq(out->score, -31);
        cr_expect_eq(out->bound, 1);
        cr_expect_eq(out->signature, in->signature);
        cr_expect_eq(out->reason, in->reason, "move %d", i);
        cr_expect(out->blind == in->blind && out->fallback == in->fallback && out->starved == in->starved
                  && out->flagged == in->flagged, "move %d", i);
        cr_expect_eq(out->trace_size, in->trace_size);
    }
    cr_expect_eq(memcmp(back.move[1].trace, "\0xy", 3), 0);
    game_record_clear(&game);
    game_record_clear(&back);
    free(fen);
    cr_expect(!store_read_game(store, pairing, 3, 0, &back, &fen, &error));
    cr_expect_eq(error.code, TM_INPUT);
    store_close(store, NULL);
    /* Black moves first in this opening, and player 1 has White: player 0 made the moves of even ply. */
    expect_answer(path.file, "SELECT group_concat(player) FROM move", "0,1,0,1,0");
    fixture_remove(&path);
}

Test(store, a_faulted_game_has_no_score)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    struct game_record game = fixture_game(0, 0, 1, 2);
    game.white_points = -1;
    game.end = END_POLICY_FAULT;
    game.fault = strdup("a.lua:3: budget returned NaN");
    fixture_store(store, fixture_pairing(store, "60+0", a, b), game, FIXTURE_WHITE);
    store_close(store, NULL);
    expect_answer(path.file, "SELECT white_points IS NULL AND loser_side IS NULL AND fault LIKE '%NaN' FROM game", "1");
    expect_answer(path.file, "SELECT ending FROM game", "policy_fault");
    fixture_remove(&path);
}

Test(store, a_game_is_stored_once)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    fixture_store(store, pairing, fixture_game(2, 1, 1, 4), FIXTURE_WHITE);
    struct game_record game = fixture_game(2, 1, 0, 6);
    cr_expect(!store_game(store, pairing, &game, FIXTURE_BLACK, &error));
    cr_expect_not_null(strstr(error.message, "stored already"), "%s", error.message);
    game_record_clear(&game);
    fixture_store(store, pairing, fixture_game(3, 0, 1, 4), FIXTURE_WHITE); /* the refusal left no transaction open */
    bool present[8], one;
    cr_assert(store_present_games(store, pairing, 4, present, &error));
    for (int i = 0; i < 8; i++)
        cr_expect_eq(present[i], i == 5 || i == 6, "place %d", i);
    cr_assert(store_has_game(store, pairing, 2, 1, &one, &error));
    cr_expect(one);
    cr_assert(store_has_game(store, pairing, 2, 0, &one, &error));
    cr_expect(!one);
    store_close(store, NULL);
    expect_answer(path.file, "SELECT count(*) || ' ' || (SELECT count(*) FROM move) || ' ' || "
                  "(SELECT count(*) FROM opening) FROM game", "2 8 1");
    fixture_remove(&path);
}

static void play_some(const char *file, int64_t wall)
{
    struct store *store = fixture_open(file);
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    for (int i = 0; i < 6; i++) {
        struct game_record game = fixture_game(i / 2, i % 2, i % 3, 3 + i);
        game.wall_ns = wall;
        fixture_store(store, pairing, game, i % 2 ? FIXTURE_BLACK : FIXTURE_WHITE);
    }
    store_close(store, NULL);
}

Test(store, equal_inputs_fill_every_table_but_timing_alike)
{
    struct fixture_path one = fixture_path("one.db"), two = fixture_path("two.db");
    play_some(one.file, 1);
    play_some(two.file, 2);
    static const char *const tables[] = { "run", "policy", "engine", "profile", "opening", "pairing", "game", "move",
                                          "pathology", "gate", "calibration" };
    char sql[400];
    snprintf(sql, sizeof sql, "ATTACH '%s' AS other", two.file);
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(one.file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i <= sizeof tables / sizeof *tables; i++) {
        const char *table = i < sizeof tables / sizeof *tables ? tables[i] : "timing";
        snprintf(sql, sizeof sql, "SELECT (SELECT count(*) FROM (SELECT * FROM main.%s EXCEPT SELECT * FROM other.%s)) + "
                 "abs((SELECT count(*) FROM main.%s) - (SELECT count(*) FROM other.%s))", table, table, table, table);
        sqlite3_stmt *statement;
        cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
        sqlite3_step(statement);
        int differing = sqlite3_column_int(statement, 0);
        sqlite3_finalize(statement);
        cr_expect_eq(differing, strcmp(table, "timing") ? 0 : 6, "%s differs in %d rows", table, differing);
    }
    sqlite3_close(db);
    fixture_remove(&one);
    fixture_remove(&two);
}

Test(store, a_full_disk_is_reported_and_costs_one_game)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    fixture_store(store, pairing, fixture_game(0, 0, 1, 4), FIXTURE_WHITE);
    cr_assert_eq(sqlite3_exec(store->db, "PRAGMA max_page_count = 1", NULL, NULL, NULL), SQLITE_OK);
    struct game_record game = fixture_game(0, 1, 1, 5000);
    cr_expect(!store_game(store, pairing, &game, FIXTURE_WHITE, &error));
    cr_expect_eq(error.code, TM_INPUT);
    cr_expect_not_null(strstr(error.message, "disk is full"), "%s", error.message);
    cr_assert_eq(sqlite3_exec(store->db, "PRAGMA max_page_count = 100000", NULL, NULL, NULL), SQLITE_OK);
    cr_expect(store_game(store, pairing, &game, FIXTURE_WHITE, &error), "%s", error.message);
    game_record_clear(&game);
    store_close(store, NULL);
    expect_answer(path.file, "SELECT count(*) || ' ' || (SELECT count(*) FROM move) FROM game", "2 5004");
    fixture_remove(&path);
}

Test(store, another_writer_is_waited_for_and_then_named)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    sqlite3 *other;
    cr_assert_eq(sqlite3_open(path.file, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_busy_timeout(store->db, 20);
    const struct policy_identity identity = { "a", "a", "", "", "s", "{}", "a", "", NULL };
    int64_t id;
    cr_expect(!store_policy_identity(store, &identity, &id, &error));
    cr_expect_eq(error.code, TM_INPUT);
    cr_expect_not_null(strstr(error.message, "another process"), "%s", error.message);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    cr_expect(store_policy_identity(store, &identity, &id, &error), "%s", error.message);
    sqlite3_close(other);
    store_close(store, NULL);
    fixture_remove(&path);
}

Test(store, a_reader_writes_nothing)
{
    struct fixture_path path = fixture_path("s.db");
    play_some(path.file, 1);
    struct tm_error error = { 0 };
    struct store *store;
    cr_assert(store_open(path.file, true, &store, &error), "%s", error.message);
    const struct policy_identity identity = { "z", "z", "", "", "s", "{}", "z", "", NULL };
    int64_t id;
    cr_expect(!store_policy_identity(store, &identity, &id, &error));
    cr_expect_not_null(strstr(error.message, "may not be written"), "%s", error.message);
    cr_expect(store_close(store, &error));
    fixture_remove(&path);
}

Test(store, a_store_in_a_read_only_directory_can_be_read)
{
    struct fixture_path path = fixture_path("50% of #1?.db");
    play_some(path.file, 1);
    cr_assert_eq(chmod(path.file, 0444), 0);
    cr_assert_eq(chmod(path.directory, 0555), 0);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        struct tm_error error = { 0 };
        struct store *store;
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(3);
        if (!store_open(path.file, true, &store, &error))
            _exit(1);
        bool present = false;
        bool ok = store_has_game(store, 1, 0, 1, &present, &error) && present && !store_open(path.file, false, &store, &error)
                  && error.code == TM_INPUT;
        _exit(ok ? 0 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    chmod(path.directory, 0755);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", WEXITSTATUS(status));
    fixture_remove(&path);
}

/* Writes games until it is killed, and a byte into the pipe after each. */
static void write_for_ever(const char *file, int64_t pairing, int pipe_end)
{
    struct store *store = fixture_open(file);
    bool present[2 * 4096];
    struct tm_error error = { 0 };
    if (!store_present_games(store, pairing, 4096, present, &error))
        _exit(1);
    for (int i = 0; i < 2 * 4096; i++)
        if (!present[i]) {
            fixture_store(store, pairing, fixture_game(i / 2, i % 2, 1, 60), FIXTURE_WHITE);
            if (write(pipe_end, "g", 1) != 1)
                _exit(1);
        }
    _exit(0);
}

Test(store, killed_at_any_point_it_holds_whole_games_only)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    int64_t a = fixture_policy(store, "a", "a"), b = fixture_policy(store, "b", "b");
    int64_t pairing = fixture_pairing(store, "60+0", a, b);
    store_close(store, NULL);
    for (int round = 0; round < 5; round++) {
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            write_for_ever(path.file, pairing, ends[1]);
        char byte;
        for (int game = 0; game < 2; game++)
            cr_assert_eq(read(ends[0], &byte, 1), 1);
        struct timespec pause = { 0, 300 * 1000 * round }; /* into the next game, or the one after */
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(ends[0]);
        close(ends[1]);
        expect_answer(path.file, "PRAGMA integrity_check", "ok");
        expect_answer(path.file, "SELECT count(*) FROM game g WHERE plies != (SELECT count(*) FROM move WHERE game = g.id) "
                      "OR NOT EXISTS (SELECT 1 FROM timing WHERE game = g.id)", "0");
        /* In schedule order, so what is there is a beginning of the schedule. */
        expect_answer(path.file, "SELECT ifnull(max(2 * pair + leg) + 1, 0) = count(*) FROM game", "1");
    }
    char *games = ask(path.file, "SELECT count(*) FROM game");
    cr_expect_geq(atoi(games), 10, "only %s games were written", games);
    free(games);
    fixture_remove(&path);
}
