#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "vclock/clock.h"
#include "vclock/rate_time.h"

#define S TM_NS_PER_S
#define MS TM_NS_PER_MS

static struct tc control(const char *text)
{
    struct tc tc;
    struct tm_error error;
    cr_assert(tc_parse(text, &tc, &error), "%s", error.message);
    return tc;
}

Test(clock, first_move_has_base_and_increment_unless_told_otherwise)
{
    const struct tc tc = control("60+1");
    cr_expect(eq(i64, vclock_start(&tc, true).left, 61 * S));
    cr_expect(eq(i64, vclock_start(&tc, false).left, 60 * S));
}

Test(clock, charges_spend_and_overhead_then_credits_the_increment)
{
    const struct tc tc = control("60+0.6");
    struct vclock clock = vclock_start(&tc, false);
    cr_expect(vclock_charge(&clock, 2 * S, 50 * MS));
    cr_expect(eq(i64, clock.left, 60 * S - 2050 * MS + 600 * MS));
    cr_expect(clock.moves == 1);
    cr_expect_not(vclock_has_movestogo(&clock));
}

Test(clock, exactly_zero_survives_and_one_nanosecond_less_flags)
{
    const struct tc tc = control("1+0.5");
    struct vclock clock = vclock_start(&tc, false);
    cr_expect(vclock_charge(&clock, 950 * MS, 50 * MS));
    cr_expect(eq(i64, clock.left, 500 * MS));
    cr_expect_not(vclock_charge(&clock, 450 * MS + 1, 50 * MS));
    cr_expect(clock.flagged);
    cr_expect(eq(i64, clock.left, -1), "a late move earns no increment");
}

Test(clock, overhead_is_paid_at_every_move)
{
    const struct tc tc = control("10+0");
    struct vclock clock = vclock_start(&tc, true);
    for (int i = 0; i < 100; i++)
        cr_assert(vclock_charge(&clock, 0, 50 * MS));
    cr_expect(eq(i64, clock.left, 5 * S));
}

Test(clock, the_next_period_adds_its_base_after_the_increment_of_the_one_just_played)
{
    const struct tc tc = control("2/10+1,5+0.25");
    struct vclock clock = vclock_start(&tc, true);
    cr_expect(eq(i64, clock.left, 11 * S));
    cr_expect(clock.movestogo == 2 && vclock_has_movestogo(&clock));
    vclock_charge(&clock, 1 * S, 0);
    cr_expect(clock.movestogo == 1);
    vclock_charge(&clock, 1 * S, 0);
    cr_expect(eq(i64, clock.left, 11 * S + 5 * S), "11 - 1 + 1 - 1 + 1 + 5");
    cr_expect_not(vclock_has_movestogo(&clock));
    vclock_charge(&clock, 1 * S, 0);
    cr_expect(eq(i64, clock.left, 15 * S + 250 * MS));
}

Test(clock, a_last_period_with_a_move_count_repeats)
{
    const struct tc tc = control("40/60");
    struct vclock clock = vclock_start(&tc, true);
    for (int i = 0; i < 80; i++)
        cr_assert(vclock_charge(&clock, 1 * S, 0));
    cr_expect(eq(i64, clock.left, 3 * 60 * S - 80 * S));
    cr_expect(clock.movestogo == 40);
}

Test(clock, an_overrun_on_the_last_move_of_a_period_flags_before_the_base_arrives)
{
    const struct tc tc = control("1/1+0");
    struct vclock clock = vclock_start(&tc, true);
    cr_expect_not(vclock_charge(&clock, 1 * S + 1, 0));
    cr_expect(eq(i64, clock.left, -1));
}

Test(clock, virtual_time_is_rounded_half_up_in_exact_integers)
{
    cr_expect(eq(i64, rate_elapsed(1000, 1), 1000000));
    cr_expect(eq(i64, rate_elapsed(3, 1), 333333333));
    cr_expect(eq(i64, rate_elapsed(3, 2), 666666667));
    cr_expect(eq(i64, rate_elapsed(2000000000, 1), 1), "half a nanosecond rounds up");
    cr_expect(eq(i64, rate_elapsed(1, INT64_MAX / 1000), INT64_MAX), "saturates");
    cr_expect(eq(i64, rate_elapsed(23427, 100000), 4268578990), "100000 / 23427 s");
}

