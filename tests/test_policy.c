/* The contract of policy files: fields, parameters, faults, memory, and what the hooks see. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/policy_text.h"
#include "vclock/event.h"
#include "vclock/policy_names.h"

#define DIRECTORY ZEITNOT_DATA_SOURCE "/policies"
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void expect_message(const char *what, const char *found, const char *wanted)
{
    cr_expect_str_eq(found, wanted, "%s:\n  found    %s\n  expected %s", what, found, wanted);
}

Test(policy, a_file_tells_what_it_is)
{
    struct subject s = good_subject(
        "return policy { name = 'x', title = 'T', source = 'S', unit = 'ms', floor = { hard = 7 }, stop = 'event',\n"
        "  abort = 'finished', min_depth = 4, hooks = 'missing', vectors = { a = 'g.a' },\n"
        "  params = { b = { 2 }, a = { 1.5, min = 1, max = 3, help = 'h' }, lag = { 30, time = true } },\n"
        "  budget = function(c) return 1, 2 end, limit = function(s, b) return b.soft end }");
    const struct policy_info *info = policy_info(s.policy);
    cr_expect_str_eq(info->name, "x");
    cr_expect_str_eq(info->label, "x");
    cr_expect_str_eq(info->title, "T");
    cr_expect_str_eq(info->source, "S");
    cr_expect_str_eq(info->hooks, "missing");
    cr_expect_eq(info->unit, POLICY_MS);
    cr_expect(!info->has_soft_floor && info->has_hard_floor && info->hard_floor == 7);
    cr_expect(info->stop_at_event && info->abort_keeps_finished && info->has_limit && !info->has_finish);
    cr_expect_eq(info->min_depth, 4);
    cr_expect_eq(info->param_count, 3);
    cr_expect_str_eq(info->param[0].name, "a", "parameters are sorted");
    cr_expect(info->param[0].value == 1.5 && info->param[0].min == 1 && info->param[0].max == 3);
    cr_expect(info->param[1].min == -HUGE_VAL && info->param[2].is_time && !info->param[1].is_time);
    subject_drop(&s);
}

Test(policy, wrong_files_are_refused_with_the_place)
{
    static const struct {
        const char *text, *message;
    } table[] = {
        {"return policy {\n  name = 'x', unit = 's',\n  budgte = function() end }",
         "mine.lua:3: policy has no field 'budgte'; did you mean budget?\n    3 |   budgte = function() end }"},
        {"return policy { name = 'x', unit = 's' }", "mine.lua: the policy has no budget function"},
        {"return policy { name = 'x', budget = 1 }",
         "mine.lua: the policy has no unit; expected \"s\", \"ms\", \"cs\" or \"node\""},
        {"return policy { name = 'x', unit = 's', budget = 1 }",
         "mine.lua:1: budget must be a function, not a number\n    1 | return policy { name = 'x', unit = 's', budget = 1 }"},
        {"return policy {\nname = 'x',\nunit = 'sec' }",
         "mine.lua:3: unit is \"sec\"; expected one of \"s\", \"ms\", \"cs\", \"node\"\n    3 | unit = 'sec' }"},
        {"return policy { unit = 's', budget = function() end,\nname = 'a:b' }",
         "mine.lua:2: name is missing, or has other characters than letters, digits, `_`, `-` and `.`\n    2 | name = 'a:b' }"},
        {"return { name = 'x' }", "mine.lua: the file must end in `return policy { … }`"},
        {"x = 1", "mine.lua:1: global 'x' is written; use `local`, or g to remember a value\n    1 | x = 1"},
        {"return policy {\n  name = mxa(1) }",
         "mine.lua:2: unknown name 'mxa'; did you mean max?\n    2 |   name = mxa(1) }"},
        {"-- 2^3 is fine here\nlocal s = '^' -- and there\nlocal t = [==[ ^ ]]==]\nlocal u = 2 ^ 3",
         "mine.lua:4: `^` is not correctly rounded on every machine; use pow(x, y)"},
        {"return 1 +", "mine.lua:1: unexpected symbol near <eof>\n    1 | return 1 +"},
        {"\033LuaT", "mine.lua: attempt to load a binary chunk (mode is 't')"},
        {"return policy { name = 'x', unit = 's', budget = function() end, params = { a = { 5, max = 4 } } }",
         "mine.lua:1: parameter a: the default is outside of min … max\n    1 | return policy { name = 'x', unit = 's', "
         "budget = function() end, params = { a = { 5, max = 4 } } }"},
        {"return policy { name = 'x', unit = 's', budget = function() end,\nparams = { A = { 5 } } }",
         "mine.lua:2: a parameter needs a name of at most 31 lower-case letters, digits and `_`\n    2 | params = { A = { 5 } } }"},
        {"return policy { name = 'x', unit = 's', budget = function() end,\nmin_depth = 1.5 }",
         "mine.lua:2: min_depth must be a whole number from 0 to 255\n    2 | min_depth = 1.5 }"},
        {"return policy { name = 'x', unit = 'node', budget = function() end,\nparams = { lag = { 5, time = true } } }",
         "mine.lua:2: parameter lag: a time has no fixed size in nodes\n    2 | params = { lag = { 5, time = true } } }"},
        {"return policy { name = 'x', unit = 's', budget = function() end,\nfloor = { sotf = 5 } }",
         "mine.lua:2: floor has no field 'sotf'; did you mean soft?\n    2 | floor = { sotf = 5 } }"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct subject s = subject_of(table[i].text);
        cr_expect(s.game == NULL, "%s was accepted", table[i].text);
        expect_message(table[i].text, s.error.message, table[i].message);
        cr_expect_eq(s.error.code, TM_INPUT);
        subject_drop(&s);
    }
}

Test(policy, faults_name_line_inputs_and_source)
{
    static const struct {
        const char *body, *message;
    } table[] = {
        {"local avail = c.time\n    local soft = avail * c.inc / (c.inc * c.time)\n    return soft, 1",
         "mine.lua:3: budget returned NaN for soft at time 2.500 s, inc 0 s, movestogo none\n"
         "    3 |     local soft = avail * c.inc / (c.inc * c.time)"},
        {"return 1,\n  0 / 0", "mine.lua:3: budget returned NaN for hard at time 2.500 s, inc 0 s, movestogo none\n    3 |   0 / 0"},
        {"return 1", "mine.lua:2: budget returned nothing for hard at time 2.500 s, inc 0 s, movestogo none\n    2 | return 1"},
        {"return '1', 1", "mine.lua:2: budget returned string for soft at time 2.500 s, inc 0 s, movestogo none\n"
                          "    2 | return '1', 1"},
        {"return 1, 2, true", "mine.lua:2: budget returned boolean for ceiling at time 2.500 s, inc 0 s, movestogo none\n"
                              "    2 | return 1, 2, true"},
        {"local x\nreturn c.movestogo + 1, 2",
         "mine.lua:3: attempt to perform arithmetic on a nil value (field 'movestogo'), in budget at time 2.500 s, inc 0 s, "
         "movestogo none\n    3 | return c.movestogo + 1, 2"},
        {"return c.tiem, 1", "mine.lua:2: c has no field 'tiem'; did you mean time?, in budget at time 2.500 s, inc 0 s, "
                             "movestogo none\n    2 | return c.tiem, 1"},
        {"c.time = 1", "mine.lua:2: c is read-only; its field 'time' is written, in budget at time 2.500 s, inc 0 s, "
                       "movestogo none\n    2 | c.time = 1"},
        {"p.x = 1", "mine.lua:2: p is read-only; its field 'x' is written, in budget at time 2.500 s, inc 0 s, "
                    "movestogo none\n    2 | p.x = 1"},
        {"return p.x, 1", "mine.lua:2: p has no field 'x', in budget at time 2.500 s, inc 0 s, movestogo none\n"
                          "    2 | return p.x, 1"},
        {"t = 1", "mine.lua:2: global 't' is written; use `local`, or g to remember a value, in budget at time 2.500 s, "
                  "inc 0 s, movestogo none\n    2 | t = 1"},
        {"max = 1", "mine.lua:2: global 'max' is written; use `local`, or g to remember a value, in budget at time 2.500 s, "
                    "inc 0 s, movestogo none\n    2 | max = 1"},
        {"return idiv(1, c.inc), 1", "mine.lua:2: integer division by zero, in budget at time 2.500 s, inc 0 s, movestogo none\n"
                                     "    2 | return idiv(1, c.inc), 1"},
        {"error('no\\nway')", "mine.lua:2: no way, in budget at time 2.500 s, inc 0 s, movestogo none\n    2 | error('no\\nway')"},
        {"g.t = {}\nreturn 1, 1", "mine.lua: g.t holds a table; g remembers numbers, booleans and texts, in budget at time "
                                  "2.500 s, inc 0 s, movestogo none"},
        {"g[true] = 1\nreturn 1, 1", "mine.lua: g has a boolean as a key; names and numbers are allowed, in budget at time "
                                     "2.500 s, inc 0 s, movestogo none"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct subject s = subject_with(table[i].body);
        struct budget budget;
        cr_assert(s.game != NULL, "%s: %s", table[i].body, s.error.message);
        cr_expect(!budget_at(&s, 2.5, &budget), "%s is no fault", table[i].body);
        expect_message(table[i].body, s.error.message, table[i].message);
        subject_drop(&s);
    }
}

Test(policy, inputs_in_messages_are_exact)
{
    struct subject s = subject_with("return 0/0, 1");
    struct clock_state clock = clock_at(0);
    struct budget budget;
    clock.time = 1;
    clock.inc = 100 * TM_NS_PER_MS;
    clock.has_movestogo = true;
    clock.movestogo = -1;
    cr_expect(!policy_budget(s.game, &clock, &budget, &s.error));
    expect_message("1 ns", s.error.message,
                   "mine.lua:2: budget returned NaN for soft at time 0.000000001 s, inc 0.1 s, movestogo -1\n    2 | return 0/0, 1");
    subject_drop(&s);
}

Test(policy, limits_become_nanoseconds_floors_apply_after_that_the_tighter_counts)
{
    struct subject s = good_subject("return policy { name = 'x', unit = 'ms', floor = { soft = 20, hard = 50 },\n"
                                    "budget = function(c) return c.time / 4, c.time / 5 end }");
    struct budget b;
    cr_assert(budget_at(&s, 1, &b));
    cr_expect(b.raw.soft == 250 && b.raw.hard == 200 && b.floored.soft == 250 && b.floored.hard == 200);
    cr_expect(b.soft_raw == 250000000 && b.hard_floored == 200000000 && b.effective_soft == 200000000);
    cr_assert(budget_at(&s, 0.01, &b));
    cr_expect(b.raw.soft == 2.5 && b.floored.soft == 20 && b.floored.hard == 50);
    cr_expect(b.soft_raw == 2500000 && b.hard_raw == 2000000 && b.soft_floored == 20000000 && b.hard_floored == 50000000);
    cr_expect(b.effective_soft == 20000000 && !b.has_ceiling);
    subject_drop(&s);
}

Test(policy, infinite_limits_are_no_limit_and_negative_ones_stay)
{
    struct subject s = subject_with("return c.time / 2 - 3, huge, 1e300");
    struct budget b;
    cr_assert(budget_at(&s, 1, &b), "%s", s.error.message);
    cr_expect(b.soft_raw == -2500000000 && b.hard_raw == TM_NS_MAX && b.has_ceiling && b.ceiling == 1e300);
    cr_expect_eq(b.effective_soft, -2500000000);
    subject_drop(&s);
    s = subject_with("return -huge, 1");
    cr_assert(budget_at(&s, 1, &b));
    cr_expect_eq(b.soft_raw, INT64_MIN);
    subject_drop(&s);
}

Test(policy, times_come_in_the_units_of_the_file)
{
    static const struct {
        const char *unit;
        double time;
        tm_ns back;
    } table[] = {{"s", 8.4, 8400000000}, {"ms", 8400, 8400000000}, {"cs", 840, 8400000000}, {"node", 4200000, 8400000000}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char text[256];
        snprintf(text, sizeof text, "return policy { name = 'x', unit = '%s', budget = function(c) return c.time, sec(1) end }",
                 table[i].unit);
        struct subject s = good_subject(text);
        struct clock_state clock = clock_at(8.4);
        struct budget b;
        clock.rate = 500000;
        cr_assert(policy_budget(s.game, &clock, &b, &s.error), "%s", s.error.message);
        cr_expect(b.raw.soft == table[i].time && b.soft_raw == table[i].back, "%s: %.17g", table[i].unit, b.raw.soft);
        cr_expect_eq(b.hard_raw, TM_NS_PER_S, "%s: sec(1)", table[i].unit);
        subject_drop(&s);
    }
}

Test(policy, sec_and_ms_know_the_unit_while_the_file_is_read)
{
    struct subject s = good_subject("return policy { name = 'x', unit = 'ms', floor = { soft = sec(0.05), hard = ms(70) },\n"
                                    "budget = function() return 0, 0 end }");
    struct budget b;
    cr_assert(budget_at(&s, 1, &b));
    cr_expect(b.soft_floored == 50000000 && b.hard_floored == 70000000);
    subject_drop(&s);
}

Test(policy, a_node_policy_needs_the_rate)
{
    struct subject s = good_subject("return policy { name = 'x', unit = 'node', budget = function() return 1, 1 end }");
    struct budget b;
    cr_expect(!budget_at(&s, 1, &b));
    expect_message("no rate", s.error.message,
                   "mine.lua: the unit \"node\" needs the node rate, which is not known here at time 1.000 s, inc 0 s, movestogo none");
    subject_drop(&s);
}

Test(policy, every_clock_field_is_there_and_movestogo_keeps_its_sign)
{
    struct subject s = subject_with(
        "assert(c.time == 2 and c.inc == 0.5 and c.base == 60 and c.period_base == 30 and c.period_moves == 40)\n"
        "assert(c.movestogo == -2 and c.ply == 7 and c.moves == 3 and c.opp_time == 9 and c.opp_inc == 0.25)\n"
        "assert(c.lag == 0.05 and c.pieces == 30 and c.phase == 20 and c.legal == 33 and c.rand == 0.5)\n"
        "assert(c.ponder == true and c.threads == 2)\n"
        "return 1, 1");
    struct clock_state clock = {
        .time = 2 * TM_NS_PER_S, .inc = TM_NS_PER_S / 2, .base = 60 * TM_NS_PER_S, .period_base = 30 * TM_NS_PER_S,
        .period_moves = 40, .has_movestogo = true, .movestogo = -2, .ply = 7, .moves = 3, .opp_time = 9 * TM_NS_PER_S,
        .opp_inc = TM_NS_PER_S / 4, .lag = 50 * TM_NS_PER_MS, .pieces = 30, .phase = 20, .legal = 33, .rand = 0.5,
        .ponder = true, .threads = 2};
    struct budget b;
    cr_expect(policy_budget(s.game, &clock, &b, &s.error), "%s", s.error.message);
    subject_drop(&s);
    s = subject_with("assert(c.movestogo == nil and c.period_moves == nil)\nreturn 1, 1");
    cr_expect(budget_at(&s, 1, &b), "%s", s.error.message);
    subject_drop(&s);
}

Test(policy, unknown_signals_are_nil_and_known_ones_are_not)
{
    static const char text[] =
        "return policy { name = 'x', unit = 's', budget = function() return 1, 2 end,\n"
        "limit = function(s, b, p, g)\n"
        "  if s.depth == 1 then\n"
        "    assert(s.score == nil and s.prev_score == nil and s.prev_move_score == nil and s.drop == nil and s.scores == nil)\n"
        "    assert(s.mate == nil and s.nodes == nil and s.share == nil and s.fail_low == nil and s.legal == nil)\n"
        "    assert(s.changes == nil and s.stable == 3 and s.changed == true and s.last_change == 2)\n"
        "  else\n"
        "    assert(s.score == 30 and s.prev_score == 40 and s.drop == 10 and s.prev_move_score == nil)\n"
        "    assert(s.scores[0] == 30 and s.scores[1] == 40 and s.scores[2] == nil and s.mate == -3 and s.prev_mate == nil)\n"
        "    assert(s.nodes == 1000 and s.share == 0.75 and s.fail_low == 1 and s.fail_high == 2 and s.legal == 20)\n"
        "    assert(s.changes == 2 and s.elapsed == 1.5 and s.iteration_start == 1)\n"
        "  end\n"
        "  assert(b.soft == 1 and b.hard == 2 and b.ceiling == nil)\n"
        "  return 7, 8\n"
        "end }";
    struct subject s = good_subject(text);
    const int scores[] = {30, 40};
    struct signals signals = {
        .elapsed = 1500 * TM_NS_PER_MS, .iteration_start = TM_NS_PER_S, .nodes = 1000, .depth = 1, .score = 30,
        .prev_score = 40, .drop = 10, .mate = -3, .changed = true, .changes = 2, .stable = 3, .last_change = 2,
        .share = 0.75, .fail_low = 1, .fail_high = 2, .legal = 20, .scores = scores, .score_count = 2};
    struct budget b;
    tm_ns soft, hard;
    bool given;
    cr_assert(budget_at(&s, 1, &b));
    for (signals.depth = 1; signals.depth <= 2; signals.depth++) {
        signals.known = signals.depth == 1 ? 0 : TM_KNOWS_ALL;
        cr_expect(policy_limit(s.game, &signals, &b, &soft, &hard, &given, &s.error), "%s", s.error.message);
        cr_expect(soft == 7 * TM_NS_PER_S && given && hard == 8 * TM_NS_PER_S);
    }
    subject_drop(&s);
}

Test(policy, a_limit_without_a_value_is_a_fault)
{
    struct subject s = good_subject("return policy { name = 'x', unit = 's', budget = function() return 1, 2 end,\n"
                                    "limit = function(s)\n  local x = s.share * 0\nend }");
    struct signals signals = {.elapsed = 1500 * TM_NS_PER_MS, .depth = 3, .share = 0.5, .known = TM_KNOWS_ALL};
    struct budget b;
    tm_ns soft, hard;
    bool given;
    cr_assert(budget_at(&s, 1, &b));
    cr_expect(!policy_limit(s.game, &signals, &b, &soft, &hard, &given, &s.error));
    expect_message("limit", s.error.message,
                   "mine.lua:4: limit returned nothing for soft at elapsed 1.500 s, depth 3\n    4 | end }");
    subject_drop(&s);
}

static const char counting[] =
    "return policy { name = 'x', unit = 's', budget = function(c, p, g)\n"
    "  g.n = (g.n or 0) + 1\n  g.word = 'w'\n  g.seen = true\n  return g.n, g.finished or 0\nend,\n"
    "finish = function(s, g) g.finished = s.elapsed end }";

Test(policy, g_is_remembered_saved_and_restored)
{
    struct subject s = good_subject(counting);
    struct budget b;
    struct signals signals = {.elapsed = 3 * TM_NS_PER_S, .known = TM_KNOWS_ALL};
    cr_assert(budget_at(&s, 1, &b) && b.raw.soft == 1 && b.raw.hard == 0);
    struct policy_memory *memory = policy_game_save(s.game);
    cr_assert(policy_finish(s.game, &signals, &s.error));
    cr_assert(budget_at(&s, 1, &b) && b.raw.soft == 2 && b.raw.hard == 3);
    policy_game_restore(s.game, memory);
    cr_assert(budget_at(&s, 1, &b) && b.raw.soft == 2 && b.raw.hard == 0, "what finish wrote is forgotten");
    policy_game_restore(s.game, memory);
    cr_assert(budget_at(&s, 1, &b) && b.raw.soft == 2, "a memory can be used again");
    policy_memory_free(memory);
    subject_drop(&s);
}

Test(policy, each_game_starts_with_an_empty_g_and_a_fresh_chunk)
{
    struct subject s = good_subject("local hidden = 0\nreturn policy { name = 'x', unit = 's', budget = function(c, p, g)\n"
                                    "  hidden = hidden + 1\n  g.n = (g.n or 0) + 1\n  return hidden, g.n\nend }");
    struct budget b;
    cr_assert(budget_at(&s, 1, &b) && budget_at(&s, 1, &b) && b.raw.soft == 2 && b.raw.hard == 2);
    policy_game_free(s.game);
    s.game = policy_game_new(s.policy, &s.error);
    cr_assert(budget_at(&s, 1, &b) && b.raw.soft == 1 && b.raw.hard == 1);
    subject_drop(&s);
}

Test(policy, specs_set_parameters)
{
    static const struct {
        const char *spec, *name;
        double value;
    } table[] = {
        {"pool", "overhead", 0.2}, {"pool:overhead=50ms", "overhead", 0.05}, {"pool:moves=30:overhead=0.3s", "moves", 30},
        {"budget:delay=0.05s", "delay", 50}, {DIRECTORY "/pool.lua:scale=0.5", "scale", 0.5}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct policy *policy;
        struct tm_error error = {0};
        cr_assert(policy_load(table[i].spec, DIRECTORY, &policy, &error), "%s: %s", table[i].spec, error.message);
        const struct policy_info *info = policy_info(policy);
        cr_expect_str_eq(info->label, table[i].spec);
        for (int j = 0; j < info->param_count; j++)
            if (strcmp(info->param[j].name, table[i].name) == 0)
                cr_expect(info->param[j].value == table[i].value, "%s: %.17g", table[i].spec, info->param[j].value);
        policy_free(policy);
    }
}

Test(policy, wrong_specs_are_refused)
{
    static const struct {
        const char *spec, *part;
    } table[] = {
        {"smoth", "unknown policy 'smoth'; did you mean smooth?"},
        {"", "unknown policy ''; there are "},
        {"pool:overhed=1s", "policy pool has no parameter 'overhed'; did you mean overhead?"},
        {"smooth:x=1", "policy smooth has no parameter 'x'"},
        {"pool:overhead=200", "200ms or 200s?"},
        {"pool:moves=1000", "pool:moves=1000 is out of range; expected 2 to 100"},
        {"pool:overhead=9s", "pool:overhead=9s is out of range; expected 0 s to 5 s"},
        {"pool:moves=0x20", "pool:moves=0x20: expected a number"},
        {"pool:moves=nan", "pool:moves=nan: expected a number"},
        {"pool:moves=", "pool:moves=: expected a number"},
        {"pool:moves", "pool:moves: expected param=value after ':', found 'moves'"},
        {"pool:", "pool:: expected param=value after ':', found ''"},
        {"pool:moves=30:moves=31", "moves is given twice"},
        {"no/such.lua", "no/such.lua: No such file or directory"},
        {"such.lua", "such.lua: No such file or directory"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct policy *policy = NULL;
        struct tm_error error = {0};
        cr_expect(!policy_load(table[i].spec, DIRECTORY, &policy, &error), "%s was accepted", table[i].spec);
        cr_expect(policy == NULL && error.code == TM_INPUT, "%s", table[i].spec);
        cr_expect(strstr(error.message, table[i].part) != NULL, "%s: %s", table[i].spec, error.message);
    }
}

static void hash_of(const char *spec, char hash[33])
{
    struct policy *policy;
    struct tm_error error = {0};
    cr_assert(policy_load(spec, DIRECTORY, &policy, &error), "%s: %s", spec, error.message);
    strcpy(hash, policy_info(policy)->hash);
    policy_free(policy);
}

Test(policy, the_hash_is_of_text_and_values_not_of_paths_and_labels)
{
    char plain[33], same[33], path[33], other[33];
    hash_of("pool", plain);
    hash_of("pool:moves=40:overhead=200ms", same);
    hash_of(DIRECTORY "/pool.lua", path);
    hash_of("pool:moves=41", other);
    cr_expect_eq(strlen(plain), 32u);
    cr_expect_str_eq(plain, same);
    cr_expect_str_eq(plain, path);
    cr_expect_str_neq(plain, other);
    struct subject a = good_subject("return policy { name = 'x', unit = 's', budget = function() return 1, 1 end }");
    struct subject b = good_subject("return policy { name = 'x', unit = 's', budget = function() return 1, 1 end } ");
    cr_expect_str_neq(policy_info(a.policy)->hash, policy_info(b.policy)->hash);
    subject_drop(&a);
    subject_drop(&b);
}

Test(policy, the_branch_signature_changes_at_the_knee)
{
    struct policy *policy;
    struct tm_error error = {0};
    cr_assert(policy_load("oldtm", DIRECTORY, &policy, &error));
    struct subject s = {policy, policy_game_new(policy, &error), error};
    struct budget below, above, far;
    const struct policy_branch *branch;
    cr_assert(budget_at(&s, 2.399999, &below)); /* T/2 - 1 < T/12 below 2.4 s */
    cr_expect_eq(policy_branches(s.game, &branch), 1);
    cr_expect(branch[0].kind == POLICY_MIN && branch[0].winner == 2);
    char line[128];
    cr_expect(strstr(policy_line(policy, branch[0].line, line, sizeof line), "min(") != NULL, "%s", line);
    cr_assert(budget_at(&s, 2.400001, &above) && budget_at(&s, 60, &far));
    cr_expect_eq(policy_branches(s.game, &branch), 1);
    cr_expect_eq(branch[0].winner, 1);
    cr_expect_neq(below.signature, above.signature);
    cr_expect_eq(above.signature, far.signature);
    subject_drop(&s);
}

