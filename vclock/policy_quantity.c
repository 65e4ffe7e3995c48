/* The policy is run twice in states of their own: on plain numbers and on quantities, both through quantity.lua. The
   lines that each run went through and the limits it returned must be the same, or nothing is said: a comparison by
   `==` with a bare number, for one, comes out differently. */
#include "vclock/policy_quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "vclock/policy_internal.h"

/* One of the two runs. Its address is in the state's registry. */
struct quantity_run {
    bool with_quantities;
    uint64_t lines; /* digest of the lines run */
    int last_line;
    double limit[2];
    struct quantity_result *result;
};

/* Arithmetic on quantities takes some ten instructions where numbers take one, and the longest published formula has
   20 thousand. */
static const int64_t RUN_FUEL = 2 * POLICY_CALL_FUEL;

static const char run_key;

static struct quantity_run *run_of(lua_State *lua)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &run_key);
    struct quantity_run *run = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return run;
}

static bool is_policy(const lua_Debug *frame) { return strcmp(frame->source, "=policy") == 0; }

static void hook(lua_State *lua, lua_Debug *frame)
{
    if (frame->event == LUA_HOOKCOUNT) {
        policy_sandbox_charge(lua, 1000);
        return;
    }
    struct quantity_run *run = run_of(lua);
    lua_getinfo(lua, "S", frame);
    if (!is_policy(frame))
        return;
    run->lines = policy_mix(run->lines ^ (uint64_t)frame->currentline);
    run->last_line = frame->currentline;
}

static int set_metatable(lua_State *lua)
{
    lua_settop(lua, 2);
    lua_setmetatable(lua, 1);
    return 1;
}

/* "a time", "a time squared", "the bare number 1000". */
static void describe(char *text, size_t size, double value, double power)
{
    if (power == 0)
        snprintf(text, size, "the bare number %.6g", value);
    else if (power == 1)
        snprintf(text, size, "a time");
    else
        snprintf(text, size, "a quantity of time to the power %.6g", power);
}

static void mixed(struct quantity_run *run, int line, const char *format, const char *first, const char *second)
{
    struct quantity_result *result = run->result;
    if (result->verdict == QUANTITY_MIXED)
        return;
    result->verdict = QUANTITY_MIXED;
    result->line = line;
    snprintf(result->text, sizeof result->text, format, first, second);
}

static int policy_line_now(lua_State *lua)
{
    lua_Debug frame;
    for (int level = 0; lua_getstack(lua, level, &frame); level++)
        if (lua_getinfo(lua, "Sl", &frame) && is_policy(&frame))
            return frame.currentline;
    return 0;
}

static int note_mixture(lua_State *lua) /* what, value, power, value, power */
{
    struct quantity_run *run = run_of(lua);
    const char *what = luaL_checkstring(lua, 1);
    static const struct {
        const char *what, *format; /* with both sides as %s */
    } sentences[] = {
        { "added", "%s and %s are added" }, { "subtracted", "%s and %s are subtracted" },
        { "compared", "%s is compared with %s" }, { "divided", "the remainder of %s by %s" },
    };
    char left[64], right[64];
    const double power[2] = { luaL_checknumber(lua, 3), luaL_checknumber(lua, 5) };
    describe(left, sizeof left, luaL_checknumber(lua, 2), power[0]);
    describe(right, sizeof right, luaL_checknumber(lua, 4), power[1]);
    const int line = policy_line_now(lua);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strcmp(what, sentences[i].what) == 0) {
            const bool swap = power[0] == 0; /* the time first: it is what the line is about */
            mixed(run, line, sentences[i].format, swap ? right : left, swap ? left : right);
            return 0;
        }
    mixed(run, line, "%s is taken of %s", what, left);
    return 0;
}

/* The table at the top becomes one whose times are quantities. */
static void mark_times(lua_State *lua, int make, const char *name)
{
    if (lua_getfield(lua, -1, name) == LUA_TNUMBER) {
        lua_pushvalue(lua, make);
        lua_insert(lua, -2);
        lua_pushinteger(lua, 1);
        lua_call(lua, 2, 1);
        lua_setfield(lua, -2, name);
        return;
    }
    lua_pop(lua, 1);
}

