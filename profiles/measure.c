#define _GNU_SOURCE /* clock_getcpuclockid of another process */
#include "profiles/measure.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/game.h"

enum {
    GAME_NODES = 2000,     /* a move of the games that positions are drawn from; guess: sensible play, quickly */
    GAME_PLIES = 240,
    WARM_MOVES = 2,        /* own moves searched before an in-game sample */
    MOVETIME_MS = 50, MOVETIMES = 16
};

struct played {
    char fen[FEN_SIZE];
    move_t move[GAME_PLIES];
    int pieces[GAME_PLIES], phase[GAME_PLIES]; /* before the move of that ply */
    int length;
};

struct spot {
    int game, ply;
};

struct bench {
    const struct measure_plan *plan;
    struct played *played;
    struct spot *spot;
    int spots;
    struct measurement *out;
    measure_progress *progress;
    void *ctx;
    int done, total;
};

/* ---- positions ---- */

static void print_line(const struct played *played, int plies, char *line, size_t size)
{
    char text[MOVE_TEXT_SIZE];
    size_t used = (size_t)snprintf(line, size, "position fen %s%s", played->fen, plies ? " moves" : "");
    for (int i = 0; i < plies && used < size; i++)
        used += (size_t)snprintf(line + used, size - used, " %s", move_print(text, played->move[i]));
}

enum { LINE_SIZE = FEN_SIZE + 32 + GAME_PLIES * MOVE_TEXT_SIZE };

static bool search(struct client *client, const struct played *played, int plies, const char *go,
                   struct client_answer *answer, struct tm_error *error)
{
    char line[LINE_SIZE];
    print_line(played, plies, line, sizeof line);
    return client_queue(client, line, error) && client_go(client, go, 0, NULL, NULL, answer, error);
}

static bool play_game(struct client *client, struct game *game, struct played *played, struct tm_error *error)
{
    char go[32];
    struct client_answer answer;
    snprintf(go, sizeof go, "go nodes %d", GAME_NODES);
    while (game_result(game) == GAME_ONGOING && played->length < GAME_PLIES) {
        const struct position *p = game_position(game);
        if (!search(client, played, played->length, go, &answer, error))
            return false;
        const move_t move = move_parse(p, answer.move);
        if (!move)
            return error_fail(error, TM_ENGINE_FAILED, "engine %s played '%s', which is no legal move",
                              client_name(client), answer.move);
        played->pieces[played->length] = position_men(p);
        played->phase[played->length] = position_phase(p);
        played->move[played->length++] = move;
        game_play_move(game, move);
    }
    return true;
}

static bool play_games(struct bench *bench, struct client *client, struct tm_error *error)
{
    const struct measure_plan *plan = bench->plan;
    bool ok = true;
    for (int i = 0; ok && i < plan->games; i++) {
        struct played *played = &bench->played[i];
        struct game *game = game_new(plan->opening[i % plan->opening_count], error);
        if (!game)
            return false;
        position_print(played->fen, game_position(game));
        bench->progress(bench->ctx, "games", i, plan->games);
        ok = client_new_game(client, error) && play_game(client, game, played, error);
        game_free(game);
    }
    return ok;
}

/* The position number `skip` (of the games in turn) with so many men, past the first moves, where in-game means
   something. */
static bool find_spot(const struct bench *bench, int pieces, int skip, struct spot *spot)
{
    for (int ply = 2 * WARM_MOVES; ply < GAME_PLIES; ply += 3) /* neighbours are nearly the same position */
        for (int game = 0; game < bench->plan->games; game++) {
            const struct played *played = &bench->played[game];
            if (ply < played->length && played->pieces[ply] == pieces && skip-- == 0) {
                *spot = (struct spot){ game, ply };
                return true;
            }
        }
    return false;
}

/* As even over the numbers of men as the games allow. */
static void choose_spots(struct bench *bench)
{
    bool found = true;
    for (int round = 0; found && bench->spots < bench->plan->positions; round++) {
        found = false;
        for (int pieces = 32; pieces >= 2 && bench->spots < bench->plan->positions; pieces--)
            if (find_spot(bench, pieces, round, &bench->spot[bench->spots])) {
                bench->spots++;
                found = true;
            }
    }
}

/* ---- timing ---- */

static tm_ns cpu_of(const struct client *client)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid((pid_t)client_pid(client), &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (tm_ns)time.tv_sec * TM_NS_PER_S + time.tv_nsec;
}

