/* Where does a policy mix times with bare numbers? Its `budget` is run on quantities, tables that carry the power of
   time through the arithmetic (design, section 4, unit check). */
#ifndef VCLOCK_POLICY_QUANTITY_H
#define VCLOCK_POLICY_QUANTITY_H

#include "vclock/policy.h"

enum quantity_verdict {
    QUANTITY_CLEAN,    /* all that was added or compared was of one kind */
    QUANTITY_MIXED,    /* not so; `line` and `text` tell the first place */
    QUANTITY_UNDECIDED /* the run on quantities did not go the way of the run on numbers; nothing else is known */
};

struct quantity_result {
    enum quantity_verdict verdict;
    int line;       /* of the policy's text */
    char text[160]; /* "a time is compared with the bare number 1000"; the number is in the policy's unit */
};

/* For the budget of a first move at `clock`. Times are those of `c` and the time parameters of `p`; what sec() and
   ms() return is a bare number, since it does not grow with them. */
struct quantity_result policy_quantities(const struct policy *policy, const struct clock_state *clock);

/* quantity.lua */
extern const char quantity_lua[];

#endif
