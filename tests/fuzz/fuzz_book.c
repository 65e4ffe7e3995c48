/* Books: what is accepted has at least one position, and each can be played from. */
#include <stdint.h>
#include <stdlib.h>

#include "engine/game.h"
#include "tmsim/book.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct book *book;
    struct tm_error error;
    if (!book_load_text("b", (const char *)data, size, &(struct book_format){ 0 }, &book, &error))
        return 0;
    if (book_size(book) < 1)
        abort();
    for (int k = 0; k < book_size(book); k++) {
        struct game *game = game_new(book_opening(book, BOOK_RANDOM, 1, k), &error);
        if (!game)
            abort();
        game_free(game);
    }
    book_free(book);
    return 0;
}
