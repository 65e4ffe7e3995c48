/* `tmsim engine bench` and `lockstep`: fixed positions through any UCI engine, each as in a new game. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/client_events.h"
#include "engine/game.h"
#include "tmsim/cmd_engine.h"
#include "tmsim/command.h"
#include "tmsim/engine_spec.h"
#include "tmsim/progress.h"
#include "tmsim/table.h"

static const struct option_spec bench_specs[] = {
    { .name = "depth", .kind = OPTION_INTEGER, .argument = "D", .fallback = "12", .min = 1, .max = 240,
      .help = "of each search" },
    { .name = "nodes", .kind = OPTION_INTEGER, .argument = "N", .min = 1, .max = 1000000000000,
      .help = "search this many nodes instead of a depth" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};

static const struct option_set engine_bench_set = {
    .command = "tmsim engine bench",
    .operands = "CMD",
    .summary = "Searches 48 positions, each as in a new game: nodes, time, nodes/s; the last line is 'N nodes M nps'.\n"
               "CMD is a program with its arguments, or cmd=…,option.Hash=16,… as in vmatch --engine.",
    .example = "tmsim engine bench stockfish --depth 10",
    .spec = bench_specs,
    .count = sizeof bench_specs / sizeof *bench_specs,
    .min_operands = 1,
    .max_operands = 1,
};

static const struct option_spec lockstep_specs[] = {
    { .name = "depth", .kind = OPTION_INTEGER, .argument = "D", .fallback = "8", .min = 1, .max = 240,
      .help = "of each search; both must reach it" },
    { .name = "positions", .kind = OPTION_INTEGER, .argument = "N", .fallback = "48", .min = 1, .max = BENCH_POSITIONS,
      .help = "how many of the bench positions" },
    OPTION_ROW_QUIET,
};

static const struct option_set engine_lockstep_set = {
    .command = "tmsim engine lockstep",
    .operands = "CMD CMD",
    .summary = "Do two engines, or two builds, search the same? Moves, scores and node counts at a depth; the first\n"
               "difference is named. Exit 0: the same; 4: not.",
    .example = "tmsim engine lockstep ./old/zeitnot ./new/zeitnot --depth 10",
    .spec = lockstep_specs,
    .count = sizeof lockstep_specs / sizeof *lockstep_specs,
    .min_operands = 2,
    .max_operands = 2,
};

/* ---- one search ---- */

struct outcome {
    bool terminal;
    char move[8];
    int depth, score;
    int64_t nodes;
    tm_ns wall;
};

static bool is_terminal(const char *fen, bool *terminal, struct position *root, struct tm_error *error)
{
    struct game *game = game_new(fen, error);
    if (!game)
        return false;
    const enum game_result result = game_result(game);
    *terminal = result == GAME_CHECKMATE || result == GAME_STALEMATE;
    *root = *game_position(game);
    game_free(game);
    return true;
}

static bool search(struct client *client, const char *fen, const char *go, struct outcome *outcome, struct tm_error *error)
{
    char line[256];
    struct position root;
    struct client_answer answer;
    *outcome = (struct outcome){ 0 };
    if (!is_terminal(fen, &outcome->terminal, &root, error))
        return false;
    if (outcome->terminal)
        return true;
    struct client_reports reports = { .position = &root };
    snprintf(line, sizeof line, "position fen %s", fen);
    const bool ok = client_new_game(client, error) && client_queue(client, line, error) &&
                    client_go(client, go, 0, client_reports_add, &reports, &answer, error);
    if (ok) {
        snprintf(outcome->move, sizeof outcome->move, "%s", answer.move);
        outcome->nodes = answer.nodes;
        outcome->wall = answer.wall;
    }
    for (int i = 0; i < reports.count; i++)
        if (reports.row[i].bound == TM_EXACT) {
            outcome->depth = reports.row[i].depth;
            outcome->score = reports.row[i].score;
        }
    client_reports_clear(&reports);
    return ok;
}

/* ---- bench ---- */

static const struct table_column bench_columns[] = {
    { .key = "position", .head = "position", .align = TABLE_RIGHT },
    { .key = "nodes", .head = "nodes", .align = TABLE_RIGHT },
    { .key = "time_s", .head = "time s", .align = TABLE_RIGHT, .decimals = 3 },
    { .key = "nodes_per_s", .head = "nodes/s", .align = TABLE_RIGHT },
    { .key = "move", .head = "move" },
    { .key = "fen", .head = "fen" },
};

static int64_t per_second(int64_t nodes, tm_ns time)
{
    return (int64_t)((double)nodes * 1e9 / (double)(time > 0 ? time : 1));
}

static void add_bench_row(struct table *table, int index, const char *fen, const struct outcome *outcome)
{
    table_row(table);
    table_integer(table, 0, index + 1);
    if (outcome->nodes < 0)
        table_undefined(table, 1, "the engine reports no nodes");
    else
        table_integer(table, 1, outcome->nodes);
    table_real(table, 2, ns_to_s(outcome->wall));
    if (outcome->terminal || outcome->nodes < 0)
        table_undefined(table, 3, "no nodes");
    else
        table_integer(table, 3, per_second(outcome->nodes, outcome->wall));
    table_text(table, 4, outcome->terminal ? "(over)" : outcome->move);
    table_text(table, 5, fen);
}

