/* Pathologies of the budget's shape: jumps, falls, ramps, and what it does not react to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tmsim/pathology_find.h"

/* A discontinuity counts from 5 % of the limit and 2 ms on: below are the steps of policies that compute in whole
   milliseconds. Guesses. */
static const double JUMP_SHARE = 0.05;
static const tm_ns JUMP_LEAST = 2 * TM_NS_PER_MS;
static const double SMALL_SHARE = 0.02; /* of the clock: jumps below are worth a note only. Guess */

enum { JUMPS_TOLD = 4, LIMITS = 2, INCREMENTS = 24 };
static const char *const limit_names[LIMITS] = { "hard", "soft" };

/* hard, or soft as it is read, after the floor; NAN for a fault, infinite for none. */
static double limit_of(const struct budget *budget, int limit)
{
    const tm_ns value = limit == 0 ? budget->hard_floored : budget->effective_soft;
    return value == TM_NS_MAX ? HUGE_VAL : (double)value;
}

/* The limits worth a word of their own: not soft where it is hard everywhere. */
static int limits_told(const struct survey *survey)
{
    for (int i = 0; i < survey->count; i++)
        if (!survey->point[i].at.fault
            && survey->point[i].at.budget.effective_soft != survey->point[i].at.budget.hard_floored)
            return LIMITS;
    return 1;
}

/* A variable that is swept while the rest of the state stays. */
struct axis {
    struct cell *cell;
    struct clock_state state;
    tm_ns *variable; /* in state */
    int limit;
};

static double value_at(struct axis *axis, tm_ns x)
{
    struct budget budget;
    struct tm_error ignored;
    *axis->variable = x;
    if (axis->variable == &axis->state.time)
        axis->state.opp_time = x;
    return cell_budget(axis->cell, &axis->state, &budget, &ignored) ? limit_of(&budget, axis->limit) : NAN;
}

static bool is_large(double before, double after)
{
    const double size = fabs(after - before), scale = fmax(fabs(before), fabs(after));
    return isfinite(size) && size >= (double)JUMP_LEAST && size >= JUMP_SHARE * scale;
}

struct jump {
    tm_ns at;
    double before, after;
};

/* Follows the half with the larger change until the ends are neighbours. True if a large change is left. */
static bool close_in(struct axis *axis, tm_ns low, tm_ns high, double before, double after, struct jump *out)
{
    while (high - low > SURVEY_RESOLUTION) {
        const tm_ns middle = low + (high - low) / 2;
        const double value = value_at(axis, middle);
        if (isnan(value) || !is_large(before, after))
            return false;
        if (fabs(value - before) >= fabs(after - value)) {
            high = middle;
            after = value;
        } else {
            low = middle;
            before = value;
        }
    }
    *out = (struct jump){ .at = low + (high - low) / 2, .before = before, .after = after };
    return is_large(before, after);
}

/* A step is suspect if the limit changes by more than twice what the clock does in proportion, or falls: a share of
   the clock grows at most like the clock, except next to where it is 0. */
static bool is_suspect(tm_ns x, double before, tm_ns y, double after)
{
    if (!is_large(before, after))
        return false;
    return after < before || after - before > 2 * before * ((double)y / (double)x - 1) + 0.01 * (double)y;
}

/* ---- jump ---- */

static void tell_jump(struct finder *finder, struct axis *axis, const char *variable, const struct jump *jump)
{
    struct clock_text t = { 0 };
    const double larger = fmax(jump->before, jump->after), smaller = fmin(jump->before, jump->after);
    char ratio[48] = "";
    if (smaller > 0)
        snprintf(ratio, sizeof ratio, ", %.1f times", larger / smaller);
    *axis->variable = jump->at + SURVEY_RESOLUTION;
    finder->severity = larger - smaller < SMALL_SHARE * (double)axis->state.time ? SEVERITY_NOTE : SEVERITY_WARNING;
    struct pathology *pathology =
        finder_add(finder, "%s jumps from %s to %s where %s crosses %s%s", limit_names[axis->limit],
                   clock_text(&t, llround(jump->before)), clock_text(&t, llround(jump->after)), variable,
                   clock_text(&t, jump->at), ratio);
    if (!pathology)
        return;
    if (axis->variable == &axis->state.time) {
        pathology->has_interval = true;
        pathology->from = pathology->to = jump->at;
        axis->state.opp_time = axis->state.time;
    }
    finder_witness(finder, pathology, &axis->state);
}

