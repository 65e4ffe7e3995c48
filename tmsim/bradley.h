/* Many players at once: logistic Bradley-Terry, a draw counts half, with a cluster-robust (sandwich) covariance.
   GSL's error handler must be off. */
#ifndef TMSIM_BRADLEY_H
#define TMSIM_BRADLEY_H

#include "vclock/error.h"

/* Games of the same players in the same cluster. Openings are the clusters: all games from one opening may depend
   on each other. */
struct bradley_games {
    int first, second; /* players, from 0 */
    int cluster;       /* from 0, no gaps */
    double games, points; /* points of `first`, 1 for a win */
};

enum bradley_state {
    BRADLEY_FITTED,
    BRADLEY_INFINITE,  /* some players never scored against some others: the fit has no finite maximum */
    BRADLEY_TOO_FEW    /* fewer than two clusters: ratings, but no covariance */
};

struct bradley {
    int players, clusters;
    enum bradley_state state;
    double *elo;        /* owned; of the anchor 0, or of sum 0 */
    double *covariance; /* owned, players x players, Elo squared */
};

/* Fits `count` rows. `anchor` is a player whose Elo is 0 by definition, or -1: the ratings sum to 0. Infinite
   ratings are not a fault but a state. The caller clears *out by bradley_clear, also on a fault (TM_INTERNAL). */
bool bradley_fit(const struct bradley_games *row, int count, int players, int clusters, int anchor, struct bradley *out,
                 struct tm_error *error);
void bradley_clear(struct bradley *fit);

/* The variance of elo[a] - elo[b]. */
double bradley_variance(const struct bradley *fit, int a, int b);

#endif
