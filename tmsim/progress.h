/* A line or two on stderr, updated in place while something takes long. */
#ifndef TMSIM_PROGRESS_H
#define TMSIM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *stream;
    bool enabled;          /* a terminal, and not --quiet */
    bool shown;            /* lines stand there */
    int64_t start_ns, last_ns;
};

/* Silent for ever if `quiet` or if the stream is no terminal. */
struct progress progress_start(FILE *stream, bool quiet);

/* Replaces the lines, at most ten times a second and not before two seconds have passed. Lines are separated by
   newlines, none at the end, and cut off at the terminal's width. */
void progress_update(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether an update at this time (monotonic, ns) would be shown; for callers whose line is costly to make. */
bool progress_due(const struct progress *progress, int64_t now_ns);

/* Seconds since progress_start. */
double progress_seconds(const struct progress *progress);

/* Takes the lines away, before results or warnings are printed. */
void progress_clear(struct progress *progress);

#endif
