/* The options that an engine has, and the checks before one is set. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/client_internal.h"
#include "vclock/suggest.h"

static const char *const type_names[] = {
    [CLIENT_CHECK] = "check", [CLIENT_SPIN] = "spin", [CLIENT_COMBO] = "combo", [CLIENT_BUTTON] = "button",
    [CLIENT_STRING] = "string",
};

enum { TYPES = sizeof type_names / sizeof *type_names };

/* Cuts the next word off *text; NULL at its end. */
static char *cut_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    if (!*word)
        return NULL;
    *text = word + strcspn(word, " \t");
    if (**text)
        *(*text)++ = '\0';
    return word;
}

static void append(char *text, const char *word)
{
    if (*text)
        strcat(text, " ");
    strcat(text, word);
}

static bool set_type(struct client_option *option, const char *word)
{
    for (int i = 0; i < TYPES; i++)
        if (!strcmp(type_names[i], word)) {
            option->type = (enum client_option_type)i;
            return true;
        }
    return false;
}

enum part { PART_NONE, PART_NAME, PART_TYPE, PART_DEFAULT, PART_MIN, PART_MAX, PART_VAR };

static enum part part_of(const char *word)
{
    static const char *const names[] = { "", "name", "type", "default", "min", "max", "var" };
    for (int i = PART_NAME; i <= PART_VAR; i++)
        if (!strcmp(names[i], word))
            return (enum part)i;
    return PART_NONE;
}

/* Names and values may hold blanks; a new keyword ends them. */
static bool read_option(struct client_option *option, char *text)
{
    enum part part = PART_NONE;
    bool typed = false;
    for (char *word; (word = cut_word(&text));) {
        const enum part next = part_of(word);
        if (next != PART_NONE && !(part == PART_NAME && next != PART_TYPE)) {
            part = next;
            continue;
        }
        switch (part) {
        case PART_NAME: append(option->name, word); break;
        case PART_TYPE: typed = set_type(option, word); break;
        case PART_DEFAULT: append(option->initial, word); break;
        case PART_MIN: option->low = strtoll(word, NULL, 10); break;
        case PART_MAX: option->high = strtoll(word, NULL, 10); break;
        case PART_NONE:
        case PART_VAR: break;
        }
    }
    return typed && *option->name;
}

bool client_take_option(struct client *client, const char *text)
{
    const size_t room = strlen(text) + 1;
    struct client_option option = { .name = calloc(1, room), .initial = calloc(1, room),
                                    .low = INT64_MIN, .high = INT64_MAX };
    char *copy = strdup(text);
    struct client_option *grown =
        realloc(client->option, (size_t)(client->option_count + 1) * sizeof *client->option);
    if (grown)
        client->option = grown;
    const bool ok = option.name && option.initial && copy && grown;
    if (ok && read_option(&option, copy)) {
        client->option[client->option_count++] = option;
    } else {
        free(option.name);
        free(option.initial);
    }
    free(copy);
    return ok;
}

void client_forget_options(struct client *client)
{
    for (int i = 0; i < client->option_count; i++) {
        free(client->option[i].name);
        free(client->option[i].initial);
    }
    free(client->option);
    client->option = NULL;
    client->option_count = 0;
}

int client_option_count(const struct client *client) { return client->option_count; }
const struct client_option *client_option_at(const struct client *client, int index) { return &client->option[index]; }

const struct client_option *client_option(const struct client *client, const char *name)
{
    for (int i = 0; i < client->option_count; i++)
        if (!strcasecmp(client->option[i].name, name))
            return &client->option[i];
    return NULL;
}

static bool unknown_option(const struct client *client, const char *name, struct tm_error *error)
{
    const char *names[256];
    size_t count = 0;
    for (; count < (size_t)client->option_count && count < sizeof names / sizeof *names; count++)
        names[count] = client->option[count].name;
    const char *nearest = suggest_nearest(name, names, count);
    return error_fail(error, TM_INPUT, "engine %s has no option '%s'%s%s%s", client_command(client), name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static bool check_value(const struct client *client, const struct client_option *option, const char *value,
                        struct tm_error *error)
{
    char *end;
    if (option->type == CLIENT_CHECK && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return error_fail(error, TM_INPUT, "engine %s, option %s: found '%s', expected true or false",
                          client_command(client), option->name, value);
    if (option->type != CLIENT_SPIN)
        return true;
    const long long number = strtoll(value, &end, 10);
    if (end == value || *end || number < option->low || number > option->high)
        return error_fail(error, TM_INPUT,
                          "engine %s, option %s: found '%s', expected a whole number from %" PRId64 " to %" PRId64,
                          client_command(client), option->name, value, option->low, option->high);
    return true;
}

bool client_set(struct client *client, const char *name, const char *value, struct tm_error *error)
{
    const struct client_option *option = client_option(client, name);
    if (!option)
        return unknown_option(client, name, error);
    if (!check_value(client, option, value, error))
        return false;
    const size_t size = strlen(option->name) + strlen(value) + sizeof "setoption name  value ";
    char *line = malloc(size);
    if (!line)
        return error_fail(error, TM_INTERNAL, "out of memory for an option");
    if (option->type == CLIENT_BUTTON)
        snprintf(line, size, "setoption name %s", option->name);
    else
        snprintf(line, size, "setoption name %s value %s", option->name, value);
    const bool ok = client_put(client, line, error) && client_flush(client, error);
    free(line);
    return ok;
}
