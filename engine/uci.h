/* The UCI server. */
#ifndef ENGINE_UCI_H
#define ENGINE_UCI_H

#include <stdbool.h>
#include <stdio.h>

#include "vclock/error.h"

/* Answers UCI commands from `in` on `out` until `quit` or the end of the input. At the end of the input a
   search with a limit is finished first, `quit` stops it. False and `error` if it could not start. */
bool uci_run(FILE *in, FILE *out, struct tm_error *error);

#endif
