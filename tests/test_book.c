#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/book.h"
#include "tmsim/book_build.h"

#define START4 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
#define E4 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
#define D4 "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -"

static struct book *load(const char *text)
{
    struct book *book;
    struct tm_error error = { 0 };
    cr_assert(book_load_text("b.epd", text, strlen(text), &(struct book_format){ 0 }, &book, &error), "%s", error.message);
    return book;
}

static const struct {
    const char *what, *text;
    int size, duplicates;
} shapes[] = {
    { "carriage returns", E4 "\r\n" D4 "\r\n", 2, 0 },
    { "byte order mark", "\xef\xbb\xbf" E4 "\n", 1, 0 },
    { "a comment and a blank line", "# note\n\n" E4 "\n\n" D4 "\n", 2, 0 },
    { "no final newline", E4 "\n" D4, 2, 0 },
    { "a single position", START4, 1, 0 },
    { "six fields", E4 " 0 1\n" D4 " 3 9\n", 2, 0 },
    { "operations", E4 " hmvc 0; fmvn 12; id \"x\";\n", 1, 0 },
    { "repetitions by the first four fields", E4 " 0 1\n" E4 " 5 20\n" E4 "\n", 1, 2 },
};

Test(book, files_of_every_usual_shape_load)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct book *book = load(shapes[i].text);
        cr_expect(book_size(book) == shapes[i].size, "%s: %d positions", shapes[i].what, book_size(book));
        cr_expect(book_duplicates(book) == shapes[i].duplicates, "%s", shapes[i].what);
        book_free(book);
    }
}

Test(book, epd_counters_become_fen_counters)
{
    struct book *book = load(E4 " hmvc 0; fmvn 12;");
    cr_expect_str_eq(book_opening(book, BOOK_SEQUENTIAL, 1, 0), E4 " 0 12");
    book_free(book);
    book = load(E4);
    cr_expect_str_eq(book_opening(book, BOOK_SEQUENTIAL, 1, 0), E4, "without counters none are made up");
    book_free(book);
}

static const struct {
    const char *text, *says;
} refused[] = {
    { "", "no positions" },
    { "# only a comment\n", "no positions" },
    { E4 "\nnonsense\n", "b.epd:2:" },
    { E4 "\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1\n", "b.epd:3:" },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1\n", "b.epd:1:" },
    { "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1\n", "b.epd:1: the game is over there (checkmate)" },
    { "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1\n", "b.epd:1: the game is over there (stalemate)" },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 999999 1\n", "b.epd:1:" },
};

Test(book, a_position_that_cannot_be_played_is_refused_with_its_line)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct book *book;
        struct tm_error error = { 0 };
        cr_assert_not(book_load_text("b.epd", refused[i].text, strlen(refused[i].text), &(struct book_format){ 0 }, &book, &error), "%s",
                      refused[i].text);
        cr_expect(error.code == TM_INPUT && strstr(error.message, refused[i].says) != NULL, "%s gave: %s",
                  refused[i].text, error.message);
    }
}

Test(book, random_order_shows_each_position_once_before_any_again)
{
    struct book *book;
    struct tm_error error;
    cr_assert(book_load(TEST_DATA "/../data/books/zeitnot-240.epd", &(struct book_format){ 0 }, &book, &error), "%s", error.message);
    const int size = book_size(book);
    cr_expect(size == 240);
    const char **seen = calloc((size_t)size, sizeof *seen);
    int in_file_order = 0;
    for (int k = 0; k < size; k++) {
        seen[k] = book_opening(book, BOOK_RANDOM, 7, k);
        in_file_order += seen[k] == book_opening(book, BOOK_SEQUENTIAL, 7, k);
        for (int j = 0; j < k; j++)
            cr_assert(seen[j] != seen[k], "pairs %d and %d", j, k);
        cr_expect(book_opening(book, BOOK_RANDOM, 7, k) == seen[k], "a function of seed and pair");
    }
    cr_expect(in_file_order < 8, "%d positions stand where the file has them", in_file_order);
    int changed = 0;
    for (int k = 0; k < size; k++)
        changed += book_opening(book, BOOK_RANDOM, 8, k) != seen[k];
    cr_expect(changed > 230, "another seed is another order");
    free(seen);
    book_free(book);
}

struct lines {
    char text[8][200];
    int count;
};

