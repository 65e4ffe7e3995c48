/* The one feedback of the whole data flow is here: the charged clock becomes the next budget. */
#include "tmsim/game_play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tmsim/draw.h"
#include "tmsim/player.h"
#include "vclock/clock.h"
#include "vclock/rate_time.h"
#include "vclock/trace.h"

struct side {
    struct vclock clock;
    struct stop stop;
    struct policy_game *policy;
    struct engine *engine;
    struct driver *driver; /* NULL: the built-in engine */
    int moves; /* own moves since the book */
};

struct table {
    const struct game_rules *rules;
    struct game *game;
    struct side side[2];
    struct adjudicator scores;
    int start_ply, pair;
    struct game_record *record;
};

/* ---- one search under the stop rule ---- */

struct reading {
    struct stop *stop;
    struct trace *trace; /* NULL: not kept */
    struct tm_verdict verdict;
    int64_t nodes;
    bool out_of_memory;
};

static bool on_event(void *ctx, const struct tm_event *event, int64_t *next_poll)
{
    struct reading *reading = ctx;
    if (reading->trace && !trace_append(reading->trace, event))
        reading->out_of_memory = true;
    reading->nodes = event->nodes;
    reading->verdict = stop_read(reading->stop, event);
    *next_poll = reading->verdict.next_poll;
    return reading->verdict.stop;
}

/* ---- what the policy sees ---- */

static int64_t rate_of(const struct game_rules *rules, const struct side *own, const struct position *position)
{
    const struct profile *profile = own->driver ? driver_arm(own->driver)->profile : NULL;
    return profile_rate_at(profile ? profile : rules->profile, position_men(position), position_phase(position),
                           rules->nps_scale);
}

static tm_ns floor_to(tm_ns t, tm_ns quantum) { return quantum > 0 ? t - t % quantum : t; }

/* What a policy may know of the overhead is its mean, never the draw; without a finite mean nothing. */
static tm_ns known_lag(const struct game_rules *rules)
{
    if (!rules->model)
        return rules->overhead;
    const double mean = overhead_mean(rules->model, false);
    return isfinite(mean) ? ns_from_units(mean, 1) : 0;
}

static struct overhead_cost cost_of(const struct table *table, int move)
{
    const struct game_rules *rules = table->rules;
    return rules->model ? overhead_draw(rules->model, rules->seed, table->pair, move)
                        : (struct overhead_cost){ .unseen = rules->overhead };
}

static const struct tc_period *period_of(const struct side *side) { return &side->clock.tc->period[side->clock.period]; }

static struct clock_state see(const struct table *table, int us)
{
    const struct game_rules *rules = table->rules;
    const struct side *own = &table->side[us], *other = &table->side[!us];
    const struct position *position = game_position(table->game);
    const struct tc_period *period = period_of(own);
    move_t moves[MOVES_MAX];
    return (struct clock_state){
        .time = floor_to(own->clock.left, rules->quantum),
        .inc = period->inc,
        .base = own->clock.tc->period[0].base,
        .period_base = period->base,
        .opp_time = floor_to(other->clock.left, rules->quantum),
        .opp_inc = period_of(other)->inc,
        .lag = known_lag(rules),
        .has_movestogo = vclock_has_movestogo(&own->clock),
        .movestogo = own->clock.movestogo,
        .period_moves = period->moves,
        .ply = table->start_ply + game_length(table->game),
        .moves = own->moves,
        .pieces = position_men(position),
        .phase = position_phase(position),
        .legal = position_legal_moves(position, moves),
        .rand = draw_unit(rules->seed, table->pair, own->moves, DRAW_POLICY, 0),
        .threads = 1,
        .rate = rate_of(rules, own, position),
    };
}

/* ---- records ---- */

static struct move_record *new_record(struct game_record *record)
{
    if (record->move_count == record->move_capacity) {
        const int capacity = record->move_capacity ? record->move_capacity * 2 : 128;
        struct move_record *grown = realloc(record->move, (size_t)capacity * sizeof *grown);
        if (!grown)
            return NULL;
        record->move = grown;
        record->move_capacity = capacity;
    }
    struct move_record *row = &record->move[record->move_count++];
    *row = (struct move_record){ .ply = record->move_count - 1 };
    return row;
}

/* A move whose hook faulted was never charged: the fault is stored with the game instead. */
static void drop_record(struct game_record *record)
{
    free(record->move[--record->move_count].trace);
}

