/* Standard algebraic notation, both ways: examples of the PGN standard's rules, and every legal move of odd positions. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/san.h"

static struct position at(const char *fen)
{
    struct position p;
    struct tm_error error = { 0 };
    cr_assert(position_parse(&p, fen, &error), "%s", error.message);
    return p;
}

Test(san, moves_are_written_as_the_standard_says)
{
    static const struct { const char *fen, *uci, *san; } rows[] = {
        { FEN_START, "g1f3", "Nf3" },
        { FEN_START, "e2e4", "e4" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O" },
        { "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+" },
        { "4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1", "g1f3", "Nf3" },
        { "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "f3d2", "Nfd2" },
        { "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b5a3", "N5a3" },
        { "6k1/8/8/8/Q6Q/8/8/Q3K3 w - - 0 1", "a4d1", "Q4d1" },
        { "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1" },
        { "8/1P5k/8/8/8/8/8/K7 w - - 0 1", "b7b8q", "b8=Q" },
        { "r6k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7a8n", "bxa8=N" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6" },
        { "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#" },
        { "4k3/8/8/8/4r3/4R3/8/4KR2 w - - 0 1", "f1f3", "Rf3" }, /* the other rook is not pinned off: it cannot reach */
        { "4k3/4r3/8/8/8/4N3/8/1N2K3 w - - 0 1", "b1c3", "Nc3" },
        { "4k3/4r3/8/8/2N5/4N3/8/4K3 w - - 0 1", "c4d2", "Nd2" }, /* the knight on e3 is pinned */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p = at(rows[i].fen);
        char san[SAN_SIZE];
        const move_t move = move_parse(&p, rows[i].uci);
        cr_assert(move, "%s is not legal in %s", rows[i].uci, rows[i].fen);
        cr_expect_str_eq(san_print(san, &p, move), rows[i].san, "%s: %s", rows[i].fen, san);
    }
}

Test(san, every_move_is_read_back)
{
    static const char *const fens[] = {
        FEN_START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "8/8/8/3pP3/8/8/1K4k1/8 w - d6 0 1", "QQ6/Q7/7k/8/8/8/8/K7 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct position p = at(fens[i]);
        move_t moves[MOVES_MAX];
        const int count = position_legal_moves(&p, moves);
        for (int k = 0; k < count; k++) {
            char san[SAN_SIZE], uci[MOVE_TEXT_SIZE];
            san_print(san, &p, moves[k]);
            move_print(uci, moves[k]);
            cr_expect_eq(san_parse(&p, san, strlen(san)), moves[k], "%s in %s", san, fens[i]);
            cr_expect_eq(san_parse(&p, uci, strlen(uci)), moves[k], "%s in %s", uci, fens[i]);
        }
    }
}

Test(san, moves_as_found_in_the_wild)
{
    static const struct { const char *fen, *text, *uci; } rows[] = {
        { FEN_START, "Ng1f3!?", "g1f3" },
        { FEN_START, "e2-e4", "e2e4" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", "e1c1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o", "e1g1" },
        { "8/1P5k/8/8/8/8/8/K7 w - - 0 1", "b8Q", "b7b8q" },
        { "8/1P5k/8/8/8/8/8/K7 w - - 0 1", "b7b8b", "b7b8b" },
        { "4k3/8/8/8/8/2p5/1B6/4K3 w - - 0 1", "Bc3:", "b2c3" },
        { "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "Na3", "" }, /* either knight */
        { "8/1P5k/8/8/8/8/8/K7 w - - 0 1", "b8", "" },
        { FEN_START, "e5", "" },
        { FEN_START, "", "" },
        { FEN_START, "N", "" },
        { FEN_START, "Nf3Nf3Nf3Nf3Nf3Nf3", "" },
        { FEN_START, "--", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p = at(rows[i].fen);
        char uci[MOVE_TEXT_SIZE] = "";
        const move_t move = san_parse(&p, rows[i].text, strlen(rows[i].text));
        if (move)
            move_print(uci, move);
        cr_expect_str_eq(uci, rows[i].uci, "%s in %s: %s", rows[i].text, rows[i].fen, uci);
    }
}
