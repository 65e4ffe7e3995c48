#include "engine/picker.h"

#include "engine/see.h"

/* Killers and the answer to the last move, if they are legal quiet moves here. */
static void find_specials(struct picker *picker, int ply)
{
    const struct engine *e = picker->e;
    const struct frame *frame = &e->frame[ply];
    move_t wanted[3] = { 0, 0, 0 };
    if (e->features.killers) {
        wanted[0] = frame->killer[0];
        wanted[1] = frame->killer[1];
    }
    if (e->features.history && ply > 0 && frame[-1].piece != NO_PIECE)
        wanted[2] = e->counter[frame[-1].piece][move_to(frame[-1].move)];
    if (wanted[2] == wanted[0] || wanted[2] == wanted[1])
        wanted[2] = 0;
    for (int i = 0; i < 3; i++) {
        move_t move = wanted[i];
        bool fits = move && move != picker->hash_move && move_is_quiet(move);
        picker->special[i] = fits ? move : 0;
    }
}

void picker_begin(struct picker *picker, const struct engine *e, int ply, move_t hash_move)
{
    picker->e = e;
    picker->gen = movegen_begin(&e->position);
    picker->noisy_only = false;
    picker->victims = e->position.by_colour[!e->position.side];
    picker->bad_count = 0;
    picker->hash_move = 0;
    if (hash_move && e->features.tt_move && movegen_is_legal(&e->position, &picker->gen, hash_move))
        picker->hash_move = hash_move;
    picker->stage = picker->hash_move ? PICK_HASH : PICK_GENERATE_NOISY;
    find_specials(picker, ply);
}

void picker_begin_noisy(struct picker *picker, const struct engine *e, bitboard victims)
{
    picker->e = e;
    picker->gen = movegen_begin(&e->position);
    picker->noisy_only = true;
    picker->victims = victims;
    picker->bad_count = 0;
    picker->hash_move = 0;
    picker->stage = PICK_GENERATE_NOISY;
}

/* Most valuable victim first, then the cheapest attacker; queen promotions before all, others last. */
static int noisy_score(const struct position *p, move_t move)
{
    int score = 0;
    if (move_flag(move) == MOVE_EN_PASSANT)
        score = psq_material[PAWN] * 8;
    else if (move_is_capture(move))
        score = psq_material[piece_type(p->board[move_to(move)])] * 8;
    score -= piece_type(p->board[move_from(move)]);
    if (move_is_promotion(move))
        score += move_promotion(move) == QUEEN ? 20000 : -20000;
    return score;
}

/* Unique, so that ties go to the earlier move, whose place can be read off. */
static int32_t sort_key(int score, int place) { return score * MOVES_MAX + (MOVES_MAX - 1 - place); }

static void generate_noisy(struct picker *picker)
{
    const struct position *p = &picker->e->position;
    picker->end = (int)(movegen_noisy(p, &picker->gen, picker->victims, picker->moves) - picker->moves);
    bool ordered = picker->e->features.mvv_lva;
    for (int i = 0; i < picker->end; i++)
        picker->keys[i] = sort_key(ordered ? noisy_score(p, picker->moves[i]) : 0, i);
}

static void generate_quiet(struct picker *picker)
{
    const struct engine *e = picker->e;
    const struct position *p = &e->position;
    picker->end = (int)(movegen_quiet(p, &picker->gen, picker->moves) - picker->moves);
    bool ordered = e->features.history;
    for (int i = 0; i < picker->end; i++) {
        move_t move = picker->moves[i];
        picker->keys[i] = sort_key(ordered ? e->history[p->side][move_from(move)][move_to(move)] : 0, i);
    }
}

/* The best of what is left, 0 if nothing is. A plain maximum is what compilers turn into vector code. */
static move_t take_best(struct picker *picker)
{
    int32_t best = INT32_MIN;
    for (int i = 0; i < picker->end; i++)
        best = picker->keys[i] > best ? picker->keys[i] : best;
    if (best == INT32_MIN)
        return 0;
    int place = MOVES_MAX - 1 - (best & (MOVES_MAX - 1));
    picker->keys[place] = INT32_MIN;
    return picker->moves[place];
}

static bool is_special(const struct picker *picker, move_t move)
{
    return move == picker->special[0] || move == picker->special[1] || move == picker->special[2];
}

/* A good capture, or 0; those that lose material are kept for later. */
static move_t next_good_noisy(struct picker *picker)
{
    move_t move;
    while ((move = take_best(picker))) {
        if (move == picker->hash_move)
            continue;
        if (see_at_least(&picker->e->position, move, 0))
            return move;
        picker->bad[picker->bad_count++] = move;
    }
    return 0;
}

static move_t next_special(struct picker *picker, int index)
{
    move_t *move = &picker->special[index];
    if (*move && !movegen_is_legal(&picker->e->position, &picker->gen, *move))
        *move = 0;
    return *move;
}

static move_t next_quiet(struct picker *picker)
{
    move_t move;
    while ((move = take_best(picker))) {
        if (move != picker->hash_move && !is_special(picker, move))
            return move;
    }
    return 0;
}

int picker_skip_quiet(struct picker *picker, const struct check_squares *checks)
{
    const struct position *p = &picker->e->position;
    int dropped = 0;
    if (picker->stage != PICK_QUIET)
        return 0;
    for (int i = 0; i < picker->end; i++) {
        move_t move = picker->moves[i];
        if (picker->keys[i] == INT32_MIN || movegen_gives_check(p, checks, move))
            continue;
        picker->keys[i] = INT32_MIN;
        dropped += move != picker->hash_move && !is_special(picker, move);
    }
    return dropped;
}

static move_t next_of_stage(struct picker *picker)
{
    switch (picker->stage) {
    case PICK_HASH: return picker->hash_move;
    case PICK_GENERATE_NOISY: generate_noisy(picker); return 0;
    case PICK_GOOD_NOISY: return next_good_noisy(picker);
    case PICK_KILLER_1: return next_special(picker, 0);
    case PICK_KILLER_2: return next_special(picker, 1);
    case PICK_COUNTER: return next_special(picker, 2);
    case PICK_GENERATE_QUIET: generate_quiet(picker); return 0;
    case PICK_QUIET: return next_quiet(picker);
    case PICK_BAD_NOISY: return picker->next < picker->bad_count ? picker->bad[picker->next++] : 0;
    default: return 0;
    }
}

move_t picker_next(struct picker *picker)
{
    while (picker->stage != PICK_END) {
        enum picker_stage stage = picker->stage;
        bool single = stage != PICK_GOOD_NOISY && stage != PICK_QUIET && stage != PICK_BAD_NOISY;
        move_t move = next_of_stage(picker);
        if (!move || single)
            picker->stage++;
        if (!move && stage == PICK_GOOD_NOISY && picker->noisy_only)
            picker->stage = PICK_END;
        if (!move && stage == PICK_QUIET)
            picker->next = 0; /* the bad ones are counted from here */
        if (move)
            return move;
    }
    return 0;
}
