/* Pathologies of the limits themselves, read off the survey of clocks. */
#include <math.h>
#include <string.h>

#include "tmsim/pathology_find.h"

enum { INTERVALS = 16 };

/* What counts as much of the clock; guesses, made so that sunfish's known faults come out as the severe ones. */
static const double SEVERE_SHARE = 0.02; /* of the base without a budget: 1.2 s of a minute */
static const double FLOOR_SHARE = 0.05;

static const struct policy_info *info_of(const struct finder *finder)
{
    return policy_info(finder->in->cell->setup.policy);
}

/* A clock that the overhead alone exhausts says nothing about the policy. */
static enum severity size_of_interval(const struct finder *finder, tm_ns to)
{
    if (to <= finder->in->cell->setup.overhead)
        return SEVERITY_NOTE;
    return (double)to > SEVERE_SHARE * (double)finder_base(finder) ? SEVERITY_SEVERE : SEVERITY_WARNING;
}

/* ---- negative_cap ---- */

static bool hard_is_nothing(const struct cell *cell, const struct cell_point *point)
{
    (void)cell;
    return point->budget.hard_raw <= 0;
}

static bool soft_is_nothing(const struct cell *cell, const struct cell_point *point)
{
    (void)cell;
    return point->budget.soft_raw <= 0;
}

static void report_negative(struct finder *finder, const char *limit, bool floored, const struct interval *interval)
{
    struct clock_text t = { 0 };
    finder->severity = size_of_interval(finder, interval->to);
    const char *rescue = floored ? ", before the floor is applied" : "";
    struct pathology *pathology =
        interval->from == 0
            ? finder_add(finder, "%s is not above 0 up to %s%s: %s on the clock and no budget", limit,
                         clock_text(&t, interval->to), rescue, clock_text(&t, interval->to))
            : finder_add(finder, "%s is not above 0 from %s to %s%s", limit, clock_text(&t, interval->from),
                         clock_text(&t, interval->to), rescue);
    finder_interval(finder, pathology, interval->from, interval->to,
                    interval->from ? interval->inside : interval->to - interval->to / 20);
}

void find_negative_cap(struct finder *finder)
{
    struct interval hard[INTERVALS], soft[INTERVALS];
    const int hards = finder_intervals(finder, hard_is_nothing, hard, INTERVALS);
    const int softs = finder_intervals(finder, soft_is_nothing, soft, INTERVALS);
    for (int i = 0; i < hards; i++)
        report_negative(finder, "hard", info_of(finder)->has_hard_floor, &hard[i]);
    for (int i = 0; i < softs; i++) {
        bool told = false;
        for (int k = 0; k < hards; k++)
            told |= soft[i].from >= hard[k].from - TM_NS_PER_MS && soft[i].to <= hard[k].to + TM_NS_PER_MS;
        if (!told)
            report_negative(finder, "soft", info_of(finder)->has_soft_floor, &soft[i]);
    }
}

/* ---- flag_risk ---- */

static bool wall_is_beyond(const struct cell *cell, const struct cell_point *point)
{
    const tm_ns left = point->time - cell->setup.overhead;
    return left > 0 && point->budget.hard_floored > left;
}

/* The floor's own region is the price of having one, and with less than twice the overhead left there is no room
   for any budget. */
static enum severity size_of_risk(const struct finder *finder, tm_ns to)
{
    const struct policy_info *info = info_of(finder);
    const double unit = policy_unit_ns(finder->in->cell->setup.policy, SPEND_RATE);
    const double floor = info->has_hard_floor ? info->hard_floor * unit : 0;
    const tm_ns overhead = finder->in->cell->setup.overhead;
    if (to <= 2 * overhead || (double)to <= floor + (double)overhead + (double)TM_NS_PER_MS)
        return SEVERITY_NOTE;
    return size_of_interval(finder, to);
}

static int moves_inside(const struct finder *finder, const struct interval *interval)
{
    int inside = 0;
    for (int i = 0; i < finder->in->walk->moves; i++) {
        const tm_ns time = finder->in->walk->move[i].state.time;
        inside += time >= interval->from && time <= interval->to;
    }
    return inside;
}

static void find_risk_at_a_control(struct finder *finder);

void find_flag_risk(struct finder *finder)
{
    struct interval interval[INTERVALS];
    const int count = finder_intervals(finder, wall_is_beyond, interval, INTERVALS);
    for (int i = 0; i < count; i++) {
        struct clock_text t = { 0 };
        finder->severity = size_of_risk(finder, interval[i].to);
        const tm_ns from = interval[i].from ? interval[i].from : finder->in->cell->setup.overhead;
        struct pathology *pathology =
            finder_add(finder, "hard + overhead exceeds the clock from %s to %s: a flag if the wall is used; "
                               "%d of the walk's %d moves were there", clock_text(&t, from),
                       clock_text(&t, interval[i].to), moves_inside(finder, &interval[i]), finder->in->walk->moves);
        finder_interval(finder, pathology, from, interval[i].to, interval[i].to - (interval[i].to - from) / 20);
    }
    find_risk_at_a_control(finder);
}

/* With moves to go the share can exceed the clock some moves before the control. */
static void find_risk_at_a_control(struct finder *finder)
{
    struct cell *cell = finder->in->cell;
    struct clock_state state = cell_state_at(cell, cell->top), first = state;
    int largest = 0;
    for (int m = 1; state.has_movestogo && m <= state.period_moves; m++) {
        struct budget budget;
        struct tm_error ignored;
        state.movestogo = m;
        if (!cell_budget(cell, &state, &budget, &ignored) || budget.hard_floored <= state.time - cell->setup.overhead)
            continue;
        largest = m;
        first = state;
    }
    if (!largest)
        return;
    struct clock_text t = { 0 };
    finder->severity = SEVERITY_SEVERE;
    struct pathology *pathology = finder_add(finder, "hard + overhead exceeds a clock of %s from %d moves to go on",
                                             clock_text(&t, cell->top), largest);
    finder_witness(finder, pathology, &first);
}

