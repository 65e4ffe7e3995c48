/* FEN and EPD: strict, because a wrong position would silently be searched for a whole match.
   Each complaint names the field, what was found and what was expected. */
#include "engine/position.h"

#include <stdio.h>
#include <string.h>

#include "engine/psq.h"
#include "engine/zobrist.h"

static const char piece_letters[] = "PpNnBbRrQqKk"; /* indexed by piece */

struct field {
    const char *text;
    int length;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static const char *skip_blanks(const char *text)
{
    while (is_blank(*text))
        text++;
    return text;
}

/* The next blank-separated word; empty at the end of the text. */
static struct field next_field(const char **text)
{
    const char *start = skip_blanks(*text), *end = start;
    while (*end && !is_blank(*end))
        end++;
    *text = end;
    return (struct field){ start, (int)(end - start) };
}

/* Long garbage is cut in messages. */
static int shown(struct field field) { return field.length > 80 ? 80 : field.length; }

static void place(struct position *p, int piece, int square)
{
    p->board[square] = (uint8_t)piece;
    p->by_type[piece_type(piece)] |= bb_of(square);
    p->by_colour[piece_colour(piece)] |= bb_of(square);
}

static bool parse_rank(struct position *p, struct field row, int rank, struct tm_error *error)
{
    int file = 0;
    for (int i = 0; i < row.length; i++) {
        char c = row.text[i];
        const char *letter = memchr(piece_letters, c, NO_PIECE);
        bool digit = c >= '1' && c <= '8';
        if (!digit && !letter)
            return error_fail(error, TM_INPUT, "FEN board: found '%c' in rank %d, expected 1-8 or one of %s", c,
                              rank + 1, piece_letters);
        if (digit && i && row.text[i - 1] >= '1' && row.text[i - 1] <= '8')
            return error_fail(error, TM_INPUT, "FEN board: rank %d is '%.*s', expected no two digits in a row",
                              rank + 1, shown(row), row.text);
        int width = digit ? c - '0' : 1;
        if (file + width > 8)
            return error_fail(error, TM_INPUT, "FEN board: rank %d is '%.*s', more than 8 squares, expected 8",
                              rank + 1, shown(row), row.text);
        if (letter)
            place(p, (int)(letter - piece_letters), rank * 8 + file);
        file += width;
    }
    if (file != 8)
        return error_fail(error, TM_INPUT, "FEN board: rank %d is '%.*s', %d squares, expected 8", rank + 1,
                          shown(row), row.text, file);
    return true;
}

static bool parse_board(struct position *p, struct field board, struct tm_error *error)
{
    const char *at = board.text, *end = board.text + board.length;
    for (int rank = 7; rank >= 0; rank--) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        const char *stop = slash ? slash : end;
        if (!parse_rank(p, (struct field){ at, (int)(stop - at) }, rank, error))
            return false;
        if ((slash != NULL) != (rank > 0))
            return error_fail(error, TM_INPUT, "FEN board: found %s 8 ranks in '%.*s', expected 8 joined by '/'",
                              rank > 0 ? "fewer than" : "more than", shown(board), board.text);
        at = stop + 1;
    }
    return true;
}

static bool parse_side(struct position *p, struct field field, struct tm_error *error)
{
    if (field.length != 1 || (*field.text != 'w' && *field.text != 'b'))
        return error_fail(error, TM_INPUT, "FEN side to move: found '%.*s', expected 'w' or 'b'", shown(field),
                          field.text);
    p->side = *field.text == 'b';
    return true;
}

struct castle_home {
    char letter;
    uint8_t right, colour, king, rook;
};

static const struct castle_home castle_homes[4] = {
    { 'K', CASTLE_WHITE_KING, WHITE, 4, 7 },
    { 'Q', CASTLE_WHITE_QUEEN, WHITE, 4, 0 },
    { 'k', CASTLE_BLACK_KING, BLACK, 60, 63 },
    { 'q', CASTLE_BLACK_QUEEN, BLACK, 60, 56 },
};

