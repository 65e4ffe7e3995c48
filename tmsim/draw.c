/* XXH3 of the counters; the layout hashed is fixed, so that a stored seed means the same for ever. */
#include "tmsim/draw.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t draw_bits(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, int64_t number)
{
    const int64_t counters[4] = { pair, move, (int64_t)purpose, number };
    return XXH3_64bits_withSeed(counters, sizeof counters, seed);
}

double draw_unit(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, int64_t number)
{
    return (double)(draw_bits(seed, pair, move, purpose, number) >> 11) * 0x1p-53;
}

uint64_t draw_below(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, uint64_t bound)
{
    const uint64_t surplus = (0 - bound) % bound; /* 2^64 mod bound: the lowest values that would favour some */
    for (int64_t number = 0;; number++) {
        const uint64_t bits = draw_bits(seed, pair, move, purpose, number);
        if (bits >= surplus)
            return bits % bound;
    }
}
