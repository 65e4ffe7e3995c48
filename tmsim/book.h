/* Opening books: EPD or FEN, one position a line, or PGN games. */
#ifndef TMSIM_BOOK_H
#define TMSIM_BOOK_H

#include <stddef.h>
#include <stdint.h>

#include "vclock/error.h"

struct book; /* immutable, may be shared by threads */

/* How a file is read. All zero: EPD or FEN. */
struct book_format {
    bool pgn;  /* games; the position at the end of each, or … */
    int plies; /* … after so many plies; 0: at the end */
};

enum book_order { BOOK_RANDOM, BOOK_SEQUENTIAL };

/* Reads `path`. CRLF, a byte order mark, blank lines, lines that start with '#' and a missing last newline are
   fine; an illegal or finished position is refused with its line, and so is a file without positions.
   Positions equal in their first four fields are kept once. The caller frees *out. */
bool book_load(const char *path, const struct book_format *format, struct book **out, struct tm_error *error);
bool book_load_text(const char *place, const char *text, size_t size, const struct book_format *format,
                    struct book **out, struct tm_error *error);
void book_free(struct book *book);

int book_size(const struct book *book);       /* distinct positions */
int book_duplicates(const struct book *book); /* lines left out as repetitions */
const char *book_hash(const struct book *book); /* XXH3-128 of the positions in file order, 32 hex digits */

/* The opening of pair `pair` (from 0) as a FEN: a function of (seed, pair) alone. In random order each position
   comes once before any comes again. */
const char *book_opening(const struct book *book, enum book_order order, uint64_t seed, int pair);

#endif
