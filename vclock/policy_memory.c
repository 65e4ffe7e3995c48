/* Copies of g, the memory of a policy, for the solver and others that evaluate out of order. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "vclock/policy_internal.h"

struct value {
    int type; /* LUA_TBOOLEAN, LUA_TNUMBER or LUA_TSTRING */
    bool is_integer;
    lua_Integer integer;
    double number;
    char *text;
    size_t length;
};

struct policy_memory {
    size_t count;
    struct entry {
        struct value key, value;
    } entry[];
};

static bool copy_value(lua_State *lua, int index, struct value *out)
{
    *out = (struct value){.type = lua_type(lua, index), .is_integer = lua_isinteger(lua, index)};
    if (out->type == LUA_TBOOLEAN)
        out->integer = lua_toboolean(lua, index);
    else if (out->is_integer)
        out->integer = lua_tointeger(lua, index);
    else if (out->type == LUA_TNUMBER)
        out->number = lua_tonumber(lua, index);
    else {
        const char *text = lua_tolstring(lua, index, &out->length);
        out->text = malloc(out->length + 1);
        if (!out->text)
            return false;
        memcpy(out->text, text, out->length + 1);
    }
    return true;
}

static bool is_empty(lua_State *lua)
{
    lua_pushnil(lua);
    if (!lua_next(lua, SLOT_G))
        return true;
    lua_pop(lua, 2);
    return false;
}

static size_t entries(lua_State *lua)
{
    size_t count = 0;
    for (lua_pushnil(lua); lua_next(lua, SLOT_G); lua_pop(lua, 1))
        count++;
    return count;
}

/* The pair on top of the stack. A hook that was refused for it may have left a table or a function in g. */
static bool may_be_kept(lua_State *lua)
{
    const int key = lua_type(lua, -2), value = lua_type(lua, -1);
    return (key == LUA_TNUMBER || key == LUA_TSTRING)
           && (value == LUA_TNUMBER || value == LUA_TSTRING || value == LUA_TBOOLEAN);
}

struct policy_memory *policy_game_save(const struct policy_game *game)
{
    lua_State *lua = game->lua;
    size_t count = entries(lua);
    struct policy_memory *memory = calloc(1, sizeof *memory + count * sizeof *memory->entry);
    bool good = memory;
    lua_pushnil(lua);
    while (lua_next(lua, SLOT_G)) {
        if (good && may_be_kept(lua)) {
            struct entry *entry = &memory->entry[memory->count++];
            good = copy_value(lua, -2, &entry->key) && copy_value(lua, -1, &entry->value);
        }
        lua_pop(lua, 1);
    }
    if (good)
        return memory;
    policy_memory_free(memory);
    return NULL;
}

static void push_value(lua_State *lua, const struct value *value)
{
    if (value->type == LUA_TBOOLEAN)
        lua_pushboolean(lua, (int)value->integer);
    else if (value->is_integer)
        lua_pushinteger(lua, value->integer);
    else if (value->type == LUA_TNUMBER)
        lua_pushnumber(lua, value->number);
    else
        lua_pushlstring(lua, value->text, value->length);
}

static int refill(lua_State *lua) /* memory as light userdata; returns a new g */
{
    const struct policy_memory *memory = lua_touserdata(lua, 1);
    lua_createtable(lua, 0, (int)memory->count);
    for (size_t i = 0; i < memory->count; i++) {
        push_value(lua, &memory->entry[i].key);
        push_value(lua, &memory->entry[i].value);
        lua_rawset(lua, -3);
    }
    return 1;
}

bool policy_game_is_dead(const struct policy_game *game) { return game->dead; }

void policy_game_restore(struct policy_game *game, const struct policy_memory *memory)
{
    if (game->dead)
        return;
    if (memory->count == 0 && is_empty(game->lua)) /* most policies; saves the solver a table for each evaluation */
        return;
    lua_settop(game->lua, SLOT_COUNT);
    lua_pushcfunction(game->lua, refill);
    lua_pushlightuserdata(game->lua, (void *)(uintptr_t)memory);
    if (policy_sandbox_call(game, 1, 1, POLICY_LOAD_FUEL))
        lua_replace(game->lua, SLOT_G);
    else
        game->dead = true;
    lua_settop(game->lua, SLOT_COUNT);
}

void policy_memory_free(struct policy_memory *memory)
{
    for (size_t i = 0; memory && i < memory->count; i++) {
        free(memory->entry[i].key.text);
        free(memory->entry[i].value.text);
    }
    free(memory);
}

void policy_game_save_again(const struct policy_game *game, struct policy_memory **memory)
{
    if (*memory && (*memory)->count == 0 && is_empty(game->lua))
        return;
    policy_memory_free(*memory);
    *memory = policy_game_save(game);
}

static int get_number(lua_State *lua) /* g, name as light userdata */
{
    lua_pushstring(lua, lua_touserdata(lua, 2));
    lua_rawget(lua, 1);
    return 1;
}

bool policy_game_get(const struct policy_game *game, const char *name, double *out)
{
    lua_State *lua = game->lua;
    int top = lua_gettop(lua);
    lua_pushcfunction(lua, get_number);
    lua_pushvalue(lua, SLOT_G);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)name);
    bool found = !game->dead && lua_pcall(lua, 2, 1, 0) == LUA_OK && lua_type(lua, -1) == LUA_TNUMBER;
    if (found)
        *out = lua_tonumber(lua, -1);
    lua_settop(lua, top);
    return found;
}

static int set_number(lua_State *lua) /* g, name as light userdata, value */
{
    lua_pushstring(lua, lua_touserdata(lua, 2));
    lua_insert(lua, 3);
    lua_rawset(lua, 1);
    return 0;
}

bool policy_game_set(struct policy_game *game, const char *name, double value)
{
    if (game->dead)
        return false;
    lua_settop(game->lua, SLOT_COUNT);
    lua_pushcfunction(game->lua, set_number);
    lua_pushvalue(game->lua, SLOT_G);
    lua_pushlightuserdata(game->lua, (void *)(uintptr_t)name);
    lua_pushnumber(game->lua, value);
    bool set = policy_sandbox_call(game, 3, 0, POLICY_CALL_FUEL);
    lua_settop(game->lua, SLOT_COUNT);
    return set;
}
