/* The transposition table. Forgetting is a new epoch, not a clearing: a bucket of another epoch is empty. */
#ifndef ENGINE_HASH_H
#define ENGINE_HASH_H

#include "engine/position.h"
#include "vclock/event.h"

enum { HASH_BUCKET_ENTRIES = 6, HASH_GENERATIONS = 64 };

/* One cache line; entry i is element i of each array. The static value is not kept: it is computed while the line
   is on its way from memory, and six entries fit where five would with it. */
struct hash_bucket {
    uint32_t epoch;
    uint32_t check[HASH_BUCKET_ENTRIES];   /* the half of the key that does not choose the bucket */
    int16_t score[HASH_BUCKET_ENTRIES];
    move_t move[HASH_BUCKET_ENTRIES];
    uint8_t depth[HASH_BUCKET_ENTRIES];
    uint8_t age_bound[HASH_BUCKET_ENTRIES]; /* generation << 2 | enum tm_bound + 1; 0: unused */
};

struct hash {
    struct hash_bucket *bucket; /* aligned to a large page, inside `memory` */
    void *memory;
    size_t size;                /* of the mapping, bytes */
    uint64_t count;             /* 0: off */
    uint32_t epoch;
    uint32_t generation;
};

/* What a probe found, copied out. */
struct hash_hit {
    bool found;
    move_t move;
    int score, depth;
    enum tm_bound bound;
};

/* `bytes` 0: off; else at least one bucket. False and `error` (TM_INTERNAL) when memory is missing. */
bool hash_init(struct hash *hash, size_t bytes, struct tm_error *error);
void hash_clear(struct hash *hash);

void hash_forget(struct hash *hash);

/* A new search begins: what is there is older now. */
void hash_age(struct hash *hash);

static inline struct hash_bucket *hash_bucket(const struct hash *hash, uint64_t key)
{
    return &hash->bucket[((key >> 32) * hash->count) >> 32];
}

static inline void hash_prefetch(const struct hash *hash, uint64_t key)
{
    if (hash->count)
        __builtin_prefetch(hash_bucket(hash, key));
}

struct hash_hit hash_probe(const struct hash *hash, uint64_t key);

void hash_store(struct hash *hash, uint64_t key, const struct hash_hit *data);

/* Entries of the running generation in per mille of the first buckets, as UCI's hashfull. */
int hash_full(const struct hash *hash);

#endif
