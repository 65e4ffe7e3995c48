/* The grammar of time controls, read left to right, so that every fault has a place. */
#include "vclock/tc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_MOVES = 1000 };                /* guess: no control in use has more than 200 */
#define MAX_PERIOD (1000000 * TM_NS_PER_S) /* 11 days; correspondence lies beyond this program */

struct reader {
    const char *text, *at;
    struct tm_error *error;
};

static bool refuse(const struct reader *r, const char *expected)
{
    char found[16] = "the end";
    if (*r->at)
        snprintf(found, sizeof found, "'%c'", *r->at);
    return error_fail(r->error, TM_INPUT, "time control '%s': at character %d: expected %s, found %s", r->text,
                      (int)(r->at - r->text) + 1, expected, found);
}

static bool refuse_value(const struct reader *r, const char *start, const char *why)
{
    return error_fail(r->error, TM_INPUT, "time control '%s': at character %d: %s", r->text,
                      (int)(start - r->text) + 1, why);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "40/" in front of the seconds; leaves the reader alone where no slash follows. */
static bool read_moves(struct reader *r, int *moves)
{
    size_t digits = strspn(r->at, "0123456789");
    *moves = 0;
    if (r->at[digits] != '/' || digits == 0)
        return true;
    const char *start = r->at;
    for (size_t i = 0; i < digits; i++) {
        *moves = *moves * 10 + (start[i] - '0');
        if (*moves > MAX_MOVES)
            return refuse_value(r, start, "more than 1000 moves in a period");
    }
    if (*moves == 0)
        return refuse_value(r, start, "a period of 0 moves");
    r->at += digits + 1;
    return true;
}

static bool read_seconds(struct reader *r, tm_ns *out)
{
    const char *start = r->at;
    if (!is_digit(*start))
        return refuse(r, "seconds (digits)");
    if (!ns_scan_seconds(&r->at, out)) {
        size_t digits = strspn(start, "0123456789");
        if (start[digits] == '.' && !is_digit(start[digits + 1])) {
            r->at = start + digits + 1;
            return refuse(r, "decimals after the point");
        }
        return refuse_value(r, start, "a number of seconds that is too large or too fine");
    }
    if (*out > MAX_PERIOD)
        return refuse_value(r, start, "more than 1000000 seconds");
    return true;
}

/* "m:ss" or seconds. */
static bool read_base(struct reader *r, tm_ns *out)
{
    const char *start = r->at;
    if (!read_seconds(r, out))
        return false;
    if (*r->at != ':')
        return true;
    if (memchr(start, '.', (size_t)(r->at - start)))
        return refuse_value(r, start, "minutes with decimals");
    r->at++;
    if (!is_digit(r->at[0]) || !is_digit(r->at[1]) || r->at[0] > '5' || is_digit(r->at[2]))
        return refuse(r, "two digits of seconds below 60");
    *out = *out * 60 + ((r->at[0] - '0') * 10 + (r->at[1] - '0')) * TM_NS_PER_S;
    if (*out > MAX_PERIOD)
        return refuse_value(r, start, "more than 1000000 seconds");
    r->at += 2;
    return true;
}

static bool read_period(struct reader *r, struct tc_period *period)
{
    const char *start = r->at;
    *period = (struct tc_period){ 0 };
    if (!read_moves(r, &period->moves) || !read_base(r, &period->base))
        return false;
    if (*r->at == '+') {
        r->at++;
        if (!read_seconds(r, &period->inc))
            return false;
    }
    if (period->base == 0 && period->inc == 0)
        return refuse_value(r, start, "a period without any time");
    if (*r->at && *r->at != ',')
        return refuse(r, "'+', ',' or the end");
    return true;
}

bool tc_parse(const char *text, struct tc *out, struct tm_error *error)
{
    struct reader r = { text, text, error };
    struct tc tc = { 0 };
    if (strlen(text) > 200)
        return error_fail(error, TM_INPUT, "time control '%.20s…': longer than 200 characters", text);
    for (;;) {
        const char *start = r.at;
        if (tc.count == TC_MAX_PERIODS)
            return refuse_value(&r, start, "more than 8 periods");
        if (!read_period(&r, &tc.period[tc.count++]))
            return false;
        if (!*r.at)
            break;
        if (tc.period[tc.count - 1].moves == 0)
            return refuse_value(&r, start, "every period but the last needs a move count, as in 40/60");
        r.at++;
    }
    *out = tc;
    return true;
}

char *tc_print(char buffer[static TC_TEXT_SIZE], const struct tc *tc)
{
    size_t used = 0;
    for (int i = 0; i < tc->count; i++) {
        const struct tc_period *period = &tc->period[i];
        char base[32], inc[32], moves[16] = "";
        if (period->moves)
            snprintf(moves, sizeof moves, "%d/", period->moves);
        used += (size_t)snprintf(buffer + used, TC_TEXT_SIZE - used, "%s%s%s+%s", i ? "," : "", moves,
                                 ns_print_seconds(base, sizeof base, period->base),
                                 ns_print_seconds(inc, sizeof inc, period->inc));
    }
    return buffer;
}
