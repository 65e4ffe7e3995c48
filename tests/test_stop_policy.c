#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "vclock/rate_time.h"

/* What a policy's file says about reading limits: stop, min_depth, abort, limit, finish. One node is a millisecond. */

static struct rate_time thousand = { .rate = 1000, .clock = 3600 * TM_NS_PER_S };

struct bench {
    struct policy *policy;
    struct policy_game *game;
    struct stop stop;
};

static struct bench with(const char *fields)
{
    char text[2048];
    struct bench b;
    struct tm_error error = { 0 };
    snprintf(text, sizeof text, "return policy { name = 't', title = 't', source = 's', unit = 'ms', params = {}, %s }", fields);
    cr_assert(policy_load_text("t.lua", text, strlen(text), &b.policy, &error), "%s", error.message);
    b.game = policy_game_new(b.policy, &error);
    cr_assert(b.game != NULL, "%s", error.message);
    return b;
}

static struct tm_verdict begin(struct bench *b)
{
    const struct clock_state clock = { .time = 60 * TM_NS_PER_S, .base = 60 * TM_NS_PER_S, .legal = 20, .threads = 1 };
    stop_new_game(&b->stop, b->game, policy_info(b->policy));
    return stop_begin(&b->stop, &clock, rate_time_source(&thousand), false);
}

static void end(struct bench *b)
{
    policy_game_free(b->game);
    policy_free(b->policy);
}

static struct tm_verdict feed(struct bench *b, enum tm_event_kind kind, int depth, int64_t nodes, uint32_t move, int score)
{
    const struct tm_event e = { .kind = kind, .depth = depth, .nodes = nodes, .move = move, .score = score,
                                .best_nodes = nodes, .legal = 20, .known = TM_KNOWS_ALL };
    return stop_read(&b->stop, &e);
}

Test(stop_policy, event_policies_read_soft_at_every_event_after_depth_one_but_not_at_polls)
{
    struct bench b = with("stop = 'event', budget = function(c, p, g) return 100, 1000 end");
    begin(&b);
    cr_expect_not(feed(&b, TM_NEW_BEST, 1, 150, 5, 0).stop, "depth 1 is not read");
    cr_expect_not(feed(&b, TM_ITERATION, 1, 160, 5, 0).stop);
    cr_expect_not(feed(&b, TM_POLL, 2, 170, 5, 0).stop, "or a live clock would read more often than a virtual one");
    const struct tm_verdict v = feed(&b, TM_FAIL_LOW, 2, 180, 5, -40);
    cr_expect(v.stop && v.reason == TM_SOFT && v.move == 5);
    end(&b);
}

Test(stop_policy, min_depth_hides_both_limits_until_that_depth_has_finished)
{
    struct bench b = with("min_depth = 3, budget = function(c, p, g) return 10, 20 end");
    cr_expect(begin(&b).next_poll > 1000000, "only the flag is in sight");
    cr_expect_not(feed(&b, TM_ITERATION, 1, 30, 5, 0).stop);
    cr_expect_not(feed(&b, TM_ITERATION, 2, 60, 5, 0).stop);
    const struct tm_verdict v = feed(&b, TM_ITERATION, 3, 90, 6, 0);
    cr_expect(v.stop && v.move == 6);
    cr_expect(eq(i64, v.spend, 90 * TM_NS_PER_MS), "its nodes are charged");
    end(&b);
}

Test(stop_policy, after_min_depth_the_wall_is_back)
{
    struct bench b = with("min_depth = 2, budget = function(c, p, g) return 500, 500 end");
    begin(&b);
    feed(&b, TM_ITERATION, 1, 30, 5, 0);
    cr_expect(eq(i64, feed(&b, TM_ITERATION, 2, 60, 5, 0).next_poll, 500));
    end(&b);
}

