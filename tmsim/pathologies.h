/* Pathologies that arithmetic can show (design, section 9). */
#ifndef TMSIM_PATHOLOGIES_H
#define TMSIM_PATHOLOGIES_H

#include "tmsim/knees.h"
#include "tmsim/park.h"
#include "tmsim/walk.h"

enum pathology_kind {
    PATHOLOGY_FLAG, PATHOLOGY_NON_FINITE, PATHOLOGY_NEGATIVE_CAP, PATHOLOGY_FLAG_RISK, PATHOLOGY_BLIND_RUN,
    PATHOLOGY_INVERSION, PATHOLOGY_HOPELESS, PATHOLOGY_MIXED_UNITS, PATHOLOGY_IGNORES_MOVESTOGO, PATHOLOGY_RAMP,
    PATHOLOGY_NON_MONOTONE, PATHOLOGY_JUMP, PATHOLOGY_STARVED, PATHOLOGY_UNSPENT_RESERVE, PATHOLOGY_PARK,
    PATHOLOGY_DRAIN, PATHOLOGY_FLOOR_KNEE, PATHOLOGY_CAP_BINDS, PATHOLOGY_BREAK_EVEN, PATHOLOGY_KINDS
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_SEVERE };

struct pathology {
    enum pathology_kind kind;
    enum severity severity;
    bool has_interval;
    tm_ns from, to;      /* clocks where it holds; 0 as `from`: down to nothing */
    int ply;             /* where it first shows in the walk, -1: not tied to one */
    char text[420];
    char witness[640];   /* a command that reproduces it */
};

enum { PATHOLOGIES_MAX = 96 };

struct pathologies {
    int count;
    struct pathology item[PATHOLOGIES_MAX]; /* severe ones first */
};

/* What the finders look at. */
struct findings {
    struct cell *cell;
    const char *spec;    /* the policy as the user typed it, ready for a shell */
    bool brief;          /* only kinds and severities count: no break-even, and witnesses may be longer than need be */
    const struct walk *walk;
    const struct survey *survey;
    const struct knees *knees;
    const struct parks *parks;
};

const char *pathology_name(enum pathology_kind kind);   /* "negative_cap" */
const char *pathology_meaning(enum pathology_kind kind); /* what it is, a phrase */
const char *severity_name(enum severity severity);      /* "severe", "warning", "note" */

void pathologies_find(const struct findings *findings, struct pathologies *out);

#endif
