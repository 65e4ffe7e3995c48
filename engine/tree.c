/* The tree below the root: negamax alpha-beta with a null window for all but the first move, and the
   quiescence search at its leaves. Every pruning margin is in centipawns and a guess unless it says more. */
#include <string.h>

#include "engine/picker.h"
#include "engine/see.h"

/* 64 * ln(n), rounded: literals, because log() differs between machines. */
static const int16_t log64[64] = {
    0, 0, 44, 70, 89, 103, 115, 125, 133, 141, 147, 153, 159, 164, 169, 173,
    177, 181, 185, 188, 192, 195, 198, 201, 203, 206, 209, 211, 213, 216, 218, 220,
    222, 224, 226, 228, 229, 231, 233, 234, 236, 238, 239, 241, 242, 244, 245, 246,
    248, 249, 250, 252, 253, 254, 255, 256, 258, 259, 260, 261, 262, 263, 264, 265,
};

int tree_reduction(int depth, int move_number)
{
    int d = log64[depth < 64 ? depth : 63], m = log64[move_number < 64 ? move_number : 63];
    return (d * m / 144 + 48) / 64; /* 0.75 + ln d * ln m / 2.25 */
}

/* What is known at a node before its moves are tried. */
struct node {
    int ply, alpha, beta, depth;
    bool pv, check, improving, cut_node;
    int eval;
    struct hash_hit hit;
    struct check_squares checks; /* where moves are skipped */
};

/* Through a small table: positions come again by other orders of moves and in deeper searches. An entry is the key,
   whose lowest 16 bits (the place tells 14 of them) give way to the value: it is as good as the whole key. */
static int evaluate(struct engine *e)
{
    uint64_t key = e->position.key, *known = &e->evals[key % EVALS_KNOWN];
    if ((*known ^ key) >> 16 == 0)
        return (int16_t)(uint16_t)*known;
    int value = eval_position(&e->position, e->pawns);
    *known = (key >> 16 << 16) | (uint16_t)value;
    return value;
}

/* Mate scores count from the node in the table and from the root in the search. */
static int score_from_hash(int score, int ply)
{
    return score > TM_MATE_BOUND ? score - ply : score < -TM_MATE_BOUND ? score + ply : score;
}

static int score_to_hash(int score, int ply)
{
    return score > TM_MATE_BOUND ? score + ply : score < -TM_MATE_BOUND ? score - ply : score;
}

static struct hash_hit probe(struct engine *e, int ply)
{
    struct hash_hit hit = hash_probe(&e->hash, e->position.key);
    hit.score = score_from_hash(hit.score, ply);
    return hit;
}

static void store(struct engine *e, int ply, int depth, int score, enum tm_bound bound, move_t move)
{
    struct hash_hit data = { .move = move, .score = score_to_hash(score, ply),
                             .depth = depth, .bound = bound };
    hash_store(&e->hash, e->position.key, &data);
}

static bool hash_decides(const struct hash_hit *hit, int alpha, int beta)
{
    return hit->bound == TM_EXACT || (hit->bound == TM_LOWER && hit->score >= beta)
        || (hit->bound == TM_UPPER && hit->score <= alpha);
}

/* Once inside the search, or twice with the game: a position that comes again is a draw. */
static bool repeated(const struct engine *e, int ply)
{
    const uint64_t *key = &e->keys[e->key_base + ply];
    int back = e->position.halfmove < e->key_base + ply ? e->position.halfmove : e->key_base + ply;
    int seen = 0;
    for (int i = 4; i <= back; i += 2)
        if (key[-i] == key[0] && (i < ply || ++seen == 2))
            return true;
    return false;
}

static bool has_no_move(const struct position *p)
{
    move_t moves[MOVES_MAX];
    return position_legal_moves(p, moves) == 0;
}