Test(policy, each_chooser_notes_line_kind_and_winner)
{
    static const struct policy_branch wanted[] = {
        {2, POLICY_MAX, 3}, {3, POLICY_CLAMP, 2}, {4, POLICY_CLAMP, 3}, {5, POLICY_EQ, 2}, {6, POLICY_WHEN, 1}, {7, POLICY_MIN, 1}};
    struct subject s = subject_with("local a = max(1, 2, 3)\nlocal b = clamp(0, 1, 2)\nlocal d = clamp(5, 1, 2)\n"
                                    "local e = eq(1, 2)\nlocal f = when(true, 1, 2)\nreturn min(1, 1), a + b + d + f");
    struct budget b;
    const struct policy_branch *branch;
    cr_assert(budget_at(&s, 1, &b), "%s", s.error.message);
    cr_assert_eq(policy_branches(s.game, &branch), (int)COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++)
        cr_expect(branch[i].line == wanted[i].line && branch[i].kind == wanted[i].kind && branch[i].winner == wanted[i].winner,
                  "%zu: line %d %s %d", i, branch[i].line, policy_branch_name(branch[i].kind), branch[i].winner);
    cr_expect_eq(b.raw.hard, 3 + 1 + 2 + 1);
    subject_drop(&s);
}

Test(policy, preflight_finds_a_fault_that_only_some_states_have)
{
    static const struct {
        const char *body, *part; /* NULL: passes */
    } table[] = {
        {"return c.time, c.time", NULL},
        {"return c.time / c.movestogo, 1", "(field 'movestogo')"},
        {"return 1, (c.time - c.time) / floor(c.time)", "budget returned NaN for hard at time "},
        {"if c.ply > 40 then error('late') end\nreturn 1, 1", "late, in budget"},
        {"if g.moved and c.moves > 20 then error('remembered') end\ng.moved = true\nreturn 1, 1", "remembered"},
    };
    struct tc tc = {1, {{0, 60 * TM_NS_PER_S, 0}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct subject s = subject_with(table[i].body);
        bool good = policy_preflight(s.policy, &tc, true, &s.error);
        cr_expect_eq(good, !table[i].part, "%s: %s", table[i].body, s.error.message);
        if (table[i].part)
            cr_expect(strstr(s.error.message, table[i].part) && s.error.code == TM_INPUT, "%s", s.error.message);
        subject_drop(&s);
    }
}

/* What is not in g is not restored, and would make a budget depend on what was asked before. */
Test(policy, preflight_refuses_a_memory_outside_of_g)
{
    static const char *const heads[] = {
        "local n = 0\nlocal function f() n = n + 1 end", "local t = { a = { 1 } }\nlocal function f() t.a[1] = t.a[1] + 1 end",
        "local t = {}\nlocal function f() t[#t + 1] = 'x' end", "local b = true\nlocal function f() b = not b and 1 end"};
    struct tc tc = {1, {{0, 60 * TM_NS_PER_S, 0}}};
    for (size_t i = 0; i < COUNT(heads); i++) {
        char text[512];
        snprintf(text, sizeof text, "%s\nreturn policy { name = 'x', unit = 's', budget = function() f() return 1, 1 end }",
                 heads[i]);
        struct subject s = good_subject(text);
        cr_expect(!policy_preflight(s.policy, &tc, true, &s.error), "%s was accepted", heads[i]);
        expect_message(heads[i], s.error.message, "mine.lua: a hook changes a local of the file; only g may remember");
        subject_drop(&s);
    }
}

Test(policy, preflight_accepts_every_policy_that_comes_with_the_program)
{
    static const struct tc table[] = {
        {1, {{0, 60 * TM_NS_PER_S, 0}}},
        {1, {{0, TM_NS_PER_S, 10 * TM_NS_PER_MS}}},
        {2, {{40, 60 * TM_NS_PER_S, TM_NS_PER_S}, {0, 20 * TM_NS_PER_S, TM_NS_PER_S}}},
    };
    char **names;
    size_t count;
    struct tm_error error = {0};
    cr_assert(policy_names(DIRECTORY, &names, &count, &error), "%s", error.message);
    cr_expect_geq(count, 11u);
    for (size_t i = 0; i < count; i++) {
        struct policy *policy;
        cr_assert(policy_load(names[i], DIRECTORY, &policy, &error), "%s", error.message);
        cr_expect_str_eq(policy_info(policy)->name, names[i], "the file is named after the policy");
        cr_expect(*policy_info(policy)->title && *policy_info(policy)->source, "%s has title and source", names[i]);
        for (size_t j = 0; j < COUNT(table); j++)
            cr_expect(policy_preflight(policy, &table[j], true, &error), "%s at %zu: %s", names[i], j, error.message);
        policy_free(policy);
    }
    policy_names_free(names, count);
}
