/* Moves as UCI text. */
#include "engine/position.h"

#include <string.h>

static const char promotion_letters[] = "nbrq";

char *move_print(char buffer[static MOVE_TEXT_SIZE], move_t move)
{
    int from = move_from(move), to = move_to(move);
    if (!move)
        return memcpy(buffer, "0000", 5);
    buffer[0] = (char)('a' + square_file(from));
    buffer[1] = (char)('1' + square_rank(from));
    buffer[2] = (char)('a' + square_file(to));
    buffer[3] = (char)('1' + square_rank(to));
    buffer[4] = '\0';
    if (move_is_promotion(move)) {
        buffer[4] = promotion_letters[move_promotion(move) - KNIGHT];
        buffer[5] = '\0';
    }
    return buffer;
}

move_t move_parse(const struct position *p, const char *text)
{
    move_t moves[MOVES_MAX];
    int count = position_legal_moves(p, moves);
    for (int i = 0; i < count; i++) {
        char printed[MOVE_TEXT_SIZE];
        if (!strcmp(text, move_print(printed, moves[i])))
            return moves[i];
    }
    return 0;
}
