/* Iterative deepening at the root, and the events that tell the caller about it. */
#include "engine/search.h"

#include <stdlib.h>
#include <string.h>

#include "engine/picker.h"

const struct search_features search_features_all = { true, true, true, true, true, true, true, true, true, true };

#define FEATURE(name, field) { name, offsetof(struct search_features, field) }

const struct search_feature search_feature_list[SEARCH_FEATURES] = {
    FEATURE("MvvLva", mvv_lva),       FEATURE("CheckExtension", check_extension),
    FEATURE("DeltaPruning", delta_pruning), FEATURE("TTMove", tt_move),
    FEATURE("Aspiration", aspiration), FEATURE("Killers", killers),
    FEATURE("History", history),      FEATURE("NullMove", null_move),
    FEATURE("LMR", lmr),              FEATURE("IterativeDeepening", iterative_deepening),
};

bool *search_feature_of(struct search_features *features, int index)
{
    return (bool *)((char *)features + search_feature_list[index].offset);
}

struct engine *engine_new(size_t hash_bytes, struct tm_error *error)
{
    struct engine *e = calloc(1, sizeof *e);
    if (!e) {
        error_set(error, TM_INTERNAL, "out of memory for an engine");
        return NULL;
    }
    if (!hash_init(&e->hash, hash_bytes, error)) {
        free(e);
        return NULL;
    }
    e->features = search_features_all;
    return e;
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    hash_clear(&engine->hash);
    free(engine);
}

void engine_forget(struct engine *engine)
{
    hash_forget(&engine->hash);
    memset(engine->history, 0, sizeof engine->history);
    memset(engine->counter, 0, sizeof engine->counter);
    memset(engine->correction, 0, sizeof engine->correction);
}

struct search_features *engine_features(struct engine *engine) { return &engine->features; }

int engine_hash_full(const struct engine *engine) { return hash_full(&engine->hash); }

int engine_line(const struct engine *engine, move_t *moves, int capacity)
{
    int count = engine->line_length < capacity ? engine->line_length : capacity;
    memcpy(moves, engine->line, (size_t)count * sizeof *moves);
    return count;
}

int engine_other_line(const struct engine *engine, int index, move_t *moves, int capacity, int *score)
{
    if (index < 1 || index >= engine->other_count)
        return 0;
    const struct other_line *line = &engine->other[index];
    int count = line->length < capacity ? line->length : capacity;
    memcpy(moves, line->move, (size_t)count * sizeof *moves);
    *score = line->score;
    return count;
}

static int mate_in(int score)
{
    if (score > TM_MATE_BOUND)
        return (TM_MATE - score + 1) / 2;
    return score < -TM_MATE_BOUND ? -((TM_MATE + score) / 2) : 0;
}

static int64_t nodes_under(const struct engine *e, move_t move)
{
    int64_t nodes = move && e->root_running == move ? e->nodes - e->running_from : 0;
    for (int i = 0; i < e->root_count; i++)
        if (e->root[i].move == move)
            return nodes + e->root[i].nodes;
    return nodes;
}

static void refresh_poll(struct engine *e)
{
    e->poll_at = e->next_poll < e->node_limit ? e->next_poll : e->node_limit;
}

static void report(struct engine *e, enum tm_event_kind kind, int score, enum tm_bound bound)
{
    if (!e->callback)
        return;
    struct tm_event event = { .kind = kind, .move = e->best, .depth = e->depth, .score = score,
                              .mate = mate_in(score), .legal = e->legal, .bound = (int)bound, .nodes = e->nodes,
                              .best_nodes = nodes_under(e, e->best), .known = TM_KNOWS_ALL };
    if (e->callback(e->ctx, &event, &e->next_poll))
        e->stopped = true;
    refresh_poll(e);
}

bool searcher_poll(struct engine *e)
{
    report(e, TM_POLL, e->score, TM_EXACT);
    if (e->next_poll <= e->nodes)
        e->next_poll = e->nodes + 1; /* not moved on: due again at the next node */
    refresh_poll(e);
    if (e->nodes >= e->node_limit)
        e->stopped = true;
    return e->stopped;
}

static bool wanted(const struct search_limits *limits, move_t move)
{
    if (!limits->root_moves)
        return true;
    for (int i = 0; i < limits->root_move_count; i++)
        if (limits->root_moves[i] == move)
            return true;
    return false;
}

