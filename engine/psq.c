/* The tables are sums of a value, a term for the rank and a term for the file: few numbers, easy to judge.
   All of them are guesses from general chess knowledge, not tuned. */
#include "engine/psq.h"

#include <pthread.h>

struct psq_row {
    int16_t mg, eg;
    int16_t mg_rank[8], mg_file[4]; /* own first rank first; a- and h-file first */
    int16_t eg_rank[8], eg_file[4];
};

static const struct psq_row rows[PIECE_TYPES] = {
    [PAWN] = { 85, 105, { 0, -4, -4, 6, 14, 34, 60, 0 }, { -10, -2, 0, 8 },
               { 0, 0, 2, 8, 22, 50, 90, 0 }, { 4, 2, 0, -2 } },
    [KNIGHT] = { 330, 300, { -28, -12, 2, 10, 16, 16, 2, -30 }, { -26, -8, 4, 10 },
                 { -20, -8, 0, 6, 8, 4, -6, -20 }, { -20, -6, 4, 8 } },
    [BISHOP] = { 345, 320, { -12, 4, 6, 4, 4, 4, -4, -14 }, { -8, 2, 2, 4 },
                 { -8, -4, 0, 4, 4, 2, -2, -6 }, { -6, -2, 2, 4 } },
    [ROOK] = { 475, 540, { -4, -8, -8, -6, -2, 6, 20, 14 }, { -6, -2, 2, 8 },
               { -4, -4, -2, 2, 6, 8, 10, 8 }, { 0, 0, 0, 0 } },
    [QUEEN] = { 1000, 1000, { -6, 2, 2, 0, 0, 4, 2, 6 }, { -4, 0, 2, 2 },
                { -24, -12, 0, 12, 18, 14, 10, 4 }, { -12, 0, 6, 10 } },
    [KING] = { 0, 0, { 12, -6, -34, -54, -60, -60, -60, -60 }, { 14, 20, -6, -14 },
               { -26, -8, 4, 14, 20, 18, 8, -10 }, { -18, -4, 4, 8 } },
};

score_pair psq_value[NO_PIECE][64];
const int8_t psq_phase[PIECE_TYPES] = { 0, 1, 1, 2, 4, 0 };
const int16_t psq_material[PIECE_TYPES] = { 100, 320, 330, 500, 950, 0 }; /* guess */

static score_pair row_value(const struct psq_row *row, int square)
{
    int rank = square_rank(square), file = square_file(square);
    int from_border = file < 4 ? file : 7 - file;
    return SCORE_PAIR(row->mg + row->mg_rank[rank] + row->mg_file[from_border],
                      row->eg + row->eg_rank[rank] + row->eg_file[from_border]);
}

static void fill(void)
{
    for (int type = PAWN; type < PIECE_TYPES; type++)
        for (int square = 0; square < 64; square++) {
            score_pair value = row_value(&rows[type], square);
            psq_value[piece_new(type, WHITE)][square] = value;
            psq_value[piece_new(type, BLACK)][square ^ 56] = -value;
        }
}

void psq_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