static void note_budget(struct move_record *row, const struct stop *stop, const struct clock_state *seen,
                        const struct rate_time *time)
{
    const struct budget *budget = &stop->budget;
    row->soft_raw = budget->soft_raw;
    row->hard_raw = budget->hard_raw;
    row->soft_floored = budget->soft_floored;
    row->hard_floored = budget->hard_floored;
    row->soft = budget->effective_soft;
    row->rate = seen->rate;
    row->cap = rate_cap(seen->rate, budget->hard_floored);
    row->overhead = time->overhead;
    row->signature = budget->signature;
    row->blind = stop->blind;
}

static void note_search(struct move_record *row, const struct stop *stop, const struct reading *reading, tm_ns inc)
{
    const tm_ns starved = 3 * inc / 2 > STARVED_NS ? 3 * inc / 2 : STARVED_NS;
    row->nodes_used = row->nodes_charged = reading->nodes;
    row->spend = reading->verdict.spend;
    row->depth = stop->finished_depth;
    row->score = stop->finished_depth ? stop->finished_score : 0;
    row->bound = TM_EXACT;
    row->reason = reading->verdict.reason;
    row->fallback = reading->verdict.fallback;
    row->starved = reading->verdict.spend < starved;
}

static bool note_fault(struct table *table, int us, const struct tm_error *fault, struct tm_error *error)
{
    struct game_record *record = table->record;
    record->end = END_POLICY_FAULT;
    record->white_points = -1;
    record->loser_side = us;
    record->fault = strdup(fault->message);
    return record->fault || error_fail(error, TM_INTERNAL, "out of memory while recording a policy fault");
}

static void lose(struct game_record *record, int loser, enum game_end end)
{
    record->end = end;
    record->loser_side = loser;
    record->white_points = loser == WHITE ? 0 : 2;
}

static void draw(struct game_record *record, enum game_end end)
{
    record->end = end;
    record->white_points = 1;
}

/* ---- the game ---- */

/* Charges the move and plays it, unless the flag fell. */
static void charge(struct table *table, int us, struct move_record *row, const struct tm_verdict *verdict)
{
    struct side *own = &table->side[us];
    move_print(row->move, (move_t)verdict->move);
    row->flagged = !vclock_charge(&own->clock, verdict->spend, row->overhead);
    row->clock_after = own->clock.left;
    own->moves++;
    if (row->flagged)
        lose(table->record, us, END_FLAG);
    else
        game_play_move(table->game, (move_t)verdict->move);
}

/* One own move in the making. */
struct turn {
    struct clock_state seen;
    struct rate_time time;
    struct trace trace;
    struct tm_verdict begun, verdict;
    struct move_record *row;
};

static bool search_built_in(struct table *table, int us, struct turn *turn, struct tm_error *error)
{
    struct side *own = &table->side[us];
    struct move_record *row = turn->row;
    struct reading reading = { .stop = &own->stop, .trace = table->rules->keep_trace ? &turn->trace : NULL,
                               .verdict = turn->begun };
    const struct game_source *source = &table->rules->source;
    if (source->feed)
        source->feed(source->ctx, row->ply, on_event, &reading);
    else
        engine_search(own->engine, table->game, &(struct search_limits){ 0 }, row->nodes_asked, on_event, &reading);
    row->trace = turn->trace.data;
    row->trace_size = turn->trace.size;
    if (reading.out_of_memory)
        return error_fail(error, TM_INTERNAL, "out of memory while recording events");
    note_search(row, &own->stop, &reading, turn->seen.inc);
    turn->verdict = reading.verdict;
    return reading.verdict.stop || error_fail(error, TM_INTERNAL, "the search ended without a verdict at ply %d", row->ply);
}

/* The engine failed, or its move is none: the row is not played. */
static bool lose_by_fault(struct table *table, int us, enum game_end end, const char *message, struct tm_error *error)
{
    drop_record(table->record);
    lose(table->record, us, end);
    table->record->fault = strdup(message);
    return table->record->fault || error_fail(error, TM_INTERNAL, "out of memory while recording a game");
}

static bool lose_by_illegal_move(struct table *table, int us, const struct driver_answer *answer, struct turn *turn,
                                 struct tm_error *error)
{
    char message[100];
    struct side *own = &table->side[us];
    const bool in_time = vclock_charge(&own->clock, answer->verdict.spend, turn->row->overhead);
    snprintf(message, sizeof message, "illegal move '%s' at ply %d", answer->text, turn->row->ply);
    return lose_by_fault(table, us, in_time ? END_ILLEGAL_MOVE : END_FLAG, message, error);
}

