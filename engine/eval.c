/* All weights are guesses from general chess knowledge, tested only by seeing that they help. Each term is
   computed for both sides by the same code in the side's own view, so mirrored positions get mirrored values. */
#include "engine/eval.h"

static const score_pair tempo = SCORE_PAIR(14, 8);
static const score_pair bishop_pair = SCORE_PAIR(28, 48);
static const score_pair rook_open_file = SCORE_PAIR(28, 10);
static const score_pair rook_half_open_file = SCORE_PAIR(12, 8);
static const score_pair isolated = SCORE_PAIR(-11, -10);
static const score_pair doubled = SCORE_PAIR(-7, -18);
static const score_pair backward = SCORE_PAIR(-8, -8);
static const score_pair supported = SCORE_PAIR(8, 6);
static const score_pair phalanx = SCORE_PAIR(6, 4);
static const score_pair minor_threat = SCORE_PAIR(42, 28); /* a pawn attacks a piece */
static const score_pair outpost = SCORE_PAIR(20, 10);

/* By own rank. */
static const score_pair passed_bonus[8] = {
    0, SCORE_PAIR(0, 8), SCORE_PAIR(0, 12), SCORE_PAIR(8, 28), SCORE_PAIR(26, 56), SCORE_PAIR(60, 100),
    SCORE_PAIR(100, 150), 0,
};

/* Mobility: a value per square reached beyond a usual number, and the weight of an attack near the king. */
struct piece_terms {
    int16_t mg, eg, usual, king_weight;
};

static const struct piece_terms terms[PIECE_TYPES] = {
    [KNIGHT] = { 5, 5, 4, 8 }, [BISHOP] = { 5, 5, 6, 8 }, [ROOK] = { 3, 5, 6, 10 }, [QUEEN] = { 2, 4, 11, 14 },
};

struct view {
    const struct position *p;
    int side;
    bitboard occupied, pawn_attacks[2], king_zone[2];
    bitboard safe;      /* squares counted for mobility */
    int king_danger;    /* sum of attack weights near the enemy king */
    int king_attackers;
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
    bitboard free = own & ~held & ~behind;
    bitboard reach = fill_forward(own_attacks, side);
    bitboard weak = bb_forward(own, side) & bb_pawn_attacks(enemy, !side) & ~reach;
    score_pair score = isolated * bb_count(own & ~neighbours);
    score += doubled * bb_count(own & behind);
    score += backward * bb_count(weak);
    score += supported * bb_count(own & own_attacks);
    score += phalanx * bb_count(own & bb_east(own));
    *passed |= free;
    while (free)
        score += passed_bonus[own_rank(bb_pop(&free), side)];
    return score;
}

static const struct eval_pawns *pawns_of(const struct position *p, struct eval_pawns *pawns)
{
    struct eval_pawns *slot = &pawns[p->pawn_key % EVAL_PAWN_SLOTS];
    if (slot->key == p->pawn_key && slot->filled)
        return slot;
    bitboard passed = 0;
    score_pair score = pawn_structure(p, WHITE, &passed);
    score -= pawn_structure(p, BLACK, &passed);
    *slot = (struct eval_pawns){ .key = p->pawn_key, .score = score, .filled = 1, .passed = passed };
    return slot;
}

static int distance(int a, int b)
{
    int ranks = square_rank(a) - square_rank(b), files = square_file(a) - square_file(b);
    ranks = ranks < 0 ? -ranks : ranks;
    files = files < 0 ? -files : files;
    return ranks > files ? ranks : files;
}

/* What the pieces make of a passed pawn: kings near its next square, a blocker in front. */
static score_pair passed_terms(const struct view *v, bitboard passed)
{
    const struct position *p = v->p;
    int side = v->side, up = side == WHITE ? 8 : -8;
    score_pair score = 0;
    for (bitboard left = passed & p->by_colour[side]; left;) {
        int square = bb_pop(&left), rank = own_rank(square, side), next = square + up;
        if (rank < 3)
            continue;
        int near = 5 * distance(position_king(p, !side), next) - 2 * distance(position_king(p, side), next);
        score += SCORE_PAIR(0, near * (rank - 2));
        if (bb_of(next) & v->occupied)
            score += SCORE_PAIR(-4 * (rank - 2), -10 * (rank - 2));
    }
    return score;
}

