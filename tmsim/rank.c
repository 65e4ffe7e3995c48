/* Printing rankings: one table over all runs for programs, one block for each run for people. */
#include "tmsim/rank.h"

#include <stdlib.h>
#include <string.h>

#include "tmsim/rank_internal.h"
#include "tmsim/store_internal.h"

enum column {
    COLUMN_NAME, COLUMN_RUN, COLUMN_TC, COLUMN_POLICY, COLUMN_RANK, COLUMN_IS_BASELINE, COLUMN_AGAINST, COLUMN_ELO,
    COLUMN_INTERVAL, COLUMN_ELO_LO, COLUMN_ELO_HI, COLUMN_NELO, COLUMN_LOS, COLUMN_PAIRS, COLUMN_MIRRORED, COLUMN_SCORE_TEXT,
    COLUMN_SCORE, COLUMN_GAMES, COLUMN_FLAGS, COLUMN_FLAG_LO, COLUMN_FLAG_HI, COLUMN_BLIND_PERCENT, COLUMN_BLIND,
    COLUMN_STARVED, COLUMN_FALLBACKS, COLUMN_MOVES, COLUMN_SPEND_MEDIAN, COLUMN_SPEND_MAX, COLUMN_CLOCK_LOWEST,
    COLUMN_CLOCK_END, COLUMN_STOPS, COLUMN_SOFT, COLUMN_HARD, COLUMN_FIELD_ELO, COLUMN_FIELD_LO,
    COLUMN_FIELD_HI, COLUMN_FIELD_LOS, COLUMN_VOID, COLUMN_OWN_TC,
    COLUMN_COUNT
};

/* In the order in which they stand. Those without a key are for people, those without a heading for programs. */
static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_NAME] = { .group = "  policy", .head = "" },
    [COLUMN_RUN] = { .key = "run" },
    [COLUMN_TC] = { .key = "tc" },
    [COLUMN_POLICY] = { .key = "policy" },
    [COLUMN_RANK] = { .key = "rank" },
    [COLUMN_IS_BASELINE] = { .key = "is_baseline" },
    [COLUMN_AGAINST] = { .key = "against" },
    [COLUMN_ELO] = { .key = "elo", .group = "Elo", .head = "", .align = TABLE_RIGHT, .sign = true },
    [COLUMN_INTERVAL] = { .group = "95 % interval", .head = "", .align = TABLE_LEFT },
    [COLUMN_ELO_LO] = { .key = "elo_lo" },
    [COLUMN_ELO_HI] = { .key = "elo_hi" },
    [COLUMN_NELO] = { .key = "nelo" },
    [COLUMN_LOS] = { .key = "los" },
    [COLUMN_PAIRS] = { .key = "pairs" },
    [COLUMN_MIRRORED] = { .key = "mirrored_pairs" },
    [COLUMN_SCORE_TEXT] = { .group = "score", .head = "", .align = TABLE_RIGHT },
    [COLUMN_SCORE] = { .key = "score" },
    [COLUMN_GAMES] = { .key = "games" },
    [COLUMN_FLAGS] = { .key = "flags", .group = "flags", .head = "", .align = TABLE_RIGHT },
    [COLUMN_FLAG_LO] = { .key = "flag_share_lo" },
    [COLUMN_FLAG_HI] = { .key = "flag_share_hi" },
    [COLUMN_BLIND_PERCENT] = { .group = "blind", .head = "%", .align = TABLE_RIGHT, .decimals = 1 },
    [COLUMN_BLIND] = { .key = "blind_share" },
    [COLUMN_STARVED] = { .key = "starved_share" },
    [COLUMN_FALLBACKS] = { .key = "fallbacks", .group = "fall-", .head = "backs", .align = TABLE_RIGHT },
    [COLUMN_MOVES] = { .key = "moves" },
    [COLUMN_SPEND_MEDIAN] = { "spend_median_s", "spend s", "median", TABLE_RIGHT, 2, false },
    [COLUMN_SPEND_MAX] = { "spend_max_s", "spend s", "max", TABLE_RIGHT, 2, false },
    [COLUMN_CLOCK_LOWEST] = { "clock_lowest_s", "clock s", "lowest", TABLE_RIGHT, 2, false },
    [COLUMN_CLOCK_END] = { "clock_end_median_s", "clock s", "at end", TABLE_RIGHT, 1, false },
    [COLUMN_STOPS] = { .group = "stops %", .head = "soft/hard", .align = TABLE_RIGHT },
    [COLUMN_SOFT] = { .key = "soft_stop_share" },
    [COLUMN_HARD] = { .key = "hard_stop_share" },
    [COLUMN_FIELD_ELO] = { .key = "field_elo" }, /* from all games, not only those against the baseline */
    [COLUMN_FIELD_LO] = { .key = "field_elo_lo" },
    [COLUMN_FIELD_HI] = { .key = "field_elo_hi" },
    [COLUMN_FIELD_LOS] = { .key = "los_over_next" },
    [COLUMN_VOID] = { .key = "void" }, /* a gate has refused the run */
    [COLUMN_OWN_TC] = { .key = "own_tc" }, /* a control of its own */
};