static bool run_bench(struct client *client, const char *go, bool quiet, struct table *table, int64_t *nodes, tm_ns *time,
                      struct tm_error *error)
{
    struct progress progress = progress_start(stderr, quiet);
    bool ok = true;
    for (int i = 0; ok && i < BENCH_POSITIONS; i++) {
        struct outcome outcome;
        progress_update(&progress, "engine bench  position %d of %d", i + 1, BENCH_POSITIONS);
        ok = search(client, bench_position(i), go, &outcome, error);
        if (!ok)
            break;
        add_bench_row(table, i, bench_position(i), &outcome);
        *nodes += outcome.nodes > 0 ? outcome.nodes : 0;
        *time += outcome.wall;
    }
    progress_clear(&progress);
    return ok;
}

static bool engine_bench(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    char go[48], total[96];
    struct client *client = NULL;
    int64_t nodes = 0;
    tm_ns time = 0;
    struct engine_spec *spec = engine_spec_operand(options_operand(options, 0), error);
    if (!spec)
        return false;
    const bool by_nodes = options_given(options, "nodes");
    snprintf(go, sizeof go, "go %s %" PRId64, by_nodes ? "nodes" : "depth",
             options_integer(options, by_nodes ? "nodes" : "depth"));
    struct table *table = table_new(bench_columns, sizeof bench_columns / sizeof *bench_columns);
    bool ok = client_start(&spec->client, &client, error) &&
              run_bench(client, go, options_flag(options, "quiet"), table, &nodes, &time, error);
    snprintf(total, sizeof total, "%" PRId64 " nodes %" PRId64 " nps", nodes, per_second(nodes, time));
    const char *const notes[] = { total };
    const struct table_frame frame = { .schema = "tmsim.engine-bench/1", .notes = notes, .note_count = 1 };
    const enum table_format format = (enum table_format)options_choice(options, "format");
    if (ok && !table_print(table, format, &frame, stdout))
        ok = error_fail(error, TM_INTERNAL, "the table cannot be printed");
    if (ok && format == TABLE_TEXT)
        puts(total);
    table_free(table);
    client_free(client);
    engine_spec_free(spec);
    return ok;
}

/* ---- lockstep ---- */

static bool compare(int index, const struct outcome outcome[2], int depth, struct tm_error *error)
{
    const struct outcome *a = &outcome[0], *b = &outcome[1];
    for (int i = 0; i < 2; i++)
        /* A mate or a last reply ends a search early in good faith, if it does so in both. */
        if (outcome[i].depth != depth && a->depth != b->depth)
            return error_fail(error, TM_VOID, "position %d: engine %d reached depth %d of %d", index + 1, i + 1,
                              outcome[i].depth, depth);
    if (strcmp(a->move, b->move) != 0)
        return error_fail(error, TM_VOID, "position %d: the moves differ: %s and %s", index + 1, a->move, b->move);
    if (a->score != b->score)
        return error_fail(error, TM_VOID, "position %d: the scores of %s differ: %d and %d centipawns", index + 1, a->move,
                          a->score, b->score);
    if (a->nodes != b->nodes)
        return error_fail(error, TM_VOID, "position %d: the nodes for %s differ: %" PRId64 " and %" PRId64, index + 1,
                          a->move, a->nodes, b->nodes);
    return true;
}

static bool run_lockstep(struct client *const client[2], const struct options *options, struct tm_error *error)
{
    char go[32];
    const int depth = (int)options_integer(options, "depth"), positions = (int)options_integer(options, "positions");
    struct progress progress = progress_start(stderr, options_flag(options, "quiet"));
    int64_t nodes = 0;
    int searched = 0;
    bool ok = true;
    snprintf(go, sizeof go, "go depth %d", depth);
    for (int i = 0; ok && i < positions; i++) {
        struct outcome outcome[2];
        progress_update(&progress, "lockstep  position %d of %d", i + 1, positions);
        ok = search(client[0], bench_position(i), go, &outcome[0], error) &&
             search(client[1], bench_position(i), go, &outcome[1], error) &&
             (outcome[0].terminal || compare(i, outcome, depth, error));
        nodes += ok ? outcome[0].nodes : 0;
        searched += ok && !outcome[0].terminal;
    }
    progress_clear(&progress);
    if (ok)
        printf("%d positions at depth %d: the same moves, scores and nodes, %" PRId64 " nodes each\n", searched, depth,
               nodes);
    return ok;
}

static bool engine_lockstep(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct engine_spec *spec[2] = { NULL, NULL };
    struct client *client[2] = { NULL, NULL };
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        spec[i] = engine_spec_operand(options_operand(options, i), error);
        ok = spec[i] && client_start(&spec[i]->client, &client[i], error);
    }
    ok = ok && run_lockstep(client, options, error);
    for (int i = 0; i < 2; i++) {
        client_free(client[i]);
        engine_spec_free(spec[i]);
    }
    return ok;
}

int engine_bench_command(int argc, char **argv) { return command_run(&engine_bench_set, argc, argv, engine_bench); }

int engine_lockstep_command(int argc, char **argv) { return command_run(&engine_lockstep_set, argc, argv, engine_lockstep); }
