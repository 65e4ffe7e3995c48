/* Synthetic runs, policies and games for the tests of the store and of what reads it. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/store.h"

#define FIXTURE_WHITE "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define FIXTURE_BLACK "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

/* A directory of this process's own, with `name` in it; removed by fixture_remove. */
struct fixture_path {
    char directory[64], file[128];
};

static inline struct fixture_path fixture_path(const char *name)
{
    struct fixture_path path = { .directory = "/tmp/zeitnot-test-XXXXXX" };
    cr_assert_not_null(mkdtemp(path.directory));
    snprintf(path.file, sizeof path.file, "%s/%s", path.directory, name);
    return path;
}

static inline void fixture_remove(const struct fixture_path *path)
{
    static const char *const suffix[] = { "", "-wal", "-shm", "-journal" };
    char name[160];
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        snprintf(name, sizeof name, "%s%s", path->file, suffix[i]);
        unlink(name);
    }
    rmdir(path->directory);
}

static inline struct run_identity fixture_run(const char *tc)
{
    return (struct run_identity){
        .tc = tc, .engine = "{\"version\": \"1\", \"name\": \"mock\", \"options\": {\"Hash\": 16}}",
        .profile_name = "flat", .profile_hash = "00112233445566778899aabbccddeeff", .profile_json = "{}",
        .book_name = "book.epd", .book_hash = "ffeeddccbbaa99887766554433221100",
        .book_order = "random",
        .overhead = "const:50ms", .overhead_ns = 50 * TM_NS_PER_MS, .first_inc = true, .nps_scale = 1.0, .seed = 7,
        .adjudication = "none", .max_plies = 400, .starved_s_floor = 150 * TM_NS_PER_MS,
    };
}

static inline int64_t fixture_policy(struct store *store, const char *label, const char *hash)
{
    const struct policy_identity identity = {
        .label = label, .name = label, .title = "a title", .source = "a source", .unit = "s", .params = "{}",
        .hash = hash, .text = "return policy {}",
    };
    struct tm_error error = { 0 };
    int64_t id = 0;
    cr_assert(store_policy_identity(store, &identity, &id, &error), "%s", error.message);
    return id;
}

static inline struct move_record fixture_move(int ply, tm_ns spend)
{
    return (struct move_record){
        .ply = ply, .move = "e2e4", .clock_before = 60 * TM_NS_PER_S, .soft_raw = spend, .hard_raw = TM_NS_MAX,
        .soft_floored = spend, .hard_floored = TM_NS_MAX, .soft = spend, .rate = 30000, .cap = 1000, .nodes_asked = 900,
        .nodes_used = 800, .nodes_charged = 700, .spend = spend, .overhead = 50 * TM_NS_PER_MS,
        .clock_after = 60 * TM_NS_PER_S - spend - 50 * TM_NS_PER_MS, .depth = 7, .score = -31, .bound = 1,
        .reason = TM_SOFT, .signature = UINT64_C(0x8000000000000001),
    };
}

/* `plies` moves of one second each, ending by mate or as a draw; points in half points for White. */
static inline struct game_record fixture_game(int pair, int leg, int white_points, int plies)
{
    struct game_record game = {
        .pair = pair, .leg = leg, .white = leg, .end = white_points == 1 ? END_REPETITION : END_CHECKMATE,
        .white_points = white_points, .loser_side = white_points == 1 ? -1 : white_points / 2,
        .clock_at_end = { 10 * TM_NS_PER_S, 12 * TM_NS_PER_S }, .wall_ns = 123, .cpu_ns = 45,
    };
    game.move = calloc((size_t)plies + 1, sizeof *game.move);
    cr_assert_not_null(game.move);
    for (int ply = 0; ply < plies; ply++)
        game.move[ply] = fixture_move(ply, TM_NS_PER_S);
    game.move_count = game.move_capacity = plies;
    return game;
}

static inline struct store *fixture_open(const char *file)
{
    struct tm_error error = { 0 };
    struct store *store = NULL;
    cr_assert(store_open(file, false, &store, &error), "%s", error.message);
    return store;
}

static inline int64_t fixture_pairing(struct store *store, const char *tc, int64_t first, int64_t second)
{
    struct tm_error error = { 0 };
    struct run_identity run = fixture_run(tc);
    int64_t run_id = 0, pairing = 0;
    char key[33];
    cr_assert(store_run(store, &run, &run_id, key, &error), "%s", error.message);
    cr_assert(store_pairing(store, run_id, first, second, &pairing, &error), "%s", error.message);
    return pairing;
}

/* Stores the game and clears it. */
static inline void fixture_store(struct store *store, int64_t pairing, struct game_record game, const char *fen)
{
    struct tm_error error = { 0 };
    cr_assert(store_game(store, pairing, &game, fen, &error), "%s", error.message);
    game_record_clear(&game);
}

#endif
