/* Learning from games: spends as shares of their budgets, and how long games last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/monte_carlo_internal.h"
#include "vclock/rate_time.h"

/* Own moves that begin the second and third part of a game: guess, about thirds of the usual 60. */
static const int PHASE_STARTS[MC_PHASES] = { 0, 20, 40 };
enum { THIN = 30 }; /* a bin with fewer moves borrows: guess */

static int phase_of(int move) { return move >= PHASE_STARTS[2] ? 2 : move >= PHASE_STARTS[1] ? 1 : 0; }

static int budget_bin(tm_ns scale)
{
    if (scale <= 0)
        return 0;
    const int bin = 63 - __builtin_clzll((unsigned long long)scale);
    return bin < 1 ? 1 : bin >= MC_BUDGETS ? MC_BUDGETS - 1 : bin;
}

static tm_ns scale_of(const struct move_record *move)
{
    const tm_ns scale = move->hard_floored < TM_NS_MAX ? move->hard_floored : move->soft_floored;
    return scale > 0 && scale < TM_NS_MAX ? scale : 0;
}

static bool bin_add(struct mc_bin *bin, float ratio)
{
    if (bin->count == bin->room) {
        const int room = bin->room ? 2 * bin->room : 64;
        float *grown = realloc(bin->ratio, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        bin->ratio = grown;
        bin->room = room;
    }
    bin->ratio[bin->count++] = ratio;
    return true;
}

/* A search that the flag cut short on its way to the hard limit would have gone there. A stall is no spend of its own:
   the model draws stalls anew. */
static bool add_move(struct mc_data *data, const struct move_record *move)
{
    const tm_ns scale = scale_of(move), spend = rate_elapsed(move->rate, move->nodes_charged);
    double ratio = scale > 0 ? (double)spend / (double)scale : (double)spend / 1e6;
    if (move->flagged && move->reason == TM_HARD && scale > 0)
        ratio = 1;
    data->moves++;
    return bin_add(&data->bin[phase_of(move->ply / 2)][budget_bin(scale)], (float)ratio);
}

bool mc_data_add(struct mc_data *data, const struct game_record *game, int first_ply, bool counts, struct tm_error *error)
{
    if (!data->ended) {
        data->ended = calloc(MC_MAX_MOVES, sizeof *data->ended);
        data->censored = calloc(MC_MAX_MOVES, sizeof *data->censored);
    }
    bool ok = data->ended && data->censored;
    for (int ply = first_ply; ok && ply < game->move_count; ply += 2)
        ok = add_move(data, &game->move[ply]);
    const int moves = (game->move_count + 1) / 2 < MC_MAX_MOVES ? (game->move_count + 1) / 2 : MC_MAX_MOVES;
    if (ok && counts && moves > 0) {
        (game->end == END_FLAG ? data->censored : data->ended)[moves - 1]++;
        data->games++;
        data->longest = moves > data->longest ? moves : data->longest;
    }
    return ok || error_fail(error, TM_INTERNAL, "out of memory for the moves of stored games");
}

/* The nearest bin of the phase with enough moves, else of any phase; NULL: there is none. */
static const struct mc_bin *nearest(struct mc_bin bins[MC_PHASES][MC_BUDGETS], int phase, int budget, int enough)
{
    for (int distance = 0; distance < MC_BUDGETS; distance++)
        for (int other = 0; other < MC_PHASES; other++) {
            const int p = (phase + MC_PHASES - other) % MC_PHASES;
            const int at[2] = { budget - distance, budget + distance };
            for (int i = 0; i < 2; i++)
                if (at[i] > 0 && at[i] < MC_BUDGETS && bins[p][at[i]].count >= enough)
                    return &bins[p][at[i]];
        }
    return NULL;
}

static bool bin_copy(struct mc_bin *to, const struct mc_bin *from)
{
    free(to->ratio);
    *to = (struct mc_bin){ .count = from->count, .room = from->count };
    to->ratio = malloc((size_t)from->count * sizeof *to->ratio);
    if (to->ratio)
        memcpy(to->ratio, from->ratio, (size_t)from->count * sizeof *to->ratio);
    return to->ratio != NULL;
}

/* The bin without a scale is never borrowed from: its numbers are milliseconds, 0 where nothing is known. */
static bool fill(struct mc_data *data, struct mc_bin before[MC_PHASES][MC_BUDGETS], int phase, int budget)
{
    struct mc_bin *bin = &data->bin[phase][budget];
    if (bin->count >= THIN || (budget == 0 && bin->count > 0))
        return true;
    if (budget == 0)
        return bin_add(bin, 0);
    const struct mc_bin *from = nearest(before, phase, budget, THIN);
    from = from ? from : nearest(before, phase, budget, 1);
    return from == NULL ? bin_add(bin, 1) : from == &before[phase][budget] || bin_copy(bin, from);
}

bool mc_data_finish(struct mc_data *data, struct tm_error *error)
{
    struct mc_bin before[MC_PHASES][MC_BUDGETS];
    bool ok = true;
    for (int p = 0; p < MC_PHASES; p++)
        for (int b = 0; b < MC_BUDGETS; b++) {
            before[p][b] = (struct mc_bin){ 0 };
            if (data->bin[p][b].count > 0)
                ok = bin_copy(&before[p][b], &data->bin[p][b]) && ok;
        }
    for (int p = 0; ok && p < MC_PHASES; p++)
        for (int b = 0; ok && b < MC_BUDGETS; b++)
            ok = fill(data, before, p, b);
    for (int p = 0; p < MC_PHASES; p++)
        for (int b = 0; b < MC_BUDGETS; b++)
            free(before[p][b].ratio);
    if (!ok)
        return error_fail(error, TM_INTERNAL, "out of memory for the moves of stored games");
    return data->games > 0 || error_fail(error, TM_INPUT, "no game to resample from");
}

void mc_data_clear(struct mc_data *data)
{
    for (int p = 0; p < MC_PHASES; p++)
        for (int b = 0; b < MC_BUDGETS; b++)
            free(data->bin[p][b].ratio);
    free(data->ended);
    free(data->censored);
    *data = (struct mc_data){ 0 };
}

double mc_data_hazard(const struct mc_data *data, int move)
{
    if (move >= data->longest)
        return 1;
    if (move < 1)
        return 0;
    int64_t at_risk = 0;
    for (int i = move - 1; i < data->longest; i++)
        at_risk += data->ended[i] + data->censored[i];
    return at_risk == 0 ? 0 : (double)data->ended[move - 1] / (double)at_risk;
}

/* ---- one move ---- */

tm_ns mc_data_spend(const struct mc_data *data, int move, tm_ns scale, double u)
{
    const struct mc_bin *bin = &data->bin[phase_of(move)][budget_bin(scale)];
    const double ratio = (double)bin->ratio[(int)(u * bin->count)];
    return (tm_ns)(ratio * (scale > 0 ? (double)scale : 1e6));
}
