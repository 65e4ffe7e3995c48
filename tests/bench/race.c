/* Races two UCI engines: CPU time for the same nodes on the same positions, taking turns so that whatever else the
   machine does hits both alike. Prints million nodes/s of each and their ratio, for search and for perft.
     race FIRST SECOND [NODES [PERFT_DEPTH [ROUNDS]]]
   Any `Use NNUE` is switched off. A developer's tool: it judges nothing and is no test. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "tests/bench/uci_process.h"

struct score {
    int64_t nodes;
    double seconds; /* of CPU */
};

/* One command on one position; adds what it cost. */
static bool run(struct uci_process *racer, const char *fen, const char *command, const char *end, const char *key,
                struct score *score)
{
    char text[512];
    int64_t nodes = 0;
    snprintf(text, sizeof text, "ucinewgame\nposition fen %s\nisready\n", fen);
    if (!uci_process_say(racer, text) || !uci_process_await(racer, "readyok", NULL, NULL, NULL, 0))
        return false;
    double before = uci_process_cpu(racer);
    if (!uci_process_say(racer, command) || !uci_process_await(racer, end, key, &nodes, NULL, 0))
        return false;
    score->seconds += uci_process_cpu(racer) - before;
    score->nodes += nodes;
    return true;
}

/* A position that both search to the end would only measure the pipe. */
static bool worth_racing(int index) { return index < 16 || (index >= 26 && index <= 34) || index == 42 || index == 43; }

static bool race_search(struct uci_process racers[2], int64_t nodes, struct score score[2])
{
    char command[64];
    snprintf(command, sizeof command, "go nodes %" PRId64 "\n", nodes);
    for (int i = 0; i < BENCH_POSITIONS; i++)
        for (int j = 0; j < 2 && worth_racing(i); j++)
            if (!run(&racers[j], bench_position(i), command, "bestmove", " nodes ", &score[j]))
                return false;
    return true;
}

static bool race_perft(struct uci_process racers[2], int depth, struct score score[2])
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

static void report(const char *what, const struct uci_process racers[2], const struct score score[2])
{
    double speed[2];
    for (int i = 0; i < 2; i++)
        speed[i] = (double)score[i].nodes / score[i].seconds / 1e6;
    printf("%s: %s %.3f, %s %.3f million nodes/s, ratio %.3f\n", what, racers[0].path, speed[0], racers[1].path, speed[1],
           speed[0] / speed[1]);
    if (!strcmp(what, "perft") && score[0].nodes != score[1].nodes)
        printf("perft: the counts differ\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct uci_process racers[2];
    if (argc < 3) {
        fputs("usage: race ZEITNOT STOCKFISH [NODES [PERFT_DEPTH [ROUNDS]]]\n", stderr);
        return 2;
    }
    int64_t nodes = argc > 3 ? strtoll(argv[3], NULL, 10) : 500000;
    int depth = argc > 4 ? atoi(argv[4]) : 5, rounds = argc > 5 ? atoi(argv[5]) : 1;
    bool ok = uci_process_start(&racers[0], argv[1]) && uci_process_start(&racers[1], argv[2]);
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
    uci_process_end(&racers[0]);
    uci_process_end(&racers[1]);
    return ok ? 0 : 3;
}
