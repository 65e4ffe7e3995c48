/* Legal moves in stages, for the search. position_legal_moves is both stages together. */
#ifndef ENGINE_MOVEGEN_H
#define ENGINE_MOVEGEN_H

#include "engine/position.h"

/* What keeps a man from moving freely; found once per node. */
struct movegen {
    bitboard pinned; /* own men that shield their king */
    bitboard rescue; /* where a man other than the king may go: all squares, or those that parry a check */
};

struct movegen movegen_begin(const struct position *p);

/* Captures of men in `victims` (en passant if it has the pawns) and all promotions; then everything else. They
   append from `moves` on and return the end. Castling comes with the quiet moves. */
move_t *movegen_noisy(const struct position *p, const struct movegen *gen, bitboard victims, move_t *moves);
move_t *movegen_quiet(const struct position *p, const struct movegen *gen, move_t *moves);

/* Is any 16-bit code a legal move here? */
bool movegen_is_legal(const struct position *p, const struct movegen *gen, move_t move);

/* From where the side to move would give check. */
struct check_squares {
    bitboard from[PIECE_TYPES]; /* squares from which a man of the type attacks the enemy king */
    bitboard uncovers;          /* own men that stand between an own slider and the enemy king */
};

struct check_squares movegen_check_squares(const struct position *p);

/* Direct checks and those uncovered by a plain move; castling, en passant and promotion by the piece that
   lands alone. */
static inline bool movegen_gives_check(const struct position *p, const struct check_squares *squares, move_t move)
{
    int from = move_from(move), to = move_to(move);
    int type = move_is_promotion(move) ? move_promotion(move) : piece_type(p->board[from]);
    return (squares->from[type] & bb_of(to))
        || ((squares->uncovers & bb_of(from)) && !(bb.line[position_king(p, !p->side)][from] & bb_of(to)));
}

#endif
