/* The store: one SQLite file, a single writer, one transaction a game (design, section 8). */
#ifndef TMSIM_STORE_H
#define TMSIM_STORE_H

#include "tmsim/record.h"
#include "vclock/policy.h"

struct store;

/* Stands for the overhead and the profile of runs on a real clock. */
#define STORE_REAL_CLOCK "real clock"

/* Everything but the policies that can change a result; its canonical JSON is hashed to the run's key. */
struct run_identity {
    const char *tc;             /* canonical text */
    const char *engine;         /* canonical JSON of the engine: name, version, options, bench signature */
    const char *profile_name, *profile_hash, *profile_json;
    const char *book_name, *book_hash;
    const char *book_order;     /* "random", "sequential" */
    const char *overhead;       /* canonical text of the model: "const:50ms" */
    tm_ns overhead_ns;          /* of the constant model */
    tm_ns quantum, margin;
    int64_t poll;
    bool first_inc;
    double nps_scale;
    uint64_t seed;
    const char *adjudication;   /* "none" */
    int max_plies;
    tm_ns starved_s_floor;      /* the bound of "starved": max(this, 1.5 * inc) */
};

/* What the store knows of a policy; the hash decides which it is. */
struct policy_identity {
    const char *label;          /* without a path: "pool:moves=30" */
    const char *name, *title, *source, *unit;
    const char *params;         /* canonical JSON */
    const char *hash, *text;
    const char *tc;             /* canonical, of its own; NULL: that of the run */
};

/* Opens or creates. An older schema is migrated in one transaction, a newer or foreign file refused (TM_INPUT).
   A file that this call has created and could not fill is removed. `read_only` for rank: the file must exist.
   The caller closes *out by store_close. */
bool store_open(const char *path, bool read_only, struct store **out, struct tm_error *error);

/* Frees the store in any case; NULL is allowed. False: the last write did not reach the file. */
bool store_close(struct store *store, struct tm_error *error);

/* Each finds the row or inserts it, and gives its id. `key` gets the run's 32 hex digits. */
bool store_run(struct store *store, const struct run_identity *identity, int64_t *run_id, char key[33],
               struct tm_error *error);
bool store_policy(struct store *store, const struct policy *policy, int64_t *policy_id, struct tm_error *error);
bool store_policy_identity(struct store *store, const struct policy_identity *identity, int64_t *policy_id,
                           struct tm_error *error);
bool store_pairing(struct store *store, int64_t run_id, int64_t first_policy, int64_t second_policy,
                   int64_t *pairing_id, struct tm_error *error);

/* True in *reversed if the two have met in this run as (second, first) only: a caller swaps its players before
   store_pairing then, or the same games are played again. */
bool store_pairing_reversed(struct store *store, int64_t run_id, int64_t first_policy, int64_t second_policy,
                            bool *reversed, struct tm_error *error);

/* Remembers against whom `rank` shows Elo; policy_id 0: nobody, a round robin. */
bool store_baseline(struct store *store, int64_t run_id, int64_t policy_id, struct tm_error *error);

/* True in *present if (pairing, pair, leg) is stored. */
bool store_has_game(struct store *store, int64_t pairing_id, int pair, int leg, bool *present, struct tm_error *error);

/* How many games of the run ended so ("flag", "policy_fault", …). */
bool store_count_ends(struct store *store, int64_t run_id, enum game_end end, int *count, struct tm_error *error);

/* The same for all of a pairing: present[2 * pair + leg] for pair < pairs. */
bool store_present_games(struct store *store, int64_t pairing_id, int pairs, bool *present, struct tm_error *error);

/* The game with its moves, opening and timing, in one transaction. A game that is there already is refused
   (TM_INTERNAL), and nothing changes. */
bool store_game(struct store *store, int64_t pairing_id, const struct game_record *game, const char *opening_fen,
                struct tm_error *error);

/* A pathology that arithmetic found, without a run, or games. Texts are borrowed. */
struct pathology_record {
    const char *kind, *severity, *found_by, *tc;
    bool has_interval;
    tm_ns clock_lo, clock_hi;
    int ply; /* -1: not tied to one */
    const char *witness, *sentence;
    int64_t run; /* whose games show it; 0: none */
};

/* Adds those that are not stored yet for this policy, in one transaction. */
bool store_pathologies(struct store *store, int64_t policy_id, const struct pathology_record *record, int count,
                       struct tm_error *error);

/* ---- reading ---- */

/* Reads a game back, with its moves. The caller clears *game by game_record_clear and frees *opening_fen.
   TM_INPUT if it is not there. */
bool store_read_game(struct store *store, int64_t pairing_id, int pair, int leg, struct game_record *game,
                     char **opening_fen, struct tm_error *error);

/* "pool", or "pool@a1b2" if the store has several versions of that label. The caller frees it; NULL and `error`
   if there is no such policy. */
char *store_policy_label(struct store *store, int64_t policy_id, struct tm_error *error);

/* Calls `each` with every stored event stream, in the order of games and plies, until it returns false, which is then
   the result. `each` fills the error itself. */
typedef bool store_trace_reader(void *ctx, int64_t rate, const void *trace, size_t size, struct tm_error *error);
bool store_read_traces(struct store *store, store_trace_reader *each, void *ctx, struct tm_error *error);

#endif
