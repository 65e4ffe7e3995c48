/* Each term is computed for both sides by the same code in the side's own view, so mirrored positions get mirrored
   values. The numbers are in weights.c, fitted by tests/bench/tune.c; the forms of the terms are guesses that a
   match has confirmed (README.md). */
#include "engine/eval.h"

struct view {
    const struct position *p;
    bitboard occupied, king_zone[2];
    bitboard by_type[2][PIECE_TYPES]; /* attacked by the side's men of the type */
    bitboard attacked[2], twice[2];   /* by any of the side's men, by two of them */
    int danger[2];                    /* in which the side's king is, quarters */
};

static bitboard fill_forward(bitboard set, int side)
{
    if (side == WHITE) {
        set |= set << 8;
        set |= set << 16;
        return set | set << 32;
    }
    set |= set >> 8;
    set |= set >> 16;
    return set | set >> 32;
}

static bitboard file_fill(bitboard set) { return fill_forward(set, WHITE) | fill_forward(set, BLACK); }

static int own_rank(int square, int side) { return square_rank(side == WHITE ? square : square ^ 56); }

/* Pawn structure of one side; adds its passed pawns to *passed. */
static score_pair pawn_structure(const struct position *p, int side, bitboard *passed)
{
    bitboard own = position_pieces(p, PAWN, side), enemy = position_pieces(p, PAWN, !side);
    bitboard own_attacks = bb_pawn_attacks(own, side), files = file_fill(own);
    bitboard neighbours = bb_east(files) | bb_west(files);
    bitboard enemy_front = fill_forward(bb_forward(enemy, !side), !side);
    bitboard held = enemy_front | bb_east(enemy_front) | bb_west(enemy_front);
    bitboard behind = fill_forward(bb_forward(own, !side), !side); /* squares behind own pawns */
    bitboard reach = fill_forward(own_attacks, side);
    bitboard weak = bb_forward(own, side) & bb_pawn_attacks(enemy, !side) & ~reach;
    score_pair score = weights.isolated * bb_count(own & ~neighbours);
    score += weights.doubled * bb_count(own & behind);
    score += weights.backward * bb_count(weak);
    score += weights.phalanx * bb_count(own & bb_east(own));
    for (bitboard left = own & own_attacks; left;)
        score += weights.supported[own_rank(bb_pop(&left), side)];
    bitboard free = own & ~held & ~behind;
    *passed |= free;
    while (free)
        score += weights.passed[own_rank(bb_pop(&free), side)];
    return score;
}

/* On one file: the own pawn that is nearest before the king, and the enemy's that is nearest to come; rank 0: none. */
static score_pair shelter_file(const struct position *p, int side, int king, int file)
{
    bitboard line = fill_forward(bb_of((king & 56) + file), side);
    bitboard own = line & position_pieces(p, PAWN, side), enemy = line & position_pieces(p, PAWN, !side);
    if (side == BLACK) {
        own = bb_flip(own);
        enemy = bb_flip(enemy);
    }
    return weights.shelter[own ? square_rank(bb_first(own)) : 0]
         + weights.storm[enemy ? square_rank(bb_first(enemy)) : 0];
}

/* On the king's file and its neighbours; from the border, on the three nearest. */
static score_pair king_shelter(const struct position *p, int side)
{
    int king = position_king(p, side), file = square_file(king);
    int middle = file < 1 ? 1 : file > 6 ? 6 : file;
    score_pair score = 0;
    for (int i = middle - 1; i <= middle + 1; i++)
        score += shelter_file(p, side, king, i);
    return score;
}

static const struct eval_pawns *pawns_of(const struct position *p, struct eval_pawns *pawns)
{
    int kings = position_king(p, WHITE) << 8 | position_king(p, BLACK) | 1 << 16;
    struct eval_pawns *slot = &pawns[p->pawn_key % EVAL_PAWN_SLOTS];
    bool known = slot->key == p->pawn_key && slot->kings;
    if (known && slot->kings == kings)
        return slot;
    if (!known) {
        slot->key = p->pawn_key;
        slot->passed = 0;
        slot->structure = pawn_structure(p, WHITE, &slot->passed);
        slot->structure -= pawn_structure(p, BLACK, &slot->passed);
    }
    slot->kings = kings;
    slot->score = slot->structure + king_shelter(p, WHITE) - king_shelter(p, BLACK);
    return slot;
}

static int distance(int a, int b)
{
    int ranks = square_rank(a) - square_rank(b), files = square_file(a) - square_file(b);
    ranks = ranks < 0 ? -ranks : ranks;
    files = files < 0 ? -files : files;
    return ranks > files ? ranks : files;
}