Test(stop_policy, abort_finished_keeps_the_move_of_the_finished_iteration)
{
    struct bench keeps = with("abort = 'finished', budget = function(c, p, g) return 300, 300 end");
    struct bench newer = with("budget = function(c, p, g) return 300, 300 end");
    struct bench *benches[] = { &keeps, &newer };
    for (int i = 0; i < 2; i++) {
        begin(benches[i]);
        feed(benches[i], TM_ITERATION, 1, 30, 5, 0);
        feed(benches[i], TM_NEW_BEST, 2, 200, 9, 20);
        cr_expect(feed(benches[i], TM_POLL, 2, 300, 9, 0).move == (i == 0 ? 5 : 9));
        end(benches[i]);
    }
}

Test(stop_policy, limit_moves_soft_and_hard_once_per_reading)
{
    struct bench b = with("budget = function(c, p, g) g.n = 0 return 100, 1000 end,"
                          "limit = function(s, b, p, g) g.n = g.n + 1; if s.drop > 20 then return 4 * b.soft, 600 end "
                          "if g.n == 4 then error('a fourth reading') end return b.soft end");
    begin(&b);
    cr_expect_not(feed(&b, TM_ITERATION, 1, 50, 5, 30).stop);
    struct tm_verdict v = feed(&b, TM_ITERATION, 2, 150, 5, 0);
    cr_expect_not(v.stop, "the score fell: four times soft");
    cr_expect(eq(i64, v.next_poll, 600), "and an earlier wall");
    v = feed(&b, TM_ITERATION, 3, 160, 5, 0);
    cr_expect(v.stop && v.reason == TM_SOFT, "soft is computed anew, not multiplied on");
    end(&b);
}

Test(stop_policy, huge_from_limit_means_go_on)
{
    struct bench b = with("budget = function(c, p, g) return 1, 1000 end, limit = function(s, b, p, g) return huge end");
    begin(&b);
    cr_expect_not(feed(&b, TM_ITERATION, 9, 999, 5, 0).stop);
    cr_expect(feed(&b, TM_POLL, 10, 1000, 5, 0).reason == TM_HARD);
    end(&b);
}

Test(stop_policy, a_fault_in_limit_is_a_verdict)
{
    struct bench b = with("budget = function(c, p, g) return 100, 1000 end, limit = function(s, b, p, g) return 0/0 end");
    begin(&b);
    const struct tm_verdict v = feed(&b, TM_ITERATION, 1, 50, 5, 0);
    cr_expect(v.stop && v.reason == TM_POLICY_FAULT);
    cr_expect(strstr(b.stop.error.message, "NaN") != NULL, "%s", b.stop.error.message);
    end(&b);
}

Test(stop_policy, finish_sees_the_charged_values_and_remembers_in_g)
{
    struct bench b = with("budget = function(c, p, g) return g.last or 100, 1000 end,"
                          "finish = function(s, g, p) g.last = 2 * s.elapsed end");
    struct tm_error error;
    begin(&b);
    const struct tm_verdict v = feed(&b, TM_ITERATION, 1, 130, 5, 0);
    cr_assert(stop_finish(&b.stop, &v, 130, &error), "%s", error.message);
    begin(&b);
    cr_expect(eq(i64, b.stop.budget.soft_raw, 260 * TM_NS_PER_MS));
    end(&b);
}

Test(stop_policy, blind_is_raw_hard_at_or_below_the_floor_or_not_positive)
{
    static const struct {
        const char *fields;
        bool blind;
    } cases[] = {
        { "floor = 50, budget = function() return 10, 50 end", true },
        { "floor = 50, budget = function() return 10, 50.001 end", false },
        { "floor = 50, budget = function() return 10, -5 end", true },
        { "budget = function() return max(10, 50), max(5, 50) end", false },
        { "budget = function() return 1, 0 end", true },
        { "floor = { soft = 50 }, budget = function() return 10, 20 end", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b = with(cases[i].fields);
        begin(&b);
        cr_expect(b.stop.blind == cases[i].blind, "%s", cases[i].fields);
        end(&b);
    }
}
