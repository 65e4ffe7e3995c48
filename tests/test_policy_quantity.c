#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/policy_text.h"
#include "vclock/policy_quantity.h"

static struct quantity_result examine(const char *body, const char *params)
{
    char text[4096];
    struct policy *policy;
    struct tm_error error;
    snprintf(text, sizeof text, "return policy { name = 'mine', unit = 'ms', params = { %s },\nbudget = function(c, p, g)\n%s\nend }",
             params, body);
    cr_assert(policy_load_text("mine.lua", text, strlen(text), &policy, &error), "%s", error.message);
    struct clock_state clock = clock_at(12);
    clock.inc = TM_NS_PER_S;
    clock.ply = 40;
    const struct quantity_result result = policy_quantities(policy, &clock);
    policy_free(policy);
    return result;
}

/* The body begins in line 3. */
Test(policy_quantity, the_first_bare_number_is_located)
{
    static const struct { const char *body; enum quantity_verdict verdict; int line; const char *text; } rows[] = {
        { "return c.time / 40 + 0.9 * c.inc, c.time / 4", QUANTITY_CLEAN, 0, "" },
        { "local x = c.time / 2\nreturn x, x - 1000", QUANTITY_MIXED, 4, "a time and the bare number 1000 are subtracted" },
        { "local x = c.time / 2\nlocal y = 7 + x\nreturn y, y - 1000", QUANTITY_MIXED, 4, "a time and the bare number 7 are added" },
        { "if c.time < 1000 then return 1, 1 end\nreturn c.time, c.time", QUANTITY_MIXED, 3,
          "a time is compared with the bare number 1000" },
        { "local x = max(c.time / 40, 50)\nreturn x, x", QUANTITY_MIXED, 3, "a time is compared with the bare number 50" },
        { "local x = max(0, c.time / 40)\nreturn x, huge", QUANTITY_CLEAN, 0, "" },
        { "local x = clamp(c.time / 40, sec(1), c.time)\nreturn x, x", QUANTITY_MIXED, 3,
          "a time is compared with the bare number 1000" },
        { "local x = log(c.time)\nreturn x * c.time, c.time", QUANTITY_MIXED, 3, "log is taken of a time" },
        { "local x = log10(c.time / c.base)\nreturn x * c.time, c.time", QUANTITY_CLEAN, 0, "" },
        { "local x = c.time * c.inc\nreturn x / c.time, sqrt(x)", QUANTITY_CLEAN, 0, "" },
        { "local x = c.time * c.inc\nreturn x / c.time, x", QUANTITY_MIXED, 4,
          "a quantity of time to the power 2 is returned for hard" },
        { "return c.time / 40,\n 50", QUANTITY_MIXED, 4, "the bare number 50 is returned for hard" },
        { "return c.time / p.moves - p.overhead, c.time - 2 * p.overhead", QUANTITY_CLEAN, 0, "" },
        { "return c.time / p.moves - p.share, c.time", QUANTITY_MIXED, 3, "a time and the bare number 0.5 are subtracted" },
        { "return trunc(c.time / 3), idiv(c.time, c.inc) * c.inc", QUANTITY_CLEAN, 0, "" },
        { "return pow(c.time, 0.5) * pow(c.inc, 0.5), c.time", QUANTITY_CLEAN, 0, "" },
        { "return c.time * (c.inc == 1000 and 1 or 2), c.time", QUANTITY_UNDECIDED, 0, "" },
        { "if c.inc == 1000 then\nreturn c.time, c.time\nend\nreturn c.time / 2, 50", QUANTITY_UNDECIDED, 0, "" },
        { "if c.lag == 0 then\nreturn c.time, c.time\nend\nreturn c.time / 2, 50", QUANTITY_CLEAN, 0, "" },
        { "g.x = c.time\nreturn g.x / 2, type(c.time) == 'number' and c.time", QUANTITY_CLEAN, 0, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct quantity_result result =
            examine(rows[i].body, "moves = { 40 }, overhead = { 200, time = true }, share = { 0.5 }");
        cr_expect(result.verdict == rows[i].verdict, "%s: verdict %d", rows[i].body, (int)result.verdict);
        cr_expect(result.line == rows[i].line, "%s: line %d", rows[i].body, result.line);
        cr_expect_str_eq(result.text, rows[i].text, "%s: %s", rows[i].body, result.text);
    }
}

/* It runs behind the same walls as any policy. */
Test(policy_quantity, an_endless_policy_is_undecided)
{
    cr_expect(examine("while true do end", "").verdict == QUANTITY_UNDECIDED);
    cr_expect(examine("local t = {}\nwhile true do t = { t, {} } end", "").verdict == QUANTITY_UNDECIDED);
    cr_expect(examine("local function f(x) return f(x + c.time) + 1 end\nreturn f(1)", "").verdict == QUANTITY_UNDECIDED);
}
