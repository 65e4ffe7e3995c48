/* The source text behind a branch: which argument of which call won. */
#ifndef TMSIM_KNEE_TERM_H
#define TMSIM_KNEE_TERM_H

#include "vclock/policy.h"

/* The text of argument `argument` (from 1) of the `ordinal`-th call (from 0, in order of evaluation) of `kind` that
   begins on `line`, without "c." and "p."; "" if the text does not show it. Returns `buffer`. */
char *term_argument(const struct policy *policy, const struct policy_branch *branch, int ordinal, int argument,
                    char *buffer, size_t size);

/* The local or global that the line assigns to: "pool" for `local pool = max(0, …)`; "" for none. */
char *term_assigned(const struct policy *policy, int line, char *buffer, size_t size);

#endif
