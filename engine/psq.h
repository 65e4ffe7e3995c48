/* Material and piece-square values by square and colour, from the weights. */
#ifndef ENGINE_PSQ_H
#define ENGINE_PSQ_H

#include "engine/position.h"
#include "engine/weights.h"

/* [piece][square], White's view: negative for Black's men. Built by psq_init. */
extern score_pair psq_value[NO_PIECE][64];

/* Share of each type in the game phase: 24 for all pieces of both sides. */
extern const int8_t psq_phase[PIECE_TYPES];

/* Middle game values in centipawns, for exchanges and pruning. */
extern const int16_t psq_material[PIECE_TYPES];

/* Index of White's `square` in a half board of weights. */
int psq_half_square(int square);

/* Fills psq_value the first time. */
void psq_init(void);

/* Fills psq_value from the weights as they are now: for the tuner, which changes them. */
void psq_fill(void);

#endif
