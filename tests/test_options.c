#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/options.h"
#include "vclock/suggest.h"

enum { MAX_ARGUMENTS = 24 };

static const struct option_spec specs[] = {
    { .name = "rounds", .kind = OPTION_INTEGER, .min = 1, .max = 1000000, .fallback = "20", .help = "pairs of games" },
    { .name = "tc", .kind = OPTION_TC, .fallback = "60+0", .repeated = true, .help = "time control" },
    { .name = "overhead", .kind = OPTION_DURATION, .fallback = "50ms", .help = "charged per move" },
    { .name = "seed", .kind = OPTION_UNSIGNED, .fallback = "1", .help = "of all random draws" },
    { .name = "nps-scale", .kind = OPTION_REAL, .low = 0.001, .high = 1000, .fallback = "1", .help = "factor on the rate" },
    { .name = "elo0", .kind = OPTION_REAL, .help = "a hypothesis" },
    { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .help = "the store" },
    OPTION_ROW_FORMAT,
    OPTION_ROW_QUIET,
};
static const struct option_set set = {
    .command = "tmsim vmatch", .operands = "POLICY POLICY...", .summary = "Plays policies against each other.",
    .example = "tmsim vmatch pool simple --tc 60+0", .spec = specs, .count = sizeof specs / sizeof *specs,
    .min_operands = 0, .max_operands = 3,
};

/* Splits a line at blanks, '' is an empty word, and parses it; the words live in `line`. */
static struct options *parse(char *line, struct tm_error *error)
{
    char *argv[MAX_ARGUMENTS] = { (char[]){ "vmatch" } };
    int argc = 1;
    for (char *word = strtok(line, " "); word && argc < MAX_ARGUMENTS; word = strtok(NULL, " ")) {
        if (strcmp(word, "''") == 0)
            *word = '\0';
        argv[argc++] = word;
    }
    return options_parse(&set, argc, argv, error);
}

Test(options, values_of_every_kind)
{
    struct tm_error error = { 0 };
    char line[] = "pool --rounds 7 --tc=1+0 simple --tc 40/60+0.6 --overhead 1.5ms --seed 18446744073709551615 --quiet";
    struct options *options = parse(line, &error);
    cr_assert_not_null(options, "%s", error.message);
    cr_expect_eq(options_integer(options, "rounds"), 7);
    cr_expect_eq(options_count(options, "tc"), 2);
    cr_expect_eq(options_tc_at(options, "tc", 0)->period[0].base, TM_NS_PER_S);
    cr_expect_eq(options_tc_at(options, "tc", 1)->period[0].moves, 40);
    cr_expect_null(options_tc_at(options, "tc", 2));
    cr_expect_eq(options_duration(options, "overhead"), 1500000);
    cr_expect_eq(options_unsigned(options, "seed"), UINT64_MAX);
    cr_expect(options_flag(options, "quiet"));
    cr_expect_eq(options_operand_count(options), 2);
    cr_expect_str_eq(options_operand(options, 1), "simple");
    options_free(options);
    char other[] = "--elo0 -5 --nps-scale=2.5e-1 --format csv --db=--odd -- --pool -";
    options = parse(other, &error);
    cr_assert_not_null(options, "%s", error.message);
    cr_expect_eq(options_real(options, "elo0"), -5);
    cr_expect_eq(options_real(options, "nps-scale"), 0.25);
    cr_expect_eq(options_choice(options, "format"), 2);
    cr_expect_str_eq(options_text(options, "db"), "--odd");
    cr_expect_eq(options_operand_count(options), 2);
    cr_expect_str_eq(options_operand(options, 0), "--pool");
    options_free(options);
}

Test(options, fallbacks_are_values_but_not_given)
{
    struct tm_error error = { 0 };
    char line[] = "";
    struct options *options = parse(line, &error);
    cr_assert_not_null(options, "%s", error.message);
    cr_expect_eq(options_integer(options, "rounds"), 20);
    cr_expect_eq(options_given(options, "rounds"), 0);
    cr_expect_eq(options_count(options, "tc"), 1);
    cr_expect_eq(options_duration(options, "overhead"), 50 * TM_NS_PER_MS);
    cr_expect_null(options_text(options, "db"));
    cr_expect_eq(options_count(options, "db"), 0);
    cr_expect(!options_flag(options, "quiet"));
    cr_expect(!options_help_wanted(options));
    options_free(options);
}