static bool add_sample(struct measurement *out, const struct rate_sample *sample, struct tm_error *error)
{
    if (out->count == out->capacity) {
        const int capacity = out->capacity ? 2 * out->capacity : 256;
        struct rate_sample *grown = realloc(out->sample, (size_t)capacity * sizeof *grown);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory for samples");
        out->sample = grown;
        out->capacity = capacity;
    }
    out->sample[out->count++] = *sample;
    return true;
}

static bool prepare(struct client *client, const struct played *played, int ply, bool in_game, const char *go,
                    struct tm_error *error)
{
    struct client_answer answer;
    if (!client_new_game(client, error))
        return false;
    for (int back = WARM_MOVES; in_game && back > 0; back--)
        if (!search(client, played, ply - 2 * back, go, &answer, error))
            return false;
    return client_ready(client, error);
}

static bool time_search(const struct bench *bench, struct client *client, int spot, int64_t nodes, bool in_game,
                        int concurrency, struct rate_sample *sample, struct tm_error *error)
{
    char go[48];
    struct client_answer answer;
    const struct spot *where = &bench->spot[spot];
    const struct played *played = &bench->played[where->game];
    snprintf(go, sizeof go, "go nodes %" PRId64, nodes);
    if (!prepare(client, played, where->ply, in_game, go, error))
        return false;
    const tm_ns cpu = cpu_of(client);
    if (!search(client, played, where->ply, go, &answer, error))
        return false;
    if (answer.nodes < 0)
        return error_fail(error, TM_ENGINE_FAILED, "engine %s reports no node counts; it has no rate", client_name(client));
    *sample = (struct rate_sample){
        .game = where->game, .spot = spot, .pieces = played->pieces[where->ply], .phase = played->phase[where->ply],
        .in_game = in_game, .concurrency = concurrency, .asked = nodes, .nodes = answer.nodes, .wall = answer.wall,
        .cpu = cpu_of(client) - cpu,
    };
    return true;
}

/* ---- one searcher, and several at once ---- */

struct searcher {
    struct bench *bench;
    struct client *client;
    int concurrency, index;
    pthread_mutex_t *lock;
    pthread_t thread;
    bool ok, running;
    struct tm_error error;
};

static bool keep(struct searcher *searcher, const struct rate_sample *sample)
{
    struct bench *bench = searcher->bench;
    pthread_mutex_lock(searcher->lock);
    const bool ok = add_sample(bench->out, sample, &searcher->error);
    bench->done++;
    if (searcher->index == 0)
        bench->progress(bench->ctx, "searches", bench->done, bench->total);
    pthread_mutex_unlock(searcher->lock);
    return ok;
}

/* Repetitions are the outermost loop, so that a disturbance meets different positions each time. */
static void *measure(void *argument)
{
    struct searcher *searcher = argument;
    const struct bench *bench = searcher->bench;
    const struct measure_plan *plan = bench->plan;
    searcher->ok = true;
    for (int repetition = 0; repetition < plan->repetitions; repetition++)
        for (int i = 0; i < bench->spots; i++)
            for (int b = 0; b < plan->budget_count; b++)
                for (int in_game = 0; searcher->ok && in_game < 2; in_game++) {
                    struct rate_sample sample;
                    const int spot = (i + searcher->index) % bench->spots; /* not all at the same position */
                    searcher->ok = time_search(bench, searcher->client, spot, plan->budget[b], in_game,
                                               searcher->concurrency, &sample, &searcher->error) &&
                                   keep(searcher, &sample);
                }
    return NULL;
}

static bool measure_together(struct bench *bench, struct client *first, int concurrency, struct tm_error *error)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct searcher *searchers = calloc((size_t)concurrency, sizeof *searchers);
    bool ok = searchers || error_fail(error, TM_INTERNAL, "out of memory for a measurement");
    for (int i = 0; ok && i < concurrency; i++) {
        searchers[i] = (struct searcher){ .bench = bench, .client = first, .concurrency = concurrency, .index = i,
                                          .lock = &lock };
        ok = i == 0 || client_start(bench->plan->engine, &searchers[i].client, error);
        if (!ok)
            searchers[i].client = NULL;
    }
    for (int i = 0; ok && i < concurrency; i++) {
        searchers[i].running = pthread_create(&searchers[i].thread, NULL, measure, &searchers[i]) == 0;
        ok = searchers[i].running || error_fail(error, TM_INTERNAL, "cannot start a thread");
    }
    for (int i = 0; searchers && i < concurrency; i++) {
        if (searchers[i].running)
            pthread_join(searchers[i].thread, NULL);
        if (ok && !searchers[i].ok) {
            *error = searchers[i].error;
            ok = false;
        }
        if (i)
            client_free(searchers[i].client);
    }
    free(searchers);
    return ok;
}

