/* Races two UCI engines: CPU time for the same nodes on the same positions, taking turns so that whatever else the
   machine does hits both alike. Prints million nodes/s of each and their ratio, for search and for perft.
     race FIRST SECOND [NODES [PERFT_DEPTH [ROUNDS]]]
   Any `Use NNUE` is switched off. A developer's tool: it judges nothing and is no test. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/bench.h"

struct racer {
    const char *name;
    pid_t pid;
    FILE *in, *out; /* of the engine */
};

struct score {
    int64_t nodes;
    double seconds; /* of CPU */
};

static bool racer_start(struct racer *racer, const char *path)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    racer->name = path;
    racer->pid = fork();
    if (racer->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(path, path, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    racer->in = fdopen(to[1], "w");
    racer->out = fdopen(from[0], "r");
    return racer->pid > 0 && racer->in && racer->out;
}

static void racer_end(struct racer *racer)
{
    fputs("quit\n", racer->in);
    fclose(racer->in);
    fclose(racer->out);
    waitpid(racer->pid, NULL, 0);
}

/* Reads until a line holds `word`; keeps the last number after `key`. False: the engine has gone. */
static bool await(struct racer *racer, const char *word, const char *key, int64_t *value)
{
    char line[8192];
    while (fgets(line, sizeof line, racer->out)) {
        const char *at = key ? strstr(line, key) : NULL;
        if (at)
            *value = strtoll(at + strlen(key), NULL, 10);
        if (strstr(line, word))
            return true;
    }
    return false;
}

static bool say(struct racer *racer, const char *text)
{
    return fputs(text, racer->in) >= 0 && fflush(racer->in) == 0;
}

/* CPU time of the whole process so far, s; 0 if it cannot be read. */
static double cpu_of(const struct racer *racer)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(racer->pid, &clock) || clock_gettime(clock, &time))
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool prepare(struct racer *racer)
{
    return say(racer, "uci\n") && await(racer, "uciok", NULL, NULL)
        && say(racer, "setoption name Use NNUE value false\nsetoption name Hash value 16\nucinewgame\nisready\n")
        && await(racer, "readyok", NULL, NULL);
}

/* One command on one position; adds what it cost. */
static bool run(struct racer *racer, const char *fen, const char *command, const char *end, const char *key,
                struct score *score)
{
    char text[512];
    int64_t nodes = 0;
    snprintf(text, sizeof text, "ucinewgame\nposition fen %s\nisready\n", fen);
    if (!say(racer, text) || !await(racer, "readyok", NULL, NULL))
        return false;
    double before = cpu_of(racer);
    if (!say(racer, command) || !await(racer, end, key, &nodes))
        return false;
    score->seconds += cpu_of(racer) - before;
    score->nodes += nodes;
    return true;
}

/* A position that both search to the end would only measure the pipe. */
static bool worth_racing(int index) { return index < 16 || (index >= 26 && index <= 34) || index == 42 || index == 43; }

static bool race_search(struct racer racers[2], int64_t nodes, struct score score[2])
{
    char command[64];
    snprintf(command, sizeof command, "go nodes %" PRId64 "\n", nodes);
    for (int i = 0; i < BENCH_POSITIONS; i++)
        for (int j = 0; j < 2 && worth_racing(i); j++)
            if (!run(&racers[j], bench_position(i), command, "bestmove", " nodes ", &score[j]))
                return false;
    return true;
}

static bool race_perft(struct racer racers[2], int depth, struct score score[2])
{
    static const char *const keys[2] = { "Nodes searched: ", NULL };
    char command[64], ours[32];
    snprintf(command, sizeof command, "go perft %d\n", depth);
    snprintf(ours, sizeof ours, "perft %d ", depth);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 2; j++) {
            const char *key = j ? keys[0] : ours;
            if (!run(&racers[j], bench_position(i), command, key, key, &score[j]))
                return false;
        }
    return true;
}

static void report(const char *what, const struct racer racers[2], const struct score score[2])
{
    double speed[2];
    for (int i = 0; i < 2; i++)
        speed[i] = (double)score[i].nodes / score[i].seconds / 1e6;
    printf("%s: %s %.3f, %s %.3f million nodes/s, ratio %.3f\n", what, racers[0].name, speed[0], racers[1].name, speed[1],
           speed[0] / speed[1]);
    if (!strcmp(what, "perft") && score[0].nodes != score[1].nodes)
        printf("perft: the counts differ\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct racer racers[2];
    if (argc < 3) {
        fputs("usage: race ZEITNOT STOCKFISH [NODES [PERFT_DEPTH [ROUNDS]]]\n", stderr);
        return 2;
    }
    int64_t nodes = argc > 3 ? strtoll(argv[3], NULL, 10) : 500000;
    int depth = argc > 4 ? atoi(argv[4]) : 5, rounds = argc > 5 ? atoi(argv[5]) : 1;
    signal(SIGPIPE, SIG_IGN);
    bool ok = racer_start(&racers[0], argv[1]) && racer_start(&racers[1], argv[2]) && prepare(&racers[0])
        && prepare(&racers[1]);
    for (int round = 0; ok && round < rounds; round++) {
        struct score search[2] = { 0 }, leaves[2] = { 0 };
        ok = race_search(racers, nodes, search);
        if (ok)
            report("search", racers, search);
        ok = ok && (depth <= 0 || race_perft(racers, depth, leaves));
        if (ok && depth > 0)
            report("perft", racers, leaves);
    }
    if (!ok)
        fputs("race: an engine did not answer\n", stderr);
    racer_end(&racers[0]);
    racer_end(&racers[1]);
    return ok ? 0 : 3;
}