static void find_clock_jumps(struct finder *finder, int limit)
{
    const struct survey *survey = finder->in->survey;
    struct axis axis = { .cell = finder->in->cell, .state = finder->in->cell->middle, .limit = limit };
    axis.variable = &axis.state.time;
    int told = 0, more = 0;
    for (int i = survey->count - 1; i > 0; i--) {
        const struct cell_point *a = &survey->point[i - 1].at, *b = &survey->point[i].at;
        if (a->fault || b->fault)
            continue;
        const double before = limit_of(&a->budget, limit), after = limit_of(&b->budget, limit);
        struct jump jump;
        if (!is_suspect(a->time, before, b->time, after) || !close_in(&axis, a->time, b->time, before, after, &jump))
            continue;
        if (told < JUMPS_TOLD)
            tell_jump(finder, &axis, "the clock", &jump);
        else
            more++;
        told++;
    }
    if (!more)
        return;
    finder->severity = SEVERITY_NOTE;
    finder_cell_witness(finder, finder_add(finder, "%s has %d further jumps at lower clocks", limit_names[limit], more),
                        axis.cell->setup.overhead);
}

/* At the clock of the start; policies may have a case of its own for no increment. */
static void find_increment_jumps(struct finder *finder, int limit)
{
    struct axis axis = { .cell = finder->in->cell, .limit = limit };
    axis.state = cell_state_at(axis.cell, axis.cell->top);
    axis.variable = &axis.state.inc;
    const double top = (double)finder_base(finder) / 10, bottom = (double)TM_NS_PER_MS / 1000;
    tm_ns x = 0;
    double before = value_at(&axis, 0);
    for (int i = 0; i < INCREMENTS && top > bottom; i++) {
        const tm_ns y = llround(bottom * pow(top / bottom, (double)i / (INCREMENTS - 1)));
        const double after = value_at(&axis, y);
        struct jump jump;
        /* A policy may add several increments at once; a step of more than 100 of them is none of that. */
        if (is_large(before, after) && fabs(after - before) > 100 * (double)(y - x)
            && close_in(&axis, x, y, before, after, &jump))
            tell_jump(finder, &axis, "the increment", &jump);
        x = y;
        before = after;
    }
}

/* From m + 1 to m moves to go a share grows by (m + 1) / m; half as much again is a cliff. */
static void find_movestogo_jumps(struct finder *finder, int limit)
{
    struct cell *cell = finder->in->cell;
    struct clock_state state = cell_state_at(cell, cell->top);
    struct budget budget;
    struct tm_error ignored;
    double later = NAN;
    for (int m = state.period_moves < 60 ? state.period_moves : 60; m >= 1; m--) {
        state.movestogo = m;
        const double now = cell_budget(cell, &state, &budget, &ignored) ? limit_of(&budget, limit) : NAN;
        const double share = (m + 1.0) / m, ratio = now / later;
        finder->severity = SEVERITY_WARNING;
        if (is_large(later, now) && (ratio > 1.5 * share || ratio < 1 / 1.5)) {
            struct clock_text t = { 0 };
            struct pathology *pathology =
                finder_add(finder, "%s jumps from %s to %s where movestogo goes from %d to %d", limit_names[limit],
                           clock_text(&t, llround(later)), clock_text(&t, llround(now)), m + 1, m);
            finder_witness(finder, pathology, &state);
        }
        later = now;
    }
}

void find_jump(struct finder *finder)
{
    for (int limit = 0; limit < limits_told(finder->in->survey); limit++) {
        find_clock_jumps(finder, limit);
        find_increment_jumps(finder, limit);
        if (finder->in->cell->middle.has_movestogo)
            find_movestogo_jumps(finder, limit);
    }
}

/* ---- non_monotone ---- */

struct falls {
    int count;
    tm_ns low, high, deepest_low, deepest_high; /* all falls; the deepest one */
    double deepest, before, after;
};

static void note_fall(struct falls *falls, const struct cell_point *a, const struct cell_point *b, double before,
                      double after)
{
    if (!falls->count++)
        falls->low = a->time;
    falls->high = b->time;
    if (before - after <= falls->deepest)
        return;
    falls->deepest = before - after;
    falls->deepest_low = a->time;
    falls->deepest_high = b->time;
    falls->before = before;
    falls->after = after;
}

