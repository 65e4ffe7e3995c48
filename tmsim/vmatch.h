/* Virtual-clock matches: policies against a baseline or round robin, over time controls, into a store. */
#ifndef TMSIM_VMATCH_H
#define TMSIM_VMATCH_H

#include "tmsim/match.h"
#include "tmsim/sequential.h"
#include "tmsim/store.h"

enum { VMATCH_MAX_POLICIES = 256, VMATCH_MAX_TCS = 64, VMATCH_HASH_MB = GAME_HASH_MB };

/* What is to be played. Everything is borrowed. */
struct vmatch_plan {
    const struct policy *policy[VMATCH_MAX_POLICIES];
    const struct arm *arm[VMATCH_MAX_POLICIES]; /* of the same player; NULL: the built-in engine */
    bool recover;              /* a failed engine is restarted; else the match ends after its game is stored */
    const char *log;           /* directory for transcripts; NULL: none */
    int policy_count;
    int baseline;              /* index into `policy`, or -1: round robin */
    struct game_rules rules[VMATCH_MAX_TCS]; /* one for each time control, alike in all else */
    int tc_count;
    int rounds;                /* pairs of games */
    int concurrency;
    const struct book *book;
    const char *book_name;
    enum book_order order;
    const struct sprt *sprt;   /* NULL: all rounds; else of policy 0 against policy 1, stops when decided */
    bool real;                 /* a real clock: the run is marked so, and never ranked */
    bool control;              /* the two policies are one: mirrors are expected */
    bool quiet;
};

/* What came of it. */
struct vmatch_result {
    int64_t run_id[VMATCH_MAX_TCS];
    int played, kept;          /* games of this call; games that were there already */
    int faults, flags;         /* games of these runs that ended so, old ones too */
    bool interrupted;
    struct sequential_state sequential; /* with an SPRT */
};

/* Evaluates each policy over the states that each control can reach, before anything is written. */
bool vmatch_preflight(const struct vmatch_plan *plan, struct tm_error *error);

/* Refuses a plan whose games could not be evidence (TM_VOID): openings that would repeat, an engine that does not
   repeat itself. */
bool vmatch_gates(const struct vmatch_plan *plan, struct tm_error *error);
/* Finds or adds the run of the plan's control number `tc`. */
bool vmatch_store_run(const struct vmatch_plan *plan, int tc, struct store *store, int64_t *run_id,
                      struct tm_error *error);

/* Plays what is missing and stores it game by game. When *interrupted becomes true the games in flight are
   finished and stored, and the result says so. A match that came to its end is checked, and the gates are stored
   with its runs. */
bool vmatch_play(const struct vmatch_plan *plan, struct store *store, const atomic_bool *interrupted,
                 struct vmatch_result *result, struct tm_error *error);

#endif