/* The root moves in the order of the picker, the hash move first. */
static void list_root(struct engine *e, const struct search_limits *limits)
{
    struct hash_hit hit = hash_probe(&e->hash, e->position.key);
    struct picker picker;
    move_t move;
    e->root_count = e->legal = 0;
    picker_begin(&picker, e, 0, hit.move);
    while ((move = picker_next(&picker))) {
        e->legal++;
        if (wanted(limits, move))
            e->root[e->root_count++] = (struct root_move){ .move = move };
    }
    e->best = e->root_count ? e->root[0].move : 0;
}

static void begin(struct engine *e, const struct game *game, const struct search_limits *limits, int64_t first_poll)
{
    e->position = *game_position(game);
    e->key_base = game_recent_keys(game, e->keys, KEYS_KEPT) - 1;
    hash_age(&e->hash);
    memset(e->frame, 0, sizeof e->frame);
    memset(e->pv_length, 0, sizeof e->pv_length);
    e->nodes = 1;
    e->next_poll = first_poll;
    e->node_limit = limits->nodes > 0 ? limits->nodes : INT64_MAX;
    e->stopped = false;
    e->depth = 0;
    e->score = 0;
    e->root_running = 0;
    e->line_length = 0;
    e->root_first = e->other_count = 0;
    e->frame[0].eval = position_in_check(&e->position) ? EVAL_NONE : eval_position(&e->position, e->pawns);
    refresh_poll(e);
    list_root(e, limits);
}

static void to_front(struct engine *e, int index)
{
    struct root_move move = e->root[index], *front = e->root + e->root_first;
    memmove(front + 1, front, (size_t)(index - e->root_first) * sizeof *front);
    *front = move;
}

/* As accept, for a line that is not the best: only its own record changes. */
static void accept_other(struct engine *e, int index, int score)
{
    struct other_line *line = &e->other[e->root_first];
    to_front(e, index);
    searcher_set_line(e, 0, e->root[e->root_first].move);
    line->score = score;
    line->length = e->pv_length[0] < OTHER_LINE_MAX ? e->pv_length[0] : OTHER_LINE_MAX;
    memcpy(line->move, e->pv[0], (size_t)line->length * sizeof(move_t));
}

/* Move `index` of the root is the best of this iteration so far. */
static void accept(struct engine *e, int index, int score, int beta)
{
    move_t move = e->root[index].move;
    bool news = move != e->best || (e->depth == 1 && index == 0);
    to_front(e, index);
    searcher_set_line(e, 0, move);
    memcpy(e->line, e->pv[0], (size_t)e->pv_length[0] * sizeof(move_t));
    e->line_length = e->pv_length[0];
    e->best = move;
    e->score = score;
    if (news)
        report(e, TM_NEW_BEST, score, score >= beta ? TM_LOWER : TM_EXACT);
}

static int root_reduction(const struct engine *e, move_t move, int index, int depth)
{
    if (!e->features.lmr || depth < 4 || index < 4 || e->score > SCORE_DECIDED || !move_is_quiet(move)
        || position_in_check(&e->position) || e->frame[0].eval == EVAL_NONE)
        return 0;
    int r = tree_reduction(depth, index) - 1;
    return r < 0 ? 0 : r > depth - 2 ? depth - 2 : r;
}

/* Value of root move `index`, which is on the board. */
static int root_value(struct engine *e, int index, int alpha, int beta, int depth)
{
    int score = 0;
    if (index > e->root_first) {
        int r = root_reduction(e, e->root[index].move, index, depth);
        score = -tree_search(e, 1, -alpha - 1, -alpha, depth - 1 - r, true);
        if (r && score > alpha && !e->stopped)
            score = -tree_search(e, 1, -alpha - 1, -alpha, depth - 1, true);
        if (score <= alpha || e->stopped)
            return score;
    }
    return -tree_search(e, 1, -beta, -alpha, depth - 1, false);
}

static int search_root(struct engine *e, int alpha, int beta, int depth)
{
    int best = -SCORE_INFINITE, old_alpha = alpha;
    for (int i = e->root_first; i < e->root_count && best < beta; i++) {
        struct root_move *root = &e->root[i];
        if (!searcher_make(e, 0, root->move, true))
            return best;
        e->root_running = root->move;
        e->running_from = e->nodes - 1;
        int score = root_value(e, i, alpha, beta, depth);
        searcher_unmake(e, 0);
        root->nodes += e->nodes - e->running_from;
        e->root_running = 0;
        if (e->stopped)
            return best;
        best = score > best ? score : best;
        if (score > alpha) {
            alpha = score;
            if (e->root_first)
                accept_other(e, i, score);
            else
                accept(e, i, score, beta);
            if (e->stopped)
                return best;
        }
    }
    if (e->root_first)
        return best;
    struct hash_hit data = { .move = best > old_alpha ? e->best : 0, .score = best,
                             .depth = depth, .bound = best >= beta ? TM_LOWER : best > old_alpha ? TM_EXACT : TM_UPPER };
    hash_store(&e->hash, e->position.key, &data);
    return best;
}