static const struct castle_home *find_home(char letter)
{
    for (int i = 0; i < 4; i++)
        if (castle_homes[i].letter == letter)
            return &castle_homes[i];
    return NULL;
}

static bool parse_castling(struct position *p, struct field field, struct tm_error *error)
{
    if (field.length == 1 && *field.text == '-')
        return true;
    if (!field.length)
        return error_fail(error, TM_INPUT, "FEN castling: found nothing, expected '-' or letters of KQkq");
    for (int i = 0; i < field.length; i++) {
        const struct castle_home *home = find_home(field.text[i]);
        if (!home || (p->castling & home->right))
            return error_fail(error, TM_INPUT, "FEN castling: found '%.*s', expected '-' or letters of KQkq, each once",
                              shown(field), field.text);
        if (p->board[home->king] != piece_new(KING, home->colour)
            || p->board[home->rook] != piece_new(ROOK, home->colour))
            return error_fail(error, TM_INPUT,
                              "FEN castling: found '%c', expected its king on e%c and its rook on %c%c", home->letter,
                              "18"[home->colour], 'a' + square_file(home->rook), "18"[home->colour]);
        p->castling |= home->right;
    }
    return true;
}

/* Fills *square with NO_SQUARE for "-". */
static bool parse_ep(const struct position *p, struct field field, int *square, struct tm_error *error)
{
    *square = NO_SQUARE;
    if (field.length == 1 && *field.text == '-')
        return true;
    char rank = p->side == WHITE ? '6' : '3';
    if (field.length != 2 || field.text[0] < 'a' || field.text[0] > 'h' || field.text[1] != rank)
        return error_fail(error, TM_INPUT, "FEN en passant: found '%.*s', expected '-' or a square on rank %c",
                          shown(field), field.text, rank);
    int at = (rank - '1') * 8 + field.text[0] - 'a', up = p->side == WHITE ? 8 : -8;
    if (p->board[at - up] != piece_new(PAWN, !p->side) || p->board[at] != NO_PIECE
        || p->board[at + up] != NO_PIECE)
        return error_fail(error, TM_INPUT,
                          "FEN en passant: found '%.*s', expected a pawn that has just passed it and empty squares behind",
                          shown(field), field.text);
    *square = at;
    return true;
}

static bool parse_number(const char *name, struct field field, int low, int high, int32_t *out,
                         struct tm_error *error)
{
    int value = 0;
    bool ok = field.length > 0 && field.length <= 6;
    for (int i = 0; ok && i < field.length; i++) {
        ok = field.text[i] >= '0' && field.text[i] <= '9';
        value = value * 10 + (field.text[i] - '0');
    }
    if (!ok || value < low || value > high)
        return error_fail(error, TM_INPUT, "FEN %s: found '%.*s', expected a number from %d to %d", name,
                          shown(field), field.text, low, high);
    *out = value;
    return true;
}

static const char *const side_names[2] = { "White", "Black" };

/* Men beyond the initial set must have been pawns. */
static bool check_men(const struct position *p, int colour, struct tm_error *error)
{
    static const int initial[PIECE_TYPES] = { 8, 2, 2, 2, 1, 1 };
    int kings = bb_count(position_pieces(p, KING, colour)), pawns = bb_count(position_pieces(p, PAWN, colour));
    if (kings != 1)
        return error_fail(error, TM_INPUT, "FEN board: found %d kings for %s, expected 1", kings, side_names[colour]);
    if (pawns > 8)
        return error_fail(error, TM_INPUT, "FEN board: found %d pawns for %s, expected at most 8", pawns,
                          side_names[colour]);
    int promoted = 0;
    for (int type = KNIGHT; type <= QUEEN; type++) {
        int extra = bb_count(position_pieces(p, type, colour)) - initial[type];
        promoted += extra > 0 ? extra : 0;
    }
    if (promoted > 8 - pawns)
        return error_fail(error, TM_INPUT,
                          "FEN board: found %d promoted pieces and %d pawns for %s, expected at most 8 together",
                          promoted, pawns, side_names[colour]);
    return true;
}

