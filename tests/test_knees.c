#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/solver_reference.h"
#include "tmsim/knee_term.h"
#include "tmsim/knees.h"

static void start(void) { gsl_set_error_handler_off(); }
TestSuite(knees, .init = start);

static void find(const struct cell_setup *setup, struct knees *out)
{
    struct cell cell;
    struct survey survey;
    struct tm_error error;
    cr_assert(cell_open(&cell, setup, &error), "%s", error.message);
    cr_assert(survey_take(&cell, 100, &survey, &error));
    knees_find(&cell, &survey, KNEES_ALL, out);
    survey_clear(&survey);
    cell_close(&cell);
}

static void find_for(struct policy *policy, const char *control, struct knees *out)
{
    const struct tc tc = some_tc(control);
    struct cell_setup setup = cell_defaults(policy, &tc, 50 * TM_NS_PER_MS);
    find(&setup, out);
    policy_free(policy);
}

/* Which of our kinds the reference means by its cap_knee: P = 0 for pool, soft = floor for onemax. */
static enum knee_kind cap_kind(const char *manager)
{
    if (strncmp(manager, "pool", 4) == 0)
        return KNEE_POOL_EMPTY;
    return strncmp(manager, "onemax", 6) == 0 ? KNEE_SOFT_FLOOR : KNEE_CAP;
}

/* `budget` has a cap on each limit, and the reference tells only that of soft. */
static void expect_knee(const json_t *row, const struct knees *knees, enum knee_kind kind, const char *key)
{
    const double expected = reference_number(row, key);
    bool found = isnan(expected);
    for (int i = 0; i < knees->count; i++)
        found |= knees->knee[i].kind == kind && fabs(ns_to_s(knees->knee[i].clock) - expected) <= 1e-6;
    cr_expect(found, "%s: no %s at %.9f", row_name(row), knee_name(kind), expected);
}

Test(knees, agree_with_the_reference_in_every_cell)
{
    json_t *root, *cells = reference_cells(&root), *row;
    size_t i;
    json_array_foreach(cells, i, row) {
        struct cell_setup setup = reference_setup(row);
        struct knees knees;
        find(&setup, &knees);
        expect_knee(row, &knees, cap_kind(json_string_value(json_object_get(row, "manager"))), "cap_knee");
        expect_knee(row, &knees, KNEE_HARD_FLOOR, "floor_knee");
        drop_policy(&setup);
    }
    json_decref(root);
}

