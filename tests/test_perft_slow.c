#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/position.h"
#include "tests/perft_table.h"

Test(perft_slow, published_counts_at_depth_5)
{
    for (int i = 0; i < PERFT_ROWS; i++) {
        struct position p;
        cr_assert(position_parse(&p, perft_rows[i].fen, NULL));
        uint64_t leaves = perft(&p, 5);
        cr_expect(leaves == perft_rows[i].leaves[5], "%s: %llu", perft_rows[i].fen, (unsigned long long)leaves);
    }
}

/* Castling rights on both sides, through attacked squares and out of check; en passant that uncovers a rook, bishop or
   queen; promotions; pins; crowded boards. The counts are those of a second program (Stockfish 15.1), and for the
   positions from the perft collections of chess programmers the published ones. */
Test(perft_slow, counts_of_two_programs_agree)
{
    FILE *file = fopen(TEST_DATA "/fixtures/perft.epd", "r");
    char line[256];
    int rows = 0;
    cr_assert(file);
    while (fgets(line, sizeof line, file)) {
        struct position p;
        uint64_t expected;
        int depth;
        char *counts = strchr(line, ';');
        cr_assert(counts && sscanf(counts, "; D%d %" SCNu64 ";", &depth, &expected) == 2, "%s", line);
        *counts = '\0';
        cr_assert(position_parse(&p, line, NULL), "%s", line);
        uint64_t leaves = perft(&p, depth);
        cr_expect(leaves == expected, "%s: %" PRIu64 " at depth %d, expected %" PRIu64, line, leaves, depth, expected);
        rows++;
    }
    fclose(file);
    cr_expect(rows >= 120, "%d positions", rows);
}
