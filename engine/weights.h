/* The numbers of the evaluation, each a pair of middle game and endgame centipawns. They are the output of
   tests/bench/tune.c, which is why all of them have one type. */
#ifndef ENGINE_WEIGHTS_H
#define ENGINE_WEIGHTS_H

#include <stdint.h>

/* Two 16-bit scores that add and subtract together. */
typedef int32_t score_pair;

#define SCORE_PAIR(mg, eg) ((score_pair)((uint32_t)(eg) * 65536u + (uint32_t)(mg)))

static inline int score_mg(score_pair pair) { return (int16_t)(uint16_t)(uint32_t)pair; }
static inline int score_eg(score_pair pair) { return (int16_t)(uint16_t)(((uint32_t)pair + 0x8000u) >> 16); }

enum { HALF_BOARD = 32 }; /* own ranks from the first, files a to d: the other wing is its mirror image */

struct weights {
    score_pair material[5];
    score_pair pawn_squares[HALF_BOARD], knight_squares[HALF_BOARD], bishop_squares[HALF_BOARD],
        rook_squares[HALF_BOARD], queen_squares[HALF_BOARD], king_squares[HALF_BOARD];

    score_pair tempo, bishop_pair;
    score_pair knight_mobility[9], bishop_mobility[14], rook_mobility[15], queen_mobility[28]; /* by safe squares */
    score_pair rook_open_file, rook_half_open_file;
    score_pair knight_outpost, bishop_outpost; /* held by a pawn, out of reach of enemy pawns */
    score_pair minor_sheltered;                /* a pawn, of either side, right before it */
    score_pair bishop_own_colour;              /* an own pawn on a square of the bishop's colour */

    score_pair isolated, doubled, backward, phalanx;
    score_pair supported[8];                   /* by own rank, as all that follow */
    score_pair passed[8], passed_blocked[8], passed_free[8]; /* free: the next square is empty and safe */
    score_pair passed_own_king[8], passed_enemy_king[8];     /* a step of distance from the next square */
    score_pair shelter[8], storm[8];           /* the own pawn before the king, the enemy's, on each of three files */

    score_pair pawn_threat, push_threat;       /* a pawn attacks a piece, or could after a safe step */
    score_pair minor_on_minor, minor_on_rook, minor_on_queen, rook_on_queen;
    score_pair hanging;                        /* attacked and not defended */

    /* Parts of the danger that a king is in, whose square counts: the first number only, in quarters. */
    score_pair king_attack[5];                 /* an attack on a square of its zone, by type */
    score_pair king_attacker;                  /* a piece that has such */
    score_pair king_weak_square;               /* of the zone, defended by the king alone */
    score_pair safe_check[5];                  /* possible at once on an undefended square, by type */
    score_pair no_queen;                       /* the attacker has none */
    score_pair danger_base;
};

/* Constant but in the tuner, which is built with its own copy of the evaluation. */
#ifdef ZEITNOT_TUNER
extern struct weights weights;
#else
extern const struct weights weights;
#endif

#endif
