/* The functions that choose: min, max, clamp, eq, when. Each notes which argument won, and the notes of one
   `budget` call are its branch signature: two states with the same one are on the same piece of the policy. */
#include <lauxlib.h>

#include "vclock/policy_internal.h"

const char *policy_branch_name(enum policy_branch_kind kind)
{
    static const char *const names[] = {
        [POLICY_MIN] = "min", [POLICY_MAX] = "max", [POLICY_CLAMP] = "clamp", [POLICY_EQ] = "eq",
        [POLICY_WHEN] = "when"};
    return names[kind];
}

void policy_branch_reset(struct policy_game *game)
{
    game->signature = 0;
    game->branch_count = 0;
}

int policy_branches(const struct policy_game *game, const struct policy_branch **out)
{
    *out = game->branch;
    return game->branch_count;
}

static void note(lua_State *lua, enum policy_branch_kind kind, int winner)
{
    struct policy_game *game = policy_game_of(lua);
    if (!game->noting)
        return;
    lua_Debug frame;
    int line = 0; /* looking it up is most of what a note costs, and only for those that are kept */
    if (game->branch_count < POLICY_BRANCHES && lua_getstack(lua, 1, &frame) && lua_getinfo(lua, "l", &frame))
        line = frame.currentline;
    uint64_t entry = (uint64_t)(uint32_t)line << 32 | (uint64_t)kind << 16 | (uint64_t)winner;
    game->signature = policy_mix(game->signature ^ entry);
    if (game->branch_count < POLICY_BRANCHES)
        game->branch[game->branch_count++] = (struct policy_branch){line, kind, winner};
}

/* Folds from the left: a later argument wins only if `<` says so, hence the behaviour of C++ with NaN. */
static int fold(lua_State *lua, enum policy_branch_kind kind)
{
    int count = lua_gettop(lua), winner = 1;
    luaL_checktype(lua, 1, LUA_TNUMBER);
    for (int i = 2; i <= count; i++) {
        luaL_checktype(lua, i, LUA_TNUMBER);
        bool wins = kind == POLICY_MAX ? lua_compare(lua, winner, i, LUA_OPLT) : lua_compare(lua, i, winner, LUA_OPLT);
        if (wins)
            winner = i;
    }
    note(lua, kind, winner);
    lua_pushvalue(lua, winner);
    return 1;
}

static int branch_min(lua_State *lua) { return fold(lua, POLICY_MIN); }
static int branch_max(lua_State *lua) { return fold(lua, POLICY_MAX); }

/* min(max(x, low), high) */
static int branch_clamp(lua_State *lua)
{
    for (int i = 1; i <= 3; i++)
        luaL_checktype(lua, i, LUA_TNUMBER);
    int winner = lua_compare(lua, 1, 2, LUA_OPLT) ? 2 : 1;
    if (lua_compare(lua, 3, winner, LUA_OPLT))
        winner = 3;
    note(lua, POLICY_CLAMP, winner);
    lua_pushvalue(lua, winner);
    return 1;
}

static int branch_eq(lua_State *lua)
{
    luaL_checkany(lua, 2);
    bool equal = lua_rawequal(lua, 1, 2);
    note(lua, POLICY_EQ, equal ? 1 : 2);
    lua_pushboolean(lua, equal);
    return 1;
}

static int branch_when(lua_State *lua)
{
    luaL_checkany(lua, 3);
    int winner = lua_toboolean(lua, 1) ? 1 : 2;
    note(lua, POLICY_WHEN, winner);
    lua_pushvalue(lua, 1 + winner);
    return 1;
}

void policy_branch_set(lua_State *lua)
{
    static const struct {
        const char *name;
        lua_CFunction function;
    } table[] = {
        {"min", branch_min}, {"max", branch_max}, {"clamp", branch_clamp}, {"eq", branch_eq}, {"when", branch_when},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lua_pushcfunction(lua, table[i].function);
        lua_setfield(lua, -2, table[i].name);
    }
}
