#include "tests/bench/uci_process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool spawn(struct uci_process *engine, const char *path)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    engine->path = path;
    engine->pid = fork();
    if (engine->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(path, path, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    engine->in = fdopen(to[1], "w");
    engine->out = fdopen(from[0], "r");
    return engine->pid > 0 && engine->in && engine->out;
}

bool uci_process_start(struct uci_process *engine, const char *path)
{
    signal(SIGPIPE, SIG_IGN);
    return spawn(engine, path) && uci_process_say(engine, "uci\n")
        && uci_process_await(engine, "uciok", NULL, NULL, NULL, 0)
        && uci_process_say(engine, "setoption name Use NNUE value false\nsetoption name Hash value 16\nucinewgame\nisready\n")
        && uci_process_await(engine, "readyok", NULL, NULL, NULL, 0);
}

void uci_process_end(struct uci_process *engine)
{
    uci_process_say(engine, "quit\n");
    fclose(engine->in);
    fclose(engine->out);
    waitpid(engine->pid, NULL, 0);
}

bool uci_process_say(struct uci_process *engine, const char *text)
{
    return fputs(text, engine->in) >= 0 && fflush(engine->in) == 0;
}

bool uci_process_await(struct uci_process *engine, const char *word, const char *key, int64_t *value, char *line,
                       int size)
{
    char text[8192];
    while (fgets(text, sizeof text, engine->out)) {
        const char *at = key ? strstr(text, key) : NULL;
        if (at)
            *value = strtoll(at + strlen(key), NULL, 10);
        if (!strstr(text, word))
            continue;
        if (line)
            snprintf(line, (size_t)size, "%s", text);
        return true;
    }
    return false;
}

double uci_process_cpu(const struct uci_process *engine)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(engine->pid, &clock) || clock_gettime(clock, &time))
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
