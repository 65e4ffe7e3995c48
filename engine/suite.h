/* Suites of positions with known answers, as EPD files: is the best move found within a number of nodes? */
#ifndef ENGINE_SUITE_H
#define ENGINE_SUITE_H

#include "engine/search.h"

enum { SUITE_NODES = 200000, SUITE_HASH_MB = 16, SUITE_TEXT = 128 };

struct suite_plan {
    const char *path;
    int64_t nodes;     /* a position, exactly */
    size_t hash_bytes;
};

struct suite_result {
    int index;                /* of the position just searched, from 0 */
    char id[SUITE_TEXT];      /* of the opcode id, "line N" without one */
    char wanted[SUITE_TEXT];  /* the operations that judge: "bm Qg6", "am Rd6", "dm 2" */
    move_t move;              /* what the engine would play */
    struct position position; /* where */
    int score, depth;         /* of the last finished iteration */
    bool solved;              /* one of bm, none of am, and a mate within dm moves, as far as given */
};

typedef void suite_progress(void *ctx, const struct suite_result *result);

struct suite_total {
    int positions, solved;
};

/* Searches each position of the EPD file as in a new game. Lines that are blank or start with # are skipped.
   False and `error` (TM_INPUT, naming the line) for a file that cannot be read, an illegal position, a best or avoided
   move that is not legal, or a line with none of bm, am and dm. `progress` may be NULL. */
bool suite_run(const struct suite_plan *plan, suite_progress *progress, void *ctx, struct suite_total *total,
               struct tm_error *error);

#endif
