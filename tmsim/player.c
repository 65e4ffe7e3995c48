/* A control is cut out of the text of a spec; what is left is an ordinary one. */
#include "tmsim/player.h"

#include <stdio.h>
#include <string.h>

enum { SPEC_SIZE = 1024 }; /* as policy_load takes them */

static const char mark[] = ":tc=";

/* Whether a further parameter begins here. A control has colons too, but no letters. */
static bool is_parameter(const char *at)
{
    const size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return *at == ':' && length > 0 && at[1 + length] == '=';
}

static bool take_tc(char *spec, char *start, struct tc *tc, struct tm_error *error)
{
    char *end = start + strlen(mark), control[SPEC_SIZE];
    while (*end && !is_parameter(end))
        end++;
    snprintf(control, sizeof control, "%.*s", (int)(end - start - (int)strlen(mark)), start + strlen(mark));
    if (strstr(end, mark))
        return error_fail(error, TM_INPUT, "policy '%s': tc is given twice", spec);
    if (!tc_parse(control, tc, error)) {
        error_prefix(error, "policy '%s'", spec);
        return false;
    }
    memmove(start, end, strlen(end) + 1);
    return true;
}

bool player_load(const char *spec, const char *directory, struct policy **out, struct tm_error *error)
{
    char rest[SPEC_SIZE];
    struct tc tc;
    char *start = NULL;
    *out = NULL;
    if (strlen(spec) < sizeof rest)
        start = strstr(strcpy(rest, spec), mark);
    if (!start)
        return policy_load(spec, directory, out, error);
    if (!take_tc(rest, start, &tc, error) || !policy_load(rest, directory, out, error))
        return false;
    if (policy_own_tc(*out, &tc, error))
        return true;
    policy_free(*out);
    *out = NULL;
    return false;
}

const struct tc *player_tc(const struct policy *player, const struct tc *tc)
{
    const struct tc *own = policy_info(player)->tc;
    return own ? own : tc;
}
