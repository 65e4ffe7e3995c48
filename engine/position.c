/* Make and unmake. Everything that the search asks at each node is kept up to date here: keys, checkers,
   material and squares, phase. */
#include "engine/position.h"

#include "engine/psq.h"
#include "engine/zobrist.h"

/* Rights that a move from or to the square takes away. */
static const uint8_t castling_lost[64] = {
    [0] = CASTLE_WHITE_QUEEN, [4] = CASTLE_WHITE_KING | CASTLE_WHITE_QUEEN, [7] = CASTLE_WHITE_KING,
    [56] = CASTLE_BLACK_QUEEN, [60] = CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN, [63] = CASTLE_BLACK_KING,
};

static inline void toggle(struct position *p, int piece, int square)
{
    p->by_type[piece_type(piece)] ^= bb_of(square);
    p->by_colour[piece_colour(piece)] ^= bb_of(square);
}

/* Piece appears on or leaves a square: sets and keys; `sign` for the values. */
static inline void count_in(struct position *p, int piece, int square, int sign)
{
    uint64_t key = zobrist.piece[piece][square];
    p->key ^= key;
    if (piece_type(piece) == PAWN)
        p->pawn_key ^= key;
    p->psq += sign * psq_value[piece][square];
}

static inline void put(struct position *p, int piece, int square)
{
    toggle(p, piece, square);
    p->board[square] = (uint8_t)piece;
    count_in(p, piece, square, 1);
}

static inline void take(struct position *p, int piece, int square)
{
    toggle(p, piece, square);
    p->board[square] = NO_PIECE;
    count_in(p, piece, square, -1);
}

bitboard position_attackers(const struct position *p, int square, bitboard occupied)
{
    bitboard queens = p->by_type[QUEEN];
    return (bb.pawn[BLACK][square] & position_pieces(p, PAWN, WHITE))
         | (bb.pawn[WHITE][square] & position_pieces(p, PAWN, BLACK))
         | (bb.knight[square] & p->by_type[KNIGHT])
         | (bb.king[square] & p->by_type[KING])
         | (bishop_attacks(square, occupied) & (p->by_type[BISHOP] | queens))
         | (rook_attacks(square, occupied) & (p->by_type[ROOK] | queens));
}

static bitboard checkers_of(const struct position *p)
{
    return position_attackers(p, position_king(p, p->side), position_occupied(p)) & p->by_colour[!p->side];
}

/* Can the side to move capture en passant on `square` without exposing its king? */
static bool ep_capturable(const struct position *p, int square)
{
    int us = p->side, king = position_king(p, us), victim = square ^ 8;
    bitboard capturers = bb.pawn[!us][square] & position_pieces(p, PAWN, us);
    while (capturers) {
        int from = bb_pop(&capturers);
        bitboard occupied = position_occupied(p) ^ bb_of(from) ^ bb_of(victim) ^ bb_of(square);
        bitboard attackers = position_attackers(p, king, occupied) & p->by_colour[!us] & ~bb_of(victim);
        if (!attackers)
            return true;
    }
    return false;
}

void position_set_ep(struct position *p, int square)
{
    if (!ep_capturable(p, square))
        return;
    p->ep = (uint8_t)square;
    p->key ^= zobrist.ep_file[square_file(square)];
}

static void clear_ep(struct position *p)
{
    if (p->ep == NO_SQUARE)
        return;
    p->key ^= zobrist.ep_file[square_file(p->ep)];
    p->ep = NO_SQUARE;
}

static void save(const struct position *p, struct undo *undo)
{
    *undo = (struct undo){ .key = p->key, .pawn_key = p->pawn_key, .checkers = p->checkers, .psq = p->psq,
                           .phase = p->phase, .halfmove = p->halfmove, .castling = p->castling, .ep = p->ep,
                           .captured = NO_PIECE };
}

static void restore(struct position *p, const struct undo *undo)
{
    p->key = undo->key;
    p->pawn_key = undo->pawn_key;
    p->checkers = undo->checkers;
    p->psq = undo->psq;
    p->phase = undo->phase;
    p->halfmove = undo->halfmove;
    p->castling = undo->castling;
    p->ep = undo->ep;
}

static void capture_at(struct position *p, int square, struct undo *undo)
{
    int captured = p->board[square];
    undo->captured = (uint8_t)captured;
    take(p, captured, square);
    p->phase -= psq_phase[piece_type(captured)];
    p->halfmove = 0;
}

static void promote(struct position *p, int to, int type)
{
    take(p, piece_new(PAWN, p->side), to);
    put(p, piece_new(type, p->side), to);
    p->phase += psq_phase[type];
}

struct rook_jump {
    uint8_t from, to;
};

static struct rook_jump rook_jump(int king_to)
{
    bool short_side = square_file(king_to) == 6;
    return (struct rook_jump){ (uint8_t)(short_side ? king_to + 1 : king_to - 2),
                               (uint8_t)(short_side ? king_to - 1 : king_to + 1) };
}

