/* The table of kinds, and what all finders use. */
#include "tmsim/pathologies.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tmsim/pathology_find.h"
#include "tmsim/policy_eval.h"

static const struct row {
    const char *name;
    enum severity severity; /* unless the finder has a reason for another */
    const char *meaning;
    void (*find)(struct finder *finder);
} rows[PATHOLOGY_KINDS] = {
    [PATHOLOGY_FLAG] = { "flag", SEVERITY_SEVERE, "the walk ends on time", find_flag },
    [PATHOLOGY_NON_FINITE] = { "non_finite", SEVERITY_SEVERE, "NaN or infinity where a number was due",
                               find_non_finite },
    [PATHOLOGY_NEGATIVE_CAP] = { "negative_cap", SEVERITY_WARNING, "a limit of zero or less with time on the clock",
                                 find_negative_cap },
    [PATHOLOGY_FLAG_RISK] = { "flag_risk", SEVERITY_WARNING, "clocks where hard + overhead exceeds the clock",
                              find_flag_risk },
    [PATHOLOGY_BLIND_RUN] = { "blind_run", SEVERITY_WARNING, "consecutive moves at or below the floor",
                              find_blind_run },
    [PATHOLOGY_INVERSION] = { "inversion", SEVERITY_WARNING, "soft above hard", find_inversion },
    [PATHOLOGY_HOPELESS] = { "hopeless", SEVERITY_WARNING, "overhead alone exhausts the clock", find_hopeless },
    [PATHOLOGY_MIXED_UNITS] = { "mixed_units", SEVERITY_NOTE, "a bare number added to a time", find_mixed_units },
    [PATHOLOGY_IGNORES_MOVESTOGO] = { "ignores_movestogo", SEVERITY_WARNING,
                                      "the same budget for 40 moves to go and for one", find_ignores_movestogo },
    [PATHOLOGY_RAMP] = { "ramp", SEVERITY_WARNING, "the share of the clock per move grows with ply", find_ramp },
    [PATHOLOGY_NON_MONOTONE] = { "non_monotone", SEVERITY_WARNING, "more clock gives less budget",
                                 find_non_monotone },
    [PATHOLOGY_JUMP] = { "jump", SEVERITY_WARNING, "a discontinuity in clock, increment or movestogo", find_jump },
    [PATHOLOGY_STARVED] = { "starved", SEVERITY_NOTE, "starved moves while time is left", find_starved },
    [PATHOLOGY_UNSPENT_RESERVE] = { "unspent_reserve", SEVERITY_WARNING, "time left over at the end",
                                    find_unspent_reserve },
    [PATHOLOGY_PARK] = { "park", SEVERITY_NOTE, "a clock at which games settle", find_park },
    [PATHOLOGY_DRAIN] = { "drain", SEVERITY_NOTE, "the clock falls wherever it stands", find_drain },
    [PATHOLOGY_FLOOR_KNEE] = { "floor_knee", SEVERITY_NOTE, "the clocks where limits reach the floor",
                               find_floor_knee },
    [PATHOLOGY_CAP_BINDS] = { "cap_binds", SEVERITY_NOTE, "below this clock a cap sets the budget, not the share",
                              find_cap_binds },
    [PATHOLOGY_BREAK_EVEN] = { "break_even", SEVERITY_NOTE, "the largest constant overhead it survives",
                               find_break_even },
};

const char *pathology_name(enum pathology_kind kind) { return rows[kind].name; }
const char *pathology_meaning(enum pathology_kind kind) { return rows[kind].meaning; }

const char *severity_name(enum severity severity)
{
    static const char *const names[] = { "note", "warning", "severe" };
    return names[severity];
}

/* ---- for the finders ---- */

struct pathology *finder_add(struct finder *finder, const char *format, ...)
{
    if (finder->out->count == PATHOLOGIES_MAX)
        return NULL;
    struct pathology *pathology = &finder->out->item[finder->out->count++];
    *pathology = (struct pathology){ .kind = finder->kind, .severity = finder->severity, .ply = -1 };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pathology->text, sizeof pathology->text, format, arguments);
    va_end(arguments);
    return pathology;
}

