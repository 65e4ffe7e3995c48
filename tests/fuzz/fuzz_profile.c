/* Rate profiles: what is accepted gives at least one node a second at any number of men. */
#include <stdint.h>
#include <stdlib.h>

#include "profiles/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct profile *profile;
    struct tm_error error;
    if (!profile_load_text("p", (const char *)data, size, &profile, &error))
        return 0;
    for (int pieces = 0; pieces <= 40; pieces++)
        if (profile_rate(profile, pieces, 1e-3) < 1)
            abort();
    profile_free(profile);
    return 0;
}
