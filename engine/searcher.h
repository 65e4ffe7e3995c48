/* Inside of the searcher: what search.c (iterations, root, events), tree.c (the tree below the root) and
   picker.c (move order) share. */
#ifndef ENGINE_SEARCHER_H
#define ENGINE_SEARCHER_H

#include "engine/eval.h"
#include "engine/hash.h"
#include "engine/movegen.h"
#include "engine/search.h"
#include "engine/zobrist.h"

enum {
    PLY_MAX = 250,              /* the tree is cut here */
    SCORE_INFINITE = TM_MATE + 1,
    KEYS_KEPT = 128,            /* of the game line: more than 100 plies without progress are a draw anyway */
    /* Beyond it (guess) the static value decides nothing, nodes are not pruned by it and late quiet moves are not
       skipped: the search is for a mate. At 600 at least 36 of the suite's 40 mates in 3 are found at their natural
       depth, at 900 33. */
    SCORE_DECIDED = 600,
    HISTORY_MAX = 16384,
    CORRECTIONS = 1 << 13, CORRECTION_MAX = 1024, /* sixteenths of a centipawn: at most 64 (guess) */
    EVALS_KNOWN = 1 << 14,   /* 128 KiB, to stay in the second-level cache */
    OTHER_LINE_MAX = 64         /* moves kept of a line that is not the best */
};

/* One ply of the running line. */
struct frame {
    struct undo undo;
    move_t move, killer[2];
    int16_t piece;              /* that moved to get to the next ply; NO_PIECE after a null move */
    int eval;                   /* static; EVAL_NONE while in check */
};

struct root_move {
    move_t move;
    int64_t nodes;              /* under this move, over all iterations */
};

/* The best line among the root moves that no better line begins with. */
struct other_line {
    int score, length;
    move_t move[OTHER_LINE_MAX];
};

struct engine {
    struct hash hash;
    struct search_features features;
    struct position position;   /* at the tip of the running line */
    struct eval_pawns pawns[EVAL_PAWN_SLOTS];
    uint64_t evals[EVALS_KNOWN]; /* values of positions seen lately; pure functions of these, so never forgotten */

    int16_t history[2][64][64]; /* side, from, to */
    move_t counter[NO_PIECE][64];
    int16_t correction[2][CORRECTIONS]; /* of the static value, by side to move and pawns */
    struct frame frame[PLY_MAX + 8];
    uint64_t keys[KEYS_KEPT + PLY_MAX + 8];
    int key_base;               /* keys[key_base] belongs to the root */
    move_t pv[PLY_MAX + 2][PLY_MAX + 2];
    int pv_length[PLY_MAX + 2];

    /* this search */
    int64_t nodes, poll_at, next_poll, node_limit;
    search_callback *callback;
    void *ctx;
    bool stopped;
    struct root_move root[MOVES_MAX];
    int root_count, legal;
    int root_first;             /* root moves before this one have their own lines already */
    struct other_line other[SEARCH_MAX_LINES];
    int other_count;            /* 1 + lines in `other`, whose element 0 is unused; 0: none */
    int depth;                  /* of the running iteration */
    move_t best;                /* root move that would be played now */
    int score;                  /* last known, of the best root move */
    move_t root_running;        /* whose tree is being searched; 0: none */
    int64_t running_from;       /* nodes when that began */
    move_t line[PLY_MAX + 2];   /* of the best root move */
    int line_length;
};

/* Emits the poll that is due. True: the search ends. */
bool searcher_poll(struct engine *e);

/* Counts the node and makes the move. False: the search ends at this node and nothing was made. `hashed`: the
   table will be asked about the new position. */
static inline bool searcher_make(struct engine *e, int ply, move_t move, bool hashed)
{
    if (e->nodes >= e->poll_at && searcher_poll(e))
        return false;
    struct frame *frame = &e->frame[ply];
    e->nodes++;
    frame->move = move;
    frame->piece = e->position.board[move_from(move)];
    if (hashed)
        hash_prefetch(&e->hash, zobrist_guess_after(&e->position, move));
    position_make(&e->position, move, &frame->undo);
    e->keys[e->key_base + ply + 1] = e->position.key;
    return true;
}

static inline void searcher_unmake(struct engine *e, int ply)
{
    position_unmake(&e->position, e->frame[ply].move, &e->frame[ply].undo);
}

/* Puts `move` before the line of the next ply. */
void searcher_set_line(struct engine *e, int ply, move_t move);

/* Fail-soft value of the position at `ply` for its mover; meaningless once e->stopped. Depth 0
   begins the quiescence search, -1 means inside of it. */
int tree_search(struct engine *e, int ply, int alpha, int beta, int depth, bool cut_node);

/* Late move reduction in plies, before adjustments. */
int tree_reduction(int depth, int move_number);

#endif
