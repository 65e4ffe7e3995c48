/* Does an engine's patch for the node clock do what it must? With VirtualNps set its time manager reads
   nodes * 1000 / VirtualNps wherever it read elapsed milliseconds, and nothing else changes. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/bench.h"
#include "tmsim/engine_check_internal.h"

static const int positions[] = { 1, 3, 4, 7, 24, 31 };

enum { POSITIONS = sizeof positions / sizeof *positions, SLACK = 4096 /* nodes between two looks at the clock */ };

static bool set_rate(struct checker *checker, int64_t rate)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, rate);
    return client_set(checker->client, "VirtualNps", text, checker->error);
}

/* The sum of the nodes over the positions, or -1 if some are unknown. */
static bool sum_nodes(struct checker *checker, int64_t rate, const char *go, int count, int64_t *sum, int64_t *most)
{
    struct probe probe;
    *sum = *most = 0;
    if (!set_rate(checker, rate))
        return false;
    for (int i = 0; i < count; i++) {
        if (!checker_probe(checker, bench_position(positions[i]), NULL, go, true, &probe))
            return false;
        if (probe.answer.nodes < 0 || *sum < 0)
            *sum = -1;
        else
            *sum += probe.answer.nodes;
        *most = probe.answer.nodes > *most ? probe.answer.nodes : *most;
    }
    return true;
}

static const char minute[] = "go wtime 60000 btime 60000 winc 0 binc 0";

static bool check_same(struct checker *checker)
{
    struct probe first, again;
    if (!set_rate(checker, 20000) || !checker_probe(checker, bench_position(1), NULL, minute, true, &first) ||
        !checker_probe(checker, bench_position(1), NULL, minute, true, &again))
        return false;
    const bool known = first.answer.nodes >= 0;
    checker_note(checker, "same clock", known && probe_equal(&first, &again) ? FINDING_PASS : FINDING_FAIL,
                 known ? "it still reads a real clock somewhere" : "without node counts nothing can be charged",
                 "%" PRId64 " nodes, then %" PRId64, first.answer.nodes, again.answer.nodes);
    return true;
}

static bool check_ratio(struct checker *checker, const char *check, const char *go, int64_t rate, int factor,
                        const char *meaning)
{
    int64_t one, more, most;
    if (!sum_nodes(checker, rate, go, POSITIONS, &one, &most) ||
        !sum_nodes(checker, rate * factor, go, POSITIONS, &more, &most))
        return false;
    const double ratio = one > 0 ? (double)more / (double)one : 0;
    /* Iterations are coarse: a budget twice as long ends at another place of the same ladder. */
    const bool ok = ratio > 0.65 * factor && ratio < 1.5 * factor;
    checker_note(checker, check, ok ? FINDING_PASS : FINDING_FAIL, meaning,
                 "%d times the rate, %.2f times the nodes (%" PRId64 ", %" PRId64 ")", factor, ratio, one, more);
    return true;
}

static bool check_movetime(struct checker *checker)
{
    int64_t used[2], most;
    for (int i = 0; i < 2; i++)
        if (!sum_nodes(checker, 20000 << i, "go movetime 500", 1, &used[i], &most))
            return false;
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        const int64_t expected = INT64_C(10000) << i;
        ok = ok && used[i] >= expected * 8 / 10 && used[i] <= expected * 11 / 10 + SLACK;
    }
    checker_note(checker, "movetime", ok ? FINDING_PASS : FINDING_FAIL, "movetime must stay milliseconds",
                 "500 ms at 20000 and 40000 nodes/s: %" PRId64 " and %" PRId64 " nodes, expected 10000 and 20000",
                 used[0], used[1]);
    return true;
}

static bool check_short_clock(struct checker *checker)
{
    int64_t sum, most;
    if (!sum_nodes(checker, 100000, "go wtime 200 btime 200 winc 0 binc 0", POSITIONS, &sum, &most))
        return false;
    checker_note(checker, "short clock", most <= 20000 + SLACK ? FINDING_PASS : FINDING_FAIL,
                 "it would flag: its constants in ms are read as nodes, or its cap is",
                 "200 ms at 100000 nodes/s: %" PRId64 " nodes at most, 20000 are a flag", most);
    return true;
}

static bool check_off(struct checker *checker)
{
    struct probe probe;
    if (!set_rate(checker, 0) || !checker_probe(checker, bench_position(1), NULL, "go movetime 50", true, &probe))
        return false;
    checker_note(checker, "rate 0", probe.answer.wall < TM_NS_PER_S ? FINDING_PASS : FINDING_WARN,
                 "0 must switch it off", "movetime 50 took %.0f ms", (double)probe.answer.wall / 1e6);
    return true;
}

bool checker_node_clock(struct checker *checker)
{
    if (!client_option(checker->client, "VirtualNps")) {
        checker_note(checker, "VirtualNps", FINDING_FAIL,
                     "it cannot play on the node clock; a policy may drive it: policy=NAME,clock=cold", "no such option");
        return true;
    }
    return check_same(checker) &&
           check_ratio(checker, "doubled rate", minute, 20000, 2, "nodes must follow from rate * time alone") &&
           check_ratio(checker, "tenfold rate", "go wtime 2000 btime 2000 winc 100 binc 100", 20000, 10,
                       "constants in ms must stay ms, not become nodes") &&
           check_movetime(checker) && check_short_clock(checker) && check_off(checker);
}
