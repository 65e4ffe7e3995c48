/* A foreign engine thinks: on its own clock that reads nodes, or for a policy that reads its info lines afterwards. The
   stop rule is the same as everywhere; only here its events come when the search is already over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/client_events.h"
#include "tmsim/arm.h"
#include "tmsim/lag_meter.h"

struct driver {
    const struct arm *arm;
    struct client *client;
    struct lag_meter *meter;  /* on a real clock */
    char *line;               /* "position fen … moves …", grows with the game */
    size_t length, capacity;
    int plies;                /* moves in `line` */
    int64_t rate;             /* VirtualNps as it stands; 0: not set */
    int64_t most;             /* largest node count of this game */
    struct tm_event *event;   /* room for one search's events */
    int event_capacity;
};

const struct arm *driver_arm(const struct driver *driver) { return driver->arm; }

bool driver_stalled(const struct driver *driver) { return client_fault(driver->client) == CLIENT_SILENT; }

bool driver_new(const struct arm *arm, struct driver **out, struct tm_error *error)
{
    struct driver *driver = calloc(1, sizeof *driver);
    if (!driver)
        return error_fail(error, TM_INTERNAL, "out of memory for an engine");
    driver->arm = arm;
    if (arm->spec->clock == ENGINE_REAL && !(driver->meter = lag_meter_new(error))) {
        driver_free(driver);
        return false;
    }
    if (!client_start(&arm->spec->client, &driver->client, error)) {
        driver_free(driver);
        return false;
    }
    *out = driver;
    return true;
}

void driver_free(struct driver *driver)
{
    if (!driver)
        return;
    client_free(driver->client);
    lag_meter_free(driver->meter);
    free(driver->line);
    free(driver->event);
    free(driver);
}

/* ---- the game line ---- */

static bool append(struct driver *driver, const char *text, struct tm_error *error)
{
    const size_t size = strlen(text);
    if (driver->length + size + 1 > driver->capacity) {
        const size_t capacity = 2 * (driver->length + size) + 256;
        char *grown = realloc(driver->line, capacity);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory for a game line");
        driver->line = grown;
        driver->capacity = capacity;
    }
    memcpy(driver->line + driver->length, text, size + 1);
    driver->length += size;
    return true;
}

/* FENs of books may lack the counters; UCI wants them. */
static bool start_line(struct driver *driver, const char *fen, struct tm_error *error)
{
    struct position start;
    char full[FEN_SIZE];
    driver->length = 0;
    driver->plies = 0;
    return position_parse(&start, fen, error) && append(driver, "position fen ", error) &&
           append(driver, position_print(full, &start), error);
}

static bool queue_position(struct driver *driver, const struct game *game, struct tm_error *error)
{
    char text[MOVE_TEXT_SIZE + 1] = " ";
    if (driver->plies == 0 && game_length(game) > 0 && !append(driver, " moves", error))
        return false;
    for (; driver->plies < game_length(game); driver->plies++) {
        move_print(text + 1, game_move(game, driver->plies));
        if (!append(driver, text, error))
            return false;
    }
    return client_queue(driver->client, driver->line, error);
}

void driver_log(struct driver *driver, FILE *log) { client_log(driver->client, log); }

bool driver_new_game(struct driver *driver, const char *fen, struct tm_error *error)
{
    driver->most = 0;
    if (client_fault(driver->client)) {
        driver->rate = 0;
        if (!client_restart(driver->client, error))
            return false;
    }
    return start_line(driver, fen, error) && client_new_game(driver->client, error);
}

/* ---- one search ---- */

static bool search(struct driver *driver, const struct driver_question *question, const char *go,
                   struct client_reports *reports, struct driver_answer *answer, struct tm_error *error)
{
    struct client_answer found;
    *reports = (struct client_reports){ .position = game_position(question->game) };
    if (!queue_position(driver, question->game, error) ||
        !client_go(driver->client, go, 0, client_reports_add, reports, &found, error))
        return false;
    if (reports->failed)
        return error_fail(error, TM_INTERNAL, "out of memory for an engine's lines");
    const move_t move = move_parse(reports->position, found.move);
    memcpy(answer->text, found.move, sizeof answer->text);
    answer->illegal = !move;
    answer->verdict.move = move;
    answer->used = found.nodes;
    answer->wall = found.wall;
    driver->most = found.nodes > driver->most ? found.nodes : driver->most;
    return true;
}

/* Depth and score of the last line that ended an iteration; without one, of the last exact line. */
static void note_last(struct driver_answer *answer, const struct client_reports *reports)
{
    for (int i = 0; i < reports->count; i++)
        if (reports->row[i].bound == TM_EXACT) {
            answer->depth = reports->row[i].depth;
            answer->score = reports->row[i].score;
        }
    answer->bound = TM_EXACT;
}