static void castle_rook(struct position *p, int king_to)
{
    struct rook_jump jump = rook_jump(king_to);
    int rook = piece_new(ROOK, p->side);
    take(p, rook, jump.from);
    put(p, rook, jump.to);
}

static void drop_rights(struct position *p, int from, int to)
{
    int lost = p->castling & (castling_lost[from] | castling_lost[to]);
    if (!lost)
        return;
    p->key ^= zobrist.castling[p->castling] ^ zobrist.castling[p->castling & ~lost];
    p->castling = (uint8_t)(p->castling & ~lost);
}

static void pass_turn(struct position *p)
{
    p->fullmove += p->side == BLACK;
    p->side = !p->side;
    p->key ^= zobrist.black_to_move;
}

void position_make(struct position *p, move_t move, struct undo *undo)
{
    int from = move_from(move), to = move_to(move), flag = move_flag(move);
    int piece = p->board[from];
    save(p, undo);
    clear_ep(p);
    p->halfmove++;
    if (flag & MOVE_CAPTURE)
        capture_at(p, flag == MOVE_EN_PASSANT ? to ^ 8 : to, undo);
    take(p, piece, from);
    put(p, piece, to);
    if (flag & MOVE_PROMOTION)
        promote(p, to, move_promotion(move));
    else if (flag == MOVE_CASTLE_KING || flag == MOVE_CASTLE_QUEEN)
        castle_rook(p, to);
    if (piece_type(piece) == PAWN)
        p->halfmove = 0;
    drop_rights(p, from, to);
    pass_turn(p);
    p->checkers = checkers_of(p);
    if (flag == MOVE_DOUBLE_PUSH && (bb.pawn[!p->side][to ^ 8] & position_pieces(p, PAWN, p->side)))
        position_set_ep(p, to ^ 8);
}

/* Sets and board only: keys and values come back from the undo. */
static void move_back(struct position *p, int piece, int from, int to)
{
    p->by_type[piece_type(piece)] ^= bb_of(from) | bb_of(to);
    p->by_colour[piece_colour(piece)] ^= bb_of(from) | bb_of(to);
    p->board[to] = NO_PIECE;
    p->board[from] = (uint8_t)piece;
}

void position_unmake(struct position *p, move_t move, const struct undo *undo)
{
    int from = move_from(move), to = move_to(move), flag = move_flag(move);
    p->side = !p->side;
    p->fullmove -= p->side == BLACK;
    restore(p, undo);
    if (flag & MOVE_PROMOTION) {
        toggle(p, p->board[to], to);
        toggle(p, piece_new(PAWN, p->side), to);
        p->board[to] = (uint8_t)piece_new(PAWN, p->side);
    }
    move_back(p, p->board[to], from, to);
    if (flag & MOVE_CAPTURE) {
        int square = flag == MOVE_EN_PASSANT ? to ^ 8 : to;
        toggle(p, undo->captured, square);
        p->board[square] = undo->captured;
    } else if (flag == MOVE_CASTLE_KING || flag == MOVE_CASTLE_QUEEN) {
        struct rook_jump jump = rook_jump(to);
        move_back(p, p->board[jump.to], jump.from, jump.to);
    }
}

void position_make_null(struct position *p, struct undo *undo)
{
    save(p, undo);
    clear_ep(p);
    p->halfmove = 0;
    pass_turn(p);
}

void position_unmake_null(struct position *p, const struct undo *undo)
{
    p->side = !p->side;
    p->fullmove -= p->side == BLACK;
    restore(p, undo);
}

bool position_insufficient(const struct position *p)
{
    if (p->by_type[PAWN] | p->by_type[ROOK] | p->by_type[QUEEN])
        return false;
    bitboard bishops = p->by_type[BISHOP], knights = p->by_type[KNIGHT];
    if (!bishops)
        return !bb_several(knights);
    return !knights && (!(bishops & BB_DARK) || !(bishops & ~BB_DARK));
}

uint64_t position_key_slow(const struct position *p)
{
    uint64_t key = zobrist.castling[p->castling] ^ (p->side == BLACK ? zobrist.black_to_move : 0);
    for (bitboard men = position_occupied(p); men;) {
        int square = bb_pop(&men);
        key ^= zobrist.piece[p->board[square]][square];
    }
    return p->ep == NO_SQUARE ? key : key ^ zobrist.ep_file[square_file(p->ep)];
}

uint64_t position_pawn_key_slow(const struct position *p)
{
    uint64_t key = 0;
    for (bitboard pawns = p->by_type[PAWN]; pawns;) {
        int square = bb_pop(&pawns);
        key ^= zobrist.piece[p->board[square]][square];
    }
    return key;
}

void position_refresh(struct position *p)
{
    p->psq = 0;
    p->phase = 0;
    for (bitboard men = position_occupied(p); men;) {
        int square = bb_pop(&men);
        p->psq += psq_value[p->board[square]][square];
        p->phase += psq_phase[piece_type(p->board[square])];
    }
    p->key = position_key_slow(p);
    p->pawn_key = position_pawn_key_slow(p);
    p->checkers = checkers_of(p);
}
