/* Lists a directory of policies. */
#include "vclock/policy_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vclock/suggest.h"

/* The length of NAME in NAME.lua, or 0. */
static size_t name_length(const char *file)
{
    size_t length = strlen(file);
    return length > 4 && file[0] != '.' && strcmp(file + length - 4, ".lua") == 0 ? length - 4 : 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool append(char ***names, size_t *count, const char *file, size_t length)
{
    char **grown = realloc(*names, (*count + 1) * sizeof **names);
    if (!grown)
        return false;
    *names = grown;
    grown[*count] = strndup(file, length);
    return grown[*count] && ++*count;
}

bool policy_names(const char *directory, char ***out, size_t *count, struct tm_error *error)
{
    *out = NULL;
    *count = 0;
    DIR *dir = opendir(directory);
    if (!dir)
        return error_fail(error, TM_INPUT, "policies in %s: %s", directory, strerror(errno));
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(dir));) {
        size_t length = name_length(entry->d_name);
        good = !length || append(out, count, entry->d_name, length);
    }
    closedir(dir);
    if (*count)
        qsort(*out, *count, sizeof **out, by_text);
    if (good)
        return true;
    policy_names_free(*out, *count);
    return error_fail(error, TM_INTERNAL, "out of memory");
}

void policy_names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static bool unknown(const char *name, const char *const *names, size_t count, struct tm_error *error)
{
    char list[512] = "", hint[64];
    const char *near = suggest_text(hint, sizeof hint, name, names, count);
    for (size_t i = 0; i < count && !*near; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "; there are ", names[i]);
    }
    return error_fail(error, TM_INPUT, "unknown policy '%s'%s", name, *near ? near : list);
}

bool policy_name_exists(const char *name, const char *directory, struct tm_error *error)
{
    char **names;
    size_t count;
    if (!policy_names(directory, &names, &count, error))
        return false;
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = strcmp(names[i], name) == 0;
    if (!found)
        unknown(name, (const char *const *)names, count, error);
    policy_names_free(names, count);
    return found;
}
