#include <criterion/criterion.h>
#include <string.h>

#include "engine/psq.h"
#include "engine/position.h"

Test(position, refuses_bad_fen_naming_field_found_and_expected)
{
    static const struct {
        const char *fen, *message; /* a part of it */
    } rows[] = {
        { "", "FEN board" },
        { "8/8/8/8 w - - 0 1", "fewer than 8 ranks" },
        { "8/8/8/8/8/8/8/k6K/8 w - - 0 1", "more than 8 ranks" },
        { "9/8/8/8/8/8/8/k6K w - - 0 1", "found '9' in rank 8" },
        { "k7/8/8/8/8/8/8/7X w - - 0 1", "found 'X' in rank 1" },
        { "k7/8/8/8/8/44/8/7K w - - 0 1", "no two digits in a row" },
        { "k7/8/8/8/8/7/8/7K w - - 0 1", "7 squares, expected 8" },
        { "k8/8/8/8/8/8/8/7K w - - 0 1", "more than 8 squares" },
        { "8/8/8/8/8/8/8/7K w - - 0 1", "found 0 kings for Black" },
        { "k7/8/8/8/8/8/8/8 w - - 0 1", "found 0 kings for White" },
        { "k7/8/8/8/8/8/K7/7K w - - 0 1", "found 2 kings for White" },
        { "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "found 9 pawns for Black" },
        { "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "1 promoted pieces and 8 pawns for White" },
        { "4k3/8/8/8/NNNNNNNN/NNN5/8/4K3 w - - 0 1", "9 promoted pieces and 0 pawns" },
        { "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "found a pawn on a8" },
        { "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "found a pawn on a1" },
        { "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: found 'x'" },
        { "4k3/8/8/8/8/8/8/4K3", "side to move: found ''" },
        { "4k3/8/8/8/8/8/8/4K2R w - - - -", "halfmove counter: found '-'" },
        { "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling: found 'KK'" },
        { "4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", "castling: found 'Kx'" },
        { "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling: found 'Q', expected its king on e1 and its rook on a1" },
        { "4k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", "castling: found 'q', expected its king on e8 and its rook on a8" },
        { "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "castling: found 'K'" },
        { "4k3/8/8/8/8/8/8/4K3 w", "castling: found nothing" },
        { "4k3/8/8/8/8/8/8/4K3 w -", "en passant: found ''" },
        { "4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant: found 'e4', expected '-' or a square on rank 6" },
        { "4k3/8/8/8/4P3/8/8/4K3 b - e6 0 1", "expected '-' or a square on rank 3" },
        { "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant: found 'e6', expected a pawn" },
        { "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "empty squares behind" },
        { "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "White is in check" },
        { "4k3/8/8/8/4r3/2n3n1/8/r3K2r w - - 0 1", "3 men giving check" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 151 90", "halfmove counter: found '151', expected a number from 0 to 150" },
        { "4k3/8/8/8/8/8/8/4K3 w - - -1 90", "halfmove counter: found '-1'" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fullmove counter: found '0'" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 10000", "fullmove counter: found '10000'" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "fullmove counter" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0", "fullmove counter: found ''" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "found 'x' after the sixth field" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        struct tm_error error = { .code = TM_OK };
        cr_expect_not(position_parse(&p, rows[i].fen, &error), "accepted: %s", rows[i].fen);
        cr_expect_eq(error.code, TM_INPUT, "%s", rows[i].fen);
        cr_expect(strstr(error.message, rows[i].message), "%s: '%s' lacks '%s'", rows[i].fen, error.message,
                  rows[i].message);
    }
}

Test(position, prints_what_it_read)
{
    static const char *const rows[][2] = {
        { FEN_START, FEN_START },
        { "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34" },
        { "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
          "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3" },
        /* nobody can capture: the square says nothing */
        { "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" },
        /* the capturing pawn is pinned */
        { "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/8/8/K2pP2r/8/8/8/7k w - - 0 1" },
        { "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
        { "  4k3/8/8/8/8/8/8/4K3\tb  - - 7 9 \r\n", "4k3/8/8/8/8/8/8/4K3 b - - 7 9" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        struct tm_error error;
        char text[FEN_SIZE];
        cr_assert(position_parse(&p, rows[i][0], &error), "%s: %s", rows[i][0], error.message);
        cr_expect_str_eq(position_print(text, &p), rows[i][1]);
    }
}

Test(position, epd_leaves_its_operations)
{
    struct position p;
    const char *operations;
    cr_assert(position_parse_epd(&p, "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";", &operations, NULL));
    cr_expect_str_eq(operations, "bm O-O; id \"x\";");
    cr_expect_eq(position_ply(&p), 0);
    cr_expect_not(position_parse(&p, "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";", NULL));
}

Test(position, ply_men_and_phase)
{
    static const struct {
        const char *fen;
        int ply, men, phase;
    } rows[] = {
        { FEN_START, 0, 32, 24 },
        { "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 1, 32, 24 },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 0, 32, 24 },
        { "4k3/8/8/8/8/8/8/4K2R w - - 0 41", 80, 3, 2 },
        { "4k3/pppppppp/8/8/8/8/8/R2QK2R b - - 0 41", 81, 13, 8 },
        { "k7/8/2QQQQQQ/2QQQ3/8/8/8/4K3 b - - 0 1", 1, 11, 24 }, /* 36 by count */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        struct tm_error error;
        cr_assert(position_parse(&p, rows[i].fen, &error), "%s: %s", rows[i].fen, error.message);
        cr_expect_eq(position_ply(&p), rows[i].ply, "%s: ply %d", rows[i].fen, position_ply(&p));
        cr_expect_eq(position_men(&p), rows[i].men, "%s: men %d", rows[i].fen, position_men(&p));
        cr_expect_eq(position_phase(&p), rows[i].phase, "%s: phase %d", rows[i].fen, position_phase(&p));
    }
}

/* Play the text moves from the start; an assertion names the first illegal one. */
static void play(struct position *p, const char *const *moves, int count)
{
    for (int i = 0; i < count; i++) {
        move_t move = move_parse(p, moves[i]);
        struct undo undo;
        cr_assert(move, "%s is illegal", moves[i]);
        position_make(p, move, &undo);
    }
}

Test(position, same_position_by_other_moves_has_the_same_key)
{
    struct position a, b;
    position_parse(&a, FEN_START, NULL);
    b = a;
    play(&a, (const char *const[]){ "g1f3", "g8f6", "b1c3", "b8c6" }, 4);
    play(&b, (const char *const[]){ "b1c3", "b8c6", "g1f3", "g8f6" }, 4);
    cr_expect_eq(a.key, b.key);
    play(&b, (const char *const[]){ "a1b1", "a8b8", "b1a1", "b8a8" }, 4);
    cr_expect_neq(a.key, b.key, "castling rights are part of the key");
}

Test(position, only_a_legal_en_passant_capture_counts_for_the_key)
{
    static const struct {
        const char *with, *without;
        bool same;
    } rows[] = {
        { "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", true },
        { "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/8/8/K2pP2r/8/8/8/7k w - - 0 1", true },
        { "8/8/8/K2pP3/8/8/8/7k w - d6 0 1", "8/8/8/K2pP3/8/8/8/7k w - - 0 1", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position with, without;
        cr_assert(position_parse(&with, rows[i].with, NULL) && position_parse(&without, rows[i].without, NULL));
        cr_expect_eq(with.key == without.key, rows[i].same, "%s", rows[i].with);
    }
}

Test(position, moves_as_text)
{
    static const struct {
        const char *fen, *text;
        bool legal;
    } rows[] = {
        { FEN_START, "e2e4", true },
        { FEN_START, "e2e5", false },
        { FEN_START, "e7e5", false },
        { FEN_START, "", false },
        { FEN_START, "e2e4q", false },
        { FEN_START, "0000", false },
        { FEN_START, "E2E4", false },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8q", true },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8n", true },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8", false },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8k", false },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true },
        { "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false },
        { "4k3/P7/8/8/8/8/8/4K2R w - - 0 1", "e1g1", false },
        { "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "e1g1", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        char text[MOVE_TEXT_SIZE];
        cr_assert(position_parse(&p, rows[i].fen, NULL));
        move_t move = move_parse(&p, rows[i].text);
        cr_expect_eq(move != 0, rows[i].legal, "%s in %s", rows[i].text, rows[i].fen);
        if (move)
            cr_expect_str_eq(move_print(text, move), rows[i].text);
    }
}

Test(position, insufficient_material)
{
    static const struct {
        const char *fen;
        bool dead;
    } rows[] = {
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true },
        { "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", true },
        { "4k3/8/8/8/8/8/8/3BK3 w - - 0 1", true },
        { "2b1k3/8/8/8/8/8/8/3BK3 w - - 0 1", true },  /* c8 and d1: both light */
        { "3bk3/8/8/8/8/8/8/3BK3 w - - 0 1", false },  /* d8 is dark */
        { "2b1k3/8/8/8/8/8/4B3/3BK3 w - - 0 1", true }, /* all three light */
        { "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false },
        { "3nk3/8/8/8/8/8/8/3NK3 w - - 0 1", false },
        { "3bk3/8/8/8/8/8/8/3NK3 w - - 0 1", false },
        { "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false },
        { "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        cr_assert(position_parse(&p, rows[i].fen, NULL));
        cr_expect_eq(position_insufficient(&p), rows[i].dead, "%s", rows[i].fen);
    }
}
