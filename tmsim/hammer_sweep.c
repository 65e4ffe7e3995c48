#include "tmsim/hammer_sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tmsim/break_even.h"
#include "tmsim/walk.h"

bool sweep_parse(const char *text, struct sweep *out, struct tm_error *error)
{
    char low[64];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof low)
        return error_fail(error, TM_INPUT, "--sweep-overhead %s: expected two durations, such as 0ms..300ms", text);
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    if (!duration_parse("--sweep-overhead", low, &out->low, error) ||
        !duration_parse("--sweep-overhead", dots + 2, &out->high, error))
        return false;
    return out->low < out->high ||
           error_fail(error, TM_INPUT, "--sweep-overhead %s: the first is not below the second", text);
}

static tm_ns overhead_at(const struct sweep *sweep, int step)
{
    const tm_ns t = sweep->low + (sweep->high - sweep->low) * step / (sweep->steps - 1);
    return t - t % 1000; /* whole microseconds, so that run identities stay short */
}

static int solve_flag(const struct hammer_plan *plan, const struct policy *policy, const struct game_rules *rules)
{
    const struct cell_setup setup = hammer_setup(policy, rules, plan->moves);
    struct walk walk;
    struct tm_error ignored;
    if (!walk_run(&setup, &walk, &ignored))
        return 1;
    const int move = walk.flag_move ? walk.flag_move : walk.fault_move;
    walk_clear(&walk);
    return move;
}

static bool run_step(struct sweep *sweep, const struct game_rules *rules, int step, struct hammer_verdict *verdict,
                     struct store *store, const atomic_bool *interrupted, int *played, struct tm_error *error)
{
    const struct hammer_plan *plan = sweep->plan;
    if (!hammer_run(plan, store, interrupted, played, verdict, error))
        return false;
    for (int i = 0; i < plan->match->policy_count; i++)
        sweep->point[i * sweep->steps + step] = (struct sweep_point){
            .overhead = rules->overhead, .games = verdict[i],
            .solved_move = solve_flag(plan, plan->match->policy[i], rules) };
    return true;
}

bool sweep_run(struct sweep *sweep, const struct hammer_plan *plan, struct game_rules *rules, struct store *store,
               const atomic_bool *interrupted, int *played, struct tm_error *error)
{
    const size_t policies = (size_t)plan->match->policy_count;
    struct hammer_verdict *verdict = calloc(policies, sizeof *verdict);
    sweep->plan = plan;
    sweep->point = calloc(policies * (size_t)sweep->steps, sizeof *sweep->point);
    sweep->break_even = calloc(policies, sizeof *sweep->break_even);
    bool ok = (verdict && sweep->point && sweep->break_even) || error_fail(error, TM_INTERNAL, "out of memory for a sweep");
    rules->model = NULL;
    for (int step = 0; ok && step < sweep->steps; step++) {
        rules->overhead = overhead_at(sweep, step);
        ok = run_step(sweep, rules, step, verdict, store, interrupted, played, error);
    }
    for (size_t i = 0; ok && i < policies; i++)
        sweep->break_even[i] = verdict[i].break_even;
    free(verdict);
    return ok;
}

void sweep_clear(struct sweep *sweep)
{
    free(sweep->point);
    free(sweep->break_even);
    sweep->point = NULL;
    sweep->break_even = NULL;
}

/* ---- rows and sentences ---- */

