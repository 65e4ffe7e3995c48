/* The names of the policies in a directory: every NAME.lua is one. */
#ifndef VCLOCK_POLICY_NAMES_H
#define VCLOCK_POLICY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "vclock/error.h"

/* The names in alphabetical order; *out and its names are freed by policy_names_free. */
bool policy_names(const char *directory, char ***out, size_t *count, struct tm_error *error);
void policy_names_free(char **names, size_t count);

/* Whether `name` is one of them. False: an error that suggests the nearest, or lists what there is. */
bool policy_name_exists(const char *name, const char *directory, struct tm_error *error);

#endif
