#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "tmsim/game_play.h"
#include "vclock/rate_time.h"
#include "vclock/trace.h"

#define HEAD "return policy { name = 'test', title = 't', source = 's', unit = 's', params = {}, "
#define PLAIN HEAD "budget = function(c, p, g) return c.time / 60, c.time / 20 end }"

/* 2000 nodes/s at every position: a game of a few virtual seconds costs milliseconds. */
static const char profile_text[] =
    "{\"format\":\"zeitnot.profile/1\",\"name\":\"slow\",\"engine\":\"test\",\"model\":"
    "{\"kind\":\"linear_pieces\",\"intercept\":2000,\"slope_per_piece\":0,\"clamp_pieces\":[2,32]}}";

struct fixture {
    struct profile *profile;
    struct policy *policy[2];
    struct engine *engine[2];
    struct game_rules rules;
    struct game_record record;
};

static struct fixture set_up(const char *tc, const char *white, const char *black)
{
    struct fixture f = { 0 };
    struct tm_error error = { 0 };
    const char *text[2] = { white, black };
    cr_assert(profile_load_text("p", profile_text, sizeof profile_text - 1, &f.profile, &error), "%s", error.message);
    for (int i = 0; i < 2; i++) {
        cr_assert(policy_load_text("test.lua", text[i], strlen(text[i]), &f.policy[i], &error), "%s", error.message);
        f.engine[i] = engine_new(1 << 20, &error);
        cr_assert(f.engine[i] != NULL);
    }
    f.rules = (struct game_rules){ .first_inc = true, .overhead = 10 * TM_NS_PER_MS, .profile = f.profile,
                                   .nps_scale = 1, .seed = 3, .max_plies = 400, .keep_trace = true };
    cr_assert(tc_parse(tc, &f.rules.tc, &error));
    return f;
}

static void play(struct fixture *f)
{
    struct tm_error error = { 0 };
    const struct policy *policies[2] = { f->policy[0], f->policy[1] };
    game_record_clear(&f->record);
    cr_assert(game_play(&f->rules, f->engine, policies, FEN_START, 5, &f->record, &error), "%s", error.message);
}

static void tear_down(struct fixture *f)
{
    game_record_clear(&f->record);
    for (int i = 0; i < 2; i++) {
        engine_free(f->engine[i]);
        policy_free(f->policy[i]);
    }
    profile_free(f->profile);
}

Test(game_play, every_clock_is_the_last_one_less_spend_and_overhead_plus_increment)
{
    struct fixture f = set_up("3+0.05", PLAIN, PLAIN);
    play(&f);
    cr_assert(f.record.move_count > 20, "%d moves, %s", f.record.move_count, game_end_name(f.record.end));
    tm_ns clock[2] = { 3050 * TM_NS_PER_MS, 3050 * TM_NS_PER_MS };
    for (int i = 0; i < f.record.move_count; i++) {
        const struct move_record *m = &f.record.move[i];
        cr_expect(m->clock_before == clock[i % 2], "ply %d", i);
        cr_expect(m->spend == rate_elapsed(2000, m->nodes_used), "ply %d: the spend is the nodes used", i);
        cr_expect(m->overhead == 10 * TM_NS_PER_MS);
        clock[i % 2] -= m->spend + m->overhead;
        if (!m->flagged)
            clock[i % 2] += 50 * TM_NS_PER_MS;
        cr_expect(m->clock_after == clock[i % 2], "ply %d", i);
        cr_expect(m->nodes_used <= m->nodes_asked, "ply %d", i);
        cr_expect(m->reason != TM_HARD || m->nodes_used == m->nodes_asked, "ply %d: the wall is at its node", i);
        cr_expect(m->reason != TM_SOFT || m->spend >= m->soft, "ply %d", i);
    }
    cr_expect(f.record.clock_at_end[0] == clock[0] && f.record.clock_at_end[1] == clock[1]);
    tear_down(&f);
}

static bool same_moves(const struct game_record *a, const struct game_record *b)
{
    if (a->move_count != b->move_count || a->end != b->end || a->white_points != b->white_points)
        return false;
    for (int i = 0; i < a->move_count; i++) {
        const struct move_record *m = &a->move[i], *n = &b->move[i];
        if (strcmp(m->move, n->move) != 0 || m->nodes_used != n->nodes_used || m->spend != n->spend ||
            m->score != n->score || m->depth != n->depth || m->reason != n->reason || m->signature != n->signature ||
            m->trace_size != n->trace_size || memcmp(m->trace, n->trace, m->trace_size) != 0)
            return false;
    }
    return true;
}

Test(game_play, the_same_game_after_other_games_is_the_same_event_for_event)
{
    struct fixture f = set_up("2+0.02", PLAIN, PLAIN);
    play(&f);
    const struct game_record first = f.record;
    f.record = (struct game_record){ 0 };
    f.rules.overhead = 0;
    play(&f);
    cr_expect_not(same_moves(&first, &f.record), "another overhead is another game");
    f.rules.overhead = 10 * TM_NS_PER_MS;
    play(&f);
    cr_expect(same_moves(&first, &f.record));
    struct game_record copy = first;
    game_record_clear(&copy);
    tear_down(&f);
}

