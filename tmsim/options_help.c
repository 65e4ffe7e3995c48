/* What the options say to a person: the help page, and the nearest word to a slip. */
#include <string.h>

#include "tmsim/options.h"

enum { WORD_MAX = 40, HELP_COLUMN = 30, HELP_WIDTH = 100 };

/* Prints words from `column` on, broken before HELP_WIDTH, continued at HELP_COLUMN. Bytes count as columns,
   which is true of the help texts but for a few signs. */
static void print_wrapped(const char *text, int column, FILE *stream)
{
    const char *gap = "";
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
            gap = "";
        }
        fprintf(stream, "%s%.*s", gap, length, text);
        column += length + 1;
        gap = " ";
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

static void print_row(const struct option_spec *spec, FILE *stream)
{
    char left[80], text[512];
    const char *argument = option_argument(spec);
    snprintf(left, sizeof left, "  --%s%s%s", spec->name, *argument ? " " : "", argument);
    snprintf(text, sizeof text, "%s%s%s%s%s", spec->help, spec->repeated ? "; may be repeated" : "",
             spec->required ? "; required" : "", spec->fallback ? "; default " : "", spec->fallback ? spec->fallback : "");
    if (strlen(left) + 2 > HELP_COLUMN)
        fprintf(stream, "%s\n%*s", left, HELP_COLUMN, "");
    else
        fprintf(stream, "%-*s", HELP_COLUMN, left);
    print_wrapped(text, HELP_COLUMN, stream);
}

void options_print_help(const struct option_set *set, FILE *stream)
{
    fprintf(stream, "usage: %s%s%s [options]\n\n%s\n\n", set->command, *set->operands ? " " : "", set->operands, set->summary);
    for (int i = 0; i < set->count; i++)
        print_row(&set->spec[i], stream);
    static const struct option_spec help = { .name = "help", .help = "this page" };
    print_row(&help, stream);
    fprintf(stream, "\nexample: %s\n", set->example);
}

static int least(int a, int b, int c)
{
    int least_of_two = a < b ? a : b;
    return least_of_two < c ? least_of_two : c;
}

/* Insertions, deletions, replacements and swaps of neighbours. Words longer than WORD_MAX are far from all. */
static int edit_distance(const char *a, const char *b)
{
    int rows = (int)strlen(a), columns = (int)strlen(b);
    int cost[WORD_MAX + 1][WORD_MAX + 1];
    if (rows > WORD_MAX || columns > WORD_MAX)
        return WORD_MAX;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] = least(cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = least(cost[i][j], cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[rows][columns];
}

const char *options_nearest(const char *word, const char *const *names, int count)
{
    /* A third of the letters, at least 2 but less than all: guess, after trying the slips of the tests. */
    int limit = (int)strlen(word) / 3;
    if (limit < 2)
        limit = 2;
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, names[i]);
        if (distance <= limit && distance < (int)strlen(word)) {
            nearest = names[i];
            limit = distance - 1;
        }
    }
    return nearest;
}
