/* Parks: the clocks at which a game settles (design, section 3). */
#ifndef TMSIM_PARK_H
#define TMSIM_PARK_H

#include "tmsim/survey.h"

enum park_kind { PARK_ROOT, PARK_JUMP, PARK_NEUTRAL };
enum park_outcome { PARK_PARKS, PARK_DRAINS, PARK_ACCUMULATES };
enum { PARKS_MAX = 16 };

struct park {
    enum park_kind kind;
    tm_ns clock;    /* where the drain changes its sign; the upper end of a neutral interval */
    tm_ns from, to; /* the band that the clock walks around a jump; the neutral interval; a root: both are clock */
    bool blind;     /* the policy plays blind there */
};

struct parks {
    enum park_outcome outcome; /* from base */
    int count;                 /* the one reached from base first, the others by falling clock */
    struct park park[PARKS_MAX];
};

const char *park_kind_name(enum park_kind kind);          /* "root", "jump", "neutral" */
const char *park_outcome_name(enum park_outcome outcome); /* "parks", "drains", "accumulates" */

void parks_find(struct cell *cell, const struct survey *survey, struct parks *out);

#endif