/* ---- past the wall ---- */

static int by_time(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

static bool measure_overshoot(struct bench *bench, struct client *client, struct tm_error *error)
{
    tm_ns past[MOVETIMES];
    char go[32];
    snprintf(go, sizeof go, "go movetime %d", MOVETIME_MS);
    for (int i = 0; i < MOVETIMES; i++) {
        struct client_answer answer;
        const struct spot *spot = &bench->spot[i % bench->spots];
        if (!client_new_game(client, error) ||
            !search(client, &bench->played[spot->game], spot->ply, go, &answer, error))
            return false;
        past[i] = answer.wall - MOVETIME_MS * TM_NS_PER_MS;
    }
    qsort(past, MOVETIMES, sizeof *past, by_time);
    bench->out->overshoot_median = past[MOVETIMES / 2];
    bench->out->overshoot_worst = past[MOVETIMES - 1];
    return true;
}

/* ---- lag ---- */

/* Nothing but searches, as in a game that goes on and on: `go` comes to an engine that has just answered. */
static bool measure_lags(struct bench *bench, struct client *client, struct tm_error *error)
{
    const int64_t nodes = bench->plan->budget[0];
    char go[48];
    snprintf(go, sizeof go, "go nodes %" PRId64, nodes);
    bool ok = client_new_game(client, error);
    for (int i = 0; ok && i < bench->plan->lags; i++) {
        struct client_answer answer;
        const struct spot *where = &bench->spot[i % bench->spots];
        const struct played *played = &bench->played[where->game];
        const tm_ns cpu = cpu_of(client);
        ok = search(client, played, where->ply, go, &answer, error);
        const struct rate_sample sample = {
            .game = where->game, .spot = i % bench->spots, .pieces = played->pieces[where->ply],
            .phase = played->phase[where->ply], .in_game = true, .concurrency = 1, .asked = nodes, .nodes = answer.nodes,
            .wall = answer.wall, .cpu = cpu_of(client) - cpu,
        };
        ok = ok && add_sample(bench->out, &sample, error);
        bench->progress(bench->ctx, "lags", i + 1, bench->plan->lags);
    }
    return ok;
}

/* ---- all ---- */

static bool run(struct bench *bench, struct client *client, struct tm_error *error)
{
    const struct measure_plan *plan = bench->plan;
    snprintf(bench->out->engine, sizeof bench->out->engine, "%s", client_name(client));
    if (!play_games(bench, client, error))
        return false;
    choose_spots(bench);
    if (bench->spots < 4)
        return error_fail(error, TM_ENGINE_FAILED, "engine %s: its games were over after a few moves", client_name(client));
    if (plan->lags)
        return measure_lags(bench, client, error);
    bench->total = bench->spots * plan->budget_count * plan->repetitions * 2 *
                   (plan->concurrency > 1 ? 1 + plan->concurrency : 1);
    return measure_together(bench, client, 1, error) &&
           (plan->concurrency < 2 || measure_together(bench, client, plan->concurrency, error)) &&
           measure_overshoot(bench, client, error);
}

bool measure_rates(const struct measure_plan *plan, struct measurement *out, measure_progress *progress, void *ctx,
                   struct tm_error *error)
{
    struct client *client = NULL;
    struct bench bench = { .plan = plan, .out = out, .progress = progress, .ctx = ctx };
    *out = (struct measurement){ .sample = NULL };
    bench.played = calloc((size_t)plan->games, sizeof *bench.played);
    bench.spot = calloc((size_t)plan->positions, sizeof *bench.spot);
    bool ok = (bench.played && bench.spot) || error_fail(error, TM_INTERNAL, "out of memory for a measurement");
    ok = ok && client_start(plan->engine, &client, error) && run(&bench, client, error);
    client_free(client);
    free(bench.played);
    free(bench.spot);
    return ok;
}

void measurement_clear(struct measurement *measurement)
{
    free(measurement->sample);
    *measurement = (struct measurement){ .sample = NULL };
}
