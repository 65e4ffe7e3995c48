/* Inside of the UCI server: the session that its files share. */
#ifndef ENGINE_UCI_SESSION_H
#define ENGINE_UCI_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "engine/search.h"
#include "vclock/rate_time.h"

/* One `go`, as parsed. Times in ms as UCI sends them. */
struct go {
    struct search_limits limits;
    move_t root_moves[MOVES_MAX];
    bool infinite, ponder, timed;
    bool by_policy;                   /* the clock alone limits it */
    int64_t movetime;                 /* -1: none */
    int64_t time[2], inc[2];          /* White, Black */
    int movestogo;                    /* 0: none */
    int perft;                        /* 0: none */
};

/* The time manager of one colour in one game. */
struct manager {
    struct policy_game *game;
    struct stop stop;
    tm_ns base;
    int moves;
};

/* What the search thread does. It lives as long as the session, since everything that touches a policy's
   Lua state and its caches should stay in one thread. */
enum job { JOB_NONE, JOB_SEARCH, JOB_RESET, JOB_QUIT };

struct session {
    FILE *out;
    struct engine *engine;
    struct game *game;
    int64_t virtual_nps;              /* 0: the real clock */
    tm_ns move_overhead;              /* kept back of each clock and move time */
    int lines;                        /* MultiPV */
    bool show_budget;                 /* each timed move prints its limits: info string tm soft 412 hard 1650 */
    char *policy_name;
    struct policy *policy;            /* NULL: not loaded yet */
    struct manager manager[2];

    /* the running search; written by the main thread before it starts */
    struct go go;
    bool running;                     /* a search was started and not yet waited for; main thread only */
    tm_ns started;                    /* monotonic */
    struct rate_time rate;

    atomic_bool stop, ponderhit;      /* set by the main thread, read at polls */
    pthread_t thread;
    enum job job;                     /* under `lock`; JOB_NONE: idle */
    pthread_mutex_t lock;             /* output, the job, and waiting for the flags above */
    pthread_cond_t wake;

    /* search thread only */
    struct manager *active;           /* NULL: no policy decides */
    struct tm_verdict verdict;
    bool ponderhit_read;
};

/* Prints one line and flushes; callable from both threads. */
void uci_say(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text after `info string`. */
void uci_complain(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

tm_ns uci_now(void);
tm_ns uci_elapsed(const struct session *session); /* since the search began */

void uci_print_info(struct session *session, const struct tm_event *event);

/* For a search that was told to stop: what it was asked for, if that was a limit. */
void uci_print_aborted(struct session *session, const struct search_result *result);

/* The last info line and the answer. */
void uci_print_best(struct session *session, const struct search_result *result, move_t move);

/* Options: `setoption` text after the word, and their listing for `uci`. */
void uci_options_print(struct session *session);
void uci_option_set(struct session *session, char *text);

/* Reads the words after `go`. False: complained. */
bool uci_go_parse(struct session *session, char *text, struct go *go);

/* Starts and ends the search thread. False and `error`: no thread can be had. */
bool uci_thread_start(struct session *session, struct tm_error *error);
void uci_thread_end(struct session *session);

/* Starts a search. */
void uci_search_start(struct session *session, const struct go *go);

/* Waits for the running search, if any; with `stop` (or without a limit of its own) it is ended first. */
void uci_search_end(struct session *session, bool stop);

void uci_signal(struct session *session, atomic_bool *flag);

/* A new game begins for both time managers. */
void uci_managers_reset(struct session *session);

/* Loads the policy named by the option. False and `error`: the old one stays. */
bool uci_policy_load(struct session *session, const char *name, struct tm_error *error);

#endif
