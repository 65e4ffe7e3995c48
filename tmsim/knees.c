/* Two kinds of knees: a limit meets a level (found where the answer to a yes-or-no question changes, and by Brent's
   method where the difference has a sign on both sides), and a branch changes its winner (bisected). */
#include "tmsim/knees.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/knee_term.h"

static const char *const names[KNEE_KINDS] = {
    [KNEE_POOL_EMPTY] = "P = 0",        [KNEE_HARD_ZERO] = "hard = 0",      [KNEE_SOFT_ZERO] = "soft = 0",
    [KNEE_HARD_FLOOR] = "hard = floor", [KNEE_SOFT_FLOOR] = "soft = floor", [KNEE_CAP] = "cap binds",
    [KNEE_SOFT_HARD] = "soft = hard",   [KNEE_HARD_CLOCK] = "hard = clock", [KNEE_BRANCH] = "branch",
};

const char *knee_name(enum knee_kind kind) { return names[kind]; }

enum { LOOP_CALLS = 4 }; /* of one kind on one line; more of them are a loop's. Guess */

static struct knee *add_knee(struct knees *knees, enum knee_kind kind, tm_ns clock)
{
    if (knees->count == KNEES_MAX) {
        knees->more = true;
        return NULL;
    }
    struct knee *knee = &knees->knee[knees->count++];
    *knee = (struct knee){ .kind = kind, .clock = clock };
    return knee;
}

/* ---- levels ---- */

/* limit - level in the policy's unit; at or below 0 is one side, above the other. */
struct level {
    enum knee_kind kind;
    bool (*applies)(const struct policy_info *info);
    double (*above)(const struct cell *cell, const struct budget *budget, tm_ns time);
};

static const struct policy_info *info_of(const struct cell *cell) { return policy_info(cell->setup.policy); }

static bool always(const struct policy_info *info)
{
    (void)info;
    return true;
}

/* A floor of 0 is the level 0. */
static bool floors_hard(const struct policy_info *info) { return info->has_hard_floor && info->hard_floor != 0; }
static bool floors_soft(const struct policy_info *info) { return info->has_soft_floor && info->soft_floor != 0; }

static double hard_above_zero(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)cell;
    (void)time;
    return budget->raw.hard;
}

static double soft_above_zero(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)cell;
    (void)time;
    return budget->raw.soft;
}

static double hard_above_floor(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)time;
    return budget->raw.hard - info_of(cell)->hard_floor;
}

static double soft_above_floor(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)time;
    return budget->raw.soft - info_of(cell)->soft_floor;
}

static double hard_above_soft(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)cell;
    (void)time;
    return budget->raw.hard == budget->raw.soft ? 0 : budget->raw.hard - budget->raw.soft;
}

static double clock_above_hard(const struct cell *cell, const struct budget *budget, tm_ns time)
{
    (void)cell;
    return budget->hard_floored == TM_NS_MAX ? -HUGE_VAL : (double)time - (double)budget->hard_floored;
}

static const struct level levels[] = {
    { KNEE_HARD_ZERO, always, hard_above_zero },        { KNEE_SOFT_ZERO, always, soft_above_zero },
    { KNEE_HARD_FLOOR, floors_hard, hard_above_floor }, { KNEE_SOFT_FLOOR, floors_soft, soft_above_floor },
    { KNEE_SOFT_HARD, always, hard_above_soft },        { KNEE_HARD_CLOCK, always, clock_above_hard },
};

static double level_value(struct cell *cell, const struct level *level, tm_ns time)
{
    const struct clock_state state = cell_state_at(cell, time);
    struct budget budget;
    struct tm_error ignored;
    return cell_budget(cell, &state, &budget, &ignored) ? level->above(cell, &budget, time) : NAN;
}

static bool is_above(struct cell *cell, tm_ns time, const void *level) { return level_value(cell, level, time) > 0; }

struct brent {
    struct cell *cell;
    const struct level *level;
};

static double brent_value(double time, void *ctx)
{
    const struct brent *brent = ctx;
    return level_value(brent->cell, brent->level, llround(time));
}

