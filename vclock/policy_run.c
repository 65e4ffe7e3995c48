/* A policy at work: the state of one game and side, and the three hooks. */
#include <math.h>
#include <stdlib.h>

#include <lauxlib.h>
#include <mpfr.h>

#include "vclock/policy_internal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

double policy_unit_ns(const struct policy *policy, int64_t rate)
{
    static const double unit_ns[] = {[POLICY_S] = 1e9, [POLICY_MS] = 1e6, [POLICY_CS] = 1e7};
    return policy->info.unit == POLICY_NODE ? 1e9 / (double)rate : unit_ns[policy->info.unit];
}

static bool is_plain(int type)
{
    return type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TSTRING;
}

/* g must stay flat, or it could not be saved and restored. */
static void check_memory(lua_State *lua, int g)
{
    for (lua_pushnil(lua); lua_next(lua, g); lua_pop(lua, 1)) {
        if (lua_type(lua, -2) != LUA_TSTRING && lua_type(lua, -2) != LUA_TNUMBER)
            luaL_error(lua, "g has a %s as a key; names and numbers are allowed", luaL_typename(lua, -2));
        if (is_plain(lua_type(lua, -1)))
            continue;
        lua_pushvalue(lua, -2);
        luaL_error(lua, "g.%s holds a %s; g remembers numbers, booleans and texts", lua_tostring(lua, -1),
                   luaL_typename(lua, -2));
    }
}

static int run_budget(lua_State *lua) /* budget, c, values of c, p, g */
{
    policy_fill_clock(lua, 3);
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, 4);
    lua_pushvalue(lua, 5);
    lua_call(lua, 3, 3);
    check_memory(lua, 5);
    return 3;
}

static int run_limit(lua_State *lua) /* limit, s, values of s, scores, b, values of b, p, g */
{
    policy_fill_signals(lua, 3, 4);
    policy_fill_budget(lua, 6);
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, 5);
    lua_pushvalue(lua, 7);
    lua_pushvalue(lua, 8);
    lua_call(lua, 4, 2);
    check_memory(lua, 8);
    return 2;
}

static int run_finish(lua_State *lua) /* finish, s, values of s, scores, g, p */
{
    policy_fill_signals(lua, 3, 4);
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, 5);
    lua_pushvalue(lua, 6);
    lua_call(lua, 3, 0);
    check_memory(lua, 5);
    return 0;
}

static const struct {
    const char *name;
    lua_CFunction run;
    int slots[9]; /* ends with 0 */
} hooks[] = {
    [HOOK_LOAD] = {"load", NULL, {0}},
    [HOOK_BUDGET] = {"budget", run_budget, {SLOT_BUDGET, SLOT_C, SLOT_C_VALUES, SLOT_P, SLOT_G, 0}},
    [HOOK_LIMIT] = {"limit", run_limit,
                    {SLOT_LIMIT, SLOT_S, SLOT_S_VALUES, SLOT_SCORES, SLOT_B, SLOT_B_VALUES, SLOT_P, SLOT_G, 0}},
    [HOOK_FINISH] = {"finish", run_finish, {SLOT_FINISH, SLOT_S, SLOT_S_VALUES, SLOT_SCORES, SLOT_G, SLOT_P, 0}},
};

const char *policy_hook_name(enum policy_hook hook)
{
    return hook == HOOK_LOAD ? "" : hooks[hook].name;
}

int policy_hook_push(struct policy_game *game)
{
    int count = 0;
    lua_pushcfunction(game->lua, hooks[game->hook].run);
    for (const int *slot = hooks[game->hook].slots; *slot; slot++, count++)
        lua_pushvalue(game->lua, *slot);
    return count;
}

/* Runs a hook; its results are on the stack after the slots. */
static bool run(struct policy_game *game, enum policy_hook hook, int results, struct tm_error *error)
{
    game->hook = hook;
    if (game->dead)
        return policy_fault(game, 0, error, "the policy's state is dead after an earlier fault");
    lua_settop(game->lua, SLOT_COUNT);
    policy_game_save_again(game, &game->before);
    int arguments = policy_hook_push(game);
    return policy_sandbox_call(game, arguments, results, POLICY_CALL_FUEL) || policy_fault_lua(game, error);
}

/* Reads the result `index` (from 1) of a hook: a number that is not NaN. */
static bool take_number(struct policy_game *game, int index, const char *what, double *out, struct tm_error *error)
{
    lua_State *lua = game->lua;
    int at = SLOT_COUNT + index, type = lua_type(lua, at);
    *out = type == LUA_TNUMBER ? lua_tonumber(lua, at) : NAN;
    if (!isnan(*out))
        return true;
    const char *found = type == LUA_TNUMBER ? "NaN" : type == LUA_TNIL ? "nothing" : lua_typename(lua, type);
    return policy_fault(game, policy_locate(game), error, "%s returned %s for %s", policy_hook_name(game->hook), found,
                        what);
}

static double at_least(double value, bool has_floor, double least)
{
    return has_floor && value < least ? least : value;
}

