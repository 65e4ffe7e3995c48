#include "tmsim/arm.h"

#include <stdlib.h>
#include <string.h>

#include "tmsim/player.h"

bool arm_is_driven(const struct arm *arm) { return arm->spec->policy != NULL; }

/* ---- the policy ---- */

/* Policies' names are made of fewer characters than engines'. */
static void copy_name(char *out, size_t size, const char *name)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++) {
        const char c = name[i];
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || strchr("_-.", c);
        out[i] = plain ? c : '-';
    }
    out[i] = '\0';
}

/* Every player has a policy; that of an engine on its own clock sets no limit, and its text names the engine, so that
   stores and rankings know which build it was. */
static bool native_policy(struct arm *arm, struct tm_error *error)
{
    char name[64];
    const char *slash = strrchr(arm->spec->client.argv[0], '/');
    copy_name(name, sizeof name, arm->spec->name ? arm->spec->name : arm->check.name);
    if (!*name)
        copy_name(name, sizeof name, slash ? slash + 1 : arm->spec->client.argv[0]);
    const size_t size = strlen(arm->identity) + strlen(name) + 256;
    char *text = malloc(size);
    if (!text)
        return error_fail(error, TM_INTERNAL, "out of memory for an engine");
    const int length = snprintf(text, size,
        "return policy {\n  name = [==[%s]==], title = \"its own time manager, %s\",\n  source = [==[%s]==],\n"
        "  unit = \"s\", params = {}, budget = function(c, p, g) return huge, huge end,\n}\n",
        name, arm->spec->clock == ENGINE_REAL ? "real clock" : "VirtualNps", arm->identity);
    const bool ok = policy_load_text(name, text, (size_t)length, &arm->policy, error);
    free(text);
    return ok;
}

/* A policy that needs a value which is nil here faults where it uses it, so it is tried on an invented search that
   shows only what this engine can tell. */
static bool try_signals(const struct arm *arm, struct policy_game *game, struct tm_error *error)
{
    const int scores[8] = { 20, 35, 30, 10, 25, 18, 22, 20 };
    const struct clock_state clock = { .time = 30 * TM_NS_PER_S, .inc = TM_NS_PER_S / 2, .base = 60 * TM_NS_PER_S,
                                       .period_base = 60 * TM_NS_PER_S, .opp_time = 30 * TM_NS_PER_S, .ply = 20,
                                       .moves = 10, .pieces = 28, .phase = 20, .legal = 30, .threads = 1, .rate = 30000 };
    struct budget budget = { 0 };
    if (!policy_budget(game, &clock, &budget, error))
        return false;
    for (int depth = 1; depth <= 8; depth++) {
        const struct signals seen = {
            .elapsed = depth * 50 * TM_NS_PER_MS, .nodes = 1500 * depth, .depth = depth, .score = scores[depth - 1],
            .prev_score = 20, .legal = 30, .scores = scores, .score_count = depth, .stable = depth % 3, .last_change = 1,
            .changed = depth % 3 == 0, .share = 0.5, .fail_low = depth == 5, .known = arm->check.known,
        };
        tm_ns soft, hard;
        bool hard_given;
        if (policy_info(arm->policy)->has_limit &&
            !policy_limit(game, &seen, &budget, &soft, &hard, &hard_given, error))
            return false;
    }
    return true;
}

static bool check_signals(const struct arm *arm, struct tm_error *error)
{
    char signals[160];
    struct tm_error fault;
    struct policy_game *game = policy_game_new(arm->policy, error);
    if (!game)
        return false;
    const bool ok = try_signals(arm, game, &fault);
    policy_game_free(game);
    return ok || error_fail(error, TM_INPUT, "policy %s cannot drive %s, which tells: %s. It faults without the rest: %.500s",
                            policy_info(arm->policy)->label, arm->check.name,
                            engine_check_signals(arm->check.known, signals, sizeof signals), fault.message);
}

/* The control of the field `tc`; one that the policy names itself comes first. */
static bool own_tc(struct arm *arm, struct tm_error *error)
{
    return !arm->spec->tc.count || policy_info(arm->policy)->tc || policy_own_tc(arm->policy, &arm->spec->tc, error);
}

static bool load_policy(struct arm *arm, const struct arm_request *request, struct tm_error *error)
{
    if (!arm_is_driven(arm))
        return native_policy(arm, error) && own_tc(arm, error);
    return player_load(arm->spec->policy, request->policies, &arm->policy, error) && own_tc(arm, error)
           && check_signals(arm, error);
}

/* ---- the engine ---- */

static bool run_check(struct arm *arm, const struct arm_request *request, struct tm_error *error)
{
    const enum engine_clock clock = arm->spec->clock;
    const bool nodes = clock == ENGINE_NODES;
    const struct engine_check_options options = { .quick = true, .node_clock = nodes,
                                                  .node_clock_only = nodes || clock == ENGINE_REAL };
    if (!engine_check_run(&arm->spec->client, &options, &arm->check, error))
        return false;
    for (int i = 0; i < arm->check.count && !request->allow_failed; i++) {
        const struct finding *finding = &arm->check.finding[i];
        if (finding->verdict == FINDING_FAIL)
            return error_fail(error, TM_VOID, "engine %s failed its check, %s: %s; %s (--allow-failed-check plays anyway)",
                              arm->spec->client.argv[0], finding->check, finding->found, finding->meaning);
    }
    return true;
}

static bool check_clock(const struct arm *arm, const struct arm_request *request, struct tm_error *error)
{
    if (arm->spec->clock == ENGINE_WARM && !request->allow_warm)
        return error_fail(error, TM_INPUT, "clock=warm keeps in the hash what was searched past the soft stop, a gift "
                                           "that was measured at +304 Elo; --allow-warm plays so anyway, clock=cold does not");
    return true;
}

static bool fill(struct arm *arm, const struct arm_request *request, struct tm_error *error)
{
    char policy[512];
    const char *each = request->each ? request->each : "";
    snprintf(policy, sizeof policy, "policy=\"%s\"", request->policy ? request->policy : "");
    arm->spec = engine_spec_new(request->policy ? "--each" : "--engine", each, request->policy ? policy : request->text,
                                error);
    if (!arm->spec)
        return false;
    if (request->real)
        arm->spec->clock = ENGINE_REAL;
    if (!check_clock(arm, request, error) || !run_check(arm, request, error))
        return false;
    if (arm->spec->profile && !profile_load(arm->spec->profile, request->profiles, &arm->profile, error))
        return false;
    arm->identity = engine_spec_identity(arm->spec, arm->check.name, arm->profile ? profile_hash(arm->profile) : "",
                                         error);
    return arm->identity && load_policy(arm, request, error);
}

struct arm *arm_new(const struct arm_request *request, struct tm_error *error)
{
    struct arm *arm = calloc(1, sizeof *arm);
    if (!arm) {
        error_set(error, TM_INTERNAL, "out of memory for an engine");
        return NULL;
    }
    if (fill(arm, request, error))
        return arm;
    arm_free(arm);
    return NULL;
}

void arm_free(struct arm *arm)
{
    if (!arm)
        return;
    engine_spec_free(arm->spec);
    policy_free(arm->policy);
    profile_free(arm->profile);
    free(arm->identity);
    free(arm);
}
