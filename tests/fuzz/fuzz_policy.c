/* Any text as a policy: load it, ask it for a few budgets and limits, go through a game's calls. Seeds are the files
   in data/policies; half of the mutations keep their structure. */
#include <stddef.h>
#include <stdint.h>

#include "mutate_policy.h"
#include "vclock/event.h"
#include "vclock/policy.h"
#include "vclock/policy_quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer's own */

static void play(const struct policy *policy, struct policy_game *game)
{
    static const tm_ns times[] = {60 * TM_NS_PER_S, TM_NS_PER_S, 1, 0, -TM_NS_PER_S};
    const int scores[] = {10, 20, -30};
    const struct policy_info *info = policy_info(policy);
    struct tm_error error;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct clock_state clock = {.time = times[i], .inc = TM_NS_PER_S / 10, .base = times[0], .period_base = times[0],
                                    .opp_time = times[i], .has_movestogo = i % 2, .movestogo = (int)i - 1, .pieces = 32,
                                    .phase = 24, .legal = 20, .threads = 1, .rate = 1000000, .ply = 2 * (int)i};
        struct signals signals = {.elapsed = TM_NS_PER_S, .depth = 5, .score = 10, .prev_score = 20, .drop = 10,
                                  .nodes = 1000, .share = 0.5, .legal = 20, .scores = scores, .score_count = 3,
                                  .known = i == 2 ? 0 : TM_KNOWS_ALL};
        struct budget budget;
        if (i == 0)
            policy_quantities(policy, &clock);
        tm_ns soft, hard;
        bool given;
        if (!policy_budget(game, &clock, &budget, &error))
            continue;
        if (info->has_limit)
            policy_limit(game, &signals, &budget, &soft, &hard, &given, &error);
        struct policy_memory *memory = policy_game_save(game);
        policy_finish(game, &signals, &error);
        if (memory)
            policy_game_restore(game, memory);
        policy_memory_free(memory);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct policy *policy;
    struct tm_error error;
    if (!policy_load_text("fuzz", (const char *)data, size, &policy, &error))
        return 0;
    struct policy_game *game = policy_game_new(policy, &error);
    if (game)
        play(policy, game);
    policy_game_free(game);
    policy_free(policy);
    return 0;
}

#ifdef FUZZING
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return seed % 2 ? LLVMFuzzerMutate(data, size, most) : mutate_policy(data, size, most, seed);
}
#endif