/* No rate turns nodes into time here, and the overhead is not a model's. */
static void note_real_clock(struct move_record *row, tm_ns lag)
{
    row->rate = row->cap = 0;
    row->overhead = lag;
}

static void note_answer(struct turn *turn, const struct driver_answer *answer)
{
    struct move_record *row = turn->row;
    const tm_ns starved = 3 * turn->seen.inc / 2 > STARVED_NS ? 3 * turn->seen.inc / 2 : STARVED_NS;
    row->nodes_asked = answer->asked;
    row->nodes_used = answer->used;
    row->nodes_charged = answer->charged;
    row->spend = answer->verdict.spend;
    row->depth = answer->depth;
    row->score = answer->score;
    row->bound = answer->bound;
    row->reason = answer->verdict.reason;
    row->fallback = answer->verdict.fallback;
    row->starved = row->spend < starved;
}

/* False with *over: the game has ended by it. */
static bool search_foreign(struct table *table, int us, struct turn *turn, bool *over, struct tm_error *error)
{
    struct side *own = &table->side[us], *other = &table->side[!us];
    const struct side *white = us == WHITE ? own : other, *black = us == WHITE ? other : own;
    const struct game_rules *rules = table->rules;
    struct driver_answer answer;
    struct tm_error fault;
    const struct driver_question question = {
        .game = table->game, .legal = turn->seen.legal, .stop = &own->stop, .begun = turn->begun, .time = &turn->time,
        .clock = { &white->clock, &black->clock },
        .inc = { period_of(white)->inc, period_of(black)->inc },
        .trace = rules->keep_trace ? &turn->trace : NULL,
    };
    const bool ok = driver_think(own->driver, &question, &answer, &fault);
    turn->row->trace = turn->trace.data;
    turn->row->trace_size = turn->trace.size;
    *over = !ok || answer.illegal;
    if (ok && driver_arm(own->driver)->spec->clock == ENGINE_REAL)
        note_real_clock(turn->row, answer.lag);
    if (!ok && fault.code != TM_ENGINE_FAILED) {
        *error = fault;
        return false;
    }
    if (!ok)
        return lose_by_fault(table, us, driver_stalled(own->driver) ? END_STALL : END_CRASH, fault.message, error);
    if (answer.illegal)
        return lose_by_illegal_move(table, us, &answer, turn, error);
    note_answer(turn, &answer);
    turn->verdict = answer.verdict;
    return true;
}

static bool begin_turn(struct table *table, int us, struct turn *turn)
{
    struct side *own = &table->side[us];
    const struct game_rules *rules = table->rules;
    const struct overhead_cost cost = cost_of(table, own->moves);
    turn->seen = see(table, us);
    turn->time = (struct rate_time){ turn->seen.rate, rules->poll, ns_add(own->clock.left, rules->margin), cost.unseen,
                                     cost.seen };
    turn->begun = stop_begin(&own->stop, &turn->seen, rate_time_source(&turn->time), false);
    return !turn->begun.stop;
}

static bool finish_turn(struct table *table, int us, struct turn *turn, struct tm_error *error)
{
    struct side *own = &table->side[us];
    struct tm_error fault = own->stop.error;
    if (turn->verdict.reason == TM_POLICY_FAULT ||
        !stop_finish(&own->stop, &turn->verdict, turn->row->nodes_charged, &fault)) {
        drop_record(table->record);
        return note_fault(table, us, &fault, error);
    }
    charge(table, us, turn->row, &turn->verdict);
    return true;
}

static bool play_move(struct table *table, int us, struct tm_error *error)
{
    struct side *own = &table->side[us];
    struct turn turn = { .row = NULL };
    bool over = false;
    if (!begin_turn(table, us, &turn))
        return note_fault(table, us, &own->stop.error, error);
    turn.row = new_record(table->record);
    if (!turn.row)
        return error_fail(error, TM_INTERNAL, "out of memory while recording a move");
    turn.row->clock_before = own->clock.left;
    note_budget(turn.row, &own->stop, &turn.seen, &turn.time);
    turn.row->nodes_asked = turn.begun.next_poll;
    const bool ok = own->driver ? search_foreign(table, us, &turn, &over, error)
                                : search_built_in(table, us, &turn, error);
    return ok && (over || finish_turn(table, us, &turn, error));
}

