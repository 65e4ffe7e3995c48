/* What follows from the counts: order, dominance, groups, and the sentences that say it. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/rank_internal.h"

/* Elo for sorting: unknown last. */
static double sort_key(const struct rank_row *row)
{
    if (row->is_baseline)
        return 0;
    if (!row->measured || row->elo.elo.gap == STATS_NO_SAMPLES)
        return -HUGE_VAL;
    if (row->elo.elo.gap == STATS_PLUS_INFINITY)
        return 1e6;
    return row->elo.elo.gap == STATS_MINUS_INFINITY ? -1e6 : row->elo.elo.value;
}

static int compare_rows(const void *a, const void *b)
{
    const struct rank_row *one = a, *two = b;
    double x = sort_key(one), y = sort_key(two);
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return strcmp(one->label, two->label);
}

void rank_judge(struct ranking *ranking)
{
    for (int i = 0; i < ranking->count; i++) {
        struct rank_row *row = &ranking->row[i];
        row->elo = stats_elo(row->pair_count, 5);
        /* A pair that is one game played twice is no evidence, and a pairing of such pairs measured nothing. */
        row->measured = row->elo.samples ? row->mirrored < row->elo.samples : row->self_pairs == 0;
        row->flag_share = (struct interval){ 0, 1 };
        if (row->games)
            row->flag_share = stats_clopper_pearson(row->flags, row->games, 0.025);
    }
    if (ranking->count > 1)
        qsort(ranking->row, (size_t)ranking->count, sizeof *ranking->row, compare_rows);
    ranking->baseline = -1;
    for (int i = 0; i < ranking->count; i++)
        if (ranking->row[i].is_baseline)
            ranking->baseline = i;
}

/* The ends of what is known of a policy's Elo; the baseline is 0 by definition. False: nothing is. */
static bool known_range(const struct rank_row *row, double *low, double *high)
{
    const struct elo_stats *elo = &row->elo;
    struct estimate bound = stats_one_sided_elo(elo);
    *low = *high = 0;
    if (row->is_baseline)
        return true;
    if (!row->measured)
        return false;
    if (bound.gap == STATS_DEFINED) {
        *low = elo->elo.gap == STATS_PLUS_INFINITY ? bound.value : -HUGE_VAL;
        *high = elo->elo.gap == STATS_PLUS_INFINITY ? HUGE_VAL : bound.value;
        return true;
    }
    *low = elo->elo_lo.gap == STATS_MINUS_INFINITY ? -HUGE_VAL : elo->elo_lo.value;
    *high = elo->elo_hi.gap == STATS_PLUS_INFINITY ? HUGE_VAL : elo->elo_hi.value;
    return elo->elo_lo.gap == STATS_DEFINED || elo->elo_lo.gap == STATS_MINUS_INFINITY;
}

bool rank_separated(const struct rank_row *a, const struct rank_row *b)
{
    double a_low, a_high, b_low, b_high;
    return known_range(a, &a_low, &a_high) && known_range(b, &b_low, &b_high) && a_low > b_high;
}

bool rank_comparable(const struct rank_row *a, const struct rank_row *b)
{
    return strcmp(a->tc ? a->tc : "", b->tc ? b->tc : "") == 0;
}

/* Shares, not counts: the two may have played differently many games. */
bool rank_dominates(const struct rank_row *a, const struct rank_row *b)
{
    return rank_comparable(a, b) && rank_separated(a, b) && a->flags * b->games <= b->flags * a->games;
}

void note_list_add(struct note_list *notes, const char *format, ...)
{
    char text[2400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **list = realloc(notes->note, ((size_t)notes->count + 1) * sizeof *list);
    if (list)
        notes->note = list;
    char *copy = list ? strdup(text) : NULL;
    if (copy)
        notes->note[notes->count++] = copy;
    else
        notes->failed = true;
}

/* "1 pair", "20 pairs". Returns `buffer`. */
static const char *counted(char *buffer, size_t size, int64_t pairs)
{
    snprintf(buffer, size, "%lld pair%s", (long long)pairs, pairs == 1 ? "" : "s");
    return buffer;
}

void note_list_print(const struct note_list *notes, FILE *stream)
{
    for (int i = 0; i < notes->count; i++)
        text_wrap(stream, 0, 2, notes->note[i]);
}

void note_list_clear(struct note_list *notes)
{
    for (int i = 0; i < notes->count; i++)
        free(notes->note[i]);
    free(notes->note);
    *notes = (struct note_list){ 0 };
}

static void note_unmeasured(const struct ranking *ranking, struct note_list *notes)
{
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        char pairs[40];
        if (row->elo.samples && row->mirrored == row->elo.samples)
            note_list_add(notes, "%s: nothing was measured. In all its %s one game was played twice with the colours swapped, so "
                     "both policies always did the same.", row->label, counted(pairs, sizeof pairs, row->elo.samples));
        else if (row->self_pairs)
            note_list_add(notes, "%s against itself (%s): nothing was measured, both sides always do the same.", row->label,
                     counted(pairs, sizeof pairs, row->self_pairs));
    }
}

