/* A token of the text is replaced by one of its own kind, copied elsewhere, or taken away; a line is doubled, moved
   or lost. */
#include "mutate_policy.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const numbers[] = {
    "0", "1", "-1", "0.5", "1e308", "-1e308", "5e-324", "1e9", "2^53", "9223372036854775807", "0x7fffffff", "4294967296",
    "0/0", "1/0", "-1/0", "huge", "-huge", "255", "256", "nil", "true", "\"\"", "{}", "1e6",
};

static const char *const words[] = {
    "min", "max", "clamp", "lerp", "abs", "floor", "ceil", "trunc", "idiv", "sqrt", "exp", "log", "log10", "pow", "sigmoid",
    "f32", "i32", "u32", "i64", "u64", "eq", "when", "huge", "sec", "ms", "ipairs", "type", "error", "assert", "policy",
    "c", "p", "g", "s", "b", "c.time", "c.inc", "c.movestogo", "c.ply", "c.rand", "s.scores", "s.elapsed", "s.share",
    "b.soft", "b.hard", "budget", "limit", "finish", "params", "unit", "floor", "stop", "vectors", "name", "hooks",
    "function()", "local", "return", "while true do", "repeat", "end", "until false", "for i = 1, 1e9 do", "goto again",
    "if c then", "else", "not", "and", "or", "_ENV", "g[1]", "g.x", "[[x]]", "{{}}", "(function(...) return ... end)(c)",
};

static const char *const operators[] = {
    "+", "-", "*", "/", "//", "%", "..", "==", "~=", "<", "<=", ">", ">=", "&", "|", "~", "<<", ">>", "#", "=", ",", "(", ")",
    "{", "}", "[", "]", ":", ";", ".", "^",
};

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13; /* xorshift32 (Marsaglia 2003) */
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

struct span {
    size_t at, length;
};

struct text {
    uint8_t *data;
    size_t size, most;
    uint32_t random;
};

static bool is_word(uint8_t c) { return isalnum(c) || c == '_' || c == '.'; }

/* The token around or after a place: a word or number, or one sign. */
static struct span token_at(const struct text *text, size_t at)
{
    while (at < text->size && isspace(text->data[at]))
        at++;
    size_t from = at, to = at;
    if (at < text->size && is_word(text->data[at])) {
        while (from > 0 && is_word(text->data[from - 1]))
            from--;
        while (to < text->size && is_word(text->data[to]))
            to++;
    } else if (at < text->size) {
        to++;
    }
    return (struct span){ from, to - from };
}

static struct span line_at(const struct text *text, size_t at)
{
    size_t from = at, to = at;
    while (from > 0 && text->data[from - 1] != '\n')
        from--;
    while (to < text->size && text->data[to] != '\n')
        to++;
    return (struct span){ from, to < text->size ? to + 1 - from : to - from };
}

static size_t place(struct text *text) { return text->size ? next_random(&text->random) % text->size : 0; }

static void replace(struct text *text, struct span span, const void *by, size_t length)
{
    if (text->size - span.length + length > text->most)
        return;
    memmove(text->data + span.at + length, text->data + span.at + span.length, text->size - span.at - span.length);
    memcpy(text->data + span.at, by, length);
    text->size = text->size - span.length + length;
}

static void replace_token(struct text *text)
{
    const struct span span = token_at(text, place(text));
    const uint8_t first = span.length ? text->data[span.at] : ' ';
    const uint32_t pick = next_random(&text->random);
    const char *by = isdigit(first)     ? numbers[pick % COUNT(numbers)]
                     : is_word(first)   ? words[pick % COUNT(words)]
                                        : operators[pick % COUNT(operators)];
    replace(text, span, by, strlen(by));
}

/* Copies a token or a line over another one, or, with `insert`, in front of it. */
static void copy(struct text *text, struct span (*piece)(const struct text *, size_t), bool insert)
{
    uint8_t kept[512];
    struct span from = piece(text, place(text)), to = piece(text, place(text));
    if (from.length > sizeof kept)
        return;
    memcpy(kept, text->data + from.at, from.length);
    if (insert)
        to.length = 0;
    replace(text, to, kept, from.length);
}

static void mutate_once(struct text *text)
{
    switch (next_random(&text->random) % 8) {
    case 0: copy(text, token_at, false); break;
    case 1: copy(text, token_at, true); break;
    case 2: copy(text, line_at, true); break;
    case 3: copy(text, line_at, false); break;
    case 4: replace(text, line_at(text, place(text)), "", 0); break;
    default: replace_token(text);
    }
}

size_t mutate_policy(uint8_t *data, size_t size, size_t most, uint32_t seed)
{
    struct text text = { data, size, most, seed ? seed : 1 };
    const uint32_t times = 1 + next_random(&text.random) % 4;
    for (uint32_t i = 0; i < times; i++)
        mutate_once(&text);
    return text.size;
}
