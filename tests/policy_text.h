/* Policies written inside tests. */
#ifndef TESTS_POLICY_TEXT_H
#define TESTS_POLICY_TEXT_H

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "vclock/policy.h"

/* A policy and its game from a text; the message of the first fault in `error` if there is none. */
struct subject {
    struct policy *policy;
    struct policy_game *game;
    struct tm_error error;
};

static inline struct subject subject_of(const char *text)
{
    struct subject subject = {0};
    if (policy_load_text("mine.lua", text, strlen(text), &subject.policy, &subject.error))
        subject.game = policy_game_new(subject.policy, &subject.error);
    return subject;
}

/* The same, which must work. */
static inline struct subject good_subject(const char *text)
{
    struct subject subject = subject_of(text);
    cr_assert(subject.game != NULL, "%s", subject.error.message);
    return subject;
}

static inline void subject_drop(struct subject *subject)
{
    policy_game_free(subject->game);
    policy_free(subject->policy);
}

/* A clock state of `seconds` with the usual rest. */
static inline struct clock_state clock_at(double seconds)
{
    tm_ns time = ns_from_units(seconds, 1e9);
    return (struct clock_state){.time = time, .base = 60 * TM_NS_PER_S, .period_base = 60 * TM_NS_PER_S,
                                .opp_time = time, .pieces = 32, .phase = 24, .legal = 20, .threads = 1};
}

/* The raw budget at `seconds`; a fault leaves its message in the subject. */
static inline bool budget_at(struct subject *subject, double seconds, struct budget *out)
{
    struct clock_state clock = clock_at(seconds);
    return policy_budget(subject->game, &clock, out, &subject->error);
}

/* A policy in seconds with this body of budget(c, p, g). */
static inline struct subject subject_with(const char *body)
{
    char text[8192];
    snprintf(text, sizeof text, "return policy { name = 'mine', unit = 's', budget = function(c, p, g)\n%s\nend }",
             body);
    return subject_of(text);
}

#endif
