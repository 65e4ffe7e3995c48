#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/solver_reference.h"

static void same(const char *what, const json_t *row, const char *key, tm_ns found)
{
    const double expected = reference_number(row, key);
    cr_expect(fabs(ns_to_s(found) - expected) <= 1e-6, "%s: %s %.9f, expected %.9f", row_name(row), what, ns_to_s(found),
              expected);
}

Test(walk, agrees_with_the_reference_in_every_cell)
{
    json_t *root, *cells = reference_cells(&root), *row;
    size_t i;
    json_array_foreach(cells, i, row) {
        struct cell_setup setup = reference_setup(row);
        struct walk walk;
        struct tm_error error;
        cr_assert(walk_run(&setup, &walk, &error));
        same("end clock", row, "end_clock", walk.end_clock);
        same("lowest clock", row, "min_clock", walk.min_clock);
        same("median spend", row, "median_spend", walk.median_spend);
        same("largest spend", row, "max_spend", walk.max_spend);
        cr_expect(walk.moves == 63 && walk.flag_move == 0, "%s", row_name(row));
        cr_expect(walk.starved_moves == json_integer_value(json_object_get(row, "starved_moves")), "%s: %d starved",
                  row_name(row), walk.starved_moves);
        /* The reference counts hard at 50 ms; `budget` has a floor of its own at 200 ms and reaches that. */
        if (strcmp(policy_info(setup.policy)->name, "budget") != 0)
            cr_expect(walk.floor_moves == json_integer_value(json_object_get(row, "floor_moves")), "%s: %d at the floor",
                      row_name(row), walk.floor_moves);
        walk_clear(&walk);
        drop_policy(&setup);
    }
    json_decref(root);
}

static struct walk walk_of(struct policy *policy, const char *control, tm_ns overhead, int moves, enum spend_kind kind)
{
    const struct tc tc = some_tc(control);
    struct cell_setup setup = cell_defaults(policy, &tc, overhead);
    struct walk walk;
    struct tm_error error;
    setup.moves = moves;
    setup.model.kind = kind;
    cr_assert(walk_run(&setup, &walk, &error));
    policy_free(policy);
    return walk;
}

Test(walk, spend_soft_spends_soft_and_spend_hard_spends_hard)
{
    struct walk walk = walk_of(formula("soft=0.25; hard=0.75"), "60+0", 0, 4, SPEND_SOFT);
    cr_expect(eq(i64, walk.end_clock, 59 * TM_NS_PER_S));
    cr_expect(eq(int, walk.move[0].reason, TM_SOFT));
    walk_clear(&walk);
    walk = walk_of(formula("soft=0.25; hard=0.75"), "60+0", 0, 4, SPEND_HARD);
    cr_expect(eq(i64, walk.end_clock, 57 * TM_NS_PER_S));
    cr_expect(eq(int, walk.move[0].reason, TM_HARD));
    walk_clear(&walk);
}

/* t1 = 2000/23000 s, growth 2.5: the second iteration ends at 3.5 t1, its first quarter at 1.625 t1. */
Test(walk, the_ladder_ends_iterations_where_geometry_puts_them)
{
    const double t1 = 2000.0 / 23000;
    static const struct { const char *formula; double rungs; } rows[] = {
        { "soft=0.1; hard=9", 3.5 },   { "soft=0.08; hard=9", 1 },      { "soft=0.4; hard=9", 9.75 },
        { "soft=0.1; hard=0.2", -1 },  { "soft=-1; hard=9", 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct walk walk = walk_of(formula(rows[i].formula), "60+0", 0, 1, SPEND_LADDER);
        const double expected = rows[i].rungs < 0 ? 0.2 : rows[i].rungs * t1;
        cr_expect(fabs(ns_to_s(walk.max_spend) - expected) < 2e-9, "%s: %.9f, expected %.9f", rows[i].formula,
                  ns_to_s(walk.max_spend), expected);
        walk_clear(&walk);
    }
}

Test(walk, a_spend_is_never_negative)
{
    struct walk walk = walk_of(formula("soft=-5; hard=-5"), "10+0", 0, 20, SPEND_LADDER);
    cr_expect(eq(i64, walk.end_clock, 10 * TM_NS_PER_S));
    cr_expect(eq(i64, walk.max_spend, 0));
    cr_expect(eq(int, walk.floor_moves, 20));
    walk_clear(&walk);
}

/* Known: a policy that flags within 80 moves at 50 ms and never at 5 ms. */
Test(walk, oldtm_flags_with_50_ms_and_not_with_5_ms)
{
    struct walk walk = walk_of(some_policy("oldtm"), "60+0", 50 * TM_NS_PER_MS, 80, SPEND_LADDER);
    cr_expect(eq(int, walk.flag_move, 62), "the reference counts from 0 and calls it 61");
    cr_expect(eq(int, walk.moves, 62));
    cr_expect(walk.end_clock < 0);
    walk_clear(&walk);
    walk = walk_of(some_policy("oldtm"), "60+0", 5 * TM_NS_PER_MS, 80, SPEND_LADDER);
    cr_expect(eq(int, walk.flag_move, 0));
    walk_clear(&walk);
}

Test(walk, overhead_is_charged_at_every_move)
{
    struct walk walk = walk_of(formula("soft=0; hard=0"), "10+0", 100 * TM_NS_PER_MS, 200, SPEND_LADDER);
    cr_expect(eq(int, walk.flag_move, 101), "ten seconds pay for exactly 100 moves, and zero survives");
    walk_clear(&walk);
}

Test(walk, periods_bring_their_base_and_what_is_left_at_their_end_is_the_reserve)
{
    struct walk walk = walk_of(formula("soft=0.1; hard=0.1"), "10/5,20/8,30", 0, 40, SPEND_HARD);
    cr_expect(eq(i64, walk.move[10].state.time, 12 * TM_NS_PER_S), "4 s left of the first 5, and 8 more");
    cr_expect(eq(i64, walk.move[30].state.time, 40 * TM_NS_PER_S));
    cr_expect(walk.move[30].state.has_movestogo == false && walk.move[9].state.movestogo == 1);
    cr_expect(eq(i64, walk.end_clock, 39 * TM_NS_PER_S));
    cr_expect(eq(i64, walk.reserve, 39 * TM_NS_PER_S));
    walk_clear(&walk);
}

Test(walk, a_policy_fault_ends_the_walk_and_is_told)
{
    struct walk walk = walk_of(formula("soft=sqrt(T-59.5); hard=1"), "60+0", 0, 10, SPEND_HARD);
    cr_expect(eq(int, walk.fault_move, 2));
    cr_expect(strstr(walk.fault.message, "NaN") != NULL, "%s", walk.fault.message);
    walk_clear(&walk);
}

Test(walk, memory_is_carried_from_move_to_move)
{
    static const char text[] = "return policy { name = 'counts', title = 't', source = 's', unit = 's', params = {},\n"
                               "  budget = function(c, p, g) g.n = (g.n or 0) + 1; return g.n, g.n end }\n";
    struct policy *policy;
    struct tm_error error;
    cr_assert(policy_load_text("counts.lua", text, sizeof text - 1, &policy, &error), "%s", error.message);
    struct walk walk = walk_of(policy, "60+0", 0, 4, SPEND_HARD);
    cr_expect(eq(i64, walk.end_clock, 50 * TM_NS_PER_S), "1 + 2 + 3 + 4 s");
    walk_clear(&walk);
}
