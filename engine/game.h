/* A game line: a position with its history, its legal moves and its result by the rules. */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include "engine/position.h"

enum game_result {
    GAME_ONGOING, GAME_CHECKMATE, GAME_STALEMATE, GAME_REPETITION, GAME_FIFTY_MOVES, GAME_INSUFFICIENT
};

struct game; /* start position, moves, keys */

/* Starts from FEN or 4-field EPD. NULL and `error` (TM_INPUT) for an illegal position. */
struct game *game_new(const char *fen, struct tm_error *error);
void game_free(struct game *game);

const struct position *game_position(const struct game *game);
int game_length(const struct game *game);             /* plies played since the start position */
move_t game_move(const struct game *game, int index);

/* By the 50-move rule no game lasts longer (5898.5 moves); a caller that ignores results must stop here. */
enum { GAME_MAX_PLIES = 12000 };

/* The move must be legal and game_length below GAME_MAX_PLIES. */
void game_play_move(struct game *game, move_t move);

/* Keys of the positions since the last irreversible move, oldest first, the current one last; at most
   `capacity`, the newest. Returns their number. */
int game_recent_keys(const struct game *game, uint64_t *keys, int capacity);

/* Mate and stalemate, threefold repetition, 100 plies without progress, insufficient material. */
enum game_result game_result(const struct game *game);
const char *game_result_name(enum game_result result); /* "checkmate", … */

#endif
