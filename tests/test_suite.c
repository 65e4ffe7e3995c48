/* Tactical and positional suites, data/positions: Win at Chess (F. Reinfeld's, 300 positions) and Bratko-Kopec (24).
   The search is exact in nodes, so the counts are too: 241 and 16 at bench 4932544. The bounds leave room for an honest
   change of the search that trades some of them for strength. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite.h"

static struct suite_total run(const char *name, int64_t nodes)
{
    char path[512];
    struct suite_total total;
    struct tm_error error = { .message = "" };
    snprintf(path, sizeof path, "%s/positions/%s.epd", ZEITNOT_DATA_SOURCE, name);
    const struct suite_plan plan = { .path = path, .nodes = nodes, .hash_bytes = 1 << 22 };
    cr_assert(suite_run(&plan, NULL, NULL, &total, &error), "%s", error.message);
    return total;
}

Test(suite, win_at_chess_is_mostly_solved_at_20000_nodes)
{
    const struct suite_total total = run("wac", 20000);
    cr_expect_eq(total.positions, 300);
    cr_expect_geq(total.solved, 230, "%d of 300", total.solved);
}

Test(suite, bratko_kopec_is_solved_in_good_part_at_200000_nodes)
{
    const struct suite_total total = run("bratko-kopec", 200000);
    cr_expect_eq(total.positions, 24);
    cr_expect_geq(total.solved, 12, "%d of 24", total.solved);
}

static bool run_text(const char *text, struct suite_total *total, struct tm_error *error)
{
    char path[] = "/tmp/zeitnot-suite-XXXXXX";
    const int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    const struct suite_plan plan = { .path = path, .nodes = 2000, .hash_bytes = 1 << 20 };
    const bool ok = suite_run(&plan, NULL, NULL, total, error);
    remove(path);
    return ok;
}

#define BACK_RANK "6k1/5ppp/8/8/8/8/8/R3K3 w - - " /* Ra8 mates */

Test(suite, each_operation_judges)
{
    static const struct {
        const char *operations;
        int solved;
    } rows[] = {
        { "bm Ra8#; id \"a;b\";", 1 }, { "bm Kd2 Ra8;", 1 },  { "bm Kd2;", 0 },          { "am Kd2;", 1 },
        { "am Ra8+;", 0 },             { "dm 1;", 1 },        { "bm Ra8; am Kd2; dm 1", 1 }, { "bm Ra8; dm 2; am Ra8;", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        struct suite_total total;
        struct tm_error error = { .message = "" };
        snprintf(text, sizeof text, "# a comment\r\n\r\n%s%s\r\n", BACK_RANK, rows[i].operations);
        cr_expect(run_text(text, &total, &error), "%s", error.message);
        cr_expect_eq(total.positions, 1, "%s", rows[i].operations);
        cr_expect_eq(total.solved, rows[i].solved, "%s", rows[i].operations);
    }
}

Test(suite, bad_lines_are_named)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        { BACK_RANK "bm Qa8;", ":2: found 'Qa8', expected a legal move" },
        { BACK_RANK "id \"x\";", ":2: expected an operation bm, am or dm" },
        { BACK_RANK "dm x;", ":2: dm: found ' x', expected a number of moves" },
        { "6k1/9 w - - bm Ra8;", ":2: " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        struct suite_total total;
        struct tm_error error = { .message = "" };
        snprintf(text, sizeof text, BACK_RANK "bm Ra8;\n%s\n", rows[i].line);
        cr_expect(!run_text(text, &total, &error), "%s", rows[i].line);
        cr_expect_eq(error.code, TM_INPUT);
        cr_expect(strstr(error.message, rows[i].says), "%s", error.message);
    }
}
