/* Makes training positions for tune.c: plays zeitnot against itself in process and prints the quiet positions of the
   games, one a line: FEN | score of the search for White in centipawns | result for White in half points.
     selfplay BOOK GAMES NODES [SEED]
   Each game starts at the next line of the book (again from its start at the end), after four random moves. The same
   arguments give the same output. A developer's tool. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"

enum {
    RANDOM_PLIES = 4,
    PLIES_MAX = 300,     /* then it is a draw */
    DECIDED_SCORE = 1000, DECIDED_PLIES = 6, /* adjudicated when both agree for so long (guess) */
    KEPT_SCORE = 900,    /* beyond it a position teaches nothing about weights */
    LINE_SIZE = 256
};

struct sample {
    char fen[FEN_SIZE];
    int score;
};

struct run {
    FILE *book;
    struct engine *engine;
    int64_t nodes;
    uint64_t state;
    struct sample sample[PLIES_MAX];
};

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool next_opening(struct run *run, char line[LINE_SIZE])
{
    if (!fgets(line, LINE_SIZE, run->book)) {
        rewind(run->book);
        if (!fgets(line, LINE_SIZE, run->book))
            return false;
    }
    struct position p;
    const char *rest;
    if (!position_parse_epd(&p, line, &rest, NULL))
        return false;
    position_print(line, &p);
    return true;
}

static void play_random(struct run *run, struct game *game)
{
    move_t moves[MOVES_MAX];
    for (int i = 0; i < RANDOM_PLIES && game_result(game) == GAME_ONGOING; i++) {
        int count = position_legal_moves(game_position(game), moves);
        game_play_move(game, moves[draw(&run->state) % (uint64_t)count]);
    }
}

static bool is_quiet(const struct position *p, const struct search_result *result)
{
    return !position_in_check(p) && move_is_quiet(result->move) && abs(result->score) <= KEPT_SCORE;
}

/* Plies in a row that one side was winning; signed by the side. */
static int decided_streak(int streak, int white_score)
{
    if (white_score >= DECIDED_SCORE)
        return streak > 0 ? streak + 1 : 1;
    return white_score <= -DECIDED_SCORE ? (streak < 0 ? streak - 1 : -1) : 0;
}

static int half_points(const struct game *game, int streak)
{
    if (abs(streak) >= DECIDED_PLIES)
        return streak > 0 ? 2 : 0;
    if (game_result(game) == GAME_CHECKMATE)
        return game_position(game)->side == WHITE ? 0 : 2;
    return 1;
}

static void play_game(struct run *run, struct game *game)
{
    struct search_limits limits = { .nodes = run->nodes };
    int count = 0, streak = 0;
    engine_forget(run->engine);
    while (game_result(game) == GAME_ONGOING && game_length(game) < PLIES_MAX && abs(streak) < DECIDED_PLIES) {
        const struct position *p = game_position(game);
        struct search_result result = engine_search(run->engine, game, &limits, INT64_MAX, NULL, NULL);
        int score = p->side == WHITE ? result.score : -result.score;
        if (is_quiet(p, &result)) {
            position_print(run->sample[count].fen, p);
            run->sample[count++].score = score;
        }
        streak = decided_streak(streak, score);
        game_play_move(game, result.move);
    }
    for (int i = 0; i < count; i++)
        printf("%s | %d | %d\n", run->sample[i].fen, run->sample[i].score, half_points(game, streak));
    fflush(stdout);
}

static bool play_games(struct run *run, int games)
{
    char line[LINE_SIZE];
    for (int i = 0; i < games; i++) {
        struct game *game = next_opening(run, line) ? game_new(line, NULL) : NULL;
        if (!game)
            return false;
        play_random(run, game);
        play_game(run, game);
        game_free(game);
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: selfplay BOOK GAMES NODES [SEED]\n", stderr);
        return 2;
    }
    static struct run run;
    run.book = fopen(argv[1], "r");
    run.engine = engine_new(16 << 20, NULL);
    run.nodes = strtoll(argv[3], NULL, 10);
    run.state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    bool ok = run.book && run.engine && play_games(&run, atoi(argv[2]));
    if (!ok)
        fputs("selfplay: no book, no memory, or a book line is no position\n", stderr);
    if (run.book)
        fclose(run.book);
    engine_free(run.engine);
    return ok ? 0 : 3;
}