/* Ends the game if the scores so far say so. The last row is that of `us`. */
static void judge_scores(struct table *table, int us)
{
    struct game_record *record = table->record;
    const struct move_record *row = &record->move[record->move_count - 1];
    const int full_move = (table->start_ply + game_length(table->game) - 1) / 2 + 1;
    const enum adjudication_call call = adjudicate(&table->rules->adjudication, &table->scores, us, row->depth > 0,
                                                   row->score, full_move);
    if (call == ADJUDICATE_RESIGN)
        lose(record, us, END_RESIGNATION);
    else if (call == ADJUDICATE_DRAW)
        draw(record, END_DRAW_ADJUDICATED);
}

static const enum game_end ends[] = {
    [GAME_CHECKMATE] = END_CHECKMATE,     [GAME_STALEMATE] = END_STALEMATE,
    [GAME_REPETITION] = END_REPETITION,   [GAME_FIFTY_MOVES] = END_FIFTY_MOVES,
    [GAME_INSUFFICIENT] = END_INSUFFICIENT,
};

/* Sets the end of the record if the rules of chess, or the bound of plies, end the game here. */
static bool is_over(struct table *table, int to_move)
{
    const enum game_result result = game_result(table->game);
    if (result == GAME_CHECKMATE)
        lose(table->record, to_move, END_CHECKMATE);
    else if (result != GAME_ONGOING)
        draw(table->record, ends[result]);
    else if (table->rules->max_plies > 0 && game_length(table->game) >= table->rules->max_plies)
        draw(table->record, END_MAX_PLIES);
    return table->record->end != END_NONE;
}

static bool play_on(struct table *table, struct tm_error *error)
{
    for (;;) {
        const int us = game_position(table->game)->side;
        if (is_over(table, us))
            return true;
        if (!play_move(table, us, error))
            return false;
        /* A mate on the board comes before what the scores say. */
        if (table->record->end == END_NONE && game_result(table->game) == GAME_ONGOING)
            judge_scores(table, us);
        if (table->record->end != END_NONE)
            return true;
    }
}

static bool sit_down(struct table *table, int colour, const struct seat *seat, const char *fen, struct tm_error *error)
{
    struct side *side = &table->side[colour];
    side->clock = vclock_start(player_tc(seat->policy, &table->rules->tc), table->rules->first_inc);
    side->clock.margin = table->rules->margin;
    side->engine = seat->engine;
    side->driver = seat->driver;
    side->policy = policy_game_new(seat->policy, error);
    stop_new_game(&side->stop, side->policy, policy_info(seat->policy));
    if (!side->driver)
        engine_forget(side->engine);
    return side->policy != NULL && (!side->driver || driver_new_game(side->driver, fen, error));
}

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * TM_NS_PER_S + now.tv_nsec;
}

bool game_play_seats(const struct game_rules *rules, const struct seat seats[2], const char *fen, int pair,
                     struct game_record *record, struct tm_error *error)
{
    const int64_t wall = nanoseconds(CLOCK_MONOTONIC), cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    struct table table = { .rules = rules, .pair = pair, .record = record };
    *record = (struct game_record){ .pair = pair, .loser_side = -1 };
    table.game = game_new(fen, error);
    bool ok = table.game != NULL;
    if (ok)
        table.start_ply = position_ply(game_position(table.game));
    for (int colour = WHITE; ok && colour <= BLACK; colour++)
        ok = sit_down(&table, colour, &seats[colour], fen, error);
    ok = ok && play_on(&table, error);
    for (int colour = WHITE; colour <= BLACK; colour++) {
        record->clock_at_end[colour] = table.side[colour].clock.left;
        policy_game_free(table.side[colour].policy);
    }
    game_free(table.game);
    record->wall_ns = nanoseconds(CLOCK_MONOTONIC) - wall;
    record->cpu_ns = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    return ok;
}

bool game_play(const struct game_rules *rules, struct engine *const engines[2],
               const struct policy *const policies[2], const char *fen, int pair, struct game_record *record,
               struct tm_error *error)
{
    const struct seat seats[2] = { { .policy = policies[0], .engine = engines[0] },
                                   { .policy = policies[1], .engine = engines[1] } };
    return game_play_seats(rules, seats, fen, pair, record, error);
}
