/* A policy's games as the store has them: clocks at their lowest, flags and what stopped the moves that flagged. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "engine/game.h"
#include "tmsim/hammer.h"
#include "vclock/rate_time.h"

/* Of 24 for all pieces: more is an opening, less an endgame. Guess; two minor pieces, and a rook and a piece each, are off
   the board there. */
enum { OPENING_PHASE = 20, ENDGAME_PHASE = 8 };

struct clock_low {
    tm_ns slack;
    int move, ply; /* own move from 1; ply in the game */
};

struct reader {
    const struct hammer_plan *plan;
    struct hammer_verdict *v;
    tm_ns *lowest;
    int *bottom, *natural;
    uint64_t *key; /* of each game, whose last bit tells a flag */
    double points;
};

static tm_ns slack_of(const struct move_record *move) { return move->clock_before - move->spend - move->overhead; }

static int phase_at(const char *fen, const struct game_record *record, int ply)
{
    struct tm_error ignored;
    struct game *game = game_new(fen, &ignored);
    if (!game)
        return 1;
    for (int i = 0; i < ply; i++)
        game_play_move(game, move_parse(game_position(game), record->move[i].move));
    const int phase = position_phase(game_position(game));
    game_free(game);
    return phase >= OPENING_PHASE ? 0 : phase < ENDGAME_PHASE ? 2 : 1;
}

static uint64_t key_of(const struct game_record *record)
{
    uint64_t key = (uint64_t)record->leg;
    for (int i = 0; i < record->move_count; i++) {
        const struct move_record *m = &record->move[i];
        const int64_t what[3] = { m->spend, m->overhead, (int64_t)XXH3_64bits(m->move, strlen(m->move)) };
        key = XXH3_64bits_withSeed(what, sizeof what, key);
    }
    return key;
}

/* The lowest clock of the player who moves at plies first, first + 2, … */
static struct clock_low lowest_of(struct hammer_verdict *v, const struct game_record *record, int first)
{
    struct clock_low low = { .slack = TM_NS_MAX };
    for (int ply = first; ply < record->move_count; ply += 2) {
        const struct move_record *m = &record->move[ply];
        v->forgiven += slack_of(m) < 0 && !m->flagged;
        if (slack_of(m) < low.slack)
            low = (struct clock_low){ slack_of(m), ply / 2 + 1, ply };
    }
    return low;
}

static void note_clock(struct reader *r, const struct game_record *record, const char *fen, int first)
{
    struct hammer_verdict *v = r->v;
    const struct clock_low low = lowest_of(v, record, first);
    if (low.slack == TM_NS_MAX)
        return;
    if (v->clocks == 0 || low.slack < v->lowest_worst) {
        v->lowest_worst = low.slack;
        v->worst_move = low.move;
        v->worst_pair = record->pair;
        v->worst_leg = record->leg;
        v->worst_ply = low.ply;
    }
    r->bottom[v->clocks] = low.move;
    r->lowest[v->clocks++] = low.slack;
    v->bottom_phase[phase_at(fen, record, low.ply)]++;
}

/* The search ends where the flag falls; a hard limit beyond that tells how far it would have gone. */
static tm_ns overrun_of(const struct move_record *move)
{
    const tm_ns seen = -slack_of(move);
    if (move->reason != TM_HARD || move->cap == INT64_MAX)
        return seen;
    const tm_ns meant = ns_add(rate_elapsed(move->rate, move->cap), move->overhead - move->clock_before);
    return meant > seen ? meant : seen;
}

static void note_flag(struct hammer_verdict *v, const struct game_record *record)
{
    const struct move_record *last = &record->move[record->move_count - 1];
    const int own = last->ply / 2 + 1;
    v->flags++;
    v->flags_white += record->loser_side == WHITE;
    v->flag_reason[last->reason]++;
    if (v->flags == 1 || own < v->flag_first)
        v->flag_first = own;
    if (own > v->flag_last)
        v->flag_last = own;
    if (overrun_of(last) > v->overrun_worst) {
        v->overrun_worst = overrun_of(last);
        v->overrun_nodes = (int64_t)((double)v->overrun_worst / 1e9 * (double)last->rate);
    }
}

