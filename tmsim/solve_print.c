/* A cell for people: the clock as a little drawing, then knees, park and what is wrong. */
#include <math.h>
#include <string.h>

#include "tmsim/solve.h"

enum { DRAW_ROWS = 5, DRAW_COLUMNS = 36, TEXT_COLUMNS = 98, HEAD = 10 };

/* ---- words ---- */

static void print_head(FILE *stream, const char *head) { fprintf(stream, "%-*s", HEAD, head); }

/* ---- the drawing ---- */

struct drawing {
    const char *cell[DRAW_ROWS][DRAW_COLUMNS];
};

static int row_of(const struct walk *walk, double top, int column)
{
    const int move = (int)lround((double)column / (DRAW_COLUMNS - 1) * (walk->moves - 1));
    const double clock = (double)walk->move[move].state.time;
    const long row = lround((1 - clock / top) * (DRAW_ROWS - 1));
    return row < 0 ? 0 : row >= DRAW_ROWS ? DRAW_ROWS - 1 : (int)row;
}

static double largest_clock(const struct walk *walk)
{
    tm_ns largest = 1;
    for (int i = 0; i < walk->moves; i++)
        if (walk->move[i].state.time > largest)
            largest = walk->move[i].state.time;
    return (double)largest;
}

static void draw(const struct walk *walk, double top, struct drawing *d)
{
    memset(d, 0, sizeof *d);
    int before = row_of(walk, top, 0);
    for (int column = 0; column < DRAW_COLUMNS; column++) {
        const int row = row_of(walk, top, column);
        d->cell[row][column] = "─";
        if (row != before) {
            d->cell[before][column] = row > before ? "╮" : "╯";
            d->cell[row][column] = row > before ? "╰" : "╭";
            for (int i = (row < before ? row : before) + 1; i < (row > before ? row : before); i++)
                d->cell[i][column] = "│";
        }
        before = row;
    }
    if (walk->flag_move) {
        d->cell[before][DRAW_COLUMNS - 1] = before == DRAW_ROWS - 1 ? "╳" : "╮";
        for (int i = before + 1; i < DRAW_ROWS; i++)
            d->cell[i][DRAW_COLUMNS - 1] = i == DRAW_ROWS - 1 ? "╳" : "│";
    }
}

static void describe_end(const struct walk *walk, char *text, size_t size)
{
    if (walk->fault_move)
        snprintf(text, size, "the policy faults at move %d", walk->fault_move);
    else if (walk->flag_move)
        snprintf(text, size, "flags at move %d", walk->flag_move);
    else
        snprintf(text, size, "ends at %.3f s, lowest %.3f s", ns_to_s(walk->end_clock), ns_to_s(walk->min_clock));
}

static void describe_floor(const struct walk *walk, char *text, size_t size)
{
    if (walk->floor_moves)
        snprintf(text, size, "%d moves at the floor, the first at %d", walk->floor_moves, walk->first_floor_move);
    else
        snprintf(text, size, "no move at the floor");
}

static void print_drawing(const struct walk *walk, tm_ns overhead, FILE *stream)
{
    struct drawing d;
    char remark[DRAW_ROWS][96] = { "" };
    const double top = largest_clock(walk);
    draw(walk, top, &d);
    snprintf(remark[0], sizeof remark[0], "starts at %.3f s", ns_to_s(walk->move[0].state.time));
    snprintf(remark[1], sizeof remark[1], "median spend %.2f s, largest %.2f s", ns_to_s(walk->median_spend),
             ns_to_s(walk->max_spend));
    describe_floor(walk, remark[2], sizeof remark[2]);
    snprintf(remark[3], sizeof remark[3], "%d of %d moves starved; overhead took %.2f s", walk->starved_moves, walk->moves,
             ns_to_s(overhead) * walk->moves);
    describe_end(walk, remark[4], sizeof remark[4]);
    for (int row = 0; row < DRAW_ROWS; row++) {
        print_head(stream, row == 0 ? "clock s" : "");
        if (row % 2 == 0)
            fprintf(stream, "%6.4g ", top / 1e9 * (DRAW_ROWS - 1 - row) / (DRAW_ROWS - 1));
        else
            fprintf(stream, "%6s ", "");
        for (int column = 0; column < DRAW_COLUMNS; column++)
            fputs(d.cell[row][column] ? d.cell[row][column] : " ", stream);
        fprintf(stream, "  %s\n", remark[row]);
    }
}

/* ---- the parts ---- */

