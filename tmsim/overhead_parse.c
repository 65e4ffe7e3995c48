/* The grammar of overhead models, by recursive descent; the canonical text is written from the parsed terms. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/options.h"
#include "tmsim/overhead_internal.h"
#include "vclock/suggest.h"

const struct overhead_form overhead_forms[OVERHEAD_KINDS] = {
    [OVERHEAD_CONSTANT] = { .name = NULL },
    [OVERHEAD_UNIFORM] = { "uniform", { { "low", true, 0, 0 }, { "high", true, 0, 0 } }, 2, false },
    [OVERHEAD_NORMAL] = { "normal", { { "mean", true, 0, 0 }, { "sd", true, 0, 0 } }, 2, false },
    [OVERHEAD_LOGNORMAL] = { "lognormal", { { "median", true, 0, 0 }, { "sigma", false, 0, 5 } }, 2, false },
    [OVERHEAD_GAMMA] = { "gamma", { { "shape", false, 1e-3, 1e6 }, { "scale", true, 0, 0 } }, 2, false },
    [OVERHEAD_PARETO] = { "pareto", { { "scale", true, 0, 0 }, { "alpha", false, 1e-2, 1e6 } }, 2, false },
    [OVERHEAD_EMPIRICAL] = { .name = "empirical" },
    [OVERHEAD_SPIKE] = { "spike", { { "p", false, 0, 1 } }, 1, true },
    [OVERHEAD_BURST] = { "burst", { { "p", false, 0, 1 }, { "length", false, 1, OVERHEAD_MAX_LENGTH } }, 2, true },
    [OVERHEAD_SEEN] = { .name = "seen", .nested = true },
};

struct parser {
    const char *what, *text, *at;
    struct overhead *model;
    struct tm_error *error;
    bool in_seen;
};

static bool fault(struct parser *p, const char *expected)
{
    return error_fail(p->error, TM_INPUT, "%s %s: expected %s at '%s'", p->what, p->text, expected,
                      *p->at ? p->at : "the end");
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

static bool take(struct parser *p, char wanted)
{
    skip_blanks(p);
    if (*p->at != wanted)
        return false;
    p->at++;
    return true;
}

/* The text up to one of `stops`, without blanks around it. */
static bool take_word(struct parser *p, const char *stops, char *out, size_t size)
{
    skip_blanks(p);
    size_t length = strcspn(p->at, stops);
    const char *start = p->at;
    p->at += length;
    while (length > 0 && start[length - 1] == ' ')
        length--;
    if (length == 0 || length >= size) {
        p->at = start;
        return false;
    }
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

static int new_term(struct parser *p, enum overhead_kind kind)
{
    struct overhead *model = p->model;
    if (model->count == OVERHEAD_MAX_TERMS) {
        error_set(p->error, TM_INPUT, "%s %s: more than %d terms", p->what, p->text, OVERHEAD_MAX_TERMS);
        return -1;
    }
    model->term[model->count] = (struct overhead_term){ .kind = kind, .inner = -1, .next = -1, .number = model->count };
    return model->count++;
}

static bool read_argument(struct parser *p, const struct overhead_form *form, int index, double *out)
{
    char name[64], place[128];
    const char *own = form->argument[index].name;
    const size_t length = strlen(own);
    skip_blanks(p);
    if (strncmp(p->at, own, length) == 0 && p->at[length + strspn(p->at + length, " ")] == '=')
        p->at += length + strspn(p->at + length, " ") + 1;
    if (!take_word(p, ",()", name, sizeof name))
        return fault(p, own);
    snprintf(place, sizeof place, "%s: %s of %s", p->what, own, form->name);
    if (!form->argument[index].duration)
        return option_parse_real(place, name, form->argument[index].low, form->argument[index].high, out, p->error);
    tm_ns duration;
    if (!duration_parse(place, name, &duration, p->error))
        return false;
    *out = (double)duration;
    return true;
}

static bool read_sum(struct parser *p, int *first);

static bool read_file(struct parser *p)
{
    char path[4096], hash[33];
    if (p->model->sample)
        return error_fail(p->error, TM_INPUT, "%s %s: only one empirical file", p->what, p->text);
    if (!take_word(p, ")", path, sizeof path))
        return fault(p, "a file name");
    if (!overhead_read_samples(p->model, path, hash, p->error))
        return false;
    snprintf(p->model->text, sizeof p->model->text, "%s", hash); /* kept there until the text is written */
    return true;
}

static bool check_term(struct parser *p, const struct overhead_term *term)
{
    if (term->kind == OVERHEAD_UNIFORM && term->value[0] > term->value[1])
        return error_fail(p->error, TM_INPUT, "%s %s: uniform's low exceeds its high", p->what, p->text);
    if (term->kind == OVERHEAD_BURST && term->value[1] != (double)(int)term->value[1])
        return error_fail(p->error, TM_INPUT, "%s %s: burst's length is a whole number of moves", p->what, p->text);
    return true;
}

static bool read_call(struct parser *p, enum overhead_kind kind, int *out)
{
    const struct overhead_form *form = &overhead_forms[kind];
    const bool seen_before = p->in_seen;
    if (kind == OVERHEAD_SEEN && seen_before)
        return error_fail(p->error, TM_INPUT, "%s %s: seen inside seen", p->what, p->text);
    if ((*out = new_term(p, kind)) < 0)
        return false;
    struct overhead_term *term = &p->model->term[*out];
    if (!take(p, '('))
        return fault(p, "(");
    for (int i = 0; i < form->arguments; i++)
        if ((i > 0 && !take(p, ',')) || !read_argument(p, form, i, &term->value[i]))
            return p->error->code ? false : fault(p, ",");
    if (form->nested) {
        p->in_seen = seen_before || kind == OVERHEAD_SEEN;
        if ((form->arguments > 0 && !take(p, ',')) || !read_sum(p, &term->inner))
            return p->error->code ? false : fault(p, ", and a model");
        p->in_seen = seen_before;
    }
    if (kind == OVERHEAD_EMPIRICAL && !read_file(p))
        return false;
    return (take(p, ')') || fault(p, ")")) && check_term(p, term);
}

static bool unknown_name(struct parser *p, const char *name)
{
    const char *names[OVERHEAD_KINDS];
    size_t count = 0;
    for (int i = 0; i < OVERHEAD_KINDS; i++)
        if (overhead_forms[i].name)
            names[count++] = overhead_forms[i].name;
    const char *nearest = suggest_nearest(name, names, count);
    return nearest ? error_fail(p->error, TM_INPUT, "%s %s: unknown model '%s'; did you mean %s?", p->what, p->text,
                                name, nearest)
                   : error_fail(p->error, TM_INPUT, "%s %s: unknown model '%s'; expected a duration such as 50ms, "
                                                    "uniform, normal, lognormal, gamma, pareto, empirical, spike, "
                                                    "burst or seen",
                                p->what, p->text, name);
}

static bool read_term(struct parser *p, int *out)
{
    char word[128];
    if (!take_word(p, "+(),", word, sizeof word))
        return fault(p, "a duration or a model");
    if (isalpha((unsigned char)word[0]) && *p->at == '(') {
        for (int kind = 0; kind < OVERHEAD_KINDS; kind++)
            if (overhead_forms[kind].name && strcmp(word, overhead_forms[kind].name) == 0)
                return read_call(p, (enum overhead_kind)kind, out);
        return unknown_name(p, word);
    }
    if (isalpha((unsigned char)word[0]))
        return unknown_name(p, word);
    tm_ns duration;
    if (!duration_parse(p->what, word, &duration, p->error) || (*out = new_term(p, OVERHEAD_CONSTANT)) < 0)
        return false;
    p->model->term[*out].value[0] = (double)duration;
    return true;
}

static bool read_sum(struct parser *p, int *first)
{
    int last = -1, term = 0;
    do {
        if (!read_term(p, &term))
            return false;
        if (last < 0)
            *first = term;
        else
            p->model->term[last].next = term;
        last = term;
    } while (take(p, '+'));
    return true;
}

/* ---- the canonical text ---- */

struct writer {
    const struct overhead *model;
    const char *hash;
    char *out;
    size_t size, used;
};

static void put(struct writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (w->used + length < w->size)
        memcpy(w->out + w->used, text, length + 1);
    w->used += length;
}

/* Milliseconds, exactly; no duration that is parsed exceeds 10^9 s, and 10^12 ms fit. */
static void put_duration(struct writer *w, double ns)
{
    char number[64];
    snprintf(number, sizeof number, "%.6f", ns / 1e6);
    char *end = number + strlen(number);
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    strcpy(end, "ms");
    put(w, number);
}

static void put_number(struct writer *w, double value)
{
    char number[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    put(w, number);
}

static void put_sum(struct writer *w, int first);

static void put_term(struct writer *w, const struct overhead_term *term)
{
    const struct overhead_form *form = &overhead_forms[term->kind];
    if (!form->name) {
        put_duration(w, term->value[0]);
        return;
    }
    put(w, form->name);
    put(w, "(");
    for (int i = 0; i < form->arguments; i++) {
        put(w, i ? "," : "");
        put(w, form->argument[i].name);
        put(w, "=");
        if (form->argument[i].duration)
            put_duration(w, term->value[i]);
        else
            put_number(w, term->value[i]);
    }
    put(w, term->kind == OVERHEAD_EMPIRICAL ? w->hash : "");
    if (form->nested) {
        put(w, form->arguments ? "," : "");
        put_sum(w, term->inner);
    }
    put(w, ")");
}

static void put_sum(struct writer *w, int first)
{
    for (int i = first; i >= 0; i = w->model->term[i].next) {
        put(w, i == first ? "" : " + ");
        put_term(w, &w->model->term[i]);
    }
}

static bool write_text(struct parser *p)
{
    struct overhead *model = p->model;
    char hash[33], seconds[32];
    tm_ns constant;
    snprintf(hash, sizeof hash, "%.32s", model->text);
    if (overhead_is_constant(model, &constant)) {
        snprintf(model->text, sizeof model->text, "const:%ss", ns_print_seconds(seconds, sizeof seconds, constant));
        return true;
    }
    struct writer writer = { .model = model, .hash = hash, .out = model->text, .size = sizeof model->text };
    put_sum(&writer, model->first);
    return writer.used < sizeof model->text || error_fail(p->error, TM_INPUT, "%s: the model is too long", p->what);
}

bool overhead_parse(const char *what, const char *text, struct overhead **out, struct tm_error *error)
{
    struct tm_error local = { 0 };
    struct overhead *model = calloc(1, sizeof *model);
    *out = NULL;
    if (!model)
        return error_fail(error, TM_INTERNAL, "out of memory");
    struct parser parser = { .what = what, .text = text, .at = text, .model = model, .error = &local };
    bool ok = read_sum(&parser, &model->first);
    skip_blanks(&parser);
    ok = ok && (*parser.at == '\0' || fault(&parser, "+ or the end")) && write_text(&parser);
    if (ok) {
        *out = model;
        return true;
    }
    if (error)
        *error = local;
    overhead_free(model);
    return false;
}
