/* The formula is set into the text of a policy file, so that it has no life of its own. */
#include "tmsim/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { EXPRESSION_MAX = 2000, TEXT_MAX = 3 * EXPRESSION_MAX };

struct translation {
    char text[TEXT_MAX];
    bool has_soft, has_hard;
};

static void append(struct translation *t, const char *piece, size_t length)
{
    const size_t used = strlen(t->text);
    if (used + length < sizeof t->text) {
        memcpy(t->text + used, piece, length);
        t->text[used + length] = '\0';
    }
}

static void append_text(struct translation *t, const char *piece) { append(t, piece, strlen(piece)); }

/* T, I, M and O become fields of `c`, which is how reports can name them; everything else is Lua as it stands. */
static void append_formula(struct translation *t, const char *at, const char *end)
{
    static const struct { const char *name, *field; } fields[] = {
        { "T", "c.time" }, { "I", "c.inc" }, { "M", "M" }, { "O", "c.lag" }, { "ply", "c.ply" },
    };
    while (at < end) {
        size_t length = 0;
        while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.'))
            length++;
        if (length == 0) {
            append(t, at++, 1);
            continue;
        }
        const char *piece = at;
        size_t piece_length = length;
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (strlen(fields[i].name) == length && strncmp(at, fields[i].name, length) == 0) {
                piece = fields[i].field;
                piece_length = strlen(piece);
            }
        append(t, piece, piece_length);
        at += length;
    }
}

static bool is_reserved(const char *name, size_t length)
{
    static const char *const names[] = { "T", "I", "M", "O", "ply", "c", "p", "g" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
            return true;
    return false;
}

/* `name = formula`, from `start` to before `end`. */
static bool translate(struct translation *t, const char *text, const char *start, const char *end,
                      struct tm_error *error)
{
    const char *name = start;
    while (name < end && *name == ' ')
        name++;
    if (name == end)
        return true;
    size_t length = 0;
    while (name + length < end && (isalnum((unsigned char)name[length]) || name[length] == '_'))
        length++;
    const char *equals = name + length;
    while (equals < end && *equals == ' ')
        equals++;
    if (length == 0 || isdigit((unsigned char)*name) || equals == end || *equals != '=' || equals[1] == '=')
        return error_fail(error, TM_INPUT, "--expr '%s', character %d: expected name=formula, as in soft=T/40; "
                                           "hard=T/4",
                          text, (int)(name - text) + 1);
    if (is_reserved(name, length))
        return error_fail(error, TM_INPUT, "--expr '%s', character %d: %.*s is given, not assigned", text,
                          (int)(name - text) + 1, (int)length, name);
    const bool soft = length == 4 && strncmp(name, "soft", 4) == 0, hard = length == 4 && strncmp(name, "hard", 4) == 0;
    t->has_soft |= soft;
    t->has_hard |= hard;
    append_text(t, soft || hard ? "    " : "    local ");
    append(t, name, length);
    append_text(t, " = ");
    append_formula(t, equals + 1, end);
    append_text(t, "\n");
    return true;
}

bool expression_load(const char *text, struct policy **out, struct tm_error *error)
{
    struct translation t = { .text = "return policy { name = \"expr\", title = \"a one-line formula\", "
                                     "source = \"--expr\", unit = \"s\", params = {},\n"
                                     "  budget = function(c, p, g)\n"
                                     "    local M, soft, hard = c.movestogo or 0, nil, nil\n" };
    *out = NULL;
    if (strlen(text) > EXPRESSION_MAX)
        return error_fail(error, TM_INPUT, "--expr: a formula has at most %d characters; write a policy file",
                          EXPRESSION_MAX);
    if (strpbrk(text, "\n\r"))
        return error_fail(error, TM_INPUT, "--expr: a formula is one line; write a policy file");
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, ";");
        if (!translate(&t, text, at, end, error))
            return false;
        at = end + (*end == ';');
    }
    if (!t.has_soft && !t.has_hard)
        return error_fail(error, TM_INPUT, "--expr '%s': neither soft nor hard is assigned", text);
    append_text(&t, t.has_soft && t.has_hard ? "    return soft, hard\n" : t.has_soft ? "    return soft, soft\n"
                                                                                       : "    return hard, hard\n");
    append_text(&t, "  end,\n}\n");
    return policy_load_text("--expr", t.text, strlen(t.text), out, error);
}