/* ---- the node clock ---- */

/* Whole milliseconds as runners send them, never below 1. */
static int64_t milliseconds(tm_ns t) { return t < TM_NS_PER_MS ? 1 : t / TM_NS_PER_MS; }

static void print_go(const struct driver_question *question, char *go, size_t size)
{
    const int us = game_position(question->game)->side;
    const struct vclock *own = question->clock[us];
    const int used = snprintf(go, size, "go wtime %" PRId64 " btime %" PRId64 " winc %" PRId64 " binc %" PRId64,
                              milliseconds(question->clock[WHITE]->left), milliseconds(question->clock[BLACK]->left),
                              question->inc[WHITE] / TM_NS_PER_MS, question->inc[BLACK] / TM_NS_PER_MS);
    if (vclock_has_movestogo(own) && used > 0)
        snprintf(go + used, size - (size_t)used, " movestogo %d", own->movestogo);
}

static bool set_rate(struct driver *driver, int64_t rate, struct tm_error *error)
{
    char text[24];
    if (driver->arm->spec->clock != ENGINE_NODES || driver->rate == rate)
        return true;
    snprintf(text, sizeof text, "%" PRId64, rate);
    driver->rate = rate;
    return client_set(driver->client, "VirtualNps", text, error);
}

static int64_t charge_unknown(const struct driver *driver, const struct driver_question *question)
{
    const int64_t share = rate_cap(question->time->rate, question->time->clock / 40);
    return driver->most > share ? driver->most : share;
}

static bool think_native(struct driver *driver, const struct driver_question *question, struct driver_answer *answer,
                         struct tm_error *error)
{
    char go[200];
    struct client_reports reports = { 0 };
    print_go(question, go, sizeof go);
    const bool ok = set_rate(driver, question->time->rate, error) &&
                    search(driver, question, go, &reports, answer, error);
    if (ok) {
        note_last(answer, &reports);
        answer->charged = answer->used >= 0 ? answer->used : charge_unknown(driver, question);
        answer->verdict.stop = true;
        answer->verdict.reason = TM_NATIVE;
        answer->verdict.spend = rate_elapsed(question->time->rate, answer->charged);
    }
    client_reports_clear(&reports);
    return ok;
}

/* ---- the real clock ---- */

/* Charged is the wall time from `go` to `bestmove`. What the runner itself was late meanwhile is told apart. */
static bool think_real(struct driver *driver, const struct driver_question *question, struct driver_answer *answer,
                       struct tm_error *error)
{
    char go[200];
    struct client_reports reports = { 0 };
    print_go(question, go, sizeof go);
    lag_meter_begin(driver->meter, client_pid(driver->client));
    const bool ok = search(driver, question, go, &reports, answer, error);
    if (ok) {
        const tm_ns lag = lag_meter_end(driver->meter, client_pid(driver->client));
        note_last(answer, &reports);
        answer->asked = answer->charged = 0;
        answer->lag = lag < 0 ? 0 : lag < answer->wall ? lag : answer->wall;
        answer->verdict.stop = true;
        answer->verdict.reason = TM_NATIVE;
        answer->verdict.spend = answer->wall - answer->lag;
    }
    client_reports_clear(&reports);
    return ok;
}

/* ---- a policy drives it ---- */

static bool clear(struct driver *driver, struct tm_error *error)
{
    if (driver->arm->spec->clock == ENGINE_WARM)
        return true;
    if (!driver->arm->check.clear_hash)
        return client_new_game(driver->client, error);
    return client_set(driver->client, "Clear Hash", "", error) && client_ready(driver->client, error);
}

static bool reserve_events(struct driver *driver, int count, struct tm_error *error)
{
    if (count <= driver->event_capacity)
        return true;
    struct tm_event *grown = realloc(driver->event, (size_t)count * sizeof *grown);
    if (!grown)
        return error_fail(error, TM_INTERNAL, "out of memory for an engine's lines");
    driver->event = grown;
    driver->event_capacity = count;
    return true;
}

struct replay {
    int read;              /* events that the stop rule has seen */
    struct tm_event last;  /* the last of them */
    struct tm_verdict verdict;
};

static bool read_event(const struct driver_question *question, const struct tm_event *event, struct replay *replay,
                       struct tm_error *error)
{
    if (question->trace && !trace_append(question->trace, event))
        return error_fail(error, TM_INTERNAL, "out of memory while recording events");
    replay->verdict = stop_read(question->stop, event);
    replay->last = *event;
    replay->read++;
    return true;
}