static inline score_pair pieces_of_type(struct view *v, int type)
{
    const struct position *p = v->p;
    int side = v->side;
    const struct piece_terms *term = &terms[type];
    bitboard through = v->occupied;
    /* Batteries: bishops and rooks look through their own queen, rooks through rooks. */
    if (type == BISHOP)
        through ^= position_pieces(p, QUEEN, side);
    if (type == ROOK)
        through ^= position_pieces(p, QUEEN, side) | position_pieces(p, ROOK, side);
    int reached = 0;
    for (bitboard men = position_pieces(p, type, side); men;) {
        bitboard attacks = piece_attacks(type, bb_pop(&men), through);
        bitboard near = attacks & v->king_zone[!side];
        reached += bb_count(attacks & v->safe) - term->usual;
        if (near) {
            v->king_attackers++;
            v->king_danger += term->king_weight * bb_count(near);
        }
    }
    return SCORE_PAIR(term->mg * reached, term->eg * reached);
}

static score_pair rook_files(const struct view *v)
{
    const struct position *p = v->p;
    bitboard rooks = position_pieces(p, ROOK, v->side);
    if (!rooks)
        return 0;
    bitboard no_own = rooks & ~file_fill(position_pieces(p, PAWN, v->side));
    bitboard enemy = file_fill(position_pieces(p, PAWN, !v->side));
    return rook_half_open_file * bb_count(no_own & enemy) + rook_open_file * bb_count(no_own & ~enemy);
}

/* Pawns in front of the king count in the middle game. */
static score_pair king_shelter(const struct view *v)
{
    bitboard front = bb_forward(v->king_zone[v->side], v->side) | v->king_zone[v->side];
    bitboard own = position_pieces(v->p, PAWN, v->side);
    bitboard near = v->king_zone[v->side] & own, far = front & own & ~near;
    int king = position_king(v->p, v->side);
    bitboard king_files = file_fill(bb_of(king) | bb_east(bb_of(king)) | bb_west(bb_of(king)));
    int open = bb_count(king_files & BB_RANK_1 & ~file_fill(own));
    return SCORE_PAIR(9 * bb_count(near) + 4 * bb_count(far) - 12 * open, 0);
}

/* Grows with the square of the attack; a lone attacker hardly counts. */
static score_pair king_attack(const struct view *v)
{
    if (v->king_attackers < 2)
        return SCORE_PAIR(v->king_danger / 8, 0);
    int danger = v->king_danger + 6 * v->king_attackers;
    danger = danger > 200 ? 200 : danger;
    return SCORE_PAIR(danger * danger / 64, danger / 8);
}

static score_pair side_score(struct view *v, int side, const struct eval_pawns *pawns)
{
    const struct position *p = v->p;
    bitboard enemy_pieces = p->by_colour[!side] & ~p->by_type[PAWN] & ~p->by_type[KING];
    bitboard minors = position_pieces(p, KNIGHT, side);
    bitboard camp = side == WHITE ? UINT64_C(0x00ffffff00000000) : UINT64_C(0x00000000ffffff00);
    v->side = side;
    v->safe = ~(p->by_colour[side] & (p->by_type[PAWN] | p->by_type[KING])) & ~v->pawn_attacks[!side];
    v->king_danger = v->king_attackers = 0;
    score_pair score = 0;
    for (int type = KNIGHT; type <= QUEEN; type++)
        score += pieces_of_type(v, type);
    score += king_attack(v) + king_shelter(v) + rook_files(v) + passed_terms(v, pawns->passed);
    score += minor_threat * bb_count(v->pawn_attacks[side] & enemy_pieces);
    score += outpost * bb_count(minors & v->pawn_attacks[side] & camp);
    return bb_several(position_pieces(p, BISHOP, side)) ? score + bishop_pair : score;
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
        v.pawn_attacks[side] = bb_pawn_attacks(position_pieces(p, PAWN, side), side);
        v.king_zone[side] = bb.king[king] | bb_of(king);
    }
    score_pair score = p->psq + structure->score;
    score += side_score(&v, WHITE, structure);
    score -= side_score(&v, BLACK, structure);
    score += p->side == WHITE ? tempo : -tempo;
    int value = blend(p, score);
    value = value > EVAL_LIMIT ? EVAL_LIMIT : value < -EVAL_LIMIT ? -EVAL_LIMIT : value;
    return p->side == WHITE ? value : -value;
}
