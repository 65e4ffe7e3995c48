/* A request is a small time control of its own, so that the cell's rules apply to it unchanged. */
#include "tmsim/policy_eval.h"

#include <stdio.h>
#include <string.h>

static struct cell_setup setup_of(const struct eval_request *request)
{
    const tm_ns base = request->has_base ? request->base : request->time;
    const struct tc tc = {
        .count = 1, .period = { { .moves = request->period_moves, .base = base, .inc = request->inc } } };
    struct cell_setup setup = cell_defaults(request->policy, &tc, request->overhead);
    setup.middle_ply = request->ply;
    setup.fresh = !request->has_base;
    setup.model = (struct spend_model){ .kind = SPEND_SOFT };
    return setup;
}

bool eval_open(const struct eval_request *request, struct cell *cell, struct clock_state *state, struct tm_error *error)
{
    const struct cell_setup setup = setup_of(request);
    if (!cell_open(cell, &setup, error))
        return false;
    *state = cell_state_at(cell, request->time);
    state->has_movestogo = request->has_movestogo;
    state->movestogo = request->movestogo;
    return true;
}

static bool gives(const struct eval_request *request, const struct budget *wanted)
{
    struct cell cell;
    struct clock_state state;
    struct budget budget;
    struct tm_error ignored;
    if (!eval_open(request, &cell, &state, &ignored))
        return false;
    const bool same = cell_budget(&cell, &state, &budget, &ignored) && budget.raw.soft == wanted->raw.soft
                      && budget.raw.hard == wanted->raw.hard;
    cell_close(&cell);
    return same;
}

struct eval_request eval_full(const struct clock_state *state)
{
    return (struct eval_request){
        .time = state->time, .inc = state->inc, .overhead = state->lag, .has_base = true, .base = state->base,
        .has_movestogo = state->has_movestogo, .movestogo = state->movestogo, .period_moves = state->period_moves,
        .ply = state->ply };
}

struct eval_request eval_shortest(struct cell *cell, const struct clock_state *state)
{
    struct budget wanted;
    struct tm_error ignored;
    struct eval_request request = {
        .policy = cell->setup.policy, .time = state->time, .inc = state->inc, .has_movestogo = state->has_movestogo,
        .movestogo = state->movestogo };
    if (!cell_budget(cell, state, &wanted, &ignored) || gives(&request, &wanted))
        return request;
    request.overhead = state->lag;
    request.ply = state->ply;
    request.period_moves = state->period_moves;
    if (gives(&request, &wanted))
        return request;
    request.has_base = true;
    request.base = state->base;
    return request;
}

static void append(char *buffer, size_t size, const char *text)
{
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

static void append_time(char *buffer, size_t size, const char *option, tm_ns time)
{
    char seconds[32], text[80];
    snprintf(text, sizeof text, " --%s %ss", option, ns_print_seconds(seconds, sizeof seconds, time));
    append(buffer, size, text);
}

static void append_integer(char *buffer, size_t size, const char *option, int value)
{
    char text[64];
    snprintf(text, sizeof text, " --%s %d", option, value);
    append(buffer, size, text);
}

char *eval_print(const struct eval_request *request, const char *spec, char *buffer, size_t size)
{
    snprintf(buffer, size, "tmsim policy eval %s", spec);
    append_time(buffer, size, "time", request->time);
    append_time(buffer, size, "inc", request->inc);
    if (request->has_movestogo)
        append_integer(buffer, size, "movestogo", request->movestogo);
    if (request->period_moves)
        append_integer(buffer, size, "period-moves", request->period_moves);
    if (request->ply)
        append_integer(buffer, size, "ply", request->ply);
    if (request->has_base)
        append_time(buffer, size, "base", request->base);
    if (request->overhead)
        append_time(buffer, size, "overhead", request->overhead);
    return buffer;
}
