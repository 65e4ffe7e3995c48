/* The script and its data go to gnuplot through a pipe; nothing is written beside the picture. */
#include "tmsim/policy_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tmsim/knees.h"
#include "tmsim/walk.h"

enum { PLOT_STEPS = 200 };

/* The Okabe-Ito colours, which the colour-blind can tell apart (jfly.uni-koeln.de/color). */
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000" };

static const char *colour(int i) { return colours[(size_t)i % (sizeof colours / sizeof *colours)]; }

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

/* In gnuplot's single quotes only a quote needs care; it is doubled. */
static void print_quoted(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', script);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
    }
    fputc('\'', script);
}

static void print_output(const struct plot *plot, FILE *script)
{
    if (!plot->out)
        fputs("set terminal dumb noenhanced size 100,32\n", script);
    else if (ends_with(plot->out, ".svg"))
        fputs("set terminal svg noenhanced size 900,560 font 'sans-serif,13' background '#ffffff'\n", script);
    else
        fputs("set terminal pngcairo noenhanced size 900,560 font 'sans-serif,11'\n", script);
    if (plot->out) { /* in a terminal a grid would be as strong as the curves */
        fputs("set grid xtics ytics lt 1 lw 1 lc rgb '#dddddd'\nset output ", script);
        print_quoted(script, plot->out);
        fputs("\n", script);
    }
}

/* A point, or a gap in the line where there is no value. */
static void print_point(FILE *script, double x, double y)
{
    if (isfinite(y))
        fprintf(script, "%.9g %.9g\n", x, y);
    else
        fputs("\n", script);
}

static double limit_s(tm_ns limit, bool logarithmic)
{
    if (limit == TM_NS_MAX || (logarithmic && limit <= 0))
        return NAN;
    return ns_to_s(limit);
}

static void print_budget_lines(FILE *script, const struct plot *plot, int index, const struct survey *survey)
{
    fprintf(script, "$hard%d << EOD\n", index);
    for (int i = 0; i < survey->count; i++)
        if (!survey->point[i].at.fault)
            print_point(script, ns_to_s(survey->point[i].at.time),
                        limit_s(survey->point[i].at.budget.hard_floored, plot->logarithmic));
    fprintf(script, "EOD\n$soft%d << EOD\n", index);
    for (int i = 0; i < survey->count; i++)
        if (!survey->point[i].at.fault)
            print_point(script, ns_to_s(survey->point[i].at.time),
                        limit_s(survey->point[i].at.budget.effective_soft, plot->logarithmic));
    fputs("EOD\n", script);
}

/* Knees lie on the curve of hard, with what they are called, if there is room for one policy's names: the text stands
   upright above the point. A block may not be empty for gnuplot: a point that is not
   drawn heads it. */
static void print_knees(FILE *script, const struct plot *plot, int index, struct cell *cell, const struct knees *knees)
{
    fprintf(script, "$knees%d << EOD\nNaN NaN \"\"\n", index);
    tm_ns named = TM_NS_MAX;
    for (int i = 0; i < knees->count; i++) {
        const struct knee *knee = &knees->knee[i];
        const struct cell_point point = cell_point_at(cell, knee->clock);
        const double y = point.fault ? NAN : limit_s(point.budget.hard_floored, plot->logarithmic);
        if (knee->kind == KNEE_BRANCH || !isfinite(y))
            continue;
        fprintf(script, "%.9g %.9g ", ns_to_s(point.time), y);
        const bool apart = named - knee->clock > (plot->logarithmic ? named / 8 : cell->top / 50);
        if (plot->count == 1 && (named == TM_NS_MAX || apart))
            fprintf(script, "\"  %s at %.3f s\"\n", knee_name(knee->kind), ns_to_s(knee->clock));
        else
            fputs("\"\"\n", script);
        if (named == TM_NS_MAX || apart)
            named = knee->clock;
    }
    fputs("EOD\n", script);
}

static bool print_budget_data(FILE *script, const struct plot *plot, int index, struct tm_error *error)
{
    struct cell cell;
    struct survey survey;
    struct knees knees;
    if (!cell_open(&cell, &plot->setup[index], error))
        return false;
    const bool ok = survey_take(&cell, PLOT_STEPS, &survey, error);
    if (ok) {
        knees_find(&cell, &survey, KNEES_ALL, &knees);
        print_budget_lines(script, plot, index, &survey);
        print_knees(script, plot, index, &cell, &knees);
        survey_clear(&survey);
    }
    cell_close(&cell);
    return ok;
}

static bool print_walk_data(FILE *script, const struct plot *plot, int index, struct tm_error *error)
{
    struct walk walk;
    if (!walk_run(&plot->setup[index], &walk, error))
        return false;
    fprintf(script, "$clock%d << EOD\n", index);
    for (int i = 0; i < walk.moves; i++)
        print_point(script, i + 1, ns_to_s(walk.move[i].state.time));
    fprintf(script, "EOD\n$spend%d << EOD\n", index);
    for (int i = 0; i < walk.moves; i++)
        print_point(script, i + 1 + 0.25 * index, ns_to_s(walk.move[i].spend)); /* beside the other policies' */
    fprintf(script, "EOD\n$flag%d << EOD\nNaN NaN\n", index);
    if (walk.flag_move)
        print_point(script, walk.flag_move, 0);
    fputs("EOD\n", script);
    walk_clear(&walk);
    return true;
}

