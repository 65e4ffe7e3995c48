/* Seconds where milliseconds were meant, and bare numbers among times. */
#include <stdio.h>

#include "tmsim/pathology_find.h"
#include "tmsim/scale.h"

/* A budget that no one wants on a long clock: more than all of it, or less than a millisecond. */
static void find_absurd(struct finder *finder)
{
    const struct cell *cell = finder->in->cell;
    const struct cell_point top = cell_point_at(finder->in->cell, cell->top);
    struct clock_text t = { 0 };
    struct pathology *pathology = NULL;
    if (top.fault || cell->top < 10 * TM_NS_PER_S)
        return;
    finder->severity = SEVERITY_SEVERE;
    if (top.budget.hard_floored > cell->top && top.budget.hard_floored != TM_NS_MAX)
        pathology = finder_add(finder, "hard is %s with %s on the clock: is the policy's unit right?",
                               clock_text(&t, top.budget.hard_floored), clock_text(&t, cell->top));
    else if (top.budget.hard_floored < TM_NS_PER_MS)
        pathology = finder_add(finder, "hard is %lld ns with %s on the clock: is the policy's unit right?",
                               (long long)top.budget.hard_floored, clock_text(&t, cell->top));
    finder_interval(finder, pathology, cell->top, cell->top, cell->top);
}

void find_mixed_units(struct finder *finder)
{
    find_absurd(finder);
    finder->severity = SEVERITY_NOTE;
    const struct scale_result scale = scale_check(finder->in->cell, finder->in->knees);
    if (scale.verdict != SCALE_BOUND)
        return;
    struct clock_text t = { 0 };
    char culprit[240] = "";
    if (scale.quantity.verdict == QUANTITY_MIXED)
        snprintf(culprit, sizeof culprit, "; line %d: %s", scale.quantity.line, scale.quantity.text);
    struct pathology *pathology = finder_add(
        finder, "not scale-free: with all times multiplied by %g, %s at %s is %.6g where %.6g would be in proportion "
                "(in the policy's unit)%s", scale.factor, scale.at_hard ? "hard" : "soft",
        clock_text(&t, scale.state.time), scale.is, scale.should, culprit);
    finder_witness(finder, pathology, &scale.state);
}
