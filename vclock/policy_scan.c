/* Walks over the tokens of a Lua text; comments and strings are skipped, so that they may say anything.

   `^` is refused because Lua computes it with libm's pow, which differs between machines. `...` is refused
   because one instruction can then copy any number of values, which would make the instruction limit
   meaningless. `_ENV` is refused because it would let globals be written. */
#include "vclock/policy_scan.h"

#include <ctype.h>
#include <string.h>

struct scan {
    const char *at, *end;
    int line;
};

static char peek(const struct scan *s, size_t ahead)
{
    return (size_t)(s->end - s->at) > ahead ? s->at[ahead] : '\0';
}

static void step(struct scan *s)
{
    if (s->at < s->end && *s->at++ == '\n')
        s->line++;
}

static void step_by(struct scan *s, size_t count)
{
    while (count--)
        step(s);
}

/* The level of a long bracket `[==[` that starts here, or -1. */
static int bracket_level(const struct scan *s, char bracket)
{
    if (peek(s, 0) != bracket)
        return -1;
    size_t level = 0;
    while (peek(s, level + 1) == '=')
        level++;
    return peek(s, level + 1) == bracket ? (int)level : -1;
}

static void skip_long(struct scan *s, int level)
{
    step_by(s, (size_t)level + 2);
    while (s->at < s->end && bracket_level(s, ']') != level)
        step(s);
    step_by(s, (size_t)level + 2);
}

static void skip_comment(struct scan *s)
{
    step_by(s, 2);
    int level = bracket_level(s, '[');
    if (level >= 0) {
        skip_long(s, level);
        return;
    }
    while (s->at < s->end && *s->at != '\n')
        step(s);
}

static void skip_string(struct scan *s)
{
    char quote = *s->at;
    step(s);
    while (s->at < s->end && *s->at != quote) {
        if (*s->at == '\\')
            step(s);
        step(s);
    }
    step(s);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Skips a name or a number; "1..2" is a malformed number to Lua, so dots belong to numbers here. */
static size_t skip_word(struct scan *s)
{
    const char *start = s->at;
    bool number = isdigit((unsigned char)*start);
    while (s->at < s->end && (is_word(*s->at) || (number && *s->at == '.')))
        step(s);
    return (size_t)(s->at - start);
}

static bool refuse(const char *chunk, int line, const char *what, struct tm_error *error)
{
    return error_fail(error, TM_INPUT, "%s:%d: %s", chunk, line, what);
}

static bool scan_token(struct scan *s, const char *chunk, struct tm_error *error)
{
    if (*s->at == '^')
        return refuse(chunk, s->line, "`^` is not correctly rounded on every machine; use pow(x, y)", error);
    if (*s->at == '.' && peek(s, 1) == '.' && peek(s, 2) == '.')
        return refuse(chunk, s->line, "`...` is not available in a policy; name the arguments", error);
    if (is_word(*s->at)) {
        const char *word = s->at;
        if (skip_word(s) == 4 && memcmp(word, "_ENV", 4) == 0)
            return refuse(chunk, s->line, "`_ENV` is not available in a policy", error);
        return true;
    }
    step(s);
    return true;
}

bool policy_scan(const char *chunk, const char *text, size_t size, struct tm_error *error)
{
    struct scan s = {text, text + size, 1};
    while (s.at < s.end) {
        int level;
        if (*s.at == '-' && peek(&s, 1) == '-')
            skip_comment(&s);
        else if (*s.at == '"' || *s.at == '\'')
            skip_string(&s);
        else if ((level = bracket_level(&s, '[')) >= 0)
            skip_long(&s, level);
        else if (!scan_token(&s, chunk, error))
            return false;
    }
    return true;
}
