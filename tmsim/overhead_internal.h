/* What parsing and drawing of overhead models share. */
#ifndef TMSIM_OVERHEAD_INTERNAL_H
#define TMSIM_OVERHEAD_INTERNAL_H

#include "tmsim/overhead.h"

enum overhead_kind {
    OVERHEAD_CONSTANT, OVERHEAD_UNIFORM, OVERHEAD_NORMAL, OVERHEAD_LOGNORMAL, OVERHEAD_GAMMA, OVERHEAD_PARETO,
    OVERHEAD_EMPIRICAL, OVERHEAD_SPIKE, OVERHEAD_BURST, OVERHEAD_SEEN, OVERHEAD_KINDS
};

enum { OVERHEAD_MAX_TERMS = 32, OVERHEAD_MAX_LENGTH = 1000, OVERHEAD_TEXT_SIZE = 1024, OVERHEAD_SAMPLES = 1000000 };

/* Terms of a sum are linked by `next`, those of a nested model hang at `inner`; indices, -1: none. */
struct overhead_term {
    enum overhead_kind kind;
    double value[2]; /* the arguments in the order of the grammar; durations in ns */
    int inner, next;
    int number;      /* of its draw within the move */
};

struct overhead {
    struct overhead_term term[OVERHEAD_MAX_TERMS];
    int count, first;
    tm_ns *sample;   /* of the one empirical term, sorted */
    int sample_count;
    char text[OVERHEAD_TEXT_SIZE];
};

/* A kind as the grammar writes it. */
struct overhead_form {
    const char *name;                         /* NULL: a bare duration */
    struct { const char *name; bool duration; double low, high; } argument[2];
    int arguments;
    bool nested;                              /* a model follows the arguments */
};
extern const struct overhead_form overhead_forms[OVERHEAD_KINDS];

/* Reads the samples of empirical(FILE), one duration a line, # begins a comment; `hash` gets 32 hex digits. */
bool overhead_read_samples(struct overhead *model, const char *path, char hash[33], struct tm_error *error);

#endif
