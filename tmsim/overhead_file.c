/* Samples of measured overhead: one duration with its unit a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tmsim/overhead_internal.h"

static int by_size(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

static bool add_sample(struct overhead *model, tm_ns sample, const char *place, struct tm_error *error)
{
    if (model->sample_count == OVERHEAD_SAMPLES)
        return error_fail(error, TM_INPUT, "%s: more than %d samples", place, OVERHEAD_SAMPLES);
    /* grown at each power of two from 64 on */
    if (model->sample_count == 0 || (model->sample_count >= 64
                                     && (model->sample_count & (model->sample_count - 1)) == 0)) {
        const size_t room = model->sample_count ? 2 * (size_t)model->sample_count : 64;
        tm_ns *grown = realloc(model->sample, room * sizeof *grown);
        if (!grown)
            return error_fail(error, TM_INTERNAL, "out of memory for samples");
        model->sample = grown;
    }
    model->sample[model->sample_count++] = sample;
    return true;
}

static bool read_lines(struct overhead *model, FILE *file, const char *path, struct tm_error *error)
{
    char line[256], place[512];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        tm_ns sample;
        line[strcspn(line, "#\r\n")] = '\0';
        char *start = line + strspn(line, " \t"), *end = start + strlen(start);
        while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
            *--end = '\0';
        snprintf(place, sizeof place, "%.400s:%d:", path, number);
        if (*start && (!duration_parse(place, start, &sample, error) || !add_sample(model, sample, place, error)))
            return false;
    }
    return !ferror(file) || error_fail(error, TM_INPUT, "%s: cannot be read", path);
}

bool overhead_read_samples(struct overhead *model, const char *path, char hash[33], struct tm_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return error_fail(error, TM_INPUT, "empirical(%s): %s", path, strerror(errno));
    const bool ok = read_lines(model, file, path, error);
    fclose(file);
    if (!ok)
        return false;
    if (model->sample_count == 0)
        return error_fail(error, TM_INPUT, "empirical(%s): no sample in it; expected one duration a line, such as "
                                           "8.2ms", path);
    qsort(model->sample, (size_t)model->sample_count, sizeof *model->sample, by_size);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(model->sample,
                                                      (size_t)model->sample_count * sizeof *model->sample));
    for (int i = 0; i < 16; i++)
        sprintf(hash + 2 * i, "%02x", canonical.digest[i]);
    return true;
}
