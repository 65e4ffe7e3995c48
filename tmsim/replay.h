/* Stored games played again: from their recorded events, or by searching anew, and held against the record. */
#ifndef TMSIM_REPLAY_H
#define TMSIM_REPLAY_H

#include "tmsim/store.h"

enum replay_source {
    REPLAY_EVENTS, /* the stop rule reads the recorded events; nothing is searched */
    REPLAY_SEARCH, /* the built-in engine searches again */
    REPLAY_BEST    /* events if they were kept, else a search */
};

struct replay {
    int64_t game;
    char *white, *black, *tc;     /* owned */
    int pair, leg, plies;
    enum replay_source source;    /* what was used */
    bool identical;
    int ply;                      /* of the first divergence, -1: of the game as a whole */
    char divergence[300];         /* names it: field, what came out, what was recorded; "" */
};

/* Replays the game with that id. A divergence is a result. False: it cannot be replayed (TM_INPUT: no such game, no
   events kept, another engine or program). The caller clears *out by replay_clear, also on a fault. */
bool replay_game(struct store *store, int64_t game, enum replay_source source, struct replay *out,
                 struct tm_error *error);
void replay_clear(struct replay *replay);

#endif
