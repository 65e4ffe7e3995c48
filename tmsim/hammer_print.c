/* The verdicts as a table, with sentences for people under it. */
#include <stdio.h>
#include <string.h>

#include "tmsim/hammer.h"

enum column {
    POLICY, TC, OVERHEAD, VERDICT, REASON, GAMES, DISTINCT, FLAGS, ILLEGAL, FORGIVEN, LOWER, UPPER, MEDIAN, P01, WORST,
    BREAK_EVEN, CLOCK, LAG_MEDIAN, LAG_P99, LAG_WORST, EXCUSED, MOVES, HOPELESS, BOTTOM, FLAG_FIRST, FLAG_LAST, FLAGS_WHITE, FLAGS_BLACK, OVERRUN, OVERRUN_NODES, SCORE,
    COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [POLICY] = { "policy", NULL, "policy", TABLE_LEFT, 0, false },
    [TC] = { "tc", NULL, NULL, TABLE_LEFT, 0, false },
    [OVERHEAD] = { "overhead", NULL, NULL, TABLE_LEFT, 0, false },
    [VERDICT] = { "verdict", NULL, "verdict", TABLE_LEFT, 0, false },
    [REASON] = { "void_reason", NULL, NULL, TABLE_LEFT, 0, false },
    [GAMES] = { "games", NULL, NULL, TABLE_RIGHT, 0, false },
    [DISTINCT] = { "distinct_games", NULL, NULL, TABLE_RIGHT, 0, false },
    [FLAGS] = { "flags", NULL, "flags", TABLE_RIGHT, 0, false },
    [ILLEGAL] = { "illegal_moves", NULL, "illegal", TABLE_RIGHT, 0, false },
    [FORGIVEN] = { "forgiven", NULL, NULL, TABLE_RIGHT, 0, false },
    [LOWER] = { "flag_probability_lo", "P(flag), 95 %", "from", TABLE_RIGHT, 5, false },
    [UPPER] = { "flag_probability_hi", "P(flag), 95 %", "to", TABLE_RIGHT, 5, false },
    [MEDIAN] = { "lowest_clock_median_s", "lowest clock s", "median", TABLE_RIGHT, 3, false },
    [P01] = { "lowest_clock_p01_s", "lowest clock s", "1 %", TABLE_RIGHT, 3, false },
    [WORST] = { "lowest_clock_worst_s", "lowest clock s", "worst", TABLE_RIGHT, 3, false },
    [BREAK_EVEN] = { "break_even_ms", "survives up", "to ms", TABLE_RIGHT, 1, false },
    [CLOCK] = { "clock", NULL, NULL, TABLE_LEFT, 0, false },
    [LAG_MEDIAN] = { "lag_median_ms", NULL, NULL, TABLE_RIGHT, 3, false },
    [LAG_P99] = { "lag_p99_ms", NULL, NULL, TABLE_RIGHT, 3, false },
    [LAG_WORST] = { "lag_worst_ms", NULL, NULL, TABLE_RIGHT, 3, false },
    [EXCUSED] = { "flags_excused_by_lag", NULL, NULL, TABLE_RIGHT, 0, false },
    [MOVES] = { "break_even_moves", NULL, NULL, TABLE_RIGHT, 0, false },
    [HOPELESS] = { "hopeless_move", NULL, NULL, TABLE_RIGHT, 0, false },
    [BOTTOM] = { "bottom_move_median", NULL, NULL, TABLE_RIGHT, 0, false },
    [FLAG_FIRST] = { "flag_move_first", NULL, NULL, TABLE_RIGHT, 0, false },
    [FLAG_LAST] = { "flag_move_last", NULL, NULL, TABLE_RIGHT, 0, false },
    [FLAGS_WHITE] = { "flags_white", NULL, NULL, TABLE_RIGHT, 0, false },
    [FLAGS_BLACK] = { "flags_black", NULL, NULL, TABLE_RIGHT, 0, false },
    [OVERRUN] = { "overrun_worst_s", NULL, NULL, TABLE_RIGHT, 6, false },
    [OVERRUN_NODES] = { "overrun_worst_nodes", NULL, NULL, TABLE_RIGHT, 0, false },
    [SCORE] = { "score_not_an_elo_arm", NULL, NULL, TABLE_RIGHT, 3, false },
};

