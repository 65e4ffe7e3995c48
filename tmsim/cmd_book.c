/* `tmsim book build | check`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"
#include "tmsim/book.h"
#include "tmsim/book_build.h"
#include "tmsim/command.h"
#include "tmsim/commands.h"
#include "tmsim/progress.h"

static const struct option_spec build_specs[] = {
    { .name = "positions", .kind = OPTION_INTEGER, .argument = "N", .fallback = "240", .min = 1, .max = 100000,
      .help = "distinct positions" },
    { .name = "plies", .kind = OPTION_INTEGER, .argument = "N", .fallback = "16", .min = 8, .max = 40,
      .help = "longest playout; the shortest has 8 plies" },
    { .name = "max-eval", .kind = OPTION_INTEGER, .argument = "CP", .fallback = "80", .min = 0, .max = 1000,
      .help = "largest evaluation kept, centipawns for either side" },
    { .name = "eval-nodes", .kind = OPTION_INTEGER, .argument = "NODES", .fallback = "50000", .min = 100,
      .max = 100000000, .help = "of the search behind that evaluation" },
    { .name = "seed", .kind = OPTION_UNSIGNED, .fallback = "1", .help = "same seed, same book" },
    { .name = "out", .kind = OPTION_TEXT, .argument = "FILE", .required = true, .help = "the EPD file to write" },
    OPTION_ROW_QUIET,
};

static const struct option_set build_set = {
    .command = "tmsim book build",
    .operands = "",
    .summary = "Builds a book of balanced early middlegames: both queens on, 26 or more men, distinct by the\n"
               "first four fields. The engine plays random moves among the nearly best ones.",
    .example = "tmsim book build --positions 500 --seed 3 --out my.epd",
    .spec = build_specs,
    .count = sizeof build_specs / sizeof *build_specs,
};

static const struct option_spec check_specs[] = {
    { .name = "rounds", .kind = OPTION_INTEGER, .argument = "N", .min = 1, .max = 100000000,
      .help = "pairs that are to be played: are there enough distinct positions?" },
    { .name = "format", .kind = OPTION_CHOICE, .argument = "epd|fen|pgn", .fallback = "epd", .help = "of the file" },
    { .name = "sample", .kind = OPTION_INTEGER, .argument = "N", .fallback = "500", .min = 0, .max = 100000000,
      .help = "positions whose balance is judged by a search of 2000 nodes, spread over the file" },
    { .name = "plies", .kind = OPTION_INTEGER, .argument = "N", .fallback = "0", .min = 0, .max = 1000,
      .help = "of each PGN game; 0: all" },
};

static const struct option_set check_set = {
    .command = "tmsim book check",
    .operands = "FILE",
    .summary = "Reads a book as vmatch would and counts its positions; an illegal one is refused with its line.",
    .example = "tmsim book check my.epd --rounds 200",
    .spec = check_specs,
    .count = sizeof check_specs / sizeof *check_specs,
    .min_operands = 1,
    .max_operands = 1,
};

/* ---- build ---- */

struct output {
    FILE *file;
    struct progress progress;
    int count, wanted;
};

static bool write_line(void *ctx, const char *epd, struct tm_error *error)
{
    struct output *output = ctx;
    output->count++;
    progress_update(&output->progress, "book build  %d/%d positions", output->count, output->wanted);
    if (fprintf(output->file, "%s\n", epd) < 0)
        return error_fail(error, TM_INPUT, "the book cannot be written: %s", strerror(errno));
    return true;
}

/* Writes beside the target and renames at the end, so that a file there is whole or untouched. */
static bool build_file(const struct book_plan *plan, const char *path, bool quiet, struct tm_error *error)
{
    char partial[4096];
    snprintf(partial, sizeof partial, "%s.partial", path);
    struct output output = { .file = fopen(partial, "w"), .wanted = plan->positions,
                             .progress = progress_start(stderr, quiet) };
    if (!output.file)
        return error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
    bool ok = book_build(plan, write_line, &output, error);
    progress_clear(&output.progress);
    if (fclose(output.file) != 0 && ok)
        ok = error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
    if (ok && rename(partial, path) != 0)
        ok = error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
    if (!ok)
        remove(partial);
    return ok;
}

