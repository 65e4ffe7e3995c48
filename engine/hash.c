/* The memory is mapped, not allocated: fresh pages are zero, which is epoch 0 and thus empty, and large ones
   can be asked for (most probes miss the cache, and with small pages also the address translation). */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "engine/hash.h"

#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

_Static_assert(sizeof(struct hash_bucket) == 64, "a bucket is a cache line");

bool hash_init(struct hash *hash, size_t bytes, struct tm_error *error)
{
    *hash = (struct hash){ .epoch = 1 };
    if (!bytes)
        return true;
    uint64_t count = bytes / sizeof(struct hash_bucket);
    count = count ? count : 1;
    count = count > UINT32_MAX ? UINT32_MAX : count; /* the bucket comes from 32 bits of the key */
    size_t size = (size_t)count * sizeof(struct hash_bucket) + LARGE_PAGE;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return error_fail(error, TM_INTERNAL, "no memory for a hash table of %zu bytes", bytes);
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE); /* a wish; without it the table is only slower */
#endif
    uintptr_t aligned = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
    hash->bucket = (struct hash_bucket *)aligned;
    hash->memory = memory;
    hash->size = size;
    hash->count = count;
    return true;
}

void hash_clear(struct hash *hash)
{
    if (hash->memory)
        munmap(hash->memory, hash->size);
    *hash = (struct hash){ 0 };
}

void hash_forget(struct hash *hash)
{
    hash->generation = 0;
    if (++hash->epoch)
        return;
    /* After 2^32 games an old bucket could pass for a new one: this once, clear. */
    memset(hash->bucket, 0, (size_t)hash->count * sizeof *hash->bucket);
    hash->epoch = 1;
}

void hash_age(struct hash *hash) { hash->generation = (hash->generation + 1) % HASH_GENERATIONS; }

/* Where the key is, or -1. */
static int find_entry(const struct hash_bucket *bucket, uint64_t key)
{
    for (int i = 0; i < HASH_BUCKET_ENTRIES; i++)
        if (bucket->check[i] == (uint32_t)key && bucket->age_bound[i])
            return i;
    return -1;
}

struct hash_hit hash_probe(const struct hash *hash, uint64_t key)
{
    struct hash_hit hit = { .found = false };
    if (!hash->count)
        return hit;
    const struct hash_bucket *bucket = hash_bucket(hash, key);
    int i = bucket->epoch == hash->epoch ? find_entry(bucket, key) : -1;
    if (i < 0)
        return hit;
    return (struct hash_hit){ .found = true, .move = bucket->move[i], .score = bucket->score[i],
                              .depth = bucket->depth[i], .bound = (enum tm_bound)((bucket->age_bound[i] & 3) - 1) };
}

/* Worth of an entry: shallow and old ones go first. One generation weighs 4 plies (guess). */
static int worth(const struct hash *hash, const struct hash_bucket *bucket, int i)
{
    unsigned age = (hash->generation - (bucket->age_bound[i] >> 2)) % HASH_GENERATIONS;
    return bucket->age_bound[i] ? bucket->depth[i] - 4 * (int)age : -1000;
}

static int least_entry(const struct hash *hash, const struct hash_bucket *bucket)
{
    int least = 0;
    for (int i = 1; i < HASH_BUCKET_ENTRIES; i++)
        if (worth(hash, bucket, i) < worth(hash, bucket, least))
            least = i;
    return least;
}

/* A much deeper result of this search is not given up for a shallow bound. */
static bool keeps(const struct hash *hash, const struct hash_bucket *bucket, int i, const struct hash_hit *data)
{
    return data->bound != TM_EXACT && bucket->age_bound[i] >> 2 == (int)hash->generation
        && data->depth + 3 < bucket->depth[i];
}

void hash_store(struct hash *hash, uint64_t key, const struct hash_hit *data)
{
    if (!hash->count)
        return;
    struct hash_bucket *bucket = hash_bucket(hash, key);
    if (bucket->epoch != hash->epoch)
        *bucket = (struct hash_bucket){ .epoch = hash->epoch };
    int i = find_entry(bucket, key);
    bool same = i >= 0;
    if (same && keeps(hash, bucket, i, data))
        return;
    if (!same)
        i = least_entry(hash, bucket);
    if (data->move || !same)
        bucket->move[i] = data->move;
    bucket->check[i] = (uint32_t)key;
    bucket->score[i] = (int16_t)data->score;
    bucket->depth[i] = (uint8_t)data->depth;
    bucket->age_bound[i] = (uint8_t)(hash->generation << 2 | ((unsigned)data->bound + 1));
}

int hash_full(const struct hash *hash)
{
    uint64_t sample = hash->count < 200 ? hash->count : 200;
    int used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int j = 0; j < HASH_BUCKET_ENTRIES; j++) {
            const struct hash_bucket *bucket = &hash->bucket[i];
            unsigned mark = bucket->age_bound[j];
            used += bucket->epoch == hash->epoch && mark && mark >> 2 == hash->generation;
        }
    return sample ? used * 1000 / (int)(sample * HASH_BUCKET_ENTRIES) : 0;
}
