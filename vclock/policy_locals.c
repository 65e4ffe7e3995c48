/* Watches what a policy could remember outside of g: the locals of its file, by which its functions are linked. */
#include <stdint.h>
#include <string.h>

#include "vclock/policy_internal.h"

/* Functions in locals of functions, tables in tables: what lies deeper or beyond so many values is not watched, lest a
   few tables that hold each other take for ever. */
enum { DEPTH_MAX = 12, VALUES_MAX = 20000 };

static uint64_t digest(lua_State *lua, int index, int depth);

static uint64_t digest_text(lua_State *lua, int index)
{
    size_t length;
    const char *text = lua_tolstring(lua, index, &length);
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = policy_mix(hash ^ (unsigned char)text[i]);
    return hash;
}

static uint64_t digest_number(lua_State *lua, int index)
{
    double number = lua_tonumber(lua, index);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Independent of the order in which Lua walks through a table. */
static uint64_t digest_table(lua_State *lua, int index, int depth)
{
    uint64_t sum = 0;
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        int top = lua_gettop(lua);
        sum += policy_mix(digest(lua, top - 1, depth) ^ policy_mix(digest(lua, top, depth)));
    }
    return sum;
}

static uint64_t digest_function(lua_State *lua, int index, int depth)
{
    uint64_t hash = 0;
    const char *name;
    for (int i = 1; (name = lua_getupvalue(lua, index, i)); i++) {
        if (strcmp(name, "_ENV") != 0)
            hash = policy_mix(hash ^ digest(lua, lua_gettop(lua), depth));
        lua_pop(lua, 1);
    }
    return hash;
}

static uint64_t digest(lua_State *lua, int index, int depth)
{
    int type = lua_type(lua, index);
    if (depth == DEPTH_MAX || policy_game_of(lua)->digested++ >= VALUES_MAX || !lua_checkstack(lua, 4))
        return 0;
    switch (type) {
    case LUA_TBOOLEAN:
        return policy_mix((uint64_t)type << 8 | (uint64_t)lua_toboolean(lua, index));
    case LUA_TNUMBER:
        return policy_mix(digest_number(lua, index) + (uint64_t)type);
    case LUA_TSTRING:
        return policy_mix(digest_text(lua, index) + (uint64_t)type);
    case LUA_TTABLE:
        return policy_mix(digest_table(lua, index, depth + 1) + (uint64_t)type);
    case LUA_TFUNCTION:
        return policy_mix(digest_function(lua, index, depth + 1) + (uint64_t)type);
    default:
        return (uint64_t)type;
    }
}

uint64_t policy_locals_digest(struct policy_game *game)
{
    uint64_t hash = 0;
    game->digested = 0;
    for (int slot = SLOT_BUDGET; slot <= SLOT_FINISH; slot++)
        hash = policy_mix(hash ^ digest(game->lua, slot, 0));
    return hash;
}

bool policy_locals_unchanged(struct policy_game *game, struct tm_error *error)
{
    game->hook = HOOK_LOAD; /* no inputs in the message */
    return policy_locals_digest(game) == game->locals ||
           policy_fault(game, 0, error, "a hook changes a local of the file; only g may remember");
}
