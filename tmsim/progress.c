/* The progress lines. They are for the eye alone: nothing is decided by the times read here. */
#include "tmsim/progress.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tmsim/table.h"

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

/* Takes the lines away; the cursor stands at the beginning of the first. */
static const char erase[] = "\r\033[J";

static int columns_of(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 100;
}

/* Cut off before the last column: a line that wraps could not be taken away again. */
static void put_line(FILE *stream, const char *text, size_t length, int columns)
{
    for (size_t at = 0; at < length && columns > 1;) {
        char letter[5] = "";
        size_t bytes = 1;
        while (at + bytes < length && bytes < 4 && ((unsigned char)text[at + bytes] & 0xC0) == 0x80)
            bytes++;
        memcpy(letter, text + at, bytes);
        columns -= text_width(letter);
        if (columns > 0)
            fputs(letter, stream);
        at += bytes;
    }
}

void progress_update(struct progress *progress, const char *format, ...)
{
    int64_t time = now();
    if (!progress_due(progress, time))
        return;
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int columns = columns_of(progress->stream);
    int lines = 0;
    fputs(erase, progress->stream);
    for (const char *line = text; *line; lines++) {
        const size_t length = strcspn(line, "\n");
        if (lines)
            putc('\n', progress->stream);
        put_line(progress->stream, line, length, columns);
        line += length + (line[length] == '\n');
    }
    if (lines > 1)
        fprintf(progress->stream, "\033[%dA", lines - 1);
    putc('\r', progress->stream);
    fflush(progress->stream);
    progress->shown = true;
    progress->last_ns = time;
}

double progress_seconds(const struct progress *progress) { return (double)(now() - progress->start_ns) / 1e9; }

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs(erase, progress->stream);
        fflush(progress->stream);
    }
    progress->shown = false;
}
