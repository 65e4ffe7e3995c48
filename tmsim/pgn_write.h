/* Stored games as PGN. */
#ifndef TMSIM_PGN_WRITE_H
#define TMSIM_PGN_WRITE_H

#include <stdio.h>

#include "tmsim/store.h"

/* One game; texts are borrowed. */
struct pgn_game {
    const char *event, *white, *black, *fen;
    const char *tc[2]; /* White, Black: canonical */
    const struct game_record *record;
    bool clocks; /* [%clk] and [%emt] in the comments */
};

/* Writes tags and moves, each with {score/depth spend, tl=clock, n=nodes}. A move on which the flag fell was never
   played: it ends the text as a comment. False: the stream failed, or the moves are not legal (TM_INPUT). */
bool pgn_write(const struct pgn_game *game, FILE *stream, struct tm_error *error);

/* Writes all games of the runs to `path`, run by run, by pair, pairing and leg, whatever order they ended in. The file
   is whole or untouched. */
bool pgn_export(struct store *store, const int64_t *run, int run_count, const char *path, bool clocks,
                struct tm_error *error);

#endif
