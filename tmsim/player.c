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

/* Takes the control out of `spec`, if there is one; *tc has no period then. */
static bool split(char *spec, struct tc *tc, struct tm_error *error)
{
    char *start = strstr(spec, mark);
    *tc = (struct tc){ .count = 0 };
    return !start || take_tc(spec, start, tc, error);
}

/* What is loaded gets its control. */
static bool seat(struct policy **policy, const struct tc *tc, struct tm_error *error)
{
    if (!tc->count || policy_own_tc(*policy, tc, error))
        return true;
    policy_free(*policy);
    *policy = NULL;
    return false;
}

bool player_load(const char *spec, const char *directory, struct policy **out, struct tm_error *error)
{
    char rest[SPEC_SIZE];
    struct tc tc;
    *out = NULL;
    if (strlen(spec) >= sizeof rest)
        return error_fail(error, TM_INPUT, "policy '%.40s…' is too long", spec);
    return split(strcpy(rest, spec), &tc, error) && policy_load(rest, directory, out, error) && seat(out, &tc, error);
}

bool player_load_stored(const char *name, const char *label, const char *text, struct policy **out, struct tm_error *error)
{
    const size_t length = strlen(name);
    char rest[SPEC_SIZE];
    struct tc tc;
    *out = NULL;
    if (strncmp(label, name, length) != 0 || strlen(label) >= sizeof rest)
        return error_fail(error, TM_INPUT, "the stored label '%.80s' is not one of policy %.80s", label, name);
    if (!split(strcpy(rest, label), &tc, error))
        return false;
    const char *parameters = rest + length + (rest[length] == ':');
    return policy_load_text_with(name, text, strlen(text), parameters, out, error) && seat(out, &tc, error);
}

const struct tc *player_tc(const struct policy *player, const struct tc *tc)
{
    const struct tc *own = policy_info(player)->tc;
    return own ? own : tc;
}
