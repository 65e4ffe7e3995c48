/* Only legal moves are generated: pins and checks are masks, king steps are looked at one by one.
   Squares are taken in the mover's view (own first rank first), so mirrored positions give mirrored lists. */
#include "engine/movegen.h"

static inline bitboard view(bitboard set, int side) { return side == WHITE ? set : bb_flip(set); }
static inline int view_mask(int side) { return side == WHITE ? 0 : 56; }

struct movegen movegen_begin(const struct position *p)
{
    int us = p->side, king = position_king(p, us);
    struct movegen gen = { .rescue = ~UINT64_C(0) };
    bitboard queens = p->by_type[QUEEN], occupied = position_occupied(p);
    bitboard snipers = ((bishop_attacks(king, 0) & (p->by_type[BISHOP] | queens))
                        | (rook_attacks(king, 0) & (p->by_type[ROOK] | queens))) & p->by_colour[!us];
    while (snipers) {
        bitboard shield = bb.between[king][bb_pop(&snipers)] & occupied;
        if (shield && !bb_several(shield))
            gen.pinned |= shield & p->by_colour[us];
    }
    if (bb_several(p->checkers))
        gen.rescue = 0;
    else if (p->checkers)
        gen.rescue = p->checkers | bb.between[king][bb_first(p->checkers)];
    return gen;
}

struct check_squares movegen_check_squares(const struct position *p)
{
    int us = p->side, king = position_king(p, !us);
    bitboard occupied = position_occupied(p), own = p->by_colour[us], queens = p->by_type[QUEEN];
    struct check_squares squares = { .uncovers = 0 };
    squares.from[PAWN] = bb.pawn[!us][king];
    squares.from[KNIGHT] = bb.knight[king];
    squares.from[BISHOP] = bishop_attacks(king, occupied);
    squares.from[ROOK] = rook_attacks(king, occupied);
    squares.from[QUEEN] = squares.from[BISHOP] | squares.from[ROOK];
    bitboard snipers = ((bishop_attacks(king, 0) & (p->by_type[BISHOP] | queens))
                        | (rook_attacks(king, 0) & (p->by_type[ROOK] | queens))) & own;
    while (snipers) {
        bitboard shield = bb.between[king][bb_pop(&snipers)] & occupied;
        if (shield && !bb_several(shield))
            squares.uncovers |= shield & own;
    }
    return squares;
}

static bool attacked(const struct position *p, int square, bitboard occupied)
{
    int them = !p->side;
    bitboard men = p->by_colour[them], queens = p->by_type[QUEEN];
    return (bb.pawn[p->side][square] & p->by_type[PAWN] & men)
        || (bb.knight[square] & p->by_type[KNIGHT] & men)
        || (bb.king[square] & p->by_type[KING] & men)
        || (bishop_attacks(square, occupied) & (p->by_type[BISHOP] | queens) & men)
        || (rook_attacks(square, occupied) & (p->by_type[ROOK] | queens) & men);
}

static inline bool pin_allows(const struct movegen *gen, int king, int from, int to)
{
    return !(gen->pinned & bb_of(from)) || (bb.line[king][from] & bb_of(to));
}

/* Both pawns leave their rank at once, which no pin mask sees: try it. */
static bool ep_legal(const struct position *p, int from)
{
    int us = p->side, victim = p->ep ^ 8;
    bitboard occupied = position_occupied(p) ^ bb_of(from) ^ bb_of(victim) ^ bb_of(p->ep);
    bitboard attackers = position_attackers(p, position_king(p, us), occupied);
    return !(attackers & p->by_colour[!us] & ~bb_of(victim));
}

static inline move_t *put_promotions(move_t *moves, int from, int to, int capture)
{
    for (int type = QUEEN; type >= KNIGHT; type--)
        *moves++ = move_new(from, to, MOVE_PROMOTION + capture + type - KNIGHT);
    return moves;
}

