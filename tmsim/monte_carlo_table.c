/* A policy's budget as lines between its knees: intervals are halved until the middle lies on the line. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/monte_carlo_internal.h"
#include "tmsim/walk.h"

enum {
    FIRST_PIECES = 48,    /* before any halving: guess */
    MOST_POINTS = 1024,   /* of a curve; the rest is lines, whose error is told */
    PROBES = 48           /* clocks at which a curve is compared with the next move's budget */
};
static const tm_ns TOLERANCE = 20000;      /* 20 us, less than a node of the modelled player */
static const tm_ns STAIR = 1100000;        /* policies that count whole milliseconds are stairs, which lines cut within one */
static const double RELATIVE = 1e-3;
static const tm_ns RESOLUTION = 1000;      /* a jump is kept as a line of 1 us */

tm_ns mc_scale(const struct budget *budget)
{
    const tm_ns scale = budget->hard_floored < TM_NS_MAX ? budget->hard_floored : budget->soft_floored;
    return scale > 0 && scale < TM_NS_MAX ? scale : 0;
}

/* `name` as a word of its own in the text, outside comments. */
static bool uses_word(const char *text, const char *name, char then)
{
    const size_t length = strlen(name);
    for (const char *at = text; *at; at++) {
        if (at[0] == '-' && at[1] == '-')
            at += strcspn(at, "\n");
        const bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (starts && strncmp(at, name, length) == 0 && (then ? at[length] == then : !isalnum((unsigned char)at[length])))
            return true;
        if (!*at)
            break;
    }
    return false;
}

bool mc_remembers(const struct policy *policy)
{
    const char *text = policy_text(policy);
    return policy_info(policy)->has_finish || uses_word(text, "g", '.') || uses_word(text, "g", '[');
}

bool mc_draws(const struct policy *policy) { return uses_word(policy_text(policy), "rand", '\0'); }

struct maker {
    struct cell *cell;
    struct mc_curve *curve;
    struct clock_state state;
    bool failed;
    tm_ns error, tolerance;
};

static tm_ns ask(struct maker *m, tm_ns clock)
{
    struct budget budget;
    struct tm_error ignored;
    m->state.time = m->state.opp_time = clock;
    if (!cell_budget(m->cell, &m->state, &budget, &ignored)) {
        m->failed = m->failed || clock > 0;
        return 0;
    }
    return mc_scale(&budget);
}

static bool add_point(struct maker *m, tm_ns clock, tm_ns scale)
{
    struct mc_curve *curve = m->curve;
    if (curve->count == MOST_POINTS)
        return false;
    curve->clock[curve->count] = clock;
    curve->scale[curve->count++] = scale;
    return true;
}

static tm_ns on_line(tm_ns a, tm_ns fa, tm_ns b, tm_ns fb, tm_ns at)
{
    return fa + (tm_ns)((double)(fb - fa) * ((double)(at - a) / (double)(b - a)));
}

static tm_ns distance(tm_ns a, tm_ns b) { return a > b ? a - b : b - a; }

/* Whether a line from a to b is good at three places within. */
static bool is_line(struct maker *m, tm_ns a, tm_ns fa, tm_ns b, tm_ns fb)
{
    static const double places[] = { 0.5, 0.21, 0.83 }; /* off the middle too: a tooth may be symmetric */
    const bool full = m->curve->count >= MOST_POINTS - FIRST_PIECES - 64;
    tm_ns worst = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const tm_ns at = a + (tm_ns)(places[i] * (double)(b - a));
        const tm_ns exact = ask(m, at), off = distance(exact, on_line(a, fa, b, fb, at));
        if (!full && off > m->tolerance && (double)off > RELATIVE * (double)exact)
            return false;
        worst = off > worst ? off : worst;
    }
    m->error = worst > m->error ? worst : m->error;
    return true;
}

/* Adds the points after a up to b. */
static bool refine(struct maker *m, tm_ns a, tm_ns fa, tm_ns b, tm_ns fb)
{
    if (b - a <= RESOLUTION || is_line(m, a, fa, b, fb))
        return add_point(m, b, fb);
    const tm_ns middle = a + (b - a) / 2, f = ask(m, middle);
    return refine(m, a, fa, middle, f) && refine(m, middle, f, b, fb);
}

static bool make_curve(struct maker *m, tm_ns top)
{
    tm_ns a = 0, fa = ask(m, 0);
    if (!add_point(m, a, fa))
        return false;
    for (int i = 1; i <= FIRST_PIECES; i++) {
        const double share = (double)i / FIRST_PIECES;
        const tm_ns b = (tm_ns)(share * share * (double)top); /* finer where clocks are low */
        const tm_ns fb = ask(m, b);
        if (b > a && !refine(m, a, fa, b, fb))
            return false;
        a = b;
        fa = fb;
    }
    return true;
}

static tm_ns curve_at(const struct mc_curve *curve, tm_ns clock)
{
    int low = 0, high = curve->count - 1;
    if (clock <= curve->clock[0])
        return curve->scale[0];
    if (clock >= curve->clock[high])
        return curve->scale[high];
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (curve->clock[middle] <= clock)
            low = middle;
        else
            high = middle;
    }
    return on_line(curve->clock[low], curve->scale[low], curve->clock[high], curve->scale[high], clock);
}

