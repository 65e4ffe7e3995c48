/* Static evaluation: material and squares, pawns, mobility, king safety. Integers only. */
#ifndef ENGINE_EVAL_H
#define ENGINE_EVAL_H

#include "engine/psq.h"

enum { EVAL_PAWN_SLOTS = 4096, EVAL_LIMIT = 20000, EVAL_NONE = INT16_MIN /* no value: in check */ };

/* What depends on pawns alone. A pure function of the key, so it may outlive games. */
struct eval_pawns {
    uint64_t key;
    score_pair score;  /* White minus Black */
    int32_t filled;
    bitboard passed;   /* of both sides */
};

/* Centipawns for the side to move, within +-EVAL_LIMIT. `pawns` has EVAL_PAWN_SLOTS entries, zero at first. */
int eval_position(const struct position *p, struct eval_pawns *pawns);

#endif
