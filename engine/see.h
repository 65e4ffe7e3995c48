/* Static exchange evaluation. */
#ifndef ENGINE_SEE_H
#define ENGINE_SEE_H

#include "engine/position.h"

/* Does the move, followed by the best captures of both sides on its square, win at least `threshold`
   centipawns (psq_material)? Pins are ignored. Castling counts 0. */
bool see_at_least(const struct position *p, move_t move, int threshold);

#endif
