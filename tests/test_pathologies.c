#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/solver_reference.h"
#include "tmsim/policy_eval.h"
#include "tmsim/scale.h"
#include "tmsim/solve.h"

static void start(void) { gsl_set_error_handler_off(); }
TestSuite(pathologies, .init = start);

static struct solution *solve(struct policy *policy, const char *control, int overhead_ms)
{
    const struct tc tc = some_tc(control);
    const struct cell_setup setup = cell_defaults(policy, &tc, overhead_ms * TM_NS_PER_MS);
    struct solution *solution = malloc(sizeof *solution);
    struct tm_error error;
    cr_assert(solve_cell(&setup, "it", false, solution, &error), "%s", error.message);
    return solution;
}

static void drop(struct solution *solution)
{
    struct cell_setup setup = solution->setup;
    solution_clear(solution);
    drop_policy(&setup);
    free(solution);
}

/* The one whose sentence begins like that; NULL if there is none. */
static const struct pathology *find(const struct solution *solution, enum pathology_kind kind, const char *beginning)
{
    for (int i = 0; i < solution->pathologies.count; i++) {
        const struct pathology *item = &solution->pathologies.item[i];
        if (item->kind == kind && strncmp(item->text, beginning, strlen(beginning)) == 0)
            return item;
    }
    return NULL;
}

static struct policy *either(const char *text)
{
    return strchr(text, '=') && !strchr(text, ':') ? formula(text) : some_policy(text);
}

