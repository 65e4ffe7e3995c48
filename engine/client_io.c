/* Bytes to and from the engine. All three pipes are watched at once: an engine that floods its stderr, or does not
   read while it writes, can block nobody. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/client_internal.h"

enum {
    CHUNK = 1 << 16,         /* a pipe of Linux holds as much */
    LINE_MAX_BYTES = 1 << 26 /* guess: beyond this it is no line, but a program that writes nonsense */
};

tm_ns client_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (tm_ns)now.tv_sec * TM_NS_PER_S + now.tv_nsec;
}

/* Makes room for `size` more bytes; what was read is dropped first. */
static bool reserve(struct buffer *buffer, size_t size)
{
    if (buffer->start == buffer->end)
        buffer->start = buffer->end = 0;
    if (buffer->capacity - buffer->end >= size)
        return true;
    if (buffer->start) {
        memmove(buffer->data, buffer->data + buffer->start, buffer->end - buffer->start);
        buffer->end -= buffer->start;
        buffer->start = 0;
    }
    if (buffer->capacity - buffer->end >= size)
        return true;
    const size_t capacity = 2 * (buffer->end + size);
    char *grown = realloc(buffer->data, capacity);
    if (!grown)
        return false;
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

static void log_line(struct client *client, const char *mark, const char *line, size_t size)
{
    if (client->log)
        fprintf(client->log, "%s%.*s\n", mark, (int)size, line);
}

bool client_put(struct client *client, const char *line, struct tm_error *error)
{
    const size_t size = strlen(line);
    if (!reserve(&client->out, size + 1))
        return error_fail(error, TM_INTERNAL, "out of memory for a line to an engine");
    memcpy(client->out.data + client->out.end, line, size);
    client->out.data[client->out.end + size] = '\n';
    client->out.end += size + 1;
    log_line(client, "> ", line, size);
    return true;
}

/* Reads what is there. False: the end of the output, or no memory. */
static bool read_out(struct client *client)
{
    struct buffer *in = &client->in;
    const size_t before = in->start;
    if (in->end - in->start > LINE_MAX_BYTES || !reserve(in, CHUNK))
        return false;
    client->scanned -= client->scanned ? before - in->start : 0;
    const ssize_t count = read(client->process.out, in->data + in->end, CHUNK - 1);
    if (count > 0)
        in->end += (size_t)count;
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static void keep_complaint(struct client *client, const char *text, size_t size)
{
    const size_t room = sizeof client->complaint - 1, have = strlen(client->complaint);
    if (size >= room) {
        memcpy(client->complaint, text + size - room, room);
        return;
    }
    const size_t keep = have + size > room ? room - size : have;
    memmove(client->complaint, client->complaint + have - keep, keep);
    memcpy(client->complaint + keep, text, size);
    client->complaint[keep + size] = '\0';
}

static void read_err(struct client *client)
{
    char text[4096];
    const ssize_t count = read(client->process.err, text, sizeof text);
    if (count > 0) {
        keep_complaint(client, text, (size_t)count);
        log_line(client, "! ", text, (size_t)count - (text[count - 1] == '\n'));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(client->process.err);
        client->process.err = -1;
    }
}

/* False: the engine no longer reads. */
static bool write_some(struct client *client)
{
    struct buffer *out = &client->out;
    const ssize_t count = write(client->process.in, out->data + out->start, out->end - out->start);
    if (count > 0)
        out->start += (size_t)count;
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static int milliseconds_until(tm_ns deadline)
{
    if (deadline == TM_NS_MAX)
        return -1;
    const tm_ns left = deadline - client_now();
    if (left <= 0)
        return 0;
    const tm_ns ms = (left + TM_NS_PER_MS - 1) / TM_NS_PER_MS;
    return ms > 1000000 ? 1000000 : (int)ms;
}

/* Waits for any of the three pipes and serves those that are ready. */
static enum client_wait serve(struct client *client, tm_ns deadline, bool writing)
{
    struct pollfd fds[3] = {
        { .fd = client->process.out, .events = POLLIN },
        { .fd = client->process.err, .events = POLLIN },
        { .fd = writing ? client->process.in : -1, .events = POLLOUT },
    };
    const int ready = poll(fds, 3, milliseconds_until(deadline));
    if (ready < 0)
        return errno == EINTR ? CLIENT_LINE : CLIENT_END;
    if (ready == 0)
        return CLIENT_TIMEOUT;
    if (fds[1].revents)
        read_err(client);
    if (fds[0].revents && !read_out(client))
        return CLIENT_END;
    if (fds[2].revents && !write_some(client))
        return CLIENT_END;
    return CLIENT_LINE;
}

bool client_flush(struct client *client, struct tm_error *error)
{
    struct buffer *out = &client->out;
    if (client->fault)
        return client_fail(client, client->fault, error, "is no longer running");
    if (out->start < out->end && write_some(client) && out->start == out->end)
        return true; /* as nearly always */
    const tm_ns deadline = client_now() + client->limits.ready;
    while (out->start < out->end) {
        const enum client_wait state = serve(client, deadline, true);
        if (state == CLIENT_END)
            return client_fail(client, CLIENT_DIED, error, "ended while it was spoken to");
        if (state == CLIENT_TIMEOUT)
            return client_fail(client, CLIENT_SILENT, error, "does not read its input");
    }
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Cuts the next whole line out of what was read, or NULL. */
static char *cut_line(struct client *client)
{
    struct buffer *in = &client->in;
    size_t from = client->scanned > in->start ? client->scanned : in->start;
    char *newline = in->end > from ? memchr(in->data + from, '\n', in->end - from) : NULL;
    client->scanned = in->end;
    if (!newline)
        return NULL;
    char *line = in->data + in->start, *last = newline;
    in->start = client->scanned = (size_t)(newline - in->data) + 1;
    for (char *c = line; c < newline; c++)
        if (!*c)
            *c = ' ';
    while (line < last && is_blank(*line))
        line++;
    while (last > line && is_blank(last[-1]))
        last--;
    *last = '\0';
    return line;
}

char *client_line(struct client *client, tm_ns deadline, enum client_wait *why)
{
    for (;;) {
        char *line = cut_line(client);
        if (line && *line) {
            log_line(client, "< ", line, strlen(line));
            *why = CLIENT_LINE;
            return line;
        }
        if (line)
            continue;
        *why = client->fault ? CLIENT_END : serve(client, deadline, false);
        if (*why != CLIENT_LINE)
            return NULL;
    }
}

bool client_starts(const char *line, const char *word, const char **rest)
{
    const size_t size = strlen(word);
    if (strncmp(line, word, size) != 0 || (line[size] && !is_blank(line[size])))
        return false;
    *rest = line + size + strspn(line + size, " \t");
    return true;
}

/* An engine that closes its output is about to end, and how it ended is worth a short wait. */
static void await_status(struct process *process)
{
    static const struct timespec pause = { .tv_nsec = 1000000 };
    for (int i = 0; i < 100 && process->pid > 0 && !process_has_ended(process); i++)
        nanosleep(&pause, NULL);
}

bool client_fail(struct client *client, enum client_fault fault, struct tm_error *error, const char *format, ...)
{
    char text[400], end[64] = "", *said = client->complaint;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (fault == CLIENT_DIED && client->process.pid > 0) {
        await_status(&client->process);
        if (client->process.ended)
            process_describe(&client->process, end, sizeof end);
    }
    client->fault = fault;
    process_end(&client->process);
    for (char *c = said; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    while (*said == ' ')
        said++;
    return error_fail(error, TM_ENGINE_FAILED, "engine %s %s%s%s%s%s%s",
                      *client->name ? client->name : client_command(client), text, *end ? "; it " : "", end,
                      *said ? " (on its stderr: " : "", said, *said ? ")" : "");
}
