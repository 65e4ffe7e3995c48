/* The engine's promise: a game line and its node limits decide every event, wherever and however often it is played. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"
#include "engine/uci.h"

enum { LINES = 50, PLIES = 6, EVENTS = 20000, HASH_MB = 1 };

struct story {
    struct tm_event event[EVENTS];
    int count;
    move_t move[LINES][PLIES];
    char fen[LINES][FEN_SIZE];
};

static int64_t nodes_of(int line, int ply) { return 1500 + 37 * line + 211 * ply; }

static void read_book(struct story *story)
{
    FILE *book = fopen(ZEITNOT_DATA_SOURCE "/books/zeitnot-240.epd", "r");
    char text[512];
    const char *rest;
    cr_assert(book);
    for (int i = 0; i < LINES; i++) {
        struct position p;
        cr_assert(fgets(text, sizeof text, book) && position_parse_epd(&p, text, &rest, NULL), "%s", text);
        position_print(story->fen[i], &p);
    }
    fclose(book);
}

static bool note(void *ctx, const struct tm_event *event, int64_t *next_poll)
{
    struct story *story = ctx;
    if (event->kind == TM_POLL)
        *next_poll = INT64_MAX;
    else if (story->count < EVENTS)
        story->event[story->count++] = *event;
    return false;
}

static void play_line(struct engine *engine, struct story *story, int line)
{
    struct game *game = game_new(story->fen[line], NULL);
    engine_forget(engine);
    for (int ply = 0; ply < PLIES && game_result(game) == GAME_ONGOING; ply++) {
        struct search_limits limits = { .nodes = nodes_of(line, ply) };
        move_t move = engine_search(engine, game, &limits, INT64_MAX, note, story).move;
        story->move[line][ply] = move;
        game_play_move(game, move);
    }
    game_free(game);
}

static void *play_all(void *ctx)
{
    struct engine *engine = engine_new((size_t)HASH_MB << 20, NULL);
    for (int i = 0; i < LINES; i++)
        play_line(engine, ctx, i);
    engine_free(engine);
    return NULL;
}

static struct story *story_new(void)
{
    struct story *story = calloc(1, sizeof *story);
    cr_assert(story);
    read_book(story);
    return story;
}

static void expect_same(const struct story *a, const struct story *b)
{
    cr_expect_eq(a->count, b->count);
    for (int i = 0; i < a->count && i < b->count; i++) {
        const struct tm_event *x = &a->event[i], *y = &b->event[i];
        cr_assert(x->kind == y->kind && x->move == y->move && x->depth == y->depth && x->score == y->score
                      && x->mate == y->mate && x->legal == y->legal && x->bound == y->bound && x->nodes == y->nodes
                      && x->best_nodes == y->best_nodes, "event %d", i);
    }
}

Test(determinism, two_threads_at_once_see_the_same_events)
{
    struct story *alone = story_new(), *both[2] = { story_new(), story_new() };
    pthread_t thread[2];
    play_all(alone);
    cr_expect(alone->count > 20 * LINES && alone->count < EVENTS, "%d events", alone->count);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, play_all, both[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        expect_same(alone, both[i]);
        free(both[i]);
    }
    free(alone);
}

Test(determinism, the_order_of_games_does_not_matter)
{
    struct story *forward = story_new(), *backward = story_new();
    struct engine *engine = engine_new((size_t)HASH_MB << 20, NULL);
    play_all(forward);
    for (int i = LINES - 1; i >= 0; i--)
        play_line(engine, backward, i);
    cr_expect(!memcmp(forward->move, backward->move, sizeof forward->move));
    cr_expect_eq(forward->count, backward->count);
    engine_free(engine);
    free(forward);
    free(backward);
}

/* The session that plays the story over UCI. */
static char *write_script(const struct story *story)
{
    char *script = NULL, move[MOVE_TEXT_SIZE];
    size_t size;
    FILE *file = open_memstream(&script, &size);
    fprintf(file, "setoption name Hash value %d\n", HASH_MB);
    for (int i = 0; i < LINES; i++) {
        fprintf(file, "ucinewgame\n");
        for (int ply = 0; ply < PLIES && story->move[i][ply]; ply++) {
            fprintf(file, "position fen %s moves", story->fen[i]);
            for (int j = 0; j < ply; j++)
                fprintf(file, " %s", move_print(move, story->move[i][j]));
            fprintf(file, "\ngo nodes %" PRId64 "\n", nodes_of(i, ply));
        }
    }
    fclose(file);
    return script;
}

static void print_event(FILE *file, const struct tm_event *event)
{
    static const char *const bounds[] = { "", " lowerbound", " upperbound" };
    const char *unit = event->mate ? "mate" : "cp";
    fprintf(file, "info depth %d score %s %d%s nodes %" PRId64 "\n", event->depth, unit,
            event->mate ? event->mate : event->score, bounds[event->bound], event->nodes);
}

/* What UCI shows of the events. */
static char *expected_lines(const struct story *story)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (int i = 0; i < story->count; i++)
        if (story->event[i].kind == TM_ITERATION || story->event[i].kind == TM_FAIL_LOW
            || story->event[i].kind == TM_FAIL_HIGH)
            print_event(file, &story->event[i]);
    fclose(file);
    return text;
}

/* The info lines of `out` up to their node counts, without each search's last one, which repeats. */
static char *shown_lines(char *out)
{
    char *text = calloc(1, strlen(out) + 1), *last = text, *end = text;
    for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strncmp(line, "bestmove", 8)) {
            end = last;
            *end = '\0';
        } else if (strstr(line, " nps ")) {
            *strstr(line, " nps ") = '\0';
            last = end;
            end += sprintf(end, "%s\n", line);
        }
    }
    return text;
}

Test(determinism, uci_shows_the_events_of_the_library)
{
    struct story *story = story_new();
    play_all(story);
    char *script = write_script(story), *out = NULL;
    size_t size;
    FILE *in = fmemopen(script, strlen(script), "r"), *answers = open_memstream(&out, &size);
    cr_assert(uci_run(in, answers, NULL));
    fclose(in);
    fclose(answers);
    char *shown = shown_lines(out), *expected = expected_lines(story);
    cr_expect(strlen(expected) > 1000);
    cr_expect_str_eq(shown, expected);
    free(shown);
    free(expected);
    free(script);
    free(out);
    free(story);
}
