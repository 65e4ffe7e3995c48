/* A row a pairing, found by its id: pairings are few, games take milliseconds. */
#include "tmsim/standings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/stats.h"
#include "tmsim/table.h"

struct standing {
    int64_t pairing;
    int run, first;         /* which player of the pairing is named first */
    const char *label[2];   /* first, second */
    int64_t count[5];       /* pairs by the points of the first */
    int games, flags;       /* flags of the first */
    int open;               /* half points of a pair's first leg; -1: none */
};

struct standings {
    const struct policy *baseline;
    struct standing *row;
    int count, room;
};

struct standings *standings_new(const struct policy *baseline)
{
    struct standings *standings = calloc(1, sizeof *standings);
    if (standings)
        standings->baseline = baseline;
    return standings;
}

void standings_free(struct standings *standings)
{
    if (standings)
        free(standings->row);
    free(standings);
}

static struct standing *new_row(struct standings *standings, const struct match_job *job)
{
    if (standings->count == standings->room) {
        const int room = standings->room ? 2 * standings->room : 16;
        struct standing *grown = realloc(standings->row, (size_t)room * sizeof *grown);
        if (!grown)
            return NULL;
        standings->row = grown;
        standings->room = room;
    }
    const int first = job->player[0] == standings->baseline;
    struct standing *row = &standings->row[standings->count++];
    *row = (struct standing){
        .pairing = job->pairing_id, .run = job->run, .first = first, .open = -1,
        .label = { policy_info(job->player[first])->label, policy_info(job->player[!first])->label },
    };
    return row;
}

static struct standing *row_of(struct standings *standings, const struct match_job *job)
{
    for (int i = 0; i < standings->count; i++)
        if (standings->row[i].pairing == job->pairing_id)
            return &standings->row[i];
    return new_row(standings, job);
}

void standings_add(struct standings *standings, const struct match_job *job, const struct game_record *record)
{
    struct standing *row = standings ? row_of(standings, job) : NULL;
    if (!row)
        return;
    const bool is_white = record->white == row->first;
    const int points = record->white_points < 0 || is_white ? record->white_points : 2 - record->white_points;
    row->games++;
    row->flags += record->end == END_FLAG && (record->loser_side == WHITE) == is_white;
    if (job->leg == 0)
        row->open = points;
    else if (row->open >= 0 && points >= 0)
        row->count[row->open + points]++;
}

static void print_elo(char *out, size_t size, const struct standing *row)
{
    const struct elo_stats elo = stats_elo(row->count, 5);
    char number[40];
    if (elo.elo.gap != STATS_DEFINED)
        snprintf(out, size, "%s", elo.elo.gap == STATS_PLUS_INFINITY ? "+\u221E" : elo.elo.gap == STATS_MINUS_INFINITY
                 ? "\u2212\u221E" : "\u2013");
    else if (elo.elo_lo.gap != STATS_DEFINED || elo.elo_hi.gap != STATS_DEFINED)
        snprintf(out, size, "%s", text_number(number, sizeof number, elo.elo.value, 0, true));
    else
        snprintf(out, size, "%s \u00B1%.0f", text_number(number, sizeof number, elo.elo.value, 0, true),
                 (elo.elo_hi.value - elo.elo_lo.value) / 2);
}

char *standings_print(const struct standings *standings, int run, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; standings && i < standings->count; i++) {
        const struct standing *row = &standings->row[i];
        char elo[64], flags[40] = "", text[400];
        if (row->run != run)
            continue;
        print_elo(elo, sizeof elo, row);
        if (row->flags)
            snprintf(flags, sizeof flags, ", %d flag%s", row->flags, row->flags == 1 ? "" : "s");
        const int length = snprintf(text, sizeof text, "%s%.120s\u2013%.120s %s%s (%d)", used ? "   " : "", row->label[0],
                                    row->label[1], elo, flags, row->games);
        if (used + (size_t)length >= size)
            break;
        memcpy(out + used, text, (size_t)length + 1);
        used += (size_t)length;
    }
    return out;
}
