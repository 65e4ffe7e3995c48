/* Material and piece-square values, middle game and endgame packed into one integer. */
#ifndef ENGINE_PSQ_H
#define ENGINE_PSQ_H

#include "engine/position.h"

/* Two 16-bit scores that add and subtract together. */
typedef int32_t score_pair;

#define SCORE_PAIR(mg, eg) ((score_pair)((uint32_t)(eg) * 65536u + (uint32_t)(mg)))

static inline int score_mg(score_pair pair) { return (int16_t)(uint16_t)(uint32_t)pair; }
static inline int score_eg(score_pair pair) { return (int16_t)(uint16_t)(((uint32_t)pair + 0x8000u) >> 16); }

/* [piece][square], White's view: negative for Black's men. Built by psq_init. */
extern score_pair psq_value[NO_PIECE][64];

/* Share of each type in the game phase: 24 for all pieces of both sides. */
extern const int8_t psq_phase[PIECE_TYPES];

/* Middle game values in centipawns, for exchanges and pruning. */
extern const int16_t psq_material[PIECE_TYPES];

void psq_init(void);

#endif