static bool build(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct book_plan plan = book_plan_default();
    plan.positions = (int)options_integer(options, "positions");
    plan.max_plies = (int)options_integer(options, "plies");
    plan.max_eval = (int)options_integer(options, "max-eval");
    plan.eval_nodes = options_integer(options, "eval-nodes");
    plan.seed = options_unsigned(options, "seed");
    const char *path = options_text(options, "out");
    if (!build_file(&plan, path, options_flag(options, "quiet"), error))
        return false;
    printf("%d positions written to %s, seed %llu\n", plan.positions, path, (unsigned long long)plan.seed);
    return true;
}

/* ---- check ---- */

struct balance {
    int positions, black, beyond;  /* looked at; with Black to move; of more than 80 cp for either side */
    double white, distance;        /* mean evaluation for White, mean distance from 0, cp */
};

/* Searches `sample` positions, or all if there are fewer. */
static bool find_balance(const struct book *book, int sample, struct balance *out, struct tm_error *error)
{
    const struct search_limits limits = { .nodes = 2000 }; /* guess: sees hanging men, 1 ms */
    struct engine *engine = engine_new(1 << 20, error);
    *out = (struct balance){ .positions = sample < book_size(book) ? sample : book_size(book) };
    for (int i = 0; engine && i < out->positions; i++) {
        const int index = (int)((int64_t)i * book_size(book) / out->positions);
        struct game *game = game_new(book_opening(book, BOOK_SEQUENTIAL, 0, index), error);
        if (!game) {
            engine_free(engine);
            return false;
        }
        engine_forget(engine);
        const int score = engine_search(engine, game, &limits, INT64_MAX, NULL, NULL).score;
        const bool black = game_position(game)->side == BLACK;
        out->black += black;
        out->white += (double)(black ? -score : score) / out->positions;
        out->distance += (double)abs(score) / out->positions;
        out->beyond += abs(score) > 80;
        game_free(game);
    }
    engine_free(engine);
    return engine != NULL;
}

static bool print_balance(const struct book *book, int sample, struct tm_error *error)
{
    struct balance balance;
    if (!find_balance(book, sample, &balance, error))
        return false;
    if (balance.positions > 0)
        printf("balance of %d positions at 2000 nodes: mean %+.0f cp for White, mean distance from 0 %.0f cp, %.1f %% beyond "
               "80 cp, %.1f %% with Black to move\n", balance.positions, balance.white, balance.distance,
               100.0 * balance.beyond / balance.positions, 100.0 * balance.black / balance.positions);
    return true;
}

static bool check(const struct options *options, int *code, struct tm_error *error)
{
    (void)code;
    struct book *book;
    const char *path = options_operand(options, 0);
    const struct book_format format = { options_choice(options, "format") == 2, (int)options_integer(options, "plies") };
    if (!book_load(path, &format, &book, error))
        return false;
    const int size = book_size(book), rounds = (int)options_integer(options, "rounds");
    printf("%s: %d distinct legal positions, %d repetitions left out, hash %s\n", path, size, book_duplicates(book),
           book_hash(book));
    if (!print_balance(book, (int)options_integer(options, "sample"), error)) {
        book_free(book);
        return false;
    }
    const bool enough = rounds <= size;
    if (rounds > 0)
        printf("%d pairs: %s\n", rounds, enough ? "each gets a position of its own" : "not enough, positions would repeat");
    book_free(book);
    return enough || error_fail(error, TM_VOID, "%d positions do not suffice for %d distinct pairs", size, rounds);
}

static int run_build(int argc, char **argv) { return command_run(&build_set, argc, argv, build); }
static int run_check(int argc, char **argv) { return command_run(&check_set, argc, argv, check); }

int cmd_book(int argc, char **argv)
{
    static const struct subcommand rows[] = {
        { "build", "make a book of balanced positions", run_build },
        { "check", "count, distinct, balance and legality of a book; is it enough?", run_check },
    };
    static const struct command_group group = { "book", rows, sizeof rows / sizeof *rows, "tmsim book check games.pgn --format pgn --plies 16" };
    return command_group_run(&group, argc, argv);
}
