/* The grid is logarithmic, since most of what goes wrong does so on the last seconds, and linear too, so that no
   part of the clock is passed over in large steps. */
#include "tmsim/survey.h"

#include <math.h>
#include <stdlib.h>

static const tm_ns LOWEST = TM_NS_PER_MS; /* match runners count whole milliseconds */

static int by_time(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

/* What a player who spends nothing would have at the end, if that is more than at the start. */
static tm_ns highest(const struct cell *cell)
{
    const tm_ns gain = cell->middle.inc - cell->setup.overhead;
    return gain > 0 ? ns_add(cell->top, gain * cell->setup.moves) : cell->top;
}

/* A step of the logarithmic half never ends on round values, where policies have their special cases; these are kept
   in the linear half. */
static int grid(const struct cell *cell, int steps, tm_ns *time)
{
    const tm_ns top = highest(cell);
    if (top <= LOWEST) {
        time[0] = top;
        return 1;
    }
    const double factor = (double)top / (double)LOWEST;
    int count = 0;
    for (int i = 0; i < steps; i++)
        time[count++] = llround((double)LOWEST * pow(factor, (double)i / (steps - 1)));
    for (int i = 1; i < steps; i++)
        time[count++] = top / steps * i;
    time[count++] = cell->top;
    qsort(time, (size_t)count, sizeof *time, by_time);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || time[i] - time[kept - 1] > SURVEY_RESOLUTION)
            time[kept++] = time[i];
    return kept;
}

static void note_branches(const struct cell *cell, struct survey_point *point)
{
    const struct policy_branch *branch;
    const int count = cell_branches(cell, &branch);
    point->branch_count = point->at.fault ? 0 : count < SURVEY_BRANCHES ? count : SURVEY_BRANCHES;
    for (int i = 0; i < point->branch_count; i++)
        point->branch[i] = branch[i];
}

bool survey_take(struct cell *cell, int steps, struct survey *out, struct tm_error *error)
{
    tm_ns time[SURVEY_MAX_POINTS];
    if (steps < 2)
        steps = 2;
    if (steps > SURVEY_MAX_POINTS / 2)
        steps = SURVEY_MAX_POINTS / 2;
    const int count = grid(cell, steps, time);
    *out = (struct survey){ .point = malloc((size_t)count * sizeof *out->point) };
    if (!out->point)
        return error_fail(error, TM_INTERNAL, "out of memory");
    for (out->count = 0; out->count < count; out->count++) {
        struct survey_point *point = &out->point[out->count];
        point->at = cell_point_at(cell, time[out->count]);
        note_branches(cell, point);
    }
    return true;
}

void survey_clear(struct survey *survey)
{
    free(survey->point);
    *survey = (struct survey){ 0 };
}

void survey_bisect(struct cell *cell, survey_question *question, const void *ctx, tm_ns *low, tm_ns *high)
{
    const bool below = question(cell, *low, ctx);
    while (*high - *low > SURVEY_RESOLUTION) {
        const tm_ns middle = *low + (*high - *low) / 2;
        if (question(cell, middle, ctx) == below)
            *low = middle;
        else
            *high = middle;
    }
}
