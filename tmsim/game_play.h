/* One game on the virtual clock: the loop from clock to budget to search to charge. */
#ifndef TMSIM_GAME_PLAY_H
#define TMSIM_GAME_PLAY_H

#include "engine/search.h"
#include "profiles/profile.h"
#include "tmsim/adjudicate.h"
#include "tmsim/arm.h"
#include "tmsim/overhead.h"
#include "tmsim/record.h"
#include "vclock/tc.h"

/* Where the events of own moves come from instead of a search: `feed` calls back for each event of the move at `ply`
   until the callback says stop. `feed` NULL: the engine searches. */
struct game_source {
    void (*feed)(void *ctx, int ply, search_callback *callback, void *callback_ctx);
    void *ctx;
};

/* What holds for every game of a run; borrowed by game_play. */
struct game_rules {
    struct tc tc;            /* of a player that has none of its own */
    bool first_inc;
    tm_ns overhead;          /* per own move, where there is no model */
    const struct overhead *model; /* of the overhead, or NULL */
    tm_ns margin;            /* the flag falls only below its negative; see vclock_charge */
    tm_ns quantum;           /* policies see whole multiples of it; 0: exact */
    int64_t poll;            /* nodes between looks at the hard limit; 0: at every node */
    const struct profile *profile;
    double nps_scale;
    uint64_t seed;
    int max_plies;           /* the game is a draw after so many plies; 0: no bound */
    struct adjudication adjudication; /* zero: none */
    bool keep_trace;
    struct game_source source;
};

enum { GAME_HASH_MB = 16 }; /* of each side's engine */

/* "Starved" is a spend below max(STARVED_NS, 1.5 * increment) (design, section 3). */
#define STARVED_NS (150 * TM_NS_PER_MS)

/* Plays one game from `fen` between policies and engines, [0] White and [1] Black. The engines forget first.
   A policy that faults ends the game as END_POLICY_FAULT, which is a result and not an error; false means that
   the game could not be played (TM_INTERNAL). The caller clears *record. */
bool game_play(const struct game_rules *rules, struct engine *const engines[2],
               const struct policy *const policies[2], const char *fen, int pair, struct game_record *record,
               struct tm_error *error);

/* Who sits on one side: a policy with the built-in engine, or a driver of a foreign one. */
struct seat {
    const struct policy *policy;
    struct engine *engine;     /* if there is no driver */
    struct driver *driver;     /* its arm's policy is `policy`; NULL: built in */
};

/* The same between any seats, [0] White and [1] Black. An engine that dies, hangs or plays an illegal move loses, which
   is a result too: END_CRASH, END_STALL, END_ILLEGAL_MOVE with the message in `fault`. Over time comes first: a move
   that is late and illegal is a flag. */
bool game_play_seats(const struct game_rules *rules, const struct seat seats[2], const char *fen, int pair,
                     struct game_record *record, struct tm_error *error);

#endif