static const char *overhead_name(const struct game_rules *rules, bool real, char *buffer, size_t size)
{
    if (real)
        return "real clock";
    if (rules->model)
        return overhead_text(rules->model);
    snprintf(buffer, size, "%.9gms", (double)rules->overhead / 1e6);
    return buffer;
}

static void add_clocks(struct table *table, const struct hammer_verdict *v)
{
    static const char none[] = "no game was played";
    const struct { int column; tm_ns value; } clocks[] = {
        { MEDIAN, v->lowest_median }, { P01, v->lowest_p01 }, { WORST, v->lowest_worst },
    };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (v->clocks > 0)
            table_real(table, clocks[i].column, ns_to_s(clocks[i].value));
        else
            table_undefined(table, clocks[i].column, none);
    if (v->games > 0) {
        table_real(table, LOWER, v->flag_share.lower);
        table_real(table, UPPER, v->flag_share.upper);
    } else {
        table_undefined(table, LOWER, none);
        table_undefined(table, UPPER, none);
    }
    if (v->own_manager)
        table_undefined(table, BREAK_EVEN, "an engine's own time manager has no formula here");
    else if (v->break_even >= 0)
        table_real(table, BREAK_EVEN, (double)v->break_even / 1e6);
    else
        table_undefined(table, BREAK_EVEN, "it does not survive even without overhead");
}

static void add_lag(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *v)
{
    const struct { int column; tm_ns value; } lags[] = {
        { LAG_MEDIAN, v->lag_median }, { LAG_P99, v->lag_p99 }, { LAG_WORST, v->lag_worst },
    };
    table_text(table, CLOCK, plan->match->real ? "real" : "virtual");
    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++)
        if (plan->match->real)
            table_real(table, lags[i].column, (double)lags[i].value / 1e6);
        else
            table_undefined(table, lags[i].column, "a virtual clock has no lag");
    table_integer(table, EXCUSED, v->excused);
}

static void add_row(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *v)
{
    char tc[TC_TEXT_SIZE], overhead[64];
    const struct game_rules *rules = &plan->match->rules[0];
    const struct { int column; int64_t value; } numbers[] = {
        { GAMES, v->games }, { DISTINCT, v->distinct }, { FLAGS, v->flags }, { ILLEGAL, v->illegal }, { FORGIVEN, v->forgiven },
        { MOVES, plan->moves }, { HOPELESS, v->hopeless_move }, { BOTTOM, v->bottom_move }, { FLAG_FIRST, v->flag_first },
        { FLAG_LAST, v->flag_last }, { FLAGS_WHITE, v->flags_white }, { FLAGS_BLACK, v->flags - v->flags_white },
        { OVERRUN_NODES, v->overrun_nodes },
    };
    table_row(table);
    table_text(table, POLICY, v->label);
    table_text(table, TC, tc_print(tc, &rules->tc));
    table_text(table, OVERHEAD, overhead_name(rules, plan->match->real, overhead, sizeof overhead));
    table_text(table, VERDICT, hammer_outcome_name(v->outcome));
    table_text(table, REASON, v->reason);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_integer(table, numbers[i].column, numbers[i].value);
    table_real(table, OVERRUN, ns_to_s(v->overrun_worst));
    add_clocks(table, v);
    add_lag(table, plan, v);
    if (plan->against)
        table_real(table, SCORE, v->score);
    else
        table_undefined(table, SCORE, "it played itself");
}

/* ---- sentences ---- */

static const char *const phases[] = { "opening", "middlegame", "endgame" };

static void print_flags(const struct hammer_verdict *v, FILE *stream)
{
    fprintf(stream, "%s flags in moves %d to %d", v->label, v->flag_first, v->flag_last);
    for (int reason = 0; reason < TM_REASON_COUNT; reason++)
        if (v->flag_reason[reason])
            fprintf(stream, ", %d on a %s stop", v->flag_reason[reason], stop_reason_name((enum tm_stop_reason)reason));
    fprintf(stream, "; %d as White, %d as Black; at worst %.1f ms beyond, %lld nodes.\n", v->flags_white,
            v->flags - v->flags_white, (double)v->overrun_worst / 1e6, (long long)v->overrun_nodes);
}

