/* The progress line. It is for the eye alone: nothing is decided by the times read here. */
#include "tmsim/progress.h"

#include <stdarg.h>
#include <time.h>
#include <unistd.h>

/* The first line after 2 s: design, section 7. Ten a second: guess, as fast as it can be read. */
static const int64_t first_ns = INT64_C(2000000000), interval_ns = INT64_C(100000000);

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

struct progress progress_start(FILE *stream, bool quiet)
{
    return (struct progress){ .stream = stream, .enabled = !quiet && isatty(fileno(stream)), .start_ns = now() };
}

bool progress_due(const struct progress *progress, int64_t now_ns)
{
    return progress->enabled && now_ns - progress->start_ns >= first_ns
           && (!progress->shown || now_ns - progress->last_ns >= interval_ns);
}

void progress_update(struct progress *progress, const char *format, ...)
{
    int64_t time = now();
    if (!progress_due(progress, time))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", progress->stream);
    vfprintf(progress->stream, format, arguments);
    fflush(progress->stream);
    va_end(arguments);
    progress->shown = true;
    progress->last_ns = time;
}

double progress_seconds(const struct progress *progress) { return (double)(now() - progress->start_ns) / 1e9; }

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", progress->stream);
        fflush(progress->stream);
    }
    progress->shown = false;
}
