/* Knees: the clocks where a policy's shape changes, each named by its definition (design, section 3). */
#ifndef TMSIM_KNEES_H
#define TMSIM_KNEES_H

#include "tmsim/survey.h"

enum knee_kind {
    KNEE_POOL_EMPTY,  /* P = 0: a max(0, P) changes its branch */
    KNEE_HARD_ZERO,   /* raw hard = 0 */
    KNEE_SOFT_ZERO,
    KNEE_HARD_FLOOR,  /* raw hard = floor */
    KNEE_SOFT_FLOOR,
    KNEE_CAP,         /* a min() changes its winner */
    KNEE_SOFT_HARD,   /* raw soft reaches raw hard */
    KNEE_HARD_CLOCK,  /* floored hard reaches the clock */
    KNEE_BRANCH,      /* another max(), clamp(), eq() or when() changes */
    KNEE_KINDS
};

enum { KNEES_MAX = 64, KNEE_TERM_SIZE = 360 };

struct knee {
    enum knee_kind kind;
    tm_ns clock;
    char term[KNEE_TERM_SIZE]; /* "`A` wins over `B` below", or the expression that is 0; "": nothing to say */
};

struct knees {
    int count;
    bool more; /* further ones did not fit */
    struct knee knee[KNEES_MAX];
};

/* "P = 0", "hard = 0", … */
const char *knee_name(enum knee_kind kind);

/* Which kinds are looked for: bits 1 << kind. */
#define KNEES_ALL ((1u << KNEE_KINDS) - 1)

/* The knees of these kinds between the clocks of the survey, to 1e-6 s, by falling clock. */
void knees_find(struct cell *cell, const struct survey *survey, unsigned kinds, struct knees *out);

/* The one of a kind with the highest clock, or NULL. */
const struct knee *knees_first(const struct knees *knees, enum knee_kind kind);

#endif
