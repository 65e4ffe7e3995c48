/* Reads the policy{…} table of a file. Everything is checked here, once, when the file is loaded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "vclock/policy_internal.h"
#include "vclock/suggest.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The first line with `word =`, for a message; 0 if there is none. */
static int line_of(const struct policy *policy, const char *word)
{
    size_t length = strlen(word);
    int line = 1;
    for (const char *at = policy->text, *end = at + policy->size; at + length < end; at++) {
        line += *at == '\n';
        if (memcmp(at, word, length) != 0 || (at > policy->text && is_word_char(at[-1])))
            continue;
        const char *next = at + length;
        while (next < end && (*next == ' ' || *next == '\t'))
            next++;
        if (next < end && *next == '=' && (next + 1 == end || next[1] != '='))
            return line;
    }
    return 0;
}

/* Says that the field `word` is wrong; the message names its line. */
static void wrong(lua_State *lua, const char *word, const char *text)
{
    struct policy_game *game = policy_game_of(lua);
    game->fault_line = line_of(game->policy, word);
    lua_pushstring(lua, text);
    lua_error(lua);
}

/* Every key of the table must be a name out of `fields`; number keys up to `array` are allowed. */
static void check_keys(lua_State *lua, int table, const char *what, const char *const *fields, size_t count,
                       lua_Integer array)
{
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        if (lua_isinteger(lua, -2) && lua_tointeger(lua, -2) >= 1 && lua_tointeger(lua, -2) <= array)
            continue;
        if (lua_type(lua, -2) != LUA_TSTRING)
            luaL_error(lua, "%s has a value without a name", what);
        const char *key = lua_tostring(lua, -2);
        bool known = false;
        for (size_t i = 0; i < count && !known; i++)
            known = strcmp(key, fields[i]) == 0;
        char hint[64];
        if (!known)
            wrong(lua, key, lua_pushfstring(lua, "%s has no field '%s'%s", what, key,
                                            suggest_text(hint, sizeof hint, key, fields, count)));
    }
}

/* Pushes table[name] and returns its type; an error unless it is absent or of the type wanted. */
static int get(lua_State *lua, int table, const char *name, int type)
{
    lua_pushstring(lua, name);
    int found = lua_rawget(lua, table);
    if (found != LUA_TNIL && found != type)
        wrong(lua, name, lua_pushfstring(lua, "%s must be a %s, not a %s", name, lua_typename(lua, type),
                                         lua_typename(lua, found)));
    return found;
}

/* A copy of a text field for the C side; "" if it is absent. */
static char *text_field(lua_State *lua, int table, const char *name)
{
    bool found = get(lua, table, name, LUA_TSTRING) == LUA_TSTRING;
    char *copy = strdup(found ? lua_tostring(lua, -1) : "");
    if (!copy)
        luaL_error(lua, "out of memory");
    lua_pop(lua, 1);
    return copy;
}

/* The index of a text field among `choices`; `absent` if there is none. */
static int choice_field(lua_State *lua, int table, const char *name, const char *const *choices, int count, int absent)
{
    int choice = absent;
    if (get(lua, table, name, LUA_TSTRING) == LUA_TSTRING) {
        const char *word = lua_tostring(lua, -1);
        for (choice = 0; choice < count && strcmp(word, choices[choice]) != 0; choice++)
            ;
        lua_pushstring(lua, "");
        for (int i = 0; choice == count && i < count; i++)
            lua_pushfstring(lua, "%s%s\"%s\"", lua_tostring(lua, -1), i ? ", " : "", choices[i]);
        if (choice == count)
            wrong(lua, name, lua_pushfstring(lua, "%s is \"%s\"; expected one of %s", name, word,
                                             lua_tostring(lua, -1)));
    }
    lua_settop(lua, table);
    return choice;
}

/* A finite number; false if it is absent. */
static bool number_field(lua_State *lua, int table, const char *name, double *out)
{
    bool found = get(lua, table, name, LUA_TNUMBER) == LUA_TNUMBER;
    if (found && !isfinite(*out = lua_tonumber(lua, -1)))
        wrong(lua, name, lua_pushfstring(lua, "%s is not a finite number", name));
    lua_pop(lua, 1);
    return found;
}

