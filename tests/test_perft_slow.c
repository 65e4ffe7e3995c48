#include <criterion/criterion.h>

#include "engine/position.h"
#include "tests/perft_table.h"

Test(perft_slow, published_counts_at_depth_5)
{
    for (int i = 0; i < PERFT_ROWS; i++) {
        struct position p;
        cr_assert(position_parse(&p, perft_rows[i].fen, NULL));
        uint64_t leaves = perft(&p, 5);
        cr_expect(leaves == perft_rows[i].leaves[5], "%s: %llu", perft_rows[i].fen, (unsigned long long)leaves);
    }
}
