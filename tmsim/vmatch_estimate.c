/* The measurement plays the first pairs of every pairing and control in turn, with all workers. */
#include "tmsim/vmatch_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "tmsim/progress.h"
#include "tmsim/stats.h"

enum { MOST_JOBS = 4000, LEAST_PAIRS = 20 };

/* Bytes of a stored move, of a game without its moves and of a store without games: measured on a store of 600 games
   with 73949 moves (113 bytes a move, 76 a game), rounded up. */
static const double bytes_a_move = 120, bytes_a_game = 100, bytes_a_store = 1e5;
/* Variance of a pair's score with a balanced book, where it has not been measured: guess, between common values. */
static const double typical_variance = 0.05;
/* Normal quantiles: 97.5 % and 80 %. */
static const double detection = 1.959963984540054 + 0.8416212335729143;

struct measurement {
    struct timespec start;
    double limit_s, cpu_s, moves, trace_bytes;
    int games, pairs;
    double sum, squares, first_leg; /* of pair scores, from player 0 */
};

static double elapsed(const struct measurement *m)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - m->start.tv_sec) + (double)(now.tv_nsec - m->start.tv_nsec) * 1e-9;
}

static enum match_wish measure_game(void *ctx, const struct match_job *job, struct game_record *record,
                                    struct tm_error *error)
{
    struct measurement *m = ctx;
    (void)error;
    m->games++;
    m->cpu_s += (double)record->cpu_ns * 1e-9;
    m->moves += record->move_count;
    for (int i = 0; i < record->move_count; i++)
        m->trace_bytes += (double)record->move[i].trace_size;
    const double score = (record->white == 0 ? record->white_points : 2 - record->white_points) / 4.0;
    if (job->leg == 0) {
        m->first_leg = record->white_points < 0 ? NAN : score;
    } else if (record->white_points >= 0 && !isnan(m->first_leg)) {
        m->pairs++;
        m->sum += m->first_leg + score;
        m->squares += (m->first_leg + score) * (m->first_leg + score);
    }
    return elapsed(m) >= m->limit_s ? MATCH_ENOUGH : MATCH_MORE;
}

static bool is_wanted(const struct vmatch_plan *plan, int a, int b)
{
    return plan->baseline < 0 || plan->baseline == a || plan->baseline == b;
}

static int count_pairings(const struct vmatch_plan *plan)
{
    int count = 0;
    for (int a = 0; a < plan->policy_count; a++)
        for (int b = a + 1; b < plan->policy_count; b++)
            count += is_wanted(plan, a, b);
    return count;
}

static int fill_jobs(const struct vmatch_plan *plan, struct match_job *job)
{
    int count = 0;
    for (int pair = 0; pair < plan->rounds && count < MOST_JOBS; pair++)
        for (int tc = 0; tc < plan->tc_count; tc++)
            for (int a = 0; a < plan->policy_count; a++)
                for (int b = a + 1; b < plan->policy_count; b++)
                    for (int leg = 0; is_wanted(plan, a, b) && leg < 2 && count < MOST_JOBS; leg++)
                        job[count++] = (struct match_job){
                            .rules = &plan->rules[tc], .player = { plan->policy[a], plan->policy[b] },
                            .arm = { plan->arm[a], plan->arm[b] }, .run = tc, .pair = pair,
                            .leg = leg, .fen = book_opening(plan->book, plan->order, plan->rules[tc].seed, pair),
                        };
    return count;
}

