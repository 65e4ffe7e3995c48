/* Bulk insertion of games: the store against a bare loop of prepared statements on the same machine, both with one
   transaction a game. Measurement, not a test. Usage: bench_store [GAMES] */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tmsim/store.h"

enum { PLIES = 120, COLUMNS = 28 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct game_record make_game(int pair)
{
    struct game_record game = { .pair = pair, .end = END_CHECKMATE, .white_points = 2, .loser_side = 1, .move_count = PLIES,
                                .move_capacity = PLIES, .move = calloc(PLIES, sizeof *game.move) };
    for (int ply = 0; game.move && ply < PLIES; ply++)
        game.move[ply] = (struct move_record){
            .ply = ply, .move = "e2e4", .clock_before = 60 * TM_NS_PER_S - ply * 12345, .soft_raw = 123456789 + ply,
            .hard_raw = 987654321 + ply, .soft_floored = 123456789, .hard_floored = 987654321, .soft = 123456789, .rate = 30000,
            .cap = 29629, .nodes_asked = 29629, .nodes_used = 3703 + ply, .nodes_charged = 3703, .spend = 123456789,
            .overhead = 50000000, .clock_after = 59 * TM_NS_PER_S, .depth = 9, .score = ply, .reason = TM_SOFT,
            .signature = 0x123456789ABCDEFu + (uint64_t)ply,
        };
    return game;
}

/* Seconds for `games` games through the store. */
static double through_store(const char *path, int games)
{
    struct store *store;
    struct tm_error error = { 0 };
    int64_t run, policy[2], pairing;
    char key[33];
    const struct run_identity identity = { .tc = "60+0", .engine = "{}", .profile_name = "p", .profile_hash = "h", .profile_json = "{}",
                                           .book_name = "b", .book_hash = "h", .book_order = "random", .overhead = "const:0s",
                                           .nps_scale = 1, .adjudication = "none" };
    struct policy_identity player = { .label = "a", .name = "a", .title = "", .source = "", .unit = "s", .params = "{}", .hash = "1",
                                      .text = "" };
    bool ok = store_open(path, false, &store, &error) && store_run(store, &identity, &run, key, &error)
              && store_policy_identity(store, &player, &policy[0], &error);
    player.label = "b";
    player.hash = "2";
    ok = ok && store_policy_identity(store, &player, &policy[1], &error)
         && store_pairing(store, run, policy[0], policy[1], &pairing, &error);
    const double start = now();
    for (int i = 0; ok && i < games; i++) {
        struct game_record game = make_game(i);
        ok = store_game(store, pairing, &game, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &error);
        game_record_clear(&game);
    }
    if (!ok)
        fprintf(stderr, "%s\n", error.message);
    store_close(store, NULL);
    return now() - start;
}

/* The same rows into the same columns, by hand. */
static double bare(const char *path, int games)
{
    sqlite3 *db;
    sqlite3_stmt *insert = NULL;
    char sql[1000] = "CREATE TABLE move (game INTEGER, ply INTEGER, move TEXT";
    for (int i = 3; i < COLUMNS; i++)
        snprintf(sql + strlen(sql), sizeof sql - strlen(sql), ", c%d INTEGER", i);
    strcat(sql, ", PRIMARY KEY (game, ply)) WITHOUT ROWID");
    if (sqlite3_open(path, &db) != SQLITE_OK)
        return 0;
    sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    strcpy(sql, "INSERT INTO move VALUES (?");
    for (int i = 1; i < COLUMNS; i++)
        strcat(sql, ", ?");
    strcat(sql, ")");
    sqlite3_prepare_v2(db, sql, -1, &insert, NULL);
    const double start = now();
    for (int game = 0; game < games; game++) {
        sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
        for (int ply = 0; ply < PLIES; ply++) {
            sqlite3_bind_int(insert, 1, game);
            sqlite3_bind_int(insert, 2, ply);
            sqlite3_bind_text(insert, 3, "e2e4", -1, SQLITE_STATIC);
            for (int i = 3; i < COLUMNS - 1; i++)
                sqlite3_bind_int64(insert, i + 1, i % 4 ? 123456789 + ply : i);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    }
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return now() - start;
}

static void clean(const char *directory, const char *name)
{
    static const char *const suffix[] = { "", "-wal", "-shm" };
    char path[300];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s%s", directory, name, suffix[i]);
        unlink(path);
    }
}

int main(int argc, char **argv)
{
    const int games = argc > 1 ? atoi(argv[1]) : 2000;
    char directory[] = "/tmp/bench-store-XXXXXX", path[300];
    if (games < 1 || !mkdtemp(directory))
        return 2;
    snprintf(path, sizeof path, "%s/bare.db", directory);
    const double loop = bare(path, games);
    snprintf(path, sizeof path, "%s/store.db", directory);
    const double store = through_store(path, games);
    printf("%d games of %d plies: bare loop %.2f s (%.0f rows/s), store %.2f s (%.0f rows/s), %.2f of the loop's rate, %.3f ms a game\n",
           games, PLIES, loop, games * PLIES / loop, store, games * PLIES / store, loop / store, 1000 * store / games);
    clean(directory, "bare.db");
    clean(directory, "store.db");
    return rmdir(directory) != 0;
}
