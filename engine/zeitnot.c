/* zeitnot: the chess engine. Without arguments it speaks UCI on standard input and output. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/bench.h"
#include "engine/search.h"
#include "engine/uci.h"

static const char help[] =
    "usage: zeitnot                                   speak UCI on standard input and output\n"
    "       zeitnot bench [--depth D] [--hash MB]     search fixed positions; the last line is 'N nodes M nps'\n"
    "       zeitnot --help | --version\n"
    "\n"
    "A deterministic chess engine: the same game and node limits give the same search, and `go nodes N` stops\n"
    "at exactly N nodes. With a clock it plays by the policy named in its option Policy (default: smooth), a\n"
    "Lua file in the directory policies/ of the data directory; ZEITNOT_DATA names another data directory.\n"
    "\n"
    "example: zeitnot bench --depth 10\n";

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

static void print_position(void *ctx, const struct bench_result *result)
{
    (void)ctx;
    printf("%2d/%d %9" PRId64 "  %s\n", result->index + 1, BENCH_POSITIONS, result->nodes, result->fen);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int run_bench(int depth, size_t hash_mb)
{
    struct tm_error error;
    int64_t total, start = now();
    if (!bench_run(depth, hash_mb << 20, print_position, NULL, &total, &error)) {
        fprintf(stderr, "zeitnot: %s\n", error.message);
        return (int)error.code;
    }
    int64_t spent = now() - start;
    printf("%" PRId64 " nodes %" PRId64 " nps\n", total, (int64_t)((double)total * 1e9 / (double)(spent ? spent : 1)));
    return 0;
}

static int bench(int argc, char **argv)
{
    static const struct option options[] = {
        { "depth", required_argument, NULL, 'd' },
        { "hash", required_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    long depth = BENCH_DEPTH, hash = BENCH_HASH_MB;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'd' && !parse_number(optarg, 1, SEARCH_MAX_DEPTH, &depth))
            return refuse("--depth", optarg, "a number from 1 to 240");
        if (option == 'h' && !parse_number(optarg, 0, 262144, &hash))
            return refuse("--hash", optarg, "megabytes from 0 to 262144");
        if (option == '?')
            return refuse("bench", argv[optind - 1], "--depth D or --hash MB");
    }
    if (optind < argc)
        return refuse("bench", argv[optind], "--depth D or --hash MB");
    return run_bench((int)depth, (size_t)hash);
}

int main(int argc, char **argv)
{
    struct tm_error error;
    if (argc > 1 && !strcmp(argv[1], "bench"))
        return bench(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("zeitnot " ZEITNOT_VERSION);
        return 0;
    }
    if (argc > 1)
        return refuse("command line", argv[1], "bench, --help, --version or nothing");
    if (uci_run(stdin, stdout, &error))
        return 0;
    fprintf(stderr, "zeitnot: %s\n", error.message);
    return (int)error.code;
}
