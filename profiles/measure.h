/* Measuring node rates: timed searches of positions from games that the engine plays against itself. */
#ifndef PROFILES_MEASURE_H
#define PROFILES_MEASURE_H

#include "engine/client.h"

/* One timed search. */
struct rate_sample {
    int game, spot;         /* numbers of the game and of the position within the measurement */
    int pieces, phase;
    bool in_game;           /* tables as two earlier moves of this game left them; else fresh */
    int concurrency;        /* searches that ran at the same time */
    int64_t asked, nodes;   /* limit, and what the engine reported */
    tm_ns wall, cpu;        /* until bestmove; processor time of the engine's process */
};

struct measure_plan {
    const struct client_spec *engine;
    const char *const *opening;   /* FENs; game i starts from opening i modulo their count */
    int opening_count;
    int games;
    int positions;                /* distinct positions, spread over all numbers of men that occur */
    const int64_t *budget;        /* node limits */
    int budget_count;
    int repetitions;
    int concurrency;              /* 1, and this many at once if it is more */
    int lags;                     /* 0: rates; else so many searches of budget[0] in a row, for their lag */
};

struct measurement {
    struct rate_sample *sample;
    int count, capacity;
    char engine[128];             /* id name */
    tm_ns overshoot_median, overshoot_worst; /* of `go movetime 50`, past the 50 ms: polling, joining, printing */
};

typedef void measure_progress(void *ctx, const char *what, int done, int total);

/* Plays the games, then measures. False (TM_ENGINE_FAILED, TM_INPUT): the engine. The caller calls measurement_clear. */
bool measure_rates(const struct measure_plan *plan, struct measurement *out, measure_progress *progress, void *ctx,
                   struct tm_error *error);
void measurement_clear(struct measurement *measurement);

/* What a clock is charged beyond the engine's work: wall time from `go` to `bestmove` less processor time of the process. For
   engines with one searching thread. Never below 0. */
tm_ns rate_sample_lag(const struct rate_sample *sample);

/* The lags of all samples, ascending; the caller frees them. NULL: out of memory. */
tm_ns *measurement_lags(const struct measurement *measurement);

/* One lag a line, "0.123456ms", under a comment of where they come from: what the overhead model empirical(FILE) reads.
   `lag` is what measurement_lags gave. */
bool measurement_write_lags(const struct measurement *measurement, const tm_ns *lag, const char *command, const char *path,
                            struct tm_error *error);

/* As data with provenance: "zeitnot.samples/1". `command` is what the user gave. */
bool measurement_write(const struct measurement *measurement, const char *command, const char *engine_identity,
                       const char *path, struct tm_error *error);

struct samples {
    struct rate_sample *sample;
    int count;
    char *json;                   /* the whole file */
    bool by_cpu;                  /* rates by processor time: where other work disturbed the wall clock */
};

bool samples_load(const char *path, struct samples *out, struct tm_error *error);
void samples_clear(struct samples *samples);

#endif
