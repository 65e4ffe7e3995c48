/* Parsing of command lines by a table. Nothing is guessed: an unknown option, a missing unit, a number with a tail
   or out of range is refused with what was found and what was expected. */
#include "tmsim/options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vclock/suggest.h"

struct option_value {
    const struct option_spec *spec;
    const char *text;
    bool given; /* false: the fallback */
    union {
        int64_t integer;
        uint64_t whole;
        double real;
        tm_ns duration;
        struct tc tc;
    };
};

struct options {
    const struct option_set *set;
    struct option_value *value; /* in the order of the command line, then the fallbacks */
    int value_count;
    const char **operand;
    int operand_count;
    bool help;
};

static const char *const kind_argument[] = {
    [OPTION_FLAG] = "", [OPTION_TEXT] = "TEXT", [OPTION_INTEGER] = "N", [OPTION_UNSIGNED] = "N", [OPTION_REAL] = "X",
    [OPTION_DURATION] = "TIME", [OPTION_TC] = "TC", [OPTION_CHOICE] = "WORD",
};

const char *option_argument(const struct option_spec *spec)
{
    return spec->argument ? spec->argument : kind_argument[spec->kind];
}

bool option_parse_integer(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                          struct tm_error *error)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool digits = text[0] >= '0' && text[0] <= '9';
    if ((!digits && !(text[0] == '-' && text[1] >= '0' && text[1] <= '9')) || *end)
        return error_fail(error, TM_INPUT, "%s %s: expected a whole number", what, text);
    if (errno == ERANGE || value < min || value > max)
        return error_fail(error, TM_INPUT, "%s %s: expected a whole number from %lld to %lld", what, text,
                          (long long)min, (long long)max);
    *out = value;
    return true;
}

static bool parse_unsigned(const char *what, const char *text, uint64_t *out, struct tm_error *error)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno == ERANGE)
        return error_fail(error, TM_INPUT, "%s %s: expected a whole number from 0 to 18446744073709551615", what, text);
    *out = value;
    return true;
}

bool option_parse_real(const char *what, const char *text, double low, double high, double *out, struct tm_error *error)
{
    /* strtod also takes blanks, "nan", "inf" and hexadecimal: only decimals are meant. */
    if (strspn(text, "+-0123456789.eE") != strlen(text) || !strpbrk(text, "0123456789"))
        return error_fail(error, TM_INPUT, "%s %s: expected a number", what, text);
    char *end;
    double value = strtod(text, &end);
    if (*end || !isfinite(value))
        return error_fail(error, TM_INPUT, "%s %s: expected a number", what, text);
    if (value < low || value > high)
        return error_fail(error, TM_INPUT, "%s %s: expected a number from %g to %g", what, text, low, high);
    *out = value;
    return true;
}

static bool parse_choice(const char *what, const struct option_spec *spec, const char *text, int64_t *out,
                         struct tm_error *error)
{
    size_t length = strlen(text);
    *out = 0;
    for (const char *word = spec->argument; word; *out += 1) {
        const char *bar = strchr(word, '|');
        if (length == (bar ? (size_t)(bar - word) : strlen(word)) && strncmp(word, text, length) == 0)
            return true;
        word = bar ? bar + 1 : NULL;
    }
    return error_fail(error, TM_INPUT, "%s %s: expected one of %s", what, text, spec->argument);
}