static bool keep_line(void *ctx, const char *epd, struct tm_error *error)
{
    (void)error;
    struct lines *lines = ctx;
    snprintf(lines->text[lines->count++], sizeof lines->text[0], "%s", epd);
    return true;
}

Test(book, building_is_deterministic_by_seed_and_gives_balanced_middlegames)
{
    struct book_plan plan = book_plan_default();
    struct tm_error error;
    plan.positions = 3;
    plan.eval_nodes = 5000;
    struct lines a = { 0 }, b = { 0 }, c = { 0 };
    cr_assert(book_build(&plan, keep_line, &a, &error) && book_build(&plan, keep_line, &b, &error));
    plan.seed = 2;
    cr_assert(book_build(&plan, keep_line, &c, &error));
    cr_assert(a.count == 3 && b.count == 3);
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(a.text[i], b.text[i]);
        cr_expect_str_neq(a.text[i], c.text[i]);
        const char *men = a.text[i];
        const size_t board = strcspn(men, " ");
        int pieces = 0, queens = 0;
        for (size_t k = 0; k < board; k++) {
            pieces += strchr("pnbrqkPNBRQK", men[k]) != NULL;
            queens += men[k] == 'q' || men[k] == 'Q';
        }
        cr_expect(pieces >= 26 && queens == 2, "%s", men);
        const char *eval = strstr(men, " ce ");
        cr_assert(eval != NULL);
        cr_expect(abs(atoi(eval + 4)) <= 80, "%s", men);
    }
}

Test(book, an_impossible_plan_is_refused_not_shortened)
{
    struct book_plan plan = book_plan_default();
    struct lines lines = { 0 };
    struct tm_error error;
    plan.positions = 1;
    plan.min_men = 33;
    plan.eval_nodes = 100;
    cr_expect_not(book_build(&plan, keep_line, &lines, &error));
    cr_expect(error.code == TM_INPUT && strstr(error.message, "only 0 of 1") != NULL, "%s", error.message);
}

static struct book *pgn_book(const char *text, int plies)
{
    struct book *book;
    struct tm_error error = { 0 };
    cr_assert(book_load_text("b.pgn", text, strlen(text), &(struct book_format){ true, plies }, &book, &error), "%s",
              error.message);
    return book;
}

Test(book, pgn_games_are_openings)
{
    static const char games[] =
        "\xef\xbb\xbf[Event \"x [y] {z}\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 {a (comment} e5 2.Nf3 (2. f4 exf4 {)} (2... d5)) 2... Nc6 $1 "
        "; to the end 3. Qh5\r\n3. Bb5 a6 1-0\r\n\r\n"
        "% an escaped line\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kd7 2. e4\n"
        "[Event \"no result before\"]\n\n1. d2d4 Ng8-f6 2.c4 *\n"
        "[Event \"no moves\"]\n\n*";
    struct book *book = pgn_book(games, 0);
    cr_expect_eq(book_size(book), 4);
    static const char *const expected[] = {
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4", "8/3k4/8/8/4P3/8/8/4K3 b - - 0 2",
        "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    };
    for (int i = 0; i < 4; i++)
        cr_expect_str_eq(book_opening(book, BOOK_SEQUENTIAL, 1, i), expected[i]);
    book_free(book);
    book = pgn_book(games, 2);
    cr_expect_str_eq(book_opening(book, BOOK_SEQUENTIAL, 1, 0), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    book_free(book);
}

Test(book, bad_pgn_is_refused_with_its_line)
{
    static const struct { const char *text, *message; } rows[] = {
        { "1. e4 e5\n2. Ke3 *", "b.pgn: 2: 'Ke3' is not a legal move" },
        { "1. e4 e5 2. Nf3 Nc6 3. Nd3", "'Nd3' is not" },
        { "1. e4 {never\n\nends", "b.pgn: 1: a comment" },
        { "1. e4\n( 1. d4", "b.pgn: 2: a variation" },
        { "[Event \"x\n1. e4 *", "b.pgn: 1: a tag" },
        { "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "king" },
        { "1. f3 e5 2. g4 Qh4# 0-1", "the game is over there (checkmate)" },
        { "", "no positions; expected PGN games" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct book *book;
        struct tm_error error = { 0 };
        cr_assert_not(book_load_text("b.pgn", rows[i].text, strlen(rows[i].text), &(struct book_format){ true, 0 }, &book, &error),
                      "%s", rows[i].text);
        cr_expect_not_null(strstr(error.message, rows[i].message), "%s: %s", rows[i].text, error.message);
    }
}
