/* What a policy fault says: file and line, what happened, the inputs, and the line itself. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vclock/policy_internal.h"

enum { TEXT_MAX = 400, LINE_MAX_SHOWN = 160 };

char *policy_line(const struct policy *policy, int line, char *buffer, size_t size)
{
    const char *at = policy->text, *end = policy->text + policy->size;
    while (at && --line > 0) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    size_t length = 0;
    if (at && line == 0)
        while (at + length < end && at[length] != '\n' && at[length] != '\r' && length + 1 < size)
            length++;
    if (length)
        memcpy(buffer, at, length);
    buffer[length] = '\0';
    return buffer;
}

/* "0.000" where milliseconds say it all, else as many digits as it takes. */
static char *print_clock(char *buffer, size_t size, tm_ns t)
{
    if (t % TM_NS_PER_MS == 0) {
        snprintf(buffer, size, "%.3f", ns_to_s(t));
        return buffer;
    }
    return ns_print_seconds(buffer, size, t);
}

static void print_inputs(const struct policy_game *game, char *buffer, size_t size)
{
    char time[40], inc[40];
    buffer[0] = '\0';
    if (game->hook == HOOK_BUDGET) {
        const struct clock_state *c = &game->clock;
        int used = snprintf(buffer, size, " at time %s s, inc %s s, movestogo ",
                            print_clock(time, sizeof time, c->time), ns_print_seconds(inc, sizeof inc, c->inc));
        if (c->has_movestogo)
            snprintf(buffer + used, size - (size_t)used, "%d", c->movestogo);
        else
            snprintf(buffer + used, size - (size_t)used, "none");
    } else if (game->hook != HOOK_LOAD) {
        snprintf(buffer, size, " at elapsed %s s, depth %d", print_clock(time, sizeof time, game->signals->elapsed),
                 game->signals->depth);
    }
}

/* A policy's own words go to a terminal: no control characters. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = ' ';
}

bool policy_fault(const struct policy_game *game, int line, struct tm_error *error, const char *format, ...)
{
    char text[TEXT_MAX], inputs[160], source[LINE_MAX_SHOWN], place[16] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_printable(text);
    print_inputs(game, inputs, sizeof inputs);
    if (line > 0)
        snprintf(place, sizeof place, ":%d", line);
    error_set(error, TM_INPUT, "%.300s%s: %s%s", game->policy->info.path, place, text, inputs);
    if (!error || line <= 0 || !*policy_line(game->policy, line, source, sizeof source))
        return false;
    make_printable(source);
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "\n    %d | %s", line, source);
    return false;
}

static bool breach_fault(const struct policy_game *game, struct tm_error *error)
{
    const char *who = game->hook == HOOK_LOAD ? "the file" : policy_hook_name(game->hook);
    long long fuel = game->hook == HOOK_LOAD ? POLICY_LOAD_FUEL : POLICY_CALL_FUEL;
    switch (game->sandbox.breach) {
    case BREACH_FUEL:
        return policy_fault(game, game->fault_line, error, "%s ran for more than %lld instructions", who, fuel);
    case BREACH_STRING:
        return policy_fault(game, 0, error, "%s made a text longer than %d bytes", who, POLICY_STRING_MAX);
    default:
        return policy_fault(game, 0, error, "%s needs more than %d KiB of memory", who, POLICY_MEMORY / 1024);
    }
}

/* Chunks are named "policy", so Lua's messages begin "policy:LINE: " where a line is known. */
static int message_line(const char **text)
{
    static const char prefix[] = "policy:";
    if (strncmp(*text, prefix, sizeof prefix - 1) != 0)
        return 0;
    char *end;
    long line = strtol(*text + sizeof prefix - 1, &end, 10);
    if (*end != ':')
        return 0;
    *text = end + 1 + (end[1] == ' ');
    return (int)line;
}

bool policy_fault_lua(struct policy_game *game, struct tm_error *error)
{
    if (game->sandbox.breach != BREACH_NONE)
        return breach_fault(game, error);
    const char *text = lua_type(game->lua, -1) == LUA_TSTRING ? lua_tostring(game->lua, -1) : "unknown error";
    int line = message_line(&text);
    if (!line)
        line = game->fault_line;
    const char *in = game->hook == HOOK_LOAD ? "" : ", in ";
    policy_fault(game, line, error, "%.300s%s%s", text, in, policy_hook_name(game->hook));
    lua_pop(game->lua, 1);
    return false;
}

static bool has_nan(lua_State *lua, lua_Debug *frame)
{
    bool found = false;
    const char *name;
    for (int i = 1; (name = lua_getlocal(lua, frame, i)); i++) {
        bool temporary = name[0] == '('; /* may be left over from anything */
        found = found || (!temporary && lua_type(lua, -1) == LUA_TNUMBER && isnan(lua_tonumber(lua, -1)));
        lua_pop(lua, 1);
    }
    return found;
}

/* A line event comes before the line runs: what is NaN now was made by the line before, at the same depth. */
static void line_hook(lua_State *lua, lua_Debug *frame)
{
    struct policy_game *game = policy_game_of(lua);
    enum { DEPTHS = sizeof game->line_at / sizeof *game->line_at };
    policy_sandbox_charge(lua, 10);
    lua_Debug outer;
    int depth = 0;
    while (depth < DEPTHS - 1 && lua_getstack(lua, depth + 1, &outer))
        depth++;
    if (!game->nan_line && has_nan(lua, frame))
        game->nan_line = game->line_at[depth];
    game->line_at[depth] = frame->currentline;
}

int policy_locate(struct policy_game *game)
{
    game->nan_line = 0;
    memset(game->line_at, 0, sizeof game->line_at);
    if (game->before)
        policy_game_restore(game, game->before);
    lua_sethook(game->lua, line_hook, LUA_MASKLINE, 0);
    int arguments = policy_hook_push(game);
    policy_sandbox_call(game, arguments, 0, POLICY_CALL_FUEL);
    lua_settop(game->lua, SLOT_COUNT);
    policy_sandbox_hook(game->lua);
    if (game->nan_line)
        return game->nan_line;
    enum { HOOK_DEPTH = 1 }; /* of the hook itself, above the C function that calls it */
    return game->line_at[HOOK_DEPTH];
}
