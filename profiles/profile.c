/* Reads and evaluates profile files. A profile is data with provenance; everything that the model does not need is
   kept as it is, and counts for the identity. */
#include "profiles/profile.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct profile {
    json_t *json; /* owns the strings below */
    const char *name, *engine;
    char *canonical;
    char hash[33];
    double intercept, slope;
    double phase_slope, phase_at_0, phase_per_piece; /* of the kind with a phase; 0 */
    int lowest_pieces, highest_pieces;
};

enum { MAX_FILE = 1 << 24 };
#define MAX_RATE 1e12 /* nodes/s; far above any hardware, far below overflow */

static int clamp_pieces(const struct profile *profile, int pieces)
{
    if (pieces < profile->lowest_pieces)
        return profile->lowest_pieces;
    return pieces > profile->highest_pieces ? profile->highest_pieces : pieces;
}

static double typical_phase(const struct profile *profile, int pieces)
{
    return fmax(0, fmin(24, profile->phase_at_0 + profile->phase_per_piece * clamp_pieces(profile, pieces)));
}

static double model_rate(const struct profile *profile, int pieces, double phase)
{
    return profile->intercept + profile->slope * clamp_pieces(profile, pieces) + profile->phase_slope * phase;
}

static int64_t whole_rate(double rate) { return rate < 1 ? 1 : (int64_t)llround(fmin(rate, MAX_RATE)); }

int64_t profile_rate(const struct profile *profile, int pieces, double scale)
{
    return whole_rate(model_rate(profile, pieces, typical_phase(profile, pieces)) * scale);
}

int64_t profile_rate_at(const struct profile *profile, int pieces, int phase, double scale)
{
    return whole_rate(model_rate(profile, pieces, phase) * scale);
}

void profile_range(const struct profile *profile, double scale, int64_t *lowest, int64_t *highest)
{
    *lowest = INT64_MAX;
    *highest = 0;
    for (int pieces = profile->lowest_pieces; pieces <= profile->highest_pieces; pieces++) {
        const int64_t rate = profile_rate(profile, pieces, scale);
        *lowest = rate < *lowest ? rate : *lowest;
        *highest = rate > *highest ? rate : *highest;
    }
}

const char *profile_name(const struct profile *profile) { return profile->name; }
const char *profile_engine(const struct profile *profile) { return profile->engine; }
const char *profile_hash(const struct profile *profile) { return profile->hash; }
const char *profile_canonical(const struct profile *profile) { return profile->canonical; }

void profile_free(struct profile *profile)
{
    if (!profile)
        return;
    json_decref(profile->json);
    free(profile->canonical);
    free(profile);
}

/* ---- reading ---- */

static bool get_string(const json_t *object, const char *key, const char *place, const char **out,
                       struct tm_error *error)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || !*json_string_value(value))
        return error_fail(error, TM_INPUT, "%s: profile field '%s': expected a text", place, key);
    *out = json_string_value(value);
    return true;
}

static bool get_number(const json_t *object, const char *key, const char *place, double *out, struct tm_error *error)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        return error_fail(error, TM_INPUT, "%s: profile field 'model.%s': expected a number", place, key);
    *out = json_number_value(value);
    if (!isfinite(*out) || fabs(*out) > MAX_RATE)
        return error_fail(error, TM_INPUT, "%s: profile field 'model.%s': %g is out of range", place, key, *out);
    return true;
}

static bool get_pieces(const json_t *model, const char *place, struct profile *profile, struct tm_error *error)
{
    const json_t *range = json_object_get(model, "clamp_pieces");
    const json_t *low = json_array_get(range, 0), *high = json_array_get(range, 1);
    if (json_array_size(range) != 2 || !json_is_integer(low) || !json_is_integer(high))
        return error_fail(error, TM_INPUT, "%s: profile field 'model.clamp_pieces': expected [lowest, highest]", place);
    const json_int_t a = json_integer_value(low), b = json_integer_value(high);
    if (a < 2 || b > 32 || a > b)
        return error_fail(error, TM_INPUT,
                          "%s: profile field 'model.clamp_pieces': expected 2 <= lowest <= highest <= 32, found [%lld, %lld]",
                          place, (long long)a, (long long)b);
    profile->lowest_pieces = (int)a;
    profile->highest_pieces = (int)b;
    return true;
}

