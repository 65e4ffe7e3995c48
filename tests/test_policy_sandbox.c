/* What a hostile or careless policy can do: nothing but end its own call, soon and within its memory. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/policy_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Bodies of a budget function; each must fail with these words. Line 1 of the text is the head of the file. */
static const struct {
    const char *body, *words;
} attacks[] = {
    {"while true do end", "mine.lua:2: budget ran for more than 1000000 instructions"},
    {"for i = 1, 0x7fffffffffffffff do end", "ran for more than"},
    {"for i = 1.0, huge do end", "ran for more than"},
    {"::again:: goto again", "ran for more than"},
    {"repeat local x = {} until false", "ran for more than"},
    {"local function f() return f() end return f()", "ran for more than"},
    {"local function f() return 1 + f() end return f()", "budget needs more than 1024 KiB of memory"},
    {"local function f(x) return x + max(1, f(x + 1)) end return f(1)", "needs more than"},
    {"local t = {} for i = 1, 1e9 do t[i] = i end", "needs more than"},
    {"local t = {} for i = 1, 1e9 do t = { t } end", "needs more than"},
    {"for i = 1, 1e9 do g[i] = i end", "needs more than"},
    {"for i = 1, 1e9 do g['x' .. i] = i end", "needs more than"},
    {"local s = 'x' while true do s = s .. s end", "budget made a text longer than 4096 bytes"},
    {"local s = 'x' for i = 1, 12 do s = s .. s end while true do local t = s .. s end", "made a text longer"},
    {"local s = 'xx' for i = 1, 10 do s = s .. s end local t = s .. 'a' local u = s .. 'a'\n"
     "while t == u do t = s .. 'b' u = s .. 'b' end", "ran for more than"},
    {"local s = 'xx' for i = 1, 10 do s = s .. s end while s .. 'a' < s .. 'b' do end", "ran for more than"},
    /* A full table that is rehashed at every insertion. */
    {"local t = {} for i = 1, 8192 do t[i + 0.5] = 1 end\n"
     "for i = 1, 1e9 do t[i + 0.5] = nil t[i + 8192.5] = 1 end", "ran for more than"},
    {"while true do exp(1e-300) end", "ran for more than"},
    {"while true do pow(1.0000001, 123456.789) end", "ran for more than"},
    {"while true do log(3) log10(3) sigmoid(3) end", "ran for more than"},
    {"while true do max(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) end", "ran for more than"},
    {"for i, v in ipairs({1}) do while true do end end", "ran for more than"},
    {"local function f() for i = 1, 1e9 do local h = function() return i end end end f()", "ran for more than"},
    {"local s = 'e' for i = 1, 11 do s = s .. s end error(s)", "mine.lua:2: eeee"},
    {"error({})", "error called with a table instead of a text"},
    {"error()", "error called with a no value instead of a text"},
    {"error(nil)", "error called with a nil instead of a text"},
    {"error('\\27[31m\\0red')", "mine.lua:2:  [31m"},
    {"assert(false)", "assertion failed"},
    {"assert(nil, {})", "assertion failed"},
    {"local x <close> = 1", "variable 'x' got a non-closable value"},
    {"local x <close> = setmetatable({}, {})", "unknown name 'setmetatable'"},
    {"return ('x'):rep(1e9)", "attempt to index a string value"},
    {"return ('x').len, 1", "attempt to index a string value"},
    {"local s = 'x' return s.byte, 1", "attempt to index a string value"},
    {"return #c.time", "attempt to get length of a number value"},
    {"return '1' + 1, 1", "attempt to perform arithmetic on a string value"},
    {"pcall(error)", "unknown name 'pcall'"},
    {"coroutine.wrap(f)", "unknown name 'coroutine'"},
    {"string.rep('x', 1e9)", "unknown name 'string'"},
    {"table.move({}, 1, 1 << 40, 2)", "unknown name 'table'"},
    {"load('return 1')()", "unknown name 'load'"},
    {"require('os')", "unknown name 'require'"},
    {"os.exit(1)", "unknown name 'os'"},
    {"io.open('x', 'w')", "unknown name 'io'"},
    {"debug.getregistry()", "unknown name 'debug'"},
    {"getmetatable(c)", "unknown name 'getmetatable'"},
    {"rawset(c, 'time', 1)", "unknown name 'rawset'"},
    {"next(c)", "unknown name 'next'"},
    {"pairs(c)", "unknown name 'pairs'"},
    {"collectgarbage('stop')", "unknown name 'collectgarbage'"},
    {"print('x')", "unknown name 'print'"},
    {"tostring(c)", "unknown name 'tostring'"},
    {"_G.x = 1", "unknown name '_G'"},
    {"for k in ipairs(c) do end return c < c", "c has no field '1'"},
    {"return c .. 'x'", "attempt to concatenate a table value"},
    {"c.x = 1", "c is read-only"},
    {"g.f = function() end return 1, 1", "g.f holds a function"},
    {"g.f = max return 1, 1", "g.f holds a function"},
    {"g[max] = 1 return 1, 1", "g has a function as a key"},
    {"g.c = c return 1, 1", "g.c holds a table"},
    {"g[0/0] = 1", "index is NaN"},
    {"return i64(1) // i64(0), 1", "attempt to divide by zero"},
    {"return i64(1) % i64(0), 1", "attempt to perform 'n%"},
    {"return i64(1) << 0.5, 1", "number has no integer representation"},
    {"return policy({}), 1", "budget returned table for soft"},
};

