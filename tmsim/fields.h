/* Option values that are lists of fields: "file=b.epd,order=random", as the match runners write them. */
#ifndef TMSIM_FIELDS_H
#define TMSIM_FIELDS_H

#include <stdint.h>

#include "vclock/error.h"

enum { FIELD_KEY_SIZE = 32, FIELD_VALUE_SIZE = 4096 };

struct field {
    char key[FIELD_KEY_SIZE], value[FIELD_VALUE_SIZE]; /* value "" if there is no '=' */
};

/* Takes a field off the front of the list at *at. False at its end. Longer keys and values are cut. */
bool fields_next(const char **at, struct field *field);

/* A field that stands for a number; `what` is the option, "--sprt". */
struct field_number {
    const char *key;
    double *real;    /* or … */
    int *whole;      /* … one of them */
    double low, high; /* inclusive */
};

/* Puts the value where the row of its key says. *known is false if no row has the key. False and `error` (TM_INPUT)
   for a value that is no number or out of range. */
bool fields_read_number(const char *what, const struct field *field, const struct field_number *row, int count,
                        bool *known, struct tm_error *error);

#endif
