/* Engines must not survive us, and we may be killed by a signal that cannot be caught. A parent-death signal would
   reach one process only, and at the end of the thread that started it; so each group gets a guard: a process that
   does nothing but read a pipe, and kills the group when our end of the pipe is gone. */
#define _GNU_SOURCE /* pipe2, close_range */
#include "engine/client_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_END, WRITE_END };

struct pipes {
    int in[2], out[2], err[2], report[2], guard[2];
};

enum { PIPES = sizeof(struct pipes) / sizeof(int[2]) };

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(struct pipes *pipes)
{
    int (*pipe)[2] = (int(*)[2])pipes;
    for (int i = 0; i < PIPES; i++) {
        close_one(&pipe[i][READ_END]);
        close_one(&pipe[i][WRITE_END]);
    }
}

static bool open_pipes(struct pipes *pipes, struct tm_error *error)
{
    int (*pipe)[2] = (int(*)[2])pipes;
    memset(pipes, -1, sizeof *pipes);
    for (int i = 0; i < PIPES; i++)
        if (pipe2(pipe[i], O_CLOEXEC) != 0) {
            error_set(error, TM_INTERNAL, "cannot open a pipe to an engine: %s", strerror(errno));
            close_pipes(pipes);
            return false;
        }
    return true;
}

/* In the child: becomes the engine, or reports errno and ends. Only async-signal-safe calls. */
static void become(const struct pipes *pipes, const char *const *argv, const char *directory)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(pipes->in[READ_END], STDIN_FILENO) >= 0 && dup2(pipes->out[WRITE_END], STDOUT_FILENO) >= 0 &&
        dup2(pipes->err[WRITE_END], STDERR_FILENO) >= 0 && (!directory || chdir(directory) == 0)) {
        union { const char *const *in; char *const *out; } cast = { argv }; /* execvp changes nothing */
        execvp(argv[0], cast.out);
    }
    const int reason = errno;
    if (write(pipes->report[WRITE_END], &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* In the guard: waits for a byte (all is well) or for the end of the pipe (we are gone). */
static void stand_guard(int fd, pid_t group)
{
    char byte;
    ssize_t count;
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    dup2(fd, 0);
    close_range(1, ~0U, 0);
    do
        count = read(0, &byte, 1);
    while (count < 0 && errno == EINTR);
    if (count == 0)
        kill(-group, SIGKILL);
    _exit(0);
}

static bool await_exec(struct process *process, struct pipes *pipes, const char *const *argv, const char *directory,
                       struct tm_error *error)
{
    int reason = 0;
    ssize_t count;
    close_one(&pipes->report[WRITE_END]);
    do
        count = read(pipes->report[READ_END], &reason, sizeof reason);
    while (count < 0 && errno == EINTR);
    if (count == 0)
        return true;
    waitpid(process->pid, &process->status, 0);
    process->pid = 0;
    return error_fail(error, TM_INPUT, "engine %s%s%s: cannot be started: %s", argv[0], directory ? " in " : "",
                      directory ? directory : "", strerror(reason));
}

static void keep_our_ends(struct process *process, struct pipes *pipes)
{
    process->in = pipes->in[WRITE_END];
    process->out = pipes->out[READ_END];
    process->err = pipes->err[READ_END];
    process->guard_pipe = pipes->guard[WRITE_END];
    pipes->in[WRITE_END] = pipes->out[READ_END] = pipes->err[READ_END] = pipes->guard[WRITE_END] = -1;
    const int ours[] = { process->in, process->out, process->err };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        fcntl(ours[i], F_SETFL, fcntl(ours[i], F_GETFL) | O_NONBLOCK);
}

bool process_start(struct process *process, const char *const *argv, const char *directory, struct tm_error *error)
{
    struct pipes pipes;
    *process = (struct process){ .in = -1, .out = -1, .err = -1, .guard_pipe = -1 };
    if (!open_pipes(&pipes, error))
        return false;
    process->pid = fork();
    if (process->pid == 0)
        become(&pipes, argv, directory);
    bool ok = process->pid > 0;
    if (ok) {
        setpgid(process->pid, process->pid); /* the child does the same; whoever is first */
        process->guard = fork();
        if (process->guard == 0)
            stand_guard(pipes.guard[READ_END], process->pid);
        ok = process->guard > 0;
    }
    keep_our_ends(process, &pipes);
    ok = ok ? await_exec(process, &pipes, argv, directory, error)
            : error_fail(error, TM_INTERNAL, "cannot start a process: %s", strerror(errno));
    close_pipes(&pipes);
    if (!ok)
        process_end(process);
    return ok;
}

bool process_has_ended(struct process *process)
{
    if (!process->ended && process->pid > 0)
        process->ended = waitpid(process->pid, &process->status, WNOHANG) == process->pid;
    return process->ended;
}

static void dismiss_guard(struct process *process)
{
    if (process->guard > 0) {
        const char all_is_well = 1;
        if (write(process->guard_pipe, &all_is_well, 1) != 1)
            kill(process->guard, SIGKILL);
        waitpid(process->guard, NULL, 0);
        process->guard = 0;
    }
    close_one(&process->guard_pipe);
}

void process_end(struct process *process)
{
    if (process->pid > 0) {
        kill(-process->pid, SIGKILL); /* the whole group: wrappers leave children behind */
        if (!process->ended) {
            waitpid(process->pid, &process->status, 0);
            process->ended = true;
        }
        process->pid = 0;
    }
    dismiss_guard(process);
    close_one(&process->in);
    close_one(&process->out);
    close_one(&process->err);
}

char *process_describe(const struct process *process, char *buffer, size_t size)
{
    if (!process->ended)
        snprintf(buffer, size, "is running");
    else if (WIFSIGNALED(process->status))
        snprintf(buffer, size, "was killed by signal %d", WTERMSIG(process->status));
    else
        snprintf(buffer, size, "exited with code %d", WEXITSTATUS(process->status));
    return buffer;
}
