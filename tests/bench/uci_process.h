/* A UCI engine as a child process, for the developer's tools here. Every answer is waited for without a time limit. */
#ifndef TESTS_BENCH_UCI_PROCESS_H
#define TESTS_BENCH_UCI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct uci_process {
    const char *path;
    pid_t pid;
    FILE *in, *out; /* of the engine */
};

/* Starts it and waits for `uciok`; Stockfish's network is switched off and 16 MB of hash are asked for. */
bool uci_process_start(struct uci_process *engine, const char *path);
void uci_process_end(struct uci_process *engine);

/* Sends text, line ends included. */
bool uci_process_say(struct uci_process *engine, const char *text);

/* Reads up to a line that holds `word`, copied to `line` (may be NULL); *value is the last number that followed `key`
   (may be NULL). False: the engine has gone. */
bool uci_process_await(struct uci_process *engine, const char *word, const char *key, int64_t *value, char *line,
                       int size);

/* CPU time of the whole process so far, s; 0 if it cannot be read. */
double uci_process_cpu(const struct uci_process *engine);

#endif
