/* Loading policies: specs ("pool:moves=30"), files, parameters and the hash that identifies them. */
#include "vclock/policy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <xxhash.h>

#include "vclock/policy_internal.h"
#include "vclock/policy_names.h"
#include "vclock/policy_scan.h"
#include "vclock/suggest.h"

/* Identity: the text, the parameter values and a control of its own, not where the file lies or what it is called
   here. */
static bool set_hash(struct policy *policy)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return false;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, policy->text, policy->size);
    for (int i = 0; i < policy->info.param_count; i++) {
        char value[96];
        int length = snprintf(value, sizeof value, "\n%s=%.17g", policy->param[i].name, policy->param[i].value);
        XXH3_128bits_update(state, value, (size_t)length);
    }
    if (policy->info.tc) {
        char control[TC_TEXT_SIZE];
        tc_print(control, policy->info.tc);
        XXH3_128bits_update(state, "\ntc=", 4);
        XXH3_128bits_update(state, control, strlen(control));
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(policy->hash, sizeof policy->hash, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

/* The unit decides what sec() and ms() mean while the chunk runs, and only the chunk tells the unit: it is run
   with seconds first, and again if it says otherwise. */
static bool read_file(struct policy *policy, struct tm_error *error)
{
    enum policy_unit unit = POLICY_S;
    for (int attempt = 0; attempt < 2; attempt++) {
        struct policy_game *game = policy_game_open(policy, unit);
        if (!game)
            return error_fail(error, TM_INTERNAL, "out of memory");
        game->loading = policy;
        bool read = policy_chunk_run(game, error) && policy_file_read(game, error);
        policy_game_free(game);
        if (!read || policy->info.unit == unit)
            return read;
        unit = policy->info.unit;
    }
    return error_fail(error, TM_INPUT, "%s: the unit depends on the unit", policy->info.path);
}

static int keep_code(lua_State *lua, const void *part, size_t size, void *ctx)
{
    struct policy *policy = ctx;
    char *grown = realloc(policy->code, policy->code_size + size);
    (void)lua;
    if (!grown)
        return 1;
    memcpy(grown + policy->code_size, part, size);
    policy->code = grown;
    policy->code_size += size;
    return 0;
}

/* Nothing of the text runs here. Line numbers stay in, for faults. */
static bool compile(struct policy *policy, struct tm_error *error)
{
    lua_State *lua = luaL_newstate();
    const bool ok = lua && luaL_loadbufferx(lua, policy->text, policy->size, "=policy", "t") == LUA_OK &&
                    lua_dump(lua, keep_code, policy, 0) == 0;
    if (lua)
        lua_close(lua);
    return ok || error_fail(error, TM_INTERNAL, "out of memory");
}

static bool load(struct policy *policy, const char *path, const char *label, const char *text, size_t size,
                 struct tm_error *error)
{
    policy->text = malloc(size + 1);
    policy->path = strdup(path);
    policy->label = strdup(label);
    if (!policy->text || !policy->path || !policy->label)
        return error_fail(error, TM_INTERNAL, "out of memory");
    memcpy(policy->text, text, size);
    policy->text[size] = '\0';
    policy->size = size;
    policy->info.path = policy->path;
    policy->info.label = policy->label;
    policy->info.hash = policy->hash;
    if (size > POLICY_TEXT_MAX)
        return error_fail(error, TM_INPUT, "%s: a policy has at most %d bytes, this file has %zu", path,
                          POLICY_TEXT_MAX, size);
    return policy_scan(path, text, size, error) && read_file(policy, error) && compile(policy, error);
}

static bool finish_load(struct policy *policy, bool loaded, struct policy **out, struct tm_error *error)
{
    if (loaded && !set_hash(policy))
        loaded = error_fail(error, TM_INTERNAL, "out of memory");
    *out = loaded ? policy : NULL;
    if (!loaded)
        policy_free(policy);
    return loaded;
}

static bool read_whole(const char *path, char **text, size_t *size, struct tm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_fail(error, TM_INPUT, "%s: %s", path, strerror(errno));
    *text = malloc(POLICY_TEXT_MAX + 1);
    *size = *text ? fread(*text, 1, POLICY_TEXT_MAX + 1, file) : 0;
    bool good = *text && !ferror(file);
    fclose(file);
    if (good)
        return true;
    free(*text);
    return error_fail(error, TM_INPUT, "%s: cannot be read", path);
}

static struct policy_param *find_parameter(struct policy *policy, const char *name)
{
    for (int i = 0; i < policy->info.param_count; i++)
        if (strcmp(policy->param[i].name, name) == 0)
            return &policy->param[i];
    return NULL;
}

static bool unknown_parameter(const struct policy *policy, const char *name, struct tm_error *error)
{
    const char *names[POLICY_PARAMS];
    char list[512] = "", hint[64];
    size_t count = (size_t)policy->info.param_count;
    for (size_t i = 0; i < count; i++) {
        names[i] = policy->param[i].name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "; it has ", names[i]);
    }
    const char *near = suggest_text(hint, sizeof hint, name, names, count);
    return error_fail(error, TM_INPUT, "policy %s has no parameter '%s'%s", policy->name, name, *near ? near : list);
}

/* A plain decimal number; strtod alone would take "nan", "0x1p3" and blanks. */
static bool parse_number(const char *text, double *out)
{
    char *end;
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return !*end && isfinite(*out);
}

static bool parse_time(const struct policy *policy, const char *what, const char *text, double *out,
                       struct tm_error *error)
{
    tm_ns duration;
    if (!duration_parse(what, text, &duration, error))
        return false;
    *out = (double)duration / policy_unit_ns(policy, 0);
    return true;
}

static bool set_parameter(struct policy *policy, const char *name, const char *text, struct tm_error *error)
{
    static const char *const units[] = {
        [POLICY_S] = " s", [POLICY_MS] = " ms", [POLICY_CS] = " cs", [POLICY_NODE] = ""};
    struct policy_param *param = find_parameter(policy, name);
    if (!param)
        return unknown_parameter(policy, name, error);
    char what[128];
    snprintf(what, sizeof what, "%.64s:%s", policy->name, name);
    double value;
    if (param->is_time && !parse_time(policy, what, text, &value, error))
        return false;
    if (!param->is_time && !parse_number(text, &value))
        return error_fail(error, TM_INPUT, "%s=%s: expected a number", what, text);
    const char *unit = param->is_time ? units[policy->info.unit] : "";
    if (!(param->min <= value && value <= param->max))
        return error_fail(error, TM_INPUT, "%s=%s is out of range; expected %g%s to %g%s", what, text, param->min, unit,
                          param->max, unit);
    param->value = value;
    return true;
}

/* Applies "a=1:b=2ms", which it cuts into pieces. */
static bool set_parameters(struct policy *policy, char *list, struct tm_error *error)
{
    bool given[POLICY_PARAMS] = {false};
    for (char *next; list; list = next) {
        next = strchr(list, ':');
        if (next)
            *next++ = '\0';
        char *value = strchr(list, '=');
        if (!value || value == list)
            return error_fail(error, TM_INPUT, "%s: expected param=value after ':', found '%s'", policy->label, list);
        *value++ = '\0';
        if (!set_parameter(policy, list, value, error))
            return false;
        bool *seen = &given[find_parameter(policy, list) - policy->param];
        if (*seen)
            return error_fail(error, TM_INPUT, "%s: %s is given twice", policy->label, list);
        *seen = true;
    }
    return true;
}

bool policy_load_text_with(const char *chunk, const char *text, size_t size, const char *parameters, struct policy **out,
                           struct tm_error *error)
{
    *out = NULL;
    struct policy *policy = calloc(1, sizeof *policy);
    char *list = *parameters ? strdup(parameters) : NULL;
    bool loaded = policy && (list || !*parameters);
    if (!loaded)
        error_set(error, TM_INTERNAL, "out of memory");
    loaded = loaded && load(policy, chunk, chunk, text, size, error);
    if (loaded)
        policy->info.label = policy->name;
    loaded = loaded && set_parameters(policy, list, error);
    free(list);
    return finish_load(policy, loaded, out, error);
}

bool policy_load_text(const char *chunk, const char *text, size_t size, struct policy **out, struct tm_error *error)
{
    return policy_load_text_with(chunk, text, size, "", out, error);
}

static bool load_file(const char *spec, const char *path, char *parameters, struct policy **out, struct tm_error *error)
{
    char *text;
    size_t size;
    if (!read_whole(path, &text, &size, error))
        return false;
    struct policy *policy = calloc(1, sizeof *policy);
    bool loaded = policy ? load(policy, path, spec, text, size, error) && set_parameters(policy, parameters, error)
                         : error_fail(error, TM_INTERNAL, "out of memory");
    free(text);
    return finish_load(policy, loaded, out, error);
}

static bool is_path(const char *base)
{
    size_t length = strlen(base);
    return strchr(base, '/') || (length > 4 && strcmp(base + length - 4, ".lua") == 0);
}

bool policy_load(const char *spec, const char *directory, struct policy **out, struct tm_error *error)
{
    char base[1024], path[2048];
    *out = NULL;
    if (strlen(spec) >= sizeof base || strlen(directory) >= sizeof base)
        return error_fail(error, TM_INPUT, "policy '%.40s…' is too long", spec);
    strcpy(base, spec);
    char *parameters = strchr(base, ':');
    if (parameters)
        *parameters++ = '\0';
    if (is_path(base))
        return load_file(spec, base, parameters, out, error);
    if (!policy_name_exists(base, directory, error))
        return false;
    snprintf(path, sizeof path, "%s/%s.lua", directory, base);
    return load_file(spec, path, parameters, out, error);
}

bool policy_own_tc(struct policy *policy, const struct tc *tc, struct tm_error *error)
{
    char control[TC_TEXT_SIZE];
    const size_t size = strlen(policy->info.label) + sizeof ":tc=" + TC_TEXT_SIZE;
    char *label = malloc(size);
    policy->tc = *tc;
    policy->info.tc = &policy->tc;
    if (!label || !set_hash(policy)) {
        free(label);
        return error_fail(error, TM_INTERNAL, "out of memory");
    }
    snprintf(label, size, "%s:tc=%s", policy->info.label, tc_print(control, tc));
    free(policy->label);
    policy->info.label = policy->label = label;
    return true;
}

void policy_free(struct policy *policy)
{
    if (!policy)
        return;
    free(policy->text);
    free(policy->code);
    free(policy->name);
    free(policy->title);
    free(policy->source);
    free(policy->label);
    free(policy->path);
    free(policy);
}

const struct policy_info *policy_info(const struct policy *policy)
{
    return &policy->info;
}

const char *policy_text(const struct policy *policy) { return policy->text; }

const char *policy_vector_target(const struct policy *policy, const char *key)
{
    for (int i = 0; i < policy->vector_count; i++)
        if (strcmp(policy->vector[i].key, key) == 0)
            return policy->vector[i].target;
    return NULL;
}
