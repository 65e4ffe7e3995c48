/* Overhead models: what a move costs beyond its search. Random ones need GSL's distributions, which is why they live
   here and not in vclock; a constant one is just a number, and vclock's clock and stop rule only ever see numbers. */
#ifndef TMSIM_OVERHEAD_H
#define TMSIM_OVERHEAD_H

#include "vclock/ns.h"

/* Immutable, may be shared by threads. */
struct overhead;

/* Of one own move, nanoseconds, never negative. */
struct overhead_cost {
    tm_ns unseen; /* lag outside the search: charged, and the engine cannot react */
    tm_ns seen;   /* a stall as the search starts: it counts as elapsed, so limits are reached with fewer nodes */
};

/* Reads a sum of terms: 50ms, uniform(5ms,20ms), normal(mean=8ms,sd=2ms), lognormal(median=8ms,sigma=0.6),
   gamma(shape=2,scale=4ms), pareto(scale=5ms,alpha=2.5), empirical(FILE); spike(p=0.001,MODEL) adds its model to a
   share of the moves, burst(p=0.002,length=8,MODEL) to runs of them, seen(MODEL) makes it a stall inside the search.
   Names of arguments may be left out. `what` names the option in messages (TM_INPUT). Freed by overhead_free. */
bool overhead_parse(const char *what, const char *text, struct overhead **out, struct tm_error *error);
void overhead_free(struct overhead *model);

/* Constants alone, none of them seen: *value is their sum. */
bool overhead_is_constant(const struct overhead *model, tm_ns *value);

/* What enters a run's identity: "const:0.05s", "8ms + spike(p=0.001,300ms)"; files by the hash of their samples. */
const char *overhead_text(const struct overhead *model);

/* The cost of own move `move` (from 0) of pair `pair`: a function of its arguments, so both sides and legs share it. */
struct overhead_cost overhead_draw(const struct overhead *model, uint64_t seed, int64_t pair, int64_t move);

/* The expected unseen, or seen, part of a move, ns; infinite for a pareto tail with alpha <= 1. */
double overhead_mean(const struct overhead *model, bool seen);

/* Whether many moves must be dear together to make a game dear: constants, uniform, normal and gamma terms, seen or not. A tail
   that falls more slowly, a spike, a burst or a file can do it in a single move. */
bool overhead_is_light_tailed(const struct overhead *model);

/* The smallest cost (both parts) that at most a share 1 - p of the moves exceeds; 0 < p < 1. Exact for one random term
   and constants, else from 2^17 draws: *exact says which. */
tm_ns overhead_quantile(const struct overhead *model, double p, bool *exact);

/* "mean 9.6 ms, 1 in 1000 above 51 ms"; a constant is its own sentence. Returns `buffer`. */
char *overhead_describe(const struct overhead *model, char *buffer, size_t size);

#endif
