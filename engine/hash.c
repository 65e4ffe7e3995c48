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

struct hash_hit hash_probe(const struct hash *hash, uint64_t key)
{
    struct hash_hit hit = { .eval = HASH_NO_EVAL };
    if (!hash->count)
        return hit;
    const struct hash_bucket *bucket = hash_bucket(hash, key);
    if (bucket->epoch != hash->epoch)
        return hit;
    for (int i = 0; i < HASH_BUCKET_ENTRIES; i++) {
        const struct hash_entry *entry = &bucket->entry[i];
        if (entry->check == (uint32_t)key && entry->age_bound)
            return (struct hash_hit){ .found = true, .move = entry->move, .score = entry->score,
                                      .eval = entry->eval, .depth = entry->depth,
                                      .bound = (enum tm_bound)((entry->age_bound & 3) - 1) };
    }
    return hit;
}

/* Worth of an entry: shallow and old ones go first. One generation weighs 4 plies (guess). */
static int worth(const struct hash *hash, const struct hash_entry *entry)
{
    unsigned age = (hash->generation - (entry->age_bound >> 2)) % HASH_GENERATIONS;
    return entry->age_bound ? entry->depth - 4 * (int)age : -1000;
}

static struct hash_entry *slot_for(const struct hash *hash, struct hash_bucket *bucket, uint64_t key)
{
    struct hash_entry *least = bucket->entry;
    for (int i = 0; i < HASH_BUCKET_ENTRIES; i++) {
        struct hash_entry *entry = &bucket->entry[i];
        if (entry->check == (uint32_t)key && entry->age_bound)
            return entry;
        if (worth(hash, entry) < worth(hash, least))
            least = entry;
    }
    return least;
}

void hash_store(struct hash *hash, uint64_t key, const struct hash_hit *data)
{
    if (!hash->count)
        return;
    struct hash_bucket *bucket = hash_bucket(hash, key);
    if (bucket->epoch != hash->epoch)
        *bucket = (struct hash_bucket){ .epoch = hash->epoch };
    struct hash_entry *entry = slot_for(hash, bucket, key);
    bool same = entry->check == (uint32_t)key && entry->age_bound;
    /* A much deeper result of this search is not given up for a shallow bound. */
    if (same && data->bound != TM_EXACT && entry->age_bound >> 2 == (int)hash->generation
        && data->depth + 3 < entry->depth)
        return;
    move_t move = data->move ? data->move : (move_t)(same ? entry->move : 0);
    *entry = (struct hash_entry){ .check = (uint32_t)key, .score = (int16_t)data->score,
                                  .eval = (int16_t)data->eval, .move = move, .depth = (uint8_t)data->depth,
                                  .age_bound = (uint8_t)(hash->generation << 2 | ((unsigned)data->bound + 1)) };
}

int hash_full(const struct hash *hash)
{
    uint64_t sample = hash->count < 200 ? hash->count : 200;
    int used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int j = 0; j < HASH_BUCKET_ENTRIES; j++) {
            const struct hash_bucket *bucket = &hash->bucket[i];
            unsigned mark = bucket->entry[j].age_bound;
            used += bucket->epoch == hash->epoch && mark && mark >> 2 == hash->generation;
        }
    return sample ? used * 1000 / (int)(sample * HASH_BUCKET_ENTRIES) : 0;
}