enum column { POLICY, TC, OVERHEAD, VERDICT, GAMES, FLAGS, SHARE, LOWER, UPPER, LOWEST, FIRST, SOLVED, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [POLICY] = { "policy", NULL, "policy", TABLE_LEFT, 0, false },
    [TC] = { "tc", NULL, NULL, TABLE_LEFT, 0, false },
    [OVERHEAD] = { "overhead_ms", "over-", "head ms", TABLE_RIGHT, 1, false },
    [VERDICT] = { "verdict", NULL, "verdict", TABLE_LEFT, 0, false },
    [GAMES] = { "games", NULL, "games", TABLE_RIGHT, 0, false },
    [FLAGS] = { "flags", NULL, "flags", TABLE_RIGHT, 0, false },
    [SHARE] = { "flag_share", "P(flag)", "seen", TABLE_RIGHT, 3, false },
    [LOWER] = { "flag_probability_lo", "95 %", "from", TABLE_RIGHT, 3, false },
    [UPPER] = { "flag_probability_hi", "95 %", "to", TABLE_RIGHT, 3, false },
    [LOWEST] = { "lowest_clock_worst_s", "lowest", "clock s", TABLE_RIGHT, 3, false },
    [FIRST] = { "flag_move_first", "first flag", "games", TABLE_RIGHT, 0, false },
    [SOLVED] = { "flag_move_solved", "first flag", "solved", TABLE_RIGHT, 0, false },
};

struct table *sweep_table_new(void) { return table_new(columns, COLUMNS); }

static void add_point(struct table *table, const struct sweep *sweep, const struct sweep_point *point)
{
    char tc[TC_TEXT_SIZE];
    const struct hammer_verdict *v = &point->games;
    table_row(table);
    table_text(table, POLICY, v->label);
    table_text(table, TC, tc_print(tc, &sweep->plan->match->rules[0].tc));
    table_real(table, OVERHEAD, (double)point->overhead / 1e6);
    table_text(table, VERDICT, hammer_outcome_name(v->outcome));
    table_integer(table, GAMES, v->games);
    if (v->games > 0) {
        table_integer(table, FLAGS, v->flags);
        table_real(table, SHARE, (double)v->flags / v->games);
        table_real(table, LOWER, v->flag_share.lower);
        table_real(table, UPPER, v->flag_share.upper);
        table_real(table, LOWEST, ns_to_s(v->lowest_worst));
    }
    for (int column = FLAGS; v->games == 0 && column <= LOWEST; column++)
        table_undefined(table, column, "no game was played");
    if (v->flags > 0)
        table_integer(table, FIRST, v->flag_first);
    else
        table_undefined(table, FIRST, "no flag was seen");
    if (point->solved_move)
        table_integer(table, SOLVED, point->solved_move);
    else
        table_undefined(table, SOLVED, "its walk does not flag");
}

void sweep_add(struct table *table, const struct sweep *sweep)
{
    for (int i = 0; i < sweep->plan->match->policy_count * sweep->steps; i++)
        add_point(table, sweep, &sweep->point[i]);
}

/* The step where a flag in the first `moves` own moves was seen first, or -1. */
static int first_flag_step(const struct sweep *sweep, int policy)
{
    for (int step = 0; step < sweep->steps; step++) {
        const struct hammer_verdict *v = &sweep->point[policy * sweep->steps + step].games;
        if (v->flags > 0 && v->flag_first <= sweep->plan->moves)
            return step;
    }
    return -1;
}

static void print_break_even(const struct sweep *sweep, int policy, FILE *stream)
{
    const struct hammer_plan *plan = sweep->plan;
    const struct sweep_point *point = &sweep->point[policy * sweep->steps];
    char tc[TC_TEXT_SIZE];
    const char *label = point->games.label, *control = tc_print(tc, &plan->match->rules[0].tc);
    if (sweep->break_even[policy] < 0)
        fprintf(stream, "%s does not survive %d moves at %s even without overhead, by arithmetic", label, plan->moves, control);
    else
        fprintf(stream, "%s survives up to %.1f ms at %s for %d moves, by arithmetic", label,
                (double)sweep->break_even[policy] / 1e6, control, plan->moves);
    const int step = first_flag_step(sweep, policy);
    if (step < 0)
        fprintf(stream, "; no game flagged within them up to %.1f ms.\n", (double)point[sweep->steps - 1].overhead / 1e6);
    else if (step == 0)
        fprintf(stream, "; games flagged within them from %.1f ms on.\n", (double)point[0].overhead / 1e6);
    else
        fprintf(stream, "; games first flagged within them between %.1f and %.1f ms.\n", (double)point[step - 1].overhead / 1e6,
                (double)point[step].overhead / 1e6);
}