static void note_gaps(const struct ranking *ranking, struct note_list *notes)
{
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        enum stats_gap gap = row->elo.elo_lo.gap;
        struct estimate bound = stats_one_sided_elo(&row->elo);
        char pairs[40];
        if (!row->measured || row->is_baseline || row->elo.samples == 0)
            continue;
        bool won = row->elo.elo.gap == STATS_PLUS_INFINITY;
        if (bound.gap == STATS_DEFINED)
            note_list_add(notes, "%s %s every game of its %s: Elo is %.0f or %s (one-sided 95 %% bound).", row->label,
                     won ? "won" : "lost", counted(pairs, sizeof pairs, row->elo.samples), bound.value, won ? "more" : "less");
        else if (gap == STATS_ONE_SAMPLE || gap == STATS_NO_SPREAD)
            note_list_add(notes, "%s: no interval from %s: %s.", row->label, counted(pairs, sizeof pairs, row->elo.samples),
                     stats_gap_text(gap));
    }
}

/* "pool, simple": those who dominate `row`; gives how many. */
static int dominators(const struct ranking *ranking, const struct rank_row *row, char *names, size_t size)
{
    int count = 0;
    names[0] = '\0';
    for (int i = 0; i < ranking->count; i++) {
        if (!rank_dominates(&ranking->row[i], row))
            continue;
        size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", count ? ", " : "", ranking->row[i].label);
        count++;
    }
    return count;
}

static void note_dominated(const struct ranking *ranking, struct note_list *notes)
{
    for (int i = 0; i < ranking->count; i++) {
        const struct rank_row *row = &ranking->row[i];
        char names[300], flags[120] = "", by[340];
        int count = dominators(ranking, row, names, sizeof names);
        if (row->flags)
            snprintf(flags, sizeof flags, "flags in %.*f %% of its games [%.*f, %.*f]", row->games < 1000 ? 0 : 1,
                     100 * (double)row->flags / (double)row->games, row->games < 1000 ? 0 : 1, 100 * row->flag_share.lower,
                     row->games < 1000 ? 0 : 1, 100 * row->flag_share.upper);
        if (count == ranking->count - 1 && count > 1)
            snprintf(by, sizeof by, "every other policy");
        else
            snprintf(by, sizeof by, "%s", names);
        if (count)
            note_list_add(notes, "%s is dominated by %s%s%s.", row->label, by, *flags ? ", and " : "", flags);
        else if (*flags)
            note_list_add(notes, "%s %s.", row->label, flags);
    }
}

/* A set of policies no two of which are separated: those whose intervals all hold one point. */
struct group {
    bool member[RANK_ROWS];
    int count;
};

static void gather(const struct ranking *ranking, double point, struct group *group)
{
    *group = (struct group){ .count = 0 };
    for (int i = 0; i < ranking->count && i < RANK_ROWS; i++) {
        double low, high;
        group->member[i] = known_range(&ranking->row[i], &low, &high) && low <= point && point <= high;
        group->count += group->member[i];
    }
}

static bool is_within(const struct group *small, const struct group *large)
{
    for (int i = 0; i < RANK_ROWS; i++)
        if (small->member[i] && !large->member[i])
            return false;
    return true;
}

static void note_group(const struct ranking *ranking, const struct group *group, struct note_list *notes)
{
    char names[2000] = "";
    for (int i = 0; i < ranking->count && i < RANK_ROWS; i++) {
        const size_t used = strlen(names);
        if (group->member[i])
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", ranking->row[i].label);
    }
    note_list_add(notes, "Not separated: %s.", names);
}

/* Two intervals that meet share the higher of their low ends, so the sets that hold the low ends hold all pairs that are
   not separated; sets within others say nothing new. */
static void note_groups(const struct ranking *ranking, struct note_list *notes)
{
    struct group *group = calloc((size_t)ranking->count, sizeof *group);
    double low, high;
    for (int i = 0; group && i < ranking->count; i++)
        if (known_range(&ranking->row[i], &low, &high))
            gather(ranking, low, &group[i]);
    for (int i = 0; group && i < ranking->count; i++) {
        bool told = group[i].count < 2;
        for (int k = 0; k < ranking->count && !told; k++)
            told = k != i && is_within(&group[i], &group[k]) && (group[k].count > group[i].count || k < i);
        if (!told)
            note_group(ranking, &group[i], notes);
    }
    notes->failed = notes->failed || !group;
    free(group);
}

/* Pairs that a policy must win, losing no game, until its one-sided 95 % bound is above the score of 0 Elo:
   0.05^(1/n) > 1/2. */
enum { WON_PAIRS_TO_SEPARATE = 5 };

