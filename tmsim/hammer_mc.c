#include "tmsim/hammer_mc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool learn(const struct hammer_plan *plan, const struct hammer_verdict *verdict, struct store *store,
                  struct mc_data *data, struct tm_error *error)
{
    const int legs = plan->against ? 2 : 1;
    for (int i = 0; i < plan->games; i++) {
        struct game_record record;
        char *fen;
        bool ok = true;
        if (!store_read_game(store, verdict->pairing, i / legs, i % legs, &record, &fen, error))
            return false;
        const int to_move = strstr(fen, " b ") != NULL, own = record.white == verdict->player ? WHITE : BLACK;
        for (int colour = WHITE; ok && colour <= BLACK; colour++)
            if (!plan->against || colour == own)
                ok = mc_data_add(data, &record, colour != to_move, plan->against || colour == WHITE, error);
        game_record_clear(&record);
        free(fen);
        if (!ok)
            return false;
    }
    return mc_data_finish(data, error);
}

bool hammer_mc_run(const struct hammer_plan *plan, const struct hammer_verdict *verdict, struct store *store,
                   int64_t games, struct hammer_mc *out, struct tm_error *error)
{
    struct mc_data data = { 0 };
    const struct mc_request request = {
        .policy = verdict->policy, .rules = &plan->match->rules[0], .data = &data, .players = plan->against ? 1 : 2,
        .games = games, .concurrency = plan->match->concurrency,
    };
    *out = (struct hammer_mc){ 0 };
    const bool ok = learn(plan, verdict, store, &data, error) && mc_run(&request, &out->result, error);
    out->learnt_games = data.games;
    out->learnt_moves = data.moves;
    const double low = out->result.probability - 2 * out->result.error, high = out->result.probability + 2 * out->result.error;
    out->agrees = high >= verdict->flag_share.lower && low <= verdict->flag_share.upper;
    mc_data_clear(&data);
    return ok;
}

enum column {
    POLICY, TC, LEARNT, SIMULATED, FLAGS, METHOD, PROBABILITY, ERROR, SEEN, LOWER, UPPER, AGREES, LOWEST, TABULATED, POINTS,
    TABLE_ERROR, COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [POLICY] = { "policy", NULL, "policy", TABLE_LEFT, 0, false },
    [TC] = { "tc", NULL, NULL, TABLE_LEFT, 0, false },
    [LEARNT] = { "learnt_moves", "learnt", "moves", TABLE_RIGHT, 0, false },
    [SIMULATED] = { "simulated_moves", "simulated", "moves", TABLE_RIGHT, 0, false },
    [FLAGS] = { "flags_counted", "flags", "counted", TABLE_RIGHT, 0, false },
    [METHOD] = { "method", NULL, "method", TABLE_LEFT, 0, false },
    [PROBABILITY] = { "flag_probability", NULL, NULL, TABLE_RIGHT, 0, false },
    [ERROR] = { "standard_error", NULL, NULL, TABLE_RIGHT, 0, false },
    [SEEN] = { NULL, "P(flag)", "standard error", TABLE_RIGHT, 0, false },
    [LOWER] = { "games_flag_probability_lo", "games, 95 %", "from", TABLE_RIGHT, 4, false },
    [UPPER] = { "games_flag_probability_hi", "games, 95 %", "to", TABLE_RIGHT, 4, false },
    [AGREES] = { "agrees", NULL, NULL, TABLE_LEFT, 0, false },
    [LOWEST] = { "lowest_clock_s", "lowest", "clock s", TABLE_RIGHT, 3, false },
    [TABULATED] = { "tabulated", NULL, NULL, TABLE_LEFT, 0, false },
    [POINTS] = { "table_points", NULL, NULL, TABLE_RIGHT, 0, false },
    [TABLE_ERROR] = { "table_error_s", NULL, NULL, TABLE_RIGHT, 0, false },
};

struct table *hammer_mc_table_new(void) { return table_new(columns, COLUMNS); }

void hammer_mc_add(struct table *table, const struct hammer_plan *plan, const struct hammer_verdict *verdict,
                   const struct hammer_mc *mc)
{
    char tc[TC_TEXT_SIZE], seen[64];
    const struct mc_result *r = &mc->result;
    table_row(table);
    table_text(table, POLICY, verdict->label);
    table_text(table, TC, tc_print(tc, &plan->match->rules[0].tc));
    table_integer(table, LEARNT, mc->learnt_moves);
    table_integer(table, SIMULATED, r->moves);
    table_integer(table, FLAGS, r->flags);
    table_text(table, METHOD, r->split ? "splitting" : "counted");
    table_real(table, PROBABILITY, r->probability);
    if (r->probability > 0) {
        table_real(table, ERROR, r->error);
        snprintf(seen, sizeof seen, "%.2e ± %.0e", r->probability, r->error);
    } else {
        table_undefined(table, ERROR, "no flag was found: the probability is only bounded");
        snprintf(seen, sizeof seen, "below %.1e", 3.0 / (double)r->games);
    }
    table_text(table, SEEN, seen);
    table_real(table, LOWER, verdict->flag_share.lower);
    table_real(table, UPPER, verdict->flag_share.upper);
    table_bool(table, AGREES, mc->agrees);
    table_real(table, LOWEST, ns_to_s(r->lowest));
    table_bool(table, TABULATED, r->tabulated);
    table_integer(table, POINTS, r->table_points);
    table_real(table, TABLE_ERROR, ns_to_s(r->table_error));
}

static void print_notes(const struct hammer_verdict *verdict, const struct hammer_mc *mc, FILE *stream)
{
    const struct mc_result *r = &mc->result;
    if (r->tabulated && r->table_points == 0)
        fprintf(stream, "%s: budgets exact at every whole quantum of the clock", verdict->label);
    else if (r->tabulated)
        fprintf(stream, "%s: budgets from a table of %d points, off by at most %.3f ms where probed", verdict->label, r->table_points,
                (double)r->table_error / 1e6);
    else
        fprintf(stream, "%s draws, or its budgets hang on what it remembers: it was asked at every move, and rare flags were not split", verdict->label);
    if (r->jumps)
        fputs("; a single move can be dear enough under this overhead, so rare flags were counted and not split", stream);
    if (!mc->agrees)
        fprintf(stream, "; NOT what the games show: do not trust the tail");
    if (r->probability <= 0)
        fprintf(stream, "; no flag was found, which bounds it by %.1e in %lld games", 3.0 / (double)r->games, (long long)r->games);
    fputs(".\n", stream);
}

void hammer_mc_print(const struct table *table, int from, const struct hammer_verdict *verdict,
                     const struct hammer_mc *mc, int count, FILE *stream)
{
    fprintf(stream, "\nMONTE-CARLO, %lld games a policy: spends and lengths of the games above, overhead from its model\n\n",
            (long long)mc[0].result.games);
    table_print_text(table, from, from + count, stream);
    fputc('\n', stream);
    for (int i = 0; i < count; i++)
        print_notes(&verdict[i], &mc[i], stream);
}
