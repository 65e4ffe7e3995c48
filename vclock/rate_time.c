/* Nodes to time and back without rounding drift: 128-bit integers, since nodes * 10^9 leaves 64 bits at 9 * 10^9. */
#include "vclock/rate_time.h"

__extension__ typedef __int128 wide;

static int64_t narrow(wide value) { return value > INT64_MAX ? INT64_MAX : (int64_t)value; }

tm_ns rate_elapsed(int64_t rate, int64_t nodes)
{
    return narrow(((wide)2 * nodes * TM_NS_PER_S + rate) / ((wide)2 * rate));
}

int64_t rate_cap(int64_t rate, tm_ns hard)
{
    if (hard == TM_NS_MAX)
        return INT64_MAX;
    const int64_t nodes = hard <= 0 ? 0 : narrow((wide)hard * rate / TM_NS_PER_S);
    return nodes < 1 ? 1 : nodes;
}

int64_t rate_flag_node(const struct rate_time *time)
{
    const wide allowed = (wide)time->clock - time->overhead - time->stall;
    if (allowed < 0)
        return 1;
    /* elapsed(n) > allowed  <=>  n * 10^9 / rate + 1/2 >= allowed + 1 */
    const wide half = 2 * (wide)TM_NS_PER_S;
    const int64_t nodes = narrow(((2 * allowed + 1) * time->rate + half - 1) / half);
    return nodes < 1 ? 1 : nodes;
}

static tm_ns source_elapsed(void *ctx, int64_t nodes)
{
    const struct rate_time *time = ctx;
    return ns_add(time->stall, rate_elapsed(time->rate, nodes));
}

static int64_t round_up(int64_t nodes, int64_t step)
{
    if (step <= 1)
        return nodes;
    return narrow(((wide)nodes + step - 1) / step * step);
}

/* Where the wall is seen; never past the node at which the flag falls, since nothing beyond it matters. */
static int64_t source_next_poll(void *ctx, tm_ns hard, int64_t nodes)
{
    (void)nodes;
    const struct rate_time *time = ctx;
    const tm_ns left = hard == TM_NS_MAX ? hard : ns_add(hard, -time->stall);
    const int64_t wall = round_up(rate_cap(time->rate, left), time->poll);
    const int64_t flag = rate_flag_node(time);
    return wall < flag ? wall : flag;
}

struct tm_time rate_time_source(struct rate_time *time)
{
    return (struct tm_time){ .ctx = time, .elapsed = source_elapsed, .next_poll = source_next_poll };
}
