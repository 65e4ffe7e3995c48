/* Ending games early by the players' own scores, in the manner of the match runners. Off by default: a drained clock
   kills long level endgames, which is exactly what a draw by agreement would hide. */
#ifndef TMSIM_ADJUDICATE_H
#define TMSIM_ADJUDICATE_H

#include "vclock/error.h"

/* Zero: off. */
struct adjudication {
    int draw_move;   /* not before this full move of the game */
    int draw_count;  /* full moves in a row with both scores within … */
    int draw_score;  /* … centipawns; draw_count 0: off */
    int resign_count;  /* own moves in a row at or below … */
    int resign_score;  /* … minus so many centipawns; resign_count 0: off */
    bool resign_twosided; /* only if the opponent's scores say the same */
};

/* Read "movenumber=40,movecount=8,score=10" and "movecount=3,score=400,twosided=true" into the fields of *out. */
bool adjudication_parse_draw(const char *text, struct adjudication *out, struct tm_error *error);
bool adjudication_parse_resign(const char *text, struct adjudication *out, struct tm_error *error);

enum { ADJUDICATION_TEXT = 160 };

/* Canonical text for a run's identity; "none" if all is off. Returns `buffer`. */
char *adjudication_print(char buffer[static ADJUDICATION_TEXT], const struct adjudication *rules);

/* Reads that text back. */
bool adjudication_read(const char *text, struct adjudication *out, struct tm_error *error);

/* The scores of a game so far. Starts as { 0 }. */
struct adjudicator {
    int quiet;                /* plies in a row within draw_score */
    int losing[2], winning[2]; /* own moves in a row beyond resign_score */
};

enum adjudication_call { ADJUDICATE_PLAY_ON, ADJUDICATE_DRAW, ADJUDICATE_RESIGN };

/* After a move of `side` with `score` (centipawns for it; mates are large scores). A move without a score counts as
   neither quiet nor lost. RESIGN: `side` loses. `full_move` is that of the move. */
enum adjudication_call adjudicate(const struct adjudication *rules, struct adjudicator *state, int side, bool has_score,
                                  int score, int full_move);

#endif