static void extrapolate(const struct vmatch_plan *plan, const struct measurement *m, struct vmatch_estimate *out)
{
    const double games = m->games > 0 ? m->games : 1, total = (double)out->games;
    out->measured = m->games;
    out->seconds = elapsed(m);
    out->cpu_s = m->cpu_s / games * total;
    out->wall_s = out->seconds / games * total;
    out->moves = m->moves / games * total;
    out->bytes = out->moves * bytes_a_move + total * bytes_a_game + bytes_a_store + m->trace_bytes / games * total;
    out->variance_measured = m->pairs >= LEAST_PAIRS;
    out->pair_variance = typical_variance;
    if (out->variance_measured)
        out->pair_variance = fmax(m->squares / m->pairs - m->sum / m->pairs * (m->sum / m->pairs), 1e-4);
    const struct estimate elo = stats_score_to_elo(0.5 + detection * sqrt(out->pair_variance / plan->rounds));
    out->elo = elo.gap == STATS_DEFINED ? elo.value : INFINITY;
}

bool vmatch_estimate(const struct vmatch_plan *plan, double seconds, const atomic_bool *interrupted,
                     struct vmatch_estimate *out, struct tm_error *error)
{
    struct measurement m = { .limit_s = seconds };
    struct match_job *jobs = calloc(MOST_JOBS, sizeof *jobs);
    if (!jobs)
        return error_fail(error, TM_INTERNAL, "out of memory for the measurement");
    *out = (struct vmatch_estimate){ .pairings = (int64_t)count_pairings(plan) * plan->tc_count,
                                     .openings_needed = plan->rounds, .openings = book_size(plan->book) };
    out->games = out->pairings * plan->rounds * 2;
    clock_gettime(CLOCK_MONOTONIC, &m.start);
    const bool ok = match_run(jobs, fill_jobs(plan, jobs), plan->concurrency, (size_t)VMATCH_HASH_MB << 20, interrupted,
                              measure_game, &m, error);
    extrapolate(plan, &m, out);
    free(jobs);
    return ok;
}

static const struct table_column columns[] = {
    { "games", "games", "", TABLE_RIGHT, 0, false },
    { "pairings", "pairings", "", TABLE_RIGHT, 0, false },
    { "cpu_h", "CPU", "hours", TABLE_RIGHT, 3, false },
    { "wall_h", "here", "hours", TABLE_RIGHT, 3, false },
    { "detectable_elo", "detectable", "Elo", TABLE_RIGHT, 1, false },
    { "store_mb", "store", "MB", TABLE_RIGHT, 1, false },
    { "openings_needed", "openings", "needed", TABLE_RIGHT, 0, false },
    { "openings", "openings", "in the book", TABLE_RIGHT, 0, false },
    { .key = "measured_games" },
    { .key = "measured_s" },
    { .key = "pair_variance" },
    { .key = "pair_variance_measured" },
};

bool vmatch_estimate_print(const struct vmatch_estimate *e, enum table_format format, FILE *stream)
{
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    const struct table_frame frame = { .schema = "tmsim.plan/1" };
    if (!table)
        return false;
    table_row(table);
    table_integer(table, 0, e->games);
    table_integer(table, 1, e->pairings);
    table_real(table, 2, e->cpu_s / 3600);
    table_real(table, 3, e->wall_s / 3600);
    if (isfinite(e->elo))
        table_real(table, 4, e->elo);
    else
        table_undefined(table, 4, "too few rounds");
    table_real(table, 5, e->bytes / 1e6);
    table_integer(table, 6, e->openings_needed);
    table_integer(table, 7, e->openings);
    table_integer(table, 8, e->measured);
    table_real(table, 9, e->seconds);
    table_real(table, 10, e->pair_variance);
    table_bool(table, 11, e->variance_measured);
    const bool ok = table_print(table, format, &frame, stream);
    if (ok && format == TABLE_TEXT)
        fprintf(stream, "\nNothing was stored. Measured: %d game%s in %.1f s. Detectable: with 80 %% probability at a 5 "
                        "%% level, two-sided, each pairing by itself, from a pair's variance of %.4f (%s).\n",
                        e->measured, e->measured == 1 ? "" : "s", e->seconds, e->pair_variance,
                        e->variance_measured ? "measured" : "a typical value, too few pairs were played");
    table_free(table);
    return ok;
}
