/* The foreign engines of one worker: each is started when first needed and kept. */
#ifndef TMSIM_DRIVERS_H
#define TMSIM_DRIVERS_H

#include "tmsim/match.h"

struct drivers_entry;

/* Starts as { 0 }; ended by drivers_clear. */
struct drivers {
    struct drivers_entry *entry;
    int count;
};

/* The driver of `arm` for player 0 or 1: an arm that plays itself needs two. False and `error`: it cannot be started. */
bool drivers_get(struct drivers *drivers, const struct arm *arm, int player, struct driver **out, struct tm_error *error);
void drivers_clear(struct drivers *drivers);

/* Gives the engine of a game a transcript, RUN-PAIRING-PAIR-LEG-COLOUR.log in the job's directory, if it has one. */
bool drivers_open_log(const struct match_job *job, int colour, struct driver *driver, FILE **log, struct tm_error *error);

/* Ends it; NULLs are allowed. */
void drivers_close_log(struct driver *driver, FILE *log);

#endif
