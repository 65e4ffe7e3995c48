/* Gates: named checks with a number, before and after a match. One that fails voids the result. */
#ifndef TMSIM_GATES_H
#define TMSIM_GATES_H

#include "engine/search.h"
#include "profiles/profile.h"
#include "tmsim/book.h"
#include "tmsim/store.h"

struct gate {
    char name[40];
    bool passed;
    double value;     /* the number that was checked; what it counts is in the detail */
    char detail[600]; /* what was found and what was expected */
};

enum { GATES_MAX = 32 };

struct gate_list {
    struct gate gate[GATES_MAX];
    int count;
};

/* Appends a gate; one beyond the last place is a fault of the program and dropped. */
void gate_add(struct gate_list *list, const char *name, bool passed, double value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The first gate that failed, or NULL. */
const struct gate *gates_failed(const struct gate_list *list);

/* ---- before a match ---- */

/* Whether each round of a pairing has an opening of its own: `schedule`, `book_size`. */
void gates_openings(struct gate_list *list, const struct book *book, enum book_order order, uint64_t seed, int rounds);

/* Whether the engine obeys nodes exactly and, after forgetting, repeats itself: `engine`. */
void gates_engine(struct gate_list *list, struct engine *engine);

/* Who is charged by which profile. Borrowed. */
struct charged {
    const struct profile *profile;
    const char *searcher; /* what plays, as it calls itself */
};

/* Whether seconds mean the same to all players: each has a profile that was measured with its own searcher, or all have
   the same one, whoever it is of (then the ranking is of a modelled player, and says so): `profile_match`. Its number
   is the share of players that are matched. */
void gates_profiles(struct gate_list *list, const struct charged *player, int count);

/* ---- after it ---- */

/* What a command asked of a run. */
struct gate_request {
    int64_t run;
    const int64_t *pairing; /* ids */
    int pairing_count;
    int pairs;              /* of each pairing */
    bool control;           /* a policy against itself */
};

/* Looks at all games of the run; the count of games is that of the request. */
bool gates_games(struct gate_list *list, struct store *store, const struct gate_request *request,
                 struct tm_error *error);

/* ---- in the store ---- */

/* Writes the list as the run's gates, in place of those of an earlier command. */
bool gates_write(const struct gate_list *list, struct store *store, int64_t run, struct tm_error *error);
bool gates_read(struct gate_list *list, struct store *store, int64_t run, struct tm_error *error);

#endif
