/* Policies of one line: `soft=T/40+0.9*I; hard=T/4`. */
#ifndef TMSIM_EXPRESSION_H
#define TMSIM_EXPRESSION_H

#include "vclock/policy.h"

/* T is the clock, I the increment, M movestogo (0: none), O the overhead, all in seconds; ply the game ply. Other
   names may be assigned before they are used; the policies' functions are there. One of soft and hard may be left
   out and is then the other. False: TM_INPUT, with the place. The caller frees *out. */
bool expression_load(const char *text, struct policy **out, struct tm_error *error);

#endif
