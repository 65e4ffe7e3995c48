#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/search.h"

static const char kiwipete[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

enum { EVENTS = 4096, PLIES_SHOWN = 32 };

struct record {
    struct tm_event event[EVENTS];
    int count;
    int64_t poll_step;     /* > 0: polls that far apart */
    int64_t stop_at;       /* > 0: ends the search at the first event with so many nodes */
};

static bool note(void *ctx, const struct tm_event *event, int64_t *next_poll)
{
    struct record *record = ctx;
    if (record->count < EVENTS)
        record->event[record->count++] = *event;
    if (event->kind == TM_POLL && record->poll_step)
        *next_poll = event->nodes + record->poll_step;
    return record->stop_at && event->nodes >= record->stop_at;
}

static struct engine *engine_of(size_t hash)
{
    struct tm_error error;
    struct engine *engine = engine_new(hash, &error);
    cr_assert(engine, "%s", error.message);
    return engine;
}

static struct game *game_of(const char *fen, const char *line)
{
    struct tm_error error;
    struct game *game = game_new(fen, &error);
    cr_assert(game, "%s: %s", fen, error.message);
    while (*line) {
        char text[8] = "";
        size_t length = strcspn(line, " ");
        memcpy(text, line, length < 7 ? length : 7);
        move_t move = move_parse(game_position(game), text);
        cr_assert(move, "%s is illegal", text);
        game_play_move(game, move);
        line += length + (line[length] == ' ');
    }
    return game;
}

static struct search_result search_fen(struct engine *engine, const char *fen, const struct search_limits *limits,
                                       struct record *record)
{
    struct game *game = game_of(fen, "");
    struct search_result result = engine_search(engine, game, limits, INT64_MAX, record ? note : NULL, record);
    cr_expect(!result.move || position_is_legal(game_position(game), result.move), "%s", fen);
    game_free(game);
    return result;
}

Test(search, ends_at_exactly_the_nodes_asked)
{
    static const int64_t rows[] = { 1, 2, 3, 4, 21, 22, 100, 999, 12345, 12346, 100000 };
    static const char *const fens[] = { FEN_START, kiwipete, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" };
    struct engine *engine = engine_of(1 << 20);
    for (size_t f = 0; f < 3; f++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct record record = { .count = 0 };
            struct search_limits limits = { .nodes = rows[i] };
            struct search_result result = search_fen(engine, fens[f], &limits, &record);
            cr_expect_eq(result.nodes, rows[i], "%lld", (long long)rows[i]);
            cr_expect(result.move, "a move is always there");
            cr_expect_not(result.exhausted);
            cr_expect_eq(record.event[record.count - 1].kind, TM_POLL);
            cr_expect_eq(record.event[record.count - 1].nodes, rows[i]);
        }
    engine_free(engine);
}

Test(search, polls_come_at_exact_nodes_and_true_ends_there)
{
    struct engine *engine = engine_of(1 << 20);
    struct game *game = game_of(kiwipete, "");
    for (int64_t at = 1; at < 3000; at += 37) {
        struct record record = { .poll_step = 1000000, .stop_at = at };
        struct search_limits limits = { .depth = 0 };
        engine_forget(engine);
        /* other events may come first at fewer nodes; the search must end at the poll's node or an event's */
        struct search_result result = engine_search(engine, game, &limits, at, note, &record);
        cr_expect_eq(result.nodes, at);
        cr_expect_eq(record.event[record.count - 1].nodes, at);
    }
    game_free(game);
    engine_free(engine);
}

Test(search, unmoved_poll_is_due_at_every_node)
{
    struct engine *engine = engine_of(0);
    struct game *game = game_of(FEN_START, "");
    struct record record = { .poll_step = 0 };
    struct search_limits limits = { .nodes = 60 };
    engine_search(engine, game, &limits, 1, note, &record);
    int64_t expected = 1;
    for (int i = 0; i < record.count; i++)
        if (record.event[i].kind == TM_POLL)
            cr_expect_eq(record.event[i].nodes, expected++);
    cr_expect_eq(expected, 61);
    game_free(game);
    engine_free(engine);
}

static int count_kind(const struct record *record, enum tm_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < record->count; i++)
        count += record->event[i].kind == kind;
    return count;
}

Test(search, events_tell_a_consistent_story)
{
    static const char *const fens[] = {
        FEN_START, kiwipete, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1", "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1",
    };
    struct engine *engine = engine_of(1 << 22);
    for (size_t f = 0; f < sizeof fens / sizeof *fens; f++) {
        static struct record record;
        record.count = 0;
        struct game *game = game_of(fens[f], "");
        move_t moves[MOVES_MAX];
        int legal = position_legal_moves(game_position(game), moves), depth = 0;
        struct search_limits limits = { .depth = 9 };
        struct search_result result = engine_search(engine, game, &limits, INT64_MAX, note, &record);
        int64_t nodes = 1, best_nodes = 0;
        uint32_t best = 0;
        for (int i = 0; i < record.count; i++) {
            const struct tm_event *event = &record.event[i];
            cr_expect(event->nodes >= nodes, "nodes never fall");
            nodes = event->nodes;
            cr_expect_eq(event->legal, legal);
            cr_expect_eq(event->known, (uint32_t)TM_KNOWS_ALL);
            cr_expect(event->best_nodes <= event->nodes && event->best_nodes > 0);
            cr_expect(event->move != best || event->best_nodes >= best_nodes, "nodes under one move never fall");
            if (event->kind == TM_NEW_BEST)
                cr_expect(event->move != best || event->depth == 1);
            else
                cr_expect_eq(event->move, best, "only TM_NEW_BEST changes the move");
            if (event->kind == TM_ITERATION)
                cr_expect_eq(event->depth, ++depth);
            if (event->kind == TM_FAIL_LOW || event->kind == TM_FAIL_HIGH)
                cr_expect_eq(event->bound, event->kind == TM_FAIL_LOW ? TM_UPPER : TM_LOWER);
            best = event->move;
            best_nodes = event->best_nodes;
        }
        cr_expect_eq(depth, 9);
        cr_expect_eq(record.event[0].kind, TM_NEW_BEST, "the first move of depth 1");
        cr_expect_eq(record.event[record.count - 1].kind, TM_END);
        cr_expect_eq(count_kind(&record, TM_END), 1);
        cr_expect(result.exhausted);
        cr_expect_eq(result.nodes, nodes);
        cr_expect_eq(result.move, best);
        game_free(game);
    }
    engine_free(engine);
}

Test(search, windows_fail_in_sharp_positions)
{
    struct engine *engine = engine_of(1 << 22);
    static struct record record;
    struct search_limits limits = { .depth = 9 };
    for (int i = 0; i < 30; i++)
        search_fen(engine, bench_position(i), &limits, &record);
    cr_expect(count_kind(&record, TM_FAIL_HIGH) > 0);
    cr_expect(count_kind(&record, TM_FAIL_LOW) > 0);
    record.count = 0;
    engine_features(engine)->aspiration = false;
    engine_forget(engine);
    for (int i = 0; i < 30; i++)
        search_fen(engine, bench_position(i), &limits, &record);
    cr_expect_eq(count_kind(&record, TM_FAIL_HIGH) + count_kind(&record, TM_FAIL_LOW), 0);
    engine_free(engine);
}

static void play_line(struct engine *engine, struct record *record)
{
    static const char *const lines[] = { "", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6" };
    record->count = 0;
    record->poll_step = 1000;
    for (int i = 0; i < 4; i++) {
        struct game *game = game_of(FEN_START, lines[i]);
        struct search_limits limits = { .nodes = 20000 + i };
        engine_search(engine, game, &limits, 1000, note, record);
        game_free(game);
    }
}

static bool same_event(const struct tm_event *a, const struct tm_event *b)
{
    return a->kind == b->kind && a->move == b->move && a->depth == b->depth && a->score == b->score
        && a->mate == b->mate && a->legal == b->legal && a->bound == b->bound && a->nodes == b->nodes
        && a->best_nodes == b->best_nodes && a->known == b->known;
}

static void expect_same(const struct record *a, const struct record *b, const char *what)
{
    cr_expect_eq(a->count, b->count, "%s", what);
    for (int i = 0; i < a->count && i < b->count; i++)
        cr_assert(same_event(&a->event[i], &b->event[i]), "%s: event %d", what, i);
}

static void *play_in_thread(void *ctx)
{
    struct engine *engine = engine_new(1 << 20, NULL);
    play_line(engine, ctx);
    engine_free(engine);
    return NULL;
}

Test(search, same_line_and_limits_give_the_same_events)
{
    static struct record first, second, forgotten, threaded[2];
    struct engine *engine = engine_of(1 << 20);
    play_line(engine, &first);
    engine_free(engine);
    engine = engine_of(1 << 20);
    play_line(engine, &second);
    expect_same(&first, &second, "a new engine");
    struct search_limits limits = { .nodes = 150000 };
    search_fen(engine, kiwipete, &limits, NULL);
    engine_forget(engine);
    play_line(engine, &forgotten);
    expect_same(&first, &forgotten, "after other games and engine_forget");
    engine_free(engine);
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, play_in_thread, &threaded[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        expect_same(&first, &threaded[i], "two at once");
    }
}

Test(search, polls_do_not_change_the_search)
{
    static struct record with, without;
    struct engine *engine = engine_of(1 << 20);
    struct game *game = game_of(kiwipete, "");
    struct search_limits limits = { .depth = 8 };
    with.poll_step = 7;
    engine_search(engine, game, &limits, 1, note, &with);
    engine_forget(engine);
    struct search_result result = engine_search(engine, game, &limits, INT64_MAX, note, &without);
    cr_expect_eq(without.event[without.count - 1].nodes, result.nodes);
    engine_forget(engine);
    cr_expect_eq(engine_search(engine, game, &limits, 1, NULL, NULL).nodes, result.nodes);
    cr_expect_eq(with.event[0].kind, TM_POLL);
    game_free(game);
    engine_free(engine);
}

Test(search, finds_mates)
{
    static const struct {
        const char *fen, *move;
        int mate, depth;
    } rows[] = {
        { "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1, 1 },
        { "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 3, 10 },
        { "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", "f3f7", 2, 8 },
        { "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2, 8 },
        { "8/8/8/8/8/5k2/4q3/7K w - - 0 1", "h1g1", -1, 4 },
    };
    for (size_t hash = 0; hash < 2; hash++) {
        struct engine *engine = engine_of(hash << 20);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            static struct record record;
            char text[MOVE_TEXT_SIZE];
            record.count = 0;
            struct search_limits limits = { .depth = rows[i].depth };
            struct search_result result = search_fen(engine, rows[i].fen, &limits, &record);
            cr_expect_str_eq(move_print(text, result.move), rows[i].move, "%s: %s", rows[i].fen, text);
            int plies = rows[i].mate > 0 ? 2 * rows[i].mate - 1 : -2 * rows[i].mate;
            cr_expect_eq(result.score, rows[i].mate > 0 ? TM_MATE - plies : plies - TM_MATE, "%s: %d", rows[i].fen,
                         result.score);
            cr_expect_eq(record.event[record.count - 1].mate, rows[i].mate, "%s", rows[i].fen);
        }
        engine_free(engine);
    }
}

Test(search, mate_limit_ends_it)
{
    struct engine *engine = engine_of(1 << 20);
    struct search_limits limits = { .mate = 3, .depth = 30 };
    struct search_result result = search_fen(engine, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", &limits, NULL);
    cr_expect(result.exhausted);
    cr_expect(result.depth < 30);
    cr_expect_eq(result.score, TM_MATE - 5);
    engine_free(engine);
}

Test(search, root_without_moves_gives_one_end)
{
    static const struct {
        const char *fen;
        int score;
    } rows[] = {
        { "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0 },
        { "7k/7P/6K1/8/3B4/8/8/8 b - - 0 1", -TM_MATE },
    };
    struct engine *engine = engine_of(1 << 20);
    for (int i = 0; i < 2; i++) {
        struct record record = { .count = 0 };
        struct search_limits limits = { .nodes = 1000 };
        struct search_result result = search_fen(engine, rows[i].fen, &limits, &record);
        cr_expect_eq(record.count, 1);
        cr_expect_eq(record.event[0].kind, TM_END);
        cr_expect_eq(record.event[0].move, 0u);
        cr_expect_eq(result.move, 0);
        cr_expect_eq(result.score, rows[i].score);
        cr_expect_eq(result.nodes, 1);
        cr_expect(result.exhausted);
    }
    engine_free(engine);
}

Test(search, fifty_moves_and_dead_positions_count_as_draws)
{
    static const struct {
        const char *fen;
        int depth;
        bool draw;
    } rows[] = {
        { "4k3/8/8/8/8/8/8/Q3K3 w - - 99 80", 6, true },  /* no capture and no pawn move: over after this one */
        { "4k3/8/8/8/8/8/8/Q3K3 w - - 90 80", 4, false }, /* five moves are left */
        { "7k/8/6K1/8/8/8/8/R7 w - - 99 80", 3, false },  /* mate at the hundredth ply counts */
        { "8/8/8/8/8/1k6/1r6/1K6 w - - 0 1", 4, false },  /* stays a rook up */
        { "8/8/8/8/8/2k5/1r6/K7 w - - 0 1", 3, true },     /* stalemate */
        { "8/8/8/8/8/3k4/1r6/K7 w - - 0 1", 3, true },    /* takes the rook: two kings */
    };
    struct engine *engine = engine_of(1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct search_limits limits = { .depth = rows[i].depth };
        engine_forget(engine);
        struct search_result result = search_fen(engine, rows[i].fen, &limits, NULL);
        cr_expect_eq(result.score == 0, rows[i].draw, "%s: %d", rows[i].fen, result.score);
    }
    engine_free(engine);
}

Test(search, perpetual_check_ends_and_is_a_draw)
{
    struct engine *engine = engine_of(1 << 22);
    struct search_limits limits = { .depth = 30 };
    /* White, hopelessly behind, checks for ever from e8 and h5 */
    struct search_result result = search_fen(engine, "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", &limits, NULL);
    cr_expect_eq(result.score, 0, "%d", result.score);
    cr_expect_eq(result.depth, 30);
    engine_free(engine);
}

/* With the history of the game the winning side's obvious move would repeat for the third time. */
Test(search, repetition_reaches_into_the_game)
{
    struct engine *engine = engine_of(1 << 20);
    struct search_limits limits = { .depth = 1 };
    limits.root_move_count = 1;
    const char *fen = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    struct game *once = game_of(fen, "b1b2 h8g8 b2b1 g8h8");
    struct game *twice = game_of(fen, "b1b2 h8g8 b2b1 g8h8 b1b2 h8g8 b2b1 g8h8");
    move_t again = move_parse(game_position(once), "b1b2");
    limits.root_moves = &again;
    cr_expect(engine_search(engine, once, &limits, INT64_MAX, NULL, NULL).score > 500);
    cr_expect_eq(engine_search(engine, twice, &limits, INT64_MAX, NULL, NULL).score, 0);
    game_free(once);
    game_free(twice);
    engine_free(engine);
}

Test(search, mirrored_positions_get_mirrored_scores)
{
    static const char *const rows[][2] = {
        { FEN_START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1" },
        { "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1" },
        { "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1" },
    };
    struct engine *engine = engine_of(0); /* the table's collisions are not mirrored */
    for (size_t i = 0; i < 3; i++) {
        struct search_limits limits = { .depth = 7 };
        engine_forget(engine);
        struct search_result white = search_fen(engine, rows[i][0], &limits, NULL);
        engine_forget(engine);
        struct search_result black = search_fen(engine, rows[i][1], &limits, NULL);
        cr_expect_eq(white.score, black.score, "%s: %d and %d", rows[i][0], white.score, black.score);
        cr_expect_eq(white.nodes, black.nodes, "%s", rows[i][0]);
        cr_expect_eq(move_to(white.move) ^ 56, move_to(black.move));
    }
    engine_free(engine);
}

Test(search, crowded_boards_and_forced_moves)
{
    static const char *const fens[] = {
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "qqqqk3/qqqqq3/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1",
        "7k/8/8/8/8/8/6q1/7K w - - 0 1", /* single reply */
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    };
    static const size_t hashes[] = { 0, 1, 64, 100, 1 << 16, 1 << 28 };
    for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++) {
        struct engine *engine = engine_of(hashes[h]);
        for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
            struct search_limits limits = { .nodes = 20000 };
            struct search_result result = search_fen(engine, fens[i], &limits, NULL);
            cr_expect(result.move, "%s", fens[i]);
            cr_expect(result.nodes == 20000 || result.exhausted, "%s", fens[i]);
        }
        engine_free(engine);
    }
}

Test(search, huge_hash_fails_with_a_message)
{
    struct tm_error error;
    struct engine *engine = engine_new((size_t)1 << 60, &error);
    /* The table stops growing at 2^32 buckets, 256 GiB, which some machines would even promise. */
    if (engine)
        engine_free(engine);
    else
        cr_expect(strstr(error.message, "hash table"), "%s", error.message);
}

Test(search, each_feature_off_still_plays)
{
    enum { FEATURES = sizeof(struct search_features) / sizeof(bool) };
    struct search_limits limits = { .depth = 5 };
    for (size_t i = 0; i <= FEATURES; i++) {
        struct engine *engine = engine_of(1 << 20);
        struct search_features *features = engine_features(engine);
        bool *switches = (bool *)features;
        for (size_t j = 0; j < FEATURES; j++)
            cr_assert(switches[j], "on by default");
        for (size_t j = 0; j < FEATURES; j++)
            switches[j] = i < FEATURES && j != i; /* the last row: all off */
        struct record record = { .count = 0 };
        struct search_result result = search_fen(engine, kiwipete, &limits, &record);
        cr_expect_eq(result.depth, 5, "feature %zu", i);
        cr_expect(result.move, "feature %zu", i);
        limits.depth = i == FEATURES ? 3 : 8; /* without any pruning depth 3 is enough by definition */
        struct search_result mate = search_fen(engine, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &limits, NULL);
        cr_expect_eq(mate.score, TM_MATE - 3, "feature %zu: %d", i, mate.score);
        limits.depth = 5;
        engine_free(engine);
    }
}

/* The whole tree without any pruning gives the same value for every order of moves. */
Test(search, order_does_not_change_the_value)
{
    int score[3];
    for (int i = 0; i < 3; i++) {
        struct engine *engine = engine_of(0);
        struct search_features *features = engine_features(engine);
        *features = (struct search_features){ .iterative_deepening = true, .killers = i > 0, .history = i > 1,
                                              .mvv_lva = i > 1, .tt_move = i > 0 };
        struct search_limits limits = { .depth = 2 };
        score[i] = search_fen(engine, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", &limits,
                              NULL).score;
        engine_free(engine);
    }
    cr_expect_eq(score[0], score[1]);
    cr_expect_eq(score[0], score[2]);
}

Test(search, searchmoves_restrict_the_root)
{
    struct engine *engine = engine_of(1 << 20);
    struct game *game = game_of(FEN_START, "");
    move_t only[2] = { move_parse(game_position(game), "a2a3"), move_parse(game_position(game), "h2h3") };
    struct search_limits limits = { .depth = 5, .root_moves = only, .root_move_count = 2 };
    struct record record = { .count = 0 };
    struct search_result result = engine_search(engine, game, &limits, INT64_MAX, note, &record);
    cr_expect(result.move == only[0] || result.move == only[1]);
    cr_expect_eq(record.event[0].legal, 20);
    game_free(game);
    engine_free(engine);
}

Test(search, fallback_is_the_hash_move)
{
    struct engine *engine = engine_of(1 << 20);
    struct search_limits deep = { .depth = 8 }, one = { .nodes = 1 };
    struct search_result full = search_fen(engine, kiwipete, &deep, NULL);
    struct search_result none = search_fen(engine, kiwipete, &one, NULL);
    cr_expect_eq(none.move, full.move);
    cr_expect_eq(none.depth, 0);
    engine_forget(engine);
    cr_expect(search_fen(engine, kiwipete, &one, NULL).move);
    engine_free(engine);
}

/* Each side can check for ever: extensions must not let a line grow without end. */
Test(search, perpetual_checks_end)
{
    static const char *const fens[] = {
        "6k1/5pp1/7p/8/8/q7/5PPP/3Q2K1 b - - 0 1",
        "7k/6pp/8/8/8/8/1q4PP/4Q2K w - - 0 1",
        "8/6pk/7p/8/3Q4/8/q4PPP/6K1 w - - 0 1",
        "6k1/6pp/8/6Q1/8/5q2/6PP/6K1 w - - 0 1",
        "6k1/6p1/8/7Q/8/8/1r4pr/6K1 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct engine *engine = engine_of(1 << 22);
        struct search_limits limits = { .depth = 30, .nodes = 400000 };
        struct search_result result = search_fen(engine, fens[i], &limits, NULL);
        cr_expect(result.depth >= 10, "%s: depth %d", fens[i], result.depth);
        engine_free(engine);
    }
}

Test(search, further_lines_begin_with_other_moves)
{
    struct engine *engine = engine_of(1 << 20);
    struct search_limits limits = { .depth = 6, .lines = 4 };
    struct search_result result = search_fen(engine, kiwipete, &limits, NULL);
    move_t seen[4] = { result.move }, line[PLIES_SHOWN];
    int last = INT32_MAX;
    for (int i = 1; i < 4; i++) {
        int score;
        cr_assert(engine_other_line(engine, i, line, PLIES_SHOWN, &score) > 0);
        for (int j = 0; j < i; j++)
            cr_expect_neq(line[0], seen[j]);
        cr_expect(score <= last, "line %d", i);
        last = score;
        seen[i] = line[0];
    }
    int none;
    cr_expect_eq(engine_other_line(engine, 4, line, PLIES_SHOWN, &none), 0);
    /* With one line the search is the same as without asking. */
    struct search_limits one = { .depth = 6, .lines = 1 }, plain = { .depth = 6 };
    engine_forget(engine);
    int64_t nodes = search_fen(engine, kiwipete, &one, NULL).nodes;
    engine_forget(engine);
    cr_expect_eq(search_fen(engine, kiwipete, &plain, NULL).nodes, nodes);
    cr_expect_eq(engine_other_line(engine, 1, line, PLIES_SHOWN, &none), 0);
    engine_free(engine);
}
