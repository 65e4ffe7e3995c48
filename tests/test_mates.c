/* Mate suites: data/positions/mate-in-N.epd, taken from games and proven minimal by a search of every legal line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"

struct tally {
    int rows, solved;
};

/* Searches each position as in a new game to `depth`; counts those where the shortest mate is found. */
static struct tally solve(int mate, int depth, const struct search_features *features)
{
    struct tally tally = { 0, 0 };
    char path[512], line[256];
    struct engine *engine = engine_new(1 << 22, NULL);
    snprintf(path, sizeof path, "%s/positions/mate-in-%d.epd", ZEITNOT_DATA_SOURCE, mate);
    FILE *file = fopen(path, "r");
    cr_assert(file && engine, "%s", path);
    if (features)
        *engine_features(engine) = *features;
    while (fgets(line, sizeof line, file)) {
        struct position p;
        const char *operations;
        char fen[FEN_SIZE];
        cr_assert(position_parse_epd(&p, line, &operations, NULL) && atoi(operations + strlen("dm ")) == mate, "%s", line);
        struct game *game = game_new(position_print(fen, &p), NULL);
        struct search_limits limits = { .depth = depth };
        engine_forget(engine);
        tally.solved += engine_search(engine, game, &limits, INT64_MAX, NULL, NULL).score == TM_MATE - (2 * mate - 1);
        tally.rows++;
        game_free(game);
    }
    fclose(file);
    engine_free(engine);
    return tally;
}

/* The natural depth of a mate in n moves is its 2n - 1 plies. */
Test(mates, found_at_their_natural_depth)
{
    static const int percent[] = { 0, 100, 100, 90 };
    for (int mate = 1; mate <= 3; mate++) {
        struct tally tally = solve(mate, 2 * mate - 1, NULL);
        cr_expect(tally.rows >= 40, "%d positions", tally.rows);
        cr_expect(tally.solved * 100 >= tally.rows * percent[mate], "mate in %d: %d of %d", mate, tally.solved, tally.rows);
    }
}

Test(mates, none_is_shorter)
{
    struct search_features all_lines = search_features_all;
    all_lines.null_move = all_lines.lmr = all_lines.delta_pruning = false;
    for (int mate = 2; mate <= 3; mate++)
        cr_expect_eq(solve(mate - 1 ? mate : 1, 1, &all_lines).solved, 0, "mate in %d", mate);
}
