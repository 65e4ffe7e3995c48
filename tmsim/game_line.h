/* Stored games as lines of moves, for checks and for exports that look at every game. */
#ifndef TMSIM_GAME_LINE_H
#define TMSIM_GAME_LINE_H

#include "tmsim/store.h"

struct game_line {
    int64_t game;          /* id */
    int pair, leg, white;  /* white: the player of the pairing that has it */
    int white_points;      /* half points, -1: no score */
    const char *ending, *fen;
    const char *moves;     /* UCI, a blank after each */
    size_t length;         /* of `moves` */
    int plies;
};

typedef bool game_line_sink(void *ctx, const struct game_line *line, struct tm_error *error);

/* Calls `sink` for each game of the pairing, by pair and leg; texts are valid during the call. */
bool game_lines(struct store *store, int64_t pairing_id, game_line_sink *sink, void *ctx, struct tm_error *error);

/* 64 bits of opening and moves: equal games have equal digests. */
uint64_t game_line_digest(const char *fen, const char *moves, size_t length);
bool game_record_digest(const char *fen, const struct game_record *record, uint64_t *digest, struct tm_error *error);

#endif
