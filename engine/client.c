/* The conversation with an engine: hand shake, options, ucinewgame, searches. Options come first, then ucinewgame,
   then isready: some engines reset options at a new game, others allocate at isready. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/client_internal.h"

enum client_fault client_fault(const struct client *client) { return client->fault; }
const char *client_name(const struct client *client) { return client->name; }
const char *client_command(const struct client *client) { return client->spec->argv[0]; }
int client_pid(const struct client *client) { return (int)client->process.pid; }
tm_ns client_start_time(const struct client *client) { return client->start_time; }
int client_strays(const struct client *client) { return client->strays; }
void client_log(struct client *client, FILE *log) { client->log = log; }

/* ---- waiting for an answer ---- */

static bool fail_to_answer(struct client *client, enum client_wait why, const char *question, const char *answer,
                           tm_ns limit, struct tm_error *error)
{
    if (why == CLIENT_END)
        return client_fail(client, CLIENT_DIED, error, "ended its output before it answered '%s' with '%s'", question,
                           answer);
    return client_fail(client, CLIENT_SILENT, error, "did not answer '%s' with '%s' within %g s%s", question, answer,
                       ns_to_s(limit),
                       strcmp(answer, "uciok") == 0
                           ? "; either it is no UCI engine, or it buffers its output (it must flush each line)" : "");
}

/* An answer to a search that nobody waits for any more. */
static bool is_stray(struct client *client, const char *line)
{
    const char *rest;
    const bool stray = client_starts(line, "bestmove", &rest);
    client->strays += stray;
    return stray;
}

static bool await(struct client *client, const char *question, const char *answer, tm_ns limit, struct tm_error *error)
{
    const tm_ns deadline = client_now() + limit;
    enum client_wait why;
    const char *rest;
    for (char *line; (line = client_line(client, deadline, &why));) {
        if (client_starts(line, answer, &rest))
            return true;
        is_stray(client, line);
    }
    return fail_to_answer(client, why, question, answer, limit, error);
}

static bool ask(struct client *client, const char *question, const char *answer, tm_ns limit, struct tm_error *error)
{
    return client_put(client, question, error) && client_flush(client, error) &&
           await(client, question, answer, limit, error);
}

bool client_ready(struct client *client, struct tm_error *error)
{
    return ask(client, "isready", "readyok", client->limits.ready, error);
}

bool client_new_game(struct client *client, struct tm_error *error)
{
    return client_put(client, "ucinewgame", error) &&
           ask(client, "isready", "readyok", client->limits.new_game, error);
}

bool client_queue(struct client *client, const char *line, struct tm_error *error)
{
    return client_put(client, line, error);
}

bool client_say(struct client *client, const char *line, struct tm_error *error)
{
    return client_put(client, line, error) && client_flush(client, error);
}

/* ---- start and end ---- */

static bool take_name(struct client *client, const char *text)
{
    const char *name;
    if (!client_starts(text, "name", &name))
        return true;
    free(client->name);
    client->name = strdup(name);
    return client->name != NULL;
}

static bool shake_hands(struct client *client, struct tm_error *error)
{
    const tm_ns begun = client_now(), deadline = begun + client->limits.start;
    enum client_wait why;
    const char *rest;
    if (!client_put(client, "uci", error) || !client_flush(client, error))
        return false;
    for (char *line; (line = client_line(client, deadline, &why));) {
        bool ok = true;
        if (client_starts(line, "uciok", &rest)) {
            client->start_time = client_now() - begun;
            return true;
        }
        if (client_starts(line, "option", &rest))
            ok = client_take_option(client, rest);
        else if (client_starts(line, "id", &rest))
            ok = take_name(client, rest);
        if (!ok)
            return error_fail(error, TM_INTERNAL, "out of memory for an engine's options");
    }
    return fail_to_answer(client, why, "uci", "uciok", client->limits.start, error);
}

static bool configure(struct client *client, struct tm_error *error)
{
    for (int i = 0; i < client->spec->setting_count; i++)
        if (!client_set(client, client->spec->setting[i].name, client->spec->setting[i].value, error))
            return false;
    return client_ready(client, error);
}

static bool begin(struct client *client, struct tm_error *error)
{
    client->fault = CLIENT_SOUND;
    client->in.start = client->in.end = client->out.start = client->out.end = client->scanned = 0;
    client->complaint[0] = '\0';
    client_forget_options(client);
    if (!process_start(&client->process, client->spec->argv, client->spec->directory, error)) {
        client->fault = CLIENT_DIED;
        return false;
    }
    return shake_hands(client, error) && configure(client, error);
}

static struct client_limits fill_limits(struct client_limits limits)
{
    /* Guesses on the patient side: nothing of this is on the virtual clock, and a slow disk is no fault. */
    const struct client_limits defaults = { .start = 30 * TM_NS_PER_S, .ready = 30 * TM_NS_PER_S,
                                            .new_game = 60 * TM_NS_PER_S, .search = 120 * TM_NS_PER_S,
                                            .stop = 2 * TM_NS_PER_S };
    limits.start = limits.start ? limits.start : defaults.start;
    limits.ready = limits.ready ? limits.ready : defaults.ready;
    limits.new_game = limits.new_game ? limits.new_game : defaults.new_game;
    limits.search = limits.search ? limits.search : defaults.search;
    limits.stop = limits.stop ? limits.stop : defaults.stop;
    return limits;
}

