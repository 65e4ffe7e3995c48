/* The bench: a fixed set of positions searched to a fixed depth. The sum of nodes is the engine's signature:
   it changes exactly when the search changes. */
#ifndef ENGINE_BENCH_H
#define ENGINE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "vclock/error.h"

enum { BENCH_POSITIONS = 48, BENCH_DEPTH = 12, BENCH_HASH_MB = 16 };

/* The total at BENCH_DEPTH and BENCH_HASH_MB: part of the engine's identity in stores, guarded by a test. */
#define BENCH_SIGNATURE INT64_C(4971916)

struct bench_result {
    const char *fen;
    int index;      /* of the position just finished */
    int64_t nodes;  /* of this position */
    int64_t total;  /* so far */
};

/* Called after each position; may be NULL. */
typedef void bench_progress(void *ctx, const struct bench_result *result);

/* Searches all positions, each as in a new game. *total is the signature. False and `error` without memory. */
bool bench_run(int depth, size_t hash_bytes, bench_progress *progress, void *ctx, int64_t *total,
               struct tm_error *error);

const char *bench_position(int index);

#endif
