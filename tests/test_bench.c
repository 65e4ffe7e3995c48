#include <criterion/criterion.h>

#include "engine/bench.h"
#include "engine/position.h"

/* At a depth that also an unoptimised build finishes soon. A change that is meant to alter the search
   alters this number, and says so in its commit. */
enum { DEPTH = 7, SIGNATURE = 351948 };

static void count(void *ctx, const struct bench_result *result)
{
    int *calls = ctx;
    cr_expect_eq(result->index, *calls);
    ++*calls;
}

Test(bench, signature)
{
    int64_t total;
    int calls = 0;
    cr_assert(bench_run(DEPTH, 1 << 20, count, &calls, &total, NULL));
    cr_expect_eq(total, SIGNATURE, "the search visits other nodes than before: %lld", (long long)total);
    cr_expect_eq(calls, BENCH_POSITIONS);
}

Test(bench, positions_are_legal_and_two_are_over)
{
    int over = 0;
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        struct position p;
        struct tm_error error;
        move_t moves[MOVES_MAX];
        cr_assert(position_parse(&p, bench_position(i), &error), "%s: %s", bench_position(i), error.message);
        over += position_legal_moves(&p, moves) == 0;
    }
    cr_expect_eq(over, 2);
}

Test(bench, the_signature_in_the_identity_of_stores_is_the_one_the_search_gives)
{
    int64_t total;
    cr_assert(bench_run(BENCH_DEPTH, (size_t)BENCH_HASH_MB << 20, NULL, NULL, &total, NULL));
    cr_expect(total == BENCH_SIGNATURE, "bench gives %lld", (long long)total);
}