/* One iteration: a window around the last score, widened on the side where it fails. */
static int aspire(struct engine *e, int depth, int last)
{
    bool mate = last > TM_MATE_BOUND || last < -TM_MATE_BOUND;
    bool narrow = e->features.aspiration && depth >= 4 && !mate;
    int low = 50, high = 50; /* doubled at each failure; beyond 500 the window is open */
    for (;;) {
        int alpha = narrow && low <= 500 ? last - low : -SCORE_INFINITE;
        int beta = narrow && high <= 500 ? last + high : SCORE_INFINITE;
        int score = search_root(e, alpha, beta, depth);
        if (e->stopped || (score > alpha && score < beta))
            return score;
        report(e, score <= alpha ? TM_FAIL_LOW : TM_FAIL_HIGH, score, score <= alpha ? TM_UPPER : TM_LOWER);
        if (e->stopped)
            return score;
        if (score <= alpha)
            low *= 2;
        else
            high *= 2;
    }
}

/* Best first; a later search may have found more in a line than its null window told. */
static void sort_other_lines(struct engine *e)
{
    for (int i = 2; i < e->other_count; i++)
        for (int j = i; j > 1 && e->other[j].score > e->other[j - 1].score; j--) {
            struct other_line line = e->other[j];
            e->other[j] = e->other[j - 1];
            e->other[j - 1] = line;
        }
}

/* Lines beside the best, each over the root moves that are left. False: the search was ended. */
static bool search_other_lines(struct engine *e, int depth, int lines)
{
    lines = lines < SEARCH_MAX_LINES ? lines : SEARCH_MAX_LINES;
    lines = lines < e->root_count ? lines : e->root_count;
    for (e->root_first = 1; e->root_first < lines && !e->stopped; e->root_first++)
        search_root(e, -SCORE_INFINITE, SCORE_INFINITE, depth);
    e->root_first = 0;
    e->other_count = e->stopped ? 0 : lines;
    sort_other_lines(e);
    return !e->stopped;
}

static bool mate_proven(const struct search_limits *limits, int score)
{
    return limits->mate > 0 && score > TM_MATE_BOUND && mate_in(score) <= limits->mate;
}

/* Runs the iterations. True: nothing is left to search. */
static bool iterate(struct engine *e, const struct search_limits *limits, struct search_result *result)
{
    int last = limits->depth > 0 && limits->depth < SEARCH_MAX_DEPTH ? limits->depth : SEARCH_MAX_DEPTH;
    bool jump = !e->features.iterative_deepening && limits->depth > 0;
    for (int depth = jump ? last : 1; depth <= last && e->root_count; depth++) {
        e->depth = depth;
        int score = aspire(e, depth, result->score);
        if (e->stopped || !search_other_lines(e, depth, limits->lines))
            return false;
        e->score = result->score = score;
        result->depth = depth;
        report(e, TM_ITERATION, score, TM_EXACT);
        if (e->stopped)
            return false;
        if (mate_proven(limits, score))
            return true;
    }
    return true;
}

/* The reply of the line found, or the table's, if it is legal. */
static move_t find_ponder(struct engine *e)
{
    if (!e->best)
        return 0;
    struct undo undo;
    position_make(&e->position, e->best, &undo);
    struct hash_hit hit = hash_probe(&e->hash, e->position.key);
    move_t reply = e->line_length > 1 && e->line[0] == e->best ? e->line[1] : hit.move;
    if (reply && !position_is_legal(&e->position, reply))
        reply = 0;
    position_unmake(&e->position, e->best, &undo);
    return reply;
}

struct search_result engine_search(struct engine *engine, const struct game *game, const struct search_limits *limits,
                                   int64_t first_poll, search_callback *callback, void *ctx)
{
    struct engine *e = engine;
    struct search_result result = { 0 };
    e->callback = callback;
    e->ctx = ctx;
    begin(e, game, limits, first_poll);
    if (!e->root_count)
        e->score = result.score = e->legal || !position_in_check(&e->position) ? 0 : -TM_MATE;
    result.exhausted = iterate(e, limits, &result);
    result.nodes = e->nodes;
    result.move = e->best;
    result.ponder = find_ponder(e);
    if (result.exhausted)
        report(e, TM_END, e->score, TM_EXACT);
    return result;
}
