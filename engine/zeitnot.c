/* zeitnot: the chess engine. Without arguments it speaks UCI on standard input and output. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/san.h"
#include "engine/suite.h"
#include "engine/uci.h"

enum { ABLATION_DEPTH = 8 }; /* deeper ones take minutes without pruning */

static const char help[] =
    "usage: zeitnot                                   speak UCI on standard input and output\n"
    "       zeitnot bench [--depth D] [--hash MB]     search fixed positions; the last line is 'N nodes M nps'\n"
    "       zeitnot bench --ablate [--depth D] …      the same without each feature of the search: a table\n"
    "       zeitnot suite FILE [--nodes N] [--hash MB]\n"
    "                                                 solve an EPD file (bm, am, dm) at N nodes a position\n"
    "       zeitnot --help | --version\n"
    "\n"
    "A deterministic chess engine: the same game and node limits give the same search, and `go nodes N` stops\n"
    "at exactly N nodes. With a clock it plays by the policy named in its option Policy (default: smooth), a\n"
    "Lua file in the directory policies/ of the data directory; ZEITNOT_DATA names another data directory.\n"
    "\n"
    "example: zeitnot bench --depth 10\n"
    "         zeitnot suite wac.epd --nodes 20000\n";

/* Usage errors lead to exit 2. */
static int refuse(const char *what, const char *found, const char *expected)
{
    fprintf(stderr, "zeitnot: %s: found '%s', expected %s; see zeitnot --help\n", what, found, expected);
    return TM_INPUT;
}

static bool parse_number(const char *text, long low, long high, long *out)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < low || value > high)
        return false;
    *out = value;
    return true;
}

static int64_t nps(int64_t nodes, int64_t ns) { return (int64_t)((double)nodes * 1e9 / (double)(ns > 0 ? ns : 1)); }

static void print_position(void *ctx, const struct bench_result *result)
{
    int64_t *ns = ctx;
    *ns += result->ns;
    if (result->over)
        printf("%2d/%d %9d  %10s %10s  %s\n", result->index + 1, BENCH_POSITIONS, 0, result->over, "", result->fen);
    else
        printf("%2d/%d %9" PRId64 "  %8.3fms %10" PRId64 "  %s\n", result->index + 1, BENCH_POSITIONS, result->nodes,
               (double)result->ns * 1e-6, nps(result->nodes, result->ns), result->fen);
}

/* Times are CPU time of the search, so that a loaded machine does not distort them. */
static bool run_bench(const struct bench_plan *plan, struct tm_error *error)
{
    int64_t total, ns = 0;
    printf("position   nodes        time   nodes/s\n");
    if (!bench_run(plan, print_position, &ns, &total, error))
        return false;
    printf("%" PRId64 " nodes %" PRId64 " nps\n", total, nps(total, ns));
    return true;
}

static void print_ablation(void *ctx, const struct bench_ablation *row)
{
    struct bench_ablation *all = ctx;
    if (!all->off)
        *all = *row;
    printf("%-38s %10" PRId64 " %+7.1f %% %9.1f ms %+7.1f %%\n", row->off, row->nodes,
           100.0 * ((double)row->nodes / (double)all->nodes - 1), (double)row->ns * 1e-6,
           100.0 * ((double)row->ns / (double)all->ns - 1));
    fflush(stdout);
}

static bool run_ablation(const struct bench_plan *plan, struct tm_error *error)
{
    struct bench_ablation all = { .off = NULL };
    printf("the bench at depth %d without           nodes               CPU time\n", plan->depth);
    return bench_ablate(plan, print_ablation, &all, error);
}

static int bench(int argc, char **argv)
{
    static const struct option options[] = {
        { "depth", required_argument, NULL, 'd' },
        { "hash", required_argument, NULL, 'h' },
        { "ablate", no_argument, NULL, 'a' },
        { NULL, 0, NULL, 0 },
    };
    struct tm_error error;
    long depth = 0, hash = BENCH_HASH_MB;
    bool ablate = false;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'd' && !parse_number(optarg, 1, SEARCH_MAX_DEPTH, &depth))
            return refuse("--depth", optarg, "a number from 1 to 240");
        if (option == 'h' && !parse_number(optarg, 0, 262144, &hash))
            return refuse("--hash", optarg, "megabytes from 0 to 262144");
        if (option == '?')
            return refuse("bench", argv[optind - 1], "--depth D, --hash MB or --ablate");
        ablate = ablate || option == 'a';
    }
    if (optind < argc)
        return refuse("bench", argv[optind], "--depth D, --hash MB or --ablate");
    struct bench_plan plan = { .depth = depth ? (int)depth : ablate ? ABLATION_DEPTH : BENCH_DEPTH,
                               .hash_bytes = (size_t)hash << 20 };
    if (ablate ? run_ablation(&plan, &error) : run_bench(&plan, &error))
        return 0;
    fprintf(stderr, "zeitnot: %s\n", error.message);
    return (int)error.code;
}

static void print_answer(void *ctx, const struct suite_result *result)
{
    char move[SAN_SIZE] = "-";
    const int64_t *nodes = ctx;
    if (result->index == 0)
        printf("%-12s  %-6s  %-8s %5s  wanted, within %" PRId64 " nodes\n", "position", "solved", "move", "depth", *nodes);
    if (result->move)
        san_print(move, &result->position, result->move);
    printf("%-12s  %-6s  %-8s %5d  %s\n", result->id, result->solved ? "yes" : "no", move, result->depth, result->wanted);
}

static int suite(int argc, char **argv)
{
    static const struct option options[] = {
        { "nodes", required_argument, NULL, 'n' },
        { "hash", required_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    struct tm_error error;
    struct suite_total total;
    long nodes = SUITE_NODES, hash = SUITE_HASH_MB;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'n' && !parse_number(optarg, 1, 1000000000000, &nodes))
            return refuse("--nodes", optarg, "a number from 1 to 1000000000000");
        if (option == 'h' && !parse_number(optarg, 0, 262144, &hash))
            return refuse("--hash", optarg, "megabytes from 0 to 262144");
        if (option == '?')
            return refuse("suite", argv[optind - 1], "--nodes N or --hash MB");
    }
    if (optind + 1 != argc)
        return refuse("suite", optind < argc ? argv[optind + 1] : "nothing", "one EPD file");
    int64_t shown = nodes;
    const struct suite_plan plan = { .path = argv[optind], .nodes = nodes, .hash_bytes = (size_t)hash << 20 };
    if (suite_run(&plan, print_answer, &shown, &total, &error)) {
        printf("%d of %d solved\n", total.solved, total.positions);
        return 0;
    }
    fprintf(stderr, "zeitnot: %s\n", error.message);
    return (int)error.code;
}

int main(int argc, char **argv)
{
    struct tm_error error;
    if (argc > 1 && !strcmp(argv[1], "bench"))
        return bench(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "suite"))
        return suite(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("zeitnot " ZEITNOT_VERSION);
        return 0;
    }
    if (argc > 1)
        return refuse("command line", argv[1], "bench, suite, --help, --version or nothing");
    if (uci_run(stdin, stdout, &error))
        return 0;
    fprintf(stderr, "zeitnot: %s\n", error.message);
    return (int)error.code;
}
