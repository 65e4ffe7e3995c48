/* The clock: the order of the charge is the contract (design, section 3). */
#include "vclock/clock.h"

struct vclock vclock_start(const struct tc *tc, bool first_inc)
{
    const struct tc_period *first = &tc->period[0];
    return (struct vclock){
        .tc = tc,
        .left = first->base + (first_inc ? first->inc : 0),
        .movestogo = first->moves,
    };
}

bool vclock_has_movestogo(const struct vclock *clock) { return clock->tc->period[clock->period].moves > 0; }

static void enter_next_period(struct vclock *clock)
{
    if (clock->period + 1 < clock->tc->count)
        clock->period++;
    const struct tc_period *next = &clock->tc->period[clock->period];
    clock->left = ns_add(clock->left, next->base);
    clock->movestogo = next->moves;
}

bool vclock_charge(struct vclock *clock, tm_ns spend, tm_ns overhead)
{
    clock->left = ns_add(clock->left, -ns_add(spend, overhead));
    clock->moves++;
    if (clock->left < -clock->margin) {
        clock->flagged = true;
        return false;
    }
    if (clock->left < 0) {
        clock->forgiven++;
        clock->left = 0;
    }
    const bool counted = vclock_has_movestogo(clock);
    if (counted)
        clock->movestogo--;
    clock->left = ns_add(clock->left, clock->tc->period[clock->period].inc);
    if (counted && clock->movestogo == 0)
        enter_next_period(clock);
    return true;
}