static double seconds(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Most resident memory of this process so far, in KiB. */
static long peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 20, SHADOW = 64 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SLOWER = 20, SHADOW = 64 };
#else
enum { SLOWER = 1, SHADOW = 1 };
#endif
#else
enum { SLOWER = 1, SHADOW = 1 };
#endif

ParameterizedTestParameters(policy_sandbox, an_attack_ends_its_own_call)
{
    static int rows[COUNT(attacks)];
    for (size_t i = 0; i < COUNT(attacks); i++)
        rows[i] = (int)i;
    return cr_make_param_array(int, rows, COUNT(attacks));
}

ParameterizedTest(int *row, policy_sandbox, an_attack_ends_its_own_call, .timeout = 60)
{
    const char *body = attacks[*row].body, *words = attacks[*row].words;
    struct subject s = subject_with(body);
    struct budget b;
    cr_assert(s.game != NULL, "%s: %s", body, s.error.message);
    long before = peak();
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    bool good = budget_at(&s, 1, &b);
    double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    cr_expect(!good, "%s succeeded", body);
    cr_expect(strstr(s.error.message, words) != NULL, "%s: %s", body, s.error.message);
    cr_expect(spent < 2 * SLOWER, "%s took %.2f s", body, spent);
    cr_expect(peak() - before < 2048 * SHADOW, "%s took %ld KiB", body, peak() - before);
    subject_drop(&s);
}

Test(policy_sandbox, attacks_while_loading_are_refused, .timeout = 120)
{
    static const struct {
        const char *text, *words;
    } table[] = {
        {"while true do end", "mine.lua:1: the file ran for more than 10000000 instructions"},
        {"local t = {} while true do t = { t } end", "the file needs more than 1024 KiB"},
        {"local s = 'x' while true do s = s .. s end", "the file made a text longer"},
        {"return policy(policy)", "bad argument #1 to 'policy' (table expected, got function)"},
        {"return policy", "the file must end in"},
        {"policy { name = 'x' }", "the file must end in"},
        {"local p = policy { name = 'x' } return { name = 'x' }", "the file must end in"},
        {"return policy({ name = 'x', unit = 's', budget = function() end, [1] = 5 })",
         "policy has a value without a name"},
        {"return policy({ name = 'x', unit = 's', budget = function() end, [c] = 5 })", "unknown name 'c'"},
        {"local function f(...) return ... end", "`...` is not available"},
        {"local _ENV = {}", "`_ENV` is not available"},
        {"\033Lua", "attempt to load a binary chunk"},
        {"--[[ never closed", "unfinished long comment"},
        {"local s = 'never closed", "unfinished string"},
        {"return policy { name = 'x', unit = sec(1) < 2 and 'ms' or 's' }", "the unit depends on the unit"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        struct subject s = subject_of(table[i].text);
        cr_expect(s.game == NULL, "%s was accepted", table[i].text);
        cr_expect(strstr(s.error.message, table[i].words) != NULL, "%s: %s", table[i].text, s.error.message);
        cr_expect(seconds(CLOCK_PROCESS_CPUTIME_ID) - start < 2 * SLOWER, "%s", table[i].text);
        subject_drop(&s);
    }
}

/* A text of `count` times `piece` between `head` and `tail`; the caller frees it. */
static char *repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    size_t length = strlen(piece);
    char *text = malloc(strlen(head) + count * length + strlen(tail) + 1), *at = text;
    at += sprintf(at, "%s", head);
    for (size_t i = 0; i < count; i++, at += length)
        memcpy(at, piece, length);
    strcpy(at, tail);
    return text;
}

