/* The hammer: many games at a hostile control, only to see whether a policy loses on time, and how close it was. */
#ifndef TMSIM_HAMMER_H
#define TMSIM_HAMMER_H

#include "tmsim/stats.h"
#include "tmsim/table.h"
#include "tmsim/vmatch.h"

/* What is hammered. Borrowed. */
struct hammer_plan {
    const struct vmatch_plan *match; /* policies, rules[0], book, concurrency; its rounds and baseline do not count */
    const struct policy *against;    /* NULL: each plays itself, an opponent of its own strength */
    const struct arm *against_arm;   /* of the same player; NULL: the built-in engine */
    int games;                       /* of each policy; on a real clock too (match->real), where each plays itself */
    int moves;                       /* own moves of a game where games do not say: for hopeless and break-even */
};

enum hammer_outcome { HAMMER_PASS, HAMMER_FAIL, HAMMER_VOID };

/* Endings on time are counted per game; clocks per player and game: in a game against itself a policy has two. */
struct hammer_verdict {
    const struct policy *policy;
    char label[128];             /* as the store calls it */
    int64_t run, pairing;
    int player;                  /* which of the pairing it is */
    enum hammer_outcome outcome;
    char reason[160];            /* why it is void */
    int games, distinct, flags, illegal, faults, forgiven;
    struct interval flag_share;  /* Clopper-Pearson, 95 %, of the distinct games */
    int clocks;                  /* players whose clock was seen */
    tm_ns lowest_median, lowest_p01, lowest_worst; /* the least that was left when a move had been charged */
    int worst_move;              /* own move of the worst, from 1 */
    int worst_pair, worst_leg, worst_ply;
    int bottom_move;             /* the own move at which half of the clocks had been at their lowest */
    int bottom_phase[3];         /* of these, in the opening, middlegame and endgame by material */
    int flag_first, flag_last;   /* own moves of the flags */
    int flags_white;
    int flag_reason[TM_REASON_COUNT];
    tm_ns overrun_worst;         /* how far a flagging move went, or its own hard limit would have gone, beyond the clock */
    int64_t overrun_nodes;       /* the same in nodes of the modelled player */
    int natural, natural_median; /* games that did not end on time, and the median of their own moves */
    int hopeless_move;           /* own move at which overhead alone exhausts the clock in half of the games; 0: none */
    bool own_manager;            /* an engine's own, of which arithmetic knows nothing */
    tm_ns break_even;            /* by arithmetic, for plan.moves; -1: not even 0 */
    tm_ns lag_median, lag_p99, lag_worst; /* on a real clock: the runner's own, per move */
    int excused;                 /* flags that this lag explains */
    double score;                /* against another policy, 0..1 */
};

/* Plays what is missing of every policy's games and judges them, or, in a cell that is hopeless whatever the games,
   plays none. `verdict` has room for all policies. */
bool hammer_run(const struct hammer_plan *plan, struct store *store, const atomic_bool *interrupted, int *played,
                struct hammer_verdict *verdict, struct tm_error *error);

/* The own move at which overhead alone exhausts the clock in half of the games; 0: not within `moves`. */
int hammer_hopeless_move(const struct game_rules *rules, int games, int moves);

/* The solver's setup for a policy under these rules: a ladder as long as this engine's iterations are. */
struct cell_setup hammer_setup(const struct policy *policy, const struct game_rules *rules, int moves);

/* Reads the games of one pairing and fills everything but outcome, hopeless_move and break_even. */
bool hammer_read(struct store *store, const struct hammer_plan *plan, struct hammer_verdict *verdict,
                 struct tm_error *error);

const char *hammer_outcome_name(enum hammer_outcome outcome); /* "PASS", … */

/* One row a verdict; NULL: out of memory. */
struct table *hammer_table_new(void);
void hammer_add(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *verdict, int count);

/* For people: heading, the rows from `from` on, sentences. */
void hammer_print(const struct table *table, int from, const struct hammer_plan *plan, const struct hammer_verdict *verdict,
                  int count, FILE *stream);

#endif
