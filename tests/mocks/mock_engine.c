/* mock_engine MODE: a UCI engine that plays legal moves after a search that it makes up, and misbehaves in one way. Its
   iterations end at 20 * 2^depth nodes, its scores and moves follow from the position's key, so that runs repeat. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/game.h"

struct mode {
    const char *name;
    int used_percent;      /* of the nodes that it was asked for; 0: 100 */
    int64_t fixed_nodes;   /* whatever it is asked for */
    const char *best;      /* instead of a legal move */
    int start_ms, first_ms;
    int die_at, exit_at, freeze_at; /* this `go`, from 1 */
    const char *line_end;
    bool deaf, silent, stubborn, ignores_quit, ignores_eof, buffers, stray, leaks, sticky, bare, no_nodes;
    bool splits, bounds, multipv, garbage, strings, flood, long_line, share, new_best, blanks;
    bool node_clock, constant_nodes, ms_moves, cumulative;
};

static const struct mode modes[] = {
    { .name = "plain" },
    { .name = "early", .used_percent = 46 },
    { .name = "overshoots", .used_percent = 230 },
    { .name = "handful", .fixed_nodes = 25 },
    { .name = "depth6", .fixed_nodes = 1280 },
    { .name = "deaf", .deaf = true },
    { .name = "silent", .silent = true },
    { .name = "stubborn", .stubborn = true },
    { .name = "noflush", .buffers = true },
    { .name = "slow_start", .start_ms = 700 },
    { .name = "slow_first", .first_ms = 400 },
    { .name = "dies", .die_at = 3 },
    { .name = "exits", .exit_at = 3 },
    { .name = "dies_on_clock", .die_at = 3, .node_clock = true },
    { .name = "freezes", .freeze_at = 3 },
    { .name = "immortal", .ignores_quit = true, .ignores_eof = true },
    { .name = "stray", .stray = true },
    { .name = "leaks", .leaks = true },
    { .name = "sticky", .sticky = true },
    { .name = "none", .best = "(none)" },
    { .name = "zero", .best = "0000" },
    { .name = "illegal", .best = "e2e5" },
    { .name = "empty", .best = "" },
    { .name = "crlf", .line_end = "\r\n" },
    { .name = "blanks", .blanks = true },
    { .name = "bare", .bare = true },
    { .name = "no_nodes", .no_nodes = true },
    { .name = "split", .splits = true },
    { .name = "bounds", .bounds = true },
    { .name = "multipv", .multipv = true },
    { .name = "garbage", .garbage = true },
    { .name = "strings", .strings = true },
    { .name = "flood", .flood = true },
    { .name = "long_line", .long_line = true },
    { .name = "cumulative", .cumulative = true },
    { .name = "share", .share = true },
    { .name = "new_best", .new_best = true },
    { .name = "node_clock", .node_clock = true },
    { .name = "constant_nodes", .node_clock = true, .constant_nodes = true },
    { .name = "ms_moves", .node_clock = true, .ms_moves = true },
};

struct state {
    const struct mode *mode;
    struct game *game;
    int searches, games;
    int64_t sticky_nodes, rate, counted; /* counted: nodes of all searches before, as `cumulative` reports them */
    move_t last;
};

struct go {
    int64_t nodes, depth, movetime, time[2];
    bool infinite;
};

static void pause_ms(int ms)
{
    const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
    nanosleep(&pause, NULL);
}

static void end_line(const struct state *state)
{
    if (state->mode->blanks)
        fputs("  \t", stdout);
    fputs(state->mode->line_end ? state->mode->line_end : "\n", stdout);
    if (!state->mode->buffers)
        fflush(stdout);
}

static void say(const struct state *state, const char *text)
{
    fputs(state->mode->blanks ? " " : "", stdout);
    for (; *text; text++)
        if (*text == ' ' && state->mode->blanks)
            fputs(" \t ", stdout);
        else
            fputc(*text, stdout);
    end_line(state);
}

/* ---- the made-up search ---- */

static int64_t depth_nodes(int depth) { return INT64_C(20) << depth; }

static move_t move_at(const struct state *state, int depth)
{
    move_t moves[MOVES_MAX];
    const struct position *p = game_position(state->game);
    const int count = position_legal_moves(p, moves);
    const uint64_t leak = state->mode->leaks ? (uint64_t)state->searches / 3 : 0;
    return count ? moves[(p->key / 7 + (uint64_t)depth / 3 + leak) % (uint64_t)count] : 0;
}

static int score_at(const struct state *state, int depth)
{
    return (int)((game_position(state->game)->key >> (depth % 8)) % 200) - 100;
}

