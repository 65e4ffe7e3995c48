/* Counting scores in a row. */
#include "tmsim/adjudicate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/fields.h"

static bool unknown_field(const char *what, const char *text, const char *expected, const struct field *field,
                          struct tm_error *error)
{
    return error_fail(error, TM_INPUT, "%s %s: expected %s, found '%s=%s'", what, text, expected, field->key,
                      field->value);
}

bool adjudication_parse_draw(const char *text, struct adjudication *out, struct tm_error *error)
{
    const struct field_number rows[] = {
        { .key = "movenumber", .whole = &out->draw_move, .low = 0, .high = 10000 },
        { .key = "movecount", .whole = &out->draw_count, .low = 1, .high = 10000 },
        { .key = "score", .whole = &out->draw_score, .low = 0, .high = 32000 },
    };
    struct field field;
    out->draw_move = out->draw_count = 0;
    out->draw_score = -1;
    for (const char *at = text; fields_next(&at, &field);) {
        bool known;
        if (!fields_read_number("--draw", &field, rows, 3, &known, error))
            return false;
        if (!known)
            return unknown_field("--draw", text, "movenumber=N,movecount=N,score=CP", &field, error);
    }
    if (out->draw_count == 0 || out->draw_score < 0)
        return error_fail(error, TM_INPUT, "--draw %s: expected movecount=N and score=CP, and movenumber=N if you like",
                          text);
    return true;
}

bool adjudication_parse_resign(const char *text, struct adjudication *out, struct tm_error *error)
{
    const struct field_number rows[] = {
        { .key = "movecount", .whole = &out->resign_count, .low = 1, .high = 10000 },
        { .key = "score", .whole = &out->resign_score, .low = 1, .high = 32000 },
    };
    struct field field;
    out->resign_count = out->resign_score = 0;
    for (const char *at = text; fields_next(&at, &field);) {
        bool known;
        if (strcmp(field.key, "twosided") == 0 && (strcmp(field.value, "true") == 0
                                                   || strcmp(field.value, "false") == 0)) {
            out->resign_twosided = field.value[0] == 't';
            continue;
        }
        if (!fields_read_number("--resign", &field, rows, 2, &known, error))
            return false;
        if (!known)
            return unknown_field("--resign", text, "movecount=N,score=CP,twosided=true|false", &field, error);
    }
    if (out->resign_count == 0 || out->resign_score == 0)
        return error_fail(error, TM_INPUT, "--resign %s: expected movecount=N and score=CP", text);
    return true;
}

char *adjudication_print(char buffer[static ADJUDICATION_TEXT], const struct adjudication *rules)
{
    char draw[64] = "", resign[64] = "";
    if (rules->draw_count)
        snprintf(draw, sizeof draw, "draw:%d,%d,%d", rules->draw_move, rules->draw_count, rules->draw_score);
    if (rules->resign_count)
        snprintf(resign, sizeof resign, "resign:%d,%d%s", rules->resign_count, rules->resign_score,
                 rules->resign_twosided ? ",twosided" : "");
    snprintf(buffer, ADJUDICATION_TEXT, "%s%s%s", draw, *draw && *resign ? ";" : "",
             *draw || *resign ? resign : "none");
    return buffer;
}

bool adjudication_read(const char *text, struct adjudication *out, struct tm_error *error)
{
    const char *draw = strstr(text, "draw:"), *resign = strstr(text, "resign:");
    *out = (struct adjudication){ 0 };
    if (draw && sscanf(draw, "draw:%d,%d,%d", &out->draw_move, &out->draw_count, &out->draw_score) != 3)
        return error_fail(error, TM_INPUT, "adjudication '%s': expected draw:N,N,CP", text);
    if (resign && sscanf(resign, "resign:%d,%d", &out->resign_count, &out->resign_score) != 2)
        return error_fail(error, TM_INPUT, "adjudication '%s': expected resign:N,CP", text);
    out->resign_twosided = strstr(text, "twosided") != NULL;
    return draw || resign || strcmp(text, "none") == 0
           || error_fail(error, TM_INPUT, "adjudication '%s': expected none, draw:… or resign:…", text);
}

enum adjudication_call adjudicate(const struct adjudication *rules, struct adjudicator *state, int side, bool has_score,
                                  int score, int full_move)
{
    const bool quiet = has_score && abs(score) <= rules->draw_score;
    const bool lost = has_score && score <= -rules->resign_score, won = has_score && score >= rules->resign_score;
    state->quiet = quiet ? state->quiet + 1 : 0;
    state->losing[side] = lost ? state->losing[side] + 1 : 0;
    state->winning[side] = won ? state->winning[side] + 1 : 0;
    if (rules->resign_count && state->losing[side] >= rules->resign_count
        && (!rules->resign_twosided || state->winning[!side] >= rules->resign_count))
        return ADJUDICATE_RESIGN;
    if (rules->draw_count && full_move >= rules->draw_move && state->quiet >= 2 * rules->draw_count)
        return ADJUDICATE_DRAW;
    return ADJUDICATE_PLAY_ON;
}
