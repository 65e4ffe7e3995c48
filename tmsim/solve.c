#include "tmsim/solve.h"

enum { SURVEY_STEPS = 100 }; /* in the logarithm and again in time: 200 clocks, 0.6 s apart at most in a minute */

bool solve_cell(const struct cell_setup *setup, const char *spec, bool brief, struct solution *out,
                struct tm_error *error)
{
    struct cell cell;
    struct survey survey;
    *out = (struct solution){ .setup = *setup, .spec = spec };
    if (!cell_open(&cell, setup, error))
        return false;
    if (!walk_in_cell(&cell, &out->walk, error)) {
        cell_close(&cell);
        return false;
    }
    out->movestogo = cell.middle.has_movestogo ? cell.middle.movestogo : 0;
    const bool ok = survey_take(&cell, SURVEY_STEPS, &survey, error);
    if (ok) {
        knees_find(&cell, &survey, KNEES_ALL, &out->knees);
        parks_find(&cell, &survey, &out->parks);
        const struct findings findings = {
            .cell = &cell, .spec = spec, .brief = brief, .walk = &out->walk, .survey = &survey, .knees = &out->knees,
            .parks = &out->parks };
        pathologies_find(&findings, &out->pathologies);
        survey_clear(&survey);
    } else {
        walk_clear(&out->walk);
    }
    cell_close(&cell);
    return ok;
}

void solution_clear(struct solution *solution) { walk_clear(&solution->walk); }

bool solution_flags(const struct solution *solution) { return solution->walk.flag_move != 0; }