/* Narrows the bracket around a sign change; a jump or a flat piece only costs a few evaluations. */
static void narrow_by_root(struct cell *cell, const struct level *level, tm_ns *low, tm_ns *high)
{
    struct brent ctx = { cell, level };
    gsl_function function = { .function = brent_value, .params = &ctx };
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver || gsl_root_fsolver_set(solver, &function, (double)*low, (double)*high) != GSL_SUCCESS) {
        gsl_root_fsolver_free(solver);
        return;
    }
    for (int i = 0; i < 12; i++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS
            || gsl_root_fsolver_x_upper(solver) - gsl_root_fsolver_x_lower(solver) < (double)SURVEY_RESOLUTION)
            break;
    const tm_ns root = llround(gsl_root_fsolver_root(solver));
    gsl_root_fsolver_free(solver);
    const bool below = is_above(cell, *low, level);
    const tm_ns near_low = root - SURVEY_RESOLUTION / 2, near_high = root + SURVEY_RESOLUTION / 2;
    if (near_low > *low && is_above(cell, near_low, level) == below)
        *low = near_low;
    if (near_high < *high && near_high > *low && is_above(cell, near_high, level) != below)
        *high = near_high;
}

static void find_level(struct cell *cell, const struct level *level, const struct survey_point *a,
                       const struct survey_point *b, struct knees *out)
{
    const double below = level->above(cell, &a->at.budget, a->at.time);
    const double above = level->above(cell, &b->at.budget, b->at.time);
    if ((below > 0) == (above > 0))
        return;
    tm_ns low = a->at.time, high = b->at.time;
    if (isfinite(below) && isfinite(above) && below != 0 && above != 0)
        narrow_by_root(cell, level, &low, &high);
    survey_bisect(cell, is_above, level, &low, &high);
    add_knee(out, level->kind, low + (high - low) / 2);
}

/* ---- branches ---- */

/* Which decision is watched, and how it fell at the lower end. */
struct watched {
    int index;
    struct policy_branch below;
};

static bool decides_as_below(struct cell *cell, tm_ns time, const void *ctx)
{
    const struct watched *watched = ctx;
    const struct clock_state state = cell_state_at(cell, time);
    struct budget budget;
    struct tm_error ignored;
    const struct policy_branch *branch;
    if (!cell_budget(cell, &state, &budget, &ignored) || cell_branches(cell, &branch) <= watched->index)
        return false;
    branch += watched->index;
    return branch->line == watched->below.line && branch->kind == watched->below.kind
           && branch->winner == watched->below.winner;
}

/* How many calls of the same kind on the same line came before. */
static int ordinal_of(const struct survey_point *point, int index)
{
    const struct policy_branch *branch = &point->branch[index];
    int ordinal = 0;
    for (int i = 0; i < index; i++)
        ordinal += point->branch[i].line == branch->line && point->branch[i].kind == branch->kind;
    return ordinal;
}

struct change {
    const struct policy *policy;
    struct policy_branch below, above;
    int ordinal;
};

static bool is_empty_pool(const struct change *change)
{
    char first[KNEE_TERM_SIZE], second[KNEE_TERM_SIZE];
    if (change->below.kind != POLICY_MAX)
        return false;
    term_argument(change->policy, &change->below, change->ordinal, 1, first, sizeof first);
    term_argument(change->policy, &change->below, change->ordinal, 2, second, sizeof second);
    return strcmp(first, "0") == 0 || strcmp(second, "0") == 0;
}

static enum knee_kind kind_of(const struct change *change)
{
    if (change->below.kind == POLICY_MIN)
        return KNEE_CAP;
    return is_empty_pool(change) ? KNEE_POOL_EMPTY : KNEE_BRANCH;
}

static void describe_pool(const struct change *change, const char *below, const char *above, char *term)
{
    char name[64];
    const char *pool = strcmp(below, "0") == 0 ? above : below;
    term_assigned(change->policy, change->below.line, name, sizeof name);
    if (*name)
        snprintf(term, KNEE_TERM_SIZE, "`%s` = `%.250s`", name, pool);
    else
        snprintf(term, KNEE_TERM_SIZE, "`%.300s`", pool);
}