Test(clock, node_cap_is_the_floor_of_hard_times_rate_and_at_least_one)
{
    cr_expect(eq(i64, rate_cap(23427, 1500 * MS), 35140));
    cr_expect(eq(i64, rate_cap(1000, 999999), 1));
    cr_expect(eq(i64, rate_cap(1000, 1999999), 1));
    cr_expect(eq(i64, rate_cap(1000, 2000000), 2));
    cr_expect(eq(i64, rate_cap(1000, 0), 1));
    cr_expect(eq(i64, rate_cap(1000, -5 * S), 1));
    cr_expect(eq(i64, rate_cap(1000, TM_NS_MAX), INT64_MAX));
}

Test(clock, the_flag_node_is_the_first_that_overruns_the_clock)
{
    static const struct rate_time cases[] = {
        { 23427, 0, 1 * S, 50 * MS, 0 }, { 3, 0, 10 * S, 0, 0 }, { 1000000, 0, 1, 0, 0 }, { 7, 0, 0, 0, 0 },
        { 999999937, 0, 123456789, 23456, 0 }, { 1, 0, 3 * S, 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t n = rate_flag_node(&cases[i]);
        cr_expect(rate_elapsed(cases[i].rate, n) + cases[i].overhead > cases[i].clock, "row %zu", i);
        cr_expect(n == 1 || rate_elapsed(cases[i].rate, n - 1) + cases[i].overhead <= cases[i].clock, "row %zu", i);
    }
    const struct rate_time broke = { .rate = 1000, .clock = 10 * MS, .overhead = 50 * MS };
    cr_expect(eq(i64, rate_flag_node(&broke), 1), "overhead alone exceeds the clock");
}

Test(clock, a_coarse_poll_shows_the_wall_only_at_its_multiples)
{
    struct rate_time time = { .rate = 1000, .poll = 512, .clock = 60 * S };
    struct tm_time source = rate_time_source(&time);
    cr_expect(eq(i64, source.next_poll(source.ctx, 1 * S, 0), 1024));
    cr_expect(eq(i64, source.next_poll(source.ctx, 512 * MS, 0), 512));
    cr_expect(eq(i64, source.next_poll(source.ctx, 0, 0), 512), "no budget: the first poll");
    time.poll = 0;
    cr_expect(eq(i64, source.next_poll(source.ctx, 0, 0), 1));
    cr_expect(eq(i64, source.next_poll(source.ctx, TM_NS_MAX, 0), 60001), "no limit: the node that flags");
    cr_expect(eq(i64, source.next_poll(source.ctx, 90 * S, 0), 60001), "a wall beyond the clock: the same");
}

/* 100 nodes/s: hard of 1 s less 0.4 s of stall leaves 60 nodes, which show 1 s. */
Test(clock, a_stall_that_is_seen_takes_nodes_and_an_unseen_lag_takes_none)
{
    struct rate_time time = { .rate = 100, .clock = 10 * S, .stall = 400 * MS, .overhead = 300 * MS };
    const struct tm_time source = rate_time_source(&time);
    cr_expect(eq(i64, source.next_poll(source.ctx, 1 * S, 0), 60));
    cr_expect(eq(i64, source.elapsed(source.ctx, 60), 1 * S));
    cr_expect(eq(i64, rate_flag_node(&time), 931), "0.4 + 9.31 + 0.3 s is the first above 10 s");
    cr_expect(eq(i64, source.next_poll(source.ctx, 300 * MS, 0), 1), "a stall beyond hard ends the search at its first node");
    cr_expect(eq(i64, source.next_poll(source.ctx, TM_NS_MAX, 0), 931));
}

Test(clock, a_margin_forgives_counts_and_gives_the_overrun_away)
{
    struct tc tc;
    struct tm_error error;
    cr_assert(tc_parse("1+0.5", &tc, &error));
    struct vclock clock = vclock_start(&tc, false);
    clock.margin = 100 * MS;
    cr_expect(vclock_charge(&clock, 1100 * MS, 0), "100 ms over is within the margin");
    cr_expect(eq(i64, clock.left, 500 * MS), "the clock goes on from 0");
    cr_expect(eq(int, clock.forgiven, 1));
    cr_expect_not(vclock_charge(&clock, 600 * MS, 1), "a nanosecond beyond it is not forgiven");
    cr_expect(clock.flagged && clock.left == -100 * MS - 1 && clock.forgiven == 1);
}