static int64_t more_pairs(const struct rank_row *row)
{
    if (row->elo.elo.gap == STATS_PLUS_INFINITY)
        return WON_PAIRS_TO_SEPARATE - row->elo.samples;
    const int64_t more = stats_samples_to_separate(&row->elo) - row->elo.samples;
    /* Two digits: the estimate is no better than its data. */
    int64_t unit = 1;
    while (more / unit >= 100)
        unit *= 10;
    return (more + unit - 1) / unit * unit;
}

/* About how many pairs the best still lacks to be separated from the baseline (or the pool). */
static void note_more_pairs(const struct ranking *ranking, struct note_list *notes)
{
    const int best = ranking->baseline == 0 && ranking->count > 1 ? 1 : 0;
    const struct rank_row *row = &ranking->row[best];
    double low, high;
    char pairs[60];
    if (row->is_baseline || !known_range(row, &low, &high) || low > 0 || high < 0)
        return;
    const int64_t more = more_pairs(row);
    snprintf(pairs, sizeof pairs, "About %lld more pair%s", (long long)more, more == 1 ? "" : "s");
    if (more > 0 && row->elo.elo.gap == STATS_PLUS_INFINITY)
        note_list_add(notes, "%s would separate %s from 0, if it wins them too.", pairs, row->label);
    else if (more > 0)
        note_list_add(notes, "%s would separate %s's %+.0f from 0, if it stays.", pairs, row->label, row->elo.elo.value);
    else
        note_list_add(notes, "%s is as good as %s so far: more pairs may never separate them.", row->label,
                 ranking->baseline >= 0 ? ranking->row[ranking->baseline].label : "the others");
}

static void note_left_out(const struct ranking *ranking, struct note_list *notes)
{
    char pairs[40];
    if (ranking->faulted)
        note_list_add(notes, "Left out: %s with a game that ended as policy_fault.", counted(pairs, sizeof pairs, ranking->faulted));
    if (ranking->half)
        note_list_add(notes, "Left out: %s of which only one game is stored; the same vmatch plays the other.",
                 counted(pairs, sizeof pairs, ranking->half));
    if (ranking->older)
        note_list_add(notes, "Not shown: %d older version%s of changed policies.", ranking->older, ranking->older == 1 ? "" : "s");
}

/* The match that is worth its real time: the best against the baseline, or against the best but one. */
static bool next_match(const struct ranking *ranking, const struct rank_row *player[2])
{
    const int other = ranking->baseline > 0 ? ranking->baseline : 1;
    double low, high;
    if (ranking->count < 2)
        return false;
    player[0] = &ranking->row[0];
    player[1] = &ranking->row[other];
    return known_range(player[0], &low, &high) && known_range(player[1], &low, &high);
}

static void close_one(const struct ranking *ranking, struct note_list *notes)
{
    static const char what[] = "What this is: an order on a virtual clock, not a verdict.";
    const struct rank_row *player[2];
    if (next_match(ranking, player))
        note_list_add(notes, "%s Next: one real-clock match of %s against %s, and the hammer.", what, player[0]->label,
                      player[1]->label);
    else
        note_list_add(notes, "%s", what);
}

/* Beyond a few matches the list says nothing. */
enum { CLOSING_MATCHES = 4 };

static void close_many(const struct ranking *ranking, int count, struct note_list *notes)
{
    char matches[1200] = "";
    int told = 0;
    for (int i = 0; i < count && told < CLOSING_MATCHES; i++) {
        const struct rank_row *player[2];
        const size_t used = strlen(matches);
        if (next_match(&ranking[i], player))
            snprintf(matches + used, sizeof matches - used, "%s%s against %s at %s", told++ ? "; " : "", player[0]->label,
                     player[1]->label, ranking[i].tc);
    }
    note_list_add(notes, "What these are: orders on a virtual clock, not verdicts.%s%s%s", told ? " Next, on a real clock: " : "",
                  matches, told ? "; and the hammer." : "");
}

void rank_closing(const struct ranking *ranking, int count, struct note_list *notes)
{
    int shown = 0, last = 0;
    for (int i = 0; i < count; i++)
        if (ranking[i].count > 0) {
            shown++;
            last = i;
        }
    if (shown == 1)
        close_one(&ranking[last], notes);
    else if (shown > 1)
        close_many(ranking, count, notes);
}

/* Of policies with a control of their own nothing is known about the policy alone. */
static void note_own_controls(const struct ranking *ranking, struct note_list *notes)
{
    for (int i = 0; i < ranking->count; i++)
        if (ranking->row[i].tc)
            note_list_add(notes, "%s plays at %s, not at %s: what is compared with it is policy and time control together.",
                          ranking->row[i].label, ranking->row[i].tc, ranking->tc);
}

void rank_notes(const struct ranking *ranking, struct note_list *notes)
{
    note_own_controls(ranking, notes);
    note_unmeasured(ranking, notes);
    note_gaps(ranking, notes);
    if (ranking->count > 1) {
        note_dominated(ranking, notes);
        note_groups(ranking, notes);
        note_more_pairs(ranking, notes);
    }
    note_left_out(ranking, notes);
}
