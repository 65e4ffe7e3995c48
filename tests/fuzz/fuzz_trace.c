/* Event streams from a store: damaged bytes end the reading, they never invent an event of no kind. */
#include <stdint.h>
#include <stdlib.h>

#include "vclock/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_reader reader = { .data = data, .size = size };
    struct tm_event event;
    while (trace_next(&reader, &event))
        if (event.kind > TM_END || event.bound > 3)
            abort();
    return 0;
}
