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
    if (plot->out) {
        fputs("set output ", script);
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

/* Knees lie on the curve of hard. A block may not be empty for gnuplot: a point that is not drawn heads it. */
static void print_knees(FILE *script, const struct plot *plot, int index, struct cell *cell, const struct knees *knees)
{
    fprintf(script, "$knees%d << EOD\nNaN NaN\n", index);
    for (int i = 0; i < knees->count; i++) {
        const struct cell_point point = cell_point_at(cell, knees->knee[i].clock);
        if (knees->knee[i].kind != KNEE_BRANCH && !point.fault)
            print_point(script, ns_to_s(point.time), limit_s(point.budget.hard_floored, plot->logarithmic));
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
    fputs("EOD\n", script);
    walk_clear(&walk);
    return true;
}

struct curve {
    const char *data, *style, *axes, *suffix;
};

static const struct curve budget_curves[] = {
    { "hard", "lines lw 2", "", " hard" },
    { "soft", "lines lw 2 dt 2", "", " soft" },
    { "knees", "points pt 6 ps 1.2", "", " knees" },
};
static const struct curve walk_curves[] = {
    { "clock", "lines lw 2", "", " clock" },
    { "spend", "impulses lw 1", " axes x1y2", " spend" },
};

static void print_curves(FILE *script, const struct plot *plot, const struct curve *curve, int count)
{
    fputs("plot ", script);
    for (int i = 0; i < plot->count; i++)
        for (int k = 0; k < count; k++) {
            char title[200];
            snprintf(title, sizeof title, "%.150s%s", plot->label[i], curve[k].suffix);
            fprintf(script, "%s$%s%d using 1:2%s with %s lc rgb '%s' title ", i + k ? ", " : "", curve[k].data, i,
                    curve[k].axes, curve[k].style, colour(i));
            print_quoted(script, title);
        }
    fputs("\n", script);
}

static void print_frame(FILE *script, const struct plot *plot)
{
    char tc[TC_TEXT_SIZE], title[TC_TEXT_SIZE + 64];
    const struct cell_setup *setup = &plot->setup[0];
    snprintf(title, sizeof title, "%s, overhead %.6g ms", tc_print(tc, &setup->tc), (double)setup->overhead / 1e6);
    fputs("set key outside right top\nset grid lc rgb '#dddddd'\nset title ", script);
    print_quoted(script, title);
    if (plot->subject == PLOT_WALK) {
        fputs("\nset xlabel 'own move'\nset ylabel 'clock, s'\nset y2label 'spend, s'\nset y2tics\nset ytics nomirror\n"
              "set yrange [0:*]\nset y2range [0:*]\n", script);
        return;
    }
    fputs("\nset xlabel 'clock, s'\nset ylabel 'budget, s'\n", script);
    fputs(plot->logarithmic ? "set logscale xy\n" : "set yrange [0:*]\n", script);
}

static bool print_script(FILE *script, const struct plot *plot, struct tm_error *error)
{
    for (int i = 0; i < plot->count; i++)
        if (plot->subject == PLOT_BUDGET ? !print_budget_data(script, plot, i, error)
                                         : !print_walk_data(script, plot, i, error))
            return false;
    print_output(plot, script);
    print_frame(script, plot);
    if (plot->subject == PLOT_BUDGET)
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
