/* Written and read by comparing with the legal moves: speed does not matter here. */
#include "engine/san.h"

#include <stdio.h>
#include <string.h>

static const char piece_letters[] = "PNBRQK";

static bool is_castling(move_t move)
{
    return move_flag(move) == MOVE_CASTLE_KING || move_flag(move) == MOVE_CASTLE_QUEEN;
}

static int moved_type(const struct position *p, move_t move) { return piece_type(p->board[move_from(move)]); }

/* File, rank or both of the square of origin, as far as other men of the kind could go to the same square. */
static void disambiguate(char out[static 3], const struct position *p, move_t move)
{
    move_t moves[MOVES_MAX];
    const int count = position_legal_moves(p, moves), from = move_from(move), type = moved_type(p, move);
    bool others = false, same_file = false, same_rank = false;
    for (int i = 0; i < count; i++) {
        const int other = move_from(moves[i]);
        if (other == from || move_to(moves[i]) != move_to(move) || moved_type(p, moves[i]) != type)
            continue;
        others = true;
        same_file = same_file || square_file(other) == square_file(from);
        same_rank = same_rank || square_rank(other) == square_rank(from);
    }
    const char file = (char)('a' + square_file(from)), rank = (char)('1' + square_rank(from));
    int length = 0;
    if (others && (!same_file || same_rank))
        out[length++] = file;
    if (others && same_file)
        out[length++] = rank;
    out[length] = '\0';
}

/* "+", "#" or "". */
static const char *check_mark(const struct position *p, move_t move)
{
    struct position after = *p;
    struct undo undo;
    move_t moves[MOVES_MAX];
    position_make(&after, move, &undo);
    if (!position_in_check(&after))
        return "";
    return position_legal_moves(&after, moves) ? "+" : "#";
}

char *san_print(char buffer[static SAN_SIZE], const struct position *p, move_t move)
{
    const char *mark = check_mark(p, move);
    if (is_castling(move)) {
        snprintf(buffer, SAN_SIZE, "%s%s", move_flag(move) == MOVE_CASTLE_KING ? "O-O" : "O-O-O", mark);
        return buffer;
    }
    const int type = moved_type(p, move), to = move_to(move);
    char origin[3] = "", head[2] = { piece_letters[type], '\0' }, promotion[3] = "";
    if (type == PAWN) {
        head[0] = '\0';
        if (move_is_capture(move))
            origin[0] = (char)('a' + square_file(move_from(move)));
    } else if (type != KING) {
        disambiguate(origin, p, move);
    }
    if (move_is_promotion(move)) {
        promotion[0] = '=';
        promotion[1] = piece_letters[move_promotion(move)];
    }
    snprintf(buffer, SAN_SIZE, "%s%s%s%c%c%s%s", head, origin, move_is_capture(move) ? "x" : "", 'a' + square_file(to),
             '1' + square_rank(to), promotion, mark);
    return buffer;
}

/* ---- reading ---- */

/* What a text says of a move; -1: nothing. */
struct wish {
    int type, from_file, from_rank, to_file, to_rank, promotion, castling;
};

static int letter_type(char letter)
{
    const char *at = letter ? strchr(piece_letters, letter) : NULL;
    return at ? (int)(at - piece_letters) : -1;
}

static bool read_castling(const char *text, struct wish *wish)
{
    static const struct { const char *text; int flag; } forms[] = {
        { "O-O", MOVE_CASTLE_KING }, { "0-0", MOVE_CASTLE_KING }, { "o-o", MOVE_CASTLE_KING },
        { "O-O-O", MOVE_CASTLE_QUEEN }, { "0-0-0", MOVE_CASTLE_QUEEN }, { "o-o-o", MOVE_CASTLE_QUEEN },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(text, forms[i].text) == 0)
            wish->castling = forms[i].flag;
    return wish->castling >= 0;
}

/* Files and ranks in the order in which they stand: the last of each is where the move goes. */
static bool read_squares(const char *text, struct wish *wish)
{
    for (; *text; text++) {
        if (*text >= 'a' && *text <= 'h') {
            wish->from_file = wish->to_file;
            wish->to_file = *text - 'a';
        } else if (*text >= '1' && *text <= '8') {
            wish->from_rank = wish->to_rank;
            wish->to_rank = *text - '1';
        } else if (!strchr("x-:", *text)) {
            return false;
        }
    }
    return wish->to_file >= 0 && wish->to_rank >= 0;
}

/* Takes "=Q", "Q" or (UCI) "q" off the end. */
static void read_promotion(char *text, struct wish *wish)
{
    const size_t length = strlen(text);
    if (length < 3)
        return;
    const char last = text[length - 1];
    const int type = last == 'n' || last == 'r' || last == 'q' ? letter_type((char)(last - 32)) : letter_type(last);
    const bool uci_bishop = last == 'b' && text[length - 2] >= '1' && text[length - 2] <= '8';
    if (type < KNIGHT && !uci_bishop)
        return;
    wish->promotion = uci_bishop ? BISHOP : type;
    text[length - 1] = '\0';
    if (text[length - 2] == '=')
        text[length - 2] = '\0';
}

static bool read_wish(const char *source, size_t length, struct wish *wish)
{
    char text[16];
    *wish = (struct wish){ -1, -1, -1, -1, -1, -1, -1 };
    while (length > 0 && strchr("+#!?", source[length - 1]))
        length--;
    if (length < 2 || length >= sizeof text)
        return false;
    memcpy(text, source, length);
    text[length] = '\0';
    if (read_castling(text, wish))
        return true;
    read_promotion(text, wish);
    wish->type = letter_type(text[0]);
    return read_squares(text + (wish->type >= 0), wish);
}

static bool fulfils(const struct position *p, move_t move, const struct wish *wish)
{
    const int from = move_from(move), to = move_to(move);
    if (wish->castling >= 0)
        return move_flag(move) == wish->castling;
    const bool whole = wish->from_file >= 0 && wish->from_rank >= 0; /* e1g1, g1f3: any man */
    const int type = wish->type >= 0 ? wish->type : PAWN;
    return square_file(to) == wish->to_file && square_rank(to) == wish->to_rank
           && (wish->from_file < 0 || square_file(from) == wish->from_file)
           && (wish->from_rank < 0 || square_rank(from) == wish->from_rank)
           && (moved_type(p, move) == type || (whole && wish->type < 0))
           && (move_is_promotion(move) ? move_promotion(move) : -1) == wish->promotion;
}

move_t san_parse(const struct position *p, const char *text, size_t length)
{
    struct wish wish;
    move_t moves[MOVES_MAX], found = 0;
    if (!read_wish(text, length, &wish))
        return 0;
    const int count = position_legal_moves(p, moves);
    for (int i = 0; i < count; i++) {
        if (!fulfils(p, moves[i], &wish))
            continue;
        if (found)
            return 0;
        found = moves[i];
    }
    return found;
}
