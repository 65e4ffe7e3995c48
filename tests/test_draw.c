#include <criterion/criterion.h>

#include "tmsim/draw.h"

Test(draw, is_a_function_of_its_counters_alone)
{
    cr_expect(draw_bits(1, 2, 3, DRAW_POLICY, 4) == draw_bits(1, 2, 3, DRAW_POLICY, 4));
    const uint64_t base = draw_bits(1, 2, 3, DRAW_POLICY, 4);
    cr_expect(base != draw_bits(2, 2, 3, DRAW_POLICY, 4));
    cr_expect(base != draw_bits(1, 3, 3, DRAW_POLICY, 4));
    cr_expect(base != draw_bits(1, 2, 4, DRAW_POLICY, 4));
    cr_expect(base != draw_bits(1, 2, 3, DRAW_OVERHEAD, 4));
    cr_expect(base != draw_bits(1, 2, 3, DRAW_POLICY, 5));
}

/* A stored seed must mean the same in every later version. */
Test(draw, stored_seeds_keep_their_meaning)
{
    cr_expect(draw_bits(1, 0, 0, DRAW_POLICY, 0) == UINT64_C(0xb23fada29ea2db63), "%llx", (unsigned long long)draw_bits(1, 0, 0, DRAW_POLICY, 0));
    cr_expect(draw_bits(7, 19, 40, DRAW_OPENING, 3) == UINT64_C(0xef8e0ba6c17744eb), "%llx", (unsigned long long)draw_bits(7, 19, 40, DRAW_OPENING, 3));
}

Test(draw, units_lie_in_the_half_open_interval_and_spread_evenly)
{
    double sum = 0;
    int low = 0;
    for (int i = 0; i < 100000; i++) {
        const double u = draw_unit(9, i, 0, DRAW_POLICY, 0);
        cr_assert(u >= 0 && u < 1);
        sum += u;
        low += u < 0.25;
    }
    /* mean 0.5 and share 0.25, each within four standard errors of 100000 draws */
    cr_expect(sum / 100000 > 0.49635 && sum / 100000 < 0.50365, "%f", sum / 100000);
    cr_expect(low > 24452 && low < 25548, "%d", low);
}

Test(draw, below_gives_every_value_about_as_often)
{
    int count[6] = { 0 };
    for (int i = 0; i < 60000; i++)
        count[draw_below(9, i, 0, DRAW_BOOK, 6)]++;
    for (int i = 0; i < 6; i++)
        cr_expect(count[i] > 9635 && count[i] < 10365, "%d: %d", i, count[i]); /* 10000 +- 4 standard errors */
    cr_expect(draw_below(9, 1, 1, DRAW_BOOK, 1) == 0);
}