struct curve {
    const char *data, *style, *axes, *suffix;
};

static const struct curve budget_curves[] = {
    { "hard", "lines", "", " hard" },
    { "soft", "lines dt 2", "", " soft" },
    { "knees", "points pt 6 ps 1.2", "", " knees" },
};
/* One policy's knees have room for their names. */
static const struct curve named_curves[] = {
    { "hard", "lines", "", " hard" },
    { "soft", "lines dt 2", "", " soft" },
    { "knees", "labels rotate by 90 left tc rgb '#444444'", "", " knees" },
};
static const struct curve walk_curves[] = {
    { "clock", "steps lw 2", "", " clock" },
    { "spend", "impulses", " axes x1y2", " spend" },
    { "flag", "points pt 2 ps 2", "", " flag" },
};

static void print_curves(FILE *script, const struct plot *plot, const struct curve *curve, int count)
{
    fputs("plot ", script);
    for (int i = 0; i < plot->count; i++)
        for (int k = 0; k < count; k++) {
            char title[200];
            const bool labels = strncmp(curve[k].style, "labels", 6) == 0,
                line = strncmp(curve[k].style, "lines", 5) == 0;
            snprintf(title, sizeof title, "%.150s%s", plot->label[i], curve[k].suffix);
            fprintf(script, "%s$%s%d using 1:2%s%s with %s %slc rgb '%s' ", i + k ? ", " : "", curve[k].data, i,
                    labels ? ":3" : "", curve[k].axes, curve[k].style,
                    labels ? "point pt 7 ps 0.9 " : "", colour(i));
            if (line) /* where curves of hard lie on each other, the first ones show as a rim */
                fprintf(script, "lw %g ", k == 0 ? 2 + 1.5 * (plot->count - 1 - i) : 1.5);
            fputs("title ", script);
            print_quoted(script, title);
        }
    if (plot->subject == PLOT_BUDGET && plot->logarithmic)
        fputs(", x with lines lw 1 dt 3 lc rgb '#888888' title 'the whole clock'", script);
    fputs("\n", script);
}

static void print_frame(FILE *script, const struct plot *plot)
{
    char tc[TC_TEXT_SIZE], title[TC_TEXT_SIZE + 96];
    const struct cell_setup *setup = &plot->setup[0];
    if (plot->subject == PLOT_WALK)
        snprintf(title, sizeof title, "walk at %s, overhead %.6g ms, spend model %s", tc_print(tc, &setup->tc),
                 (double)setup->overhead / 1e6, spend_name(setup->model.kind));
    else
        snprintf(title, sizeof title, "budget at %s, ply %d", tc_print(tc, &setup->tc), setup->middle_ply);
    fputs("set key outside right top Left reverse\nset title ", script);
    print_quoted(script, title);
    if (plot->subject == PLOT_WALK) {
        fputs("\nset xlabel 'own move'\nset ylabel 'clock, s'\nset y2label 'spend, s'\nset y2tics\nset ytics nomirror\n"
              "set yrange [0:*]\nset y2range [0:*]\n", script);
        return;
    }
    fputs("\nset xlabel 'clock, s'\nset ylabel 'budget, s'\n", script);
    fputs(plot->logarithmic ? "set logscale xy\n" : "set yrange [0:*]\n", script);
    if (plot->count == 1 && !plot->logarithmic)
        fputs("set offsets graph 0, 0, graph 0.15, 0\n", script); /* room for the names of knees */
}

static bool print_script(FILE *script, const struct plot *plot, struct tm_error *error)
{
    for (int i = 0; i < plot->count; i++)
        if (plot->subject == PLOT_BUDGET ? !print_budget_data(script, plot, i, error)
                                         : !print_walk_data(script, plot, i, error))
            return false;
    print_output(plot, script);
    print_frame(script, plot);
    if (plot->subject == PLOT_BUDGET && plot->count == 1 && plot->out)
        print_curves(script, plot, named_curves, sizeof named_curves / sizeof *named_curves);
    else if (plot->subject == PLOT_BUDGET)
        print_curves(script, plot, budget_curves, sizeof budget_curves / sizeof *budget_curves);
    else
        print_curves(script, plot, walk_curves, sizeof walk_curves / sizeof *walk_curves);
    return true;
}

bool plot_draw(const struct plot *plot, struct tm_error *error)
{
    if (plot->out && !ends_with(plot->out, ".svg") && !ends_with(plot->out, ".png"))
        return error_fail(error, TM_INPUT, "--out %s: expected a name that ends in .svg or .png", plot->out);
    fflush(stdout);
    FILE *script = popen("gnuplot", "w");
    if (!script)
        return error_fail(error, TM_INTERNAL, "gnuplot could not be started: %s", strerror(errno));
    const bool ok = print_script(script, plot, error);
    const int status = pclose(script);
    if (!ok)
        return false;
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_fail(error, TM_INPUT, "gnuplot is not installed; plots need it");
    return error_fail(error, TM_INPUT, "gnuplot failed%s%s; its message is above", plot->out ? " to draw " : "",
                      plot->out ? plot->out : "");
}
