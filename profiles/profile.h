/* Rate profiles: how many nodes per second a modelled player searches at a position. */
#ifndef PROFILES_PROFILE_H
#define PROFILES_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "vclock/error.h"

struct profile; /* immutable, may be shared by threads */

/* Loads NAME (DIRECTORY/NAME.json) or a path (it contains '/' or ends in ".json"). The caller frees *out. */
bool profile_load(const char *spec, const char *directory, struct profile **out, struct tm_error *error);

/* The same from a text in memory; `place` names it in messages. */
bool profile_load_text(const char *place, const char *text, size_t size, struct profile **out,
                       struct tm_error *error);

void profile_free(struct profile *profile);

const char *profile_name(const struct profile *profile);
const char *profile_engine(const struct profile *profile);    /* what was measured, one line */
const char *profile_hash(const struct profile *profile);      /* XXH3-128 of the canonical JSON, 32 hex digits */
const char *profile_canonical(const struct profile *profile); /* that JSON */

/* Whole nodes/s at a position with `pieces` men, after multiplying by `scale`; at least 1. The model is evaluated
   inside the measured range of pieces only: beyond it the nearest measured end counts. */
int64_t profile_rate(const struct profile *profile, int pieces, double scale);

/* The same where the phase is known too (24: all pieces … 0); a profile without it ignores it, and profile_rate takes
   the phase that positions with so many men had when it was measured. */
int64_t profile_rate_at(const struct profile *profile, int pieces, int phase, double scale);

/* How the residual of the fit splits, as relative standard deviations: between games, and between the moves of one. False: the
   profile does not say. */
bool profile_residual(const struct profile *profile, double *game, double *move);

/* What was measured beside the rate, as sentences with line ends: residuals, the first search of a game, the overshoot past a
   wall, where and when; what the profile does not tell is left out. Returns `buffer`. */
char *profile_describe(const struct profile *profile, char *buffer, size_t size);

/* The lowest and highest rate over the measured range, nodes/s. */
void profile_range(const struct profile *profile, double scale, int64_t *lowest, int64_t *highest);

#endif
