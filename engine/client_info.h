/* Info lines of UCI engines: tokens in any order, what is unknown is skipped one token at a time. */
#ifndef ENGINE_CLIENT_INFO_H
#define ENGINE_CLIENT_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vclock/event.h"

enum client_info_field {
    INFO_DEPTH = 1, INFO_SCORE = 2, INFO_NODES = 4, INFO_MOVE = 8, INFO_MULTIPV = 16, INFO_SHARE = 32, INFO_TIME = 64,
    INFO_STRING = 128
};

struct client_info {
    uint32_t has;        /* enum client_info_field */
    int depth, multipv;
    int score;           /* centipawns for the mover; a mate in n plies is +-(TM_MATE - n) */
    int mate;            /* signed moves, as printed; 0: none */
    enum tm_bound bound;
    int64_t nodes, time_ms;
    int share;           /* per mille of the nodes under the best move: `info string tm share N` */
    char move[8];        /* first move of the pv */
    const char *pv;      /* the whole pv inside the line, not terminated */
    size_t pv_size;
    int warnings;        /* fields without a usable number */
};

/* Reads the text after `info`. Everything after the token `string` is opaque, but for `tm share N` as its whole
   text. A number that is missing, malformed, out of range or negative where that makes no sense leaves its field
   unset and counts as a warning. */
void client_info_parse(const char *text, struct client_info *info);

#endif
