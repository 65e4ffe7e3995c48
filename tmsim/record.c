/* Names and memory of game records. */
#include "tmsim/record.h"

#include <stdlib.h>

static const char *const end_names[END_COUNT] = {
    [END_NONE] = "none",
    [END_CHECKMATE] = "checkmate",
    [END_STALEMATE] = "stalemate",
    [END_REPETITION] = "repetition",
    [END_FIFTY_MOVES] = "fifty_moves",
    [END_INSUFFICIENT] = "insufficient_material",
    [END_FLAG] = "flag",
    [END_MAX_PLIES] = "max_plies",
    [END_POLICY_FAULT] = "policy_fault",
    [END_DRAW_ADJUDICATED] = "draw_adjudicated",
    [END_RESIGNATION] = "resignation",
    [END_ILLEGAL_MOVE] = "illegal_move",
    [END_CRASH] = "crash",
    [END_STALL] = "stall",
};

const char *game_end_name(enum game_end end) { return end_names[end]; }

void game_record_clear(struct game_record *record)
{
    for (int i = 0; i < record->move_count; i++)
        free(record->move[i].trace);
    free(record->move);
    free(record->fault);
    *record = (struct game_record){ 0 };
}