static bool parse_value(const struct option_spec *spec, const char *text, struct option_value *value,
                        struct tm_error *error)
{
    char what[80];
    snprintf(what, sizeof what, "--%s", spec->name);
    bool any_integer = spec->min == 0 && spec->max == 0;
    bool any_real = !(spec->low < 0 || spec->low > 0) && !(spec->high > 0);
    *value = (struct option_value){ .spec = spec, .text = text };
    switch (spec->kind) {
    case OPTION_FLAG: return true;
    case OPTION_TEXT: return *text || error_fail(error, TM_INPUT, "%s: expected %s, found nothing", what,
                                                 option_argument(spec));
    case OPTION_INTEGER:
        return option_parse_integer(what, text, any_integer ? INT64_MIN : spec->min,
                                    any_integer ? INT64_MAX : spec->max, &value->integer, error);
    case OPTION_UNSIGNED: return parse_unsigned(what, text, &value->whole, error);
    case OPTION_REAL:
        return option_parse_real(what, text, any_real ? -HUGE_VAL : spec->low, any_real ? HUGE_VAL : spec->high,
                                 &value->real, error);
    case OPTION_DURATION: return duration_parse(what, text, &value->duration, error);
    case OPTION_CHOICE: return parse_choice(what, spec, text, &value->integer, error);
    case OPTION_TC: break;
    }
    if (tc_parse(text, &value->tc, error))
        return true;
    error_prefix(error, "%s", what);
    return false;
}

static const struct option_spec *find_spec(const struct option_set *set, const char *name, size_t length)
{
    for (int i = 0; i < set->count; i++)
        if (strlen(set->spec[i].name) == length && strncmp(set->spec[i].name, name, length) == 0)
            return &set->spec[i];
    return NULL;
}

static bool unknown_option(const struct option_set *set, const char *argument, struct tm_error *error)
{
    const char *names[64];
    char word[64];
    int count = 0;
    for (; count < set->count && count < 63; count++)
        names[count] = set->spec[count].name;
    names[count++] = "help";
    int length = (int)strcspn(argument, "=");
    snprintf(word, sizeof word, "%.*s", length, argument + strspn(argument, "-"));
    word[strcspn(word, "=")] = '\0';
    const char *nearest = suggest_nearest(word, names, (size_t)count);
    if (nearest)
        return error_fail(error, TM_INPUT, "unknown option '%.*s'; did you mean --%s?", length, argument, nearest);
    return error_fail(error, TM_INPUT, "unknown option '%.*s'; %s --help lists them", length, argument, set->command);
}

static int given_count(const struct options *options, const struct option_spec *spec)
{
    int count = 0;
    for (int i = 0; i < options->value_count; i++)
        count += options->value[i].spec == spec && options->value[i].given;
    return count;
}

/* One `--name…` at argv[*index]; moves *index onto the value if that is the next argument. */
static bool parse_option(struct options *options, int argc, char **argv, int *index, struct tm_error *error)
{
    const char *argument = argv[*index], *name = argument + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option_spec *spec = find_spec(options->set, name, length);
    if (!spec)
        return unknown_option(options->set, argument, error);
    if (!spec->repeated && given_count(options, spec))
        return error_fail(error, TM_INPUT, "--%s: given twice", spec->name);
    const char *text = equals ? equals + 1 : "";
    if (spec->kind == OPTION_FLAG && equals)
        return error_fail(error, TM_INPUT, "--%s: takes no value, found '%s'", spec->name, text);
    if (spec->kind != OPTION_FLAG && !equals) {
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0)
            return error_fail(error, TM_INPUT, "--%s: expected %s, found %s", spec->name, option_argument(spec),
                              *index + 1 < argc ? argv[*index + 1] : "the end of the line");
        text = argv[++*index];
    }
    struct option_value *value = &options->value[options->value_count];
    if (!parse_value(spec, text, value, error))
        return false;
    value->given = true;
    options->value_count++;
    return true;
}

static bool is_help(const char *argument) { return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0; }

