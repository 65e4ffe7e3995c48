/* Arms: what plays in a match beside policies with the built-in engine. An arm is data and shared by threads; a driver
   is one process that plays for it in one worker. */
#ifndef TMSIM_ARM_H
#define TMSIM_ARM_H

#include "engine/game.h"
#include "profiles/profile.h"
#include "tmsim/engine_check.h"
#include "tmsim/engine_spec.h"
#include "vclock/clock.h"
#include "vclock/rate_time.h"
#include "vclock/trace.h"

struct arm {
    struct engine_spec *spec;
    struct policy *policy;     /* the one that drives it, or the native one, which sets no limits */
    struct profile *profile;   /* its own; NULL: that of the match */
    struct engine_check check; /* the short form; what it says about signals governs cold play */
    char *identity;            /* canonical JSON of the engine */
};

struct arm_request {
    const char *each, *text;   /* fields of --each and --engine; text may be "" with a policy */
    const char *policy;        /* a policy as an operand, which `each` gives an engine; NULL: as in the fields */
    const char *policies, *profiles; /* directories */
    bool allow_failed, allow_warm;
    bool real;                 /* it plays on a real clock, whatever `clock` says; then no check but the handshake */
};

/* Reads the fields, loads policy and profile, and runs the short engine check. Refused (TM_INPUT) with a reason:
   clock=warm without allow_warm, a policy that needs a signal which the engine does not print. An engine that fails
   its check is TM_VOID, unless `allow_failed`. NULL and `error`; freed by arm_free. */
struct arm *arm_new(const struct arm_request *request, struct tm_error *error);
void arm_free(struct arm *arm);

/* Whether a policy decides, and not the engine's own time manager. */
bool arm_is_driven(const struct arm *arm);

/* ---- playing ---- */

struct driver;

/* Starts the engine. The caller frees *out; `arm` is borrowed. */
bool driver_new(const struct arm *arm, struct driver **out, struct tm_error *error);
void driver_free(struct driver *driver);
const struct arm *driver_arm(const struct driver *driver);

/* Where the transcript goes; NULL: nowhere. Borrowed until the next call. */
void driver_log(struct driver *driver, FILE *log);

/* A new game from `fen`; a failed engine is restarted first. */
bool driver_new_game(struct driver *driver, const char *fen, struct tm_error *error);

/* What a driver is asked. For an arm with a policy `stop` has begun and `begun` is its first verdict. */
struct driver_question {
    const struct game *game;
    int legal;                      /* legal moves at its position */
    struct stop *stop;
    struct tm_verdict begun;
    const struct rate_time *time;
    const struct vclock *clock[2];  /* White, Black */
    tm_ns inc[2];
    tm_ns quantum;
    struct trace *trace;            /* events read, or NULL */
};

struct driver_answer {
    struct tm_verdict verdict;
    int64_t asked, used, charged;   /* used -1: unknown, `charged` is then the rule of the handbook */
    tm_ns wall;                     /* from go to bestmove, of the last search */
    tm_ns lag;                      /* of the runner, on a real clock; the verdict's spend is without it */
    int depth, score, bound;        /* of the last exact line that counts */
    bool illegal;                   /* `text` is no legal move */
    char text[8];
};

/* One own move. Node counts that the engine does not report are charged as all that was asked; on the node clock,
   where nothing is asked, as the largest count of this game so far, and at least a fortieth of the clock.
   False: the engine failed; the verdict and the driver stay usable by driver_new_game. */
bool driver_think(struct driver *driver, const struct driver_question *question, struct driver_answer *answer,
                  struct tm_error *error);

/* Whether the last failure was a limit passed (and not an end of the process). */
bool driver_stalled(const struct driver *driver);

#endif
