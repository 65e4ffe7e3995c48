#include <criterion/criterion.h>

#include "engine/hash.h"

static const uint64_t key = UINT64_C(0x123456789abcdef0);

Test(hash_table, gives_back_what_was_stored)
{
    struct hash hash;
    cr_assert(hash_init(&hash, 1 << 20, NULL));
    struct hash_hit data = { .move = 0x1234, .score = -31999, .depth = 240, .bound = TM_UPPER };
    cr_expect_not(hash_probe(&hash, key).found);
    hash_store(&hash, key, &data);
    struct hash_hit hit = hash_probe(&hash, key);
    cr_expect(hit.found);
    cr_expect_eq(hit.move, 0x1234);
    cr_expect_eq(hit.score, -31999);
    cr_expect_eq(hit.depth, 240);
    cr_expect_eq(hit.bound, TM_UPPER);
    cr_expect_not(hash_probe(&hash, key ^ 1).found);
    hash_clear(&hash);
}

Test(hash_table, another_epoch_sees_nothing)
{
    struct hash hash;
    cr_assert(hash_init(&hash, 1, NULL)); /* one bucket */
    struct hash_hit data = { .depth = 3, .bound = TM_EXACT };
    for (int i = 0; i < 5; i++) {
        for (uint64_t k = 0; k < 5; k++)
            hash_store(&hash, key + k, &data);
        hash_forget(&hash);
        for (uint64_t k = 0; k < 5; k++)
            cr_expect_not(hash_probe(&hash, key + k).found);
        hash_store(&hash, key + 7, &data); /* the bucket starts empty: the others stay away */
        for (uint64_t k = 0; k < 5; k++)
            cr_expect_not(hash_probe(&hash, key + k).found);
        cr_expect(hash_probe(&hash, key + 7).found);
    }
    hash.epoch = UINT32_MAX;
    hash_store(&hash, key, &data);
    hash_forget(&hash);
    cr_expect_eq(hash.epoch, 1u, "epoch 0 is that of fresh memory");
    cr_expect_not(hash_probe(&hash, key).found);
    hash_clear(&hash);
}

Test(hash_table, shallow_and_old_entries_go_first)
{
    struct hash hash;
    cr_assert(hash_init(&hash, 64, NULL));
    for (int i = 0; i < HASH_BUCKET_ENTRIES; i++) {
        struct hash_hit data = { .depth = i == 2 ? 4 : 10 + i, .bound = TM_EXACT };
        hash_store(&hash, key + (uint64_t)i, &data);
    }
    struct hash_hit data = { .depth = 1, .bound = TM_EXACT };
    hash_store(&hash, key + 100, &data);
    cr_expect_not(hash_probe(&hash, key + 2).found);
    for (int i = 0; i < 10; i++)
        hash_age(&hash);
    hash_store(&hash, key + 100, &data);
    hash_store(&hash, key + 101, &data);
    cr_expect(hash_probe(&hash, key + 100).found);
    cr_expect(hash_probe(&hash, key + 101).found);
    cr_expect_not(hash_probe(&hash, key).found, "depth 10, ten searches old");
    hash_clear(&hash);
}

Test(hash_table, off_and_absurd_sizes)
{
    struct hash hash;
    struct tm_error error;
    struct hash_hit data = { .bound = TM_EXACT };
    cr_assert(hash_init(&hash, 0, &error));
    hash_store(&hash, key, &data);
    hash_forget(&hash);
    cr_expect_not(hash_probe(&hash, key).found);
    cr_expect_eq(hash_full(&hash), 0);
    hash_clear(&hash);
}
