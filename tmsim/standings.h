/* Who is ahead while a match runs, for the progress lines only: rankings are read from the store. */
#ifndef TMSIM_STANDINGS_H
#define TMSIM_STANDINGS_H

#include "tmsim/match.h"

struct standings;

/* `baseline` (NULL: none) is named second in its pairings. NULL: out of memory. The caller frees it. */
struct standings *standings_new(const struct policy *baseline);
void standings_free(struct standings *standings);

/* A game that has ended, in schedule order. Where memory is lacking it is not shown. */
void standings_add(struct standings *standings, const struct match_job *job, const struct game_record *record);

/* "pool–smooth +61 ±88 (28)   oldtm–smooth −211 ±120, 9 flags (28)": Elo of the run's pairings with half their 95 %
   interval, flags of the first one and games, those of this call alone. As many as fit in `size`. Returns `out`. */
char *standings_print(const struct standings *standings, int run, char *out, size_t size);

#endif
