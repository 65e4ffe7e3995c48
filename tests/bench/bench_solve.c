/* What solving costs, in CPU time per policy: usage bench_solve POLICY…; prints milliseconds, the mean of the runs.
   "walk + park + two knees" is the job of sunfish's own solver, which takes 0.4 to 1.4 ms for it. */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tmsim/solve.h"

enum { RUNS = 50, STEPS = 24, MOVES = 63 };

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The two kinds of knees that the other solver looks for: where the cap binds and where hard meets its floor. */
static bool walk_park_and_knees(const struct cell_setup *setup, struct tm_error *error)
{
    struct walk walk;
    struct cell cell;
    struct survey survey;
    static struct knees knees;
    static struct parks parks;
    if (!cell_open(&cell, setup, error))
        return false;
    if (!walk_in_cell(&cell, &walk, error)) {
        cell_close(&cell);
        return false;
    }
    walk_clear(&walk);
    if (survey_take(&cell, STEPS, &survey, error)) {
        parks_find(&cell, &survey, &parks);
        knees_find(&cell, &survey, 1u << KNEE_CAP | 1u << KNEE_HARD_FLOOR, &knees);
        survey_clear(&survey);
    }
    cell_close(&cell);
    return true;
}

static bool whole_cell(const struct cell_setup *setup, struct tm_error *error)
{
    static struct solution solution;
    if (!solve_cell(setup, "it", false, &solution, error))
        return false;
    solution_clear(&solution);
    return true;
}

static bool measure(const char *spec, struct tm_error *error)
{
    struct policy *policy;
    struct tc tc;
    if (!tc_parse("60+0.1", &tc, error) || !policy_load(spec, ZEITNOT_DATA_SOURCE "/policies", &policy, error))
        return false;
    struct cell_setup setup = cell_defaults(policy, &tc, 50 * TM_NS_PER_MS);
    setup.moves = MOVES;
    bool ok = true;
    const double start = cpu_ms();
    for (int i = 0; ok && i < RUNS; i++)
        ok = walk_park_and_knees(&setup, error);
    const double middle = cpu_ms();
    for (int i = 0; ok && i < RUNS; i++)
        ok = whole_cell(&setup, error);
    printf("%-24s walk + park + 2 knees %7.3f ms   whole cell %7.2f ms\n", spec, (middle - start) / RUNS,
           (cpu_ms() - middle) / RUNS);
    policy_free(policy);
    return ok;
}

int main(int argc, char **argv)
{
    struct tm_error error = { 0 };
    gsl_set_error_handler_off();
    for (int i = 1; i < argc; i++)
        if (!measure(argv[i], &error)) {
            fprintf(stderr, "bench_solve: %s\n", error.message);
            return 2;
        }
    return 0;
}