Test(options, faults_name_option_found_and_expected)
{
    static const struct { const char *line, *message; } rows[] = {
        { "--rond 5", "unknown option '--rond'; did you mean --rounds?" },
        { "--rond=5", "unknown option '--rond'; did you mean --rounds?" },
        { "--sede 5", "unknown option '--sede'; did you mean --seed?" },
        { "-q", "unknown option '-q'; tmsim vmatch --help lists them" },
        { "--zzz", "unknown option '--zzz'; tmsim vmatch --help lists them" },
        { "--overhead 50", "--overhead 50: a duration needs its unit; 50ms or 50s?" },
        { "--rounds", "--rounds: expected N, found the end of the line" },
        { "--db --quiet", "--db: expected FILE, found --quiet" },
        { "--db=", "--db: expected FILE, found nothing" },
        { "--quiet=1", "--quiet: takes no value, found '1'" },
        { "--rounds 0", "--rounds 0: expected a whole number from 1 to 1000000" },
        { "--rounds 1000001", "--rounds 1000001: expected a whole number from 1 to 1000000" },
        { "--rounds 99999999999999999999", "--rounds 99999999999999999999: expected a whole number from 1 to 1000000" },
        { "--rounds 5x", "--rounds 5x: expected a whole number" },
        { "--rounds 5.0", "--rounds 5.0: expected a whole number" },
        { "--rounds 0x10", "--rounds 0x10: expected a whole number" },
        { "--rounds +5", "--rounds +5: expected a whole number" },
        { "--rounds ''", "--rounds : expected a whole number" },
        { "--seed -1", "--seed -1: expected a whole number from 0 to 18446744073709551615" },
        { "--seed 18446744073709551616", "--seed 18446744073709551616: expected a whole number from 0 to 18446744073709551615" },
        { "--nps-scale nan", "--nps-scale nan: expected a number" },
        { "--nps-scale 1e999", "--nps-scale 1e999: expected a number" },
        { "--nps-scale 0", "--nps-scale 0: expected a number from 0.001 to 1000" },
        { "--elo0 5x", "--elo0 5x: expected a number" },
        { "--elo0 1e", "--elo0 1e: expected a number" },
        { "--format xml", "--format xml: expected one of text|json|csv" },
        { "--format tex", "--format tex: expected one of text|json|csv" },
        { "--seed 1 --seed 2", "--seed: given twice" },
        { "a b c d", "'d' is one operand too many; expected POLICY POLICY..." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tm_error error = { 0 };
        char line[100];
        snprintf(line, sizeof line, "%s", rows[i].line);
        struct options *options = parse(line, &error);
        cr_expect_null(options, "%s was accepted", rows[i].line);
        cr_expect_eq(error.code, TM_INPUT);
        cr_expect_str_eq(error.message, rows[i].message, "%s: %s", rows[i].line, error.message);
        options_free(options);
    }
}

Test(options, a_faulty_time_control_names_its_option)
{
    struct tm_error error = { 0 };
    char line[] = "--tc 40/";
    cr_expect_null(parse(line, &error));
    cr_expect_eq(strncmp(error.message, "--tc", 4), 0, "%s", error.message);
}

Test(options, required_options_and_operands_are_asked_for)
{
    static const struct option_spec spec[] = { { .name = "db", .kind = OPTION_TEXT, .argument = "FILE", .required = true } };
    const struct option_set strict = { .command = "tmsim x", .operands = "POLICY", .spec = spec, .count = 1, .min_operands = 1,
                                       .max_operands = 1 };
    struct tm_error error = { 0 };
    char name[] = "x", operand[] = "pool", option[] = "--db=f", help[] = "--help";
    cr_expect_null(options_parse(&strict, 2, (char *[]){ name, operand }, &error));
    cr_expect_str_eq(error.message, "--db FILE is missing");
    cr_expect_null(options_parse(&strict, 2, (char *[]){ name, option }, &error));
    cr_expect_str_eq(error.message, "expected POLICY, found none");
    struct options *options = options_parse(&strict, 2, (char *[]){ name, help }, &error);
    cr_assert_not_null(options, "help needs nothing else");
    cr_expect(options_help_wanted(options));
    options_free(options);
}

Test(options, help_shows_every_row_within_100_columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    options_print_help(&set, stream);
    fclose(stream);
    for (int i = 0; i < set.count; i++) {
        char name[40];
        snprintf(name, sizeof name, "\n  --%s", set.spec[i].name);
        cr_expect_not_null(strstr(text, name), "no line for %s in:\n%s", name, text);
        cr_expect_not_null(strstr(text, set.spec[i].help), "%s", set.spec[i].help);
    }
    cr_expect_not_null(strstr(text, "default 50ms"));
    cr_expect_not_null(strstr(text, "example: tmsim vmatch pool simple"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        cr_expect_leq(strlen(line), 100, "%s", line);
    free(text);
}

Test(options, slips_of_the_fingers)
{
    static const char *const names[] = { "smooth", "simple", "pool", "oldtm" };
    static const struct { const char *word, *expected; } rows[] = {
        { "smoth", "smooth" }, { "smth", "smooth" }, { "smootj", "smooth" }, { "poool", "pool" }, { "opol", "pool" }, { "simpel", "simple" },
        { "x", NULL }, { "stockfish", NULL }, { "", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *nearest = suggest_nearest(rows[i].word, names, 4);
        cr_expect(nearest ? rows[i].expected && strcmp(nearest, rows[i].expected) == 0 : !rows[i].expected,
                  "%s gave %s", rows[i].word, nearest ? nearest : "nothing");
    }
}
