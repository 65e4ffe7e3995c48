/* The exchange is played out on one square, cheapest attacker first; sliders behind it join in as the
   square in front of them empties. Only the comparison with the threshold is needed, so it can end early. */
#include "engine/see.h"

#include "engine/psq.h"

static bitboard diagonal_sliders(const struct position *p) { return p->by_type[BISHOP] | p->by_type[QUEEN]; }
static bitboard straight_sliders(const struct position *p) { return p->by_type[ROOK] | p->by_type[QUEEN]; }

static int cheapest(const struct position *p, bitboard attackers)
{
    int type = PAWN;
    while (type < KING && !(attackers & p->by_type[type]))
        type++;
    return type;
}

/* `balance` is what the last mover leads by, seen from the side to move against the threshold. */
static bool exchange(const struct position *p, int square, bitboard occupied, int side, int balance)
{
    bitboard attackers = position_attackers(p, square, occupied) & occupied;
    bool winning = true; /* the mover of the first move stands well: balance >= 0 for it */
    for (;;) {
        side = !side;
        bitboard own = attackers & p->by_colour[side];
        if (!own)
            return winning;
        int type = cheapest(p, own);
        bitboard from = own & p->by_type[type];
        if (type == KING)
            return (attackers & p->by_colour[!side]) ? winning : !winning;
        winning = !winning;
        balance = psq_material[type] - balance;
        if (balance < winning)
            return winning;
        occupied ^= from & -from;
        if (type == PAWN || type == BISHOP || type == QUEEN)
            attackers |= bishop_attacks(square, occupied) & diagonal_sliders(p);
        if (type == ROOK || type == QUEEN)
            attackers |= rook_attacks(square, occupied) & straight_sliders(p);
        attackers &= occupied;
    }
}

bool see_at_least(const struct position *p, move_t move, int threshold)
{
    int from = move_from(move), to = move_to(move), flag = move_flag(move);
    if (flag == MOVE_CASTLE_KING || flag == MOVE_CASTLE_QUEEN)
        return threshold <= 0;
    int moved = piece_type(p->board[from]), gain = 0;
    bitboard occupied = (position_occupied(p) ^ bb_of(from)) | bb_of(to);
    if (flag == MOVE_EN_PASSANT) {
        gain = psq_material[PAWN];
        occupied ^= bb_of(to ^ 8);
    } else if (flag & MOVE_CAPTURE) {
        gain = psq_material[piece_type(p->board[to])];
    }
    if (flag & MOVE_PROMOTION) {
        moved = move_promotion(move);
        gain += psq_material[moved] - psq_material[PAWN];
    }
    int balance = gain - threshold;
    if (balance < 0)
        return false;
    balance = psq_material[moved] - balance;
    if (balance <= 0)
        return true;
    return exchange(p, to, occupied, p->side, balance);
}
