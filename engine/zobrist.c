/* splitmix64 (Steele, Lea, Flood 2014) from a fixed seed. */
#include "engine/zobrist.h"

#include <pthread.h>

struct zobrist_tables zobrist;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void fill(void)
{
    uint64_t state = UINT64_C(0x5a4549544e4f54); /* "ZEITNOT" */
    for (int piece = 0; piece < NO_PIECE; piece++)
        for (int square = 0; square < 64; square++)
            zobrist.piece[piece][square] = next_random(&state);
    for (int rights = 1; rights < 16; rights++)
        zobrist.castling[rights] = next_random(&state);
    for (int file = 0; file < 8; file++)
        zobrist.ep_file[file] = next_random(&state);
    zobrist.black_to_move = next_random(&state);
}

void zobrist_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
