/* A profile's own account of how it was measured. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "profiles/profile.h"

struct text {
    char *buffer;
    size_t size, used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->buffer + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used = text->used + (size_t)length < text->size ? text->used + (size_t)length : text->size - 1;
}

static bool number(const json_t *object, const char *key, double *out)
{
    const json_t *value = json_object_get(object, key);
    *out = json_number_value(value);
    return json_is_number(value);
}

static void add_fit(struct text *text, const json_t *fit)
{
    double residual, game, move, fresh, loaded;
    if (number(fit, "residual_rms_frac", &residual))
        add(text, "Residual of the fit: %.1f %%", 100 * residual);
    if (number(fit, "residual_game_part", &game) && number(fit, "residual_move_part", &move))
        add(text, ", of it %.1f %% from game to game and %.1f %% from move to move (vmatch --rate-noise residual)", 100 * game,
            100 * move);
    if (text->used)
        add(text, ".\n");
    if (number(fit, "fresh_to_in_game", &fresh))
        add(text, "The first search of a game, with fresh tables, has %.3f times the rate of a later one.\n", fresh);
    if (number(fit, "loaded_to_alone", &loaded) && loaded != 1)
        add(text, "With several searches at once the rate is %.3f times that of one.\n", loaded);
}

static void add_provenance(struct text *text, const json_t *provenance)
{
    double median, worst;
    const char *cpu = json_string_value(json_object_get(provenance, "cpu"));
    const char *date = json_string_value(json_object_get(provenance, "date"));
    const char *load = json_string_value(json_object_get(provenance, "load"));
    const char *source = json_string_value(json_object_get(provenance, "source"));
    if (number(provenance, "overshoot_median_ms", &median) && number(provenance, "overshoot_worst_ms", &worst))
        add(text, "Past a wall of 50 ms it answered %.1f ms late (median), %.1f ms at worst.\n", median, worst);
    if (cpu && date)
        add(text, "Measured on %s, %s, at a load of %.*s.\n", cpu, date, load ? (int)strcspn(load, " ") : 0, load ? load : "");
    else if (source)
        add(text, "Source: %s.\n", source);
}

char *profile_describe(const struct profile *profile, char *buffer, size_t size)
{
    json_t *json = json_loads(profile_canonical(profile), 0, NULL);
    struct text text = { .buffer = buffer, .size = size };
    buffer[0] = '\0';
    add_fit(&text, json_object_get(json, "fit"));
    add_provenance(&text, json_object_get(json, "provenance"));
    json_decref(json);
    return buffer;
}
