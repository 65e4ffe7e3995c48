/* Random numbers that make up a position's key: from a literal seed, the same on every machine. */
#ifndef ENGINE_ZOBRIST_H
#define ENGINE_ZOBRIST_H

#include "engine/position.h"

struct zobrist_tables {
    uint64_t piece[NO_PIECE][64], castling[16], ep_file[8], black_to_move;
};

extern struct zobrist_tables zobrist; /* constant after zobrist_init */

void zobrist_init(void);

#endif
