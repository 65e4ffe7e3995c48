/* "Did you mean": the nearest of a list of words. */
#ifndef VCLOCK_SUGGEST_H
#define VCLOCK_SUGGEST_H

#include <stddef.h>

/* The word of `list` that a slip of the fingers turns into `word`, or NULL if none is near.
   Near is at most one edit for every three letters of the longer word (guess), and at least one; ties go to the first. */
const char *suggest_nearest(const char *word, const char *const *list, size_t count);

/* Writes "; did you mean NEAREST?" or, with nothing near, "" into `buffer` and returns it. */
const char *suggest_text(char *buffer, size_t size, const char *word, const char *const *list, size_t count);

#endif