/* Pawn moves to `targets`, which all lie `delta` ahead of their pawns (in White's squares). */
static inline move_t *put_pawns(const struct position *p, const struct movegen *gen, bitboard targets, int delta,
                                int flags, move_t *moves)
{
    int us = p->side, king = position_king(p, us), flip = view_mask(us);
    for (bitboard left = view(targets, us); left;) {
        int to = bb_pop(&left) ^ flip, from = to - delta;
        if (pin_allows(gen, king, from, to))
            *moves++ = move_new(from, to, flags);
    }
    return moves;
}

static inline move_t *put_promoting(const struct position *p, const struct movegen *gen, bitboard targets, int delta,
                                    int capture, move_t *moves)
{
    int us = p->side, king = position_king(p, us), flip = view_mask(us);
    for (bitboard left = view(targets, us); left;) {
        int to = bb_pop(&left) ^ flip, from = to - delta;
        if (pin_allows(gen, king, from, to))
            moves = put_promotions(moves, from, to, capture);
    }
    return moves;
}

static inline bitboard last_rank(int side) { return side == WHITE ? BB_RANK_8 : BB_RANK_1; }

static inline move_t *noisy_pawns(const struct position *p, const struct movegen *gen, bitboard wanted,
                                  move_t *moves)
{
    int us = p->side, up = us == WHITE ? 8 : -8;
    bitboard pawns = position_pieces(p, PAWN, us), last = last_rank(us), ahead = bb_forward(pawns, us);
    bitboard victims = wanted & gen->rescue;
    bitboard west = bb_west(ahead) & victims, east = bb_east(ahead) & victims;
    bitboard push = ahead & last & ~position_occupied(p) & gen->rescue;
    if ((west | east | push) & last) {
        moves = put_promoting(p, gen, push, up, 0, moves);
        moves = put_promoting(p, gen, west & last, up - 1, MOVE_CAPTURE, moves);
        moves = put_promoting(p, gen, east & last, up + 1, MOVE_CAPTURE, moves);
    }
    moves = put_pawns(p, gen, west & ~last, up - 1, MOVE_CAPTURE, moves);
    moves = put_pawns(p, gen, east & ~last, up + 1, MOVE_CAPTURE, moves);
    if (p->ep != NO_SQUARE && (wanted & bb_of(p->ep ^ 8)))
        for (bitboard left = bb.pawn[!us][p->ep] & pawns; left;) {
            int from = bb_pop(&left);
            if (ep_legal(p, from))
                *moves++ = move_new(from, p->ep, MOVE_EN_PASSANT);
        }
    return moves;
}

static inline move_t *quiet_pawns(const struct position *p, const struct movegen *gen, move_t *moves)
{
    int us = p->side, up = us == WHITE ? 8 : -8;
    bitboard empty = ~position_occupied(p), pawns = position_pieces(p, PAWN, us);
    bitboard once = bb_forward(pawns, us) & empty & ~last_rank(us);
    bitboard third = us == WHITE ? BB_RANK_1 << 16 : BB_RANK_8 >> 16;
    bitboard twice = bb_forward(once & third, us) & empty;
    moves = put_pawns(p, gen, once & gen->rescue, up, MOVE_QUIET, moves);
    return put_pawns(p, gen, twice & gen->rescue, 2 * up, MOVE_DOUBLE_PUSH, moves);
}

static inline move_t *put_pieces(const struct position *p, const struct movegen *gen, bitboard targets, int flags,
                                 move_t *moves)
{
    int us = p->side, king = position_king(p, us), flip = view_mask(us);
    bitboard occupied = position_occupied(p);
    for (int type = KNIGHT; type <= QUEEN; type++)
        for (bitboard men = view(position_pieces(p, type, us), us); men;) {
            int from = bb_pop(&men) ^ flip;
            bitboard to_set = piece_attacks(type, from, occupied) & targets;
            if (gen->pinned & bb_of(from))
                to_set &= bb.line[king][from];
            for (bitboard left = view(to_set, us); left;)
                *moves++ = move_new(from, bb_pop(&left) ^ flip, flags);
        }
    return moves;
}

static inline move_t *put_king(const struct position *p, bitboard targets, int flags, move_t *moves)
{
    int us = p->side, king = position_king(p, us), flip = view_mask(us);
    bitboard without_king = position_occupied(p) ^ bb_of(king);
    for (bitboard left = view(bb.king[king] & targets, us); left;) {
        int to = bb_pop(&left) ^ flip;
        if (!attacked(p, to, without_king))
            *moves++ = move_new(king, to, flags);
    }
    return moves;
}

