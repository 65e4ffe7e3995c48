/* A book is held as text, in file order; the random order is a permutation that each caller computes anew from the
   seed, one element at a time. */
#include "tmsim/book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "engine/game.h"
#include "tmsim/draw.h"
#include "tmsim/pgn_read.h"

struct book {
    char **fen; /* six fields, or four where the file has no counters */
    int size, capacity, duplicates;
    uint64_t *seen; /* open addressing: hashes of the first four fields */
    size_t seen_size;
    char hash[33];
};

enum { MAX_POSITIONS = 20000000 };

int book_size(const struct book *book) { return book->size; }
int book_duplicates(const struct book *book) { return book->duplicates; }
const char *book_hash(const struct book *book) { return book->hash; }

void book_free(struct book *book)
{
    if (!book)
        return;
    for (int i = 0; i < book->size; i++)
        free(book->fen[i]);
    free(book->fen);
    free(book->seen);
    free(book);
}

/* ---- the set of positions seen ---- */

static bool grow_seen(struct book *book)
{
    const size_t size = book->seen_size ? book->seen_size * 2 : 1024;
    uint64_t *seen = calloc(size, sizeof *seen);
    if (!seen)
        return false;
    for (size_t i = 0; i < book->seen_size; i++) {
        if (!book->seen[i])
            continue;
        size_t at = book->seen[i] & (size - 1);
        while (seen[at])
            at = (at + 1) & (size - 1);
        seen[at] = book->seen[i];
    }
    free(book->seen);
    book->seen = seen;
    book->seen_size = size;
    return true;
}

/* True in *is_new if this position has not been seen; false returned only for want of memory. */
static bool note_seen(struct book *book, const char *fen, size_t length, bool *is_new)
{
    if ((size_t)book->size * 2 >= book->seen_size && !grow_seen(book))
        return false;
    const uint64_t hash = XXH3_64bits(fen, length) | 1;
    size_t at = hash & (book->seen_size - 1);
    while (book->seen[at] && book->seen[at] != hash)
        at = (at + 1) & (book->seen_size - 1);
    *is_new = !book->seen[at];
    book->seen[at] = hash;
    return true;
}

/* ---- lines ---- */

static size_t four_fields(const char *fen)
{
    size_t at = 0;
    for (int field = 0; field < 4; field++) {
        at += strspn(fen + at, " ");
        at += strcspn(fen + at, " ");
    }
    return at;
}

/* A whole number behind an EPD opcode such as "hmvc 3;", or `missing`. */
static int epd_counter(const char *operations, const char *opcode, int missing)
{
    const char *at = strstr(operations, opcode);
    if (!at || (at != operations && at[-1] != ' ' && at[-1] != ';'))
        return missing;
    char *end;
    const long value = strtol(at + strlen(opcode), &end, 10);
    return end > at + strlen(opcode) && value >= 0 && value <= 9999 ? (int)value : missing;
}

/* The line as a FEN: six fields are kept, EPD operations give the counters where they have them. */
static bool line_to_fen(const char *line, char fen[static FEN_SIZE], struct tm_error *error)
{
    struct position position;
    if (position_parse(&position, line, error)) {
        position_print(fen, &position);
        if (!position.has_counters)
            fen[four_fields(fen)] = '\0';
        return true;
    }
    const char *operations;
    struct tm_error epd_error;
    if (!position_parse_epd(&position, line, &operations, &epd_error))
        return false;
    if (operations[0] >= '0' && operations[0] <= '9')
        return false; /* counters, but bad ones: the FEN reader has said why */
    position_print(fen, &position);
    fen[four_fields(fen)] = '\0';
    const int halfmove = epd_counter(operations, "hmvc", -1), fullmove = epd_counter(operations, "fmvn", -1);
    if (fullmove < 1)
        return true;
    const size_t used = strlen(fen);
    snprintf(fen + used, FEN_SIZE - used, " %d %d", halfmove < 0 ? 0 : halfmove, fullmove);
    return position_parse(&position, fen, error);
}

static bool check_playable(const char *fen, struct tm_error *error)
{
    struct game *game = game_new(fen, error);
    if (!game)
        return false;
    const enum game_result result = game_result(game);
    game_free(game);
    if (result != GAME_ONGOING)
        return error_fail(error, TM_INPUT, "the game is over there (%s); expected a position to play from",
                          game_result_name(result));
    return true;
}

static bool add_position(struct book *book, const char *fen, struct tm_error *error)
{
    bool is_new;
    if (book->size >= MAX_POSITIONS)
        return error_fail(error, TM_INPUT, "more than %d positions", MAX_POSITIONS);
    if (!note_seen(book, fen, four_fields(fen), &is_new))
        return error_fail(error, TM_INTERNAL, "out of memory while reading a book");
    if (!is_new) {
        book->duplicates++;
        return true;
    }
    if (book->size == book->capacity) {
        const int capacity = book->capacity ? book->capacity * 2 : 256;
        char **grown = realloc(book->fen, (size_t)capacity * sizeof *grown);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory while reading a book");
        book->fen = grown;
        book->capacity = capacity;
    }
    book->fen[book->size] = strdup(fen);
    if (!book->fen[book->size])
        return error_fail(error, TM_INTERNAL, "out of memory while reading a book");
    book->size++;
    return true;
}

