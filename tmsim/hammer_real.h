/* The hammer on a real clock: who plays, and whether the machine was quiet enough for its verdict. */
#ifndef TMSIM_HAMMER_REAL_H
#define TMSIM_HAMMER_REAL_H

#include "tmsim/hammer.h"

/* `zeitnot` beside this program, or in ../engine of a build tree, or "zeitnot" in PATH. Returns `buffer`. */
char *hammer_real_engine(char *buffer, size_t size);

/* The built-in engine on a real clock with a policy in its option Policy, `spec` as a user types it. The rest of *request
   holds. NULL and `error`; freed by arm_free. */
struct arm *hammer_real_arm(const struct policy *policy, const char *spec, const struct arm_request *request,
                            struct tm_error *error);

/* The quantiles of the runner's lag over the moves of the verdict's games, and the flags that it explains. */
bool hammer_real_read(struct store *store, struct hammer_verdict *verdict, struct tm_error *error);

/* Turns the outcome into VOID where the machine, and not the player, may be to blame. */
void hammer_real_judge(struct hammer_verdict *verdict);

#endif
