#include "vclock/data_dir.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static const char *copy(char *buffer, size_t size, const char *path)
{
    size_t length = strlen(path) + 1;
    return length <= size ? memcpy(buffer, path, length) : NULL;
}

const char *data_dir(char *buffer, size_t size)
{
    const char *chosen = getenv("ZEITNOT_DATA");
    if (chosen && *chosen)
        return copy(buffer, size, chosen);
    if (is_directory(ZEITNOT_DATA_INSTALLED))
        return copy(buffer, size, ZEITNOT_DATA_INSTALLED);
    return is_directory(ZEITNOT_DATA_SOURCE) ? copy(buffer, size, ZEITNOT_DATA_SOURCE) : NULL;
}
