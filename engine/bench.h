/* The bench: a fixed set of positions searched to a fixed depth. The sum of nodes is the engine's signature:
   it changes exactly when the search changes. */
#ifndef ENGINE_BENCH_H
#define ENGINE_BENCH_H

#include "engine/search.h"

enum { BENCH_POSITIONS = 48, BENCH_DEPTH = 12, BENCH_HASH_MB = 16 };

/* The total at BENCH_DEPTH and BENCH_HASH_MB: part of the engine's identity in stores, guarded by a test. */
#define BENCH_SIGNATURE INT64_C(4932544)

struct bench_plan {
    int depth;
    size_t hash_bytes;
    const struct search_features *features; /* NULL: all on */
};

struct bench_result {
    const char *fen;
    int index;          /* of the position just finished */
    const char *over;   /* "checkmate", …: nothing was searched; else NULL */
    int64_t nodes, ns;  /* of this position; ns: thread CPU time */
    int64_t total;      /* nodes so far */
};

/* Called after each position; may be NULL. */
typedef void bench_progress(void *ctx, const struct bench_result *result);

/* Searches all positions, each as in a new game. *total is the signature. False and `error` without memory. */
bool bench_run(const struct bench_plan *plan, bench_progress *progress, void *ctx, int64_t *total,
               struct tm_error *error);

/* What the bench costs without some of the search's features. */
struct bench_ablation {
    const char *off; /* their names; "nothing" for the reference, which comes first */
    int64_t nodes, ns;
};

typedef void bench_ablation_progress(void *ctx, const struct bench_ablation *row);

/* One bench with everything, then one for each feature, and one for MvvLva, CheckExtension and DeltaPruning together. */
bool bench_ablate(const struct bench_plan *plan, bench_ablation_progress *progress, void *ctx, struct tm_error *error);

const char *bench_position(int index);

#endif
