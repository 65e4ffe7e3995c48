/* A fit as a profile file. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/fit.h"

enum { POINTS_MAX = 4096 };

static double rounded(double value, double step) { return round(value / step) * step; }

/* The nodes' term is evaluated at the mean of the budgets, since a rate must be known before its nodes are. */
static json_t *model_json(const struct fit *fit)
{
    const struct fit_model *model = &fit->model[fit->chosen];
    const double *c = model->coefficient;
    json_t *json = json_pack("{s:s, s:f, s:f, s:[i, i]}", "kind", model->term[2] ? "linear_pieces_phase" : "linear_pieces",
                             "intercept", rounded(c[0] + c[3] * fit->log2_nodes, 0.1), "slope_per_piece",
                             rounded(c[1], 0.01), "clamp_pieces", fit->lowest_pieces, fit->highest_pieces);
    if (json && model->term[2]) {
        json_object_set_new(json, "slope_per_phase", json_real(rounded(c[2], 0.01)));
        json_object_set_new(json, "phase_at_0_pieces", json_real(rounded(fit->phase_at_0, 1e-4)));
        json_object_set_new(json, "phase_per_piece", json_real(rounded(fit->phase_per_piece, 1e-4)));
    }
    return json;
}

static json_t *candidates_json(const struct fit *fit)
{
    json_t *list = json_array();
    for (int i = 0; i < FIT_MODELS; i++) {
        const struct fit_model *model = &fit->model[i];
        if (isfinite(model->cross_validated))
            json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f}", "terms", model->name, "residual_rms_frac",
                                                  rounded(model->residual, 1e-4), "r2", rounded(model->r2, 1e-4),
                                                  "cross_validated_frac", rounded(model->cross_validated, 1e-4)));
    }
    return list;
}

static json_t *fit_json(const struct fit *fit, bool in_game)
{
    const struct fit_model *model = &fit->model[fit->chosen];
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}",
                     "terms", model->name, "tables", in_game ? "in-game" : "fresh", "points", fit->points,
                     "residual_rms_frac", rounded(model->residual, 1e-4), "r2", rounded(model->r2, 1e-4),
                     "residual_game_part", rounded(fit->game_part, 1e-4),
                     "residual_move_part", rounded(fit->move_part, 1e-4),
                     "median_to_largest", rounded(fit->median_to_largest, 1e-4),
                     "fresh_to_in_game", rounded(fit->fresh_to_in_game, 1e-4),
                     "loaded_to_alone", rounded(fit->loaded_to_alone, 1e-4),
                     "evaluated_at_nodes", rounded(exp2(fit->log2_nodes), 1), "candidates", candidates_json(fit));
}

static json_t *points_json(const struct samples *samples, bool in_game)
{
    struct fit_point *point = calloc(POINTS_MAX, sizeof *point);
    json_t *rows = json_array();
    const int count = point ? fit_points(samples, in_game, 1, point, POINTS_MAX) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(rows, json_pack("[i, i, i, I, f, f]", point[i].game, point[i].pieces, point[i].phase,
                                              (json_int_t)point[i].asked, rounded(point[i].largest, 0.1),
                                              rounded(point[i].median, 0.1)));
    free(point);
    return json_pack("{s:[s, s, s, s, s, s], s:o}", "columns", "game", "pieces", "phase", "nodes_asked", "nodes_per_s",
                     "nodes_per_s_median", "rows", rows);
}

static json_t *profile_json(const struct fit *fit, const struct samples *samples, bool in_game, const char *name)
{
    json_t *file = json_loads(samples->json, 0, NULL);
    json_t *provenance = json_incref(json_object_get(file, "provenance"));
    const char *engine = json_string_value(json_object_get(provenance, "engine"));
    json_object_set_new(provenance, "estimator", json_string(samples->by_cpu
        ? "largest of the repetitions at each position and budget, by processor time"
        : "largest of the repetitions at each position and budget, by wall time"));
    json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "format", "zeitnot.profile/1", "name", name, "engine",
                             engine && *engine ? engine : "unknown", "model", model_json(fit), "fit",
                             fit_json(fit, in_game), "provenance", provenance, "samples", points_json(samples, in_game));
    json_decref(file);
    return json;
}

bool fit_write(const struct fit *fit, const struct samples *samples, bool in_game, const char *name, const char *path,
               struct tm_error *error)
{
    json_t *json = profile_json(fit, samples, in_game, name);
    FILE *file = json ? fopen(path, "w") : NULL;
    bool ok = file && json_dumpf(json, file, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) == 0 && fputc('\n', file) != EOF;
    if (file && fclose(file) != 0)
        ok = false;
    json_decref(json);
    return ok || error_fail(error, TM_INPUT, "--out %s: %s", path, strerror(errno));
}
