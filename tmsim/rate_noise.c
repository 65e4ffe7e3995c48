#include "tmsim/rate_noise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/draw.h"

/* ---- text ---- */

static bool read_part(const char **text, const char *name, double *out)
{
    const size_t length = strlen(name);
    char *end;
    if (strncmp(*text, name, length) != 0)
        return false;
    *out = strtod(*text + length, &end);
    if (end == *text + length || !(*out >= 0 && *out <= 1))
        return false;
    *text = end;
    return true;
}

bool rate_noise_parse(const char *what, const char *text, const struct profile *profile, struct rate_noise *out,
                      struct tm_error *error)
{
    const char *at = text;
    if (strcmp(text, "residual") == 0)
        return profile_residual(profile, &out->game, &out->move) ||
               error_fail(error, TM_INPUT, "%s residual: profile %s does not say how its residual splits into games and moves; "
                                           "expected game=SHARE,move=SHARE", what, profile_name(profile));
    const bool ok = read_part(&at, "game=", &out->game) && *at++ == ',' && read_part(&at, "move=", &out->move) && !*at;
    return ok || error_fail(error, TM_INPUT, "%s %s: expected residual, or game=SHARE,move=SHARE from 0 to 1", what, text);
}

char *rate_noise_print(char buffer[static RATE_NOISE_TEXT], const struct rate_noise *noise)
{
    buffer[0] = '\0';
    if (noise->game > 0 || noise->move > 0)
        snprintf(buffer, RATE_NOISE_TEXT, "game=%.9g,move=%.9g", noise->game, noise->move);
    return buffer;
}

/* ---- draws ---- */

/* Of a normal distribution; never the end of the range, which would be infinite. */
static double normal(uint64_t seed, int64_t pair, int64_t move, int64_t number)
{
    return gsl_cdf_ugaussian_Pinv(draw_unit(seed, pair, move, DRAW_RATE, number) + 0x1p-54);
}

double rate_noise_factor(const struct rate_noise *noise, uint64_t seed, int64_t pair, int64_t move)
{
    enum { OF_GAME, OF_MOVE };
    if (!(noise->game > 0 || noise->move > 0))
        return 1;
    /* log-normal with relative deviation r: the logarithm varies by s, s^2 = log(1 + r^2) */
    const double game = log1p(noise->game * noise->game), own = log1p(noise->move * noise->move);
    return exp(sqrt(game) * normal(seed, pair, 0, OF_GAME) - game / 2 + sqrt(own) * normal(seed, pair, move, OF_MOVE) - own / 2);
}
