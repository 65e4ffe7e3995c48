/* Pictures of policies, drawn by gnuplot. */
#ifndef TMSIM_POLICY_PLOT_H
#define TMSIM_POLICY_PLOT_H

#include "tmsim/cell.h"

enum plot_subject { PLOT_BUDGET, PLOT_WALK };

struct plot {
    enum plot_subject subject;
    bool logarithmic;        /* both axes of a budget */
    const char *out;         /* FILE.svg or FILE.png; NULL: text to standard output */
    int count;
    const struct cell_setup *setup; /* one for each policy */
    const char *const *label;
};

/* Budget against clock (hard, soft as it is read, knees marked), or clock and spend of a walk. False: gnuplot is
   missing or failed, or a policy faults at the start. */
bool plot_draw(const struct plot *plot, struct tm_error *error);

#endif
