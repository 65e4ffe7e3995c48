/* Inside of the UCI client: what its files share. */
#ifndef ENGINE_CLIENT_INTERNAL_H
#define ENGINE_CLIENT_INTERNAL_H

#include "engine/client.h"
#include "engine/client_process.h"

/* Bytes that grow. */
struct buffer {
    char *data;
    size_t start, end, capacity; /* what is unread: data[start..end) */
};

enum { CLIENT_STDERR_KEPT = 240 };

struct client {
    const struct client_spec *spec;
    struct client_limits limits; /* defaults filled in */
    struct process process;
    char *name;
    struct client_option *option;
    int option_count;
    struct buffer out;           /* to the engine */
    struct buffer in;            /* from it; lines are cut out in place */
    size_t scanned;              /* in.data[start..scanned) holds no newline */
    FILE *log;
    char complaint[CLIENT_STDERR_KEPT]; /* the last it wrote to stderr, for messages */
    enum client_fault fault;
    int strays;
    tm_ns start_time;
};

tm_ns client_now(void); /* monotonic */

/* Why there is no line. */
enum client_wait { CLIENT_LINE, CLIENT_TIMEOUT, CLIENT_END };

/* Appends a line and its newline to what is to be sent. */
bool client_put(struct client *client, const char *line, struct tm_error *error);

/* Sends all that is queued; reads meanwhile, so that neither side can block the other. False: it died. */
bool client_flush(struct client *client, struct tm_error *error);

/* The next line from the engine without blanks at its ends, valid until the next call; NULL at the deadline or at
   the end of its output. Empty lines are left out. A deadline in the past only looks at what is there. */
char *client_line(struct client *client, tm_ns deadline, enum client_wait *why);

/* Marks the fault, kills the engine, and fills the error. Always false. */
bool client_fail(struct client *client, enum client_fault fault, struct tm_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads `option …` and `id …` lines of the handshake. False: out of memory. */
bool client_take_option(struct client *client, const char *text);
void client_forget_options(struct client *client);

/* Whether `line` begins with the word; *rest is what follows it. */
bool client_starts(const char *line, const char *word, const char **rest);

#endif