/* Why a policy's Elo has no value, or NULL. */
static const char *elo_gap(const struct rank_row *row)
{
    if (!row->measured)
        return "every pair is one game played twice with the colours swapped: nothing was measured";
    return row->elo.elo.gap == STATS_DEFINED ? NULL : stats_gap_text(row->elo.elo.gap);
}

static void put_estimate(struct table *table, const struct rank_row *row, int column, struct estimate estimate)
{
    if (!row->measured)
        table_undefined(table, column, elo_gap(row));
    else if (estimate.gap == STATS_PLUS_INFINITY || estimate.gap == STATS_MINUS_INFINITY)
        table_infinite(table, column, estimate.gap == STATS_PLUS_INFINITY, stats_gap_text(estimate.gap));
    else if (estimate.gap != STATS_DEFINED)
        table_undefined(table, column, stats_gap_text(estimate.gap));
    else
        table_real(table, column, estimate.value);
}

/* One end of an interval, filled to `width` columns. */
static void print_end(char *out, size_t size, struct estimate end, int width)
{
    char text[40];
    if (end.gap == STATS_DEFINED)
        text_number(text, sizeof text, end.value, 0, true);
    else
        snprintf(text, sizeof text, "%s", end.gap == STATS_PLUS_INFINITY ? "+\u221E" : "\u2212\u221E");
    int blanks = width - text_width(text);
    snprintf(out, size, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

/* "above +106": what is known of an infinite Elo. */
static void print_bound(char *out, size_t size, const struct elo_stats *elo)
{
    char number[40];
    struct estimate bound = stats_one_sided_elo(elo);
    text_number(number, sizeof number, bound.value, 0, true);
    snprintf(out, size, "%s %s", elo->elo.gap == STATS_PLUS_INFINITY ? "above" : "below", number);
}

/* "[ −24, +150]", or in a word why there is none. */
static void put_interval(struct table *table, const struct rank_row *row)
{
    static const char *const words[STATS_GAP_COUNT] = {
        [STATS_NO_SAMPLES] = "no pairs", [STATS_ONE_SAMPLE] = "one pair only", [STATS_NO_SPREAD] = "no spread",
    };
    const struct elo_stats *elo = &row->elo;
    char low[64], high[64], text[140];
    if (row->measured && stats_one_sided_elo(elo).gap == STATS_DEFINED) {
        print_bound(text, sizeof text, elo);
        table_text(table, COLUMN_INTERVAL, text);
        return;
    }
    if (row->is_baseline || !row->measured || words[elo->elo_lo.gap]) {
        table_text(table, COLUMN_INTERVAL, row->is_baseline ? "baseline" : row->measured ? words[elo->elo_lo.gap]
                   : "not measured");
        return;
    }
    print_end(low, sizeof low, elo->elo_lo, 4);
    print_end(high, sizeof high, elo->elo_hi, 4);
    snprintf(text, sizeof text, "[%s, %s]", low, high);
    table_text(table, COLUMN_INTERVAL, text);
}

static void put_elo(struct table *table, const struct ranking *ranking, const struct rank_row *row)
{
    table_text(table, COLUMN_AGAINST, ranking->baseline < 0 ? "pool" : ranking->row[ranking->baseline].label);
    put_interval(table, row);
    if (row->is_baseline) {
        static const char *const reason = "the baseline, against whom the others are measured";
        table_integer(table, COLUMN_ELO, 0);
        for (int column = COLUMN_ELO_LO; column <= COLUMN_SCORE; column++)
            if (columns[column].key)
                table_undefined(table, column, reason);
        return;
    }
    put_estimate(table, row, COLUMN_ELO, row->elo.elo);
    put_estimate(table, row, COLUMN_ELO_LO, row->elo.elo_lo);
    put_estimate(table, row, COLUMN_ELO_HI, row->elo.elo_hi);
    put_estimate(table, row, COLUMN_NELO, row->elo.nelo);
    put_estimate(table, row, COLUMN_LOS, row->elo.los);
    table_integer(table, COLUMN_PAIRS, row->elo.samples);
    table_integer(table, COLUMN_MIRRORED, row->mirrored);
    if (row->elo.samples == 0) {
        table_undefined(table, COLUMN_SCORE, stats_gap_text(STATS_NO_SAMPLES));
        return;
    }
    double points = row->elo.score.value * 2 * (double)row->elo.samples;
    char text[64];
    snprintf(text, sizeof text, "%.1f/%lld", points, 2 * (long long)row->elo.samples);
    table_text(table, COLUMN_SCORE_TEXT, text);
    table_real(table, COLUMN_SCORE, row->elo.score.value);
}

/* part / whole for programs; nothing of nothing is undefined. */
static void put_share(struct table *table, int column, int64_t part, int64_t whole, double factor)
{
    if (whole)
        table_real(table, column, factor * (double)part / (double)whole);
    else
        table_undefined(table, column, "no moves");
}

static void put_time(struct table *table, int column, tm_ns time, bool known)
{
    if (known)
        table_real(table, column, ns_to_s(time));
    else
        table_undefined(table, column, "no moves");
}

static void put_behaviour(struct table *table, const struct rank_row *row)
{
    char stops[64];
    table_integer(table, COLUMN_GAMES, row->games);
    table_integer(table, COLUMN_FLAGS, row->flags);
    table_real(table, COLUMN_FLAG_LO, row->flag_share.lower);
    table_real(table, COLUMN_FLAG_HI, row->flag_share.upper);
    put_share(table, COLUMN_BLIND_PERCENT, row->blind, row->moves, 100);
    put_share(table, COLUMN_BLIND, row->blind, row->moves, 1);
    put_share(table, COLUMN_STARVED, row->starved, row->moves, 1);
    table_integer(table, COLUMN_FALLBACKS, row->fallbacks);
    table_integer(table, COLUMN_MOVES, row->moves);
    put_time(table, COLUMN_SPEND_MEDIAN, row->spend_median, row->moves);
    put_time(table, COLUMN_SPEND_MAX, row->spend_max, row->moves);
    put_time(table, COLUMN_CLOCK_LOWEST, row->clock_lowest, row->moves);
    put_time(table, COLUMN_CLOCK_END, row->clock_end_median, row->games);
    put_share(table, COLUMN_SOFT, row->soft_stops, row->moves, 1);
    put_share(table, COLUMN_HARD, row->hard_stops, row->moves, 1);
    if (!row->moves)
        return;
    snprintf(stops, sizeof stops, "%.0f/%.0f", 100 * (double)row->soft_stops / (double)row->moves,
             100 * (double)row->hard_stops / (double)row->moves);
    table_text(table, COLUMN_STOPS, stops);
}

static void put_field(struct table *table, const struct ranking *ranking, int row, int comparisons)
{
    static const char reason[] = "the baseline, or without a finite rating or spread";
    double elo, half, probability;
    if (rank_field_interval(ranking, row, comparisons, &elo, &half)) {
        table_real(table, COLUMN_FIELD_ELO, elo);
        table_real(table, COLUMN_FIELD_LO, elo - half);
        table_real(table, COLUMN_FIELD_HI, elo + half);
    } else {
        for (int column = COLUMN_FIELD_ELO; column <= COLUMN_FIELD_HI; column++)
            table_undefined(table, column, reason);
    }
    if (row + 1 < ranking->count && rank_field_superiority(ranking, row, row + 1, &probability))
        table_real(table, COLUMN_FIELD_LOS, probability);
    else
        table_undefined(table, COLUMN_FIELD_LOS, "the last one, or without a spread");
}

static void put_rows(struct table *table, const struct ranking *ranking, int comparisons)
{
    int place = 0;
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        bool placed = !row->is_baseline && row->measured && row->elo.samples > 0;
        char name[200];
        table_row(table);
        if (placed)
            snprintf(name, sizeof name, "%d %s", ++place, row->label);
        else
            snprintf(name, sizeof name, "  %s", row->label);
        table_text(table, COLUMN_NAME, name);
        table_text(table, COLUMN_RUN, ranking->key);
        table_bool(table, COLUMN_VOID, ranking->void_reason != NULL);
        table_text(table, COLUMN_TC, ranking->tc);
        table_text(table, COLUMN_POLICY, row->label);
        if (row->tc)
            table_text(table, COLUMN_OWN_TC, row->tc);
        else
            table_undefined(table, COLUMN_OWN_TC, "it plays at the control of the run");
        if (placed)
            table_integer(table, COLUMN_RANK, place);
        else
            table_undefined(table, COLUMN_RANK, row->is_baseline ? "the baseline" : elo_gap(row));
        table_bool(table, COLUMN_IS_BASELINE, row->is_baseline);
        put_elo(table, ranking, row);
        put_behaviour(table, row);
        put_field(table, ranking, i, comparisons);
    }
}

/* The least and the most of what the rows hold: games of the policies that are ranked, rates of all. */
struct spans {
    int64_t games_min, games_max, rate_min, rate_max;
};

static void widen(int64_t value, int64_t *min, int64_t *max)
{
    *min = *min == 0 || value < *min ? value : *min;
    *max = value > *max ? value : *max;
}

static struct spans find_spans(const struct ranking *ranking)
{
    struct spans spans = { 0 };
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        if (!row->is_baseline || ranking->count == 1)
            widen(row->games, &spans.games_min, &spans.games_max);
        if (row->moves) {
            widen(row->rate_min, &spans.rate_min, &spans.rate_max);
            widen(row->rate_max, &spans.rate_min, &spans.rate_max);
        }
    }
    return spans;
}

