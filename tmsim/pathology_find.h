/* What the finders of pathologies share; nobody else includes this. */
#ifndef TMSIM_PATHOLOGY_FIND_H
#define TMSIM_PATHOLOGY_FIND_H

#include "tmsim/pathologies.h"

/* A finder adds what it finds of one kind; `severity` is the row's, which it may change. */
struct finder {
    const struct findings *in;
    struct pathologies *out;
    enum pathology_kind kind;
    enum severity severity;
};

/* Adds one with the finder's kind and severity and a sentence; NULL if there is no room. */
struct pathology *finder_add(struct finder *finder, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the interval, and as witness the evaluation of a clock inside it. */
void finder_interval(struct finder *finder, struct pathology *pathology, tm_ns from, tm_ns to, tm_ns example);

/* As witness the evaluation of a state. */
void finder_witness(struct finder *finder, struct pathology *pathology, const struct clock_state *state);

/* As witness the cell itself, at some overhead. */
void finder_cell_witness(struct finder *finder, struct pathology *pathology, tm_ns overhead);

/* A clock to three decimals, in one of a few buffers that take turns: up to 8 in one sentence. */
struct clock_text {
    char text[8][32];
    int next;
};
const char *clock_text(struct clock_text *texts, tm_ns time);

/* The maximal intervals of clocks in which a question about a point is answered by yes, ends refined; those from the
   lowest clock up have from = 0. By rising clock; returns how many. */
typedef bool point_question(const struct cell *cell, const struct cell_point *point);
struct interval {
    tm_ns from, to;
    tm_ns inside; /* a clock where the answer is certainly yes */
};
int finder_intervals(struct finder *finder, point_question *question, struct interval *out, int max);

/* The largest clock that the control gives for a period, to judge sizes by. */
tm_ns finder_base(const struct finder *finder);

void find_flag(struct finder *finder);
void find_non_finite(struct finder *finder);
void find_negative_cap(struct finder *finder);
void find_flag_risk(struct finder *finder);
void find_blind_run(struct finder *finder);
void find_inversion(struct finder *finder);
void find_hopeless(struct finder *finder);
void find_mixed_units(struct finder *finder);
void find_ignores_movestogo(struct finder *finder);
void find_ramp(struct finder *finder);
void find_non_monotone(struct finder *finder);
void find_jump(struct finder *finder);
void find_starved(struct finder *finder);
void find_unspent_reserve(struct finder *finder);
void find_park(struct finder *finder);
void find_drain(struct finder *finder);
void find_floor_knee(struct finder *finder);
void find_cap_binds(struct finder *finder);
void find_break_even(struct finder *finder);

#endif
