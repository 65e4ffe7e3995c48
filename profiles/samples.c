/* Samples as a file: numbers in rows, and where they come from. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profiles/measure.h"

static const char *const columns[] = {
    "game", "spot", "pieces", "phase", "in_game", "concurrency", "asked", "nodes", "wall_ns", "cpu_ns",
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* The value of the first line "key : value" of a file of the kernel. Returns `buffer`, "unknown" without one. */
static char *read_kernel(const char *path, const char *key, char *buffer, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");
    snprintf(buffer, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = key ? strchr(line, ':') : line;
        if (!colon || (key && strncmp(line, key, strlen(key)) != 0))
            continue;
        colon += key ? 1 + strspn(colon + 1, " \t") : 0;
        snprintf(buffer, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
    return buffer;
}

static json_t *provenance(const struct measurement *m, const char *command, const char *identity)
{
    char cpu[256], load[128], date[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    read_kernel("/proc/cpuinfo", "model name", cpu, sizeof cpu);
    read_kernel("/proc/loadavg", NULL, load, sizeof load);
    return json_pack("{s:s, s:s, s:o?, s:s, s:s, s:s, s:f, s:f}", "engine", m->engine, "command", command, "identity",
                     json_loads(identity, 0, NULL), "cpu", cpu, "load", load, "date", date, "overshoot_median_ms",
                     (double)m->overshoot_median / 1e6, "overshoot_worst_ms", (double)m->overshoot_worst / 1e6);
}

static json_t *row_json(const struct rate_sample *s)
{
    return json_pack("[i, i, i, i, i, i, I, I, I, I]", s->game, s->spot, s->pieces, s->phase, s->in_game, s->concurrency,
                     (json_int_t)s->asked, (json_int_t)s->nodes, (json_int_t)s->wall, (json_int_t)s->cpu);
}

bool measurement_write(const struct measurement *m, const char *command, const char *identity, const char *path,
                       struct tm_error *error)
{
    json_t *rows = json_array(), *names = json_array();
    for (int i = 0; i < COLUMNS; i++)
        json_array_append_new(names, json_string(columns[i]));
    for (int i = 0; i < m->count; i++)
        json_array_append_new(rows, row_json(&m->sample[i]));
    json_t *json = json_pack("{s:s, s:o, s:o, s:o}", "format", "zeitnot.samples/1", "provenance",
                             provenance(m, command, identity), "columns", names, "rows", rows);
    FILE *file = json ? fopen(path, "w") : NULL;
    bool ok = file && json_dumpf(json, file, JSON_COMPACT) == 0 && fputc('\n', file) != EOF;
    if (file && fclose(file) != 0)
        ok = false;
    json_decref(json);
    return ok || error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
}

/* ---- reading ---- */

static bool read_row(const json_t *row, struct rate_sample *s)
{
    int64_t value[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        const json_t *cell = json_array_get(row, i);
        if (!json_is_integer(cell) || json_integer_value(cell) < 0)
            return false;
        value[i] = json_integer_value(cell);
    }
    *s = (struct rate_sample){ .game = (int)value[0], .spot = (int)value[1], .pieces = (int)value[2], .phase = (int)value[3],
                               .in_game = value[4] != 0, .concurrency = (int)value[5], .asked = value[6],
                               .nodes = value[7], .wall = value[8], .cpu = value[9] };
    return s->pieces >= 2 && s->pieces <= 32 && s->phase <= 24 && s->nodes > 0 && s->wall > 0 && s->asked > 0;
}

static bool read_rows(const char *path, const json_t *json, struct samples *out, struct tm_error *error)
{
    const json_t *rows = json_object_get(json, "rows");
    const char *format = json_string_value(json_object_get(json, "format"));
    if (!format || strcmp(format, "zeitnot.samples/1") != 0)
        return error_fail(error, TM_INPUT, "%s: format '%s'; expected zeitnot.samples/1", path, format ? format : "");
    const size_t count = json_array_size(rows);
    if (count < 1 || count > 10000000)
        return error_fail(error, TM_INPUT, "%s: field 'rows': expected samples, found none", path);
    out->sample = calloc(count, sizeof *out->sample);
    out->json = json_dumps(json, JSON_COMPACT);
    if (!out->sample || !out->json)
        return error_fail(error, TM_INTERNAL, "out of memory for samples");
    for (; out->count < (int)count; out->count++)
        if (!read_row(json_array_get(rows, (size_t)out->count), &out->sample[out->count]))
            return error_fail(error, TM_INPUT, "%s: row %d of 'rows' is no sample", path, out->count + 1);
    return true;
}

bool samples_load(const char *path, struct samples *out, struct tm_error *error)
{
    json_error_t where;
    *out = (struct samples){ .count = 0 };
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (!json)
        return error_fail(error, TM_INPUT, "%s: %s", path, where.text);
    const bool ok = read_rows(path, json, out, error);
    json_decref(json);
    if (!ok)
        samples_clear(out);
    return ok;
}

void samples_clear(struct samples *samples)
{
    free(samples->sample);
    free(samples->json);
    *samples = (struct samples){ .count = 0 };
}