/* What the pieces make of a passed pawn: kings near its next square, who holds that square. */
static score_pair passed_terms(const struct view *v, int side, bitboard passed)
{
    const struct position *p = v->p;
    int up = side == WHITE ? 8 : -8;
    score_pair score = 0;
    for (bitboard left = passed & p->by_colour[side]; left;) {
        int square = bb_pop(&left), rank = own_rank(square, side), next = square + up;
        score += weights.passed_own_king[rank] * distance(position_king(p, side), next);
        score += weights.passed_enemy_king[rank] * distance(position_king(p, !side), next);
        if (bb_of(next) & v->occupied)
            score += weights.passed_blocked[rank];
        else if (!(bb_of(next) & v->attacked[!side]))
            score += weights.passed_free[rank];
    }
    return score;
}

static inline score_pair pieces_of_type(struct view *v, int side, int type, const score_pair *mobility, bitboard safe)
{
    const struct position *p = v->p;
    bitboard through = v->occupied, men = position_pieces(p, type, side), all = 0;
    score_pair score = 0;
    int danger = 0;
    /* Batteries: bishops and rooks look through their own queen, rooks through rooks. */
    if (type == BISHOP)
        through ^= position_pieces(p, QUEEN, side);
    if (type == ROOK)
        through ^= position_pieces(p, QUEEN, side) | position_pieces(p, ROOK, side);
    while (men) {
        bitboard attacks = piece_attacks(type, bb_pop(&men), through);
        bitboard near = attacks & v->king_zone[!side];
        score += mobility[bb_count(attacks & safe)];
        danger += score_mg(weights.king_attacker) * (near != 0) + score_mg(weights.king_attack[type]) * bb_count(near);
        v->twice[side] |= v->attacked[side] & attacks;
        v->attacked[side] |= attacks;
        all |= attacks;
    }
    v->by_type[side][type] = all;
    v->danger[!side] += danger;
    return score;
}

/* Fills the side's attacks. */
static score_pair mobility_terms(struct view *v, int side)
{
    const struct position *p = v->p;
    bitboard pawns = position_pieces(p, PAWN, side), king = bb.king[position_king(p, side)];
    bitboard safe = ~(p->by_colour[side] & (p->by_type[PAWN] | p->by_type[KING]))
                  & ~bb_pawn_attacks(position_pieces(p, PAWN, !side), !side);
    bitboard ahead = bb_forward(pawns, side), east = bb_east(ahead), west = bb_west(ahead);
    v->by_type[side][PAWN] = east | west;
    v->by_type[side][KING] = king;
    v->attacked[side] = east | west | king;
    v->twice[side] = (east & west) | ((east | west) & king);
    score_pair score = pieces_of_type(v, side, KNIGHT, weights.knight_mobility, safe);
    score += pieces_of_type(v, side, BISHOP, weights.bishop_mobility, safe);
    score += pieces_of_type(v, side, ROOK, weights.rook_mobility, safe);
    return score + pieces_of_type(v, side, QUEEN, weights.queen_mobility, safe);
}

static score_pair rook_terms(const struct view *v, int side)
{
    const struct position *p = v->p;
    bitboard rooks = position_pieces(p, ROOK, side);
    if (!rooks)
        return 0;
    bitboard no_own = rooks & ~file_fill(position_pieces(p, PAWN, side));
    bitboard enemy = file_fill(position_pieces(p, PAWN, !side));
    return weights.rook_half_open_file * bb_count(no_own & enemy) + weights.rook_open_file * bb_count(no_own & ~enemy);
}

static score_pair minor_terms(const struct view *v, int side)
{
    const struct position *p = v->p;
    bitboard knights = position_pieces(p, KNIGHT, side), bishops = position_pieces(p, BISHOP, side);
    if (!(knights | bishops))
        return 0;
    bitboard pawns = position_pieces(p, PAWN, side);
    bitboard camp = side == WHITE ? UINT64_C(0x00ffffff00000000) : UINT64_C(0x00000000ffffff00);
    bitboard posts = camp & v->by_type[side][PAWN] & ~fill_forward(v->by_type[!side][PAWN], !side);
    score_pair score = weights.knight_outpost * bb_count(knights & posts);
    score += weights.bishop_outpost * bb_count(bishops & posts);
    score += weights.minor_sheltered * bb_count((knights | bishops) & bb_forward(p->by_type[PAWN], !side));
    if (bishops & BB_DARK)
        score += weights.bishop_own_colour * bb_count(pawns & BB_DARK);
    if (bishops & ~BB_DARK)
        score += weights.bishop_own_colour * bb_count(pawns & ~BB_DARK);
    return bb_several(bishops) ? score + weights.bishop_pair : score;
}