static void print_lag(const struct hammer_verdict *v, FILE *stream)
{
    fprintf(stream, "%s: this machine was late by %.2f ms (median of the moves), %.2f ms (1 in 100), %.2f ms (worst); %d of %d "
            "flags would not have fallen without it.\n", v->label, (double)v->lag_median / 1e6, (double)v->lag_p99 / 1e6,
            (double)v->lag_worst / 1e6, v->excused, v->flags);
}

static void print_bottom(const struct hammer_verdict *v, FILE *stream)
{
    int most = 0;
    for (int i = 1; i < 3; i++)
        if (v->bottom_phase[i] > v->bottom_phase[most])
            most = i;
    fprintf(stream, "%s's clocks are lowest at move %d (median), most often in the %s; the closest was %.1f ms at ply %d of "
            "pair %d, leg %d.\n", v->label, v->bottom_move, phases[most], (double)v->lowest_worst / 1e6,
            v->worst_ply, v->worst_pair, v->worst_leg);
}

static void print_sentences(const struct hammer_plan *plan, const struct hammer_verdict *v, FILE *stream)
{
    const char *label = v->label;
    if (v->outcome == HAMMER_VOID)
        fprintf(stream, "%s: %s.\n", label, v->reason);
    if (v->flags > 0)
        print_flags(v, stream);
    if (v->clocks > 0)
        print_bottom(v, stream);
    if (plan->match->real && v->games > 0)
        print_lag(v, stream);
    if (v->forgiven > 0)
        fprintf(stream, "%s would have flagged %d times more without the margin of %.9g ms.\n", label, v->forgiven,
                (double)plan->match->rules[0].margin / 1e6);
    if (v->distinct < v->games)
        fprintf(stream, "%s: only %d of its %d games differ: openings and overhead repeat, and repetitions prove nothing.\n", label,
                v->distinct, v->games);
    if (v->games > 0 && v->flags == 0)
        fprintf(stream, "%s: zero flags in %d games is a bound of %.2g, not zero, and hangs on this %s.\n", label,
                v->distinct, v->flag_share.upper, plan->match->real ? "machine and its load" : "model of the overhead");
}

/* The word is in capitals so that nobody takes one clock for the other. */
static void print_real_heading(const struct hammer_plan *plan, FILE *stream)
{
    char tc[TC_TEXT_SIZE];
    const struct game_rules *rules = &plan->match->rules[0];
    fprintf(stream, "HAMMER on a REAL clock, %s, %d games a player against itself, %d at once, seed %llu\n\n",
            tc_print(tc, &rules->tc), plan->games, plan->match->concurrency, (unsigned long long)rules->seed);
}

static void print_heading(const struct hammer_plan *plan, FILE *stream)
{
    char tc[TC_TEXT_SIZE], constant[64], tail[128] = "on every move";
    const struct game_rules *rules = &plan->match->rules[0];
    if (rules->model)
        overhead_describe(rules->model, tail, sizeof tail);
    fprintf(stream, "HAMMER %s, %d games a policy against %s, seed %llu, profile %s\noverhead %s: %s\n\n",
            tc_print(tc, &rules->tc), plan->games, plan->against ? policy_info(plan->against)->label : "itself",
            (unsigned long long)rules->seed, profile_name(rules->profile), overhead_name(rules, false, constant, sizeof constant), tail);
}

struct table *hammer_table_new(void) { return table_new(columns, COLUMNS); }

void hammer_add(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *verdict, int count)
{
    for (int i = 0; i < count; i++)
        add_row(table, plan, &verdict[i]);
}

void hammer_print(const struct table *table, int from, const struct hammer_plan *plan, const struct hammer_verdict *verdict,
                  int count, FILE *stream)
{
    if (plan->match->real)
        print_real_heading(plan, stream);
    else
        print_heading(plan, stream);
    table_print_text(table, from, from + count, stream);
    if (plan->match->real)
        fprintf(stream, "\n");
    else
        fprintf(stream, "\nSurvives up to: constant overhead over %d own moves, by arithmetic.\n", plan->moves);
    for (int i = 0; i < count; i++)
        print_sentences(plan, &verdict[i], stream);
    for (int i = 0; plan->against && i < count; i++)
        fprintf(stream, "Not an Elo match: %s scored %.1f %%.\n", verdict[i].label, 100 * verdict[i].score);
    if (plan->match->real)
        fprintf(stream, "What this is: these games on this machine, which ranks nobody.\n");
}
