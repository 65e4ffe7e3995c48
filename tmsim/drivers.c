#include "tmsim/drivers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct drivers_entry {
    const struct arm *arm;
    int player;
    struct driver *driver;
};

bool drivers_get(struct drivers *drivers, const struct arm *arm, int player, struct driver **out, struct tm_error *error)
{
    for (int i = 0; i < drivers->count; i++)
        if (drivers->entry[i].arm == arm && drivers->entry[i].player == player) {
            *out = drivers->entry[i].driver;
            return true;
        }
    struct drivers_entry *grown = realloc(drivers->entry, (size_t)(drivers->count + 1) * sizeof *grown);
    if (!grown)
        return error_fail(error, TM_INTERNAL, "out of memory for an engine");
    drivers->entry = grown;
    if (!driver_new(arm, out, error))
        return false;
    drivers->entry[drivers->count++] = (struct drivers_entry){ arm, player, *out };
    return true;
}

void drivers_clear(struct drivers *drivers)
{
    for (int i = 0; i < drivers->count; i++)
        driver_free(drivers->entry[i].driver);
    free(drivers->entry);
    *drivers = (struct drivers){ 0 };
}

bool drivers_open_log(const struct match_job *job, int colour, struct driver *driver, FILE **log, struct tm_error *error)
{
    char path[4096];
    *log = NULL;
    if (!job->log)
        return true;
    snprintf(path, sizeof path, "%s/%d-%lld-%d-%d-%s.log", job->log, job->run, (long long)job->pairing_id, job->pair,
             job->leg, colour == WHITE ? "white" : "black");
    *log = fopen(path, "w");
    if (!*log)
        return error_fail(error, TM_INPUT, "--log %s: %s", path, strerror(errno));
    driver_log(driver, *log);
    return true;
}

void drivers_close_log(struct driver *driver, FILE *log)
{
    if (driver)
        driver_log(driver, NULL);
    if (log)
        fclose(log);
}
