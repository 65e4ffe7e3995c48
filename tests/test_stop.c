#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "vclock/rate_time.h"
#include "vclock/trace.h"

/* One node lasts one millisecond, so that node counts read as times. */
static struct rate_time thousand = { .rate = 1000, .clock = 3600 * TM_NS_PER_S };

static struct tm_event event(enum tm_event_kind kind, int depth, int64_t nodes, uint32_t move, int score)
{
    return (struct tm_event){ .kind = kind, .depth = depth, .nodes = nodes, .move = move, .score = score,
                              .best_nodes = nodes / 2, .legal = 20, .known = TM_KNOWS_ALL };
}

static struct tm_verdict given(struct stop *stop, tm_ns soft, tm_ns hard)
{
    stop_new_game(stop, NULL, NULL);
    return stop_begin_given(stop, soft, hard, rate_time_source(&thousand), false);
}

static struct tm_verdict read_one(struct stop *stop, struct tm_event e) { return stop_read(stop, &e); }

Test(stop, soft_is_read_at_finished_iterations_only)
{
    struct stop stop;
    struct tm_verdict v = given(&stop, 100 * TM_NS_PER_MS, 500 * TM_NS_PER_MS);
    cr_expect(eq(i64, v.next_poll, 500));
    cr_expect_not(read_one(&stop, event(TM_ITERATION, 1, 99, 1, 10)).stop);
    cr_expect_not(read_one(&stop, event(TM_NEW_BEST, 2, 300, 2, 20)).stop, "past soft, but no iteration ends here");
    cr_expect_not(read_one(&stop, event(TM_FAIL_HIGH, 2, 310, 2, 60)).stop);
    v = read_one(&stop, event(TM_ITERATION, 2, 400, 2, 30));
    cr_expect(v.stop && v.reason == TM_SOFT && v.move == 2 && !v.fallback);
    cr_expect(eq(i64, v.spend, 400 * TM_NS_PER_MS));
}

Test(stop, soft_is_reached_at_equality)
{
    struct stop stop;
    given(&stop, 100 * TM_NS_PER_MS, 500 * TM_NS_PER_MS);
    cr_expect(read_one(&stop, event(TM_ITERATION, 1, 100, 1, 0)).stop);
}

Test(stop, a_soft_limit_above_hard_counts_as_hard)
{
    struct stop stop;
    given(&stop, 900 * TM_NS_PER_MS, 200 * TM_NS_PER_MS);
    cr_expect(eq(i64, stop.budget.effective_soft, 200 * TM_NS_PER_MS));
    const struct tm_verdict v = read_one(&stop, event(TM_ITERATION, 3, 200, 1, 0));
    cr_expect(v.stop && v.reason == TM_SOFT);
}

Test(stop, the_wall_ends_the_search_at_the_cap_and_charges_the_nodes_used)
{
    struct stop stop;
    given(&stop, 300 * TM_NS_PER_MS, 300 * TM_NS_PER_MS);
    read_one(&stop, event(TM_ITERATION, 1, 20, 7, 0));
    const struct tm_verdict v = read_one(&stop, event(TM_POLL, 2, 300, 7, 0));
    cr_expect(v.stop && v.reason == TM_HARD && v.move == 7);
    cr_expect(eq(i64, v.spend, 300 * TM_NS_PER_MS));
}

Test(stop, a_newer_best_move_of_the_unfinished_iteration_is_played_at_the_wall)
{
    struct stop stop;
    given(&stop, TM_NS_MAX, 300 * TM_NS_PER_MS);
    read_one(&stop, event(TM_ITERATION, 4, 100, 7, 0));
    read_one(&stop, event(TM_NEW_BEST, 5, 200, 9, 15));
    const struct tm_verdict v = read_one(&stop, event(TM_POLL, 5, 300, 9, 0));
    cr_expect(v.move == 9 && !v.fallback);
}