static void say_iteration(const struct state *state, int depth, int64_t nodes)
{
    const struct mode *mode = state->mode;
    char move[MOVE_TEXT_SIZE], other[MOVE_TEXT_SIZE], line[256], count[40] = "";
    const int score = score_at(state, depth);
    move_print(move, move_at(state, depth));
    move_print(other, move_at(state, depth + 3));
    if (!mode->no_nodes)
        snprintf(count, sizeof count, " nodes %" PRId64, nodes);
    if (mode->garbage && depth == 2) {
        say(state, "info depth 1 seldepth  score cp  nodes  nps 0");
        say(state, "info nodes abc time 1.885 nodes -5 nodes 99999999999999999999 score mate x depth");
    }
    if (mode->strings)
        say(state, "info string nodes 7 time 9 pv e2e4 score mate 1 depth 3 bestmove a1a1");
    if (mode->bounds) {
        snprintf(line, sizeof line, "info depth %d score cp %d upperbound nodes %" PRId64 " pv %s", depth, score - 40,
                 nodes * 9 / 10, move);
        say(state, line);
    }
    if (mode->new_best) {
        snprintf(line, sizeof line, "info depth %d score cp %d nodes %" PRId64 " pv %s", depth, score - 9, nodes * 3 / 4,
                 other);
        say(state, line);
    }
    if (mode->splits) {
        snprintf(line, sizeof line, "info ebf 1.9 depth %d", depth);
        say(state, line);
        snprintf(line, sizeof line, "info pv %s", move);
        say(state, line);
        snprintf(line, sizeof line, "info score cp %d wdl 300 400 300", score);
        say(state, line);
        snprintf(line, sizeof line, "info%s", count);
        say(state, line);
        return;
    }
    snprintf(line, sizeof line, "info pv %s multipv 1%s score cp %d depth %d time 0", move, count, score, depth);
    say(state, line);
    if (mode->multipv) {
        snprintf(line, sizeof line, "info depth %d multipv 2 score cp %d%s pv %s", depth, score - 30, count, other);
        say(state, line);
    }
    if (mode->share) {
        snprintf(line, sizeof line, "info string tm share %d", 500 + depth);
        say(state, line);
    }
}

static void say_long_line(const struct state *state)
{
    fputs("info string ", stdout);
    for (int i = 0; i < 65536; i++)
        fputc('a' + i % 26, stdout);
    end_line(state);
}

static void flood(void)
{
    setvbuf(stderr, NULL, _IOFBF, 4096);
    fputs("option name X type spin default a\nbestmove a1a1\n", stderr);
    for (int i = 0; i < 1 << 20; i++)
        fputc(i % 64 == 63 ? '\n' : 'x', stderr);
}

static int64_t budget_of(struct state *state, const struct go *go)
{
    const struct mode *mode = state->mode;
    const int side = game_position(state->game)->side;
    int64_t nodes = go->nodes;
    if (mode->fixed_nodes)
        return mode->fixed_nodes;
    if (go->depth)
        nodes = depth_nodes((int)go->depth);
    else if (go->movetime && state->rate)
        nodes = mode->ms_moves ? go->movetime : go->movetime * state->rate / 1000;
    else if (go->time[side])
        nodes = mode->constant_nodes ? 5000 : go->time[side] / 40 * (state->rate ? state->rate : 100000) / 1000;
    if (mode->sticky) {
        if (state->sticky_nodes && nodes > state->sticky_nodes)
            nodes = state->sticky_nodes;
        state->sticky_nodes = nodes;
    }
    if (mode->used_percent)
        nodes = nodes * mode->used_percent / 100;
    return nodes < 1 ? 1 : nodes;
}

static void say_best(struct state *state, move_t move)
{
    char line[64], text[MOVE_TEXT_SIZE];
    const char *best = state->mode->best ? state->mode->best : move ? move_print(text, move) : "(none)";
    snprintf(line, sizeof line, "bestmove %s%s", best, move && state->mode->blanks ? " ponder a2a3" : "");
    say(state, line);
    state->last = move;
}

static void search(struct state *state, const struct go *go)
{
    const int64_t nodes = budget_of(state, go);
    move_t move = move_at(state, 0);
    int depth = 1;
    char line[64];
    for (; move && depth < 40 && depth_nodes(depth) <= nodes && !state->mode->bare; depth++) {
        say_iteration(state, depth, state->counted + depth_nodes(depth));
        move = move_at(state, depth);
    }
    if (!state->mode->bare && !state->mode->no_nodes && depth_nodes(depth - 1) < nodes) {
        snprintf(line, sizeof line, "info depth %d nodes %" PRId64 " time 0", depth, state->counted + nodes);
        say(state, line);
    }
    state->counted += state->mode->cumulative ? nodes : 0;
    if (state->mode->long_line)
        say_long_line(state);
    say_best(state, move);
}

