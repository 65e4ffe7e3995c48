/* Chess positions: state, FEN and EPD, make and unmake, legal moves, moves as text. */
#ifndef ENGINE_POSITION_H
#define ENGINE_POSITION_H

#include <stddef.h>

#include "engine/bitboard.h"
#include "vclock/error.h"

/* from | to << 6 | flags << 12; 0 is no move. */
typedef uint16_t move_t;

enum move_flags {
    MOVE_QUIET, MOVE_DOUBLE_PUSH, MOVE_CASTLE_KING, MOVE_CASTLE_QUEEN, MOVE_CAPTURE, MOVE_EN_PASSANT,
    MOVE_PROMOTION = 8 /* + piece - KNIGHT; with MOVE_CAPTURE if it captures */
};

enum {
    MOVES_MAX = 256,     /* the most known is 218 */
    MOVE_TEXT_SIZE = 6,
    FEN_SIZE = 128,
    FEN_MAX_HALFMOVE = 150, /* 75 moves without progress end any game */
    FEN_MAX_FULLMOVE = 9999 /* guess; the longest possible game has 5899 moves by the 50-move rule */
};

enum castling { CASTLE_WHITE_KING = 1, CASTLE_WHITE_QUEEN = 2, CASTLE_BLACK_KING = 4, CASTLE_BLACK_QUEEN = 8 };

/* On the board a piece is type * 2 + colour. */
enum { NO_PIECE = PIECE_TYPES * 2 };

struct position {
    bitboard by_type[PIECE_TYPES], by_colour[2];
    uint64_t key, pawn_key; /* Zobrist; the en passant file counts only if a capture there is legal */
    bitboard checkers;      /* men that give check to the side to move */
    int32_t psq;            /* material and squares, White minus Black, packed (engine/psq.h) */
    int32_t phase;          /* 24 (all pieces) .. 0; more after promotions */
    uint8_t board[64];
    uint8_t side, castling, ep; /* ep: NO_SQUARE unless a capture there is legal */
    uint8_t has_counters;   /* false: read from EPD, the counters below are 0 and 1 */
    int32_t halfmove, fullmove;
};

/* What a move cannot take back by itself. */
struct undo {
    uint64_t key, pawn_key;
    bitboard checkers;
    int32_t psq, phase, halfmove;
    uint8_t castling, ep, captured;
};

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static inline int move_from(move_t move) { return move & 63; }
static inline int move_to(move_t move) { return (move >> 6) & 63; }
static inline int move_flag(move_t move) { return move >> 12; }
static inline bool move_is_capture(move_t move) { return (move_flag(move) & MOVE_CAPTURE) != 0; }
static inline bool move_is_promotion(move_t move) { return (move_flag(move) & MOVE_PROMOTION) != 0; }
static inline int move_promotion(move_t move) { return KNIGHT + (move_flag(move) & 3); }
static inline bool move_is_quiet(move_t move) { return move_flag(move) < MOVE_CAPTURE; }

static inline move_t move_new(int from, int to, int flags)
{
    return (move_t)((unsigned)from | (unsigned)to << 6 | (unsigned)flags << 12);
}

static inline int piece_type(int piece) { return piece >> 1; }
static inline int piece_colour(int piece) { return piece & 1; }
static inline int piece_new(int type, int colour) { return type * 2 + colour; }

static inline bitboard position_occupied(const struct position *p) { return p->by_colour[WHITE] | p->by_colour[BLACK]; }

static inline bitboard position_pieces(const struct position *p, int type, int colour)
{
    return p->by_type[type] & p->by_colour[colour];
}

static inline int position_king(const struct position *p, int colour)
{
    return bb_first(position_pieces(p, KING, colour));
}

static inline bool position_in_check(const struct position *p) { return p->checkers != 0; }

/* Men on the board, kings and pawns included. */
static inline int position_men(const struct position *p) { return bb_count(position_occupied(p)); }

/* 24 with all pieces, 0 with kings and pawns; promotions do not lift it above 24. */
static inline int position_phase(const struct position *p) { return p->phase > 24 ? 24 : p->phase; }

/* Plies since the start of the game by the counters: (fullmove - 1) * 2, + 1 for Black; 0 without counters. */
static inline int position_ply(const struct position *p)
{
    return p->has_counters ? (p->fullmove - 1) * 2 + p->side : 0;
}

/* Reads a FEN (6 fields) or a 4-field EPD. False and `error` (TM_INPUT), naming the field, what was found and
   what was expected, for anything else and for positions that no game can reach by these rules: kings missing
   or several, the side not to move in check, more than two checkers, pawns on the first or last rank, more men
   than promotions allow, castling rights without king and rook, an en passant square without its pawn. */
bool position_parse(struct position *p, const char *fen, struct tm_error *error);

/* Reads the four fields of an EPD and leaves *operations at the text after them (opcodes or ""). */
bool position_parse_epd(struct position *p, const char *epd, const char **operations, struct tm_error *error);

/* Six fields; the en passant square only if a capture there is legal. Returns `buffer`. */
char *position_print(char buffer[static FEN_SIZE], const struct position *p);

/* For the FEN reader. Refresh: board, sets, side and rights are set, everything derived is filled in.
   Set_ep: a pawn has just passed `square`; kept if it can legally be captured there. */
void position_refresh(struct position *p);
void position_set_ep(struct position *p, int square);

/* The move must be legal. Unmake takes the same move and the undo that make filled. */
void position_make(struct position *p, move_t move, struct undo *undo);
void position_unmake(struct position *p, move_t move, const struct undo *undo);

/* Passes the move; not while in check. The halfmove counter restarts: no repetition reaches across. */
void position_make_null(struct position *p, struct undo *undo);
void position_unmake_null(struct position *p, const struct undo *undo);

/* All men of both sides that attack the square. */
bitboard position_attackers(const struct position *p, int square, bitboard occupied);

/* Neither side can mate: K v K, K+N v K, or any number of bishops all on one colour. */
bool position_insufficient(const struct position *p);

/* Keys computed afresh, for tests of the incremental ones. */
uint64_t position_key_slow(const struct position *p);
uint64_t position_pawn_key_slow(const struct position *p);

/* All legal moves, in an order that depends on the position alone and is the same for its mirror image. */
int position_legal_moves(const struct position *p, move_t moves[static MOVES_MAX]);

bool position_is_legal(const struct position *p, move_t move);

/* Leaves of the tree of legal moves at `depth`. */
uint64_t perft(struct position *p, int depth);

/* UCI text: e2e4, e1g1 for castling, e7e8q; "0000" for 0. Returns `buffer`. */
char *move_print(char buffer[static MOVE_TEXT_SIZE], move_t move);

/* 0 if the text is no move or not legal here. */
move_t move_parse(const struct position *p, const char *text);

#endif
