/* Budgets asked of a running engine: the grid of clocks, sent as `go wtime …`. */
#ifndef TMSIM_POLICY_LIVE_H
#define TMSIM_POLICY_LIVE_H

#include <jansson.h>

#include "engine/client.h"

/* The line that the engine has to print once per timed move: `info string tm soft 412 hard 1650`, in ms (decimals are
   welcome; `none`: no limit). Each state begins a new game, so that nothing remembered from others enters. `asked` is
   called after each state, or NULL. *rows are in the form of vectors_load; the caller drops them. False: the engine
   failed (TM_ENGINE_FAILED), or prints no such line (TM_INPUT). */
bool policy_live_rows(const struct client_spec *engine, void (*asked)(void *ctx, int done, int total), void *ctx,
                      json_t **rows, struct tm_error *error);

/* Finds that line in the text of a search; limits in seconds, INFINITY for none. False: it is not there, or is no such
   line. Its last occurrence counts. */
bool policy_live_parse(const char *transcript, double *soft_s, double *hard_s);

#endif
