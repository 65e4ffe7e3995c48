/* From samples to a model of the node rate. */
#ifndef PROFILES_FIT_H
#define PROFILES_FIT_H

#include "profiles/measure.h"

enum { FIT_TERMS = 4 }; /* 1, pieces, phase, log2 nodes */

/* One candidate: which terms it has, and how well it predicts games that it has not seen. */
struct fit_model {
    const char *name;            /* "pieces", "pieces + phase", … */
    bool term[FIT_TERMS];
    double coefficient[FIT_TERMS];
    double residual, r2;         /* relative root mean square on the data; share of variance explained */
    double cross_validated;      /* relative root mean square, each game predicted from the others */
};

enum { FIT_MODELS = 4 };

struct fit {
    struct fit_model model[FIT_MODELS]; /* [0] is the baseline: pieces alone, robust */
    int chosen;
    int points;                  /* positions and budgets, each by its largest rate over the repetitions */
    int lowest_pieces, highest_pieces;
    double log2_nodes;           /* mean over the points: where the model is evaluated */
    double phase_at_0, phase_per_piece; /* line of the phase over pieces */
    double game_part, move_part; /* relative standard deviations of the chosen model's residual */
    double median_to_largest;    /* mean ratio of the two estimators: how disturbed the machine was */
    double fresh_to_in_game;     /* mean rate of fresh tables over warm ones */
    double loaded_to_alone;      /* at the highest concurrency over one; 1 without such samples */
};

/* Fits samples of one mode that were measured alone. False (TM_INPUT): fewer than 8 points or 2 games. */
bool fit_samples(const struct samples *samples, bool in_game, struct fit *fit, struct tm_error *error);

/* Writes a profile "zeitnot.profile/1" with model, fit, provenance and the points. */
bool fit_write(const struct fit *fit, const struct samples *samples, bool in_game, const char *name, const char *path,
               struct tm_error *error);

/* The rate of one position and budget by the largest and by the median of its repetitions, nodes/s of wall time. */
struct fit_point {
    int game, pieces, phase;
    int64_t asked;
    double largest, median;
};

/* The points of a mode and concurrency; returns their number, at most `capacity`. */
int fit_points(const struct samples *samples, bool in_game, int concurrency, struct fit_point *point, int capacity);

#endif
