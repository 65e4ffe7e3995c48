/* The UCI client: an engine in a process of its own. It knows UCI and wall-clock patience, and nothing of virtual
   clocks. One thread at a time per client. The program must ignore SIGPIPE. */
#ifndef ENGINE_CLIENT_H
#define ENGINE_CLIENT_H

#include <stdio.h>

#include "engine/client_info.h"
#include "vclock/ns.h"

struct client;

struct client_setting {
    const char *name, *value; /* value "": a button is pressed */
};

/* How long the engine may take on the wall clock. 0: the default. */
struct client_limits {
    tm_ns start;    /* from the start of the process to uciok; 30 s */
    tm_ns ready;    /* isready after options; 30 s */
    tm_ns new_game; /* isready after ucinewgame; 60 s */
    tm_ns search;   /* one search; then it is told to stop; 120 s */
    tm_ns stop;     /* from stop to bestmove, and from quit to the end; then it is killed; 2 s */
};

/* Everything is borrowed, and must outlive the client: a restart reads it again. */
struct client_spec {
    const char *const *argv;  /* ends with NULL; argv[0] is looked up in PATH if it has no '/' */
    const char *directory;    /* where it runs; NULL: here */
    const struct client_setting *setting;
    int setting_count;
    struct client_limits limits;
};

enum client_option_type { CLIENT_CHECK, CLIENT_SPIN, CLIENT_COMBO, CLIENT_BUTTON, CLIENT_STRING };

struct client_option {
    char *name, *initial;     /* initial: "" if it has none */
    enum client_option_type type;
    int64_t low, high;        /* of a spin */
};

/* What is wrong with the engine, once something is. It stays so until client_restart. */
enum client_fault {
    CLIENT_SOUND,
    CLIENT_DIED,     /* its output ended */
    CLIENT_SILENT,   /* a limit passed; it has been killed */
    CLIENT_PROTOCOL, /* it answered what was not asked; it has been killed */
};

/* Starts the process, waits for uciok, sends the settings, waits for readyok. An option that the engine does not
   have, or a value out of its range, is TM_INPUT; all else TM_ENGINE_FAILED. The caller frees *out. */
bool client_start(const struct client_spec *spec, struct client **out, struct tm_error *error);

/* quit, a bounded wait, then its whole process group is killed. NULL is allowed. */
void client_free(struct client *client);

/* The same process anew, after a fault. */
bool client_restart(struct client *client, struct tm_error *error);

enum client_fault client_fault(const struct client *client);
const char *client_name(const struct client *client);    /* id name; "" if it gave none */
const char *client_command(const struct client *client); /* argv[0], for messages */
int client_pid(const struct client *client);
tm_ns client_start_time(const struct client *client);    /* from the start to uciok */
int client_strays(const struct client *client);          /* answers that nobody had asked for */

const struct client_option *client_option(const struct client *client, const char *name); /* NULL: it has none */
int client_option_count(const struct client *client);
const struct client_option *client_option_at(const struct client *client, int index);

/* Where its lines go: "> " ours, "< " its own, "! " its stderr. NULL: nowhere. The stream is borrowed. */
void client_log(struct client *client, FILE *log);

/* Sets an option now, without waiting. Refused like a setting of the spec. */
bool client_set(struct client *client, const char *name, const char *value, struct tm_error *error);

/* isready, and the wait for readyok within `limits.ready`. */
bool client_ready(struct client *client, struct tm_error *error);

/* ucinewgame, isready, readyok. */
bool client_new_game(struct client *client, struct tm_error *error);

/* Queues a line, which goes out together with the next `go`: both reach the engine in one piece. */
bool client_queue(struct client *client, const char *line, struct tm_error *error);

/* Sends a line now. */
bool client_say(struct client *client, const char *line, struct tm_error *error);

struct client_answer {
    char move[8], ponder[8]; /* as printed, cut; "" if there was none */
    int64_t nodes;           /* highest count reported; -1: unknown */
    int lines, warnings;     /* info lines; fields in them that were no numbers */
    bool stopped;            /* the watchdog had to say stop */
    bool late;               /* before its own `stop_after` it had not answered */
    tm_ns wall, stop_wall;   /* to bestmove, from go; and from stop, if that was sent */
};

/* Called for each info line that holds anything but `string`. */
typedef void client_reporter(void *ctx, const struct client_info *info);

/* Sends what is queued and `go` (a whole line, "go nodes 1000"), and reads until bestmove. `stop_after` > 0: stop is
   sent then, as a GUI would (go infinite). `reporter` may be NULL. False: a fault of the engine. */
bool client_go(struct client *client, const char *go, tm_ns stop_after, client_reporter *reporter, void *ctx,
               struct client_answer *answer, struct tm_error *error);

/* Waits until the process has ended by itself, at most `limit`. True: it has. For checks of quit. */
bool client_wait_end(struct client *client, tm_ns limit);

#endif
