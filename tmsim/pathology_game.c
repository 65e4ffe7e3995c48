/* Pathologies of a whole game, read off the walk, and of the cell: what no policy could survive. */
#include <stdlib.h>

#include "tmsim/break_even.h"
#include "tmsim/pathology_find.h"

static const double RESERVE_SHARE = 0.25;    /* of the base, unused at the end: guess */
static const double STARVED_SHARE = 0.25;    /* of the moves: guess */

static const struct cell_setup *setup_of(const struct finder *finder) { return &finder->in->cell->setup; }

static void witness_move(struct finder *finder, struct pathology *pathology, int move)
{
    if (!pathology)
        return;
    const struct clock_state *state = &finder->in->walk->move[move - 1].state;
    pathology->ply = state->ply;
    finder_witness(finder, pathology, state);
}

void find_flag(struct finder *finder)
{
    const struct walk *walk = finder->in->walk;
    if (walk->flag_move)
        witness_move(finder, finder_add(finder, "flag at move %d of %d", walk->flag_move, setup_of(finder)->moves),
                     walk->flag_move);
}

void find_blind_run(struct finder *finder)
{
    const struct walk *walk = finder->in->walk;
    int longest = 0, first = 0, run = 0;
    for (int i = 0; i < walk->moves; i++) {
        run = walk->move[i].blind ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            first = i + 2 - run;
        }
    }
    if (longest > 1)
        witness_move(finder, finder_add(finder, "%d blind moves in a row from move %d (ply %d) on", longest, first,
                                        walk->move[first - 1].state.ply),
                     first);
    else if (longest == 1)
        witness_move(finder, finder_add(finder, "move %d (ply %d) is blind", first, walk->move[first - 1].state.ply), first);
}

static int first_starved(const struct walk *walk)
{
    for (int i = 0; i < walk->moves; i++)
        if (walk->move[i].starved)
            return i + 1;
    return 0;
}

void find_starved(struct finder *finder)
{
    const struct walk *walk = finder->in->walk;
    const int first = first_starved(walk);
    if (!first)
        return;
    const struct walk_move *move = &walk->move[first - 1];
    struct clock_text t = { 0 };
    if (walk->starved_moves > STARVED_SHARE * walk->moves)
        finder->severity = SEVERITY_WARNING;
    struct pathology *pathology =
        finder_add(finder, "%d of %d moves spend less than %s, the first is move %d with %s on the clock",
                   walk->starved_moves, walk->moves,
                   clock_text(&t, move->state.inc + move->state.inc / 2 > setup_of(finder)->starved_floor
                                      ? move->state.inc + move->state.inc / 2
                                      : setup_of(finder)->starved_floor),
                   first, clock_text(&t, move->state.time));
    witness_move(finder, pathology, first);
}

void find_unspent_reserve(struct finder *finder)
{
    const struct walk *walk = finder->in->walk;
    /* with a base of nothing the increments are the clock: ten of them count as one (guess) */
    const tm_ns inc = finder->in->cell->middle.inc, base = finder_base(finder);
    const bool by_increments = 10 * inc > base;
    if ((double)walk->reserve <= RESERVE_SHARE * (double)(by_increments ? 10 * inc : base))
        return;
    const char *when = finder->in->cell->middle.has_movestogo ? "a period ends" : "the walk ends";
    struct clock_text t = { 0 };
    struct pathology *pathology =
        by_increments ? finder_add(finder, "%s, or %.1f increments, lie unused when %s", clock_text(&t, walk->reserve),
                                   (double)walk->reserve / (double)inc, when)
                      : finder_add(finder, "%s of %s lie unused when %s", clock_text(&t, walk->reserve), clock_text(&t, base),
                                   when);
    finder_cell_witness(finder, pathology, setup_of(finder)->overhead);
}

/* ---- park and drain ---- */

void find_park(struct finder *finder)
{
    const struct parks *parks = finder->in->parks;
    for (int i = 0; i < parks->count; i++) {
        const struct park *park = &parks->park[i];
        const char *blind = park->blind ? ", and plays blind there" : "";
        const char *reached = i > 0 || parks->outcome != PARK_PARKS ? "not reached from base: " : "";
        struct clock_text t = { 0 };
        struct pathology *pathology = NULL;
        finder->severity = park->blind ? SEVERITY_WARNING : SEVERITY_NOTE;
        if (park->kind == PARK_NEUTRAL)
            pathology = finder_add(finder, "%sthe clock stands still anywhere from %s to %s%s", reached,
                                   clock_text(&t, park->from), clock_text(&t, park->to), blind);
        else if (park->kind == PARK_JUMP)
            pathology = finder_add(finder, "%sthe clock parks at %s, a jump: it walks between %s and %s%s", reached,
                                   clock_text(&t, park->clock), clock_text(&t, park->from), clock_text(&t, park->to), blind);
        else
            pathology = finder_add(finder, "%sthe clock parks at %s%s", reached, clock_text(&t, park->clock), blind);
        finder_interval(finder, pathology, park->from, park->to, park->clock);
    }
}

void find_drain(struct finder *finder)
{
    const struct cell *cell = finder->in->cell;
    if (finder->in->parks->outcome != PARK_DRAINS)
        return;
    struct clock_text t = { 0 };
    struct pathology *pathology = NULL;
    if (cell->middle.inc == 0)
        pathology = finder_add(finder, "no increment, so the clock drains");
    else if (cell->middle.inc <= cell->setup.overhead) {
        finder->severity = SEVERITY_WARNING;
        pathology = finder_add(finder, "the increment of %s does not pay for the overhead of %s: no policy can hold the "
                                       "clock", clock_text(&t, cell->middle.inc), clock_text(&t, cell->setup.overhead));
    } else {
        finder->severity = SEVERITY_WARNING;
        pathology = finder_add(finder, "the clock drains although the increment of %s exceeds the overhead of %s",
                               clock_text(&t, cell->middle.inc), clock_text(&t, cell->setup.overhead));
    }
    finder_cell_witness(finder, pathology, cell->setup.overhead);
}

/* ---- what overhead alone does ---- */

void find_hopeless(struct finder *finder)
{
    const struct cell_setup *setup = setup_of(finder);
    const int move = break_even_without_spend(setup, setup->overhead);
    if (!move)
        return;
    struct pathology *pathology = finder_add(finder, "overhead alone exhausts the clock at move %d of %d: no policy can "
                                                     "survive this cell, so it says nothing about any", move, setup->moves);
    finder_cell_witness(finder, pathology, setup->overhead);
}

void find_break_even(struct finder *finder)
{
    const struct cell_setup *setup = setup_of(finder);
    tm_ns beyond;
    if (finder->in->brief)
        return;
    const tm_ns found = break_even_find(setup, &beyond);
    if (found < 0) {
        finder_cell_witness(finder, finder_add(finder, "it does not survive %d moves even without overhead", setup->moves), 0);
        return;
    }
    struct pathology *pathology = finder_add(finder, "it survives %d moves up to %.1f ms of constant overhead, by this "
                                                     "spend model", setup->moves, (double)found / 1e6);
    finder_cell_witness(finder, pathology, beyond);
}