static void print_heading(const struct ranking *ranking, const struct rank_options *options, FILE *stream)
{
    struct spans spans = find_spans(ranking);
    fprintf(stream, "RANKING on a virtual clock, %s, ", ranking->tc);
    if (ranking->baseline < 0)
        fputs("Elo against the pool of the others, ", stream);
    else
        fprintf(stream, "baseline %s, ", ranking->row[ranking->baseline].label);
    if (spans.games_min != spans.games_max)
        fprintf(stream, "%lld to ", (long long)spans.games_min);
    fprintf(stream, "%lld games each, %lld opening%s, seed %s\n", (long long)spans.games_max, (long long)ranking->openings,
            ranking->openings == 1 ? "" : "s", ranking->seed);
    fprintf(stream, "profile %s (", ranking->profile);
    if (spans.rate_min != spans.rate_max)
        fprintf(stream, "%.3g to ", (double)spans.rate_min / 1000);
    fprintf(stream, "%.3g thousand nodes/s), overhead ", (double)spans.rate_max / 1000);
    if (ranking->overhead_ns >= 0)
        fprintf(stream, "%.12gms", (double)ranking->overhead_ns / (double)TM_NS_PER_MS);
    else
        fputs(ranking->overhead, stream);
    if (options->store_name)
        fprintf(stream, ", store %s", options->store_name);
    fprintf(stream, ", run %.4s\n\n", ranking->key);
}