static bool is_draw(const struct engine *e, int ply)
{
    const struct position *p = &e->position;
    if (p->halfmove >= 100 && !(p->checkers && has_no_move(p)))
        return true;
    return (p->halfmove >= 4 && repeated(e, ply)) || position_insufficient(p);
}

/* The static value corrected by a bound of the table that is tighter. */
static int refined_eval(const struct hash_hit *hit, int eval)
{
    bool tighter = hit->found && (hit->bound == TM_EXACT || (hit->bound == TM_LOWER && hit->score > eval)
                                  || (hit->bound == TM_UPPER && hit->score < eval));
    bool mate = hit->score > TM_MATE_BOUND || hit->score < -TM_MATE_BOUND;
    return tighter && !mate ? hit->score : eval;
}

static int16_t *correction_of(struct engine *e)
{
    return &e->correction[e->position.side][e->position.pawn_key % CORRECTIONS];
}

/* The static value with what searches of this pawn structure have found it to be wrong by. */
static int corrected_eval(struct engine *e)
{
    int value = evaluate(e);
    return e->features.history ? value + *correction_of(e) / 16 : value;
}

static int static_eval(struct engine *e, int ply)
{
    return e->frame[ply].eval = position_in_check(&e->position) ? EVAL_NONE : corrected_eval(e);
}

/* Can the capture not lift the value to alpha even if the piece came for free? */
static bool hopeless(const struct engine *e, int victim, int eval, int alpha)
{
    return e->features.delta_pruning && eval + psq_material[victim] + 200 <= alpha;
}

/* Men worth capturing, by that rule. */
static bitboard worthy_victims(const struct engine *e, int eval, int alpha)
{
    bitboard victims = e->position.by_colour[!e->position.side];
    for (int type = PAWN; type < KING && hopeless(e, type, eval, alpha); type++)
        victims &= ~e->position.by_type[type];
    return victims & ~e->position.by_type[KING];
}

/* Nothing left to try without a list of moves: no such man, and no pawn that could promote. */
static bool nothing_noisy(const struct position *p, bitboard victims)
{
    bitboard seventh = p->side == WHITE ? BB_RANK_1 << 48 : BB_RANK_8 >> 48;
    return !victims && !(position_pieces(p, PAWN, p->side) & seventh);
}

/* The same once alpha has risen. */
static bool hopeless_now(const struct engine *e, move_t move, int eval, int alpha)
{
    int victim = e->position.board[move_to(move)];
    return !move_is_promotion(move) && hopeless(e, victim == NO_PIECE ? PAWN : piece_type(victim), eval, alpha);
}

static int quiescence_moves(struct engine *e, int ply, int alpha, int beta, int best)
{
    bool check = position_in_check(&e->position);
    int tried = 0, eval = e->frame[ply].eval;
    move_t move;
    struct picker picker;
    if (check) {
        picker_begin(&picker, e, ply, 0);
    } else {
        bitboard victims = worthy_victims(e, eval, alpha);
        if (nothing_noisy(&e->position, victims))
            return best;
        picker_begin_noisy(&picker, e, victims);
    }
    while ((move = picker_next(&picker))) {
        tried++;
        if (!check && hopeless_now(e, move, eval, alpha))
            continue;
        if (!searcher_make(e, ply, move, false))
            return 0;
        int score = -tree_search(e, ply + 1, -beta, -alpha, -1, false);
        searcher_unmake(e, ply);
        if (e->stopped)
            return 0;
        best = score > best ? score : best;
        alpha = score > alpha ? score : alpha;
        if (score >= beta)
            break;
    }
    return check && !tried ? -TM_MATE + ply : best;
}

/* Captures until the position is quiet; every move while in check. The table is not used: here the wait for
   memory costs more than transpositions save (the bench: 3.1 to 3.4 million nodes/s for 7 % more nodes). */
