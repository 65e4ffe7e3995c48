/* The part of a node rate that no profile explains, drawn by game and by move. */
#ifndef TMSIM_RATE_NOISE_H
#define TMSIM_RATE_NOISE_H

#include "profiles/profile.h"

/* Relative standard deviations. What differs from move to move averages out over a game, what differs from game to game
   does not: a flag hangs on the second. */
struct rate_noise {
    double game, move;
};

enum { RATE_NOISE_TEXT = 80 };

/* "residual": as the profile was measured; "game=0.05,move=0.1": as given, each from 0 to 1. `what` names it in messages.
   False and `error` (TM_INPUT), also where a profile does not split its residual. */
bool rate_noise_parse(const char *what, const char *text, const struct profile *profile, struct rate_noise *out,
                      struct tm_error *error);

/* Canonical, read again by rate_noise_parse; "" for none. Returns `buffer`. */
char *rate_noise_print(char buffer[static RATE_NOISE_TEXT], const struct rate_noise *noise);

/* The factor on the rate at an own move: log-normal with mean 1, the same for both sides and legs. */
double rate_noise_factor(const struct rate_noise *noise, uint64_t seed, int64_t pair, int64_t move);

#endif