static bool add_line(struct book *book, const char *place, int number, char *line, struct tm_error *error)
{
    char fen[FEN_SIZE];
    line[strcspn(line, "\r")] = '\0';
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true;
    if (line_to_fen(line, fen, error) && check_playable(fen, error) && add_position(book, fen, error))
        return true;
    error_prefix(error, "book %s:%d", place, number);
    return false;
}

/* Lines one after the other: a book of millions is never held as text besides its positions. */
static bool add_lines(struct book *book, const char *place, FILE *file, struct tm_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool ok = true;
    for (int number = 1; ok && (length = getline(&line, &room, file)) >= 0; number++) {
        const bool marked = number == 1 && length >= 3 && memcmp(line, mark, 3) == 0;
        line[strcspn(line, "\n")] = '\0';
        ok = add_line(book, place, number, line + (marked ? 3 : 0), error);
    }
    free(line);
    if (ok && ferror(file))
        return error_fail(error, TM_INPUT, "book %s: %s", place, strerror(errno));
    return ok;
}

static bool add_games(struct book *book, const char *place, FILE *file, int plies, struct tm_error *error)
{
    struct pgn_reader reader = pgn_reader(file);
    char fen[FEN_SIZE];
    bool found;
    for (;;) {
        if (!pgn_next_opening(&reader, plies, fen, &found, error)) {
            error_prefix(error, "book %s", place);
            return false;
        }
        if (!found)
            return true;
        if (!check_playable(fen, error) || !add_position(book, fen, error)) {
            error_prefix(error, "book %s:%d", place, reader.line);
            return false;
        }
    }
}

static void hash_positions(struct book *book)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (int i = 0; i < book->size; i++)
        XXH3_128bits_update(&state, book->fen[i], strlen(book->fen[i]) + 1);
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(book->hash, sizeof book->hash, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

static bool load(const char *place, FILE *file, const struct book_format *format, struct book **out,
                 struct tm_error *error)
{
    struct book *book = calloc(1, sizeof *book);
    if (!book)
        return error_fail(error, TM_INTERNAL, "out of memory while reading a book");
    bool ok = format->pgn ? add_games(book, place, file, format->plies, error) : add_lines(book, place, file, error);
    if (ok && book->size == 0)
        ok = error_fail(error, TM_INPUT, "book %s: no positions; expected %s", place,
                        format->pgn ? "PGN games" : "FEN or EPD, one a line");
    if (!ok) {
        book_free(book);
        return false;
    }
    hash_positions(book);
    *out = book;
    return true;
}

bool book_load_text(const char *place, const char *text, size_t size, const struct book_format *format,
                    struct book **out, struct tm_error *error)
{
    static char blank[] = " "; /* no stream can be opened on nothing */
    FILE *file = size ? fmemopen((void *)(uintptr_t)text, size, "r") : fmemopen(blank, 1, "r");
    if (!file)
        return error_fail(error, TM_INTERNAL, "out of memory while reading a book");
    const bool ok = load(place, file, format, out, error);
    fclose(file);
    return ok;
}

bool book_load(const char *path, const struct book_format *format, struct book **out, struct tm_error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file)
        return error_fail(error, TM_INPUT, "book %s: %s", path, strerror(errno));
    const bool directory = fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
    const bool ok = directory ? error_fail(error, TM_INPUT, "book %s: %s", path, strerror(EISDIR))
                              : load(path, file, format, out, error);
    fclose(file);
    return ok;
}

/* ---- order ---- */

/* Element `index` of a permutation of 0..size-1: a four-round Feistel network on the next power of four, walked on
   until it lands inside (format-preserving encryption: Black and Rogaway, 2002). */
static int permuted(uint64_t seed, int size, int index)
{
    int half = 1;
    while ((int64_t)1 << (2 * half) < size)
        half++;
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    uint64_t value = (uint64_t)index;
    do {
        uint64_t left = value >> half, right = value & mask;
        for (int round = 0; round < 4; round++) {
            const uint64_t next = left ^ (draw_bits(seed, (int64_t)right, size, DRAW_OPENING, round) & mask);
            left = right;
            right = next;
        }
        value = left << half | right;
    } while (value >= (uint64_t)size);
    return (int)value;
}

const char *book_opening(const struct book *book, enum book_order order, uint64_t seed, int pair)
{
    const int index = pair % book->size;
    if (order == BOOK_SEQUENTIAL)
        return book->fen[index];
    const uint64_t lap = (uint64_t)(pair / book->size);
    return book->fen[permuted(seed + lap, book->size, index)];
}