static int quiescence(struct engine *e, int ply, int alpha, int beta)
{
    int best = -SCORE_INFINITE;
    e->frame[ply].eval = EVAL_NONE;
    if (!e->position.checkers) {
        best = e->frame[ply].eval = corrected_eval(e);
        if (best >= beta || (e->features.delta_pruning && best + psq_material[QUEEN] + 200 <= alpha))
            return best;
        alpha = best > alpha ? best : alpha;
    }
    return quiescence_moves(e, ply, alpha, beta, best);
}

/* With a single minor piece (or none) having to move is too often the point. */
static bool zugzwang_unlikely(const struct position *p)
{
    bitboard own = p->by_colour[p->side];
    bitboard minors = (p->by_type[KNIGHT] | p->by_type[BISHOP]) & own;
    return bb_several(minors) || ((p->by_type[ROOK] | p->by_type[QUEEN]) & own);
}

static bool null_move_allowed(const struct engine *e, const struct node *n)
{
    bool after_null = n->ply > 0 && e->frame[n->ply - 1].piece == NO_PIECE;
    return e->features.null_move && n->depth >= 3 && n->eval >= n->beta && !after_null
        && zugzwang_unlikely(&e->position);
}

/* A passed move that still fails high: the position is good enough. True: *score is at least beta. */
static bool null_move(struct engine *e, const struct node *n, int *score)
{
    struct frame *frame = &e->frame[n->ply];
    if (!null_move_allowed(e, n) || (e->nodes >= e->poll_at && searcher_poll(e)))
        return false;
    int surplus = (n->eval - n->beta) / 200;
    int reduced = n->depth - 3 - n->depth / 4 - (surplus < 3 ? surplus : 3);
    reduced = reduced < 0 ? 0 : reduced;
    e->nodes++;
    frame->move = 0;
    frame->piece = NO_PIECE;
    position_make_null(&e->position, &frame->undo);
    hash_prefetch(&e->hash, e->position.key);
    e->keys[e->key_base + n->ply + 1] = e->position.key;
    int value = -tree_search(e, n->ply + 1, -n->beta, -n->beta + 1, reduced, !n->cut_node);
    position_unmake_null(&e->position, &frame->undo);
    *score = value > TM_MATE_BOUND ? n->beta : value; /* an unproven mate is not handed on */
    return !e->stopped && value >= n->beta;
}

/* Tries to answer without searching moves. True: *score is the answer (or the search has ended). */
static bool prune_node(struct engine *e, const struct node *n, int *score)
{
    if (n->pv || n->check || n->beta > SCORE_DECIDED || n->beta < -SCORE_DECIDED)
        return false;
    /* Reverse futility, by the static value: a shallow entry of the table is too often a mere grab. */
    *score = e->frame[n->ply].eval;
    if (e->features.null_move && n->depth <= 8 && *score - 75 * (n->depth - n->improving) >= n->beta)
        return true;
    if (e->features.delta_pruning && n->depth == 1 && n->eval + 250 <= n->alpha) {
        *score = quiescence(e, n->ply, n->alpha, n->beta); /* razoring */
        if (e->stopped || *score <= n->alpha)
            return true;
    }
    return null_move(e, n, score) || e->stopped;
}

/* Moves a value towards +-limit, the less the nearer it is. */
static void nudge(int16_t *value, int bonus, int limit)
{
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / limit);
}

static void add_history(int16_t *value, int bonus) { nudge(value, bonus, HISTORY_MAX); }

/* A quiet position was searched: its value tells how far the static one was off, unless it is a bound on that side. */
static void learn_correction(struct engine *e, const struct node *n, int best, enum tm_bound bound, move_t move)
{
    int eval = e->frame[n->ply].eval, off = best - eval;
    if (n->check || (move && !move_is_quiet(move)) || best > TM_MATE_BOUND || best < -TM_MATE_BOUND
        || (bound == TM_LOWER && off <= 0) || (bound == TM_UPPER && off >= 0))
        return;
    int bonus = off * n->depth / 8;
    bonus = bonus > CORRECTION_MAX / 4 ? CORRECTION_MAX / 4 : bonus < -CORRECTION_MAX / 4 ? -CORRECTION_MAX / 4 : bonus;
    nudge(correction_of(e), bonus, CORRECTION_MAX);
}