static bool is_on_time(enum game_end end) { return end == END_FLAG; }

/* Endings that a sound engine never causes. */
static bool is_illegal(enum game_end end)
{
    const char *name = game_end_name(end);
    return strstr(name, "illegal") != NULL || strstr(name, "no_move") != NULL;
}

static void take_game(struct reader *r, const struct game_record *record, const char *fen)
{
    struct hammer_verdict *v = r->v;
    const bool self = !r->plan->against;
    const int side = record->white == v->player ? WHITE : BLACK;
    const int to_move = strstr(fen, " b ") != NULL; /* who moves at ply 0 */
    const bool ours = record->loser_side >= 0 && (self || record->loser_side == side);
    r->key[v->games++] = (key_of(record) & ~UINT64_C(1)) | (is_on_time(record->end) && ours);
    if (record->end == END_POLICY_FAULT) {
        v->faults++;
        return;
    }
    for (int colour = WHITE; colour <= BLACK; colour++)
        if (self || colour == side)
            note_clock(r, record, fen, colour != to_move);
    if (is_on_time(record->end) && ours && record->move_count > 0)
        note_flag(v, record);
    v->illegal += is_illegal(record->end) && ours;
    if (!is_on_time(record->end))
        r->natural[v->natural++] = (record->move_count + 1) / 2;
    r->points += (side == WHITE ? record->white_points : 2 - record->white_points) / 2.0;
}

static int by_ns(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void summarize(struct reader *r)
{
    struct hammer_verdict *v = r->v;
    qsort(r->lowest, (size_t)v->clocks, sizeof *r->lowest, by_ns);
    qsort(r->bottom, (size_t)v->clocks, sizeof *r->bottom, by_int);
    qsort(r->natural, (size_t)v->natural, sizeof *r->natural, by_int);
    qsort(r->key, (size_t)v->games, sizeof *r->key, by_key);
    int flagged = 0;
    for (int i = 0; i < v->games; i++)
        if (i == 0 || r->key[i] != r->key[i - 1]) {
            v->distinct++;
            flagged += (int)(r->key[i] & 1);
        }
    if (v->clocks > 0) {
        v->lowest_median = r->lowest[v->clocks / 2];
        v->lowest_p01 = r->lowest[v->clocks / 100];
        v->bottom_move = r->bottom[v->clocks / 2];
    }
    if (v->natural > 0)
        v->natural_median = r->natural[v->natural / 2];
    /* Games that are repeated move for move prove nothing twice. */
    if (v->distinct > 0)
        v->flag_share = stats_clopper_pearson(flagged, v->distinct, 0.025);
    v->score = v->games > 0 ? r->points / v->games : 0.5;
}

static bool read_games(struct store *store, struct reader *r, struct tm_error *error)
{
    const int legs = r->plan->against ? 2 : 1;
    for (int i = 0; i < r->plan->games; i++) {
        struct game_record record;
        char *fen;
        if (!store_read_game(store, r->v->pairing, i / legs, i % legs, &record, &fen, error))
            return false;
        take_game(r, &record, fen);
        game_record_clear(&record);
        free(fen);
    }
    return true;
}

bool hammer_read(struct store *store, const struct hammer_plan *plan, struct hammer_verdict *verdict,
                 struct tm_error *error)
{
    const size_t games = (size_t)plan->games;
    struct reader r = { .plan = plan, .v = verdict };
    r.lowest = calloc(2 * games, sizeof *r.lowest);
    r.bottom = calloc(2 * games, sizeof *r.bottom);
    r.natural = calloc(games, sizeof *r.natural);
    r.key = calloc(games, sizeof *r.key);
    bool ok = (r.lowest && r.bottom && r.natural && r.key) || error_fail(error, TM_INTERNAL, "out of memory for %d games", plan->games);
    ok = ok && read_games(store, &r, error);
    if (ok)
        summarize(&r);
    free(r.lowest);
    free(r.bottom);
    free(r.natural);
    free(r.key);
    return ok;
}
