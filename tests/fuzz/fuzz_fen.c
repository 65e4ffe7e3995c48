/* FEN: what is accepted has legal moves that can be made and taken back, and prints as a FEN of the same position. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void play_each(struct position *p)
{
    move_t moves[MOVES_MAX];
    const int count = position_legal_moves(p, moves);
    for (int i = 0; i < count; i++) {
        struct undo undo;
        const uint64_t key = p->key;
        char text[MOVE_TEXT_SIZE];
        if (move_parse(p, move_print(text, moves[i])) != moves[i])
            abort();
        position_make(p, moves[i], &undo);
        if (p->key != position_key_slow(p))
            abort();
        position_unmake(p, moves[i], &undo);
        if (p->key != key)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), printed[FEN_SIZE];
    struct position p, again;
    struct tm_error error;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (position_parse(&p, text, &error)) {
        if (!position_parse(&again, position_print(printed, &p), &error) || again.key != p.key)
            abort();
        play_each(&p);
    }
    free(text);
    return 0;
}