static void find_falls(struct finder *finder, int limit)
{
    const struct survey *survey = finder->in->survey;
    struct falls falls = { 0 };
    for (int i = 1; i < survey->count; i++) {
        const struct cell_point *a = &survey->point[i - 1].at, *b = &survey->point[i].at;
        const double before = a->fault ? NAN : limit_of(&a->budget, limit);
        const double after = b->fault ? NAN : limit_of(&b->budget, limit);
        if (before - after > 1 && before - after > 1e-9 * before) /* nanoseconds: past any rounding */
            note_fall(&falls, a, b, before, after);
    }
    if (!falls.count)
        return;
    struct clock_text t = { 0 };
    finder->severity = falls.deepest >= (double)JUMP_LEAST ? SEVERITY_WARNING : SEVERITY_NOTE;
    struct pathology *pathology = finder_add(
        finder, "%s falls with rising clock between %s and %s, by most from %s at %s to %s at %s", limit_names[limit],
        clock_text(&t, falls.low), clock_text(&t, falls.high), clock_text(&t, llround(falls.before)),
        clock_text(&t, falls.deepest_low), clock_text(&t, llround(falls.after)), clock_text(&t, falls.deepest_high));
    finder_interval(finder, pathology, falls.low, falls.high, falls.deepest_high);
}

void find_non_monotone(struct finder *finder)
{
    for (int limit = 0; limit < limits_told(finder->in->survey); limit++)
        find_falls(finder, limit);
}

/* ---- ignores_movestogo ---- */

void find_ignores_movestogo(struct finder *finder)
{
    struct cell *cell = finder->in->cell;
    struct clock_state many = cell_state_at(cell, cell->top), one = many;
    struct budget with_many, with_one;
    struct tm_error ignored;
    if (!many.has_movestogo)
        return;
    many.movestogo = 40;
    one.movestogo = 1;
    if (!cell_budget(cell, &many, &with_many, &ignored) || !cell_budget(cell, &one, &with_one, &ignored))
        return;
    if (with_many.raw.soft == with_one.raw.soft && with_many.raw.hard == with_one.raw.hard)
        finder_witness(finder, finder_add(finder, "the budget with 1 move to go is the one with 40 to go"), &one);
}

/* ---- ramp ---- */

/* soft as a share of half the clock at a ply; NAN for a fault. */
static double share_at(struct finder *finder, int ply, struct clock_state *state)
{
    struct cell *cell = finder->in->cell;
    struct budget budget;
    struct tm_error ignored;
    *state = cell_state_at(cell, cell->top / 2);
    state->ply = ply;
    state->moves = ply / 2;
    if (!cell_budget(cell, state, &budget, &ignored) || state->time <= 0)
        return NAN;
    return limit_of(&budget, 1) / (double)state->time;
}

/* A long game by shuffling: 300 own moves. */
static void find_late_ramp(struct finder *finder)
{
    struct clock_state state, late;
    const double middle = share_at(finder, CELL_MIDDLE_PLY, &state), end = share_at(finder, 600, &late);
    if (!(end > 1.5 * middle) || middle <= 0)
        return;
    finder->severity = end > 0.5 ? SEVERITY_SEVERE : SEVERITY_WARNING;
    struct pathology *pathology =
        finder_add(finder, "soft grows with ply: %.2f %% of the same clock at ply %d, %.2f %% at ply 600", 100 * middle,
                   CELL_MIDDLE_PLY, 100 * end);
    finder_witness(finder, pathology, &late);
    if (pathology)
        pathology->ply = 600;
}

/* The ply from which on soft has 90 % of what it has at the end of the walk. */
static void find_opening_ramp(struct finder *finder)
{
    const int last = finder->in->cell->setup.moves * 2;
    struct clock_state state;
    const double settled = share_at(finder, last, &state);
    if (share_at(finder, 600, &state) > 1.2 * settled)
        return; /* it never settles: that is the other ramp */
    int ply = last;
    while (ply > 0 && share_at(finder, ply - 2, &state) >= 0.9 * settled)
        ply -= 2;
    if (ply < last / 2 || ply == 0 || !(share_at(finder, 0, &state) < 0.5 * settled))
        return;
    finder->severity = SEVERITY_WARNING;
    struct pathology *pathology = finder_add(
        finder, "an opening ramp governs most of the game: soft is below 90 %% of its later share up to ply %d of %d",
        ply, last);
    finder_witness(finder, pathology, &state);
    if (pathology)
        pathology->ply = 0;
}

void find_ramp(struct finder *finder)
{
    find_late_ramp(finder);
    find_opening_ramp(finder);
}
