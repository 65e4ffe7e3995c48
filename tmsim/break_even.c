#include "tmsim/break_even.h"

#include "tmsim/walk.h"

static const tm_ns STEP = 100000; /* 0.1 ms, the step that runners' own lag varies by */
static const tm_ns PARTS = 500;   /* a large break-even is found to this part of it */

int break_even_without_spend(const struct cell_setup *setup, tm_ns overhead)
{
    struct vclock clock = vclock_start(&setup->tc, setup->first_inc);
    for (int move = 1; move <= setup->moves; move++)
        if (!vclock_charge(&clock, 0, overhead))
            return move;
    return 0;
}

bool break_even_survives(const struct cell_setup *setup, tm_ns overhead)
{
    struct cell_setup other = *setup;
    struct walk walk;
    struct tm_error ignored;
    other.overhead = overhead;
    if (!walk_run(&other, &walk, &ignored))
        return false;
    const bool survived = !walk.flag_move && !walk.fault_move;
    walk_clear(&walk);
    return survived;
}

tm_ns break_even_bearable(const struct cell_setup *setup)
{
    tm_ns low = 0, high = STEP;
    while (!break_even_without_spend(setup, high) && high < 3600 * TM_NS_PER_S)
        high *= 2;
    while (high - low > STEP) {
        const tm_ns middle = low + (high - low) / 2;
        if (break_even_without_spend(setup, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

tm_ns break_even_find(const struct cell_setup *setup, tm_ns *beyond)
{
    tm_ns low = 0, high = 0;
    const bool at_setup = break_even_survives(setup, setup->overhead);
    if (beyond)
        *beyond = 0;
    if (!at_setup && !break_even_survives(setup, 0))
        return -1;
    if (at_setup)
        low = setup->overhead;
    high = at_setup ? break_even_bearable(setup) : setup->overhead;
    /* Bisection: at the edge the lowest clock falls off a cliff, which misleads interpolation (tried: more walks). */
    while (high - low > STEP && high - low > high / PARTS) {
        const tm_ns middle = low + (high - low) / 2;
        if (break_even_survives(setup, middle))
            low = middle;
        else
            high = middle;
    }
    if (beyond)
        *beyond = high;
    return low - low % STEP;
}
