#include <criterion/criterion.h>

#include "engine/position.h"
#include "tests/perft_table.h"

Test(perft, published_counts_to_depth_4)
{
    for (int i = 0; i < PERFT_ROWS; i++) {
        struct position p;
        struct tm_error error;
        cr_assert(position_parse(&p, perft_rows[i].fen, &error), "%s: %s", perft_rows[i].fen, error.message);
        for (int depth = 0; depth <= 4; depth++) {
            uint64_t leaves = perft(&p, depth);
            cr_expect(leaves == perft_rows[i].leaves[depth], "%s depth %d: %llu", perft_rows[i].fen, depth,
                      (unsigned long long)leaves);
        }
    }
}

/* From the perft collections of the same wiki; each stands on one rule that is easily got wrong. */
Test(perft, special_rules)
{
    static const struct {
        const char *fen, *rule;
        int depth;
        uint64_t leaves;
    } rows[] = {
        { "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", "en passant pin on the rank", 6, 1134888 },
        { "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", "en passant that exposes on a diagonal", 6, 824064 },
        { "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", "en passant that parries a check", 6, 1440467 },
        { "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "short castling gives check", 6, 661072 },
        { "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "long castling gives check", 6, 803711 },
        { "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", "captured rooks lose their right", 4, 1274206 },
        { "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", "castling through attacked squares", 4, 1720476 },
        { "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", "promotion out of check", 6, 3821001 },
        { "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", "discovered check", 5, 1004658 },
        { "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", "promotion gives check", 6, 217342 },
        { "8/P1k5/K7/8/8/8/8/8 w - - 0 1", "underpromotion gives check", 6, 92683 },
        { "K1k5/8/P7/8/8/8/8/8 w - - 0 1", "self-stalemate", 6, 2217 },
        { "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", "stalemate and checkmate", 7, 567584 },
        { "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", "double check", 4, 23527 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        cr_assert(position_parse(&p, rows[i].fen, NULL), "%s", rows[i].fen);
        uint64_t leaves = perft(&p, rows[i].depth);
        cr_expect(leaves == rows[i].leaves, "%s: %llu, expected %llu", rows[i].rule, (unsigned long long)leaves,
                  (unsigned long long)rows[i].leaves);
    }
}
