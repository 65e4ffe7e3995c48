/* The lag of an engine on this machine: what a real clock is charged for and nobody thought in. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profiles/measure.h"

tm_ns rate_sample_lag(const struct rate_sample *sample) { return sample->wall > sample->cpu ? sample->wall - sample->cpu : 0; }

static int by_size(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

tm_ns *measurement_lags(const struct measurement *measurement)
{
    tm_ns *lag = calloc((size_t)measurement->count + 1, sizeof *lag);
    for (int i = 0; lag && i < measurement->count; i++)
        lag[i] = rate_sample_lag(&measurement->sample[i]);
    if (lag)
        qsort(lag, (size_t)measurement->count, sizeof *lag, by_size);
    return lag;
}

static void write_heading(const struct measurement *m, const char *command, FILE *file)
{
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    fprintf(file, "# send-to-receive lag of %s (%s), wall less processor time, %d searches of %lld nodes, %s\n", m->engine, command,
            m->count, (long long)(m->count ? m->sample[0].asked : 0), date);
}

bool measurement_write_lags(const struct measurement *m, const tm_ns *lag, const char *command, const char *path,
                            struct tm_error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
    write_heading(m, command, file);
    for (int i = 0; i < m->count; i++)
        fprintf(file, "%.6fms\n", (double)lag[i] / 1e6);
    const bool written = !ferror(file);
    return (fclose(file) == 0 && written) || error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
}
