#define _GNU_SOURCE /* getline */
#include "engine/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/san.h"

enum { MOVES_NAMED = 16 };

/* What an EPD line asks for. */
struct task {
    move_t best[MOVES_NAMED], avoid[MOVES_NAMED];
    int bests, avoids, mate; /* mate: 0 for none */
};

/* ---- operations: "bm Qg6 Rd8; id "WAC.001"; dm 2;" ---- */

static bool read_moves(const struct position *p, const char *text, size_t length, move_t *moves, int *count,
                       struct tm_error *error)
{
    const char *const end = text + length;
    for (text += strspn(text, " "); text < end; text += strspn(text, " ")) {
        size_t word = strcspn(text, " ;");
        if (*count == MOVES_NAMED)
            return error_fail(error, TM_INPUT, "found more than %d moves in one operation", MOVES_NAMED);
        if (!(moves[(*count)++] = san_parse(p, text, word)))
            return error_fail(error, TM_INPUT, "found '%.*s', expected a legal move", (int)word, text);
        text += word;
    }
    return true;
}

static void read_id(const char *text, size_t length, char id[SUITE_TEXT])
{
    while (length && strchr(" \"", *text))
        text++, length--;
    while (length && strchr(" \"", text[length - 1]))
        length--;
    snprintf(id, SUITE_TEXT, "%.*s", (int)length, text);
}

static void add_wanted(char wanted[SUITE_TEXT], const char *operation, size_t length)
{
    size_t used = strlen(wanted);
    snprintf(wanted + used, SUITE_TEXT - used, "%s%.*s", used ? "; " : "", (int)length, operation);
}

/* One operation of `length` bytes: its opcode, then operands. Unknown ones are nobody's business here. */
static bool read_operation(const char *operation, size_t length, struct suite_result *result, struct task *task,
                           struct tm_error *error)
{
    const size_t name = strcspn(operation, " ;");
    const char *operands = operation + name;
    const size_t rest = name < length ? length - name : 0;
    if (!strncmp(operation, "id ", 3)) {
        read_id(operands, rest, result->id);
        return true;
    }
    const bool bm = !strncmp(operation, "bm ", 3), am = !strncmp(operation, "am ", 3), dm = !strncmp(operation, "dm ", 3);
    if (bm || am || dm)
        add_wanted(result->wanted, operation, length);
    if (bm)
        return read_moves(&result->position, operands, rest, task->best, &task->bests, error);
    if (am)
        return read_moves(&result->position, operands, rest, task->avoid, &task->avoids, error);
    if (dm && (task->mate = atoi(operands)) < 1)
        return error_fail(error, TM_INPUT, "dm: found '%.*s', expected a number of moves", (int)rest, operands);
    return true;
}

/* The end of an operation: a semicolon outside quotes. */
static size_t operation_length(const char *text)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || text[i] != ';'); i++)
        quoted ^= text[i] == '"';
    return i;
}

static bool read_task(const char *line, struct suite_result *result, struct task *task, struct tm_error *error)
{
    const char *text;
    *task = (struct task){ .mate = 0 };
    if (!position_parse_epd(&result->position, line, &text, error))
        return false;
    while (*(text += strspn(text, " ;"))) {
        size_t length = operation_length(text);
        if (!read_operation(text, length, result, task, error))
            return false;
        text += length;
    }
    if (!task->bests && !task->avoids && !task->mate)
        return error_fail(error, TM_INPUT, "expected an operation bm, am or dm");
    return true;
}

/* ---- answers ---- */

static bool among(move_t move, const move_t *moves, int count)
{
    while (count > 0)
        if (moves[--count] == move)
            return true;
    return false;
}

static bool solves(const struct suite_result *result, const struct task *task)
{
    return (!task->bests || among(result->move, task->best, task->bests)) &&
           !among(result->move, task->avoid, task->avoids) &&
           (!task->mate || result->score >= TM_MATE - (2 * task->mate - 1));
}

static bool answer(struct engine *engine, int64_t nodes, const struct task *task, struct suite_result *result,
                   struct tm_error *error)
{
    char fen[FEN_SIZE];
    struct game *game = game_new(position_print(fen, &result->position), error);
    if (!game)
        return false;
    const struct search_limits limits = { .nodes = nodes };
    engine_forget(engine);
    const struct search_result found = engine_search(engine, game, &limits, INT64_MAX, NULL, NULL);
    game_free(game);
    result->move = found.move;
    result->score = found.score;
    result->depth = found.depth;
    result->solved = solves(result, task);
    return true;
}

static bool run_line(struct engine *engine, const struct suite_plan *plan, const char *line, int number,
                     struct suite_result *result, struct tm_error *error)
{
    struct task task;
    snprintf(result->id, SUITE_TEXT, "line %d", number);
    if (read_task(line, result, &task, error) && answer(engine, plan->nodes, &task, result, error))
        return true;
    error_prefix(error, "%s:%d", plan->path, number);
    return false;
}

static bool run_file(FILE *file, struct engine *engine, const struct suite_plan *plan, suite_progress *progress,
                     void *ctx, struct suite_total *total, struct tm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    bool ok = true;
    for (int number = 1; ok && getline(&line, &size, file) > 0; number++) {
        struct suite_result result = { .index = total->positions };
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0' || line[0] == '#')
            continue;
        ok = run_line(engine, plan, line, number, &result, error);
        total->positions += ok;
        total->solved += ok && result.solved;
        if (ok && progress)
            progress(ctx, &result);
    }
    free(line);
    if (ok && ferror(file))
        return error_fail(error, TM_INPUT, "%s: %s", plan->path, strerror(errno));
    return ok;
}

bool suite_run(const struct suite_plan *plan, suite_progress *progress, void *ctx, struct suite_total *total,
               struct tm_error *error)
{
    *total = (struct suite_total){ 0, 0 };
    FILE *file = fopen(plan->path, "r");
    if (!file)
        return error_fail(error, TM_INPUT, "%s: %s", plan->path, strerror(errno));
    struct engine *engine = engine_new(plan->hash_bytes, error);
    const bool ok = engine && run_file(file, engine, plan, progress, ctx, total, error);
    engine_free(engine);
    fclose(file);
    return ok;
}