static score_pair threats(const struct view *v, int side)
{
    const struct position *p = v->p;
    bitboard enemy = p->by_colour[!side] & ~p->by_type[KING], pieces = enemy & ~p->by_type[PAWN];
    bitboard minors = v->by_type[side][KNIGHT] | v->by_type[side][BISHOP];
    bitboard step = bb_forward(position_pieces(p, PAWN, side), side) & ~v->occupied & ~v->by_type[!side][PAWN];
    step &= v->attacked[side] | ~v->attacked[!side];
    score_pair score = weights.pawn_threat * bb_count(v->by_type[side][PAWN] & pieces);
    score += weights.push_threat * bb_count(bb_pawn_attacks(step, side) & pieces);
    score += weights.minor_on_minor * bb_count(minors & enemy & (p->by_type[KNIGHT] | p->by_type[BISHOP]));
    score += weights.minor_on_rook * bb_count(minors & enemy & p->by_type[ROOK]);
    score += weights.minor_on_queen * bb_count(minors & enemy & p->by_type[QUEEN]);
    score += weights.rook_on_queen * bb_count(v->by_type[side][ROOK] & enemy & p->by_type[QUEEN]);
    return score + weights.hanging * bb_count(enemy & v->attacked[side] & ~v->attacked[!side]);
}

static int safe_checks(const struct view *v, int side, bitboard weak)
{
    const struct position *p = v->p;
    int king = position_king(p, !side);
    bitboard safe = ~p->by_colour[side] & (~v->attacked[!side] | (weak & v->twice[side]));
    bitboard straight = rook_attacks(king, v->occupied) & safe, diagonal = bishop_attacks(king, v->occupied) & safe;
    /* No branches: what they would depend on is as good as random. */
    return score_mg(weights.safe_check[KNIGHT]) * ((v->by_type[side][KNIGHT] & bb.knight[king] & safe) != 0)
         + score_mg(weights.safe_check[BISHOP]) * ((v->by_type[side][BISHOP] & diagonal) != 0)
         + score_mg(weights.safe_check[ROOK]) * ((v->by_type[side][ROOK] & straight) != 0)
         + score_mg(weights.safe_check[QUEEN]) * ((v->by_type[side][QUEEN] & (straight | diagonal)) != 0);
}

/* What the side makes of the danger that the enemy king is in. It grows with the square. */
static score_pair king_attack(const struct view *v, int side)
{
    const struct position *p = v->p;
    bitboard weak = v->attacked[side] & ~v->twice[!side] & (~v->attacked[!side] | v->by_type[!side][KING]);
    int danger = v->danger[!side] + score_mg(weights.danger_base) + safe_checks(v, side, weak);
    danger += score_mg(weights.king_weak_square) * bb_count(weak & v->king_zone[!side]);
    if (!position_pieces(p, QUEEN, side))
        danger += score_mg(weights.no_queen);
    danger = danger < 0 ? 0 : danger > 1000 ? 1000 : danger;
    return SCORE_PAIR(danger * danger / 1024, danger / 32);
}

static score_pair side_score(const struct view *v, int side, const struct eval_pawns *pawns)
{
    return king_attack(v, side) + rook_terms(v, side) + minor_terms(v, side) + passed_terms(v, side, pawns->passed)
         + threats(v, side);
}

/* Endgames that material alone does not win are drawn towards 0, in 64ths. */
static int winning_chances(const struct position *p, int strong)
{
    bitboard pawns = position_pieces(p, PAWN, strong);
    if (!pawns) {
        bitboard own = p->by_colour[strong], major = (p->by_type[ROOK] | p->by_type[QUEEN]) & own;
        if (!major && bb_count(own & ~p->by_type[KING]) < 2)
            return 4;
        if (!major && bb_count(own) == 3 && !(p->by_type[BISHOP] & own))
            return 4; /* two knights */
        return p->phase < 8 ? 40 : 56;
    }
    bitboard bishops = p->by_type[BISHOP];
    bool opposite = bb_count(bishops) == 2 && bb_count(bishops & p->by_colour[WHITE]) == 1
        && bb_count(bishops & BB_DARK) == 1;
    return opposite && !(p->by_type[KNIGHT] | p->by_type[ROOK] | p->by_type[QUEEN]) ? 32 : 64;
}

static int blend(const struct position *p, score_pair score)
{
    int phase = position_phase(p), eg = score_eg(score);
    eg = eg * winning_chances(p, eg > 0 ? WHITE : BLACK) / 64;
    return (score_mg(score) * phase + eg * (24 - phase)) / 24;
}

int eval_position(const struct position *p, struct eval_pawns *pawns)
{
    const struct eval_pawns *structure = pawns_of(p, pawns);
    struct view v = { .p = p, .occupied = position_occupied(p) };
    for (int side = WHITE; side <= BLACK; side++) {
        int king = position_king(p, side);
        v.king_zone[side] = bb.king[king] | bb_of(king);
    }
    score_pair score = p->psq + structure->score;
    score += mobility_terms(&v, WHITE);
    score -= mobility_terms(&v, BLACK);
    score += side_score(&v, WHITE, structure);
    score -= side_score(&v, BLACK, structure);
    score += p->side == WHITE ? weights.tempo : -weights.tempo;
    int value = blend(p, score);
    value = value > EVAL_LIMIT ? EVAL_LIMIT : value < -EVAL_LIMIT ? -EVAL_LIMIT : value;
    return p->side == WHITE ? value : -value;
}
