/* The client keeps `info string` to itself, so the line is found in its log of the conversation. */
#include "tmsim/policy_live.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/vectors_grid.h"

/* A search is of no interest once the limits are printed: guess, long enough to print a line. */
static const tm_ns SEARCH_TIME = 10 * TM_NS_PER_MS;

/* A number of ms, or "none"; *end is behind it. */
static bool parse_limit(const char *text, double *out, const char **end)
{
    if (strncmp(text, "none", 4) == 0) {
        *out = INFINITY;
        *end = text + 4;
        return true;
    }
    char *after;
    *out = strtod(text, &after) / 1000;
    *end = after;
    return after != text && isfinite(*out);
}

bool policy_live_parse(const char *transcript, double *soft_s, double *hard_s)
{
    static const char mark[] = "< info string tm soft ";
    bool found = false;
    for (const char *at = strstr(transcript, mark); at; at = strstr(at + 1, mark)) {
        const char *end;
        double soft, hard;
        found = parse_limit(at + strlen(mark), &soft, &end) && strncmp(end, " hard ", 6) == 0
                && parse_limit(end + 6, &hard, &end) && (*end == '\n' || *end == ' ' || *end == '\0');
        if (found) {
            *soft_s = soft;
            *hard_s = hard;
        }
    }
    return found;
}

static json_t *limit_json(double limit) { return isfinite(limit) ? json_real(limit) : json_null(); }

/* `moves` and the ply are those of a first move: the engine has just begun a game. */
static json_t *row_json(const struct clock_state *clock, double soft_s, double hard_s)
{
    return json_pack("{s:{s:f, s:f, s:o, s:i, s:{s:i}}, s:o, s:o}", "inputs", "time_s", ns_to_s(clock->time), "inc_s",
                     ns_to_s(clock->inc), "movestogo",
                     clock->has_movestogo ? json_integer(clock->movestogo) : json_null(), "ply", clock->ply, "state",
                     "own_moves", clock->moves, "soft_s", limit_json(soft_s), "hard_s", limit_json(hard_s));
}

static bool send_go(struct client *client, const struct clock_state *clock, struct tm_error *error)
{
    char line[256];
    struct client_answer answer;
    const int64_t time = clock->time / TM_NS_PER_MS, inc = clock->inc / TM_NS_PER_MS;
    snprintf(line, sizeof line, "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 %d",
             clock->ply / 2 + 1);
    if (!client_new_game(client, error) || !client_queue(client, line, error))
        return false;
    int length = snprintf(line, sizeof line, "go wtime %" PRId64 " btime %" PRId64 " winc %" PRId64 " binc %" PRId64,
                          time, time, inc, inc);
    if (clock->has_movestogo)
        snprintf(line + length, sizeof line - (size_t)length, " movestogo %d", clock->movestogo);
    return client_go(client, line, SEARCH_TIME, NULL, NULL, &answer, error);
}

static bool ask(struct client *client, const struct clock_state *clock, json_t *rows, struct tm_error *error)
{
    char *transcript = NULL;
    size_t size;
    double soft = 0, hard = 0;
    FILE *log = open_memstream(&transcript, &size);
    if (!log)
        return error_fail(error, TM_INTERNAL, "out of memory");
    client_log(client, log);
    bool ok = send_go(client, clock, error);
    client_log(client, NULL);
    fclose(log);
    if (ok && !policy_live_parse(transcript, &soft, &hard))
        ok = error_fail(error, TM_INPUT, "%s prints no line `info string tm soft 412 hard 1650` (in ms) after `go "
                                         "wtime …`; data/policies/README.md has the one-line patch, and zeitnot has it "
                                         "as option.ShowBudget=true",
                        client_command(client));
    free(transcript);
    return ok && (json_array_append_new(rows, row_json(clock, soft, hard)) == 0
                  || error_fail(error, TM_INTERNAL, "out of memory"));
}

bool policy_live_rows(const struct client_spec *engine, void (*asked)(void *ctx, int done, int total), void *ctx,
                      json_t **rows, struct tm_error *error)
{
    struct client *client;
    if (!client_start(engine, &client, error))
        return false;
    *rows = json_array();
    bool ok = *rows || error_fail(error, TM_INTERNAL, "out of memory");
    const int total = vectors_grid_size();
    for (int i = 0; ok && i < total; i++) {
        const struct clock_state clock = vectors_grid_state(i);
        ok = ask(client, &clock, *rows, error);
        if (asked)
            asked(ctx, i + 1, total);
    }
    client_free(client);
    if (!ok) {
        json_decref(*rows);
        *rows = NULL;
    }
    return ok;
}