Test(policy_sandbox, deep_and_long_texts_are_refused, .timeout = 120)
{
    static const struct {
        const char *head, *piece, *tail, *words;
        size_t count;
    } table[] = {
        {"return ", "(", "", "C stack overflow", 60000},
        {"return ", "{", "", "C stack overflow", 60000},
        {"return ", "-", "1", "", 60000}, /* "--" is a comment */
        {"return ", "not ", "1", "C stack overflow", 15000},
        {"return ", "1..", "1", "malformed number", 1000},
        {"return 'a'", "..'a'", "", "C stack overflow", 10000},
        {"", "do ", "", "C stack overflow", 20000},
        {"", "local function f() ", "", "C stack overflow", 3000},
        {"", "local a ", "", "too many local variables", 5000},
        {"return {", "1,", "}", "", 30000},
        {"local s = '", "s", "'", "the file made a text longer than 4096 bytes", 50000},
        {"", "\n", "", "the file must end in", 60000},
        {"", " ", "", "a policy has at most 65536 bytes, this file has 65537", 65537},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char *text = repeated(table[i].head, table[i].piece, table[i].count, table[i].tail);
        struct subject s = subject_of(text);
        cr_expect(s.game == NULL, "row %zu was accepted", i);
        cr_expect(strstr(s.error.message, table[i].words) != NULL, "row %zu: %s", i, s.error.message);
        subject_drop(&s);
        free(text);
    }
}

/* Twelve levels of forty references each: 40^12 paths through a few small tables. */
Test(policy_sandbox, tables_that_hold_each_other_do_not_hang_a_game, .timeout = 20)
{
    struct subject s = good_subject(
        "local t = { 1 }\nfor i = 1, 12 do local u = {} for j = 1, 40 do u[j] = t end t = u end\n"
        "return policy { name = 'x', unit = 's', budget = function() return 1, #t end }");
    struct budget b;
    cr_expect(budget_at(&s, 1, &b) && b.raw.hard == 40);
    subject_drop(&s);
}

Test(policy_sandbox, after_a_breach_the_state_is_dead_but_the_policy_lives)
{
    struct subject s = subject_with("if c.time > 5 then while true do end end return 1, 2");
    struct budget b;
    cr_assert(budget_at(&s, 1, &b));
    cr_expect(!budget_at(&s, 6, &b));
    cr_expect(!budget_at(&s, 1, &b));
    cr_expect(strstr(s.error.message, "state is dead after an earlier fault") != NULL, "%s", s.error.message);
    policy_game_restore(s.game, NULL);
    policy_game_free(s.game);
    s.game = policy_game_new(s.policy, &s.error);
    cr_expect(budget_at(&s, 1, &b), "%s", s.error.message);
    subject_drop(&s);
}

Test(policy_sandbox, an_ordinary_fault_leaves_the_state_usable)
{
    struct subject s = subject_with("if c.time > 5 then error('x') end return 1, 2");
    struct budget b;
    cr_expect(!budget_at(&s, 6, &b));
    cr_expect(budget_at(&s, 1, &b), "%s", s.error.message);
    subject_drop(&s);
}

Test(policy_sandbox, each_call_has_its_own_limit)
{
    struct subject s = subject_with("local n = 0 for i = 1, 200000 do n = n + 1 end return n, 1");
    struct budget b;
    for (int i = 0; i < 20; i++)
        cr_expect(budget_at(&s, 1, &b), "call %d: %s", i, s.error.message);
    subject_drop(&s);
}

Test(policy_sandbox, memory_is_not_lost_from_call_to_call)
{
    struct subject s = subject_with("local t = {} for i = 1, 2000 do t[i] = i end g.n = (g.n or 0) + 1 return g.n, #t");
    struct budget b;
    for (int i = 1; i <= 200; i++)
        cr_assert(budget_at(&s, 1, &b) && b.raw.soft == i, "call %d: %s", i, s.error.message);
    subject_drop(&s);
}