/* A quiet move that cut off is remembered, those before it are forgotten a little. */
static void reward_quiet(struct engine *e, const struct node *n, move_t move, const move_t *tried, int tried_count)
{
    struct frame *frame = &e->frame[n->ply];
    int side = e->position.side, bonus = 16 * n->depth * n->depth + 32 * n->depth;
    bonus = bonus > 1600 ? 1600 : bonus;
    if (frame->killer[0] != move) {
        frame->killer[1] = frame->killer[0];
        frame->killer[0] = move;
    }
    if (n->ply > 0 && frame[-1].piece != NO_PIECE)
        e->counter[frame[-1].piece][move_to(frame[-1].move)] = move;
    add_history(&e->history[side][move_from(move)][move_to(move)], bonus);
    for (int i = 0; i < tried_count; i++)
        add_history(&e->history[side][move_from(tried[i])][move_to(tried[i])], -bonus);
}

static bool is_late(const struct node *n, int number)
{
    return number > (4 + n->depth * n->depth) / (n->improving ? 1 : 2);
}

/* Late quiet moves of shallow nodes, and captures that lose far too much, are not made; checks are. */
static bool skip_move(const struct engine *e, const struct node *n, move_t move, int number, int best)
{
    const struct position *p = &e->position;
    if (!e->features.lmr || n->pv || n->check || n->depth > 8 || best < -TM_MATE_BOUND
        || movegen_gives_check(p, &n->checks, move))
        return false;
    if (!move_is_quiet(move))
        return n->depth <= 5 && !see_at_least(p, move, -100 * n->depth);
    bool decided = n->alpha > SCORE_DECIDED; /* the search is for a mate, which may begin with any quiet move */
    return (!decided && is_late(n, number))
        || (n->depth <= 6 && ((!decided && n->eval + 90 + 90 * n->depth <= n->alpha)
                              || !see_at_least(p, move, -40 * n->depth)));
}

static int reduction(const struct engine *e, const struct node *n, move_t move, int number, bool gives_check)
{
    if (!e->features.lmr || n->depth < 3 || number < (n->pv ? 4 : 3) || n->check || gives_check)
        return 0;
    int side = !e->position.side;
    if (!move_is_quiet(move))
        return n->cut_node || number > 6;
    int r = tree_reduction(n->depth, number) + n->cut_node - n->pv + !n->improving;
    r -= e->history[side][move_from(move)][move_to(move)] / 6000;
    return r < 0 ? 0 : r > n->depth - 2 ? n->depth - 2 : r;
}

/* The move is on the board: its value by a reduced search, then a null window, then the full one. */
static int search_move(struct engine *e, const struct node *n, move_t move, int number, int alpha)
{
    int depth = n->depth - 1, ply = n->ply + 1;
    bool check = position_in_check(&e->position);
    int score = 0;
    if (number > 1 || !n->pv) {
        int r = reduction(e, n, move, number, check);
        score = -tree_search(e, ply, -alpha - 1, -alpha, depth - r, r > 0 || !n->cut_node);
        if (r && score > alpha && !e->stopped)
            score = -tree_search(e, ply, -alpha - 1, -alpha, depth, !n->cut_node);
        if (!n->pv || score <= alpha || e->stopped)
            return score;
    }
    return -tree_search(e, ply, -n->beta, -alpha, depth, false);
}

void searcher_set_line(struct engine *e, int ply, move_t move)
{
    int length = e->pv_length[ply + 1];
    e->pv[ply][0] = move;
    memcpy(e->pv[ply] + 1, e->pv[ply + 1], (size_t)length * sizeof(move_t));
    e->pv_length[ply] = length + 1;
}

