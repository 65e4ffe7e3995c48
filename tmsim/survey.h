/* A survey: a policy asked about many clocks from a millisecond up, which knees, parks and pathologies refine. */
#ifndef TMSIM_SURVEY_H
#define TMSIM_SURVEY_H

#include "tmsim/cell.h"

enum { SURVEY_MAX_POINTS = 512, SURVEY_BRANCHES = 64 };

struct survey_point {
    struct cell_point at;
    int branch_count;
    struct policy_branch branch[SURVEY_BRANCHES];
};

struct survey {
    int count;
    struct survey_point *point; /* by rising time */
};

/* `steps` clocks evenly in the logarithm and as many evenly in time, up to the largest that the control lets the
   policy reach in the walk. The caller clears *out. */
bool survey_take(struct cell *cell, int steps, struct survey *out, struct tm_error *error);
void survey_clear(struct survey *survey);

/* Where refinement ends: neighbours this close are one clock. A hundredth of the 1e-6 s that is promised. */
#define SURVEY_RESOLUTION INT64_C(10)

/* A yes-or-no question about a clock. */
typedef bool survey_question(struct cell *cell, tm_ns time, const void *ctx);

/* The answer differs at *low and *high: moves both together until they are neighbours with different answers. */
void survey_bisect(struct cell *cell, survey_question *question, const void *ctx, tm_ns *low, tm_ns *high);

#endif
