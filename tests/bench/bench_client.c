/* What a move costs through the UCI client, against a bare round trip through two pipes to the same trivial process, in
   turns within one run: ninja bench_client && tests/bench_client. Exit 1 above 1.5 times. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/client.h"

enum { ROUNDS = 41, MOVES = 500 };

static const char question[] = "position startpos moves e2e4 e7e5\ngo nodes 1000\n";
static const char reply[] = "info depth 1 score cp 20 nodes 1000 pv g1f3\nbestmove g1f3\n";

/* The trivial process: one read, one write. */
static int engine(void)
{
    char line[4096];
    for (ssize_t size; (size = read(0, line, sizeof line)) > 0;) {
        const char *text = line[0] == 'u' ? "uciok\n" : line[0] == 'i' ? "readyok\n" : reply;
        if (line[0] == 'q' || write(1, text, strlen(text)) < 0)
            return 0;
    }
    return 0;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int to[2], from[2];

static void start_bare(const char *self)
{
    if (pipe(to) != 0 || pipe(from) != 0)
        exit(1);
    if (fork() == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execl(self, self, "--engine", (char *)NULL);
        _exit(1);
    }
}

static double bare_round(void)
{
    char line[4096];
    const double begun = now();
    for (int i = 0; i < MOVES; i++)
        if (write(to[1], question, sizeof question - 1) < 0 || read(from[0], line, sizeof line) <= 0)
            exit(1);
    return (now() - begun) / MOVES;
}

static double client_round(struct client *client)
{
    struct client_answer answer;
    struct tm_error error;
    const double begun = now();
    for (int i = 0; i < MOVES; i++)
        if (!client_queue(client, "position startpos moves e2e4 e7e5", &error) ||
            !client_go(client, "go nodes 1000", 0, NULL, NULL, &answer, &error))
            exit(1);
    return (now() - begun) / MOVES;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--engine") == 0)
        return engine();
    static double bare[ROUNDS], client_time[ROUNDS], ratio[ROUNDS];
    const char *command[] = { "/proc/self/exe", "--engine", NULL };
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return 1;
    self[length] = '\0';
    command[0] = self;
    const struct client_spec spec = { .argv = command };
    struct client *client;
    struct tm_error error;
    signal(SIGPIPE, SIG_IGN);
    if (!client_start(&spec, &client, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    start_bare(self);
    for (int i = 0; i < ROUNDS; i++) {
        bare[i] = bare_round();
        client_time[i] = client_round(client);
        ratio[i] = client_time[i] / bare[i];
    }
    qsort(bare, ROUNDS, sizeof *bare, by_value);
    qsort(client_time, ROUNDS, sizeof *client_time, by_value);
    qsort(ratio, ROUNDS, sizeof *ratio, by_value);
    printf("bare round trip %.1f us, through the client %.1f us a move, ratio %.2f (medians of %d rounds of %d moves)\n",
           bare[ROUNDS / 2] / 1e3, client_time[ROUNDS / 2] / 1e3, ratio[ROUNDS / 2], ROUNDS, MOVES);
    client_free(client);
    close(to[1]);
    return ratio[ROUNDS / 2] > 1.5;
}