void finder_witness(struct finder *finder, struct pathology *pathology, const struct clock_state *state)
{
    if (!pathology)
        return;
    const struct eval_request request = finder->in->brief ? eval_full(state) : eval_shortest(finder->in->cell, state);
    eval_print(&request, finder->in->spec, pathology->witness, sizeof pathology->witness);
}

/* The roundest clock near the example that still lies inside. */
static tm_ns rounded_within(tm_ns time, tm_ns from, tm_ns to)
{
    for (tm_ns grain = TM_NS_PER_S / 10; grain > 1; grain /= 10) {
        const tm_ns rounded = (time + grain / 2) / grain * grain;
        if (rounded > from && rounded < to)
            return rounded;
    }
    return time;
}

void finder_interval(struct finder *finder, struct pathology *pathology, tm_ns from, tm_ns to, tm_ns example)
{
    if (!pathology)
        return;
    pathology->has_interval = true;
    pathology->from = from;
    pathology->to = to;
    const struct clock_state state = cell_state_at(finder->in->cell, rounded_within(example, from, to));
    finder_witness(finder, pathology, &state);
}

void finder_cell_witness(struct finder *finder, struct pathology *pathology, tm_ns overhead)
{
    if (!pathology)
        return;
    const struct cell_setup *setup = &finder->in->cell->setup;
    const bool traced = setup->model.kind == SPEND_TRACE;
    char tc[TC_TEXT_SIZE], seconds[32];
    snprintf(pathology->witness, sizeof pathology->witness,
             "tmsim solve %.200s --tc %.200s --overhead %ss --moves %d --first-inc %s --spend %s%s%.200s",
             finder->in->spec, tc_print(tc, &setup->tc), ns_print_seconds(seconds, sizeof seconds, overhead),
             setup->moves, setup->first_inc ? "yes" : "no", spend_name(setup->model.kind), traced ? " --traces " : "",
             traced ? setup->model.trace->path : "");
}

const char *clock_text(struct clock_text *texts, tm_ns time)
{
    char *text = texts->text[texts->next++ % 8];
    snprintf(text, sizeof texts->text[0], "%.3f s", ns_to_s(time));
    return text;
}

struct asked {
    point_question *question;
};

static bool ask(struct cell *cell, tm_ns time, const void *ctx)
{
    const struct asked *asked = ctx;
    const struct cell_point point = cell_point_at(cell, time);
    return !point.fault && asked->question(cell, &point);
}

int finder_intervals(struct finder *finder, point_question *question, struct interval *out, int max)
{
    struct cell *cell = finder->in->cell;
    const struct survey *survey = finder->in->survey;
    const struct asked asked = { question };
    int count = 0;
    bool inside = false;
    for (int i = 0; i < survey->count && count < max; i++) {
        const struct cell_point *point = &survey->point[i].at;
        const bool yes = !point->fault && question(cell, point);
        if (yes == inside) {
            if (yes)
                out[count].to = point->time;
            continue;
        }
        tm_ns low = i > 0 ? survey->point[i - 1].at.time : 0, high = point->time;
        if (i > 0)
            survey_bisect(cell, ask, &asked, &low, &high);
        if (yes)
            out[count] = (struct interval){ .from = i > 0 ? high : 0, .to = point->time, .inside = point->time };
        else
            out[count++].to = low;
        inside = yes;
    }
    return inside ? count + 1 : count;
}

tm_ns finder_base(const struct finder *finder)
{
    const struct tc *tc = &finder->in->cell->setup.tc;
    tm_ns base = 0;
    for (int i = 0; i < tc->count; i++)
        if (tc->period[i].base > base)
            base = tc->period[i].base;
    return base > 0 ? base : finder->in->cell->top;
}

static int by_severity(const void *a, const void *b)
{
    const struct pathology *x = a, *y = b;
    if (x->severity != y->severity)
        return (int)y->severity - (int)x->severity;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    return (x->to < y->to) - (x->to > y->to);
}

void pathologies_find(const struct findings *findings, struct pathologies *out)
{
    out->count = 0;
    for (int kind = 0; kind < PATHOLOGY_KINDS; kind++) {
        struct finder finder = { findings, out, (enum pathology_kind)kind, rows[kind].severity };
        rows[kind].find(&finder);
    }
    qsort(out->item, (size_t)out->count, sizeof *out->item, by_severity);
}