tm_ns mc_table_scale(const struct mc_table *table, int move, tm_ns clock)
{
    return curve_at(&table->curve[table->of_move[move]], clock);
}

/* Whether the curve of an earlier move also is this move's. */
static bool fits(struct maker *m, const struct mc_curve *curve, tm_ns top)
{
    for (int i = 1; i <= PROBES; i++) {
        const double share = (double)i / PROBES;
        const tm_ns clock = (tm_ns)(share * share * (double)top);
        const tm_ns exact = ask(m, clock), off = distance(exact, curve_at(curve, clock));
        if (off > m->tolerance && (double)off > RELATIVE * (double)exact)
            return false;
        m->error = off > m->error ? off : m->error;
    }
    return true;
}

static bool new_curve(struct maker *m, struct mc_table *table, tm_ns top)
{
    struct mc_curve *grown = realloc(table->curve, ((size_t)table->curve_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    table->curve = grown;
    struct mc_curve *curve = &grown[table->curve_count++];
    *curve = (struct mc_curve){ .clock = malloc(MOST_POINTS * sizeof(tm_ns)), .scale = malloc(MOST_POINTS * sizeof(tm_ns)) };
    m->curve = curve;
    if (!curve->clock || !curve->scale || !make_curve(m, top))
        return false;
    tm_ns *clock = realloc(curve->clock, (size_t)curve->count * sizeof *clock);
    tm_ns *scale = realloc(curve->scale, (size_t)curve->count * sizeof *scale);
    curve->clock = clock ? clock : curve->clock;
    curve->scale = scale ? scale : curve->scale;
    table->points += curve->count;
    return true;
}

/* The clock cannot exceed what the control gives. */
static tm_ns top_of(const struct vclock *free_of_charge) { return free_of_charge->left > 0 ? free_of_charge->left : 1; }

bool mc_table_make(const struct mc_request *request, int moves, struct mc_table *out, struct tm_error *error)
{
    struct cell cell;
    const struct game_rules *rules = request->rules;
    struct cell_setup setup = cell_defaults(request->policy, &rules->tc, rules->overhead);
    *out = (struct mc_table){ 0 };
    setup.first_inc = rules->first_inc;
    if (!cell_open(&cell, &setup, error))
        return false;
    struct maker maker = { .cell = &cell, .tolerance = policy_info(request->policy)->unit == POLICY_S ? TOLERANCE : STAIR };
    struct vclock clock = vclock_start(&rules->tc, rules->first_inc);
    bool ok = true;
    for (int move = 0; ok && move < moves; move++) {
        maker.state = cell_state(&setup, &clock, move);
        const int last = out->curve_count - 1;
        if (last < 0 || !fits(&maker, &out->curve[last], top_of(&clock)) || top_of(&clock) > out->curve[last].clock[out->curve[last].count - 1])
            ok = new_curve(&maker, out, top_of(&clock) + top_of(&clock) / 4);
        out->of_move[move] = out->curve_count - 1;
        vclock_charge(&clock, 0, 0);
    }
    out->error = maker.error;
    cell_close(&cell);
    if (!ok || maker.failed)
        return error_fail(error, maker.failed ? TM_VOID : TM_INPUT, "policy %s: its budget cannot be tabulated%s", policy_info(request->policy)->label,
                          maker.failed ? ", it faults" : ", it has too many pieces");
    return true;
}

void mc_table_clear(struct mc_table *table)
{
    for (int i = 0; i < table->curve_count; i++) {
        free(table->curve[i].clock);
        free(table->curve[i].scale);
    }
    free(table->curve);
    *table = (struct mc_table){ 0 };
}

static bool walk_forgets(struct cell *cell, const struct cell_setup *setup)
{
    struct walk walk;
    struct tm_error ignored;
    struct budget budget;
    if (!walk_run(setup, &walk, &ignored))
        return false;
    bool same = !walk.fault_move;
    for (int i = 0; same && i < walk.moves; i++)
        same = cell_budget(cell, &walk.move[i].state, &budget, &ignored) && mc_scale(&budget) == mc_scale(&walk.move[i].budget);
    walk_clear(&walk);
    return same;
}

bool mc_forgets(const struct mc_request *request, int moves)
{
    /* Much, little, and hardly anything: three ways through the clock. */
    static const struct spend_model models[] = {
        { .kind = SPEND_HARD, .t1 = 1, .growth = 2, .events = 1 },
        { .kind = SPEND_LADDER, .t1 = 0.003, .growth = 2, .events = 4 },
        { .kind = SPEND_LADDER, .t1 = 1e-6, .growth = 1e6, .events = 1 },
    };
    struct cell cell;
    struct tm_error ignored;
    struct cell_setup setup = cell_defaults(request->policy, &request->rules->tc, request->rules->overhead);
    setup.first_inc = request->rules->first_inc;
    setup.moves = moves < WALK_MAX_MOVES ? moves : WALK_MAX_MOVES;
    if (!cell_open(&cell, &setup, &ignored))
        return false;
    bool same = true;
    for (size_t i = 0; same && i < sizeof models / sizeof *models; i++) {
        setup.model = models[i];
        same = walk_forgets(&cell, &setup);
    }
    cell_close(&cell);
    return same;
}
