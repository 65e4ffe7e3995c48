/* The help page of a command, from its options' rows. */
#include <string.h>

#include "tmsim/options.h"

enum { HELP_COLUMN = 30, HELP_WIDTH = 100 };

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