/* Sentences: VOID first, then those of the ranking. */
static void add_notes(const struct ranking *ranking, int comparisons, struct note_list *notes)
{
    if (ranking->void_reason)
        note_list_add(notes, "VOID, run %.4s: %s.", ranking->key, ranking->void_reason);
    rank_field_notes(ranking, comparisons, notes);
    rank_notes(ranking, notes);
}

/* Intervals in the whole table: they hold together. */
static int count_comparisons(const struct ranking *ranking, int count)
{
    int comparisons = 0;
    for (int i = 0; i < count; i++)
        comparisons += rank_field_comparisons(&ranking[i]);
    return comparisons;
}

/* All rankings in one document: the rows of all runs, and all sentences. */
static bool print_for_programs(const struct ranking *ranking, int count, const struct rank_options *options, FILE *stream)
{
    struct table *table = table_new(columns, COLUMN_COUNT);
    struct note_list notes = { 0 };
    const int comparisons = count_comparisons(ranking, count);
    for (int i = 0; table && i < count; i++) {
        put_rows(table, &ranking[i], comparisons);
        add_notes(&ranking[i], comparisons, &notes);
    }
    rank_across_notes(ranking, count, comparisons, &notes);
    for (int i = 0; i < options->extra_note_count; i++)
        note_list_add(&notes, "%s", options->extra_notes[i]);
    rank_closing(ranking, count, &notes);
    const struct table_frame frame = { "tmsim.rank/1", count == 1 ? ranking[0].key : NULL, (const char *const *)notes.note,
                                       notes.count };
    bool ok = table && !notes.failed && table_print(table, options->format, &frame, stream);
    table_free(table);
    note_list_clear(&notes);
    return ok;
}

static bool print_for_people(const struct ranking *ranking, int comparisons, const struct rank_options *options,
                             FILE *stream)
{
    struct table *table = table_new(columns, COLUMN_COUNT);
    struct note_list notes = { 0 };
    if (!table)
        return false;
    put_rows(table, ranking, comparisons);
    rank_field_notes(ranking, comparisons, &notes);
    rank_notes(ranking, &notes);
    if (ranking->void_reason)
        fprintf(stream, "VOID: %s\n", ranking->void_reason);
    print_heading(ranking, options, stream);
    bool ok = table_print(table, TABLE_TEXT, NULL, stream) && !notes.failed;
    fputc('\n', stream);
    note_list_print(&notes, stream);
    table_free(table);
    note_list_clear(&notes);
    return ok;
}

