/* Adaptive multilevel splitting: the games that were never far behind the usual clock are thrown away and replaced by
   copies of those that were, branched where they first fell behind so far. Each round multiplies the estimate by the share
   that was kept. How far behind the usual clock of the same move is the measure, and not the clock itself: clocks fall
   anyway, so a low one says only that the game is nearly over, too late to branch (tried: ten times the error). */
#include <stdlib.h>

#include "tmsim/draw.h"
#include "tmsim/monte_carlo_internal.h"

enum { MAX_ROUNDS = 400 };
static const double DROPPED = 0.25; /* of the particles in a round, at least; guess between speed and variance */

struct step {
    tm_ns left[2], slack; /* after the move */
};

struct particle {
    struct step *step;
    int moves;
    tm_ns score; /* the most it was behind; TM_NS_MAX: it flagged */
};

struct swarm {
    const struct mc_world *world;
    struct particle *particle;
    struct step *memory;
    tm_ns *sorted;
    int count;
    int64_t next_stream, moves;
};

static tm_ns behind(const struct swarm *swarm, int move, tm_ns slack) { return swarm->world->typical[move] - slack; }

static void note_score(struct swarm *swarm, struct particle *p, int move, tm_ns slack)
{
    const tm_ns score = behind(swarm, move, slack);
    p->score = score > p->score ? score : p->score;
}

/* Plays on from `state`, recording. */
static void play(struct swarm *swarm, struct particle *p, struct mc_state *state, int64_t stream)
{
    while (!state->over) {
        mc_step(swarm->world, stream, state);
        struct step *step = &p->step[state->move - 1];
        step->left[0] = state->clock[0].left;
        step->left[1] = state->clock[1].left;
        step->slack = state->slack;
        note_score(swarm, p, state->move - 1, state->slack);
        p->moves = state->move;
        swarm->moves += swarm->world->request->players;
    }
    if (state->flagged)
        p->score = TM_NS_MAX;
}

static void play_new(struct swarm *swarm, struct particle *p)
{
    struct mc_state state = mc_start(swarm->world);
    p->score = -TM_NS_MAX;
    p->moves = 0;
    play(swarm, p, &state, swarm->next_stream++);
}

/* `p` becomes `parent` up to its first move that is behind more than the level, and a game of its own from there. */
static void branch(struct swarm *swarm, struct particle *p, const struct particle *parent, tm_ns level)
{
    struct mc_state state = mc_start(swarm->world);
    p->score = -TM_NS_MAX;
    for (p->moves = 0; p->moves < parent->moves;) {
        const struct step *step = &parent->step[p->moves];
        p->step[p->moves++] = *step;
        note_score(swarm, p, p->moves - 1, step->slack);
        if (behind(swarm, p->moves - 1, step->slack) > level)
            break;
    }
    const struct step *last = &p->step[p->moves - 1];
    const int64_t stream = swarm->next_stream++;
    state.move = p->moves;
    state.flagged = last->slack < -swarm->world->request->rules->margin;
    state.over = state.flagged || mc_ends(swarm->world, stream, p->moves);
    for (int side = 0; side < 2; side++) {
        state.clock[side] = swarm->world->at[p->moves];
        state.clock[side].left = last->left[side];
    }
    play(swarm, p, &state, stream);
}

static int rising(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x > y) - (x < y);
}

static tm_ns next_level(struct swarm *swarm)
{
    for (int i = 0; i < swarm->count; i++)
        swarm->sorted[i] = swarm->particle[i].score;
    qsort(swarm->sorted, (size_t)swarm->count, sizeof *swarm->sorted, rising);
    return swarm->sorted[(int)(DROPPED * swarm->count)];
}

/* Their indices in survivor[]; returns how many. */
static int find_survivors(const struct swarm *swarm, tm_ns level, int *survivor)
{
    int found = 0;
    for (int i = 0; i < swarm->count; i++)
        if (swarm->particle[i].score > level)
            survivor[found++] = i;
    return found;
}

static void replace_others(struct swarm *swarm, tm_ns level, const int *survivor, int count, int round)
{
    const uint64_t seed = swarm->world->request->rules->seed;
    for (int i = 0; i < swarm->count; i++)
        if (swarm->particle[i].score <= level) {
            const uint64_t pick = draw_below(seed, swarm->next_stream, round, DRAW_PARENT, (uint64_t)count);
            branch(swarm, &swarm->particle[i], &swarm->particle[survivor[pick]], level);
        }
}

static double climb(struct swarm *swarm, int *survivor)
{
    double probability = 1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const tm_ns level = next_level(swarm);
        const bool done = level == TM_NS_MAX; /* most have flagged */
        const int count = find_survivors(swarm, done ? TM_NS_MAX - 1 : level, survivor);
        probability *= (double)count / swarm->count;
        if (done || count == 0)
            return probability;
        replace_others(swarm, level, survivor, count, round);
    }
    return 0;
}

double mc_split(const struct mc_world *world, int particles, int64_t first_stream, int64_t *moves)
{
    struct swarm swarm = { .world = world, .count = particles, .next_stream = first_stream };
    const size_t count = (size_t)particles;
    int *survivor = calloc(count, sizeof *survivor);
    swarm.particle = calloc(count, sizeof *swarm.particle);
    swarm.memory = malloc(count * (size_t)world->moves * sizeof *swarm.memory);
    swarm.sorted = calloc(count, sizeof *swarm.sorted);
    double probability = -1;
    if (survivor && swarm.particle && swarm.memory && swarm.sorted) {
        for (int i = 0; i < particles; i++) {
            swarm.particle[i].step = swarm.memory + (size_t)i * (size_t)world->moves;
            play_new(&swarm, &swarm.particle[i]);
        }
        probability = climb(&swarm, survivor);
    }
    *moves += swarm.moves;
    free(survivor);
    free(swarm.particle);
    free(swarm.memory);
    free(swarm.sorted);
    return probability;
}
