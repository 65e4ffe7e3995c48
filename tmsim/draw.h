/* Counter-based random numbers: a draw is a function of what it is for, never of what was drawn before, so that
   both sides and legs, all pairings and all time controls share their luck. */
#ifndef TMSIM_DRAW_H
#define TMSIM_DRAW_H

#include <stdint.h>

enum draw_purpose {
    DRAW_POLICY = 1, DRAW_OPENING, DRAW_OVERHEAD, DRAW_RATE, DRAW_BOOK, DRAW_TRACE, DRAW_SPEND, DRAW_LENGTH, DRAW_PARENT
};

/* 64 bits from (seed, pair, own move, purpose, draw number). */
uint64_t draw_bits(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, int64_t number);

/* The same as a number in [0, 1), a multiple of 2^-53. */
double draw_unit(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, int64_t number);

/* The same as a whole number in [0, bound), without bias; bound >= 1. */
uint64_t draw_below(uint64_t seed, int64_t pair, int64_t move, enum draw_purpose purpose, uint64_t bound);

#endif