static void read_name(lua_State *lua, int table, struct policy *policy)
{
    policy->info.name = policy->name = text_field(lua, table, "name");
    const char *at = policy->name;
    while (is_word_char(*at) || *at == '-' || *at == '.')
        at++;
    if (*at || !*policy->name)
        wrong(lua, "name", "name is missing, or has other characters than letters, digits, `_`, `-` and `.`");
}

static void read_floor(lua_State *lua, int table, struct policy_info *info)
{
    static const char *const sides[] = {"soft", "hard"};
    lua_pushstring(lua, "floor");
    int type = lua_rawget(lua, table), floor = lua_gettop(lua);
    if (type == LUA_TTABLE) {
        check_keys(lua, floor, "floor", sides, COUNT(sides), 0);
        info->has_soft_floor = number_field(lua, floor, "soft", &info->soft_floor);
        info->has_hard_floor = number_field(lua, floor, "hard", &info->hard_floor);
    } else if (type != LUA_TNIL) {
        info->has_soft_floor = info->has_hard_floor = number_field(lua, table, "floor", &info->soft_floor);
        info->hard_floor = info->soft_floor;
    }
    lua_settop(lua, table);
}

static bool is_parameter_name(const char *name)
{
    size_t length = strlen(name);
    return name[0] && !(name[0] >= '0' && name[0] <= '9') &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length &&
           length < sizeof((struct policy_param *)NULL)->name;
}

/* The description { default, min =, max =, help =, time = } at `table`. */
static void read_parameter(lua_State *lua, int table, struct policy_param *param)
{
    static const char *const fields[] = {"min", "max", "help", "time"};
    check_keys(lua, table, lua_pushfstring(lua, "parameter %s", param->name), fields, COUNT(fields), 1);
    param->min = -HUGE_VAL;
    param->max = HUGE_VAL;
    number_field(lua, table, "min", &param->min);
    number_field(lua, table, "max", &param->max);
    if (get(lua, table, "help", LUA_TSTRING) == LUA_TSTRING)
        strncpy(param->help, lua_tostring(lua, -1), sizeof param->help - 1);
    param->is_time = get(lua, table, "time", LUA_TBOOLEAN) == LUA_TBOOLEAN && lua_toboolean(lua, -1);
    if (lua_rawgeti(lua, table, 1) != LUA_TNUMBER || !isfinite(param->initial = lua_tonumber(lua, -1)))
        wrong(lua, param->name, lua_pushfstring(lua, "parameter %s needs a number as its first value, the default",
                                                param->name));
    if (!(param->min <= param->initial && param->initial <= param->max))
        wrong(lua, param->name,
              lua_pushfstring(lua, "parameter %s: the default is outside of min … max", param->name));
    if (param->is_time && policy_game_of(lua)->unit == POLICY_NODE)
        wrong(lua, param->name, lua_pushfstring(lua, "parameter %s: a time has no fixed size in nodes", param->name));
    param->value = param->initial;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct policy_param *)a)->name, ((const struct policy_param *)b)->name);
}

/* Parameters come sorted by name, since Lua's tables have no order of their own. */
static void read_parameters(lua_State *lua, int table, struct policy *policy)
{
    struct policy_info *info = &policy->info;
    info->param = policy->param;
    if (get(lua, table, "params", LUA_TTABLE) == LUA_TTABLE) {
        int params = lua_gettop(lua);
        for (lua_pushnil(lua); lua_next(lua, params); lua_settop(lua, params + 1)) {
            if (lua_type(lua, -2) != LUA_TSTRING || !is_parameter_name(lua_tostring(lua, -2)))
                wrong(lua, "params", "a parameter needs a name of at most 31 lower-case letters, digits and `_`");
            if (lua_type(lua, -1) != LUA_TTABLE)
                wrong(lua, lua_tostring(lua, -2), "a parameter is a table { default, min =, max =, help =, time = }");
            if (strcmp(lua_tostring(lua, -2), "tc") == 0)
                wrong(lua, "tc", "the name tc is taken: in a match NAME:tc=20+0.2 is the control that a player has");
            if (info->param_count == POLICY_PARAMS)
                luaL_error(lua, "more than %d parameters", POLICY_PARAMS);
            struct policy_param *param = &policy->param[info->param_count++];
            *param = (struct policy_param){0};
            strcpy(param->name, lua_tostring(lua, -2));
            read_parameter(lua, params + 2, param);
        }
        qsort(policy->param, (size_t)info->param_count, sizeof *policy->param, by_name);
    }
    lua_settop(lua, table);
}