/* ---- commands ---- */

static void misbehave_at_go(struct state *state)
{
    const struct mode *mode = state->mode;
    state->searches++;
    if (state->searches == mode->die_at)
        raise(SIGKILL);
    if (state->searches == mode->exit_at) {
        fputs("assertion failed: king captured\n", stderr);
        exit(3);
    }
    if (state->searches == mode->freeze_at)
        raise(SIGSTOP);
    if (mode->flood)
        flood();
    if (state->searches == 1)
        pause_ms(mode->first_ms);
}

static bool waits_for_stop(const struct state *state, const struct go *go)
{
    return go->infinite || state->mode->stubborn || state->mode->silent;
}

static void await_stop(const struct state *state)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "isready", 7) == 0)
            say(state, "readyok");
        if (strncmp(line, "quit", 4) == 0)
            exit(0);
        if (strncmp(line, "stop", 4) == 0 && !state->mode->silent)
            return;
    }
    exit(0);
}

static void command_go(struct state *state, char *text)
{
    struct go go = { 0 };
    const struct { const char *name; int64_t *value; } words[] = {
        { "nodes", &go.nodes }, { "depth", &go.depth }, { "movetime", &go.movetime },
        { "wtime", &go.time[WHITE] }, { "btime", &go.time[BLACK] },
    };
    char *save = NULL;
    for (char *word = strtok_r(text, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
        if (strcmp(word, "infinite") == 0)
            go.infinite = true;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(word, words[i].name) == 0 && (word = strtok_r(NULL, " \n", &save)))
                *words[i].value = strtoll(word, NULL, 10);
        if (!word)
            break;
    }
    misbehave_at_go(state);
    if (waits_for_stop(state, &go)) {
        await_stop(state);
        go.nodes = 30000;
    }
    search(state, &go);
}

static void command_position(struct state *state, char *text)
{
    char *moves = strstr(text, " moves"), *fen = strstr(text, "fen ");
    struct tm_error error;
    if (moves)
        *moves = '\0';
    struct game *game = game_new(fen ? fen + 4 : FEN_START, &error);
    if (!game)
        return;
    game_free(state->game);
    state->game = game;
    char *save = NULL;
    for (char *word = moves ? strtok_r(moves + 6, " \n", &save) : NULL; word; word = strtok_r(NULL, " \n", &save)) {
        const move_t move = move_parse(game_position(game), word);
        if (move)
            game_play_move(game, move);
    }
}

static void command_uci(const struct state *state)
{
    char line[80];
    pause_ms(state->mode->start_ms);
    snprintf(line, sizeof line, "id name Mock %s", state->mode->name);
    say(state, line);
    say(state, "option name Hash type spin default 16 min 1 max 1024");
    say(state, "option name Clear Hash type button");
    say(state, "option name Threads type spin default 1 min 1 max 4");
    say(state, "option name Style type combo default Solid and Safe var Wild var Solid and Safe");
    if (state->mode->node_clock)
        say(state, "option name VirtualNps type spin default 0 min 0 max 1000000000");
    say(state, "uciok");
}

static void command_new_game(struct state *state)
{
    char text[MOVE_TEXT_SIZE], line[32];
    state->games++;
    if (state->mode->stray && state->games == 2) {
        snprintf(line, sizeof line, "bestmove %s", move_print(text, state->last));
        say(state, line); /* the answer to a question of the last game */
    }
}

static void obey(struct state *state, char *line)
{
    if (strncmp(line, "uci\n", 4) == 0)
        command_uci(state);
    else if (strncmp(line, "isready", 7) == 0)
        say(state, "readyok");
    else if (strncmp(line, "ucinewgame", 10) == 0)
        command_new_game(state);
    else if (strncmp(line, "setoption name VirtualNps value ", 32) == 0)
        state->rate = strtoll(line + 32, NULL, 10);
    else if (strncmp(line, "position", 8) == 0)
        command_position(state, line + 8);
    else if (strncmp(line, "go", 2) == 0)
        command_go(state, line + 2);
    else if (strncmp(line, "quit", 4) == 0 && !state->mode->ignores_quit)
        exit(0);
}

int main(int argc, char **argv)
{
    struct state state = { 0 };
    struct tm_error error;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc > 1 && strcmp(modes[i].name, argv[1]) == 0)
            state.mode = &modes[i];
    if (!state.mode) {
        fprintf(stderr, "usage: mock_engine MODE\n");
        return 2;
    }
    if (state.mode->buffers)
        setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    state.game = game_new(FEN_START, &error);
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) >= 0)
        if (!state.mode->deaf)
            obey(&state, line);
    while (state.mode->ignores_eof)
        pause();
    return 0;
}
