/* Reads calls out of a policy's text. A policy is Lua that has compiled, so brackets are balanced. */
#include "tmsim/knee_term.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CALL_LINES = 8, TEXT_SIZE = 2048, LINE_SIZE = 512 };

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The line and those after it, since a call may go on there; comments are left out. */
static size_t read_lines(const struct policy *policy, int line, char *text, size_t size)
{
    size_t first = 0;
    text[0] = '\0';
    for (int i = 0; i < CALL_LINES; i++) {
        char piece[LINE_SIZE];
        policy_line(policy, line + i, piece, sizeof piece);
        char *comment = strstr(piece, "--");
        if (comment)
            *comment = '\0';
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s ", piece);
        if (i == 0)
            first = strlen(text);
    }
    return first;
}

/* Past the bracket that closes the one at `at`; strings do not occur within arithmetic. */
static const char *after_bracket(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* The opening bracket of a call of `name` at `at`, or NULL. */
static const char *call_here(const char *text, const char *at, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(at, name, length) != 0 || (at > text && (is_word(at[-1]) || at[-1] == '.')))
        return NULL;
    const char *open = at + length + strspn(at + length, " ");
    return *open == '(' ? open : NULL;
}

/* Calls are evaluated when their bracket closes, so the ordinal counts closing brackets. */
static const char *find_call(const char *text, size_t first_line, const char *name, int ordinal)
{
    const char *found = NULL, *last_end = text;
    for (int i = 0; i <= ordinal; i++) {
        const char *best = NULL, *best_end = NULL;
        for (const char *at = text; (size_t)(at - text) < first_line && *at; at++) {
            const char *open = call_here(text, at, name);
            const char *end = open ? after_bracket(open) : NULL;
            if (open && end > last_end && (!best || end < best_end)) {
                best = open;
                best_end = end;
            }
        }
        if (!best)
            return found; /* evaluated more than once: a loop */
        found = best;
        last_end = best_end;
    }
    return found;
}

static void append(char *buffer, size_t size, size_t *used, char c)
{
    if (*used + 1 < size)
        buffer[(*used)++] = c;
    buffer[*used] = '\0';
}

/* Copies without doubled blanks and without the tables' names, which a reader takes for granted. */
static void copy_tidy(const char *from, const char *to, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *at = from; at < to; at++) {
        const bool starts = at == from || !(is_word(at[-1]) || at[-1] == '.');
        if (starts && (*at == 'c' || *at == 'p') && at[1] == '.') {
            at++;
            continue;
        }
        if (*at == ' ' && (used == 0 || buffer[used - 1] == ' '))
            continue;
        append(buffer, size, &used, *at);
    }
    while (used > 0 && buffer[used - 1] == ' ')
        buffer[--used] = '\0';
}

char *term_argument(const struct policy *policy, const struct policy_branch *branch, int ordinal, int argument,
                    char *buffer, size_t size)
{
    char text[TEXT_SIZE];
    const size_t first = read_lines(policy, branch->line, text, sizeof text);
    const char *open = find_call(text, first, policy_branch_name(branch->kind), ordinal);
    buffer[0] = '\0';
    if (!open)
        return buffer;
    const char *end = after_bracket(open) - 1, *start = open + 1;
    int depth = 0, number = 1;
    for (const char *at = start; at <= end; at++) {
        const bool ends = depth == 0 && (*at == ',' || at == end);
        depth += (*at == '(') - (*at == ')');
        if (!ends)
            continue;
        if (number++ == argument)
            copy_tidy(start, at, buffer, size);
        start = at + 1;
    }
    return buffer;
}

char *term_assigned(const struct policy *policy, int line, char *buffer, size_t size)
{
    char text[LINE_SIZE];
    policy_line(policy, line, text, sizeof text);
    const char *at = text + strspn(text, " \t");
    buffer[0] = '\0';
    if (strncmp(at, "local ", 6) == 0)
        at += 6 + strspn(at + 6, " ");
    const char *end = at;
    while (is_word(*end) || *end == '.')
        end++;
    const char *equals = end + strspn(end, " ");
    if (end > at && equals[0] == '=' && equals[1] != '=')
        snprintf(buffer, size, "%.*s", (int)(end - at), at);
    return buffer;
}
