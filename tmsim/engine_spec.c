#include "tmsim/engine_spec.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "vclock/suggest.h"

enum { ARGUMENTS_MAX = 64, SETTINGS_MAX = 128, PATH_SIZE = 4096 };

/* The public part first: a pointer to it is a pointer to the whole. */
struct whole_spec {
    struct engine_spec spec;
    char *text[2];                 /* the fields, cut in place */
    const char *argv[ARGUMENTS_MAX + 2];
    int argc;
    struct client_setting setting[SETTINGS_MAX];
};

static const char *const clock_names[ENGINE_CLOCKS] = {
    [ENGINE_NODES] = "nodes", [ENGINE_COLD] = "cold", [ENGINE_WARM] = "warm",
    [ENGINE_REAL] = "real",
};

const char *engine_clock_name(enum engine_clock clock) { return clock_names[clock]; }

/* ---- fields ---- */

/* Cuts the next comma-separated field off *at; double quotes keep commas and are taken away. NULL at the end. */
static char *cut_field(char **at)
{
    char *field = *at, *write = *at, *read = *at;
    bool quoted = false;
    if (!*read)
        return NULL;
    for (; *read && (quoted || *read != ','); read++)
        if (*read == '"')
            quoted = !quoted;
        else
            *write++ = *read;
    *at = *read ? read + 1 : read;
    *write = '\0';
    return field;
}

static bool set_command(struct whole_spec *whole, char *value, struct tm_error *error)
{
    if (!*value)
        return error_fail(error, TM_INPUT, "cmd: expected a program, found nothing");
    whole->argv[0] = value;
    return true;
}

