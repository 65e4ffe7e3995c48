/* The gates of runs as a table. */
#include <stdlib.h>

#include "tmsim/gates.h"
#include "tmsim/rank_internal.h"

enum column { COLUMN_RUN, COLUMN_TC, COLUMN_GATE, COLUMN_PASSED_WORD, COLUMN_PASSED, COLUMN_VALUE, COLUMN_DETAIL,
              COLUMN_COUNT };

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_RUN] = { .key = "run", .group = "run", .head = "" },
    [COLUMN_TC] = { .key = "tc", .group = "tc", .head = "" },
    [COLUMN_GATE] = { .key = "gate", .group = "gate", .head = "" },
    [COLUMN_PASSED_WORD] = { .group = "", .head = "" },
    [COLUMN_PASSED] = { .key = "passed" },
    [COLUMN_VALUE] = { .key = "value", .group = "value", .head = "", .align = TABLE_RIGHT, .decimals = 3 },
    [COLUMN_DETAIL] = { .key = "detail", .group = "", .head = "" },
};

static void put_gate(struct table *table, const struct ranking *ranking, const struct gate *gate)
{
    table_row(table);
    table_text(table, COLUMN_RUN, ranking->key);
    table_text(table, COLUMN_TC, ranking->tc);
    table_text(table, COLUMN_GATE, gate->name);
    table_text(table, COLUMN_PASSED_WORD, gate->passed ? "passed" : "FAILED");
    table_bool(table, COLUMN_PASSED, gate->passed);
    table_real(table, COLUMN_VALUE, gate->value);
    table_text(table, COLUMN_DETAIL, gate->detail);
}

/* A run that was cut short has no gates: its command did not come to its end. */
static bool put_run(struct table *table, struct store *store, int64_t run, const struct rank_options *options,
                    struct note_list *notes, bool *is_void, struct tm_error *error)
{
    struct ranking ranking;
    struct gate_list gates;
    bool ok = rank_read(store, run, options, &ranking, error) && gates_read(&gates, store, run, error);
    if (ok) {
        for (int i = 0; i < gates.count; i++)
            put_gate(table, &ranking, &gates.gate[i]);
        if (gates.count == 0)
            note_list_add(notes, "Run %.4s has not been checked: no match of it came to its end.", ranking.key);
        if (is_void && gates_failed(&gates))
            *is_void = true;
    }
    ranking_clear(&ranking);
    return ok;
}

static bool print_table(const struct table *table, const struct rank_options *options, const struct note_list *notes,
                        FILE *stream)
{
    const struct table_frame frame = { "tmsim.gates/1", NULL, (const char *const *)notes->note, notes->count };
    bool ok = !notes->failed && table_print(table, options->format, &frame, stream);
    for (int i = 0; ok && options->format == TABLE_TEXT && i < notes->count; i++)
        fprintf(stream, "%s\n", notes->note[i]);
    return ok;
}

bool rank_print_gates(struct store *store, const struct rank_options *options, FILE *stream, bool *is_void,
                      struct tm_error *error)
{
    struct table *table = table_new(columns, COLUMN_COUNT);
    struct note_list notes = { 0 };
    int64_t *run = NULL;
    int count = 0;
    bool ok = table || error_fail(error, TM_INTERNAL, "out of memory while reading gates");
    if (is_void)
        *is_void = false;
    ok = ok && rank_choose_runs(store, options, &run, &count, error);
    for (int i = 0; ok && i < count; i++)
        ok = put_run(table, store, run[i], options, &notes, is_void, error);
    if (ok && !print_table(table, options, &notes, stream))
        ok = error_fail(error, TM_INTERNAL, "the gates could not be printed");
    free(run);
    table_free(table);
    note_list_clear(&notes);
    return ok;
}
