/* May this engine be ranked at all? Named checks, each with what was found and what it means. */
#ifndef TMSIM_ENGINE_CHECK_H
#define TMSIM_ENGINE_CHECK_H

#include "engine/client.h"

/* Nodes beyond a limit that are no disobedience: common engines look at their counter every 1000 to 4000 nodes. */
enum { ENGINE_POLL_NODES = 4096 };

enum finding_verdict { FINDING_PASS, FINDING_NOTE, FINDING_WARN, FINDING_FAIL, FINDING_VERDICTS };

/* "pass", "note", … */
const char *finding_verdict_name(enum finding_verdict verdict);

struct finding {
    const char *check;   /* "nodes 10000" */
    enum finding_verdict verdict;
    char found[160];
    const char *meaning; /* for a ranking; "" where it passed */
};

enum { FINDINGS_MAX = 48 };

struct engine_check {
    struct finding finding[FINDINGS_MAX];
    int count;
    char name[128];        /* as the engine calls itself */
    uint32_t known;        /* enum tm_known: the signals that its info lines carry */
    bool prefix;           /* a shorter run's events are the first of a longer one's */
    bool clear_hash;       /* the button Clear Hash forgets all that matters; else ucinewgame has to */
    double used_to_asked;  /* at the largest limit tried */
};

struct engine_check_options {
    bool quick;            /* the short form that vmatch runs first: about a second */
    bool node_clock;       /* also the checks of VirtualNps */
    bool node_clock_only;  /* an engine on the node clock needs no `go nodes` */
};

/* Runs the checks. False: the engine failed (TM_ENGINE_FAILED), could not be started, or was given wrong options
   (TM_INPUT); the findings up to there are in *check. */
bool engine_check_run(const struct client_spec *spec, const struct engine_check_options *options,
                      struct engine_check *check, struct tm_error *error);

/* The worst verdict. */
enum finding_verdict engine_check_verdict(const struct engine_check *check);

/* The first finding with that verdict; NULL: there are none. */
const struct finding *engine_check_worst(const struct engine_check *check);

/* "score, bounds; not: node share, …" Returns `buffer`. */
char *engine_check_signals(uint32_t known, char *buffer, size_t size);

#endif