static void read_min_depth(lua_State *lua, int table, struct policy_info *info)
{
    double depth = 0;
    number_field(lua, table, "min_depth", &depth);
    if (!(depth >= 0 && depth <= 255 && depth == floor(depth)))
        wrong(lua, "min_depth", "min_depth must be a whole number from 0 to 255");
    info->min_depth = (int)depth;
}

static void read_hooks(lua_State *lua, int table, struct policy_info *info)
{
    if (get(lua, table, "budget", LUA_TFUNCTION) == LUA_TNIL)
        luaL_error(lua, "the policy has no budget function");
    info->has_limit = get(lua, table, "limit", LUA_TFUNCTION) != LUA_TNIL;
    info->has_finish = get(lua, table, "finish", LUA_TFUNCTION) != LUA_TNIL;
    static const char *const missing[] = {"missing"};
    info->hooks = choice_field(lua, table, "hooks", missing, 1, -1) == 0 ? missing[0] : NULL;
    lua_settop(lua, table);
}

/* vectors = { npmsec = "p.nodestime" }: what recorded states mean here. */
static void read_vectors(lua_State *lua, int table, struct policy *policy)
{
    if (get(lua, table, "vectors", LUA_TTABLE) == LUA_TTABLE) {
        int vectors = lua_gettop(lua);
        for (lua_pushnil(lua); lua_next(lua, vectors); lua_settop(lua, vectors + 1)) {
            const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : NULL;
            const char *target = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
            if (!key || !target || strlen(key) >= POLICY_VECTOR_NAME || strlen(target) >= POLICY_VECTOR_NAME)
                wrong(lua, "vectors", "vectors says for each key of a state what it is: \"g.NAME\", \"p.NAME\" or \"c.NAME\"");
            if (policy->vector_count == POLICY_VECTOR_KEYS)
                luaL_error(lua, "vectors has more than %d keys", POLICY_VECTOR_KEYS);
            struct policy_vector_key *entry = &policy->vector[policy->vector_count++];
            strcpy(entry->key, key);
            strcpy(entry->target, target);
        }
    }
    lua_settop(lua, table);
}

static int read_unit(lua_State *lua, int table)
{
    static const char *const units[] = {
        [POLICY_S] = "s", [POLICY_MS] = "ms", [POLICY_CS] = "cs", [POLICY_NODE] = "node"};
    int unit = choice_field(lua, table, "unit", units, COUNT(units), -1);
    if (unit < 0)
        luaL_error(lua, "the policy has no unit; expected \"s\", \"ms\", \"cs\" or \"node\"");
    return unit;
}

static int read_table(lua_State *lua)
{
    static const char *const fields[] = {"name", "title", "source", "unit", "params", "budget", "floor", "stop",
                                         "limit", "finish", "abort", "min_depth", "hooks", "vectors"};
    static const char *const stops[] = {"iteration", "event"}, *const aborts[] = {"newer", "finished"};
    struct policy *policy = policy_game_of(lua)->loading;
    struct policy_info *info = &policy->info;
    check_keys(lua, 1, "policy", fields, COUNT(fields), 0);
    info->unit = (enum policy_unit)read_unit(lua, 1);
    if (info->unit != policy_game_of(lua)->unit)
        return 0; /* the caller comes back with the right one */
    read_name(lua, 1, policy);
    info->title = policy->title = text_field(lua, 1, "title");
    info->source = policy->source = text_field(lua, 1, "source");
    read_hooks(lua, 1, info);
    read_vectors(lua, 1, policy);
    read_floor(lua, 1, info);
    info->stop_at_event = choice_field(lua, 1, "stop", stops, COUNT(stops), 0) == 1;
    info->abort_keeps_finished = choice_field(lua, 1, "abort", aborts, COUNT(aborts), 0) == 1;
    read_min_depth(lua, 1, info);
    read_parameters(lua, 1, policy);
    return 0;
}

bool policy_file_read(struct policy_game *game, struct tm_error *error)
{
    lua_pushcfunction(game->lua, read_table);
    lua_insert(game->lua, -2);
    return policy_sandbox_call(game, 1, 0, POLICY_LOAD_FUEL) || policy_fault_lua(game, error);
}
