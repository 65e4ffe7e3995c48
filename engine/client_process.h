/* A child process with three pipes, in a process group of its own that never outlives us. */
#ifndef ENGINE_CLIENT_PROCESS_H
#define ENGINE_CLIENT_PROCESS_H

#include <sys/types.h>

#include "vclock/ns.h"

struct process {
    pid_t pid, guard;      /* 0: none. The guard kills the group if we die without process_end */
    int in, out, err;      /* its standard streams, our ends, not blocking; -1: closed */
    int guard_pipe;
    bool ended;            /* it has been waited for, `status` holds */
    int status;            /* as of waitpid */
};

/* False (TM_INPUT): the program cannot be started. `directory` may be NULL. */
bool process_start(struct process *process, const char *const *argv, const char *directory, struct tm_error *error);

/* Whether it has ended, without waiting. */
bool process_has_ended(struct process *process);

/* Kills the group, reaps the process, closes the pipes. Harmless when repeated. */
void process_end(struct process *process);

/* "exited with code 3", "was killed by signal 9", "is running". Returns `buffer`. */
char *process_describe(const struct process *process, char *buffer, size_t size);

#endif