static void print_title(const struct solution *solution, FILE *stream)
{
    char tc[TC_TEXT_SIZE], overhead[32];
    const struct cell_setup *setup = &solution->setup;
    snprintf(overhead, sizeof overhead, "%.6g ms", (double)setup->overhead / 1e6);
    fprintf(stream, "SOLVE %s at %s, overhead %s, %d own moves, spend model %s%s\n\n", solution->spec,
            tc_print(tc, &setup->tc), overhead, setup->moves, spend_name(setup->model.kind),
            setup->first_inc ? "" : ", no first increment");
    if (solution->movestogo)
        fprintf(stream, "          knees and parks are those of ply %d with %d moves to go\n\n", setup->middle_ply,
                solution->movestogo);
    if (policy_info(setup->policy)->hooks)
        fputs("          this policy's file lacks hooks that its source has: what follows is static\n\n", stream);
}

static void print_knees(const struct knees *knees, FILE *stream)
{
    if (knees->count == 0)
        fputs("knees     none\n", stream);
    for (int i = 0; i < knees->count; i++) {
        print_head(stream, i == 0 ? "knees" : "");
        fprintf(stream, "%-12s %8.3f s%s", knee_name(knees->knee[i].kind), ns_to_s(knees->knee[i].clock),
                *knees->knee[i].term ? "   " : "");
        text_wrap(stream, HEAD + 26, HEAD + 26, knees->knee[i].term);
    }
    if (knees->more)
        fputs("          and more\n", stream);
}

static void print_park(const struct park *park, bool reached, FILE *stream)
{
    fprintf(stream, "%.3f s, ", ns_to_s(park->clock));
    if (park->kind == PARK_JUMP)
        fprintf(stream, "a jump: the clock walks between %.3f and %.3f s", ns_to_s(park->from), ns_to_s(park->to));
    else if (park->kind == PARK_NEUTRAL)
        fprintf(stream, "the top of a neutral interval from %.3f s", ns_to_s(park->from));
    else
        fputs("a root", stream);
    fprintf(stream, "; %s there%s\n", park->blind ? "blind" : "not blind", reached ? "" : "; not reached from base");
}

static void print_parks(const struct solution *solution, FILE *stream)
{
    const struct parks *parks = &solution->parks;
    print_head(stream, "park");
    if (parks->outcome == PARK_DRAINS) {
        const tm_ns inc = solution->setup.tc.period[0].inc;
        fprintf(stream, "none: %s\n", inc == 0                          ? "no increment, so the clock drains"
                                      : inc <= solution->setup.overhead ? "the overhead eats the increment, so the clock drains"
                                                                        : "the clock drains");
    } else if (parks->outcome == PARK_ACCUMULATES) {
        fputs("none: the clock accumulates\n", stream);
    }
    for (int i = 0; i < parks->count; i++) {
        const bool reached = i == 0 && parks->outcome == PARK_PARKS;
        if (i > 0 || !reached)
            print_head(stream, "");
        print_park(&parks->park[i], reached, stream);
    }
}

/* Notes that only repeat the parts above are for programs. */
static bool is_repetition(const struct pathology *item)
{
    return item->severity == SEVERITY_NOTE
           && (item->kind == PATHOLOGY_CAP_BINDS || item->kind == PATHOLOGY_FLOOR_KNEE || item->kind == PATHOLOGY_PARK
               || item->kind == PATHOLOGY_DRAIN);
}

static void print_pathologies(const struct pathologies *pathologies, FILE *stream)
{
    static const char *const heads[] = { "note", "WARNING", "SEVERE" };
    for (int i = 0; i < pathologies->count; i++) {
        const struct pathology *item = &pathologies->item[i];
        char text[600];
        if (is_repetition(item))
            continue;
        print_head(stream, heads[item->severity]);
        snprintf(text, sizeof text, "%s: %s", pathology_name(item->kind), item->text);
        text_wrap(stream, HEAD, HEAD, text);
        if (item->severity != SEVERITY_NOTE && *item->witness)
            fprintf(stream, "%*sreproduce: %s\n", HEAD, "", item->witness);
    }
}

void solution_print(const struct solution *solution, FILE *stream)
{
    print_title(solution, stream);
    if (solution->walk.moves > 0)
        print_drawing(&solution->walk, solution->setup.overhead, stream);
    fputc('\n', stream);
    print_knees(&solution->knees, stream);
    print_parks(solution, stream);
    fputc('\n', stream);
    print_pathologies(&solution->pathologies, stream);
}
