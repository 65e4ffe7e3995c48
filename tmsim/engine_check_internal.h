/* What the files of the engine check share: one engine under test, and probes of it. */
#ifndef TMSIM_ENGINE_CHECK_INTERNAL_H
#define TMSIM_ENGINE_CHECK_INTERNAL_H

#include "engine/client_events.h"
#include "tmsim/engine_check.h"

struct checker {
    const struct client_spec *spec;
    const struct engine_check_options *options;
    struct client *client;
    struct engine_check *check;
    struct tm_error *error;
    bool limitless;       /* it searches past any `go nodes`: nothing that needs one can be tried */
};

/* One search, and all that can be compared about it. */
struct probe {
    struct client_answer answer;
    move_t best;          /* 0: not legal */
    struct tm_event event[256];
    int events;
    uint32_t known;       /* signals seen */
    bool multipv;
    int illegal_lines;
};

void checker_note(struct checker *checker, const char *check, enum finding_verdict verdict, const char *meaning,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Searches `fen` (NULL: the usual start) after `moves` (NULL: none). With `forget`, ucinewgame goes first. */
bool checker_probe(struct checker *checker, const char *fen, const char *moves, const char *go, bool forget,
                   struct probe *probe);

/* The same best move, node count and events. */
bool probe_equal(const struct probe *a, const struct probe *b);

/* The checks of VirtualNps. False: the engine failed. */
bool checker_node_clock(struct checker *checker);

#endif