/* Kinds with the interval in which they hold; known reports and arithmetic by hand. */
Test(pathologies, are_found_where_arithmetic_puts_them)
{
    static const struct {
        const char *policy, *tc;
        int overhead_ms;
        enum pathology_kind kind;
        const char *beginning;
        double from, to; /* seconds; -1: no interval */
        enum severity severity;
    } rows[] = {
        { "oldtm", "60+0", 50, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, SEVERITY_SEVERE },
        { "hard=min(T/12+0.9*I,T/2-1)", "60+0", 0, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, SEVERITY_SEVERE },
        { "hard=min(T/12+0.9*I,T/2-1)", "60+0.1", 200, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 2.0, SEVERITY_SEVERE },
        { "pool", "60+0", 50, PATHOLOGY_NEGATIVE_CAP, "hard", 0, 8.4, SEVERITY_SEVERE },
        { "oldtm", "60+0", 50, PATHOLOGY_CAP_BINDS, "below 2.400 s", 0, 2.4, SEVERITY_NOTE },
        { "pool", "60+0", 50, PATHOLOGY_FLOOR_KNEE, "hard", 0, 8.8, SEVERITY_WARNING },
        { "pool", "60+0", 50, PATHOLOGY_FLOOR_KNEE, "soft", 0, 10.4, SEVERITY_WARNING },
        { "soft=T/40+0.9*I; hard=T/4", "30+1", 50, PATHOLOGY_INVERSION, "soft lies above hard", 0, 4.0, SEVERITY_WARNING },
        { "soft=T/40+0.9*I; hard=T/4", "60+0.1", 50, PATHOLOGY_INVERSION, "soft lies above hard", 0, 0.4, SEVERITY_WARNING },
        { "onemax", "30+1", 0, PATHOLOGY_FLAG_RISK, "hard + overhead", 0, 32.0 / 39, SEVERITY_SEVERE },
        { "budget", "60+0", 50, PATHOLOGY_FLAG_RISK, "hard + overhead", 0.05, 0.25, SEVERITY_NOTE },
        { "steptm", "60+0.1", 50, PATHOLOGY_PARK, "the clock parks at 2.109 s, a jump", 2.1043478, 2.1152174, SEVERITY_NOTE },
        { "pool", "60+0.1", 50, PATHOLOGY_PARK, "the clock stands still", 0.1, 4.9, SEVERITY_WARNING },
        { "hard=when(T<10, 5, 1)", "60+0", 0, PATHOLOGY_JUMP, "hard jumps from 5.000 s to 1.000 s where the clock", 10, 10,
          SEVERITY_WARNING },
        { "hard=when(T<10, 5, 1)", "60+0", 0, PATHOLOGY_NON_MONOTONE, "hard falls", -2, -2, SEVERITY_WARNING },
        { "steptm", "60+0", 50, PATHOLOGY_JUMP, "hard jumps from 1.500 s to 5.000 s where the increment crosses 0.000 s", -1, -1,
          SEVERITY_WARNING },
        { "soft=T/40; hard=T/20", "40/10", 0, PATHOLOGY_IGNORES_MOVESTOGO, "", -1, -1, SEVERITY_WARNING },
        { "soft=T/40; hard=T/20", "40/10", 0, PATHOLOGY_UNSPENT_RESERVE, "", -1, -1, SEVERITY_WARNING },
        { "hard=0.9*T/(1+sqrt(T-1))", "60+0", 0, PATHOLOGY_NON_FINITE, "the policy faults at 0.001 s", 0.001, 0.001,
          SEVERITY_SEVERE },
        { "soft=T/40; hard=huge", "60+0", 0, PATHOLOGY_NON_FINITE, "hard is infinite", -2, -2, SEVERITY_WARNING },
        { "soft=(0.01+ply/6000)*T; hard=soft", "60+0.6", 50, PATHOLOGY_RAMP, "soft grows with ply", -1, -1, SEVERITY_WARNING },
        { "soft=T*min(1,ply/990); hard=soft", "5+0", 10, PATHOLOGY_RAMP, "soft grows with ply", -1, -1, SEVERITY_SEVERE },
        { "soft=T/40*min(1,(ply+4)/120); hard=T/4", "60+0", 0, PATHOLOGY_RAMP, "an opening ramp", -1, -1, SEVERITY_WARNING },
        { "soft=T/40; hard=T/20", "1+0", 50, PATHOLOGY_HOPELESS, "overhead alone exhausts the clock at move 21 of 80", -1, -1,
          SEVERITY_WARNING },
        { "oldtm", "60+0", 50, PATHOLOGY_MIXED_UNITS, "not scale-free", -1, -1, SEVERITY_NOTE },
        { "hard=max((T*1000-8000)/40+I,50)", "60+0", 0, PATHOLOGY_MIXED_UNITS, "hard is 1300.000 s", 60, 60, SEVERITY_SEVERE },
        { "oldtm", "60+0", 50, PATHOLOGY_FLAG, "flag at move 62 of 80", -1, -1, SEVERITY_SEVERE },
        { "oldtm", "60+0", 50, PATHOLOGY_BLIND_RUN, "22 blind moves in a row from move 41", -1, -1, SEVERITY_WARNING },
        { "oldtm", "60+0", 50, PATHOLOGY_STARVED, "23 of 62 moves", -1, -1, SEVERITY_WARNING },
        { "oldtm", "60+0", 50, PATHOLOGY_DRAIN, "no increment", -1, -1, SEVERITY_NOTE },
        { "pool", "60+0.03", 50, PATHOLOGY_DRAIN, "the increment of 0.030 s does not pay", -1, -1, SEVERITY_WARNING },
        { "soft=min(1,6/min(50,M)*1.5)*T; hard=soft", "60/15", 50, PATHOLOGY_FLAG_RISK,
          "hard + overhead exceeds a clock of 15.000 s from 9 moves to go on", -1, -1, SEVERITY_SEVERE },
        { "soft=when(M<=20,T/20,T/100); hard=soft", "40/60", 0, PATHOLOGY_JUMP,
          "hard jumps from 0.600 s to 3.000 s where movestogo goes from 21 to 20", -1, -1, SEVERITY_WARNING },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct solution *solution = solve(either(rows[i].policy), rows[i].tc, rows[i].overhead_ms);
        const struct pathology *found = find(solution, rows[i].kind, rows[i].beginning);
        cr_expect(found != NULL, "%s at %s: no %s '%s'", rows[i].policy, rows[i].tc, pathology_name(rows[i].kind),
                  rows[i].beginning);
        if (found) {
            cr_expect(found->severity == rows[i].severity, "%s at %s: %s is %s", rows[i].policy, rows[i].tc, found->text,
                      severity_name(found->severity));
            cr_expect(found->witness[0] != 0, "%s: no witness", found->text);
            if (rows[i].from >= 0)
                cr_expect(fabs(ns_to_s(found->from) - rows[i].from) < 1e-6 && fabs(ns_to_s(found->to) - rows[i].to) < 1e-6,
                          "%s at %s: %s: %.9f … %.9f", rows[i].policy, rows[i].tc, found->text, ns_to_s(found->from),
                          ns_to_s(found->to));
        }
        drop(solution);
    }
}

/* What must not be said. */
Test(pathologies, are_not_found_where_there_are_none)
{
    static const struct { const char *policy, *tc; int overhead_ms; enum pathology_kind kind; } rows[] = {
        { "soft=T/40+0.8*I; hard=T/4+0.8*I", "60+0.6", 50, PATHOLOGY_JUMP },
        { "soft=T/40+0.8*I; hard=T/4", "60+0.6", 50, PATHOLOGY_NON_MONOTONE },
        { "soft=T/40+0.8*I; hard=T/4", "60+0.6", 50, PATHOLOGY_MIXED_UNITS },
        { "soft=T/40+0.8*I; hard=T/4", "60+0.6", 50, PATHOLOGY_NEGATIVE_CAP },
        { "soft=T/40+0.8*I; hard=T/4", "60+0.6", 50, PATHOLOGY_RAMP },
        { "soft=T/M; hard=T/M", "40/60", 0, PATHOLOGY_JUMP },
        { "soft=T/M; hard=T/M", "40/60", 0, PATHOLOGY_IGNORES_MOVESTOGO },
        { "soft=T/40; hard=T/20", "60+0.6", 50, PATHOLOGY_HOPELESS },
        { "pool", "60+0", 50, PATHOLOGY_FLAG },
        { "pool", "60+0.6", 50, PATHOLOGY_MIXED_UNITS },
        { "smooth", "60+0", 0, PATHOLOGY_NEGATIVE_CAP },
        { "simple", "60+0.6", 0, PATHOLOGY_INVERSION },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct solution *solution = solve(either(rows[i].policy), rows[i].tc, rows[i].overhead_ms);
        const struct pathology *found = find(solution, rows[i].kind, "");
        cr_expect(found == NULL, "%s at %s: %s: %s", rows[i].policy, rows[i].tc, pathology_name(rows[i].kind),
                  found ? found->text : "");
        drop(solution);
    }
}

