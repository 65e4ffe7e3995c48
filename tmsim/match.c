/* Workers take jobs in order and leave the records in a slot each; the caller's thread empties the slots in order, so
   the store never sees who finished first. Workers may run ahead by a bounded number of games, so a ring of slots
   suffices. */
#include "tmsim/match.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tmsim/drivers.h"

enum { AHEAD = 64 }; /* finished games that may wait for a slow one, at least; guess: a few MB of records */

struct slot {
    struct game_record record;
    struct tm_error error;
    bool done, failed;
};

struct match {
    const struct match_job *jobs;
    int job_count;
    size_t hash_bytes;
    const atomic_bool *interrupted;
    pthread_mutex_t lock;
    pthread_cond_t finished, emptied;
    int next;         /* the first job that nobody has taken */
    int delivered;    /* jobs handed to the sink */
    bool stopping;    /* no further job is to be taken */
    int ahead;        /* slots in the ring */
    struct slot *slot;
};

static struct slot *slot_of(const struct match *match, int job) { return &match->slot[job % match->ahead]; }

struct worker {
    struct match *match;
    struct engine *engine[2];
    struct drivers drivers; /* of foreign engines, started when first needed and kept */
    pthread_t thread;
    bool running;
};

/* The next job, or -1 when the match is over. Waits while the workers are too far ahead of the sink. */
static int take_job(struct match *match)
{
    int job = -1;
    pthread_mutex_lock(&match->lock);
    while (!match->stopping && match->next < match->job_count && match->next >= match->delivered + match->ahead)
        pthread_cond_wait(&match->emptied, &match->lock);
    if (atomic_load(match->interrupted))
        match->stopping = true;
    if (!match->stopping && match->next < match->job_count)
        job = match->next++;
    else
        pthread_cond_broadcast(&match->finished); /* the deliverer may be waiting for a job that nobody takes */
    pthread_mutex_unlock(&match->lock);
    return job;
}

static void finish_job(struct match *match, int job, bool ok)
{
    pthread_mutex_lock(&match->lock);
    slot_of(match, job)->done = true;
    slot_of(match, job)->failed = !ok;
    if (!ok)
        match->stopping = true;
    pthread_cond_broadcast(&match->finished);
    pthread_mutex_unlock(&match->lock);
}

static bool take_seat(struct worker *worker, const struct match_job *job, int player, int colour, struct seat *seat,
                      FILE **log, struct tm_error *error)
{
    *seat = (struct seat){ .policy = job->player[player], .engine = worker->engine[colour] };
    if (!job->arm[player])
        return true;
    return drivers_get(&worker->drivers, job->arm[player], player, &seat->driver, error) &&
           drivers_open_log(job, colour, seat->driver, log, error);
}

static bool play_job(struct worker *worker, const struct match_job *job, int white, struct game_record *record,
                     struct tm_error *error)
{
    struct seat seats[2] = { { .policy = NULL }, { .policy = NULL } };
    FILE *log[2] = { NULL, NULL };
    bool ok = true;
    for (int colour = WHITE; ok && colour <= BLACK; colour++)
        ok = take_seat(worker, job, colour == WHITE ? white : !white, colour, &seats[colour], &log[colour], error);
    ok = ok && game_play_seats(job->rules, seats, job->fen, job->pair, record, error);
    for (int colour = WHITE; colour <= BLACK; colour++)
        drivers_close_log(seats[colour].driver, log[colour]);
    return ok;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct match *match = worker->match;
    for (int index; (index = take_job(match)) >= 0;) {
        const struct match_job *job = &match->jobs[index];
        struct slot *slot = slot_of(match, index);
        const int white = job->leg == 0 ? 0 : 1;
        const bool ok = play_job(worker, job, white, &slot->record, &slot->error);
        slot->record.leg = job->leg;
        slot->record.white = white;
        finish_job(match, index, ok);
    }
    return NULL;
}

