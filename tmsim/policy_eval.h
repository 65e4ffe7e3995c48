/* One clock put to a policy: what `tmsim policy eval` shows, and how a pathology's witness is checked. */
#ifndef TMSIM_POLICY_EVAL_H
#define TMSIM_POLICY_EVAL_H

#include "tmsim/cell.h"

/* The state on the command line. What is not given has the value that `policy eval` documents. */
struct eval_request {
    const struct policy *policy;
    tm_ns time, inc, overhead;
    bool has_base;            /* a first move at base is played before, for the g that it leaves */
    tm_ns base;               /* without has_base: time */
    bool has_movestogo;
    int movestogo, period_moves, ply;
};

/* Opens a cell that answers this request; the state to ask about goes to *state. */
bool eval_open(const struct eval_request *request, struct cell *cell, struct clock_state *state,
               struct tm_error *error);

/* The request that leaves nothing out. */
struct eval_request eval_full(const struct clock_state *state);

/* The shortest request that gives the same raw limits as `state` gives in `cell`. */
struct eval_request eval_shortest(struct cell *cell, const struct clock_state *state);

/* "tmsim policy eval oldtm --time 1.9s --inc 0s". `spec` is the policy as the user typed it. Returns `buffer`. */
char *eval_print(const struct eval_request *request, const char *spec, char *buffer, size_t size);

#endif