Test(stop, without_a_finished_iteration_the_move_is_a_counted_fallback)
{
    struct stop stop;
    given(&stop, 0, 0);
    struct tm_verdict v = read_one(&stop, event(TM_POLL, 1, 1, 33, 0));
    cr_expect(v.stop && v.reason == TM_HARD && v.fallback && v.move == 33, "the source's own proposal");
    given(&stop, 50 * TM_NS_PER_MS, 50 * TM_NS_PER_MS);
    read_one(&stop, event(TM_NEW_BEST, 1, 10, 44, 0));
    v = read_one(&stop, event(TM_POLL, 1, 50, 33, 0));
    cr_expect(v.fallback && v.move == 44, "the best root move so far");
}

Test(stop, nothing_reported_past_the_wall_has_happened)
{
    struct stop stop;
    given(&stop, TM_NS_MAX, 300 * TM_NS_PER_MS);
    read_one(&stop, event(TM_ITERATION, 4, 100, 7, 0));
    const struct tm_verdict v = read_one(&stop, event(TM_ITERATION, 5, 301, 9, 50));
    cr_expect(v.stop && v.reason == TM_HARD && v.move == 7);
    cr_expect(eq(i64, v.spend, 301 * TM_NS_PER_MS), "but the nodes were searched and are charged");
}

Test(stop, an_exhausted_search_is_charged_what_it_used)
{
    struct stop stop;
    given(&stop, TM_NS_MAX, TM_NS_MAX);
    read_one(&stop, event(TM_ITERATION, 1, 5, 3, TM_MATE - 1));
    const struct tm_verdict v = read_one(&stop, event(TM_END, 1, 8, 3, TM_MATE - 1));
    cr_expect(v.stop && v.reason == TM_EXHAUSTED && v.move == 3);
    cr_expect(eq(i64, v.spend, 8 * TM_NS_PER_MS));
}

Test(stop, signals_follow_scores_moves_and_failed_windows)
{
    struct stop stop;
    given(&stop, TM_NS_MAX, TM_NS_MAX);
    const struct signals *s = &stop.signals;
    read_one(&stop, event(TM_ITERATION, 1, 10, 5, 40));
    cr_expect(s->prev_score == 40 && s->drop == 0, "at the first iteration the previous score is this one");
    cr_expect(s->stable == 0 && !s->changed && s->last_change == 1 && s->score_count == 1);
    read_one(&stop, event(TM_ITERATION, 2, 30, 5, 55));
    cr_expect(s->stable == 1 && s->drop == -15 && s->prev_score == 40);
    cr_expect(eq(i64, s->iteration_start, 10 * TM_NS_PER_MS));
    read_one(&stop, event(TM_FAIL_LOW, 3, 50, 5, 5));
    cr_expect(s->fail_low == 1 && s->score == 5 && s->drop == 50);
    read_one(&stop, event(TM_NEW_BEST, 3, 60, 6, 10));
    cr_expect(s->changed && s->changes == 1);
    read_one(&stop, event(TM_NEW_BEST, 3, 70, 8, 12));
    cr_expect(s->changes == 2);
    read_one(&stop, event(TM_ITERATION, 3, 90, 8, 12));
    cr_expect(s->changes == 2 && s->changed && s->stable == 0 && s->last_change == 3);
    cr_expect(s->scores[0] == 12 && s->scores[1] == 55 && s->scores[2] == 40 && s->score_count == 3);
    cr_expect(eq(i64, s->iteration_start, 30 * TM_NS_PER_MS));
    cr_expect(eq(dbl, s->share, 0.5));
    read_one(&stop, event(TM_ITERATION, 4, 120, 8, 13));
    cr_expect(s->fail_low == 0 && s->changes == 0 && s->stable == 1 && !s->changed);
}