/* Waits for job `index`. False: it will never be played. */
static bool wait_for(struct match *match, int index)
{
    pthread_mutex_lock(&match->lock);
    while (!slot_of(match, index)->done && !(match->stopping && index >= match->next))
        pthread_cond_wait(&match->finished, &match->lock);
    const bool done = slot_of(match, index)->done;
    pthread_mutex_unlock(&match->lock);
    return done;
}

/* Empties the slot of the job that was delivered. */
static void count_delivered(struct match *match, bool stop)
{
    pthread_mutex_lock(&match->lock);
    struct slot *slot = slot_of(match, match->delivered);
    game_record_clear(&slot->record);
    slot->done = slot->failed = false;
    match->delivered++;
    match->stopping = match->stopping || stop;
    pthread_cond_broadcast(&match->emptied);
    pthread_mutex_unlock(&match->lock);
}

static bool deliver(struct match *match, match_sink *sink, void *ctx, struct tm_error *error)
{
    enum match_wish wish = MATCH_MORE;
    for (int index = 0; wish == MATCH_MORE && index < match->job_count && wait_for(match, index); index++) {
        struct slot *slot = slot_of(match, index);
        if (slot->failed) {
            *error = slot->error;
            wish = MATCH_FAILED;
        } else {
            wish = sink(ctx, &match->jobs[index], &slot->record, error);
        }
        count_delivered(match, wish != MATCH_MORE);
    }
    return wish != MATCH_FAILED;
}

static bool start_worker(struct worker *worker, struct match *match, struct tm_error *error)
{
    worker->match = match;
    for (int i = 0; i < 2; i++) {
        worker->engine[i] = engine_new(match->hash_bytes, error);
        if (!worker->engine[i])
            return false;
    }
    if (pthread_create(&worker->thread, NULL, work, worker) != 0)
        return error_fail(error, TM_INTERNAL, "cannot start a worker thread");
    worker->running = true;
    return true;
}

static void end_workers(struct worker *workers, int count, struct match *match)
{
    pthread_mutex_lock(&match->lock);
    match->stopping = true;
    pthread_cond_broadcast(&match->emptied);
    pthread_mutex_unlock(&match->lock);
    for (int i = 0; i < count; i++) {
        if (workers[i].running)
            pthread_join(workers[i].thread, NULL);
        engine_free(workers[i].engine[0]);
        engine_free(workers[i].engine[1]);
        drivers_clear(&workers[i].drivers);
    }
    for (int i = 0; i < match->ahead; i++)
        game_record_clear(&match->slot[i].record); /* played, but never delivered */
}

static bool play_all(struct match *match, int concurrency, match_sink *sink, void *ctx, struct tm_error *error)
{
    struct worker *workers = calloc((size_t)concurrency, sizeof *workers);
    bool ok = workers || error_fail(error, TM_INTERNAL, "out of memory for the workers");
    for (int i = 0; ok && i < concurrency; i++)
        ok = start_worker(&workers[i], match, error);
    ok = ok && deliver(match, sink, ctx, error);
    if (workers)
        end_workers(workers, concurrency, match);
    free(workers);
    return ok;
}

bool match_run(const struct match_job *jobs, int job_count, int concurrency, size_t hash_bytes,
               const atomic_bool *interrupted, match_sink *sink, void *ctx, struct tm_error *error)
{
    if (job_count == 0)
        return true;
    struct match match = { .jobs = jobs, .job_count = job_count, .hash_bytes = hash_bytes,
                           .interrupted = interrupted, .ahead = 2 * concurrency > AHEAD ? 2 * concurrency : AHEAD };
    match.slot = calloc((size_t)match.ahead, sizeof *match.slot);
    if (!match.slot)
        return error_fail(error, TM_INTERNAL, "out of memory for %d games at once", match.ahead);
    pthread_mutex_init(&match.lock, NULL);
    pthread_cond_init(&match.finished, NULL);
    pthread_cond_init(&match.emptied, NULL);
    const bool ok = play_all(&match, concurrency < job_count ? concurrency : job_count, sink, ctx, error);
    pthread_cond_destroy(&match.emptied);
    pthread_cond_destroy(&match.finished);
    pthread_mutex_destroy(&match.lock);
    free(match.slot);
    return ok;
}
