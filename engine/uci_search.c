/* One search in its thread: what ends it, what it prints. With a clock, the policy decides through the stop
   rule; this file only supplies the time and obeys the verdict. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/uci_session.h"
#include "vclock/data_dir.h"

enum { POLL_NODES = 1024 }; /* about 0.4 ms at 2.5 million nodes/s */

tm_ns uci_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (tm_ns)now.tv_sec * TM_NS_PER_S + now.tv_nsec;
}

tm_ns uci_elapsed(const struct session *session) { return uci_now() - session->started; }

static tm_ns live_elapsed(void *ctx, int64_t nodes)
{
    (void)nodes;
    return uci_elapsed(ctx);
}

/* Past the hard limit the wall stands at this very node; a search has one node at least. */
static int64_t live_next_poll(void *ctx, tm_ns hard, int64_t nodes)
{
    const bool past = live_elapsed(ctx, nodes) >= hard;
    return !past ? nodes + POLL_NODES : nodes < 1 ? 1 : nodes;
}

static struct tm_time time_source(struct session *session, tm_ns clock)
{
    if (session->virtual_nps) {
        session->rate = (struct rate_time){ .rate = session->virtual_nps, .clock = clock };
        return rate_time_source(&session->rate);
    }
    return (struct tm_time){ .ctx = session, .elapsed = live_elapsed, .next_poll = live_next_poll };
}

bool uci_policy_load(struct session *session, const char *name, struct tm_error *error)
{
    char directory[4096], policies[4096 + 16] = "policies";
    if (data_dir(directory, sizeof directory))
        snprintf(policies, sizeof policies, "%s/policies", directory);
    struct policy *policy;
    char *copy = malloc(strlen(name) + 1);
    if (!copy)
        return error_fail(error, TM_INTERNAL, "out of memory for a policy");
    strcpy(copy, name); /* before the old name goes: `name` may be that */
    if (!policy_load(name, policies, &policy, error)) {
        free(copy);
        return false;
    }
    uci_managers_reset(session);
    policy_free(session->policy);
    free(session->policy_name);
    session->policy = policy;
    session->policy_name = copy;
    return true;
}

/* Gives the idle thread something to do. */
static void post(struct session *session, enum job job)
{
    pthread_mutex_lock(&session->lock);
    session->job = job;
    pthread_cond_broadcast(&session->wake);
    pthread_mutex_unlock(&session->lock);
}

static void wait_idle(struct session *session)
{
    pthread_mutex_lock(&session->lock);
    while (session->job != JOB_NONE)
        pthread_cond_wait(&session->wake, &session->lock);
    pthread_mutex_unlock(&session->lock);
}

void uci_managers_reset(struct session *session)
{
    post(session, JOB_RESET);
    wait_idle(session);
}

static void free_managers(struct session *session)
{
    for (int side = WHITE; side <= BLACK; side++) {
        policy_game_free(session->manager[side].game);
        session->manager[side] = (struct manager){ .game = NULL };
    }
}

/* The manager of the side to move, made at its first timed move. NULL and `error`: the policy fails at once. */
static struct manager *manager_of(struct session *session, int side, struct tm_error *error)
{
    struct manager *manager = &session->manager[side];
    if (!manager->game) {
        manager->game = policy_game_new(session->policy, error);
        if (!manager->game)
            return NULL;
        manager->base = session->go.time[side] * TM_NS_PER_MS;
        stop_new_game(&manager->stop, manager->game, policy_info(session->policy));
    }
    return manager;
}