static void describe(const struct change *change, enum knee_kind kind, char *term)
{
    char below[160], above[160];
    static const char *const clamped[] = { "", "the value itself", "the low end", "the high end" };
    term_argument(change->policy, &change->below, change->ordinal, change->below.winner, below, sizeof below);
    term_argument(change->policy, &change->below, change->ordinal, change->above.winner, above, sizeof above);
    if (kind == KNEE_POOL_EMPTY)
        describe_pool(change, below, above, term);
    else if (change->below.kind == POLICY_EQ)
        snprintf(term, KNEE_TERM_SIZE, "eq() is %s below, line %d", change->below.winner == 1 ? "true" : "false",
                 change->below.line);
    else if (change->below.kind == POLICY_CLAMP)
        snprintf(term, KNEE_TERM_SIZE, "`%s` (%s) wins over `%s` below", below, clamped[change->below.winner & 3],
                 above);
    else if (*below && *above)
        snprintf(term, KNEE_TERM_SIZE, "`%s` wins over `%s` below", below, above);
    else
        snprintf(term, KNEE_TERM_SIZE, "%s() on line %d changes", policy_branch_name(change->below.kind),
                 change->below.line);
}

static void find_branch(struct cell *cell, const struct survey_point *a, const struct survey_point *b, int index,
                        unsigned kinds, struct knees *out)
{
    const struct watched watched = { index, a->branch[index] };
    const struct change change = {
        .policy = cell->setup.policy, .below = a->branch[index], .above = b->branch[index],
        .ordinal = ordinal_of(a, index),
    };
    tm_ns low = a->at.time, high = b->at.time;
    const enum knee_kind kind = kind_of(&change);
    if (!(kinds & 1u << kind))
        return;
    survey_bisect(cell, decides_as_below, &watched, &low, &high);
    struct knee *knee = add_knee(out, kind, low + (high - low) / 2);
    if (knee)
        describe(&change, kind, knee->term);
}

static bool same_call(const struct policy_branch *a, const struct policy_branch *b)
{
    return a->line == b->line && a->kind == b->kind;
}

/* A loop makes the same decision over and over; the first change in an interval stands for the others. */
static bool is_repeated(const struct survey_point *a, const struct survey_point *b, int index)
{
    for (int i = 0; i < index; i++)
        if (same_call(&a->branch[i], &a->branch[index]) && a->branch[i].winner != b->branch[i].winner
            && ordinal_of(a, index) >= LOOP_CALLS)
            return true;
    return false;
}

/* Decisions are compared one by one as far as both sides took the same path. */
static void find_branches(struct cell *cell, const struct survey_point *a, const struct survey_point *b,
                          unsigned kinds, struct knees *out)
{
    if (a->at.budget.signature == b->at.budget.signature)
        return;
    const int count = a->branch_count < b->branch_count ? a->branch_count : b->branch_count;
    for (int i = 0; i < count && same_call(&a->branch[i], &b->branch[i]); i++)
        if (a->branch[i].winner != b->branch[i].winner && !is_repeated(a, b, i))
            find_branch(cell, a, b, i, kinds, out);
}

/* ---- all ---- */

static int by_falling_clock(const void *a, const void *b)
{
    const struct knee *x = a, *y = b;
    return x->clock != y->clock ? (x->clock < y->clock) - (x->clock > y->clock) : (int)x->kind - (int)y->kind;
}

void knees_find(struct cell *cell, const struct survey *survey, unsigned kinds, struct knees *out)
{
    const struct policy_info *info = info_of(cell);
    out->count = 0;
    out->more = false;
    for (int i = survey->count - 1; i > 0; i--) {
        const struct survey_point *a = &survey->point[i - 1], *b = &survey->point[i];
        if (a->at.fault || b->at.fault)
            continue;
        find_branches(cell, a, b, kinds, out);
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
            if ((kinds & 1u << levels[k].kind) && levels[k].applies(info))
                find_level(cell, &levels[k], a, b, out);
    }
    qsort(out->knee, (size_t)out->count, sizeof *out->knee, by_falling_clock);
}

const struct knee *knees_first(const struct knees *knees, enum knee_kind kind)
{
    for (int i = 0; i < knees->count; i++)
        if (knees->knee[i].kind == kind)
            return &knees->knee[i];
    return NULL;
}