static bool parse_arguments(struct options *options, int argc, char **argv, struct tm_error *error)
{
    bool only_operands = false;
    for (int i = 1; i < argc && !options->help; i++) {
        if (only_operands || argv[i][0] != '-' || argv[i][1] == '\0')
            options->operand[options->operand_count++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (is_help(argv[i]))
            options->help = true;
        else if (argv[i][1] != '-')
            return unknown_option(options->set, argv[i], error);
        else if (!parse_option(options, argc, argv, &i, error))
            return false;
    }
    return true;
}

static bool check_operands(const struct options *options, struct tm_error *error)
{
    const struct option_set *set = options->set;
    if (options->operand_count > set->max_operands)
        return error_fail(error, TM_INPUT, set->max_operands ? "'%s' is one operand too many; expected %s"
                          : "unexpected '%s'; expected options only%s", options->operand[set->max_operands],
                          set->max_operands ? set->operands : "");
    if (options->operand_count < set->min_operands)
        return error_fail(error, TM_INPUT, "expected %s, found %s", set->operands,
                          options->operand_count ? options->operand[options->operand_count - 1] : "none");
    return true;
}

/* Options that were not given: their fallbacks, or a fault if they are required. */
static bool complete(struct options *options, struct tm_error *error)
{
    for (int i = 0; i < options->set->count; i++) {
        const struct option_spec *spec = &options->set->spec[i];
        if (given_count(options, spec))
            continue;
        if (spec->required)
            return error_fail(error, TM_INPUT, "--%s %s is missing", spec->name, option_argument(spec));
        if (spec->fallback && !parse_value(spec, spec->fallback, &options->value[options->value_count++], error))
            return false;
    }
    return check_operands(options, error);
}

struct options *options_parse(const struct option_set *set, int argc, char **argv, struct tm_error *error)
{
    struct options *options = calloc(1, sizeof *options);
    size_t room = (size_t)(argc > 0 ? argc : 0) + (size_t)set->count + 1;
    if (options) {
        options->set = set;
        options->value = calloc(room, sizeof *options->value);
        options->operand = calloc(room, sizeof *options->operand);
    }
    if (!options || !options->value || !options->operand)
        error_set(error, TM_INTERNAL, "out of memory for the options");
    else if (parse_arguments(options, argc, argv, error) && (options->help || complete(options, error)))
        return options;
    options_free(options);
    return NULL;
}

void options_free(struct options *options)
{
    if (!options)
        return;
    free(options->value);
    free(options->operand);
    free(options);
}

bool options_help_wanted(const struct options *options) { return options->help; }

int options_operand_count(const struct options *options) { return options->operand_count; }

const char *options_operand(const struct options *options, int index) { return options->operand[index]; }

static const struct option_value *value_at(const struct options *options, const char *name, int index)
{
    assert(find_spec(options->set, name, strlen(name)));
    for (int i = 0; i < options->value_count; i++)
        if (strcmp(options->value[i].spec->name, name) == 0 && index-- == 0)
            return &options->value[i];
    return NULL;
}

int options_given(const struct options *options, const char *name)
{
    return given_count(options, find_spec(options->set, name, strlen(name)));
}

int options_count(const struct options *options, const char *name)
{
    int count = 0;
    while (value_at(options, name, count))
        count++;
    return count;
}

bool options_flag(const struct options *options, const char *name) { return value_at(options, name, 0); }

const char *options_text(const struct options *options, const char *name) { return options_text_at(options, name, 0); }

const char *options_text_at(const struct options *options, const char *name, int index)
{
    const struct option_value *value = value_at(options, name, index);
    return value ? value->text : NULL;
}

int64_t options_integer(const struct options *options, const char *name)
{
    const struct option_value *value = value_at(options, name, 0);
    return value ? value->integer : 0;
}

uint64_t options_unsigned(const struct options *options, const char *name)
{
    const struct option_value *value = value_at(options, name, 0);
    return value ? value->whole : 0;
}

double options_real(const struct options *options, const char *name)
{
    const struct option_value *value = value_at(options, name, 0);
    return value ? value->real : 0;
}

tm_ns options_duration(const struct options *options, const char *name)
{
    const struct option_value *value = value_at(options, name, 0);
    return value ? value->duration : 0;
}

const struct tc *options_tc_at(const struct options *options, const char *name, int index)
{
    const struct option_value *value = value_at(options, name, index);
    return value ? &value->tc : NULL;
}

int options_choice(const struct options *options, const char *name) { return (int)options_integer(options, name); }
