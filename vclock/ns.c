/* Nanoseconds. Text is read digit by digit into integers, never through a double or the locale. */
#include "vclock/ns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS = 9 };
#define MAX_SECONDS INT64_C(1000000000) /* 31 years: anything above is a typing error */

tm_ns ns_from_units(double value, double ns_per_unit)
{
    double ns = value * ns_per_unit;
    if (isnan(ns))
        return 0;
    if (ns >= 0x1p63)
        return INT64_MAX;
    if (ns < -0x1p63)
        return INT64_MIN;
    return (tm_ns)llround(ns);
}

tm_ns ns_add(tm_ns a, tm_ns b)
{
    tm_ns sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads digits, their value times `scale`; at most `limit` of them count. False: none, or too large. */
static bool scan_whole(const char **text, int64_t *out)
{
    const char *p = *text;
    if (!is_digit(*p))
        return false;
    int64_t value = 0;
    for (; is_digit(*p); p++) {
        value = value * 10 + (*p - '0');
        if (value > MAX_SECONDS)
            return false;
    }
    *text = p;
    *out = value;
    return true;
}

/* Reads ".ddd" as billionths; an absent fraction is 0. False: a point without digits, or too many of them. */
static bool scan_fraction(const char **text, int64_t *out)
{
    const char *p = *text;
    *out = 0;
    if (*p != '.')
        return true;
    p++;
    int digits = 0;
    for (; is_digit(*p); p++, digits++) {
        if (digits == DECIMALS)
            return false;
        *out = *out * 10 + (*p - '0');
    }
    if (digits == 0)
        return false;
    for (; digits < DECIMALS; digits++)
        *out *= 10;
    *text = p;
    return true;
}

bool ns_scan_seconds(const char **text, tm_ns *out)
{
    const char *p = *text;
    int64_t whole, billionths;
    if (!scan_whole(&p, &whole) || !scan_fraction(&p, &billionths))
        return false;
    *text = p;
    *out = whole * TM_NS_PER_S + billionths;
    return true;
}

static const struct {
    const char *name;
    int64_t per_second;
} units[] = { { "s", 1 }, { "ms", 1000 }, { "us", 1000000 }, { "ns", 1000000000 } };

bool duration_parse(const char *what, const char *text, tm_ns *out, struct tm_error *error)
{
    const char *p = text;
    tm_ns billionths; /* of the unit */
    if (!ns_scan_seconds(&p, &billionths))
        return error_fail(error, TM_INPUT, "%s %s: expected a duration such as 50ms or 0.3s", what, text);
    if (!*p)
        return error_fail(error, TM_INPUT, "%s %s: a duration needs its unit; %sms or %ss?", what, text, text, text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(p, units[i].name) == 0) {
            if (billionths % units[i].per_second)
                return error_fail(error, TM_INPUT, "%s %s: finer than a nanosecond", what, text);
            *out = billionths / units[i].per_second;
            return true;
        }
    return error_fail(error, TM_INPUT, "%s %s: unknown unit '%s'; expected s, ms, us or ns", what, text, p);
}

char *ns_print_seconds(char *buffer, size_t size, tm_ns t)
{
    uint64_t magnitude = t < 0 ? -(uint64_t)t : (uint64_t)t;
    int length = snprintf(buffer, size, "%s%" PRIu64 ".%09" PRIu64, t < 0 ? "-" : "",
                          magnitude / (uint64_t)TM_NS_PER_S, magnitude % (uint64_t)TM_NS_PER_S);
    if (length < 0 || (size_t)length >= size)
        return buffer;
    char *end = buffer + length;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
    return buffer;
}
