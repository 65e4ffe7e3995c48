/* Time controls: `base+inc`, `moves/base+inc`, several periods joined by `,`. */
#ifndef VCLOCK_TC_H
#define VCLOCK_TC_H

#include "vclock/ns.h"

enum { TC_MAX_PERIODS = 8, TC_TEXT_SIZE = 512 };

struct tc_period {
    int moves; /* own moves in this period; 0: the rest of the game */
    tm_ns base, inc;
};

/* The last period repeats if it has a move count. */
struct tc {
    int count;
    struct tc_period period[TC_MAX_PERIODS];
};

/* Parses the grammar of design section 3. A fault is reported with its place in the text. */
bool tc_parse(const char *text, struct tc *out, struct tm_error *error);

/* The canonical text, "40/60+0.6,20+0.2"; parsing it gives the same control. Returns `buffer`. */
char *tc_print(char buffer[static TC_TEXT_SIZE], const struct tc *tc);

#endif
