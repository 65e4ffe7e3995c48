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

/* Captures (en passant included) and all promotions; then everything else. They append from `moves` on and
   return the end. Castling comes with the quiet moves. */
move_t *movegen_noisy(const struct position *p, const struct movegen *gen, move_t *moves);
move_t *movegen_quiet(const struct position *p, const struct movegen *gen, move_t *moves);

/* Is any 16-bit code a legal move here? */
bool movegen_is_legal(const struct position *p, const struct movegen *gen, move_t move);

#endif
