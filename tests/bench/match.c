/* Plays a match between two UCI engines at fixed nodes, colours swapped, from a book of EPD lines, and prints the score
   with the Elo difference and its 95 % interval (from pairs of games). A developer's tool: games are adjudicated by
   the rules alone, longer ones than 400 plies are drawn.
     match FIRST NODES1 SECOND NODES2 BOOK PAIRS [FROM [OPTION-OF-FIRST [OPTION-OF-SECOND]]]
   Lost games of FIRST go to standard error. FROM skips book lines; an OPTION is the text after `setoption`, as in 'name Skill Level value 3'. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "tests/bench/uci_process.h"

enum { PLIES_MAX = 400, LINE_SIZE = 8192 };

struct player {
    struct uci_process engine;
    int64_t nodes;
};

static bool new_game(struct player *player)
{
    return uci_process_say(&player->engine, "ucinewgame\nisready\n")
        && uci_process_await(&player->engine, "readyok", NULL, NULL, NULL, 0);
}

/* The player's move; 0 when it is none. `line`: the moves so far, each after a blank. */
static move_t ask(struct player *player, const struct game *game, const char *fen, const char *line)
{
    char text[LINE_SIZE], answer[256] = "", move[8] = "";
    snprintf(text, sizeof text, "position fen %s%s%s\ngo nodes %" PRId64 "\n", fen, *line ? " moves" : "", line, player->nodes);
    if (!uci_process_say(&player->engine, text)
        || !uci_process_await(&player->engine, "bestmove", NULL, NULL, answer, sizeof answer))
        return 0;
    sscanf(answer, "bestmove %7s", move);
    return move_parse(game_position(game), move);
}

/* Half points of White: 0, 1, 2; -1 for an illegal move or a dead engine. `loser`: whose defeats are printed. */
static int play(struct player *white, struct player *black, const char *fen, const struct player *loser)
{
    struct player *players[2] = { white, black };
    struct game *game = game_new(fen, NULL);
    char line[PLIES_MAX * MOVE_TEXT_SIZE + 1] = "", text[MOVE_TEXT_SIZE];
    size_t length = 0;
    if (!game || !new_game(white) || !new_game(black))
        return -1;
    int points = 1;
    while (game_result(game) == GAME_ONGOING && game_length(game) < PLIES_MAX) {
        move_t move = ask(players[game_position(game)->side], game, fen, line);
        if (!move) {
            points = -1;
            break;
        }
        game_play_move(game, move);
        length += (size_t)sprintf(line + length, " %s", move_print(text, move));
    }
    if (points >= 0 && game_result(game) == GAME_CHECKMATE)
        points = game_position(game)->side == WHITE ? 0 : 2;
    if (points >= 0 && points == (loser == white ? 0 : 2))
        fprintf(stderr, "lost as %s: %s moves%s\n", loser == white ? "White" : "Black", fen, line);
    game_free(game);
    return points;
}

static double elo_of(double score)
{
    double inside = score < 1e-3 ? 1e-3 : score > 1 - 1e-3 ? 1 - 1e-3 : score;
    return 400 * log10(inside / (1 - inside));
}

struct tally {
    int wins, draws, losses, pairs;
    double sum, squares; /* of the pairs' scores in [0, 1] */
};

static void add_pair(struct tally *tally, const int points[2])
{
    double score = (points[0] + points[1]) / 4.0;
    for (int i = 0; i < 2; i++) {
        tally->wins += points[i] == 2;
        tally->draws += points[i] == 1;
        tally->losses += points[i] == 0;
    }
    tally->pairs++;
    tally->sum += score;
    tally->squares += score * score;
}

static void report(const struct tally *tally)
{
    double n = tally->pairs, mean = tally->sum / n;
    double deviation = n > 1 ? sqrt((tally->squares / n - mean * mean) / (n - 1)) : 0.5;
    printf("%d games: +%d =%d -%d, %.1f %%, Elo %+.0f, 95 %% interval %+.0f to %+.0f\n", 2 * tally->pairs, tally->wins,
           tally->draws, tally->losses, 100 * mean, elo_of(mean), elo_of(mean - 1.96 * deviation),
           elo_of(mean + 1.96 * deviation));
    fflush(stdout);
}

static bool play_pairs(struct player players[2], FILE *book, int pairs, int from)
{
    struct tally tally = { 0 };
    char fen[512];
    for (int i = 0; i < from + pairs && fgets(fen, sizeof fen, book); i++) {
        fen[strcspn(fen, ";\n")] = '\0';
        if (i < from)
            continue;
        struct position p;
        const char *rest;
        char clean[FEN_SIZE];
        if (!position_parse_epd(&p, fen, &rest, NULL))
            return false;
        position_print(clean, &p);
        int points[2] = { play(&players[0], &players[1], clean, &players[0]),
                          play(&players[1], &players[0], clean, &players[0]) };
        if (points[0] < 0 || points[1] < 0)
            return false;
        points[1] = 2 - points[1];
        add_pair(&tally, points);
        if (tally.pairs % 10 == 0 || tally.pairs == pairs)
            report(&tally);
    }
    return true;
}

static bool start(struct player *player, const char *path, const char *nodes, const char *option)
{
    char text[512];
    player->nodes = strtoll(nodes, NULL, 10);
    snprintf(text, sizeof text, "setoption %s\n", option);
    return uci_process_start(&player->engine, path) && (!*option || uci_process_say(&player->engine, text));
}

int main(int argc, char **argv)
{
    struct player players[2];
    if (argc < 7) {
        fputs("usage: match FIRST NODES1 SECOND NODES2 BOOK PAIRS [FROM [OPTION1 [OPTION2]]]\n", stderr);
        return 2;
    }
    FILE *book = fopen(argv[5], "r");
    if (!book || !start(&players[0], argv[1], argv[2], argc > 8 ? argv[8] : "")
        || !start(&players[1], argv[3], argv[4], argc > 9 ? argv[9] : "")) {
        fputs("match: no book, or an engine did not start\n", stderr);
        return 3;
    }
    bool ok = play_pairs(players, book, atoi(argv[6]), argc > 7 ? atoi(argv[7]) : 0);
    if (!ok)
        fputs("match: an engine failed, or a book line is no position\n", stderr);
    fclose(book);
    uci_process_end(&players[0].engine);
    uci_process_end(&players[1].engine);
    return ok ? 0 : 3;
}
