/* Players with a time control of their own. */
#include <criterion/criterion.h>
#include <string.h>

#include "tmsim/player.h"

#define DIRECTORY ZEITNOT_DATA_SOURCE "/policies"

Test(player, a_control_is_taken_out_of_a_spec_wherever_it_stands)
{
    static const struct { const char *spec, *label, *tc; double moves; } table[] = {
        { "pool:tc=20+0.2", "pool:tc=20+0.2", "20+0.2", 40 },
        { "pool:tc=20+0.2:moves=30", "pool:moves=30:tc=20+0.2", "20+0.2", 30 },
        { "pool:moves=30:tc=1:30+1", "pool:moves=30:tc=90+1", "90+1", 30 },
        { "pool:tc=1:30+1:moves=30", "pool:moves=30:tc=90+1", "90+1", 30 },
        { "pool:tc=40/1:00+0.6,0:20", "pool:tc=40/60+0.6,20+0", "40/60+0.6,20+0", 40 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct policy *policy;
        struct tm_error error = { 0 };
        char text[TC_TEXT_SIZE];
        cr_assert(player_load(table[i].spec, DIRECTORY, &policy, &error), "%s: %s", table[i].spec, error.message);
        const struct policy_info *info = policy_info(policy);
        cr_expect_str_eq(info->label, table[i].label);
        cr_assert(info->tc, "%s: no control", table[i].spec);
        cr_expect_str_eq(tc_print(text, info->tc), table[i].tc);
        for (int k = 0; k < info->param_count; k++)
            if (strcmp(info->param[k].name, "moves") == 0)
                cr_expect(info->param[k].value == table[i].moves, "%s: moves %g", table[i].spec, info->param[k].value);
        policy_free(policy);
    }
}

Test(player, the_control_is_part_of_what_a_player_is)
{
    static const char *const specs[] = { "pool", "pool:tc=60", "pool:tc=60+1" };
    struct policy *policy[3];
    struct tm_error error;
    const struct tc match = { .count = 1, .period = { { .base = TM_NS_PER_S } } };
    for (int i = 0; i < 3; i++)
        cr_assert(player_load(specs[i], DIRECTORY, &policy[i], &error));
    cr_expect_str_neq(policy_info(policy[0])->hash, policy_info(policy[1])->hash);
    cr_expect_str_neq(policy_info(policy[1])->hash, policy_info(policy[2])->hash);
    cr_expect(player_tc(policy[0], &match) == &match);
    cr_expect(player_tc(policy[1], &match)->period[0].base == 60 * TM_NS_PER_S);
    for (int i = 0; i < 3; i++)
        policy_free(policy[i]);
}

Test(player, faults_name_the_policy_and_what_was_expected)
{
    static const struct { const char *spec, *fault; } table[] = {
        { "pool:tc=", "policy 'pool:tc=': " },
        { "pool:tc=10+", "policy 'pool:tc=10+': " },
        { "pool:tc=1:2:3", "policy 'pool:tc=1:2:3': " },
        { "pool:tc=10:tc=20", "tc is given twice" },
        { "pool:tc=10:mvoes=3", "no parameter 'mvoes'" },
        { "nosuch:tc=10", "nosuch" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct policy *policy;
        struct tm_error error = { 0 };
        cr_expect(!player_load(table[i].spec, DIRECTORY, &policy, &error), "%s was accepted", table[i].spec);
        cr_expect(error.code == TM_INPUT && strstr(error.message, table[i].fault), "%s: %s", table[i].spec, error.message);
    }
}

/* A file's own parameter of that name could never be set. */
Test(player, no_policy_may_call_a_parameter_tc)
{
    static const char text[] = "return policy { name = 'x', title = 'x', source = 'x', unit = 's',\n"
                               "params = { tc = { 1 } }, budget = function(c, p, g) return 1, 2 end }";
    struct policy *policy;
    struct tm_error error = { 0 };
    cr_expect(!policy_load_text("x.lua", text, strlen(text), &policy, &error));
    cr_expect(strstr(error.message, "the name tc is taken"), "%s", error.message);
}
