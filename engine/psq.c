#include "engine/psq.h"

#include <pthread.h>

score_pair psq_value[NO_PIECE][64];
const int8_t psq_phase[PIECE_TYPES] = { 0, 1, 1, 2, 4, 0 };
const int16_t psq_material[PIECE_TYPES] = { 100, 320, 330, 500, 950, 0 }; /* guess */

int psq_half_square(int square)
{
    int file = square_file(square);
    return square_rank(square) * 4 + (file < 4 ? file : 7 - file);
}

void psq_fill(void)
{
    const score_pair *squares[PIECE_TYPES] = { weights.pawn_squares, weights.knight_squares, weights.bishop_squares,
                                               weights.rook_squares, weights.queen_squares, weights.king_squares };
    for (int type = PAWN; type < PIECE_TYPES; type++)
        for (int square = 0; square < 64; square++) {
            score_pair value = squares[type][psq_half_square(square)] + (type < KING ? weights.material[type] : 0);
            psq_value[piece_new(type, WHITE)][square] = value;
            psq_value[piece_new(type, BLACK)][square ^ 56] = -value;
        }
}

void psq_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, psq_fill);
}