static bool check_board(const struct position *p, struct tm_error *error)
{
    if (!check_men(p, WHITE, error) || !check_men(p, BLACK, error))
        return false;
    bitboard astray = p->by_type[PAWN] & (BB_RANK_1 | BB_RANK_8);
    if (astray)
        return error_fail(error, TM_INPUT, "FEN board: found a pawn on %c%d, expected none on ranks 1 and 8",
                          'a' + square_file(bb_first(astray)), square_rank(bb_first(astray)) + 1);
    return true;
}

static bool check_checks(const struct position *p, struct tm_error *error)
{
    int them = !p->side;
    if (position_attackers(p, position_king(p, them), position_occupied(p)) & p->by_colour[p->side])
        return error_fail(error, TM_INPUT,
                          "FEN side to move: found %s to move while %s is in check, expected a king not capturable",
                          side_names[p->side], side_names[them]);
    if (bb_count(p->checkers) > 2)
        return error_fail(error, TM_INPUT, "FEN board: found %d men giving check, expected at most 2",
                          bb_count(p->checkers));
    return true;
}

static void tables_init(void)
{
    bitboard_init();
    zobrist_init();
    psq_init();
}

bool position_parse_epd(struct position *p, const char *epd, const char **operations, struct tm_error *error)
{
    tables_init();
    *p = (struct position){ .ep = NO_SQUARE, .fullmove = 1 };
    memset(p->board, NO_PIECE, sizeof p->board);
    const char *rest = epd;
    int ep;
    if (!parse_board(p, next_field(&rest), error) || !check_board(p, error)
        || !parse_side(p, next_field(&rest), error) || !parse_castling(p, next_field(&rest), error)
        || !parse_ep(p, next_field(&rest), &ep, error))
        return false;
    position_refresh(p);
    if (!check_checks(p, error))
        return false;
    if (ep != NO_SQUARE)
        position_set_ep(p, ep);
    *operations = skip_blanks(rest);
    return true;
}

bool position_parse(struct position *p, const char *fen, struct tm_error *error)
{
    const char *rest;
    if (!position_parse_epd(p, fen, &rest, error))
        return false;
    if (!*rest)
        return true;
    if (!parse_number("halfmove counter", next_field(&rest), 0, FEN_MAX_HALFMOVE, &p->halfmove, error)
        || !parse_number("fullmove counter", next_field(&rest), 1, FEN_MAX_FULLMOVE, &p->fullmove, error))
        return false;
    struct field more = next_field(&rest);
    if (more.length)
        return error_fail(error, TM_INPUT, "FEN: found '%.*s' after the sixth field, expected the end", shown(more),
                          more.text);
    p->has_counters = true;
    return true;
}

static char *print_board(char *out, const struct position *p)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int piece = p->board[rank * 8 + file];
            bool last = file == 7;
            empty += piece == NO_PIECE;
            if (empty && (piece != NO_PIECE || last)) {
                *out++ = (char)('0' + empty);
                empty = 0;
            }
            if (piece != NO_PIECE)
                *out++ = piece_letters[piece];
        }
        *out++ = rank ? '/' : ' ';
    }
    return out;
}

char *position_print(char buffer[static FEN_SIZE], const struct position *p)
{
    char *out = print_board(buffer, p);
    *out++ = p->side == WHITE ? 'w' : 'b';
    *out++ = ' ';
    for (int i = 0; i < 4; i++)
        if (p->castling & castle_homes[i].right)
            *out++ = castle_homes[i].letter;
    if (!p->castling)
        *out++ = '-';
    *out++ = ' ';
    if (p->ep == NO_SQUARE) {
        *out++ = '-';
    } else {
        *out++ = (char)('a' + square_file(p->ep));
        *out++ = (char)('1' + square_rank(p->ep));
    }
    snprintf(out, (size_t)(buffer + FEN_SIZE - out), " %d %d", (int)p->halfmove, (int)p->fullmove);
    return buffer;
}
