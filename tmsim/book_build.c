/* A playout picks each move at random among those that a shallow search finds nearly best; it is kept if the position
   it ends in is a balanced early middlegame by a deeper search. Deterministic: seed and plan decide everything. */
#include "tmsim/book_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"
#include "tmsim/draw.h"

enum {
    CHOICE_NODES = 1500, /* of the search behind one candidate move; guess: sees captures and their answers */
    CHOICE_MARGIN = 30,  /* cp below the best at which a move still is a candidate; guess */
    TRIES_A_POSITION = 60,
    HASH_BYTES = 1 << 20
};

struct builder {
    const struct book_plan *plan;
    struct engine *engine;
    char **kept; /* first four fields of the positions so far */
    int count;
};

struct book_plan book_plan_default(void)
{
    return (struct book_plan){ .positions = 240, .min_plies = 8, .max_plies = 16, .min_men = 26, .max_eval = 80,
                               .eval_nodes = 50000, .seed = 1 };
}

static int score_of(struct builder *builder, const struct game *game, const move_t *move, int64_t nodes)
{
    const struct search_limits limits = { .nodes = nodes, .root_moves = move, .root_move_count = move ? 1 : 0 };
    engine_forget(builder->engine);
    return engine_search(builder->engine, game, &limits, INT64_MAX, NULL, NULL).score;
}

/* A random move among the nearly best, 0 if there is none. */
static move_t choose(struct builder *builder, const struct game *game, int64_t playout, int ply)
{
    move_t moves[MOVES_MAX], candidates[MOVES_MAX];
    int scores[MOVES_MAX], best = -TM_MATE, count = 0;
    const int legal = position_legal_moves(game_position(game), moves);
    for (int i = 0; i < legal; i++) {
        scores[i] = score_of(builder, game, &moves[i], CHOICE_NODES);
        best = scores[i] > best ? scores[i] : best;
    }
    for (int i = 0; i < legal; i++)
        if (scores[i] >= best - CHOICE_MARGIN)
            candidates[count++] = moves[i];
    if (count == 0)
        return 0;
    return candidates[draw_below(builder->plan->seed, playout, ply, DRAW_BOOK, (uint64_t)count)];
}

static struct game *play_out(struct builder *builder, int64_t playout, struct tm_error *error)
{
    const struct book_plan *plan = builder->plan;
    struct game *game = game_new(FEN_START, error);
    if (!game)
        return NULL;
    const uint64_t spread = (uint64_t)(plan->max_plies - plan->min_plies + 1);
    const int plies = plan->min_plies + (int)draw_below(plan->seed, playout, -1, DRAW_BOOK, spread);
    for (int ply = 0; ply < plies; ply++) {
        const move_t move = choose(builder, game, playout, ply);
        if (!move)
            break;
        game_play_move(game, move);
    }
    return game;
}

static bool is_balanced(struct builder *builder, const struct game *game, int *eval)
{
    const struct position *p = game_position(game);
    if (game_result(game) != GAME_ONGOING || position_in_check(p) || position_men(p) < builder->plan->min_men)
        return false;
    if (!position_pieces(p, QUEEN, WHITE) || !position_pieces(p, QUEEN, BLACK))
        return false;
    *eval = score_of(builder, game, NULL, builder->plan->eval_nodes);
    return abs(*eval) <= builder->plan->max_eval;
}

static bool is_kept(const struct builder *builder, const char *fields)
{
    for (int i = 0; i < builder->count; i++)
        if (strcmp(builder->kept[i], fields) == 0)
            return true;
    return false;
}

static bool keep(struct builder *builder, const struct game *game, int eval, book_line *line, void *ctx,
                 struct tm_error *error)
{
    const struct position *p = game_position(game);
    char fen[FEN_SIZE], epd[FEN_SIZE + 64];
    position_print(fen, p);
    char *counters = fen;
    for (int field = 0; field < 4; field++)
        counters = strchr(counters, ' ') + 1;
    counters[-1] = '\0';
    if (is_kept(builder, fen))
        return true;
    builder->kept[builder->count] = strdup(fen);
    if (!builder->kept[builder->count])
        return error_fail(error, TM_INTERNAL, "out of memory while building a book");
    builder->count++;
    snprintf(epd, sizeof epd, "%s hmvc %d; fmvn %d; ce %d;", fen, p->halfmove, p->fullmove, eval);
    return line(ctx, epd, error);
}

static bool build(struct builder *builder, book_line *line, void *ctx, struct tm_error *error)
{
    const int wanted = builder->plan->positions;
    for (int64_t playout = 0; builder->count < wanted; playout++) {
        if (playout >= (int64_t)wanted * TRIES_A_POSITION)
            return error_fail(error, TM_INPUT, "only %d of %d distinct balanced positions were found in %lld playouts",
                              builder->count, wanted, (long long)playout);
        struct game *game = play_out(builder, playout, error);
        if (!game)
            return false;
        int eval;
        const bool ok = !is_balanced(builder, game, &eval) || keep(builder, game, eval, line, ctx, error);
        game_free(game);
        if (!ok)
            return false;
    }
    return true;
}

bool book_build(const struct book_plan *plan, book_line *line, void *ctx, struct tm_error *error)
{
    struct builder builder = { .plan = plan };
    builder.engine = engine_new(HASH_BYTES, error);
    builder.kept = calloc((size_t)plan->positions, sizeof *builder.kept);
    bool ok = builder.engine != NULL;
    if (ok && !builder.kept)
        ok = error_fail(error, TM_INTERNAL, "out of memory for %d positions", plan->positions);
    ok = ok && build(&builder, line, ctx, error);
    for (int i = 0; builder.kept && i < builder.count; i++)
        free(builder.kept[i]);
    free(builder.kept);
    engine_free(builder.engine);
    return ok;
}