static bool set_arguments(struct whole_spec *whole, char *value, struct tm_error *error)
{
    char *save = NULL;
    whole->argc = 0;
    for (char *word = strtok_r(value, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
        if (whole->argc == ARGUMENTS_MAX)
            return error_fail(error, TM_INPUT, "args: more than %d arguments", ARGUMENTS_MAX);
        whole->argv[1 + whole->argc++] = word;
    }
    whole->argv[1 + whole->argc] = NULL;
    return true;
}

static bool set_name(struct whole_spec *whole, char *value, struct tm_error *error)
{
    (void)error;
    whole->spec.name = value;
    return true;
}

static bool set_directory(struct whole_spec *whole, char *value, struct tm_error *error)
{
    (void)error;
    whole->spec.client.directory = *value ? value : NULL;
    return true;
}

static bool set_policy(struct whole_spec *whole, char *value, struct tm_error *error)
{
    (void)error;
    whole->spec.policy = *value ? value : NULL;
    return true;
}

static bool set_profile(struct whole_spec *whole, char *value, struct tm_error *error)
{
    (void)error;
    whole->spec.profile = *value ? value : NULL;
    return true;
}

static bool set_clock(struct whole_spec *whole, char *value, struct tm_error *error)
{
    for (int i = 0; i < ENGINE_REAL; i++)
        if (strcmp(value, clock_names[i]) == 0) {
            whole->spec.clock = (enum engine_clock)i;
            return true;
        }
    return error_fail(error, TM_INPUT, "clock=%s: expected nodes, cold or warm", value);
}

static bool set_tc(struct whole_spec *whole, char *value, struct tm_error *error)
{
    return tc_parse(value, &whole->spec.tc, error);
}

static bool set_limit(tm_ns *limit, const char *name, const char *value, struct tm_error *error)
{
    if (!duration_parse(name, value, limit, error))
        return false;
    return *limit > 0 || error_fail(error, TM_INPUT, "%s=%s: expected a time above 0", name, value);
}

static bool set_start(struct whole_spec *whole, char *value, struct tm_error *error)
{
    return set_limit(&whole->spec.client.limits.start, "start", value, error);
}

static bool set_ready(struct whole_spec *whole, char *value, struct tm_error *error)
{
    return set_limit(&whole->spec.client.limits.ready, "ready", value, error);
}

static bool set_new_game(struct whole_spec *whole, char *value, struct tm_error *error)
{
    return set_limit(&whole->spec.client.limits.new_game, "newgame", value, error);
}

static bool set_search(struct whole_spec *whole, char *value, struct tm_error *error)
{
    return set_limit(&whole->spec.client.limits.search, "search", value, error);
}

static const struct field {
    const char *name;
    bool (*set)(struct whole_spec *whole, char *value, struct tm_error *error);
} fields[] = {
    { "cmd", set_command },     { "args", set_arguments }, { "name", set_name },   { "dir", set_directory },
    { "policy", set_policy },   { "profile", set_profile }, { "clock", set_clock }, { "start", set_start },
    { "ready", set_ready },     { "newgame", set_new_game }, { "search", set_search }, { "tc", set_tc },
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* option.NAME; a later value of the same option replaces the earlier one. */
static bool set_option(struct whole_spec *whole, const char *name, const char *value, struct tm_error *error)
{
    int *count = &whole->spec.client.setting_count;
    for (int i = 0; i < *count; i++)
        if (strcmp(whole->setting[i].name, name) == 0) {
            whole->setting[i].value = value;
            return true;
        }
    if (*count == SETTINGS_MAX)
        return error_fail(error, TM_INPUT, "option.%s: more than %d options", name, SETTINGS_MAX);
    whole->setting[(*count)++] = (struct client_setting){ name, value };
    return true;
}

static bool unknown_field(const char *name, struct tm_error *error)
{
    const char *names[FIELDS];
    char near[64];
    for (int i = 0; i < FIELDS; i++)
        names[i] = fields[i].name;
    return error_fail(error, TM_INPUT, "unknown field '%s'%s; expected cmd, args, dir, name, clock, policy, profile, tc, "
                                       "option.NAME, or a limit: start, ready, newgame, search",
                      name, suggest_text(near, sizeof near, name, names, FIELDS));
}

static bool take_field(struct whole_spec *whole, char *field, struct tm_error *error)
{
    char *value = strchr(field, '=');
    if (!value)
        return error_fail(error, TM_INPUT, "found '%s', expected FIELD=VALUE", field);
    *value++ = '\0';
    if (strncmp(field, "option.", 7) == 0 && field[7])
        return set_option(whole, field + 7, value, error);
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(field, fields[i].name) == 0)
            return fields[i].set(whole, value, error);
    return unknown_field(field, error);
}

static bool take_fields(struct whole_spec *whole, int which, const char *text, struct tm_error *error)
{
    whole->text[which] = strdup(text ? text : "");
    if (!whole->text[which])
        return error_fail(error, TM_INTERNAL, "out of memory for an engine");
    char *at = whole->text[which];
    for (char *field; (field = cut_field(&at));)
        if (!take_field(whole, field, error))
            return false;
    return true;
}

static bool check_clock(const struct engine_spec *spec, bool clock_given, struct tm_error *error)
{
    const bool driven = spec->clock == ENGINE_COLD || spec->clock == ENGINE_WARM;
    if (clock_given && spec->policy && !driven)
        return error_fail(error, TM_INPUT, "policy=%s and clock=%s: an engine on its own clock has no policy; expected "
                                           "clock=cold", spec->policy, engine_clock_name(spec->clock));
    if (driven && !spec->policy)
        return error_fail(error, TM_INPUT, "clock=%s: expected a policy=NAME that drives the engine",
                          engine_clock_name(spec->clock));
    return true;
}

static struct engine_spec *refuse(struct whole_spec *whole, const char *what, struct tm_error *error)
{
    error_prefix(error, "%s", what);
    engine_spec_free(&whole->spec);
    return NULL;
}

struct engine_spec *engine_spec_new(const char *what, const char *each, const char *text, struct tm_error *error)
{
    struct whole_spec *whole = calloc(1, sizeof *whole);
    if (!whole) {
        error_set(error, TM_INTERNAL, "out of memory for an engine");
        return NULL;
    }
    whole->spec.clock = ENGINE_CLOCKS;
    whole->spec.client.argv = whole->argv;
    whole->spec.client.setting = whole->setting;
    if (!take_fields(whole, 0, each, error) || !take_fields(whole, 1, text, error))
        return refuse(whole, what, error);
    if (!whole->argv[0]) {
        error_set(error, TM_INPUT, "expected cmd=PROGRAM");
        return refuse(whole, what, error);
    }
    const bool clock_given = whole->spec.clock != ENGINE_CLOCKS;
    if (!clock_given)
        whole->spec.clock = whole->spec.policy ? ENGINE_COLD : ENGINE_NODES;
    if (!check_clock(&whole->spec, clock_given, error))
        return refuse(whole, what, error);
    return &whole->spec;
}

struct engine_spec *engine_spec_operand(const char *operand, struct tm_error *error)
{
    if (strncmp(operand, "cmd=", 4) == 0)
        return engine_spec_new("engine", NULL, operand, error);
    const size_t length = strcspn(operand, " \t"), size = strlen(operand) + sizeof "cmd=\"\",args=\"\"";
    char *text = malloc(size);
    if (!text) {
        error_set(error, TM_INTERNAL, "out of memory for an engine");
        return NULL;
    }
    snprintf(text, size, "cmd=\"%.*s\",args=\"%s\"", (int)length, operand, operand + length);
    struct engine_spec *spec = engine_spec_new("engine", NULL, text, error);
    free(text);
    return spec;
}

void engine_spec_free(struct engine_spec *spec)
{
    if (!spec)
        return;
    struct whole_spec *whole = (struct whole_spec *)spec;
    free(whole->text[0]);
    free(whole->text[1]);
    free(whole);
}

/* ---- identity ---- */

/* Where execvp would find it, seen from the engine's directory. */
static bool find_program(const struct client_spec *client, char path[PATH_SIZE])
{
    const char *command = client->argv[0], *list = getenv("PATH");
    if (strchr(command, '/')) {
        const bool inside = client->directory && command[0] != '/';
        snprintf(path, PATH_SIZE, "%s%s%s", inside ? client->directory : "", inside ? "/" : "", command);
        return access(path, R_OK) == 0;
    }
    for (const char *at = list ? list : "/usr/bin:/bin"; *at;) {
        const size_t length = strcspn(at, ":");
        snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, at, command);
        if (access(path, R_OK | X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool hash_program(const struct client_spec *client, char hex[33], struct tm_error *error)
{
    char path[PATH_SIZE], block[1 << 16];
    FILE *file = find_program(client, path) ? fopen(path, "rb") : NULL;
    XXH3_state_t *state = XXH3_createState();
    bool ok = file && state;
    if (ok) {
        XXH3_128bits_reset(state);
        for (size_t size; (size = fread(block, 1, sizeof block, file)) > 0;)
            XXH3_128bits_update(state, block, size);
        const XXH128_hash_t hash = XXH3_128bits_digest(state);
        snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
        ok = !ferror(file);
    }
    XXH3_freeState(state);
    if (file)
        fclose(file);
    return ok || error_fail(error, TM_INPUT, "engine %s: its file cannot be read: %s", client->argv[0], strerror(errno));
}

char *engine_spec_identity(const struct engine_spec *spec, const char *engine_name, const char *profile_hash,
                           struct tm_error *error)
{
    char hash[33];
    if (!hash_program(&spec->client, hash, error))
        return NULL;
    json_t *arguments = json_array(), *options = json_object();
    for (int i = 1; spec->client.argv[i]; i++)
        json_array_append_new(arguments, json_string(spec->client.argv[i]));
    for (int i = 0; i < spec->client.setting_count; i++)
        json_object_set_new(options, spec->client.setting[i].name, json_string(spec->client.setting[i].value));
    json_t *json = json_pack("{s:s, s:s, s:o, s:o, s:s, s:s}", "name", engine_name, "file", hash, "args", arguments,
                             "options", options, "clock", engine_clock_name(spec->clock), "profile", profile_hash);
    char *text = json ? json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(json);
    if (!text)
        error_set(error, TM_INTERNAL, "engine %s: its name or options are no UTF-8", spec->client.argv[0]);
    return text;
}