Test(stop, the_previous_moves_score_is_remembered_for_the_next_move)
{
    struct stop stop;
    struct tm_error error;
    given(&stop, TM_NS_MAX, 300 * TM_NS_PER_MS);
    cr_expect_not(stop.signals.has_prev_move_score);
    read_one(&stop, event(TM_ITERATION, 1, 10, 5, 40));
    read_one(&stop, event(TM_FAIL_LOW, 2, 20, 5, -60));
    const struct tm_verdict v = read_one(&stop, event(TM_POLL, 2, 300, 5, 0));
    cr_expect(stop_finish(&stop, &v, 300, &error));
    stop_begin_given(&stop, TM_NS_MAX, TM_NS_MAX, rate_time_source(&thousand), false);
    cr_expect(stop.signals.has_prev_move_score && stop.signals.prev_move_score == 40, "of the last finished iteration");
}

Test(stop, while_pondering_a_verdict_is_latched_until_the_ponderhit)
{
    struct stop stop;
    stop_new_game(&stop, NULL, NULL);
    stop_begin_given(&stop, 100 * TM_NS_PER_MS, 200 * TM_NS_PER_MS, rate_time_source(&thousand), true);
    cr_expect_not(read_one(&stop, event(TM_ITERATION, 1, 150, 5, 0)).stop);
    cr_expect_not(read_one(&stop, event(TM_ITERATION, 2, 400, 6, 0)).stop);
    const struct tm_verdict v = read_one(&stop, event(TM_PONDERHIT, 2, 450, 0, 0));
    cr_expect(v.stop && v.reason == TM_SOFT && v.move == 6, "the reason is the latched one, the move the newest");
}

Test(stop, a_recorded_stream_gives_the_same_verdicts_again)
{
    const struct tm_event stream[] = {
        event(TM_NEW_BEST, 1, 3, 900, 12), event(TM_ITERATION, 1, 21, 900, -35), event(TM_FAIL_HIGH, 2, 80, 1234567, 85),
        event(TM_NEW_BEST, 2, 97, 65535, 90), event(TM_ITERATION, 2, 140, 65535, 91), event(TM_POLL, 3, 300, 65535, 0),
    };
    struct trace trace = { 0 };
    struct stop live, again;
    given(&live, TM_NS_MAX, 300 * TM_NS_PER_MS);
    given(&again, TM_NS_MAX, 300 * TM_NS_PER_MS);
    for (size_t i = 0; i < sizeof stream / sizeof *stream; i++)
        cr_assert(trace_append(&trace, &stream[i]));
    struct trace_reader reader = { .data = trace.data, .size = trace.size };
    struct tm_event e;
    int count = 0;
    for (; trace_next(&reader, &e); count++) {
        const struct tm_verdict a = stop_read(&live, &stream[count]), b = stop_read(&again, &e);
        cr_expect(a.stop == b.stop && a.reason == b.reason && a.move == b.move && a.spend == b.spend &&
                  a.next_poll == b.next_poll, "event %d", count);
    }
    cr_expect(count == 6 && reader.at == trace.size);
    trace_clear(&trace);
}

Test(stop, a_damaged_trace_ends_instead_of_inventing_events)
{
    struct trace trace = { 0 };
    const struct tm_event e = event(TM_ITERATION, 7, INT64_C(123456789012), 77, -31990);
    cr_assert(trace_append(&trace, &e));
    for (size_t size = 0; size < trace.size; size++) {
        struct trace_reader reader = { .data = trace.data, .size = size };
        struct tm_event out;
        cr_expect_not(trace_next(&reader, &out), "cut to %zu bytes", size);
    }
    struct trace_reader reader = { .data = trace.data, .size = trace.size };
    struct tm_event out;
    cr_assert(trace_next(&reader, &out));
    cr_expect(out.kind == e.kind && out.depth == 7 && out.nodes == INT64_C(123456789012) && out.move == 77 &&
              out.score == -31990 && out.best_nodes == e.best_nodes && out.legal == 20 && out.known == TM_KNOWS_ALL);
    trace_clear(&trace);
}
