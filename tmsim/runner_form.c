/* Elo, nElo, LOS, Ptnml and LLR in the familiar lines; what is undefined is called so. */
#include "tmsim/runner_form.h"

#include <stdio.h>

#include "tmsim/rank_internal.h"

/* "12.34", "inf", "undefined". Returns `buffer`. */
static const char *number(char buffer[static 32], struct estimate value, int decimals)
{
    if (value.gap == STATS_PLUS_INFINITY || value.gap == STATS_MINUS_INFINITY)
        snprintf(buffer, 32, "%s", value.gap == STATS_PLUS_INFINITY ? "inf" : "-inf");
    else if (value.gap != STATS_DEFINED)
        snprintf(buffer, 32, "undefined");
    else
        snprintf(buffer, 32, "%.*f", decimals, value.value);
    return buffer;
}

static bool is_infinite(struct estimate end) { return end.gap == STATS_PLUS_INFINITY || end.gap == STATS_MINUS_INFINITY; }

/* Half the length of the interval, as all runners show it; infinite or undefined where an end is. */
static struct estimate half_width(const struct elo_stats *stats)
{
    if (is_infinite(stats->elo_lo) || is_infinite(stats->elo_hi))
        return (struct estimate){ .gap = STATS_PLUS_INFINITY };
    if (stats->elo_lo.gap != STATS_DEFINED)
        return stats->elo_lo;
    return (struct estimate){ (stats->elo_hi.value - stats->elo_lo.value) / 2, STATS_DEFINED };
}

static struct estimate percent(struct estimate share)
{
    share.value *= 100;
    return share;
}

static void print_test(const struct runner_form *form, FILE *stream)
{
    static const char *const verdicts[] = {
        [SPRT_CONTINUE] = "undecided", [SPRT_H0] = "H0 was accepted", [SPRT_H1] = "H1 was accepted",
    };
    const struct sprt *sprt = form->sprt;
    const struct sequential_state *state = form->sequential;
    fprintf(stream, "LLR: %.2f (%.2f, %.2f) [%.2f, %.2f] %s; %s after %d pairs\n", state->llr, sprt_lower(sprt),
            sprt_upper(sprt), sprt->elo0, sprt->elo1, sprt_model_name(sprt->model), verdicts[state->verdict], state->pairs);
    if (sprt->overshoot)
        fprintf(stream, "Bounds moved inwards by the overshoot seen: %.3f below, %.3f above\n", state->shift[0], state->shift[1]);
    if (state->void_pairs || state->repeated_pairs)
        fprintf(stream, "Not counted: %d void pairs, %d pairs that repeat an earlier one\n", state->void_pairs,
                state->repeated_pairs);
    if (state->verdict == SPRT_CONTINUE)
        return;
    const struct sprt_estimate estimate = sprt_estimate(sprt, form->count, 5);
    fprintf(stream, "Estimate after the stop (median-unbiased): Elo %.2f [%.2f, %.2f], LOS %.2f %%.\n"
            "The test decides; for a measurement play a fixed number of rounds.\n", estimate.elo, estimate.elo_lo, estimate.elo_hi,
            100 * estimate.los);
}

void runner_form_print(const struct runner_form *form, FILE *stream)
{
    const struct elo_stats stats = stats_elo(form->count, 5);
    const int64_t *c = form->count;
    char a[32], b[32], d[32], e[32];
    fprintf(stream, "Results of %s vs %s (%s, virtual clock):\n", form->player, form->opponent, form->tc);
    fprintf(stream, "Elo: %s +/- %s, nElo: %s +/- %s%s\n", number(a, stats.elo, 2), number(b, half_width(&stats), 2),
            number(d, stats.nelo, 2), number(e, stats.nelo_half, 2),
            form->sequential && form->sequential->verdict != SPRT_CONTINUE ? " (biased by the stop)" : "");
    fprintf(stream, "LOS: %s %%, DrawRatio: %s %%, PairsRatio: %s\n", number(a, percent(stats.los), 2),
            number(b, percent(stats.draw_ratio), 2), number(d, stats.pairs_ratio, 2));
    fprintf(stream, "Games: %lld, Points: %.1f (%s %%)\n", 2 * (long long)stats.samples,
            stats.score.value * 2 * (double)stats.samples, number(a, percent(stats.score), 2));
    fprintf(stream, "Ptnml(0-2): [%lld, %lld, %lld, %lld, %lld]\n", (long long)c[0], (long long)c[1], (long long)c[2],
            (long long)c[3], (long long)c[4]);
    if (form->sprt)
        print_test(form, stream);
}

static void print_ranking(const struct ranking *ranking, FILE *stream)
{
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        if (row->is_baseline || !row->measured || row->elo.samples == 0 || (ranking->baseline < 0 && i > 0 && ranking->count == 2))
            continue;
        const struct runner_form form = {
            .player = row->label,
            .opponent = ranking->baseline >= 0 ? ranking->row[ranking->baseline].label
                        : ranking->count == 2 ? ranking->row[1 - i].label : "the pool of the others",
            .tc = ranking->tc,
            .count = row->pair_count,
        };
        fputc('\n', stream);
        runner_form_print(&form, stream);
    }
}

bool runner_form_print_run(struct store *store, int64_t run, FILE *stream, struct tm_error *error)
{
    const struct rank_options options = { .format = TABLE_TEXT };
    struct ranking ranking;
    const bool ok = rank_read(store, run, &options, &ranking, error);
    if (ok) {
        rank_judge(&ranking);
        print_ranking(&ranking, stream);
    }
    ranking_clear(&ranking);
    return ok;
}
