/* A game line. All room is taken at the start, so that playing a move cannot fail. */
#include "engine/game.h"

#include <stdlib.h>
#include <string.h>

struct game {
    struct position position;
    int length;
    move_t move[GAME_MAX_PLIES];
    uint64_t key[GAME_MAX_PLIES + 1]; /* key[i]: after i plies */
};

struct game *game_new(const char *fen, struct tm_error *error)
{
    struct position start;
    if (!position_parse(&start, fen, error))
        return NULL;
    struct game *game = malloc(sizeof *game);
    if (!game) {
        error_set(error, TM_INTERNAL, "out of memory for a game");
        return NULL;
    }
    game->position = start;
    game->length = 0;
    game->key[0] = start.key;
    return game;
}

void game_free(struct game *game) { free(game); }

const struct position *game_position(const struct game *game) { return &game->position; }

int game_length(const struct game *game) { return game->length; }

move_t game_move(const struct game *game, int index) { return game->move[index]; }

void game_play_move(struct game *game, move_t move)
{
    struct undo undo;
    position_make(&game->position, move, &undo);
    game->move[game->length++] = move;
    game->key[game->length] = game->position.key;
}

int game_recent_keys(const struct game *game, uint64_t *keys, int capacity)
{
    int count = game->position.halfmove < game->length ? game->position.halfmove + 1 : game->length + 1;
    count = count < capacity ? count : capacity;
    memcpy(keys, game->key + game->length + 1 - count, (size_t)count * sizeof *keys);
    return count;
}

static bool repeated_twice(const struct game *game)
{
    int seen = 0, oldest = game->length - game->position.halfmove;
    for (int i = game->length - 4; i >= 0 && i >= oldest; i -= 2)
        seen += game->key[i] == game->position.key;
    return seen >= 2;
}

enum game_result game_result(const struct game *game)
{
    move_t moves[MOVES_MAX];
    if (!position_legal_moves(&game->position, moves))
        return position_in_check(&game->position) ? GAME_CHECKMATE : GAME_STALEMATE;
    if (position_insufficient(&game->position))
        return GAME_INSUFFICIENT;
    if (repeated_twice(game))
        return GAME_REPETITION;
    return game->position.halfmove >= 100 ? GAME_FIFTY_MOVES : GAME_ONGOING;
}

const char *game_result_name(enum game_result result)
{
    static const char *const names[] = {
        [GAME_ONGOING] = "ongoing", [GAME_CHECKMATE] = "checkmate", [GAME_STALEMATE] = "stalemate",
        [GAME_REPETITION] = "repetition", [GAME_FIFTY_MOVES] = "fifty_moves",
        [GAME_INSUFFICIENT] = "insufficient",
    };
    return names[result];
}
