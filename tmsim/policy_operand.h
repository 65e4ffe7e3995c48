/* Policies as commands take them: operands and --expr, with what to type for them again. */
#ifndef TMSIM_POLICY_OPERAND_H
#define TMSIM_POLICY_OPERAND_H

#include "tmsim/options.h"
#include "vclock/policy.h"

enum { OPERANDS_MAX = 256 };

struct policy_operand {
    struct policy *policy; /* owned */
    char *spec;            /* owned: "oldtm", "--expr 'soft=…'", safe for a shell */
};

struct policy_operands {
    int count;
    struct policy_operand item[OPERANDS_MAX];
};

#define OPTION_ROW_EXPR { .name = "expr", .kind = OPTION_TEXT, .argument = "FORMULA", .repeated = true, \
                          .help = "a policy in one line: 'soft=T/40+0.9*I; hard=T/4' (T clock, I increment, " \
                                  "M movestogo or 0, O overhead, ply; seconds)" }

/* "DIR/policies" of the data that is installed, or of the source tree. Returns `buffer`. */
char *policies_directory(char *buffer, size_t size);

/* Loads the operands from `first` on, then each --expr; at least one is wanted. The caller clears *out in any case. */
bool operands_load(const struct options *options, int first, struct policy_operands *out, struct tm_error *error);
void operands_clear(struct policy_operands *operands);

#endif
