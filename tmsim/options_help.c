/* The help page of a command, from its options' rows. */
#include <string.h>

#include "tmsim/options.h"
#include "tmsim/table.h"

enum { HELP_COLUMN = 30 };

static void print_row(const struct option_spec *spec, FILE *stream)
{
    char left[80], text[512];
    const char *argument = option_argument(spec);
    snprintf(left, sizeof left, "  --%s%s%s", spec->name, *argument ? " " : "", argument);
    snprintf(text, sizeof text, "%s%s%s%s%s", spec->help, spec->repeated ? "; may be repeated" : "",
             spec->required ? "; required" : "", spec->fallback ? "; default " : "", spec->fallback ? spec->fallback : "");
    const int width = text_width(left);
    if (width + 2 > HELP_COLUMN)
        fprintf(stream, "%s\n%*s", left, HELP_COLUMN, "");
    else
        fprintf(stream, "%s%*s", left, HELP_COLUMN - width, "");
    text_wrap(stream, HELP_COLUMN, HELP_COLUMN, text);
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