static void push_clock(lua_State *lua, const struct quantity_run *run, int make)
{
    static const char *const times[] = { "time", "inc", "base", "period_base", "opp_time", "opp_inc", "lag" };
    lua_newtable(lua);
    policy_fill_clock(lua, lua_gettop(lua));
    for (size_t i = 0; run->with_quantities && i < sizeof times / sizeof *times; i++)
        mark_times(lua, make, times[i]);
}

static void push_parameters(lua_State *lua, const struct quantity_run *run, int make)
{
    const struct policy_info *info = &policy_game_of(lua)->policy->info;
    lua_newtable(lua);
    for (int i = 0; i < info->param_count; i++) {
        lua_pushnumber(lua, info->param[i].value);
        lua_setfield(lua, -2, info->param[i].name);
        if (run->with_quantities && info->param[i].is_time)
            mark_times(lua, make, info->param[i].name);
    }
}

/* Leaves the environment and the constructor. */
static void push_language(lua_State *lua)
{
    if (luaL_loadbufferx(lua, quantity_lua, strlen(quantity_lua), "=quantity", "t") != LUA_OK)
        lua_error(lua);
    policy_environment_push(lua);
    lua_pushcfunction(lua, set_metatable);
    lua_pushcfunction(lua, note_mixture);
    lua_call(lua, 3, 2);
}

static void take_limit(lua_State *lua, struct quantity_run *run, int which)
{
    double power = 0;
    int at = lua_gettop(lua) - 1 + which;
    if (lua_istable(lua, at)) {
        lua_getfield(lua, at, "power");
        power = lua_tonumber(lua, -1);
        lua_getfield(lua, at, "value");
    } else {
        lua_pushvalue(lua, at);
        lua_pushvalue(lua, at);
    }
    const double value = run->limit[which] = luaL_checknumber(lua, -1);
    lua_pop(lua, 2);
    char is[64];
    describe(is, sizeof is, value, power);
    if (run->with_quantities && power != 1 && value != 0 && isfinite(value))
        mixed(run, run->last_line, "%s is returned for %s", is, which ? "hard" : "soft");
}

static int run_policy(lua_State *lua)
{
    struct quantity_run *run = lua_touserdata(lua, 1);
    const struct policy *policy = policy_game_of(lua)->policy;
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &run_key);
    push_language(lua);
    const int environment = 1, make = 2;
    if (luaL_loadbufferx(lua, policy->text, policy->size, "=policy", "t") != LUA_OK)
        return lua_error(lua);
    lua_pushvalue(lua, environment);
    lua_setupvalue(lua, -2, 1);
    lua_call(lua, 0, 1);
    lua_getfield(lua, -1, "budget");
    lua_sethook(lua, hook, LUA_MASKLINE | LUA_MASKCOUNT, 1000);
    push_clock(lua, run, make);
    push_parameters(lua, run, make);
    lua_newtable(lua);
    lua_call(lua, 3, 2);
    take_limit(lua, run, 0);
    take_limit(lua, run, 1);
    return 0;
}

static bool execute(const struct policy *policy, const struct clock_state *clock, struct quantity_run *run)
{
    struct policy_game *game = policy_game_open(policy, policy->info.unit);
    if (!game)
        return false;
    game->clock = *clock;
    game->rate = clock->rate;
    lua_pushcfunction(game->lua, run_policy);
    lua_pushlightuserdata(game->lua, run);
    const bool ran = policy_sandbox_call(game, 1, 0, RUN_FUEL);
    policy_game_free(game);
    return ran;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

struct quantity_result policy_quantities(const struct policy *policy, const struct clock_state *clock)
{
    struct quantity_result result = { .verdict = QUANTITY_CLEAN };
    struct quantity_run plain = { .result = &result }, run = { .with_quantities = true, .result = &result };
    const bool ran = execute(policy, clock, &plain) && execute(policy, clock, &run);
    if (!ran || plain.lines != run.lines || !same(plain.limit[0], run.limit[0]) || !same(plain.limit[1], run.limit[1]))
        return (struct quantity_result){ .verdict = QUANTITY_UNDECIDED };
    return result;
}