void sweep_print(const struct sweep *sweep, const struct table *table, int from, FILE *stream)
{
    const struct hammer_plan *plan = sweep->plan;
    const int policies = plan->match->policy_count;
    char tc[TC_TEXT_SIZE];
    fprintf(stream, "HAMMER %s, constant overhead from %.9g to %.9g ms, %d games a policy and step against %s\n\n",
            tc_print(tc, &plan->match->rules[0].tc), (double)sweep->low / 1e6, (double)sweep->high / 1e6, plan->games,
            plan->against ? policy_info(plan->against)->label : "itself");
    table_print_text(table, from, from + policies * sweep->steps, stream);
    fputc('\n', stream);
    for (int i = 0; i < policies; i++)
        print_break_even(sweep, i, stream);
}

/* ---- the picture ---- */

static void print_data(const struct sweep *sweep, FILE *script)
{
    for (int i = 0; i < sweep->plan->match->policy_count; i++) {
        fprintf(script, "$policy%d << EOD\n", i);
        for (int step = 0; step < sweep->steps; step++) {
            const struct sweep_point *point = &sweep->point[i * sweep->steps + step];
            const struct hammer_verdict *v = &point->games;
            if (v->games > 0)
                fprintf(script, "%.6f %.6f %.6f %.6f\n", (double)point->overhead / 1e6, (double)v->flags / v->games,
                        v->flag_share.lower, v->flag_share.upper);
        }
        fputs("EOD\n", script);
    }
}

/* gnuplot's single quotes are doubled inside. */
static void print_quoted(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text; text++)
        fputs(*text == '\'' ? "''" : (char[2]){ *text, '\0' }, script);
    fputc('\'', script);
}

static void print_script(const struct sweep *sweep, const char *file, FILE *script)
{
    char tc[TC_TEXT_SIZE];
    const struct vmatch_plan *match = sweep->plan->match;
    print_data(sweep, script);
    fprintf(script, "set terminal %s size 900,500 noenhanced\nset output ", strcmp(file + strlen(file) - 4, ".svg") ? "pngcairo" : "svg");
    print_quoted(script, file);
    fprintf(script, "\nset title 'flags at %s'\nset xlabel 'constant overhead, ms'\nset ylabel 'share of games lost on time, 95 %%'\n"
            "set yrange [0:1]\nset grid\nset key left top\n", tc_print(tc, &match->rules[0].tc));
    for (int i = 0; i < match->policy_count; i++)
        if (sweep->break_even[i] >= 0)
            fprintf(script, "set arrow from %.6f,0 to %.6f,1 nohead dt 2 lt %d\n", (double)sweep->break_even[i] / 1e6,
                    (double)sweep->break_even[i] / 1e6, i + 1);
    fputs("plot ", script);
    for (int i = 0; i < match->policy_count; i++) {
        fprintf(script, "%s$policy%d using 1:2:3:4 with yerrorlines lt %d title ", i ? ", " : "", i, i + 1);
        print_quoted(script, sweep->point[i * sweep->steps].games.label);
    }
    fputs("\n", script);
}

bool sweep_plot(const struct sweep *sweep, const char *file, struct tm_error *error)
{
    const size_t length = strlen(file);
    if (length < 5 || (strcmp(file + length - 4, ".svg") != 0 && strcmp(file + length - 4, ".png") != 0))
        return error_fail(error, TM_INPUT, "--plot %s: expected a name that ends in .svg or .png", file);
    fflush(stdout);
    FILE *script = popen("gnuplot", "w");
    if (!script)
        return error_fail(error, TM_INTERNAL, "gnuplot could not be started: %s", strerror(errno));
    print_script(sweep, file, script);
    const int status = pclose(script);
    return (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           error_fail(error, TM_INPUT, "gnuplot could not draw %s; is it installed?", file);
}