/* Feeds the stop rule what it has not seen yet: the events of a longer run begin with those of the shorter one. */
static bool read_events(struct driver *driver, const struct driver_question *question,
                        const struct client_reports *reports, int64_t cap, struct replay *replay, struct tm_error *error)
{
    if (!reserve_events(driver, reports->count, error))
        return false;
    const int count = client_reports_events(reports, cap, driver->arm->check.known, question->legal, driver->event,
                                            driver->event_capacity);
    const int seen = replay->read;
    if (seen && (count < seen || driver->event[seen - 1].nodes != replay->last.nodes ||
                 driver->event[seen - 1].move != replay->last.move))
        return error_fail(error, TM_ENGINE_FAILED, "engine %s: its longer search does not begin like its shorter one",
                          driver->arm->spec->client.argv[0]);
    for (int i = seen; i < count && !replay->verdict.stop; i++)
        if (!read_event(question, &driver->event[i], replay, error))
            return false;
    return true;
}

/* The engine has answered and the stop rule has not: the wall, or it stopped by itself. The move is its own. */
static bool end_at_answer(const struct driver_question *question, struct driver_answer *answer, struct replay *replay,
                          struct tm_error *error)
{
    struct tm_event poll = replay->last;
    const move_t best = (move_t)answer->verdict.move;
    poll.kind = TM_POLL;
    poll.move = best;
    poll.nodes = answer->charged;
    poll.known = replay->read ? replay->last.known : 0;
    if (!read_event(question, &poll, replay, error))
        return false;
    if (!replay->verdict.stop)
        replay->verdict = (struct tm_verdict){ .stop = true, .reason = TM_GIVEN,
                                               .spend = rate_elapsed(question->time->rate, answer->charged) };
    if (replay->verdict.reason != TM_POLICY_FAULT)
        replay->verdict.move = best;
    return true;
}

/* What to ask first: all up to the wall; or, where a shorter run is the beginning of a longer one, twice the soft
   nodes, since the wall can be many times the soft limit. */
static int64_t first_ask(const struct driver *driver, const struct driver_question *question, int64_t wall)
{
    const bool may_grow = driver->arm->check.prefix && driver->arm->spec->clock == ENGINE_COLD;
    if (!may_grow || question->stop->soft == TM_NS_MAX)
        return wall;
    const int64_t soft = rate_cap(question->time->rate, question->stop->soft);
    return soft < wall / 2 ? 2 * soft : wall;
}

static bool search_and_read(struct driver *driver, const struct driver_question *question, int64_t ask,
                            struct driver_answer *answer, struct replay *replay, struct tm_error *error)
{
    char go[48];
    struct client_reports reports;
    snprintf(go, sizeof go, "go nodes %" PRId64, ask);
    if (!clear(driver, error))
        return false;
    bool ok = search(driver, question, go, &reports, answer, error);
    if (ok) {
        answer->charged = answer->used >= 0 ? answer->used : ask;
        ok = read_events(driver, question, &reports, ask, replay, error);
    }
    client_reports_clear(&reports);
    return ok;
}

/* After a soft stop only what came before it was spent; the rest was asked for and is not charged. */
static void note_stop(const struct driver_question *question, const struct replay *replay, struct driver_answer *answer)
{
    const struct stop *stop = question->stop;
    answer->verdict = replay->verdict;
    answer->depth = stop->finished_depth;
    answer->score = stop->finished_depth ? stop->finished_score : 0;
    answer->bound = TM_EXACT;
    if (replay->verdict.reason == TM_SOFT || replay->verdict.reason == TM_SINGLE_REPLY)
        answer->charged = replay->last.nodes;
}

static bool think_driven(struct driver *driver, const struct driver_question *question, struct driver_answer *answer,
                         struct tm_error *error)
{
    const int64_t wall = question->begun.next_poll;
    struct replay replay = { 0 };
    for (int64_t ask = first_ask(driver, question, wall);; ask = ask < wall / 2 ? 2 * ask : wall) {
        answer->asked = ask;
        if (!search_and_read(driver, question, ask, answer, &replay, error))
            return false;
        /* An engine that answers short of what it was asked has said all it will. */
        if (replay.verdict.stop || ask >= wall || (answer->used >= 0 && answer->used < ask))
            break;
    }
    if (!replay.verdict.stop && !end_at_answer(question, answer, &replay, error))
        return false;
    if (replay.verdict.reason == TM_SOFT || replay.verdict.reason == TM_SINGLE_REPLY)
        answer->illegal = false; /* the move is that of a variation, and legal */
    note_stop(question, &replay, answer);
    return true;
}

bool driver_think(struct driver *driver, const struct driver_question *question, struct driver_answer *answer,
                  struct tm_error *error)
{
    *answer = (struct driver_answer){ .used = -1, .asked = question->begun.next_poll };
    if (driver->arm->spec->clock == ENGINE_REAL)
        return think_real(driver, question, answer, error);
    return arm_is_driven(driver->arm) ? think_driven(driver, question, answer, error)
                                      : think_native(driver, question, answer, error);
}
