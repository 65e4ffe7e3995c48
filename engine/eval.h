/* Static evaluation: material and squares, pawns, mobility, king safety. Integers only. */
#ifndef ENGINE_EVAL_H
#define ENGINE_EVAL_H

#include "engine/psq.h"

enum { EVAL_PAWN_SLOTS = 2048, EVAL_LIMIT = 20000, EVAL_NONE = INT16_MIN /* no value: in check */ };

/* What depends on pawns alone, and on where the kings are. A pure function of these, so it may outlive games. */
struct eval_pawns {
    uint64_t key;
    bitboard passed;      /* of both sides */
    score_pair structure; /* White minus Black, without kings */
    score_pair score;     /* with their shelter */
    int32_t kings;        /* both squares; 0: an empty slot */
};

/* Centipawns for the side to move, within +-EVAL_LIMIT. `pawns` has EVAL_PAWN_SLOTS entries, zero at first. */
int eval_position(const struct position *p, struct eval_pawns *pawns);

#endif
