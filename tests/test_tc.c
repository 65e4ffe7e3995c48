#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "vclock/tc.h"

static const struct {
    const char *text, *printed;
    int count;
    struct tc_period first, last;
} accepted[] = {
    { "60", "60+0", 1, { 0, 60 * TM_NS_PER_S, 0 }, { 0, 60 * TM_NS_PER_S, 0 } },
    { "60+0", "60+0", 1, { 0, 60 * TM_NS_PER_S, 0 }, { 0, 60 * TM_NS_PER_S, 0 } },
    { "1+0", "1+0", 1, { 0, TM_NS_PER_S, 0 }, { 0, TM_NS_PER_S, 0 } },
    { "0.2+0.02", "0.2+0.02", 1, { 0, 200000000, 20000000 }, { 0, 200000000, 20000000 } },
    { "1:30+1", "90+1", 1, { 0, 90 * TM_NS_PER_S, TM_NS_PER_S }, { 0, 90 * TM_NS_PER_S, TM_NS_PER_S } },
    { "40/1:30+1", "40/90+1", 1, { 40, 90 * TM_NS_PER_S, TM_NS_PER_S }, { 40, 90 * TM_NS_PER_S, TM_NS_PER_S } },
    { "40/60+0.6,20+0.2", "40/60+0.6,20+0.2", 2, { 40, 60 * TM_NS_PER_S, 600000000 },
      { 0, 20 * TM_NS_PER_S, 200000000 } },
    { "40/10,20/5", "40/10+0,20/5+0", 2, { 40, 10 * TM_NS_PER_S, 0 }, { 20, 5 * TM_NS_PER_S, 0 } },
    { "0+1", "0+1", 1, { 0, 0, TM_NS_PER_S }, { 0, 0, TM_NS_PER_S } },
    { "0.000000001+0", "0.000000001+0", 1, { 0, 1, 0 }, { 0, 1, 0 } },
};

static bool equal(struct tc_period a, struct tc_period b)
{
    return a.moves == b.moves && a.base == b.base && a.inc == b.inc;
}

Test(tc, reads_the_controls_of_the_match_runners_and_prints_them_canonically)
{
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct tc tc, again;
        struct tm_error error = { 0 };
        char text[TC_TEXT_SIZE];
        cr_assert(tc_parse(accepted[i].text, &tc, &error), "%s: %s", accepted[i].text, error.message);
        cr_expect(tc.count == accepted[i].count, "%s", accepted[i].text);
        cr_expect(equal(tc.period[0], accepted[i].first), "%s", accepted[i].text);
        cr_expect(equal(tc.period[tc.count - 1], accepted[i].last), "%s", accepted[i].text);
        cr_expect_str_eq(tc_print(text, &tc), accepted[i].printed, "%s", accepted[i].text);
        cr_assert(tc_parse(text, &again, &error), "%s does not read back", text);
        cr_expect(memcmp(&tc, &again, sizeof tc) == 0, "%s", text);
    }
}

static const struct {
    const char *text;
    int place;
    const char *says;
} refused[] = {
    { "40/", 4, "expected seconds (digits), found the end" },
    { "10+", 4, "expected seconds (digits), found the end" },
    { "1:2:3", 3, "two digits" },
    { "1:60", 3, "below 60" },
    { "1:300", 3, "two digits" },
    { "1.5:30", 1, "minutes with decimals" },
    { "10/1ss", 5, "expected '+', ',' or the end, found 's'" },
    { "0/1", 1, "0 moves" },
    { "60+.6", 4, "expected seconds (digits), found '.'" },
    { "60.+1", 4, "decimals after the point, found '+'" },
    { "60+0,6", 1, "needs a move count" },
    { " 60+0.6", 1, "found ' '" },
    { "60+0.6 ", 7, "found ' '" },
    { "-1+1", 1, "found '-'" },
    { "60+-1", 4, "found '-'" },
    { "+1", 1, "found '+'" },
    { "1e3+0", 2, "found 'e'" },
    { "inf", 1, "found 'i'" },
    { "nan+0", 1, "found 'n'" },
    { "60s", 3, "found 's'" },
    { "1m+0", 2, "found 'm'" },
    { "", 1, "found the end" },
    { "0", 1, "without any time" },
    { "0+0", 1, "without any time" },
    { "40/60,", 7, "found the end" },
    { "9999999", 1, "more than 1000000 seconds" },
    { "99999999999999999999", 1, "too large" },
    { "0.0000000001", 1, "too fine" },
    { "99999/60", 1, "more than 1000 moves" },
    { "1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1", 33, "more than 8 periods" },
    { "60++1", 4, "found '+'" },
    { "40//60", 4, "found '/'" },
};

Test(tc, refuses_junk_with_the_place_of_the_fault)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct tc tc;
        struct tm_error error = { 0 };
        char place[32];
        cr_assert_not(tc_parse(refused[i].text, &tc, &error), "'%s' was accepted", refused[i].text);
        cr_expect(error.code == TM_INPUT);
        snprintf(place, sizeof place, "at character %d:", refused[i].place);
        cr_expect(strstr(error.message, place) != NULL, "'%s': %s", refused[i].text, error.message);
        cr_expect(strstr(error.message, refused[i].says) != NULL, "'%s': %s", refused[i].text, error.message);
    }
}

static const struct {
    const char *text;
    tm_ns value;
} durations[] = {
    { "50ms", 50000000 }, { "0.3s", 300000000 }, { "0s", 0 }, { "20us", 20000 }, { "7ns", 7 }, { "1.5ms", 1500000 },
};

Test(tc, durations_carry_their_unit)
{
    struct tm_error error = { 0 };
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        tm_ns value = -1;
        cr_assert(duration_parse("--overhead", durations[i].text, &value, &error), "%s", error.message);
        cr_expect(value == durations[i].value, "%s gave %lld", durations[i].text, (long long)value);
    }
    tm_ns value;
    cr_assert_not(duration_parse("--overhead", "50", &value, &error));
    cr_expect_str_eq(error.message, "--overhead 50: a duration needs its unit; 50ms or 50s?");
    static const char *const bad[] = { "", "ms", "-5ms", "5 ms", "5m", "1e3ms", "0.5ns", ".5s", "5.s", "nan", "5msx" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(duration_parse("--overhead", bad[i], &value, &error), "'%s' was accepted", bad[i]);
}

Test(tc, seconds_are_printed_exactly)
{
    char text[32];
    cr_expect_str_eq(ns_print_seconds(text, sizeof text, 50000000), "0.05");
    cr_expect_str_eq(ns_print_seconds(text, sizeof text, -300000), "-0.0003");
    cr_expect_str_eq(ns_print_seconds(text, sizeof text, INT64_MIN), "-9223372036.854775808");
    cr_expect_str_eq(ns_print_seconds(text, sizeof text, 0), "0");
    cr_expect_str_eq(ns_print_seconds(text, sizeof text, 100 * TM_NS_PER_S), "100");
}

Test(tc, conversions_saturate_and_round_half_away_from_zero)
{
    cr_expect(ns_from_units(1e300, 1e9) == INT64_MAX);
    cr_expect(ns_from_units(-1e300, 1e9) == INT64_MIN);
    cr_expect(ns_from_units(0.5, 1) == 1);
    cr_expect(ns_from_units(-0.5, 1) == -1);
    cr_expect(ns_from_units(0.719, 1e9) == 719000000);
    cr_expect(ns_add(INT64_MAX, 1) == INT64_MAX);
    cr_expect(ns_add(INT64_MIN, -1) == INT64_MIN);
}
