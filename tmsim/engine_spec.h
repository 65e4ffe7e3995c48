/* An engine as the user writes it, in the match runners' way: cmd=stockfish,name=sf,option.Hash=16,args="-a b". */
#ifndef TMSIM_ENGINE_SPEC_H
#define TMSIM_ENGINE_SPEC_H

#include "engine/client.h"
#include "vclock/tc.h"

/* How the virtual clock and the engine come together (design, section 5, foreign engines). */
enum engine_clock {
    ENGINE_NODES,     /* its own time manager, which reads VirtualNps */
    ENGINE_COLD,      /* a policy; the hash is cleared before every move */
    ENGINE_WARM,      /* a policy; the hash is kept, with what was searched past the soft stop */
    ENGINE_REAL,      /* its own time manager on a real clock: never by a field, only for the hammer */
    ENGINE_CLOCKS
};

/* "nodes", "cold", …: the values of `clock=`. */
const char *engine_clock_name(enum engine_clock clock);

struct engine_spec {
    const char *name;      /* NULL: what the engine calls itself */
    const char *policy;    /* a policy that drives it; NULL: its own time manager */
    const char *profile;   /* NULL: that of the match */
    enum engine_clock clock;
    struct tc tc;          /* of this player alone; no period: that of the match */
    struct client_spec client; /* borrows from the rest */
};

/* Reads `text`, after `each` (the fields of --each, NULL: none), whose fields it overrides; either may be "". A `cmd`
   must be there. `what` names the option in messages. NULL and `error` (TM_INPUT); freed by engine_spec_free. */
struct engine_spec *engine_spec_new(const char *what, const char *each, const char *text, struct tm_error *error);

/* An operand of a command: fields if it begins with cmd=, else a program and its arguments, separated by blanks. */
struct engine_spec *engine_spec_operand(const char *text, struct tm_error *error);

void engine_spec_free(struct engine_spec *spec);

/* Canonical JSON of what can change a result: the engine's name, XXH3-128 of its file, arguments, options, clock, and
   the hash of a profile of its own ("" without one). The caller frees it. NULL and `error`: the file cannot be read, or
   no memory. */
char *engine_spec_identity(const struct engine_spec *spec, const char *engine_name, const char *profile_hash,
                           struct tm_error *error);

#endif