/* ---- inversion ---- */

static bool is_inverted(const struct cell *cell, const struct cell_point *point)
{
    (void)cell;
    return point->budget.raw.soft > point->budget.raw.hard;
}

static int inverted_moves(const struct walk *walk)
{
    int count = 0;
    for (int i = 0; i < walk->moves; i++)
        count += walk->move[i].budget.raw.soft > walk->move[i].budget.raw.hard;
    return count;
}

static void report_inversion(struct finder *finder, const struct interval *interval)
{
    const struct walk *walk = finder->in->walk;
    const struct cell_point top = cell_point_at(finder->in->cell, interval->to);
    const int inside = inverted_moves(walk);
    struct clock_text t = { 0 };
    finder->severity = !top.fault && top.budget.hard_raw <= 0 && inside == 0 ? SEVERITY_NOTE : SEVERITY_WARNING;
    struct pathology *pathology =
        interval->from == 0
            ? finder_add(finder, "soft lies above hard up to %s%s; %d of the walk's %d moves saw that",
                         clock_text(&t, interval->to), finder->severity == SEVERITY_NOTE ? ", both below 0" : "",
                         inside, walk->moves)
            : finder_add(finder, "soft lies above hard from %s to %s; %d of the walk's %d moves saw that",
                         clock_text(&t, interval->from), clock_text(&t, interval->to), inside, walk->moves);
    finder_interval(finder, pathology, interval->from, interval->to,
                    interval->from + (interval->to - interval->from) / 2);
}

void find_inversion(struct finder *finder)
{
    struct interval interval[INTERVALS];
    const int count = finder_intervals(finder, is_inverted, interval, INTERVALS);
    for (int i = 0; i < count; i++)
        report_inversion(finder, &interval[i]);
}

/* ---- non_finite ---- */

static void report_fault(struct finder *finder, const struct clock_state *state, const char *where)
{
    struct budget budget;
    struct tm_error error = { 0 };
    if (cell_budget(finder->in->cell, state, &budget, &error))
        return;
    char *newline = strchr(error.message, '\n');
    if (newline)
        *newline = '\0';
    struct clock_text t = { 0 };
    struct pathology *pathology = finder_add(finder, "the policy faults %s %s: %.250s", where,
                                             clock_text(&t, state->time), error.message);
    if (!pathology)
        return;
    pathology->has_interval = true;
    pathology->from = pathology->to = state->time;
    finder_witness(finder, pathology, state);
}

static bool has_no_wall(const struct cell *cell, const struct cell_point *point)
{
    (void)cell;
    return isinf(point->budget.raw.hard);
}

void find_non_finite(struct finder *finder)
{
    const struct survey *survey = finder->in->survey;
    for (int i = 0; i < survey->count; i++)
        if (survey->point[i].at.fault && (i == 0 || !survey->point[i - 1].at.fault)) {
            const struct clock_state state = cell_state_at(finder->in->cell, survey->point[i].at.time);
            report_fault(finder, &state, "at");
        }
    const struct walk *walk = finder->in->walk;
    if (walk->fault_move) {
        struct pathology *pathology = finder_add(finder, "the policy faults at move %d of the walk: %.250s",
                                                 walk->fault_move, walk->fault.message);
        finder_cell_witness(finder, pathology, finder->in->cell->setup.overhead);
    }
    struct interval interval[INTERVALS];
    const int count = finder_intervals(finder, has_no_wall, interval, INTERVALS);
    finder->severity = SEVERITY_WARNING;
    for (int i = 0; i < count; i++) {
        struct clock_text t = { 0 };
        struct pathology *pathology = finder_add(finder, "hard is infinite from %s to %s: only the flag ends a search",
                                                 clock_text(&t, interval[i].from), clock_text(&t, interval[i].to));
        finder_interval(finder, pathology, interval[i].from, interval[i].to, interval[i].inside);
    }
}

/* ---- knees that are pathologies ---- */

void find_cap_binds(struct finder *finder)
{
    const struct knees *knees = finder->in->knees;
    for (int i = 0; i < knees->count; i++) {
        if (knees->knee[i].kind != KNEE_CAP)
            continue;
        const tm_ns clock = knees->knee[i].clock;
        struct clock_text t = { 0 };
        struct pathology *pathology = finder_add(finder, "below %s %s", clock_text(&t, clock), knees->knee[i].term);
        finder_interval(finder, pathology, 0, clock, clock - clock / 20);
    }
}

static void report_floor(struct finder *finder, enum knee_kind kind, const char *limit)
{
    const struct knee *knee = knees_first(finder->in->knees, kind);
    if (!knee)
        return;
    struct clock_text t = { 0 };
    const bool much = (double)knee->clock > FLOOR_SHARE * (double)finder_base(finder);
    finder->severity = much ? SEVERITY_WARNING : SEVERITY_NOTE;
    struct pathology *pathology = finder_add(finder, "%s lies on its floor below %s", limit,
                                             clock_text(&t, knee->clock));
    finder_interval(finder, pathology, 0, knee->clock, knee->clock - knee->clock / 20);
}

void find_floor_knee(struct finder *finder)
{
    report_floor(finder, KNEE_HARD_FLOOR, "hard");
    report_floor(finder, KNEE_SOFT_FLOOR, "soft");
}
