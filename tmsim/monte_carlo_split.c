/* Adaptive multilevel splitting: the games whose clocks stayed highest are thrown away and replaced by copies of lower
   ones, branched where they first went below the level. Each round multiplies the estimate by the share that was kept. */
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
    tm_ns lowest;
};

struct swarm {
    const struct mc_world *world;
    struct particle *particle;
    struct step *memory;
    tm_ns *sorted;
    int count;
    int64_t next_stream, moves;
};

/* Plays on from `state`, recording. */
static void play(struct swarm *swarm, struct particle *p, struct mc_state *state, int64_t stream)
{
    while (!state->over) {
        mc_step(swarm->world, stream, state);
        struct step *step = &p->step[state->move - 1];
        step->left[0] = state->clock[0].left;
        step->left[1] = state->clock[1].left;
        step->slack = state->slack;
        p->lowest = state->slack < p->lowest ? state->slack : p->lowest;
        p->moves = state->move;
        swarm->moves += swarm->world->request->players;
    }
}

static void play_new(struct swarm *swarm, struct particle *p)
{
    struct mc_state state = mc_start(swarm->world);
    p->lowest = TM_NS_MAX;
    p->moves = 0;
    play(swarm, p, &state, swarm->next_stream++);
}

/* `p` becomes `parent` up to its first move below the level, and a game of its own from there. */
static void branch(struct swarm *swarm, struct particle *p, const struct particle *parent, tm_ns level)
{
    struct mc_state state = mc_start(swarm->world);
    p->lowest = TM_NS_MAX;
    for (p->moves = 0; p->moves < parent->moves;) {
        const struct step *step = &parent->step[p->moves];
        p->step[p->moves++] = *step;
        p->lowest = step->slack < p->lowest ? step->slack : p->lowest;
        if (step->slack < level)
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

static int falling(const void *a, const void *b)
{
    const tm_ns x = *(const tm_ns *)a, y = *(const tm_ns *)b;
    return (x < y) - (x > y);
}

/* The level of the next round, never below where the flag falls. */
static tm_ns next_level(struct swarm *swarm)
{
    for (int i = 0; i < swarm->count; i++)
        swarm->sorted[i] = swarm->particle[i].lowest;
    qsort(swarm->sorted, (size_t)swarm->count, sizeof *swarm->sorted, falling);
    const tm_ns level = swarm->sorted[(int)(DROPPED * swarm->count)], flag = -swarm->world->request->rules->margin;
    return level > flag ? level : flag;
}

static int count_below(const struct swarm *swarm, tm_ns level)
{
    int below = 0;
    for (int i = 0; i < swarm->count; i++)
        below += swarm->particle[i].lowest < level;
    return below;
}

static void replace_others(struct swarm *swarm, tm_ns level, int below, int *survivor, int round)
{
    int found = 0;
    for (int i = 0; i < swarm->count; i++)
        if (swarm->particle[i].lowest < level)
            survivor[found++] = i;
    for (int i = 0; i < swarm->count; i++)
        if (swarm->particle[i].lowest >= level) {
            const uint64_t pick = draw_below(swarm->world->request->rules->seed, swarm->next_stream, round, DRAW_PARENT, (uint64_t)below);
            branch(swarm, &swarm->particle[i], &swarm->particle[survivor[pick]], level);
        }
}

static double climb(struct swarm *swarm, int *survivor)
{
    const tm_ns flag = -swarm->world->request->rules->margin;
    double probability = 1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const tm_ns level = next_level(swarm);
        const int below = count_below(swarm, level);
        probability *= (double)below / swarm->count;
        if (below == 0 || level == flag)
            return probability;
        replace_others(swarm, level, below, survivor, round);
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