bool client_start(const struct client_spec *spec, struct client **out, struct tm_error *error)
{
    struct client *client = calloc(1, sizeof *client);
    if (client)
        client->name = calloc(1, 1);
    if (!client || !client->name) {
        free(client);
        return error_fail(error, TM_INTERNAL, "out of memory for an engine");
    }
    client->spec = spec;
    client->limits = fill_limits(spec->limits);
    if (!begin(client, error)) {
        client_free(client);
        return false;
    }
    *out = client;
    return true;
}

bool client_restart(struct client *client, struct tm_error *error)
{
    process_end(&client->process);
    return begin(client, error);
}

bool client_wait_end(struct client *client, tm_ns limit)
{
    const tm_ns deadline = client_now() + limit;
    enum client_wait why;
    while (client_line(client, deadline, &why))
        continue;
    while (!process_has_ended(&client->process) && client_now() < deadline) {
        static const struct timespec pause = { .tv_nsec = 1000000 };
        nanosleep(&pause, NULL);
    }
    return client->process.ended;
}

void client_free(struct client *client)
{
    struct tm_error ignored;
    if (!client)
        return;
    if (!client->fault && client->process.pid > 0 && client_say(client, "quit", &ignored))
        client_wait_end(client, client->limits.stop);
    process_end(&client->process);
    client_forget_options(client);
    free(client->option);
    free(client->in.data);
    free(client->out.data);
    free(client->name);
    free(client);
}

/* ---- searches ---- */

struct search {
    struct client *client;
    client_reporter *reporter;
    void *ctx;
    struct client_answer *answer;
    tm_ns begun, stopped_at;
};

static void copy_word(char *out, size_t size, const char **text)
{
    const size_t length = strcspn(*text, " \t");
    snprintf(out, size, "%.*s", (int)length, *text);
    *text += length + strspn(*text + length, " \t");
}

static void take_best_move(struct search *search, const char *text)
{
    const char *rest;
    copy_word(search->answer->move, sizeof search->answer->move, &text);
    if (client_starts(text, "ponder", &rest))
        copy_word(search->answer->ponder, sizeof search->answer->ponder, &rest);
    search->answer->wall = client_now() - search->begun;
    if (search->stopped_at)
        search->answer->stop_wall = client_now() - search->stopped_at;
}

static void take_info(struct search *search, const char *text)
{
    struct client_info info;
    client_info_parse(text, &info);
    search->answer->lines++;
    search->answer->warnings += info.warnings;
    if ((info.has & INFO_NODES) && info.nodes > search->answer->nodes)
        search->answer->nodes = info.nodes;
    if (search->reporter && (info.has & ~(uint32_t)INFO_STRING))
        search->reporter(search->ctx, &info);
}

/* Reads until bestmove or the deadline. */
static enum client_wait read_search(struct search *search, tm_ns deadline)
{
    enum client_wait why;
    const char *rest;
    for (char *line; (line = client_line(search->client, deadline, &why));) {
        if (client_starts(line, "info", &rest)) {
            take_info(search, rest);
        } else if (client_starts(line, "bestmove", &rest)) {
            take_best_move(search, rest);
            return CLIENT_LINE;
        }
    }
    return why;
}

static bool stop_search(struct search *search, struct tm_error *error)
{
    search->stopped_at = client_now();
    return client_say(search->client, "stop", error);
}

/* Lines that came since the last question was answered belong to no search of ours. */
static bool drain(struct client *client, struct tm_error *error)
{
    enum client_wait why;
    bool stray = false;
    if (client->fault)
        return true; /* client_flush will say so */
    for (char *line; (line = client_line(client, 0, &why));)
        stray = is_stray(client, line) || stray;
    if (stray)
        return client_fail(client, CLIENT_PROTOCOL, error, "sent a bestmove that nobody had asked for");
    return true;
}

static bool end_search(struct search *search, enum client_wait state, const char *go, struct tm_error *error)
{
    struct client *client = search->client;
    if (state == CLIENT_TIMEOUT) {
        search->answer->stopped = true;
        if (!stop_search(search, error))
            return false;
        state = read_search(search, client_now() + client->limits.stop);
    }
    if (state == CLIENT_LINE)
        return true;
    if (state == CLIENT_END)
        return client_fail(client, CLIENT_DIED, error, "ended during '%s'", go);
    return client_fail(client, CLIENT_SILENT, error,
                       "did not answer '%s' within %g s, nor 'stop' within %g s", go,
                       ns_to_s(client->limits.search), ns_to_s(client->limits.stop));
}

bool client_go(struct client *client, const char *go, tm_ns stop_after, client_reporter *reporter, void *ctx,
               struct client_answer *answer, struct tm_error *error)
{
    struct search search = { .client = client, .reporter = reporter, .ctx = ctx, .answer = answer };
    *answer = (struct client_answer){ .nodes = -1 };
    if (!drain(client, error) || !client_put(client, go, error))
        return false;
    search.begun = client_now(); /* before it is sent: on a busy machine the engine may be done before we are back */
    if (!client_flush(client, error))
        return false;
    const tm_ns deadline = search.begun + client->limits.search;
    enum client_wait state;
    if (stop_after > 0) {
        state = read_search(&search, search.begun + stop_after);
        if (state == CLIENT_TIMEOUT) {
            answer->late = true;
            if (!stop_search(&search, error))
                return false;
            state = read_search(&search, deadline);
        }
    } else {
        state = read_search(&search, deadline);
    }
    return end_search(&search, state, go, error);
}