static bool get_model(struct profile *profile, const char *place, struct tm_error *error)
{
    const json_t *model = json_object_get(profile->json, "model");
    const char *kind;
    if (!json_is_object(model))
        return error_fail(error, TM_INPUT, "%s: profile field 'model': expected an object", place);
    if (!get_string(model, "kind", place, &kind, error))
        return false;
    const bool phased = strcmp(kind, "linear_pieces_phase") == 0;
    if (!phased && strcmp(kind, "linear_pieces") != 0)
        return error_fail(error, TM_INPUT, "%s: profile field 'model.kind': unknown '%s'; expected linear_pieces or "
                                           "linear_pieces_phase", place, kind);
    if (phased && (!get_number(model, "slope_per_phase", place, &profile->phase_slope, error) ||
                   !get_number(model, "phase_at_0_pieces", place, &profile->phase_at_0, error) ||
                   !get_number(model, "phase_per_piece", place, &profile->phase_per_piece, error)))
        return false;
    if (!get_number(model, "intercept", place, &profile->intercept, error) ||
        !get_number(model, "slope_per_piece", place, &profile->slope, error) ||
        !get_pieces(model, place, profile, error))
        return false;
    for (int pieces = profile->lowest_pieces; pieces <= profile->highest_pieces; pieces++) {
        const double rate = model_rate(profile, pieces, typical_phase(profile, pieces));
        if (rate < 1)
            return error_fail(error, TM_INPUT, "%s: the profile's rate at %d pieces is %g nodes/s; expected 1 or more",
                              place, pieces, rate);
    }
    return true;
}

static bool get_identity(struct profile *profile, struct tm_error *error)
{
    profile->canonical = json_dumps(profile->json, JSON_SORT_KEYS | JSON_COMPACT);
    if (!profile->canonical)
        return error_fail(error, TM_INTERNAL, "out of memory while reading a profile");
    const XXH128_hash_t hash = XXH3_128bits(profile->canonical, strlen(profile->canonical));
    snprintf(profile->hash, sizeof profile->hash, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

bool profile_residual(const struct profile *profile, double *game, double *move)
{
    const json_t *fit = json_object_get(profile->json, "fit");
    const json_t *of_game = json_object_get(fit, "residual_game_part"), *of_move = json_object_get(fit, "residual_move_part");
    if (!json_is_number(of_game) || !json_is_number(of_move))
        return false;
    *game = json_number_value(of_game);
    *move = json_number_value(of_move);
    return *game >= 0 && *game <= 1 && *move >= 0 && *move <= 1;
}

static bool fill(struct profile *profile, const char *place, struct tm_error *error)
{
    const char *format;
    if (!json_is_object(profile->json))
        return error_fail(error, TM_INPUT, "%s: expected a JSON object", place);
    if (!get_string(profile->json, "format", place, &format, error))
        return false;
    if (strcmp(format, "zeitnot.profile/1") != 0)
        return error_fail(error, TM_INPUT, "%s: profile format '%s'; expected zeitnot.profile/1", place, format);
    return get_string(profile->json, "name", place, &profile->name, error) &&
           get_string(profile->json, "engine", place, &profile->engine, error) && get_model(profile, place, error) &&
           get_identity(profile, error);
}

bool profile_load_text(const char *place, const char *text, size_t size, struct profile **out,
                       struct tm_error *error)
{
    json_error_t where;
    struct profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return error_fail(error, TM_INTERNAL, "out of memory while reading a profile");
    profile->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!profile->json) {
        error_set(error, TM_INPUT, "%s:%d:%d: not a JSON profile: %s", place, where.line, where.column, where.text);
        profile_free(profile);
        return false;
    }
    if (!fill(profile, place, error)) {
        profile_free(profile);
        return false;
    }
    *out = profile;
    return true;
}

static bool read_file(const char *path, char **text, size_t *size, struct tm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_fail(error, TM_INPUT, "profile %s: %s", path, strerror(errno));
    char *buffer = malloc(MAX_FILE);
    if (!buffer) {
        fclose(file);
        return error_fail(error, TM_INTERNAL, "out of memory while reading %s", path);
    }
    *size = fread(buffer, 1, MAX_FILE, file);
    const bool failed = ferror(file) || *size == MAX_FILE;
    fclose(file);
    if (failed) {
        free(buffer);
        return error_fail(error, TM_INPUT, "profile %s: cannot be read, or is larger than 16 MB", path);
    }
    *text = buffer;
    return true;
}

bool profile_load(const char *spec, const char *directory, struct profile **out, struct tm_error *error)
{
    char path[4096];
    const size_t length = strlen(spec);
    const bool is_path = strchr(spec, '/') || (length > 5 && strcmp(spec + length - 5, ".json") == 0);
    if (is_path)
        snprintf(path, sizeof path, "%s", spec);
    else
        snprintf(path, sizeof path, "%s/%s.json", directory, spec);
    char *text;
    size_t size;
    if (!read_file(path, &text, &size, error))
        return false;
    const bool ok = profile_load_text(path, text, size, out, error);
    free(text);
    return ok;
}
