/* --openings, as the match runners write it. */
#ifndef TMSIM_OPENINGS_H
#define TMSIM_OPENINGS_H

#include "tmsim/book.h"

enum { OPENINGS_PATH_SIZE = 4096 };

/* Reads "file=FILE[,format=epd|fen|pgn][,plies=N][,order=random|sequential]" and loads the book; NULL, and what is left
   out: the book of `data`, in random order. The caller frees *book by book_free. */
bool openings_read(const char *text, const char *data, char path[OPENINGS_PATH_SIZE], struct book **book,
                   enum book_order *order, struct tm_error *error);

/* The file without its directory. */
const char *openings_name(const char *path);

#endif
