/* The names that a policy can see, and the read-only tables that it is handed.

   Both are an empty table whose metatable leads reads to a table of values and refuses writes; the table of
   values has a metatable of its own, which turns an unknown name into an error instead of a nil. */
#include <lauxlib.h>
#include <string.h>

#include "vclock/policy_internal.h"
#include "vclock/suggest.h"

enum { NAMES_MAX = 64 };

static int lua_type_name(lua_State *lua)
{
    luaL_checkany(lua, 1);
    lua_pushstring(lua, luaL_typename(lua, 1));
    return 1;
}

static int lua_raise(lua_State *lua)
{
    if (lua_type(lua, 1) != LUA_TSTRING)
        return luaL_error(lua, "error called with a %s instead of a text", luaL_typename(lua, 1));
    return luaL_error(lua, "%s", lua_tostring(lua, 1));
}

static int lua_assert_true(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (lua_toboolean(lua, 1))
        return lua_gettop(lua);
    bool has_text = lua_type(lua, 2) == LUA_TSTRING;
    return luaL_error(lua, "%s", has_text ? lua_tostring(lua, 2) : "assertion failed");
}

static int next_index(lua_State *lua)
{
    lua_Integer i = luaL_checkinteger(lua, 2);
    lua_pushinteger(lua, i + 1);
    return lua_geti(lua, 1, i + 1) == LUA_TNIL ? 1 : 2;
}

static int lua_ipairs(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_pushcfunction(lua, next_index);
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, 0);
    return 3;
}

/* Hands its table back, marked as the one that came through here. */
static int lua_policy(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_pushvalue(lua, 1);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, policy_game_of(lua)->policy->text);
    return 1;
}

static void set_basics(lua_State *lua)
{
    static const struct {
        const char *name;
        lua_CFunction function;
    } table[] = {
        {"assert", lua_assert_true}, {"error", lua_raise}, {"ipairs", lua_ipairs}, {"policy", lua_policy},
        {"type", lua_type_name},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lua_pushcfunction(lua, table[i].function);
        lua_setfield(lua, -2, table[i].name);
    }
}

/* A key as a person would name it. */
static const char *key_text(lua_State *lua, int index)
{
    if (lua_type(lua, index) != LUA_TNUMBER && lua_type(lua, index) != LUA_TSTRING)
        return luaL_typename(lua, index);
    lua_pushvalue(lua, index); /* lua_tostring would change the key itself */
    return lua_tostring(lua, -1);
}

static size_t string_keys(lua_State *lua, int table, const char **names)
{
    size_t count = 0;
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1))
        if (count < NAMES_MAX && lua_type(lua, -2) == LUA_TSTRING)
            names[count++] = lua_tostring(lua, -2);
    return count;
}

static int unknown_global(lua_State *lua)
{
    const char *names[NAMES_MAX];
    char hint[64];
    const char *word = key_text(lua, 2);
    suggest_text(hint, sizeof hint, word, names, string_keys(lua, 1, names));
    return luaL_error(lua, "unknown name '%s'%s", word, hint);
}

static int global_written(lua_State *lua)
{
    return luaL_error(lua, "global '%s' is written; use `local`, or g to remember a value", key_text(lua, 2));
}

/* Pushes an empty table that reads from the table on top and refuses writes by `refuse`, which finds `name` as
   its upvalue. */
static void wrap_values(lua_State *lua, lua_CFunction refuse, const char *name)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 2);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushstring(lua, name);
    lua_pushcclosure(lua, refuse, 1);
    lua_setfield(lua, -2, "__newindex");
    lua_setmetatable(lua, -2);
}

void policy_environment_push(lua_State *lua)
{
    lua_newtable(lua);
    set_basics(lua);
    policy_math_set(lua);
    policy_branch_set(lua);
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, unknown_global);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    wrap_values(lua, global_written, "");
    lua_remove(lua, -2);
}

static int field_written(lua_State *lua)
{
    return luaL_error(lua, "%s is read-only; its field '%s' is written", lua_tostring(lua, lua_upvalueindex(1)),
                      key_text(lua, 2));
}

/* A field without a value: nil if it is known by name, else an error. */
static int absent_field(lua_State *lua)
{
    const char *const *fields = lua_touserdata(lua, lua_upvalueindex(2));
    size_t count = (size_t)lua_tointeger(lua, lua_upvalueindex(3));
    const char *word = key_text(lua, 2), *names[POLICY_PARAMS];
    if (!fields) { /* parameters: all have values */
        const struct policy_info *info = &policy_game_of(lua)->policy->info;
        count = (size_t)info->param_count;
        for (size_t i = 0; i < count; i++)
            names[i] = info->param[i].name;
        fields = names;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, fields[i]) == 0)
            return 0;
    char hint[64];
    return luaL_error(lua, "%s has no field '%s'%s", lua_tostring(lua, lua_upvalueindex(1)), word,
                      suggest_text(hint, sizeof hint, word, fields, count));
}

void policy_view_push(lua_State *lua, const char *name, const char *const *fields, size_t count)
{
    lua_createtable(lua, 0, (int)count);
    lua_createtable(lua, 0, 1);
    lua_pushstring(lua, name);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)fields);
    lua_pushinteger(lua, (lua_Integer)count);
    lua_pushcclosure(lua, absent_field, 3);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    wrap_values(lua, field_written, name);
    lua_insert(lua, -2);
}
