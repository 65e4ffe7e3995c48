#include "tmsim/lag_meter.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Short beside any increment that a verdict could hang on, long beside the cost of waking. */
static const tm_ns PERIOD = TM_NS_PER_MS;

struct lag_meter {
    pthread_t thread;
    atomic_bool ending;
    _Atomic tm_ns due;   /* when the thread should wake next */
    _Atomic tm_ns worst; /* since the move began */
    tm_ns waited;        /* by the process, before it */
};

static tm_ns now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (tm_ns)time.tv_sec * TM_NS_PER_S + time.tv_nsec;
}

static void raise_to(_Atomic tm_ns *worst, tm_ns late)
{
    tm_ns seen = atomic_load(worst);
    while (late > seen && !atomic_compare_exchange_weak(worst, &seen, late))
        continue;
}

static void *tick(void *argument)
{
    struct lag_meter *meter = argument;
    while (!atomic_load(&meter->ending)) {
        const tm_ns due = now() + PERIOD;
        const struct timespec until = { .tv_sec = due / TM_NS_PER_S, .tv_nsec = due % TM_NS_PER_S };
        atomic_store(&meter->due, due);
        if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0)
            raise_to(&meter->worst, now() - due);
    }
    return NULL;
}

struct lag_meter *lag_meter_new(struct tm_error *error)
{
    struct lag_meter *meter = calloc(1, sizeof *meter);
    if (!meter) {
        error_set(error, TM_INTERNAL, "out of memory for the lag meter");
        return NULL;
    }
    atomic_init(&meter->due, TM_NS_MAX);
    if (pthread_create(&meter->thread, NULL, tick, meter) == 0)
        return meter;
    error_set(error, TM_INTERNAL, "cannot start the thread that measures the lag");
    free(meter);
    return NULL;
}

void lag_meter_free(struct lag_meter *meter)
{
    if (!meter)
        return;
    atomic_store(&meter->ending, true);
    pthread_join(meter->thread, NULL);
    free(meter);
}

/* Nanoseconds that all threads of the process have waited for a processor so far. A thread that has ended takes its count
   along, so a difference may be negative: engines keep their threads through a search. */
static tm_ns waited(int pid)
{
    char path[64];
    tm_ns sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        char file[400];
        long long running, waiting;
        snprintf(file, sizeof file, "%s/%s/schedstat", path, entry->d_name);
        FILE *stream = entry->d_name[0] == '.' ? NULL : fopen(file, "r");
        if (stream && fscanf(stream, "%lld %lld", &running, &waiting) == 2)
            sum += waiting;
        if (stream)
            fclose(stream);
    }
    if (threads)
        closedir(threads);
    return sum;
}

void lag_meter_begin(struct lag_meter *meter, int pid)
{
    meter->waited = waited(pid);
    atomic_store(&meter->worst, 0);
}

tm_ns lag_meter_end(struct lag_meter *meter, int pid)
{
    const tm_ns late = now() - atomic_load(&meter->due); /* a sleep that has not ended yet */
    const tm_ns worst = atomic_load(&meter->worst), waiting = waited(pid) - meter->waited;
    const tm_ns ours = late > worst ? late : worst;
    return ours > waiting ? ours : waiting;
}
