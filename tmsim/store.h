/* The store: one SQLite file, a single writer, one transaction a game (design, section 8). */
#ifndef TMSIM_STORE_H
#define TMSIM_STORE_H

#include "tmsim/record.h"
#include "vclock/policy.h"

struct store;

/* Everything but the policies that can change a result; its canonical JSON is hashed to the run's key. */
struct run_identity {
    const char *tc;             /* canonical text */
    const char *engine;         /* canonical JSON of the engine: name, version, options, bench signature */
    const char *profile_name, *profile_hash, *profile_json;
    const char *book_name, *book_hash;
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

/* Opens or creates. An older schema is migrated in one transaction, a newer or foreign file refused (TM_INPUT).
   `read_only` for rank: the file must exist. */
bool store_open(const char *path, bool read_only, struct store **out, struct tm_error *error);
bool store_close(struct store *store, struct tm_error *error);

/* Each finds the row or inserts it, and gives its id. */
bool store_run(struct store *store, const struct run_identity *identity, int64_t *run_id, char key[33],
               struct tm_error *error);
bool store_policy(struct store *store, const struct policy *policy, const char *text, int64_t *policy_id,
                  struct tm_error *error);
bool store_pairing(struct store *store, int64_t run_id, int64_t first_policy, int64_t second_policy,
                   int64_t *pairing_id, struct tm_error *error);

/* True in *present if (pairing, pair, leg) is stored. */
bool store_has_game(struct store *store, int64_t pairing_id, int pair, int leg, bool *present, struct tm_error *error);

/* The game with its moves, opening and timing, in one transaction. */
bool store_game(struct store *store, int64_t pairing_id, const struct game_record *game, const char *opening_fen,
                struct tm_error *error);

/* ---- reading, for rank ---- */

#endif