Test(game_play, recorded_events_read_again_give_the_same_verdicts)
{
    struct fixture f = set_up("2+0.02", PLAIN, PLAIN);
    struct tm_error error;
    play(&f);
    for (int side = 0; side < 2; side++) {
        struct policy_game *policy = policy_game_new(f.policy[side], &error);
        struct stop stop;
        stop_new_game(&stop, policy, policy_info(f.policy[side]));
        for (int i = side; i < f.record.move_count; i += 2) {
            const struct move_record *m = &f.record.move[i];
            struct rate_time time = { .rate = m->rate, .clock = m->clock_before, .overhead = m->overhead };
            const struct clock_state seen = { .time = m->clock_before, .inc = 20 * TM_NS_PER_MS,
                                              .base = 2 * TM_NS_PER_S, .threads = 1 };
            struct tm_verdict v = stop_begin(&stop, &seen, rate_time_source(&time), false);
            struct trace_reader reader = { .data = m->trace, .size = m->trace_size };
            struct tm_event event;
            while (!v.stop && trace_next(&reader, &event))
                v = stop_read(&stop, &event);
            cr_assert(v.stop && reader.at == reader.size, "ply %d: stops at the last recorded event", i);
            char text[MOVE_TEXT_SIZE];
            cr_expect_str_eq(move_print(text, (move_t)v.move), m->move);
            cr_expect(v.reason == m->reason && v.spend == m->spend && v.fallback == m->fallback, "ply %d", i);
        }
        policy_game_free(policy);
    }
    tear_down(&f);
}

Test(game_play, overhead_alone_flags_when_no_policy_could_survive)
{
    struct fixture f = set_up("1+0", PLAIN, PLAIN);
    f.rules.overhead = 300 * TM_NS_PER_MS;
    play(&f);
    cr_expect(f.record.end == END_FLAG);
    const struct move_record *last = &f.record.move[f.record.move_count - 1];
    cr_expect(last->flagged && last->clock_after < 0);
    cr_expect(f.record.move_count <= 8, "three moves of overhead fit into a second, the fourth does not");
    cr_expect(f.record.loser_side == (f.record.move_count - 1) % 2);
    cr_expect(f.record.white_points == (f.record.loser_side == 0 ? 0 : 2));
    tear_down(&f);
}

Test(game_play, a_policy_without_limits_is_searched_only_until_its_flag_falls)
{
    struct fixture f = set_up("1+0", HEAD "budget = function(c, p, g) return huge, huge end }", PLAIN);
    play(&f);
    cr_expect(f.record.end == END_FLAG && f.record.loser_side == 0 && f.record.move_count == 1);
    const struct move_record *m = &f.record.move[0];
    /* 990 ms are left for nodes: node 1981 ends at 990.5 ms */
    cr_expect(eq(i64, m->nodes_used, 1981));
    cr_expect(m->hard_raw == TM_NS_MAX && m->reason == TM_HARD);
    tear_down(&f);
}

Test(game_play, without_a_budget_one_node_is_searched_and_the_move_is_a_blind_fallback)
{
    struct fixture f = set_up("1+0", HEAD "budget = function(c, p, g) return -1, -1 end }", PLAIN);
    f.rules.max_plies = 1;
    play(&f);
    const struct move_record *m = &f.record.move[0];
    cr_expect(m->blind && m->fallback && m->nodes_used == 1 && m->cap == 1 && m->starved);
    cr_expect(eq(i64, m->hard_raw, -TM_NS_PER_S));
    cr_expect(f.record.end == END_MAX_PLIES && f.record.white_points == 1);
    tear_down(&f);
}

Test(game_play, min_depth_is_finished_before_any_limit_counts)
{
    struct fixture f = set_up("9+0", HEAD "min_depth = 3, budget = function(c, p, g) return 0, 0 end }", PLAIN);
    f.rules.max_plies = 1;
    play(&f);
    const struct move_record *m = &f.record.move[0];
    cr_expect(m->depth == 3 && !m->fallback && m->nodes_used > 20, "depth %d, %lld nodes", m->depth,
              (long long)m->nodes_used);
    tear_down(&f);
}

Test(game_play, a_late_fault_ends_the_game_without_a_score_and_keeps_the_inputs)
{
    struct fixture f = set_up("3+0.1",
        HEAD "budget = function(c, p, g) g.n = (g.n or 0) + 1\n if g.n == 9 then return 0/0, 1 end\n"
        " return c.time/60, c.time/30 end }", PLAIN);
    play(&f);
    cr_expect(f.record.end == END_POLICY_FAULT && f.record.white_points == -1 && f.record.loser_side == 0);
    cr_expect(f.record.move_count == 16, "eight moves each were played");
    cr_expect(strstr(f.record.fault, "NaN") != NULL && strstr(f.record.fault, "at time ") != NULL, "%s", f.record.fault);
    tear_down(&f);
}

Test(game_play, a_quantum_shows_policies_whole_milliseconds)
{
    struct fixture f = set_up("1+0.01",
        "return policy { name = 'test', title = 't', source = 's', unit = 'ms', params = {}, "
        "budget = function(c, p, g) assert(c.time == floor(c.time), 'a fraction of a millisecond') "
        "return c.time / 60, c.time / 20 end }", PLAIN);
    f.rules.max_plies = 60;
    play(&f);
    cr_expect(f.record.end == END_POLICY_FAULT, "without a quantum the clock is exact");
    f.rules.quantum = TM_NS_PER_MS;
    play(&f);
    cr_expect(f.record.end != END_POLICY_FAULT, "%s", f.record.fault ? f.record.fault : "");
    tear_down(&f);
}
