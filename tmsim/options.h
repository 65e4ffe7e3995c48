/* Command line options as data: one row each, used for parsing, for --help and for the tests. */
#ifndef TMSIM_OPTIONS_H
#define TMSIM_OPTIONS_H

#include <stdio.h>

#include "vclock/tc.h"

enum option_kind {
    OPTION_FLAG,     /* takes no value */
    OPTION_TEXT,     /* anything but "" */
    OPTION_INTEGER,  /* whole, within min..max */
    OPTION_UNSIGNED, /* whole, 0..2^64-1: seeds */
    OPTION_REAL,     /* finite, within low..high */
    OPTION_DURATION, /* with its unit */
    OPTION_TC,       /* a time control */
    OPTION_CHOICE,   /* one of the words of `argument`, "text|json|csv" */
};

struct option_spec {
    const char *name;     /* without the dashes */
    enum option_kind kind;
    const char *argument; /* what help calls the value: "FILE"; NULL: after the kind */
    const char *fallback; /* the value if it is not given, as a user would type it; NULL: none */
    bool repeated, required;
    int64_t min, max;     /* of an integer; both 0: any */
    double low, high;     /* of a real; both 0: any */
    const char *help;
};

/* Rows that many commands share. */
#define OPTION_ROW_FORMAT { .name = "format", .kind = OPTION_CHOICE, .argument = "text|json|csv", .fallback = "text", \
                            .help = "a table for people, or JSON or CSV for programs" }
#define OPTION_ROW_QUIET { .name = "quiet", .kind = OPTION_FLAG, .help = "no progress line" }

struct option_set {
    const char *command;  /* "tmsim rank" */
    const char *operands; /* "POLICY POLICY…" as in the usage line; "" if there are none */
    const char *summary, *example;
    const struct option_spec *spec;
    int count;
    int min_operands, max_operands;
};

struct options;

/* Reads argv[1] … argv[argc - 1]: `--name value`, `--name=value`, operands anywhere, `--` ends the options.
   --help is understood everywhere and stops the parsing: see options_help_wanted. Texts are borrowed from argv.
   NULL and `error` (TM_INPUT) for a fault; the caller frees the result by options_free. */
struct options *options_parse(const struct option_set *set, int argc, char **argv, struct tm_error *error);
void options_free(struct options *options);

bool options_help_wanted(const struct options *options);
void options_print_help(const struct option_set *set, FILE *stream);

int options_operand_count(const struct options *options);
const char *options_operand(const struct options *options, int index);

/* How often it was given on the command line, not counting a fallback. */
int options_given(const struct options *options, const char *name);

/* How many values there are: the given ones, or 1 for a fallback. */
int options_count(const struct options *options, const char *name);

/* The values. `name` must be a row of that kind; with a value missing: NULL, 0. */
bool options_flag(const struct options *options, const char *name);
const char *options_text(const struct options *options, const char *name);
const char *options_text_at(const struct options *options, const char *name, int index);
int64_t options_integer(const struct options *options, const char *name);
uint64_t options_unsigned(const struct options *options, const char *name);
double options_real(const struct options *options, const char *name);
tm_ns options_duration(const struct options *options, const char *name);
const struct tc *options_tc_at(const struct options *options, const char *name, int index);
int options_choice(const struct options *options, const char *name); /* index among the words of `argument` */

/* What help and messages call the option's value: "FILE", "N"; "" for a flag. */
const char *option_argument(const struct option_spec *spec);

/* Parsing of single numbers in the manner of the options; `what` names the place in messages. */
bool option_parse_integer(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                          struct tm_error *error);
bool option_parse_real(const char *what, const char *text, double low, double high, double *out,
                       struct tm_error *error);

#endif
