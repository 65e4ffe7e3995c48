/* The UCI loop: one row per command. The main thread only reads and answers; searches run beside it. */
#include "engine/uci.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/uci_session.h"

enum { DEFAULT_HASH_MB = 16 };

void uci_say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&session->lock);
    vfprintf(session->out, format, arguments);
    fputc('\n', session->out);
    fflush(session->out);
    pthread_mutex_unlock(&session->lock);
    va_end(arguments);
}

void uci_complain(struct session *session, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' '; /* one line, whatever the message holds */
    uci_say(session, "info string %s", text);
}

static void command_uci(struct session *session, char *text)
{
    (void)text;
    uci_say(session, "id name Zeitnot %s", ZEITNOT_VERSION);
    uci_say(session, "id author the Zeitnot authors");
    uci_options_print(session);
    uci_say(session, "uciok");
}

static void command_isready(struct session *session, char *text)
{
    (void)text;
    uci_say(session, "readyok");
}

static void command_ucinewgame(struct session *session, char *text)
{
    (void)text;
    engine_forget(session->engine);
    uci_managers_reset(session);
}

static void command_setoption(struct session *session, char *text) { uci_option_set(session, text); }

/* Cuts `text` at the word `moves` and returns what follows it; NULL if it is not there. */
static char *split_moves(char *text)
{
    for (char *at = strstr(text, "moves"); at; at = strstr(at + 1, "moves")) {
        bool starts = at == text || strchr(" \t", at[-1]);
        bool ends = strchr(" \t\r\n", at[5]) != NULL; /* finds the final 0 too */
        if (starts && ends) {
            char *rest = at[5] ? at + 6 : at + 5;
            *at = '\0';
            return rest;
        }
    }
    return NULL;
}

static bool play_moves(struct session *session, struct game *game, char *moves)
{
    char *save = NULL;
    for (char *word = strtok_r(moves, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save)) {
        move_t move = move_parse(game_position(game), word);
        if (!move || game_length(game) >= GAME_MAX_PLIES) {
            uci_complain(session, "position: move %d, '%s', is %s; the old position stays", game_length(game) + 1, word,
                         move ? "beyond the longest game" : "not legal");
            return false;
        }
        game_play_move(game, move);
    }
    return true;
}

static void command_position(struct session *session, char *text)
{
    struct tm_error error;
    char *moves = split_moves(text), *save = NULL, *kind = strtok_r(text, " \t\r\n", &save);
    const char *fen = FEN_START;
    if (kind && !strcmp(kind, "fen"))
        fen = save ? save : "";
    else if (!kind || strcmp(kind, "startpos") != 0) {
        uci_complain(session, "position: found '%s', expected 'startpos' or 'fen'", kind ? kind : "nothing");
        return;
    }
    struct game *game = game_new(fen, &error);
    if (!game) {
        uci_complain(session, "position: %s; the old position stays", error.message);
        return;
    }
    if (moves && !play_moves(session, game, moves)) {
        game_free(game);
        return;
    }
    game_free(session->game);
    session->game = game;
}

static void run_perft(struct session *session, int depth)
{
    struct position p = *game_position(session->game);
    uci_say(session, "info string perft %d %" PRIu64, depth, perft(&p, depth));
}

static void command_go(struct session *session, char *text)
{
    struct go go;
    if (!uci_go_parse(session, text, &go))
        return;
    if (go.perft)
        run_perft(session, go.perft);
    else
        uci_search_start(session, &go);
}

static void command_stop(struct session *session, char *text)
{
    (void)text;
    uci_search_end(session, true);
}

static void command_ponderhit(struct session *session, char *text)
{
    (void)text;
    if (session->running)
        uci_signal(session, &session->ponderhit);
}

static void say_bench(void *ctx, const struct bench_result *result)
{
    uci_say(ctx, "info string %2d/%d %9" PRId64 " nodes  %s%s%s", result->index + 1, BENCH_POSITIONS, result->nodes,
            result->fen, result->over ? "  " : "", result->over ? result->over : "");
}

static void command_bench(struct session *session, char *text)
{
    struct tm_error error;
    struct bench_plan plan = { .depth = BENCH_DEPTH, .hash_bytes = (size_t)BENCH_HASH_MB << 20 };
    int64_t total;
    char *end;
    long depth = strtol(text, &end, 10);
    if (end != text && depth >= 1 && depth <= SEARCH_MAX_DEPTH)
        plan.depth = (int)depth;
    tm_ns start = uci_now();
    if (!bench_run(&plan, say_bench, session, &total, &error)) {
        uci_complain(session, "%s", error.message);
        return;
    }
    tm_ns spent = uci_now() - start;
    uci_say(session, "%" PRId64 " nodes %" PRId64 " nps", total,
            (int64_t)((double)total * 1e9 / (double)(spent > 0 ? spent : 1)));
}

static void command_d(struct session *session, char *text)
{
    (void)text;
    char fen[FEN_SIZE];
    const struct position *p = game_position(session->game);
    uci_say(session, "fen %s", position_print(fen, p));
    uci_say(session, "key %016" PRIx64 " result %s", p->key, game_result_name(game_result(session->game)));
}

struct command {
    const char *name;
    bool needs_engine; /* waits for a running search */
    void (*run)(struct session *session, char *text);
};

static const struct command commands[] = {
    { "bench", true, command_bench },
    { "d", true, command_d },
    { "go", true, command_go },
    { "isready", false, command_isready },
    { "ponderhit", false, command_ponderhit },
    { "position", true, command_position },
    { "setoption", true, command_setoption },
    { "stop", false, command_stop },
    { "uci", false, command_uci },
    { "ucinewgame", true, command_ucinewgame },
};

/* False: quit. */
static bool obey(struct session *session, char *line)
{
    char *save = NULL, *name = strtok_r(line, " \t\r\n", &save);
    if (!name)
        return true;
    if (!strcmp(name, "quit"))
        return false;
    char empty[] = "";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, name)) {
            if (commands[i].needs_engine)
                uci_search_end(session, false);
            commands[i].run(session, save ? save : empty);
            return true;
        }
    uci_complain(session, "unknown command '%.80s'", name);
    return true;
}

/* Reads lines of any length. Returns whether `quit` ended it. */
static bool read_commands(struct session *session, FILE *in)
{
    char *line = NULL;
    size_t capacity = 0;
    bool quit = false;
    ssize_t length;
    while (!quit && (length = getline(&line, &capacity, in)) >= 0) {
        for (ssize_t i = 0; i < length; i++)
            if (!line[i])
                line[i] = ' ';
        quit = !obey(session, line);
    }
    free(line);
    return quit;
}

static bool session_open(struct session *session, struct tm_error *error)
{
    session->engine = engine_new((size_t)DEFAULT_HASH_MB << 20, error);
    session->game = session->engine ? game_new(FEN_START, error) : NULL;
    if (!session->game)
        return false;
    session->policy_name = malloc(sizeof "smooth");
    if (!session->policy_name)
        return error_fail(error, TM_INTERNAL, "out of memory");
    strcpy(session->policy_name, "smooth");
    return uci_thread_start(session, error);
}

bool uci_run(FILE *in, FILE *out, struct tm_error *error)
{
    struct session session = { .out = out, .lines = 1 };
    bool ok = session_open(&session, error);
    if (ok) {
        bool quit = read_commands(&session, in);
        uci_search_end(&session, quit);
        uci_thread_end(&session);
        policy_free(session.policy);
    }
    free(session.policy_name);
    game_free(session.game);
    engine_free(session.engine);
    return ok;
}
