/* UCI options, each a row: its listing and its setting come from the same data; the switches of the search
   have theirs in engine/search.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/uci_session.h"

enum option_kind { OPTION_SPIN, OPTION_CHECK, OPTION_STRING, OPTION_BUTTON };

struct option {
    const char *name;
    enum option_kind kind;
    int64_t initial, low, high;  /* of a spin */
    const char *text;            /* initial string */
    void (*set)(struct session *session, const char *text, int64_t value);
};

static void set_hash(struct session *session, const char *text, int64_t value)
{
    (void)text;
    struct tm_error error;
    struct engine *engine = engine_new((size_t)value << 20, &error);
    if (!engine) {
        uci_complain(session, "%s; the old table stays", error.message);
        return;
    }
    *engine_features(engine) = *engine_features(session->engine);
    engine_free(session->engine);
    session->engine = engine;
}

static void clear_hash(struct session *session, const char *text, int64_t value)
{
    (void)text;
    (void)value;
    engine_forget(session->engine);
}

static void set_virtual_nps(struct session *session, const char *text, int64_t value)
{
    (void)text;
    session->virtual_nps = value;
}

static void set_policy(struct session *session, const char *text, int64_t value)
{
    (void)value;
    struct tm_error error;
    if (!uci_policy_load(session, text, &error))
        uci_complain(session, "%s; the old policy stays", error.message);
}

static void set_lines(struct session *session, const char *text, int64_t value)
{
    (void)text;
    session->lines = (int)value;
}

static void set_move_overhead(struct session *session, const char *text, int64_t value)
{
    (void)text;
    session->move_overhead = value * TM_NS_PER_MS;
}

static void set_show_budget(struct session *session, const char *text, int64_t value)
{
    (void)text;
    session->show_budget = value != 0;
}

/* Pondering needs no setting here: `go ponder` says it. Analysis and play are the same search. */
static void set_nothing(struct session *session, const char *text, int64_t value)
{
    (void)session;
    (void)text;
    (void)value;
}

static const struct option options[] = {
    { .name = "Hash", .kind = OPTION_SPIN, .initial = 16, .low = 0, .high = 262144, .set = set_hash },
    { .name = "Clear Hash", .kind = OPTION_BUTTON, .set = clear_hash },
    { .name = "Ponder", .kind = OPTION_CHECK, .initial = 0, .set = set_nothing },
    { .name = "MultiPV", .kind = OPTION_SPIN, .initial = 1, .low = 1, .high = SEARCH_MAX_LINES, .set = set_lines },
    { .name = "UCI_AnalyseMode", .kind = OPTION_CHECK, .initial = 0, .set = set_nothing },
    { .name = "Move Overhead", .kind = OPTION_SPIN, .initial = 0, .low = 0, .high = 10000, .set = set_move_overhead },
    { .name = "Policy", .kind = OPTION_STRING, .text = "smooth", .set = set_policy },
    { .name = "VirtualNps", .kind = OPTION_SPIN, .initial = 0, .low = 0, .high = 1000000000, .set = set_virtual_nps },
    { .name = "ShowBudget", .kind = OPTION_CHECK, .initial = 0, .set = set_show_budget },
};

void uci_options_print(struct session *session)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *option = &options[i];
        switch (option->kind) {
        case OPTION_SPIN:
            uci_say(session, "option name %s type spin default %lld min %lld max %lld", option->name,
                    (long long)option->initial, (long long)option->low, (long long)option->high);
            break;
        case OPTION_CHECK:
            uci_say(session, "option name %s type check default %s", option->name,
                    option->initial ? "true" : "false");
            break;
        case OPTION_STRING:
            uci_say(session, "option name %s type string default %s", option->name, option->text);
            break;
        case OPTION_BUTTON: uci_say(session, "option name %s type button", option->name); break;
        }
    }
    for (int i = 0; i < SEARCH_FEATURES; i++)
        uci_say(session, "option name %s type check default true", search_feature_list[i].name);
}

static void set_spin(struct session *session, const struct option *option, const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < option->low || value > option->high) {
        uci_complain(session, "option %s: found '%s', expected a number from %lld to %lld", option->name, text,
                     (long long)option->low, (long long)option->high);
        return;
    }
    option->set(session, text, value);
}

/* False: complained. */
static bool read_check(struct session *session, const char *name, const char *text, bool *on)
{
    *on = !strcasecmp(text, "true");
    if (*on || !strcasecmp(text, "false"))
        return true;
    uci_complain(session, "option %s: found '%s', expected true or false", name, text);
    return false;
}

static void set_check(struct session *session, const struct option *option, const char *text)
{
    bool on;
    if (read_check(session, option->name, text, &on))
        option->set(session, text, on);
}

static void apply(struct session *session, const struct option *option, const char *value)
{
    switch (option->kind) {
    case OPTION_SPIN: set_spin(session, option, value); break;
    case OPTION_CHECK: set_check(session, option, value); break;
    case OPTION_STRING:
    case OPTION_BUTTON: option->set(session, value, 0); break;
    }
}

/* Names and values are joined again by single blanks. */
static void append_word(char *text, const char *word)
{
    if (*text)
        strcat(text, " ");
    strcat(text, word);
}

static void find_and_apply(struct session *session, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcasecmp(options[i].name, name)) {
            apply(session, &options[i], value);
            return;
        }
    for (int i = 0; i < SEARCH_FEATURES; i++)
        if (!strcasecmp(search_feature_list[i].name, name)) {
            bool on;
            if (read_check(session, search_feature_list[i].name, value, &on))
                *search_feature_of(engine_features(session->engine), i) = on;
            return;
        }
    uci_complain(session, "no option is called '%s'", name);
}

void uci_option_set(struct session *session, char *text)
{
    size_t room = strlen(text) + 2;
    char *name = calloc(2, room), *save = NULL;
    if (!name) {
        uci_complain(session, "out of memory for an option");
        return;
    }
    char *value = name + room;
    char *word = strtok_r(text, " \t\r\n", &save);
    if (!word || strcmp(word, "name") != 0) {
        uci_complain(session, "setoption: found '%s', expected 'name'", word ? word : "nothing");
        free(name);
        return;
    }
    bool in_value = false;
    while ((word = strtok_r(NULL, " \t\r\n", &save))) {
        if (!in_value && !strcmp(word, "value"))
            in_value = true;
        else
            append_word(in_value ? value : name, word);
    }
    find_and_apply(session, name, value);
    free(name);
}
