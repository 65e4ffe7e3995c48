/* How soon `stop` is answered: the wall time from writing it to reading `bestmove`, over the bench's positions, each while
   a search runs. Prints the median and the worst in ms. A developer's tool: it judges nothing and is no test.
     latency ENGINE [WAIT_MS]
   The engine searches for WAIT_MS (20 unless given) before it is stopped. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/bench.h"
#include "tests/bench/uci_process.h"

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The latency in one position; negative if the engine has gone. */
static double stop_once(struct uci_process *engine, const char *fen, long wait_ms)
{
    char text[256];
    const struct timespec wait = { .tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000 };
    snprintf(text, sizeof text, "position fen %s\ngo infinite\n", fen);
    if (!uci_process_say(engine, text))
        return -1;
    nanosleep(&wait, NULL);
    const double start = now_ms();
    if (!uci_process_say(engine, "stop\n") || !uci_process_await(engine, "bestmove", NULL, NULL, NULL, 0))
        return -1;
    return now_ms() - start;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct uci_process engine;
    double ms[BENCH_POSITIONS];
    const long wait_ms = argc > 2 ? strtol(argv[2], NULL, 10) : 20;
    if (argc < 2 || wait_ms < 0 || !uci_process_start(&engine, argv[1])) {
        fputs("usage: latency ENGINE [WAIT_MS]\n", stderr);
        return 2;
    }
    for (int i = 0; i < BENCH_POSITIONS; i++)
        if ((ms[i] = stop_once(&engine, bench_position(i), wait_ms)) < 0)
            return 3;
    uci_process_end(&engine);
    qsort(ms, BENCH_POSITIONS, sizeof *ms, by_size);
    printf("stop answered after %.2f ms (median), %.2f ms (worst of %d)\n", ms[BENCH_POSITIONS / 2],
           ms[BENCH_POSITIONS - 1], BENCH_POSITIONS);
    return 0;
}
