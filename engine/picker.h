/* The order in which moves are tried, found stage by stage so that a cutoff saves the rest. */
#ifndef ENGINE_PICKER_H
#define ENGINE_PICKER_H

#include "engine/searcher.h"

enum picker_stage {
    PICK_HASH, PICK_GENERATE_NOISY, PICK_GOOD_NOISY, PICK_KILLER_1, PICK_KILLER_2, PICK_COUNTER,
    PICK_GENERATE_QUIET, PICK_QUIET, PICK_BAD_NOISY, PICK_END
};

struct picker {
    const struct engine *e;
    struct movegen gen;
    enum picker_stage stage;
    bool noisy_only;
    bitboard victims; /* worth capturing */
    move_t hash_move, special[3]; /* killers and counter move, 0 where not legal */
    int next, end, bad_count;
    move_t moves[MOVES_MAX], bad[MOVES_MAX];
    int32_t keys[MOVES_MAX]; /* score and place in `moves`; INT32_MIN once taken */
};

/* All moves. `hash_move` may be any code. */
void picker_begin(struct picker *picker, const struct engine *e, int ply, move_t hash_move);

/* Promotions, and captures of men in `victims`, that lose nothing. */
void picker_begin_noisy(struct picker *picker, const struct engine *e, bitboard victims);

/* Drops the quiet moves that have not come yet, but for those that give check; returns how many.
   Does nothing before the first of them has come. */
int picker_skip_quiet(struct picker *picker, const struct check_squares *checks);

/* The next move, 0 at the end. Each legal move comes once. */
move_t picker_next(struct picker *picker);

#endif