/* A number in [0, 1) that depends on the own move alone, so that a game can be repeated (splitmix64). */
static double move_random(int moves)
{
    uint64_t z = (uint64_t)(moves + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static struct clock_state clock_of(const struct session *session, const struct manager *manager)
{
    const struct position *p = game_position(session->game);
    const struct go *go = &session->go;
    move_t moves[MOVES_MAX];
    int us = p->side;
    return (struct clock_state){
        .time = go->time[us] * TM_NS_PER_MS - session->move_overhead, .inc = go->inc[us] * TM_NS_PER_MS,
        .base = manager->base, .period_base = manager->base,
        .opp_time = go->time[!us] * TM_NS_PER_MS, .opp_inc = go->inc[!us] * TM_NS_PER_MS,
        .has_movestogo = go->movestogo > 0, .movestogo = go->movestogo,
        .ply = position_ply(p), .moves = manager->moves, .pieces = position_men(p), .phase = position_phase(p),
        .legal = position_legal_moves(p, moves), .rand = move_random(manager->moves), .ponder = go->ponder,
        .threads = 1, .rate = session->virtual_nps,
    };
}

/* The stop rule reads the event, and the ponderhit if one has come. True: it says stop. */
static bool read_policy(struct session *session, const struct tm_event *event, int64_t *next_poll)
{
    struct stop *stop = &session->active->stop;
    if (session->go.ponder && !session->ponderhit_read && atomic_load(&session->ponderhit)) {
        struct tm_event hit = *event;
        hit.kind = TM_PONDERHIT;
        session->ponderhit_read = true;
        session->verdict = stop_read(stop, &hit);
        if (session->verdict.stop)
            return true;
    }
    session->verdict = stop_read(stop, event);
    bool waiting = session->go.ponder && !session->ponderhit_read;
    int64_t soon = event->nodes + POLL_NODES;
    *next_poll = waiting || session->verdict.next_poll > soon ? soon : session->verdict.next_poll;
    return session->verdict.stop;
}

static bool movetime_over(const struct session *session, int64_t nodes)
{
    if (session->go.movetime < 0 || (session->go.ponder && !atomic_load(&session->ponderhit)))
        return false;
    tm_ns spent = session->virtual_nps ? rate_elapsed(session->virtual_nps, nodes) : uci_elapsed(session);
    return spent >= session->go.movetime * TM_NS_PER_MS - session->move_overhead;
}

static bool on_event(void *ctx, const struct tm_event *event, int64_t *next_poll)
{
    struct session *session = ctx;
    if (event->kind == TM_ITERATION || event->kind == TM_FAIL_LOW || event->kind == TM_FAIL_HIGH)
        uci_print_info(session, event);
    if (*next_poll <= event->nodes)
        *next_poll = event->nodes + POLL_NODES;
    if (atomic_load(&session->stop))
        return true;
    if (session->active)
        return read_policy(session, event, next_poll);
    return movetime_over(session, event->nodes);
}

/* `infinite` and pondering answer only when told to, even if the search has nothing left to do. */
static void await_release(struct session *session)
{
    bool infinite = session->go.infinite;
    pthread_mutex_lock(&session->lock);
    while (!atomic_load(&session->stop)
           && (infinite || (session->go.ponder && !atomic_load(&session->ponderhit))))
        pthread_cond_wait(&session->wake, &session->lock);
    pthread_mutex_unlock(&session->lock);
}

/* The policy's `finish`, and the move that its verdict plays. */
static move_t finish_policy(struct session *session, const struct search_result *result)
{
    struct manager *manager = session->active;
    struct tm_verdict verdict = session->verdict;
    struct tm_error error;
    if (!verdict.stop) {
        verdict = (struct tm_verdict){ .stop = true, .reason = TM_STOPPED, .move = result->move,
                                       .spend = manager->stop.time.elapsed(manager->stop.time.ctx, result->nodes) };
    }
    if (verdict.reason == TM_POLICY_FAULT)
        uci_complain(session, "%s", manager->stop.error.message);
    else if (!stop_finish(&manager->stop, &verdict, result->nodes, &error))
        uci_complain(session, "%s", error.message);
    manager->moves++;
    return verdict.move ? (move_t)verdict.move : result->move;
}

/* On a node clock a move time is a number of nodes. */
static void limit_by_movetime(const struct session *session, struct search_limits *limits)
{
    tm_ns time = session->go.movetime * TM_NS_PER_MS - session->move_overhead;
    if (!session->virtual_nps || session->go.movetime < 0 || session->go.ponder)
        return;
    int64_t nodes = rate_cap(session->virtual_nps, time > 0 ? time : 0);
    limits->nodes = limits->nodes && limits->nodes < nodes ? limits->nodes : nodes;
}

/* With a clock and no other limit the policy of the side to move decides. */
static void choose_manager(struct session *session)
{
    struct tm_error error;
    session->active = NULL;
    if (!session->go.by_policy)
        return;
    session->active = manager_of(session, game_position(session->game)->side, &error);
    if (!session->active)
        uci_complain(session, "%s", error.message);
}

static const char *print_ms(char *text, size_t size, tm_ns limit)
{
    if (limit == TM_NS_MAX)
        return "none";
    snprintf(text, size, "%.15g", (double)limit / (double)TM_NS_PER_MS);
    return text;
}

/* The floored limits in ms, which `tmsim policy verify --engine` reads. */
static void say_budget(struct session *session, const struct budget *budget)
{
    char soft[32], hard[32];
    uci_say(session, "info string tm soft %s hard %s", print_ms(soft, sizeof soft, budget->soft_floored),
            print_ms(hard, sizeof hard, budget->hard_floored));
}

static void run_search(struct session *session)
{
    struct search_limits limits = session->go.limits;
    int64_t first_poll = POLL_NODES;
    choose_manager(session);
    if (session->active) {
        struct clock_state clock = clock_of(session, session->active);
        session->verdict = stop_begin(&session->active->stop, &clock, time_source(session, clock.time),
                                      session->go.ponder);
        if (session->show_budget && !session->verdict.stop)
            say_budget(session, &session->active->stop.budget);
        if (session->verdict.next_poll < first_poll)
            first_poll = session->verdict.next_poll;
    }
    limit_by_movetime(session, &limits);
    if (session->go.by_policy && (!session->active || session->verdict.stop))
        limits.nodes = 1; /* a policy fault: the first move that comes to hand */
    struct search_result result = engine_search(session->engine, session->game, &limits, first_poll, on_event,
                                                session);
    await_release(session);
    if (atomic_load(&session->stop) && !result.exhausted)
        uci_print_aborted(session, &result);
    uci_print_best(session, &result, session->active ? finish_policy(session, &result) : result.move);
}

static enum job next_job(struct session *session)
{
    pthread_mutex_lock(&session->lock);
    while (session->job == JOB_NONE)
        pthread_cond_wait(&session->wake, &session->lock);
    enum job job = session->job;
    pthread_mutex_unlock(&session->lock);
    return job;
}

static void *work(void *ctx)
{
    struct session *session = ctx;
    for (;;) {
        enum job job = next_job(session);
        if (job == JOB_SEARCH)
            run_search(session);
        else
            free_managers(session);
        post(session, JOB_NONE);
        if (job == JOB_QUIT)
            return NULL;
    }
}

bool uci_thread_start(struct session *session, struct tm_error *error)
{
    pthread_mutex_init(&session->lock, NULL);
    pthread_cond_init(&session->wake, NULL);
    if (pthread_create(&session->thread, NULL, work, session) == 0)
        return true;
    return error_fail(error, TM_INTERNAL, "cannot start the search thread");
}

void uci_thread_end(struct session *session)
{
    post(session, JOB_QUIT);
    pthread_join(session->thread, NULL);
    pthread_cond_destroy(&session->wake);
    pthread_mutex_destroy(&session->lock);
}

static void choose_clock(struct session *session, struct go *go)
{
    struct tm_error error;
    go->by_policy = go->timed && !go->infinite && go->movetime < 0;
    if (!go->by_policy || session->policy || uci_policy_load(session, session->policy_name, &error))
        return;
    uci_complain(session, "%s; playing a thirtieth of the clock", error.message); /* guess: safe, not good */
    int64_t time = go->time[game_position(session->game)->side];
    go->by_policy = false;
    go->movetime = time > 30 ? time / 30 : 1;
}

void uci_search_start(struct session *session, const struct go *go)
{
    session->started = uci_now();
    session->go = *go;
    session->go.limits.lines = session->lines;
    session->go.limits.root_moves = go->limits.root_move_count ? session->go.root_moves : NULL;
    choose_clock(session, &session->go);
    session->verdict = (struct tm_verdict){ .stop = false };
    session->ponderhit_read = false;
    atomic_store(&session->stop, false);
    atomic_store(&session->ponderhit, false);
    session->running = true;
    post(session, JOB_SEARCH);
}

void uci_signal(struct session *session, atomic_bool *flag)
{
    pthread_mutex_lock(&session->lock);
    atomic_store(flag, true);
    pthread_cond_broadcast(&session->wake);
    pthread_mutex_unlock(&session->lock);
}

static bool ends_by_itself(const struct session *session)
{
    const struct go *go = &session->go;
    if (go->infinite || (go->ponder && !atomic_load(&session->ponderhit)))
        return false;
    return go->timed || go->movetime >= 0 || go->limits.nodes || go->limits.depth || go->limits.mate;
}

void uci_search_end(struct session *session, bool stop)
{
    if (!session->running)
        return;
    if (stop || !ends_by_itself(session))
        uci_signal(session, &session->stop);
    wait_idle(session);
    session->running = false;
}
