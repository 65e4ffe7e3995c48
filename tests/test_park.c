#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/solver_reference.h"
#include "tmsim/park.h"

static void start(void) { gsl_set_error_handler_off(); }
TestSuite(park, .init = start);

static struct parks find(const struct cell_setup *setup)
{
    struct cell cell;
    struct survey survey;
    struct parks parks;
    struct tm_error error;
    cr_assert(cell_open(&cell, setup, &error), "%s", error.message);
    cr_assert(survey_take(&cell, 100, &survey, &error));
    parks_find(&cell, &survey, &parks);
    survey_clear(&survey);
    cell_close(&cell);
    return parks;
}

static struct parks find_for(struct policy *policy, const char *control, tm_ns overhead, enum spend_kind kind)
{
    const struct tc tc = some_tc(control);
    struct cell_setup setup = cell_defaults(policy, &tc, overhead);
    setup.model.kind = kind;
    const struct parks parks = find(&setup);
    policy_free(policy);
    return parks;
}

Test(park, agrees_with_the_reference_in_every_cell)
{
    json_t *root, *cells = reference_cells(&root), *row;
    size_t i;
    json_array_foreach(cells, i, row) {
        struct cell_setup setup = reference_setup(row);
        const struct parks parks = find(&setup);
        const double expected = reference_number(row, "park");
        if (!isnan(expected))
            cr_expect(parks.outcome == PARK_PARKS && fabs(ns_to_s(parks.park[0].clock) - expected) <= 1e-6,
                      "%s: %s at %.9f, expected %.9f", row_name(row), park_outcome_name(parks.outcome),
                      ns_to_s(parks.park[0].clock), expected);
        else /* the reference knows no neutral intervals */
            cr_expect(parks.outcome == PARK_DRAINS || parks.park[0].kind == PARK_NEUTRAL, "%s: parks at %.9f",
                      row_name(row), ns_to_s(parks.park[0].clock));
        drop_policy(&setup);
    }
    json_decref(root);
}

Test(park, steptm_parks_where_it_was_seen_to_park)
{
    static const struct { enum spend_kind kind; int overhead_ms; double clock; enum park_kind park; } rows[] = {
        { SPEND_LADDER, 50, 2.1086956521739130, PARK_JUMP }, { SPEND_LADDER, 0, 2.2173913043478262, PARK_JUMP },
        { SPEND_SOFT, 50, 2.125, PARK_ROOT },                { SPEND_SOFT, 0, 2.25, PARK_ROOT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct parks parks = find_for(some_policy("steptm"), "60+0.1", rows[i].overhead_ms * TM_NS_PER_MS, rows[i].kind);
        cr_expect(parks.outcome == PARK_PARKS && parks.park[0].kind == rows[i].park
                      && fabs(ns_to_s(parks.park[0].clock) - rows[i].clock) <= 1e-6 && !parks.park[0].blind,
                  "row %zu: %s at %.9f", i, park_kind_name(parks.park[0].kind), ns_to_s(parks.park[0].clock));
    }
}

Test(park, around_a_jump_the_clock_walks_a_band_that_the_walk_stays_in)
{
    const struct tc tc = some_tc("60+0.1");
    struct cell_setup setup = cell_defaults(some_policy("steptm"), &tc, 50 * TM_NS_PER_MS);
    const struct park park = find(&setup).park[0];
    struct walk walk;
    struct tm_error error;
    setup.moves = 200;
    cr_assert(walk_run(&setup, &walk, &error));
    for (int i = 150; i < 200; i++)
        cr_expect(walk.move[i].state.time >= park.from - 100 && walk.move[i].state.time <= park.to + 100,
                  "move %d: %.9f is outside of %.9f … %.9f", i + 1, ns_to_s(walk.move[i].state.time), ns_to_s(park.from),
                  ns_to_s(park.to));
    walk_clear(&walk);
    drop_policy(&setup);
}

Test(park, without_an_increment_and_with_overhead_there_is_none)
{
    static const char *const names[] = { "legacy12", "oldtm", "pool", "budget", "smooth" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct parks parks = find_for(some_policy(names[i]), "60+0", TM_NS_PER_MS, SPEND_LADDER);
        cr_expect(parks.outcome == PARK_DRAINS && parks.count == 0, "%s", names[i]);
    }
}

Test(park, draining_and_accumulating_are_two_things)
{
    struct parks parks = find_for(formula("soft=T/40; hard=T/10"), "60+0.03", 50 * TM_NS_PER_MS, SPEND_SOFT);
    cr_expect(eq(int, parks.outcome, PARK_DRAINS));
    parks = find_for(formula("soft=0.001; hard=0.001"), "60+1", 50 * TM_NS_PER_MS, SPEND_SOFT);
    cr_expect(eq(int, parks.outcome, PARK_ACCUMULATES));
    cr_expect(eq(int, parks.count, 0));
}

/* soft = T/100: 100 * (1 - 0.05) = 95 s, above base. */
Test(park, a_clock_that_gains_parks_above_base)
{
    const struct parks parks = find_for(formula("soft=T/100; hard=T/2"), "60+1", 50 * TM_NS_PER_MS, SPEND_SOFT);
    cr_expect(eq(int, parks.outcome, PARK_PARKS));
    cr_expect(fabs(ns_to_s(parks.park[0].clock) - 95) < 1e-6, "%.9f", ns_to_s(parks.park[0].clock));
    cr_expect(eq(int, parks.park[0].kind, PARK_ROOT));
}

/* Spending exactly the increment below 10 s and 2 s more above: neutral from the lowest clock that can pay for it. */
Test(park, a_neutral_interval_holds_a_clock_wherever_it_comes_to_rest)
{
    const struct parks parks =
        find_for(formula("soft=when(T<10, 1, 3); hard=4"), "60+1", 0, SPEND_SOFT);
    cr_expect(eq(int, parks.outcome, PARK_PARKS));
    cr_expect(eq(int, parks.park[0].kind, PARK_NEUTRAL));
    cr_expect(fabs(ns_to_s(parks.park[0].to) - 10) < 1e-6 && fabs(ns_to_s(parks.park[0].from) - 1) < 1e-6, "%.9f … %.9f",
              ns_to_s(parks.park[0].from), ns_to_s(parks.park[0].to));
}

/* Gains below 5 s and between 10 and 20 s: two parks, and a game from 60 s meets the upper one. */
Test(park, of_several_the_one_reached_from_base_comes_first)
{
    const struct parks parks = find_for(
        formula("soft=when(T<5, 0.5, when(T<10, 2, when(T<20, 0.5, 2))); hard=4"), "60+1", 0, SPEND_SOFT);
    cr_assert(eq(int, parks.count, 2));
    cr_expect(fabs(ns_to_s(parks.park[0].clock) - 20) < 1e-6 && fabs(ns_to_s(parks.park[1].clock) - 5) < 1e-6);
}

Test(park, says_whether_the_policy_is_blind_there)
{
    const struct parks parks = find_for(some_policy("pool"), "60+0.1", 50 * TM_NS_PER_MS, SPEND_LADDER);
    cr_expect(eq(int, parks.outcome, PARK_PARKS));
    cr_expect(parks.park[0].blind);
}
