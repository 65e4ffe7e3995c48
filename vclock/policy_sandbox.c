/* The walls around a policy: memory, time, and no way to anything that has neither.

   No standard library is opened, so nothing can catch an error, start a coroutine or set a metatable: an error
   always ends the call. What is left to limit is the memory held, the instructions run, and work done inside one
   instruction. For the last, allocation costs fuel by size (a table that is rehashed over and over), strings are
   short, and functions that go through MPFR charge for themselves. */
#include <stdlib.h>

#include "vclock/policy_internal.h"

enum {
    HOOK_STEP = 1000,  /* instructions between two looks at the fuel */
    FUEL_BYTES = 64,   /* allocated bytes for one unit of fuel (guess: a rehash then costs about its time) */
    STRING_HEADER = 64 /* at least the bytes of a string object besides its text */
};

static bool may_grow(struct policy_sandbox *box, bool is_string, size_t held, size_t size)
{
    if (is_string && size > POLICY_STRING_MAX + STRING_HEADER)
        box->breach = BREACH_STRING;
    box->fuel -= (int64_t)(size / FUEL_BYTES);
    if (box->fuel < 0 && box->breach == BREACH_NONE)
        box->breach = BREACH_FUEL;
    return box->breach == BREACH_NONE && box->used - held + size <= POLICY_MEMORY;
}

/* lua_Alloc. After a NULL Lua collects garbage and asks once more. */
static void *allocate(void *context, void *block, size_t old, size_t size)
{
    struct policy_sandbox *box = context;
    size_t held = block ? old : 0;
    if (size == 0) {
        free(block);
        box->used -= held;
        return NULL;
    }
    if (size > held && !may_grow(box, !block && old == LUA_TSTRING, held, size))
        return NULL;
    void *grown = realloc(block, size);
    if (!grown && size > held)
        return NULL;
    box->used = box->used - held + size;
    return grown ? grown : block; /* Lua counts on shrinking */
}

/* The error object is nil, since a message would have to be allocated; policy_fault_lua knows the words. */
static int out_of_fuel(lua_State *lua)
{
    struct policy_game *game = policy_game_of(lua);
    game->sandbox.breach = BREACH_FUEL;
    lua_Debug frame;
    for (int level = 0; !game->fault_line && lua_getstack(lua, level, &frame); level++)
        if (lua_getinfo(lua, "l", &frame) && frame.currentline > 0)
            game->fault_line = frame.currentline;
    lua_pushnil(lua);
    return lua_error(lua);
}

void policy_sandbox_charge(lua_State *lua, int64_t fuel)
{
    struct policy_sandbox *box = &policy_game_of(lua)->sandbox;
    box->fuel -= fuel;
    if (box->fuel < 0)
        out_of_fuel(lua);
}

static void count_hook(lua_State *lua, lua_Debug *activation)
{
    (void)activation;
    policy_sandbox_charge(lua, HOOK_STEP);
}

void policy_sandbox_hook(lua_State *lua)
{
    lua_sethook(lua, count_hook, LUA_MASKCOUNT, HOOK_STEP);
}

bool policy_sandbox_open(struct policy_game *game)
{
    game->sandbox = (struct policy_sandbox){.fuel = POLICY_LOAD_FUEL};
    game->lua = lua_newstate(allocate, &game->sandbox);
    if (!game->lua)
        return false;
    *(struct policy_game **)lua_getextraspace(game->lua) = game;
    policy_sandbox_hook(game->lua);
    return true;
}

bool policy_sandbox_call(struct policy_game *game, int arguments, int results, int64_t fuel)
{
    game->sandbox.fuel = fuel;
    game->sandbox.breach = BREACH_NONE;
    game->fault_line = 0;
    int status = lua_pcall(game->lua, arguments, results, 0);
    if (status == LUA_ERRMEM && game->sandbox.breach == BREACH_NONE)
        game->sandbox.breach = BREACH_MEMORY;
    if (game->sandbox.breach != BREACH_NONE)
        game->dead = true;
    return status == LUA_OK && !game->dead;
}