Test(knees, the_published_anchors_hold)
{
    static const struct { const char *policy, *tc; enum knee_kind kind; double clock; } rows[] = {
        { "oldtm", "60+0", KNEE_CAP, 2.4 },         { "oldtm", "60+0", KNEE_HARD_ZERO, 2.0 },
        { "oldtm", "60+0", KNEE_HARD_FLOOR, 2.1 },  { "pool", "60+0", KNEE_POOL_EMPTY, 8.4 },
        { "pool", "60+0", KNEE_HARD_FLOOR, 8.8 },   { "pool", "60+0", KNEE_SOFT_FLOOR, 10.4 },
        { "onemax", "30+1", KNEE_HARD_CLOCK, 32.0 / 39 }, { "simple", "30+1", KNEE_SOFT_HARD, 4.0 },
        { "budget", "60+0", KNEE_SOFT_FLOOR, 12.0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct knees knees;
        find_for(some_policy(rows[i].policy), rows[i].tc, &knees);
        const struct knee *knee = knees_first(&knees, rows[i].kind);
        cr_expect(knee && fabs(ns_to_s(knee->clock) - rows[i].clock) <= 1e-6, "%s at %s: %s at %.9f, expected %.9f",
                  rows[i].policy, rows[i].tc, knee_name(rows[i].kind), knee ? ns_to_s(knee->clock) : NAN, rows[i].clock);
    }
}

/* Reports of others, in their formulas: where the reserve of a horizon leaves nothing, where soft meets hard. */
Test(knees, formulas_of_a_line_have_theirs_where_arithmetic_puts_them)
{
    static const struct { const char *formula, *tc; enum knee_kind kind; double clock; } rows[] = {
        { "P=T+I*49-O*52; soft=max(0.001,P/50); hard=T/4", "5+0", KNEE_BRANCH, 52 * 0.05 + 0.05 },
        { "soft=T/40+0.9*I; hard=T/4", "30+1", KNEE_SOFT_HARD, 4.0 },
        { "soft=T/40+0.9*I; hard=T/4", "60+0.1", KNEE_SOFT_HARD, 0.4 },
        { "hard=min(T/12+0.9*I,T/2-1)", "60+0", KNEE_CAP, 2.4 },
        { "hard=min(T/12+0.9*I,T/2-1)", "60+0.1", KNEE_HARD_ZERO, 2.0 },
        { "soft=T*T-2; hard=T*T", "60+0", KNEE_SOFT_ZERO, 1.4142135623730951 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct knees knees;
        find_for(formula(rows[i].formula), rows[i].tc, &knees);
        const struct knee *knee = knees_first(&knees, rows[i].kind);
        cr_expect(knee && fabs(ns_to_s(knee->clock) - rows[i].clock) <= 1e-6, "%s at %s: %s at %.9f, expected %.9f",
                  rows[i].formula, rows[i].tc, knee_name(rows[i].kind), knee ? ns_to_s(knee->clock) : NAN, rows[i].clock);
    }
}

Test(knees, say_in_the_source_s_words_what_wins)
{
    static const struct { const char *policy; enum knee_kind kind; const char *term; } rows[] = {
        { "oldtm", KNEE_CAP, "`time / 2 - 1000` wins over `time / 12 + 0.9 * inc` below" },
        { "pool", KNEE_POOL_EMPTY, "`pool` = `time + (m - 1) * inc - (m + 2) * overhead`" },
        { "smooth", KNEE_CAP, "`time * time / (2 * time + 4000)` wins over `share` below" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct knees knees;
        find_for(some_policy(rows[i].policy), "60+0", &knees);
        const struct knee *knee = knees_first(&knees, rows[i].kind);
        cr_expect(knee && strcmp(knee->term, rows[i].term) == 0, "%s: %s", rows[i].policy, knee ? knee->term : "no knee");
    }
}

Test(knees, two_calls_on_one_line_are_told_apart)
{
    struct knees knees;
    find_for(formula("hard=min(T/2, min(3, T/4), 5); soft=1"), "60+0", &knees);
    const struct knee *knee = knees_first(&knees, KNEE_CAP);
    cr_assert(knee != NULL);
    cr_expect(eq(i64, (knee->clock + 500) / 1000, 12000000), "3 = T/4 at 12 s");
    cr_expect_str_eq(knee->term, "`time/4` wins over `3` below");
}

Test(knees, an_argument_s_text_may_go_on_on_the_next_line)
{
    static const char text[] = "return policy { name = 'lines', title = 't', source = 's', unit = 's', params = {},\n"
                               "  budget = function(c, p, g)\n"
                               "    local cap = min(c.time / 40, -- the share\n"
                               "                    (c.time - 1) / 2)\n"
                               "    return cap, cap\n"
                               "  end }\n";
    struct policy *policy;
    struct tm_error error;
    char argument[100], name[32];
    cr_assert(policy_load_text("lines.lua", text, sizeof text - 1, &policy, &error), "%s", error.message);
    const struct policy_branch branch = { .line = 3, .kind = POLICY_MIN, .winner = 2 };
    cr_expect_str_eq(term_argument(policy, &branch, 0, 1, argument, sizeof argument), "time / 40");
    cr_expect_str_eq(term_argument(policy, &branch, 0, 2, argument, sizeof argument), "(time - 1) / 2");
    cr_expect_str_eq(term_argument(policy, &branch, 0, 3, argument, sizeof argument), "");
    cr_expect_str_eq(term_assigned(policy, 3, name, sizeof name), "cap");
    cr_expect_str_eq(term_assigned(policy, 5, name, sizeof name), "");
    policy_free(policy);
}

/* Limits at the ends of the integers, infinite ones and faults are survived; a sanitizer watches. */
Test(knees, limits_of_any_size_are_survived)
{
    static const char *const rows[] = {
        "soft=1; hard=-huge", "soft=-huge; hard=huge", "soft=huge; hard=huge", "hard=1e300*T", "hard=-1e300*T", "hard=T/(T-1)",
        "hard=sqrt(T-30)", "soft=when(T<5,0/0,1); hard=when(T<7,huge,-huge)", "hard=u64(huge)", "hard=min(T,1/T,1/(T-2))",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct knees knees;
        find_for(formula(rows[i]), "60+0", &knees);
        for (int k = 1; k < knees.count; k++)
            cr_expect(knees.knee[k - 1].clock >= knees.knee[k].clock, "%s", rows[i]);
    }
}
