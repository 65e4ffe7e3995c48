/* A park is where the drain, spend + overhead - increment, goes from - to + with rising clock: above it a game loses
   time, below it gains. Spends come from the stop rule, so they are never negative, and without an increment but with
   an overhead the drain is positive everywhere. */
#include "tmsim/park.h"

#include <stdlib.h>

/* Times within this are equal: spends are whole nanoseconds, rounded once at each event. */
static const tm_ns SAME = 1;
/* A step larger than this between neighbouring clocks is a jump: a spend does not grow 1000 times as fast as the
   clock. */
static const tm_ns STEP = 1000 * SURVEY_RESOLUTION;

const char *park_kind_name(enum park_kind kind)
{
    static const char *const names[] = { [PARK_ROOT] = "root", [PARK_JUMP] = "jump", [PARK_NEUTRAL] = "neutral" };
    return names[kind];
}

const char *park_outcome_name(enum park_outcome outcome)
{
    static const char *const names[] = {
        [PARK_PARKS] = "parks", [PARK_DRAINS] = "drains", [PARK_ACCUMULATES] = "accumulates"};
    return names[outcome];
}

/* A flag loses the clock, whatever the increment would have paid. */
static int sign_of(const struct cell *cell, const struct cell_point *point)
{
    const tm_ns drain = cell_drain(cell, point);
    if (point->spend + cell->setup.overhead > point->time)
        return 1;
    return drain > SAME ? 1 : drain < -SAME ? -1 : 0;
}

static int sign_at(const struct cell *cell, const struct survey_point *point) { return sign_of(cell, &point->at); }

static bool has_sign(struct cell *cell, tm_ns time, const void *sign)
{
    const struct cell_point point = cell_point_at(cell, time);
    return !point.fault && sign_of(cell, &point) == *(const int *)sign;
}

static void add_park(struct parks *parks, struct park park)
{
    if (parks->count < PARKS_MAX)
        parks->park[parks->count++] = park;
}

static void add_crossing(struct cell *cell, tm_ns low, tm_ns high, struct parks *out)
{
    const int gains = -1;
    survey_bisect(cell, has_sign, &gains, &low, &high);
    const struct cell_point below = cell_point_at(cell, low), above = cell_point_at(cell, high);
    const tm_ns gain = cell_drain(cell, &below), loss = cell_drain(cell, &above);
    struct park park = { .kind = PARK_ROOT, .clock = low + (high - low) / 2, .blind = below.blind };
    park.from = park.to = park.clock;
    if (loss - gain > STEP) {
        park.kind = PARK_JUMP;
        park.from = park.clock - loss;
        park.to = park.clock - gain;
    }
    add_park(out, park);
}

/* The drain is 0 from point `first` to `last`; the edges are somewhere before and behind them. */
static void add_neutral(struct cell *cell, const struct survey *survey, int first, int last, struct parks *out)
{
    const int neutral = 0;
    tm_ns from = survey->point[first].at.time, to = survey->point[last].at.time;
    if (first > 0) {
        tm_ns outside = survey->point[first - 1].at.time;
        survey_bisect(cell, has_sign, &neutral, &outside, &from);
    }
    if (last + 1 < survey->count) {
        tm_ns outside = survey->point[last + 1].at.time;
        survey_bisect(cell, has_sign, &neutral, &to, &outside);
    }
    add_park(out, (struct park){ .kind = PARK_NEUTRAL, .clock = to, .from = from, .to = to,
                                 .blind = survey->point[last].at.blind });
}

/* A neutral interval holds a clock that comes from above if it is losing there, and from below if it is gaining. */
static void find_all(struct cell *cell, const struct survey *survey, struct parks *out)
{
    for (int i = survey->count - 1; i >= 0; i--) {
        if (survey->point[i].at.fault)
            continue;
        const int sign = sign_at(cell, &survey->point[i]);
        if (sign > 0 && i > 0 && !survey->point[i - 1].at.fault && sign_at(cell, &survey->point[i - 1]) < 0)
            add_crossing(cell, survey->point[i - 1].at.time, survey->point[i].at.time, out);
        if (sign != 0)
            continue;
        int first = i;
        while (first > 0 && !survey->point[first - 1].at.fault && sign_at(cell, &survey->point[first - 1]) == 0)
            first--;
        add_neutral(cell, survey, first, i, out);
        i = first;
    }
}

/* Moves the park that a game from base reaches to the front. A game that loses at base falls to the next park below,
   one that gains rises to the next above. */
static bool put_reached_first(const struct parks *parks, int sign, tm_ns top, int *reached)
{
    *reached = -1;
    for (int i = 0; i < parks->count; i++) {
        const struct park *park = &parks->park[i];
        if (sign >= 0 && park->from <= top) {
            *reached = i;
            return true;
        }
        if (sign < 0 && park->clock >= top)
            *reached = i; /* by falling clock: the last such one is the nearest */
    }
    return *reached >= 0;
}

static void move_to_front(struct parks *parks, int index)
{
    const struct park reached = parks->park[index];
    for (int i = index; i > 0; i--)
        parks->park[i] = parks->park[i - 1];
    parks->park[0] = reached;
}

void parks_find(struct cell *cell, const struct survey *survey, struct parks *out)
{
    *out = (struct parks){ .outcome = PARK_DRAINS };
    find_all(cell, survey, out);
    const struct cell_point base = cell_point_at(cell, cell->top);
    const int sign = base.fault ? 1 : sign_of(cell, &base);
    int reached;
    if (put_reached_first(out, sign, cell->top, &reached)) {
        out->outcome = PARK_PARKS;
        move_to_front(out, reached);
    } else if (sign < 0) {
        out->outcome = PARK_ACCUMULATES;
    }
}