struct castle_rule {
    uint8_t right, flag;
    bitboard empty;      /* on White's first rank */
    uint8_t step, to;    /* squares that must not be attacked */
};

static const struct castle_rule castle_rules[2] = {
    { CASTLE_WHITE_KING, MOVE_CASTLE_KING, 0x60, 5, 6 },
    { CASTLE_WHITE_QUEEN, MOVE_CASTLE_QUEEN, 0x0e, 3, 2 },
};

static bool castle_legal(const struct position *p, const struct castle_rule *rule)
{
    int us = p->side, flip = view_mask(us);
    bitboard occupied = position_occupied(p);
    return (p->castling & (us == WHITE ? rule->right : rule->right << 2)) && !p->checkers
        && !(view(occupied, us) & rule->empty) && !attacked(p, rule->step ^ flip, occupied)
        && !attacked(p, rule->to ^ flip, occupied);
}

static move_t *put_castling(const struct position *p, move_t *moves)
{
    int flip = view_mask(p->side);
    for (int i = 0; i < 2; i++)
        if (castle_legal(p, &castle_rules[i]))
            *moves++ = move_new(4 ^ flip, castle_rules[i].to ^ flip, castle_rules[i].flag);
    return moves;
}

move_t *movegen_noisy(const struct position *p, const struct movegen *gen, bitboard victims, move_t *moves)
{
    if (gen->rescue) {
        moves = noisy_pawns(p, gen, victims, moves);
        moves = put_pieces(p, gen, victims & gen->rescue, MOVE_CAPTURE, moves);
    }
    return put_king(p, victims, MOVE_CAPTURE, moves);
}

move_t *movegen_quiet(const struct position *p, const struct movegen *gen, move_t *moves)
{
    bitboard empty = ~position_occupied(p);
    if (gen->rescue) {
        moves = quiet_pawns(p, gen, moves);
        moves = put_pieces(p, gen, empty & gen->rescue, MOVE_QUIET, moves);
    }
    moves = put_king(p, empty, MOVE_QUIET, moves);
    return p->castling && !p->checkers ? put_castling(p, moves) : moves;
}

static bool pawn_move_fits(const struct position *p, int from, int to, int flag)
{
    int us = p->side, up = us == WHITE ? 8 : -8;
    bool promotes = (bb_of(to) & last_rank(us)) != 0;
    if (promotes != ((flag & MOVE_PROMOTION) != 0))
        return false;
    if (flag & MOVE_CAPTURE)
        return (bb.pawn[us][from] & bb_of(to)) != 0;
    if (flag == MOVE_DOUBLE_PUSH)
        return square_rank(from ^ view_mask(us)) == 1 && to == from + 2 * up
            && p->board[from + up] == NO_PIECE;
    return to == from + up;
}

/* Geometry and flags, as if the king could not be captured. */
static bool move_fits(const struct position *p, move_t move)
{
    int from = move_from(move), to = move_to(move), flag = move_flag(move), piece = p->board[from];
    int target = p->board[to];
    if (piece == NO_PIECE || piece_colour(piece) != p->side || flag == 6 || flag == 7) /* no such flags */
        return false;
    bool captures = (flag & MOVE_CAPTURE) && flag != MOVE_EN_PASSANT;
    if (captures ? target == NO_PIECE || piece_colour(target) == p->side : target != NO_PIECE)
        return false;
    if (piece_type(piece) == PAWN)
        return flag != MOVE_CASTLE_KING && flag != MOVE_CASTLE_QUEEN && pawn_move_fits(p, from, to, flag);
    return (flag == MOVE_QUIET || flag == MOVE_CAPTURE)
        && (piece_attacks(piece_type(piece), from, position_occupied(p)) & bb_of(to));
}

static bool castle_move_legal(const struct position *p, move_t move)
{
    const struct castle_rule *rule = &castle_rules[move_flag(move) - MOVE_CASTLE_KING];
    int flip = view_mask(p->side);
    return move == move_new(4 ^ flip, rule->to ^ flip, rule->flag) && castle_legal(p, rule);
}

