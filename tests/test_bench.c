#include <criterion/criterion.h>

#include "engine/bench.h"
#include "engine/position.h"

/* At a depth that also an unoptimised build finishes soon. A change that is meant to alter the search
   alters this number, and says so in its commit. */
enum { DEPTH = 7, SIGNATURE = 347920 };

static void count(void *ctx, const struct bench_result *result)
{
    int *calls = ctx;
    cr_expect_eq(result->index, *calls);
    cr_expect_eq(result->nodes == 0, result->over != NULL, "%s", result->fen);
    ++*calls;
}

Test(bench, signature)
{
    const struct bench_plan plan = { .depth = DEPTH, .hash_bytes = 1 << 20 };
    int64_t total;
    int calls = 0;
    cr_assert(bench_run(&plan, count, &calls, &total, NULL));
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
    const struct bench_plan plan = { .depth = BENCH_DEPTH, .hash_bytes = (size_t)BENCH_HASH_MB << 20 };
    int64_t total;
    cr_assert(bench_run(&plan, NULL, NULL, &total, NULL));
    cr_expect(total == BENCH_SIGNATURE, "bench gives %lld", (long long)total);
}

struct ablations {
    int64_t nodes[SEARCH_FEATURES + 2];
    int count;
};

static void note_ablation(void *ctx, const struct bench_ablation *row)
{
    struct ablations *seen = ctx;
    if (seen->count > 0 && seen->count <= SEARCH_FEATURES)
        cr_expect_str_eq(row->off, search_feature_list[seen->count - 1].name);
    if (seen->count < SEARCH_FEATURES + 2)
        seen->nodes[seen->count] = row->nodes;
    seen->count++;
}

Test(bench, ablation_switches_each_feature_off_alone)
{
    const struct bench_plan plan = { .depth = 4, .hash_bytes = 1 << 20 };
    struct ablations seen = { .count = 0 };
    cr_assert(bench_ablate(&plan, note_ablation, &seen, NULL));
    cr_expect_eq(seen.count, SEARCH_FEATURES + 2);
    cr_expect(seen.nodes[SEARCH_FEATURES + 1] != seen.nodes[0], "three at once");
    for (int i = 1; i <= SEARCH_FEATURES; i++)
        cr_expect(seen.nodes[i] != seen.nodes[0], "%s changes nothing", search_feature_list[i - 1].name);
}