static int search_moves(struct engine *e, struct node *n)
{
    int best = -SCORE_INFINITE, alpha = n->alpha, number = 0, tried_count = 0;
    move_t best_move = 0, move, tried[64];
    struct picker picker;
    picker_begin(&picker, e, n->ply, n->hit.move);
    if (n->depth <= 8 && !n->pv)
        n->checks = movegen_check_squares(&e->position);
    while ((move = picker_next(&picker))) {
        number++;
        if (number > 1 && skip_move(e, n, move, number, best)) {
            if (move_is_quiet(move) && is_late(n, number) && n->alpha <= SCORE_DECIDED)
                number += picker_skip_quiet(&picker, &n->checks); /* those to come are even later */
            continue;
        }
        if (!searcher_make(e, n->ply, move, n->depth > 1))
            return 0;
        int score = search_move(e, n, move, number, alpha);
        searcher_unmake(e, n->ply);
        if (e->stopped)
            return 0;
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = move;
                alpha = score;
                if (n->pv)
                    searcher_set_line(e, n->ply, move);
                if (score >= n->beta) {
                    if (move_is_quiet(move))
                        reward_quiet(e, n, move, tried, tried_count);
                    break;
                }
            }
        }
        if (move_is_quiet(move) && tried_count < 64)
            tried[tried_count++] = move;
    }
    if (!number)
        return n->check ? -TM_MATE + n->ply : 0;
    enum tm_bound bound = best >= n->beta ? TM_LOWER : best_move ? TM_EXACT : TM_UPPER;
    store(e, n->ply, n->depth, best, bound, best_move);
    learn_correction(e, n, best, bound, best_move);
    return best;
}

static bool improves(const struct engine *e, int ply)
{
    const struct frame *frame = &e->frame[ply];
    return ply < 2 || frame[-2].eval == EVAL_NONE || frame->eval > frame[-2].eval;
}

static int search_node(struct engine *e, struct node *n)
{
    /* Evaluated first, though the table may make it needless: meanwhile the table's memory arrives. */
    int eval = static_eval(e, n->ply);
    n->hit = probe(e, n->ply);
    if (n->hit.found && !n->pv && n->hit.depth >= n->depth && hash_decides(&n->hit, n->alpha, n->beta))
        return n->hit.score;
    n->eval = refined_eval(&n->hit, eval);
    n->improving = !n->check && improves(e, n->ply);
    e->frame[n->ply + 2].killer[0] = e->frame[n->ply + 2].killer[1] = 0;
    int score;
    if (prune_node(e, n, &score))
        return score;
    if (!n->hit.move && e->hash.count && n->depth >= 4 && (n->pv || n->cut_node))
        n->depth--; /* without a move to start with, a shallower search finds one for the next iteration */
    return search_moves(e, n);
}

int tree_search(struct engine *e, int ply, int alpha, int beta, int depth, bool cut_node)
{
    bool check = position_in_check(&e->position);
    e->pv_length[ply] = 0;
    if (is_draw(e, ply))
        return 0;
    if (ply >= PLY_MAX)
        return check ? 0 : evaluate(e);
    alpha = alpha > -TM_MATE + ply ? alpha : -TM_MATE + ply;
    beta = beta < TM_MATE - ply - 1 ? beta : TM_MATE - ply - 1;
    if (alpha >= beta)
        return alpha;
    /* Checks are looked at one ply deeper, but no line grows beyond twice the iteration by them. */
    if (check && depth >= 0 && e->features.check_extension && ply < 2 * e->depth)
        depth++;
    if (depth <= 0)
        return quiescence(e, ply, alpha, beta);
    struct node node = { .ply = ply, .alpha = alpha, .beta = beta, .depth = depth, .pv = beta - alpha > 1,
                         .check = check, .cut_node = cut_node };
    return search_node(e, &node);
}