/* What follows the last block. */
static bool print_end_notes(const struct ranking *ranking, int count, int comparisons, const struct rank_options *options,
                            FILE *stream)
{
    struct note_list notes = { 0 };
    struct note_list closing = { 0 };
    rank_across_notes(ranking, count, comparisons, &notes);
    for (int i = 0; i < options->extra_note_count; i++)
        note_list_add(&notes, "%s", options->extra_notes[i]);
    rank_closing(ranking, count, &closing);
    if (count > 1 || options->below)
        fputc('\n', stream);
    note_list_print(&notes, stream);
    for (int i = 0; i < closing.count; i++) /* whole, since it is the last line that is read */
        fprintf(stream, "%s\n", closing.note[i]);
    const bool ok = !notes.failed && !closing.failed;
    note_list_clear(&closing);
    note_list_clear(&notes);
    return ok;
}

static bool print_all(const struct ranking *ranking, int count, const struct rank_options *options, FILE *stream,
                      struct tm_error *error)
{
    const int comparisons = count_comparisons(ranking, count);
    bool ok = true;
    if (options->format != TABLE_TEXT)
        ok = print_for_programs(ranking, count, options, stream);
    for (int i = 0; ok && options->format == TABLE_TEXT && i < count; i++) {
        if (i)
            fputc('\n', stream);
        ok = print_for_people(&ranking[i], comparisons, options, stream)
             && (!options->below || options->below(options->below_ctx, ranking[i].run, stream));
    }
    if (ok && options->format == TABLE_TEXT)
        ok = print_end_notes(ranking, count, comparisons, options, stream);
    return ok || error_fail(error, TM_INTERNAL, "the ranking could not be printed");
}

bool rank_choose_runs(struct store *store, const struct rank_options *options, int64_t **out, int *count,
                      struct tm_error *error)
{
    static const char sql[] = "SELECT id FROM run WHERE substr(key, 1, length(?1)) = ?1 AND overhead <> '" STORE_REAL_CLOCK "' AND EXISTS (SELECT 1 FROM pairing p "
                              "JOIN game g ON g.pairing = p.id WHERE p.run = run.id) ORDER BY id";
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "ranking", error);
    sqlite3_bind_text(statement, 1, options->run_prefix ? options->run_prefix : "", -1, SQLITE_STATIC);
    int code;
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t *list = realloc(*out, ((size_t)*count + 1) * sizeof *list);
        ok = list || error_fail(error, TM_INTERNAL, "out of memory while ranking");
        if (list) {
            *out = list;
            list[(*count)++] = sqlite3_column_int64(statement, 0);
        }
    }
    if (ok && code != SQLITE_DONE)
        ok = store_fail(store, "ranking", error);
    sqlite3_finalize(statement);
    if (ok && *count == 0)
        return options->run_prefix
               ? error_fail(error, TM_INPUT, "--run %s: no run on a virtual clock with games has a key that begins so", options->run_prefix)
               : error_fail(error, TM_INPUT, "store %s: no game on a virtual clock has been stored yet", store->path);
    return ok;
}

static bool rank_runs(struct store *store, const int64_t *run, int count, const struct rank_options *options, FILE *stream,
                      bool *is_void, struct tm_error *error)
{
    struct ranking *ranking = calloc((size_t)count + 1, sizeof *ranking);
    if (!ranking)
        return error_fail(error, TM_INTERNAL, "out of memory while ranking");
    bool ok = true;
    int read = 0;
    while (ok && read < count) {
        ok = rank_read(store, run[read], options, &ranking[read], error);
        if (is_void && ranking[read].void_reason)
            *is_void = true;
        rank_judge(&ranking[read]);
        ok = ok && rank_field_read(store, &ranking[read], error) && rank_sweep_notes(store, &ranking[read], error);
        read++;
    }
    ok = ok && print_all(ranking, count, options, stream, error);
    for (int i = 0; i < read; i++)
        ranking_clear(&ranking[i]);
    free(ranking);
    return ok;
}

bool rank_print(struct store *store, const struct rank_options *options, FILE *stream, bool *is_void,
                struct tm_error *error)
{
    if (is_void)
        *is_void = false;
    if (options->run)
        return rank_runs(store, options->run, options->run_count, options, stream, is_void, error);
    int64_t *run = NULL;
    int count = 0;
    bool ok = rank_choose_runs(store, options, &run, &count, error)
              && rank_runs(store, run, count, options, stream, is_void, error);
    free(run);
    return ok;
}
