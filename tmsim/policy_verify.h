/* Budgets recorded elsewhere, held against a policy: how a user proves that a file mirrors an engine. */
#ifndef TMSIM_POLICY_VERIFY_H
#define TMSIM_POLICY_VERIFY_H

#include <jansson.h>

#include "vclock/policy.h"

/* Reads the rows of a file: JSON ({"vectors": [{"policy", "inputs": {"time_s", "inc_s", "movestogo", "ply",
   "overhead_s", "state"}, "soft_s", "hard_s"}]}), or CSV whose heading names time_s, soft_s, hard_s and, where they
   matter, policy, inc_s, movestogo, ply, overhead_s and state.KEY. The caller drops *rows. False: TM_INPUT. */
bool vectors_load(const char *path, json_t **rows, struct tm_error *error);

enum { VERIFY_SHOWN = 10 };

struct verify_result {
    int rows;        /* of this policy in the file */
    int agreeing;
    double largest;  /* seconds; infinite if a limit is missing on one side */
    int shown;       /* the first disagreements, a sentence each */
    char disagreement[VERIFY_SHOWN][400];
};

/* Compares the floored limits of each row whose "policy" is `name` (or "sunfish_" and `name`; or absent). `spec` is
   the policy for policy_load, with its parameters; a row's overhead_s sets the parameter `overhead`, where there is
   one. `tolerance` in seconds. False: TM_INPUT, a row that cannot be understood, or a file without such rows. */
bool policy_verify(const char *spec, const char *directory, const json_t *rows, double tolerance,
                   struct verify_result *out, struct tm_error *error);

#endif