bool movegen_is_legal(const struct position *p, const struct movegen *gen, move_t move)
{
    int from = move_from(move), to = move_to(move), flag = move_flag(move);
    if (flag == MOVE_CASTLE_KING || flag == MOVE_CASTLE_QUEEN)
        return castle_move_legal(p, move);
    if (!move || !move_fits(p, move))
        return false;
    if (flag == MOVE_EN_PASSANT)
        return to == p->ep && ep_legal(p, from);
    int king = position_king(p, p->side);
    if (from == king)
        return !attacked(p, to, position_occupied(p) ^ bb_of(king));
    return (gen->rescue & bb_of(to)) && pin_allows(gen, king, from, to);
}

int position_legal_moves(const struct position *p, move_t moves[static MOVES_MAX])
{
    struct movegen gen = movegen_begin(p);
    move_t *end = movegen_noisy(p, &gen, p->by_colour[!p->side], moves);
    return (int)(movegen_quiet(p, &gen, end) - moves);
}

bool position_is_legal(const struct position *p, move_t move)
{
    struct movegen gen = movegen_begin(p);
    return movegen_is_legal(p, &gen, move);
}

/* Moves of `pawns` to squares in `allowed`, without en passant. */
static inline int count_pawns(const struct position *p, bitboard pawns, bitboard allowed)
{
    int us = p->side;
    bitboard empty = ~position_occupied(p), ahead = bb_forward(pawns, us), last = last_rank(us);
    bitboard once = ahead & empty, third = us == WHITE ? BB_RANK_1 << 16 : BB_RANK_8 >> 16;
    bitboard twice = bb_forward(once & third, us) & empty & allowed;
    bitboard victims = p->by_colour[!us] & allowed, west = bb_west(ahead) & victims, east = bb_east(ahead) & victims;
    once &= allowed;
    return bb_count(once) + bb_count(twice) + bb_count(west) + bb_count(east)
        + 3 * (bb_count(once & last) + bb_count(west & last) + bb_count(east & last));
}

static inline int count_pieces(const struct position *p, const struct movegen *gen, int king)
{
    bitboard occupied = position_occupied(p), own = p->by_colour[p->side], targets = ~own & gen->rescue;
    int count = 0;
    for (int type = KNIGHT; type <= QUEEN; type++)
        for (bitboard men = own & p->by_type[type]; men;) {
            int from = bb_pop(&men);
            bitboard to_set = piece_attacks(type, from, occupied) & targets;
            count += bb_count(gen->pinned & bb_of(from) ? to_set & bb.line[king][from] : to_set);
        }
    return count;
}

/* How many legal moves there are, without a list of them. */
static int count_moves(const struct position *p)
{
    struct movegen gen = movegen_begin(p);
    int us = p->side, king = position_king(p, us), count = 0;
    bitboard pawns = position_pieces(p, PAWN, us), occupied = position_occupied(p), without_king = occupied ^ bb_of(king);
    for (bitboard left = bb.king[king] & ~p->by_colour[us]; left;)
        count += !attacked(p, bb_pop(&left), without_king);
    if (!gen.rescue)
        return count;
    count += count_pieces(p, &gen, king) + count_pawns(p, pawns & ~gen.pinned, gen.rescue);
    for (bitboard left = pawns & gen.pinned; left;) {
        int from = bb_pop(&left);
        count += count_pawns(p, bb_of(from), gen.rescue & bb.line[king][from]);
    }
    if (p->ep != NO_SQUARE)
        for (bitboard left = bb.pawn[!us][p->ep] & pawns; left;)
            count += ep_legal(p, bb_pop(&left));
    for (int i = 0; p->castling && i < 2; i++)
        count += castle_legal(p, &castle_rules[i]);
    return count;
}

uint64_t perft(struct position *p, int depth)
{
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)count_moves(p);
    move_t moves[MOVES_MAX];
    int count = position_legal_moves(p, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct undo undo;
        position_make(p, moves[i], &undo);
        leaves += perft(p, depth - 1);
        position_unmake(p, moves[i], &undo);
    }
    return leaves;
}
