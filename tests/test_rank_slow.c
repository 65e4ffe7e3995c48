/* A million moves are ranked in less than two seconds. */
#include <gsl/gsl_errno.h>
#include <sqlite3.h>
#include <time.h>

#include "tests/store_fixture.h"
#include "tmsim/rank.h"
#include "tmsim/store_internal.h"

enum { POLICIES = 6, PAIRS = 700, PLIES = 120, TRACE = 60 };

/* Of processor time: other tests run beside this one. */
static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void play(struct store *store, int64_t pairing, int pair, int leg, unsigned *random)
{
    struct game_record game = fixture_game(pair, leg, (int)(*random >> 16) % 3, PLIES);
    for (int i = 0; i < PLIES; i++) {
        *random = *random * 1103515245u + 12345u; /* any spread will do */
        game.move[i].spend = *random;
        game.move[i].trace = calloc(1, TRACE);
        game.move[i].trace_size = TRACE;
    }
    fixture_store(store, pairing, game, FIXTURE_WHITE);
}

Test(rank_slow, a_million_moves_in_two_seconds, .timeout = 300)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct tm_error error = { 0 };
    gsl_set_error_handler_off();
    cr_assert_eq(sqlite3_exec(store->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    int64_t baseline = fixture_policy(store, "baseline", "00");
    unsigned random = 1;
    for (int p = 0; p < POLICIES; p++) {
        char label[16], hash[16];
        snprintf(label, sizeof label, "p%d", p);
        snprintf(hash, sizeof hash, "h%d", p);
        int64_t pairing = fixture_pairing(store, "60+0", fixture_policy(store, label, hash), baseline);
        for (int pair = 0; pair < PAIRS; pair++)
            for (int leg = 0; leg < 2; leg++)
                play(store, pairing, pair, leg, &random);
    }
    store_close(store, NULL);
    cr_assert(store_open(path.file, true, &store, &error), "%s", error.message);
    FILE *stream = tmpfile();
    double start = seconds();
    cr_assert(rank_print(store, &(struct rank_options){ .baseline = "baseline" }, stream, NULL, &error), "%s", error.message);
    double took = seconds() - start;
    cr_log_warn("ranked %d moves in %.2f s of processor time", POLICIES * PAIRS * 2 * PLIES, took);
#if !defined(__SANITIZE_ADDRESS__)
    cr_expect_lt(took, 2.0, "%.2f s", took);
#endif
    fclose(stream);
    store_close(store, NULL);
    fixture_remove(&path);
}
