#include <criterion/criterion.h>
#include <string.h>

#include "engine/game.h"

static struct game *start(const char *fen)
{
    struct tm_error error;
    struct game *game = game_new(fen, &error);
    cr_assert(game, "%s: %s", fen, error.message);
    return game;
}

/* Plays blank-separated moves. */
static void play(struct game *game, const char *line)
{
    while (*line) {
        char text[8] = "";
        size_t length = strcspn(line, " ");
        cr_assert(length < sizeof text);
        memcpy(text, line, length);
        move_t move = move_parse(game_position(game), text);
        cr_assert(move, "%s is illegal", text);
        game_play_move(game, move);
        line += length + (line[length] == ' ');
    }
}

Test(engine_game, results)
{
    static const struct {
        const char *fen, *line;
        enum game_result result;
    } rows[] = {
        { FEN_START, "", GAME_ONGOING },
        { FEN_START, "f2f3 e7e5 g2g4 d8h4", GAME_CHECKMATE },
        { "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", GAME_STALEMATE },
        { "7k/7P/6K1/8/3B4/8/8/8 b - - 0 1", "", GAME_CHECKMATE },
        { FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", GAME_ONGOING },
        { FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", GAME_REPETITION },
        /* the first time Black could capture en passant, so it was another position */
        { "4k2r/8/8/8/3p4/8/4P3/4K2R w - - 0 1",
          "e2e4 h8g8 h1g1 g8h8 g1h1 h8g8 h1g1 g8h8 g1h1", GAME_ONGOING },
        { "4k2r/8/8/8/3p4/8/4P3/4K2R w - - 0 1",
          "e2e4 h8g8 h1g1 g8h8 g1h1 h8g8 h1g1 g8h8 g1h1 h8g8", GAME_REPETITION },
        /* the capture would expose the king: the same position from the start */
        { "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
          "e2e4 a4b4 h4g4 b4a4 g4h4 a4b4 h4g4 b4a4 g4h4", GAME_REPETITION },
        /* rights lost between: not the same */
        { "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8", GAME_ONGOING },
        { "4k3/8/8/8/8/8/8/4K2R w - - 98 80", "h1h2", GAME_ONGOING },
        { "4k3/8/8/8/8/8/8/4K2R w - - 98 80", "h1h2 e8d8", GAME_FIFTY_MOVES },
        { "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", GAME_CHECKMATE }, /* mate comes first */
        { "4k3/8/8/8/8/8/8/4K2R w K - 99 80", "e1g1", GAME_FIFTY_MOVES },
        { "4k3/8/8/8/8/8/3p4/4K3 w - - 99 80", "e1d2", GAME_INSUFFICIENT },
        { "4k3/8/8/8/8/8/P7/4K3 w - - 99 80", "a2a3", GAME_ONGOING }, /* a pawn move starts anew */
        { "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "", GAME_INSUFFICIENT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game *game = start(rows[i].fen);
        play(game, rows[i].line);
        cr_expect_eq(game_result(game), rows[i].result, "row %zu %s %s: %s", i, rows[i].fen, rows[i].line,
                     game_result_name(game_result(game)));
        game_free(game);
    }
}

Test(engine_game, remembers_its_line)
{
    struct game *game = start(FEN_START);
    char text[MOVE_TEXT_SIZE], fen[FEN_SIZE];
    play(game, "e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 b5d7 b8d7 e1g1");
    cr_expect_eq(game_length(game), 9);
    cr_expect_str_eq(move_print(text, game_move(game, 8)), "e1g1");
    cr_expect_str_eq(position_print(fen, game_position(game)),
                     "r2qkbnr/pp1npppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 5");
    cr_expect_eq(position_ply(game_position(game)), 9);
    game_free(game);
}

Test(engine_game, recent_keys_end_at_the_last_irreversible_move)
{
    struct game *game = start(FEN_START);
    uint64_t keys[8];
    play(game, "e2e4 e7e5 g1f3 b8c6 f1c4");
    cr_expect_eq(game_recent_keys(game, keys, 8), 4); /* after e7e5 and three more */
    cr_expect_eq(keys[3], game_position(game)->key);
    cr_expect_eq(game_recent_keys(game, keys, 2), 2);
    cr_expect_eq(keys[1], game_position(game)->key);
    game_free(game);
}

Test(engine_game, bad_fen_is_refused)
{
    struct tm_error error;
    cr_expect_null(game_new("nonsense", &error));
    cr_expect_eq(error.code, TM_INPUT);
}
