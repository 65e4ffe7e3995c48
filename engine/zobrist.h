/* Random numbers that make up a position's key: from a literal seed, the same on every machine. */
#ifndef ENGINE_ZOBRIST_H
#define ENGINE_ZOBRIST_H

#include "engine/position.h"

struct zobrist_tables {
    uint64_t piece[NO_PIECE][64], castling[16], ep_file[8], black_to_move;
};

extern struct zobrist_tables zobrist; /* constant after zobrist_init */

void zobrist_init(void);

/* The key after the move, but for rights, en passant, castling and promotion: good enough to fetch memory. */
static inline uint64_t zobrist_guess_after(const struct position *p, move_t move)
{
    int from = move_from(move), to = move_to(move), piece = p->board[from], captured = p->board[to];
    uint64_t key = p->key ^ zobrist.black_to_move ^ zobrist.piece[piece][from] ^ zobrist.piece[piece][to];
    return captured == NO_PIECE ? key : key ^ zobrist.piece[captured][to];
}

#endif
