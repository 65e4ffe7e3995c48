/* A look at a policy's text before Lua sees it. */
#ifndef VCLOCK_POLICY_SCAN_H
#define VCLOCK_POLICY_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "vclock/error.h"

/* Refuses what Lua would accept and a policy must not use: `^` (not correctly rounded), `...` and `_ENV`.
   The message names chunk and line. */
bool policy_scan(const char *chunk, const char *text, size_t size, struct tm_error *error);

#endif
