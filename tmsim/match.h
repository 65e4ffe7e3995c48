/* A match: games between policies by a schedule, played by worker threads, handed over in schedule order. */
#ifndef TMSIM_MATCH_H
#define TMSIM_MATCH_H

#include <stdatomic.h>

#include "tmsim/book.h"
#include "tmsim/game_play.h"

/* One game to play. */
struct match_job {
    const struct game_rules *rules;
    const struct policy *player[2]; /* of the pairing; player[0] has White in leg 0 */
    const struct arm *arm[2];       /* of the same players; NULL: the built-in engine */
    const char *log;                /* directory for transcripts of engines; NULL: none */
    int64_t pairing_id;             /* opaque, for the sink */
    int run, pair, leg;
    const char *fen;
};

/* What the receiver of a game wants next. */
enum match_wish {
    MATCH_MORE,
    MATCH_ENOUGH, /* the match ends well; games in flight are finished and thrown away */
    MATCH_FAILED  /* it ends with `error` */
};

/* Receives finished games on the caller's thread, in the order of the jobs whatever order they ended in. The record
   is cleared after the call. */
typedef enum match_wish match_sink(void *ctx, const struct match_job *job, struct game_record *record,
                                   struct tm_error *error);

/* Plays all jobs with `concurrency` threads. When *interrupted becomes true no further game is begun; those in
   flight are finished and handed over. False and `error` if a game could not be played or the sink failed. */
bool match_run(const struct match_job *jobs, int job_count, int concurrency, size_t hash_bytes,
               const atomic_bool *interrupted, match_sink *sink, void *ctx, struct tm_error *error);

#endif