static void complete_budget(const struct policy_game *game, struct budget *b)
{
    const struct policy_info *info = &game->policy->info;
    double unit = policy_unit_ns(game->policy, game->rate);
    b->floored.soft = at_least(b->raw.soft, info->has_soft_floor, info->soft_floor);
    b->floored.hard = at_least(b->raw.hard, info->has_hard_floor, info->hard_floor);
    b->soft_raw = ns_from_units(b->raw.soft, unit);
    b->hard_raw = ns_from_units(b->raw.hard, unit);
    b->soft_floored = ns_from_units(b->floored.soft, unit);
    b->hard_floored = ns_from_units(b->floored.hard, unit);
    b->effective_soft = b->soft_floored < b->hard_floored ? b->soft_floored : b->hard_floored;
    b->signature = game->signature;
}

bool policy_budget(struct policy_game *game, const struct clock_state *clock, struct budget *out,
                   struct tm_error *error)
{
    *out = (struct budget){0};
    game->clock = *clock;
    game->rate = clock->rate;
    game->hook = HOOK_BUDGET;
    if (game->unit == POLICY_NODE && clock->rate <= 0)
        return policy_fault(game, 0, error, "the unit \"node\" needs the node rate, which is not known here");
    policy_branch_reset(game);
    game->noting = true;
    bool ran = run(game, HOOK_BUDGET, 3, error);
    game->noting = false;
    if (!ran || !take_number(game, 1, "soft", &out->raw.soft, error) ||
        !take_number(game, 2, "hard", &out->raw.hard, error))
        return false;
    out->has_ceiling = !lua_isnil(game->lua, SLOT_COUNT + 3);
    if (out->has_ceiling && !take_number(game, 3, "ceiling", &out->ceiling, error))
        return false;
    complete_budget(game, out);
    return true;
}

bool policy_limit(struct policy_game *game, const struct signals *signals, const struct budget *budget,
                  tm_ns *soft, tm_ns *hard, bool *hard_given, struct tm_error *error)
{
    double value;
    game->signals = signals;
    game->budget = budget;
    *hard_given = false;
    if (!run(game, HOOK_LIMIT, 2, error) || !take_number(game, 1, "soft", &value, error))
        return false;
    *soft = ns_from_units(value, policy_unit_ns(game->policy, game->rate));
    if (lua_isnil(game->lua, SLOT_COUNT + 2))
        return true;
    if (!take_number(game, 2, "hard", &value, error))
        return false;
    *hard = ns_from_units(value, policy_unit_ns(game->policy, game->rate));
    return *hard_given = true;
}

bool policy_finish(struct policy_game *game, const struct signals *signals, struct tm_error *error)
{
    game->signals = signals;
    return !game->policy->info.has_finish || run(game, HOOK_FINISH, 0, error);
}

/* Leaves the three hooks and the table of the file. */
static int run_chunk(lua_State *lua)
{
    const struct policy *policy = policy_game_of(lua)->policy;
    const bool compiled = policy->code != NULL;
    if (luaL_loadbufferx(lua, compiled ? policy->code : policy->text, compiled ? policy->code_size : policy->size, "=policy",
                         compiled ? "b" : "t") != LUA_OK)
        return lua_error(lua);
    policy_environment_push(lua);
    lua_setupvalue(lua, -2, 1);
    lua_call(lua, 0, 1);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, policy->text);
    if (!lua_istable(lua, -1) || !lua_rawequal(lua, -1, -2))
        return luaL_error(lua, "the file must end in `return policy { … }`");
    static const char *const names[] = {"budget", "limit", "finish"};
    int table = lua_gettop(lua);
    for (size_t i = 0; i < COUNT(names); i++) {
        lua_pushstring(lua, names[i]);
        lua_rawget(lua, table);
    }
    lua_pushvalue(lua, table);
    return 4;
}

bool policy_chunk_run(struct policy_game *game, struct tm_error *error)
{
    lua_State *lua = game->lua;
    game->hook = HOOK_LOAD;
    lua_settop(lua, 0);
    lua_pushcfunction(lua, policy_tables_make);
    if (!policy_sandbox_call(game, 0, SLOT_G, POLICY_LOAD_FUEL))
        return policy_fault_lua(game, error);
    lua_pushcfunction(lua, run_chunk);
    return policy_sandbox_call(game, 0, 4, POLICY_LOAD_FUEL) || policy_fault_lua(game, error);
}

struct policy_game *policy_game_open(const struct policy *policy, enum policy_unit unit)
{
    struct policy_game *game = calloc(1, sizeof *game);
    if (!game)
        return NULL;
    game->policy = policy;
    game->unit = unit;
    if (policy_sandbox_open(game) && lua_checkstack(game->lua, 2 * SLOT_COUNT + LUA_MINSTACK))
        return game;
    policy_game_free(game);
    return NULL;
}

struct policy_game *policy_game_new(const struct policy *policy, struct tm_error *error)
{
    struct policy_game *game = policy_game_open(policy, policy->info.unit);
    if (!game) {
        error_set(error, TM_INTERNAL, "out of memory");
        return NULL;
    }
    if (policy_chunk_run(game, error)) {
        lua_settop(game->lua, SLOT_COUNT);
        game->locals = policy_locals_digest(game);
        return game;
    }
    policy_game_free(game);
    return NULL;
}

void policy_game_free(struct policy_game *game)
{
    if (!game)
        return;
    policy_memory_free(game->before);
    if (game->lua)
        lua_close(game->lua);
    free(game);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may be about to end */
}
