/* Moves in standard algebraic notation. */
#ifndef ENGINE_SAN_H
#define ENGINE_SAN_H

#include "engine/position.h"

enum { SAN_SIZE = 12 };

/* "Nbxd7+", "e8=Q#", "O-O". The move must be legal. Returns `buffer`. */
char *san_print(char buffer[static SAN_SIZE], const struct position *p, move_t move);

/* Reads SAN as found in the wild: with or without x, +, # and annotation marks, with more disambiguation than needed,
   0-0, e8Q, long algebraic and UCI. 0 if it is no move, not legal, or could be several. `length` bytes at `text`. */
move_t san_parse(const struct position *p, const char *text, size_t length);

#endif
