#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>
#include <sqlite3.h>

#include "tests/store_fixture.h"
#include "tmsim/seen.h"

#define MS TM_NS_PER_MS

static void init(void) { gsl_set_error_handler_off(); }

TestSuite(seen, .init = init);

static void set_move(struct move_record *move, tm_ns before, tm_ns spend, bool blind)
{
    move->clock_before = before;
    move->spend = spend;
    move->overhead = 50 * MS;
    move->clock_after = before - spend - 50 * MS;
    move->blind = blind;
    move->starved = blind;
}

/* Player 0 has White. Its moves: 1 s left, blind twice, then it flags 10 ms beyond; player 1 is well. */
static struct game_record flagged_game(int pair)
{
    struct game_record game = fixture_game(pair, 0, 1, 8);
    game.white = 0;
    game.end = END_FLAG;
    game.loser_side = 0;
    game.white_points = 0;
    game.move_count = 7;
    for (int ply = 1; ply < 7; ply += 2)
        set_move(&game.move[ply], 40000 * MS, 1000 * MS, false);
    set_move(&game.move[0], 1000 * MS, 450 * MS, false);
    set_move(&game.move[2], 500 * MS, 150 * MS, true);
    set_move(&game.move[4], 300 * MS, 150 * MS, true);
    set_move(&game.move[6], 100 * MS, 60 * MS, false);
    game.move[2].soft_raw = 300 * MS;
    game.move[2].hard_raw = 200 * MS;
    game.move[6].flagged = true;
    return game;
}

struct fixture {
    struct fixture_path path;
    struct store *store;
};

static struct fixture set_up(int games)
{
    struct fixture f = { .path = fixture_path("seen.db") };
    f.store = fixture_open(f.path.file);
    const int64_t first = fixture_policy(f.store, "first", "aa"), second = fixture_policy(f.store, "second", "bb");
    const int64_t pairing = fixture_pairing(f.store, "60+0", first, second);
    for (int pair = 0; pair < games; pair++)
        fixture_store(f.store, pairing, flagged_game(pair), FIXTURE_WHITE);
    return f;
}

static void tear_down(struct fixture *f)
{
    store_close(f->store, NULL);
    fixture_remove(&f->path);
}

Test(seen, what_games_show_is_read_off_the_moves_of_each_player)
{
    struct fixture f = set_up(3);
    struct tm_error error = { 0 };
    struct seen *seen;
    int count;
    cr_assert(seen_read(f.store, 1, &seen, &count, &error), "%s", error.message);
    cr_assert(eq(int, count, 2));
    cr_expect_str_eq(seen[0].label, "first");
    cr_expect(seen[0].games == 3 && seen[0].moves == 12 && seen[0].blind == 6 && seen[0].flags == 3 && seen[0].starved == 6);
    cr_expect(seen[0].blind_run == 2 && seen[0].first_blind_run.ply == 2);
    cr_expect(eq(i64, seen[0].blind_clock, 500 * MS));
    cr_expect(eq(i64, seen[0].lowest_median, -10 * MS));
    cr_expect(eq(i64, seen[0].overrun_worst, 10 * MS));
    cr_expect(eq(i64, seen[0].overrun_nodes, 300), "10 ms at 30000 nodes/s");
    cr_expect(seen[0].first_blind_median == 2 && seen[0].flag_median == 4 && seen[0].length_median == 4);
    cr_expect(seen[0].inversions == 3 && seen[0].inversion_lo == 500 * MS && seen[0].inversion_hi == 500 * MS);
    cr_expect(seen[1].games == 3 && seen[1].moves == 9 && seen[1].blind == 0 && seen[1].flags == 0 && seen[1].blind_clock == -1);
    cr_expect(seen[1].flag_median == 0 && seen[1].late_median == -1 && seen[1].end_median == 38950 * MS);
    seen_clear(seen, count);
    free(seen);
    tear_down(&f);
}

static int ask(const char *file, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert(sqlite3_open(file, &db) == SQLITE_OK && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    cr_assert(sqlite3_step(statement) == SQLITE_ROW);
    const int value = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
}

Test(seen, pathologies_of_games_are_stored_with_their_place_and_replaced_by_a_later_look)
{
    struct fixture f = set_up(2);
    struct tm_error error = { 0 };
    for (int i = 0; i < 2; i++)
        cr_assert(seen_store(f.store, 1, "hammer", &error), "%s", error.message);
    store_close(f.store, NULL);
    f.store = NULL;
    static const struct { const char *sql; int expected; } cases[] = {
        { "SELECT count(*) FROM pathology WHERE run = 1 AND found_by = 'hammer'", 5 },
        { "SELECT count(*) FROM pathology WHERE kind = 'flag' AND severity = 'severe' AND ply = 6 AND clock_lo_ns = 100000000 "
          "AND sentence LIKE '2 flags in 2 games, at worst 10.0 ms or 300 nodes beyond the clock%pair 0, leg 0, ply 6%'", 1 },
        { "SELECT count(*) FROM pathology WHERE kind = 'blind_run' AND sentence LIKE '50.0 %% of 8 moves are blind, the longest run is 2%'", 1 },
        { "SELECT count(*) FROM pathology h JOIN game g ON g.id = h.game JOIN move m ON m.game = g.id AND m.ply = h.ply AND "
          "m.signature = h.signature AND m.clock_before_ns = h.clock_lo_ns WHERE h.kind IN ('flag', 'blind_run', 'starved', "
          "'inversion')", 4 },
        { "SELECT count(*) FROM pathology WHERE kind = 'starved' AND severity = 'warning'", 1 },
        { "SELECT count(*) FROM pathology WHERE kind = 'inversion'", 1 },
        { "SELECT count(*) FROM pathology h JOIN policy q ON q.id = h.policy WHERE q.label = 'second' AND kind = 'unspent_reserve'", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect(eq(int, ask(f.path.file, cases[i].sql), cases[i].expected), "%s", cases[i].sql);
    tear_down(&f);
}
