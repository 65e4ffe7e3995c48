/* Openings from PGN games, read as a stream. */
#ifndef TMSIM_PGN_READ_H
#define TMSIM_PGN_READ_H

#include <stdio.h>

#include "engine/position.h"

struct pgn_reader {
    FILE *file;   /* borrowed */
    int line;     /* of the next character, from 1 */
    int last;     /* the last character read */
};

struct pgn_reader pgn_reader(FILE *file);

/* The position after `plies` plies of the next game (0: at its end), as a FEN. Comments, variations, NAGs, escapes and
   results are understood. *found is false at the end of the file. False: `error` (TM_INPUT) begins with the line. */
bool pgn_next_opening(struct pgn_reader *reader, int plies, char fen[static FEN_SIZE], bool *found,
                      struct tm_error *error);

#endif
