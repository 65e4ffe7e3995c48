/* The searcher: deterministic, in exact nodes, with a callback at each event. */
#ifndef ENGINE_SEARCH_H
#define ENGINE_SEARCH_H

#include <stddef.h>

#include "engine/game.h"
#include "vclock/event.h"

enum { SEARCH_MAX_DEPTH = 240, SEARCH_MAX_LINES = 64 };

struct engine; /* one searcher: hash table, history, killers. One thread at a time. */

/* The switches of the search, each also a UCI option; all true by default. */
struct search_features {
    /* Without iterative_deepening a search with a depth limit starts at that depth. null_move also switches
       reverse futility, lmr also the skipping of late and losing moves, delta_pruning also razoring: with all
       three off every legal line is searched to the full depth. history also switches the
       correction of static values. */
    bool mvv_lva, check_extension, delta_pruning, tt_move, aspiration, killers, history, null_move, lmr,
        iterative_deepening;
};

/* The name of each switch, as the UCI option and tables show it. */
struct search_feature {
    const char *name;
    size_t offset; /* of its bool in struct search_features */
};

enum { SEARCH_FEATURES = sizeof(struct search_features) / sizeof(bool) };

extern const struct search_feature search_feature_list[SEARCH_FEATURES];
extern const struct search_features search_features_all; /* all on */

bool *search_feature_of(struct search_features *features, int index);

struct search_limits {
    int depth;            /* 0: up to SEARCH_MAX_DEPTH */
    int64_t nodes;        /* 0: none; otherwise the search ends at exactly this many nodes */
    int lines;            /* best root moves wanted with their lines, at most SEARCH_MAX_LINES; 0: one */
    int mate;             /* 0: none; stop when a mate in this many moves is proven */
    const move_t *root_moves; /* searchmoves; NULL: all */
    int root_move_count;
};

/* Called at each event, while the search runs. It may move *next_poll, the node count at which a TM_POLL
   is due at the latest (INT64_MAX: never). True ends the search at this very node. */
typedef bool search_callback(void *ctx, const struct tm_event *event, int64_t *next_poll);

struct search_result {
    move_t move, ponder;  /* best move of the last finished iteration, or a newer finished best; 0: no legal move */
    int score, depth;     /* of the last finished iteration */
    int64_t nodes;
    bool exhausted;       /* it ended by itself: depth, mate or nothing left to search */
};

/* `hash_bytes` 0 switches the table off. NULL and `error` when memory is missing. */
struct engine *engine_new(size_t hash_bytes, struct tm_error *error);
void engine_free(struct engine *engine);

/* Forgets everything, as a new engine would: an epoch, not a clearing. */
void engine_forget(struct engine *engine);

struct search_features *engine_features(struct engine *engine);

/* Searches the current position of `game` (repetitions are seen through its history). A node is a move made,
   and the root once. With nodes = N or a poll at N the search holds exactly N nodes when it reports.
   `callback` may be NULL. */
struct search_result engine_search(struct engine *engine, const struct game *game, const struct search_limits *limits,
                                   int64_t first_poll, search_callback *callback, void *ctx);

/* The best line of the last search, at most `capacity` moves; also valid inside the callback. */
int engine_line(const struct engine *engine, move_t *moves, int capacity);

/* Further lines (limits.lines), of the last finished iteration: `index` 1 is the second best. Returns their length, 0
   beyond the last; *score is exact. */
int engine_other_line(const struct engine *engine, int index, move_t *moves, int capacity, int *score);

/* Per mille of the table filled by the running search. */
int engine_hash_full(const struct engine *engine);

#endif
