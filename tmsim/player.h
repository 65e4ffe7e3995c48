/* Players: policies as a match seats them. */
#ifndef TMSIM_PLAYER_H
#define TMSIM_PLAYER_H

#include "vclock/policy.h"

/* As policy_load, but the spec may have `tc=CONTROL` among its parameters, "pool:tc=1:30+1:moves=30": the control that
   this player has, whatever the match says. The control reaches to the next `:NAME=`. The caller frees *out. */
bool player_load(const char *spec, const char *directory, struct policy **out, struct tm_error *error);

/* A player as a store keeps it: the text of its file, its name and its label ("pool:moves=30:tc=20+0.2"). The caller
   frees *out. */
bool player_load_stored(const char *name, const char *label, const char *text, struct policy **out, struct tm_error *error);

/* The control that a player has in a match at `tc`. */
const struct tc *player_tc(const struct policy *player, const struct tc *tc);

#endif