/* 50 ms of overhead kill oldtm within 80 moves, 5 ms do not: the break-even lies between, and a little more kills. */
Test(pathologies, break_even_is_the_last_overhead_that_is_survived)
{
    struct solution *solution = solve(some_policy("oldtm"), "60+0", 50);
    const struct pathology *found = find(solution, PATHOLOGY_BREAK_EVEN, "it survives 80 moves up to ");
    cr_assert(found != NULL);
    const double milliseconds = atof(found->text + strlen("it survives 80 moves up to "));
    cr_expect(milliseconds > 5 && milliseconds < 50, "%s", found->text);
    struct cell_setup setup = solution->setup;
    for (int more = 0; more <= 1; more++) {
        struct walk walk;
        struct tm_error error;
        setup.overhead = llround((milliseconds * (1 + 0.02 * more)) * 1e6);
        cr_assert(walk_run(&setup, &walk, &error));
        cr_expect(more == (walk.flag_move > 0), "%g ms", ns_to_s(setup.overhead) * 1000);
        walk_clear(&walk);
    }
    drop(solution);
}

/* Worst first, and every row of the table has a name of its own. */
Test(pathologies, come_by_severity)
{
    struct solution *solution = solve(some_policy("oldtm"), "60+0", 50);
    for (int i = 1; i < solution->pathologies.count; i++)
        cr_expect(solution->pathologies.item[i - 1].severity >= solution->pathologies.item[i].severity);
    for (int i = 0; i < PATHOLOGY_KINDS; i++)
        for (int k = 0; k < i; k++)
            cr_expect(strcmp(pathology_name((enum pathology_kind)i), pathology_name((enum pathology_kind)k)) != 0);
    drop(solution);
}

/* A policy that remembers its first clock needs the base in the command that shows the same budget again. */
Test(pathologies, a_witness_gives_the_same_budget_again)
{
    static const char text[] =
        "return policy { name = 'first', title = 't', source = 's', unit = 's', params = {},\n"
        "  budget = function(c, p, g) g.first = g.first or c.time; local h = c.time / 4 - g.first / 100; return h, h end }\n";
    struct policy *policy;
    struct tm_error error;
    cr_assert(policy_load_text("first.lua", text, sizeof text - 1, &policy, &error), "%s", error.message);
    struct solution *solution = solve(policy, "60+0", 0);
    const struct pathology *found = find(solution, PATHOLOGY_NEGATIVE_CAP, "hard");
    cr_assert(found != NULL);
    cr_expect(fabs(ns_to_s(found->to) - 2.4) < 1e-6, "%s", found->text);
    cr_expect(strstr(found->witness, "--base 60s") != NULL, "%s", found->witness);
    drop(solution);
    solution = solve(some_policy("oldtm"), "60+0", 50);
    found = find(solution, PATHOLOGY_NEGATIVE_CAP, "hard");
    cr_assert(found != NULL);
    cr_expect_str_eq(found->witness, "tmsim policy eval it --time 1.9s --inc 0s");
    drop(solution);
}

Test(pathologies, scale_freeness_is_decided_by_numbers)
{
    static const struct { const char *policy; enum scale_verdict verdict; } rows[] = {
        { "pool", SCALE_FREE },       { "min40_4", SCALE_FREE }, { "simple", SCALE_FREE },
        { "oldtm", SCALE_BOUND },     { "legacy12", SCALE_BOUND }, { "onemax", SCALE_BOUND },
        { "smooth", SCALE_BOUND },    { "budget", SCALE_FREE },  { "pool:overhead=5s", SCALE_FREE },
        { "soft=T/40+0.01; hard=T/4", SCALE_BOUND },             { "soft=T/40+O; hard=T/4", SCALE_FREE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tc tc = some_tc("60+0.1");
        struct cell_setup setup = cell_defaults(either(rows[i].policy), &tc, 50 * TM_NS_PER_MS);
        struct cell cell;
        struct knees none = { 0 };
        struct tm_error error;
        cr_assert(cell_open(&cell, &setup, &error));
        const struct scale_result result = scale_check(&cell, &none);
        cr_expect(result.verdict == rows[i].verdict, "%s is %s", rows[i].policy, scale_verdict_name(result.verdict));
        cell_close(&cell);
        drop_policy(&setup);
    }
}
