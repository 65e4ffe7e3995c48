#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tmsim/progress.h"
#include "tmsim/table.h"

static const struct table_column columns[] = {
    { .key = "policy", .group = "", .head = "policy" },
    { .key = "elo", .group = "Elo", .head = "", .align = TABLE_RIGHT, .sign = true },
    { .key = "lo" },
    { .group = "95 % interval", .head = "", .align = TABLE_CENTRE },
    { .key = "median_s", .group = "spend s", .head = "median", .align = TABLE_RIGHT, .decimals = 2 },
    { .key = "max_s", .group = "spend s", .head = "max", .align = TABLE_RIGHT, .decimals = 2 },
    { .key = "flags", .group = "flags", .head = "", .align = TABLE_RIGHT },
    { .key = "ok" },
};

static struct table *example(void)
{
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    cr_assert_not_null(table);
    table_row(table);
    table_text(table, 0, "größer, \"q\"");
    table_real(table, 1, 61.4);
    table_real(table, 2, -24.25);
    table_text(table, 3, "[\u221224, +150]");
    table_real(table, 4, 0.614);
    table_real(table, 5, 5.71);
    table_integer(table, 6, 0);
    table_bool(table, 7, true);
    table_row(table);
    table_text(table, 0, "oldtm");
    table_real(table, 1, -211.0);
    table_undefined(table, 2, "one pair has no spread");
    table_real(table, 4, 0.1);
    table_undefined(table, 5, "no moves");
    table_integer(table, 6, 11);
    table_bool(table, 7, false);
    cr_expect_eq(table_row_count(table), 2);
    return table;
}

/* The caller frees the text. */
static char *printed(const struct table *table, enum table_format format)
{
    static const char *const notes[] = { "A note." };
    const struct table_frame frame = { "tmsim.test/1", "a41f", notes, 1 };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_expect(table_print(table, format, &frame, stream));
    fclose(stream);
    return text;
}

Test(table, people_get_aligned_columns)
{
    struct table *table = example();
    char *text = printed(table, TABLE_TEXT);
    cr_expect_str_eq(text,
        "              Elo  95 % interval    spend s     flags\n"
        "policy                            median   max\n"
        "größer, \"q\"   +61   [\u221224, +150]     0.61  5.71      0\n"
        "oldtm        \u2212211                   0.10     \u2013     11\n", "\n%s", text);
    free(text);
    table_free(table);
}

Test(table, programs_get_csv_after_rfc_4180)
{
    struct table *table = example();
    char *text = printed(table, TABLE_CSV);
    cr_expect_str_eq(text,
        "policy,elo,lo,median_s,max_s,flags,ok\r\n"
        "\"größer, \"\"q\"\"\",61.4,-24.25,0.614,5.71,0,true\r\n"
        "oldtm,-211,,0.1,,11,false\r\n", "\n%s", text);
    free(text);
    table_free(table);
}

Test(table, programs_get_json_with_reasons)
{
    struct table *table = example();
    char *text = printed(table, TABLE_JSON);
    cr_expect_not_null(strstr(text, "\"median_s\": 0.1,"), "no noise in the last digits:\n%s", text);
    json_t *json = json_loads(text, 0, NULL);
    cr_assert_not_null(json, "%s", text);
    const char *schema, *run, *note, *policy, *reason;
    json_t *rows, *lo;
    cr_assert_eq(json_unpack(json, "{s:s, s:s, s:o, s:[s]}", "schema", &schema, "run", &run, "rows", &rows, "notes", &note), 0);
    cr_expect_str_eq(schema, "tmsim.test/1");
    cr_expect_str_eq(run, "a41f");
    cr_expect_eq(json_array_size(rows), 2);
    cr_assert_eq(json_unpack(json_array_get(rows, 1), "{s:s, s:o, s:s}", "policy", &policy, "lo", &lo, "lo_reason", &reason), 0);
    cr_expect(json_is_null(lo));
    cr_expect_str_eq(reason, "one pair has no spread");
    cr_expect(json_is_true(json_object_get(json_array_get(rows, 0), "ok")));
    cr_expect_null(json_object_get(json_array_get(rows, 0), "lo_reason"));
    json_decref(json);
    free(text);
    table_free(table);
}

Test(table, nothing_prints_as_not_a_number)
{
    static const struct table_column one[] = { { .key = "x", .head = "x" } };
    struct table *table = table_new(one, 1);
    table_row(table);
    table_real(table, 0, 0.0 / 0.0);
    char *json = printed(table, TABLE_JSON), *csv = printed(table, TABLE_CSV);
    cr_expect_null(strstr(json, "nan"));
    cr_expect_null(strstr(csv, "nan"));
    free(json);
    free(csv);
    table_free(table);
}

Test(table, a_name_that_is_no_utf8_still_gives_json)
{
    static const struct table_column one[] = { { .key = "x", .head = "x" } };
    struct table *table = table_new(one, 1);
    table_row(table);
    table_text(table, 0, "a\xff");
    char *text = printed(table, TABLE_JSON);
    cr_expect_not_null(strstr(text, "\"a?\""), "%s", text);
    free(text);
    table_free(table);
}

Test(table, widths_and_numbers)
{
    static const struct { const char *text; int width; } widths[] = {
        { "", 0 }, { "abc", 3 }, { "größer", 6 }, { "\u2212211", 4 }, { "e\u0301", 1 }, { "時間", 4 }, { "\xff\xfe", 2 },
        { "a\xc3", 2 },
    };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        cr_expect_eq(text_width(widths[i].text), widths[i].width, "'%s': %d", widths[i].text, text_width(widths[i].text));
    static const struct { double value; int decimals; bool sign; const char *text; } numbers[] = {
        { 61.4, 0, true, "+61" }, { -211, 0, true, "\u2212211" }, { -0.04, 1, true, "0.0" }, { 0, 0, true, "0" },
        { 13.05, 1, false, "13.1" }, { -0.1, 2, false, "\u22120.10" }, { 1e20, 0, false, "100000000000000000000" },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char buffer[64];
        cr_expect_str_eq(text_number(buffer, sizeof buffer, numbers[i].value, numbers[i].decimals, numbers[i].sign),
                         numbers[i].text, "%g: %s", numbers[i].value, buffer);
    }
}

Test(table, progress_is_silent_when_piped_and_early)
{
    char *text = NULL;
    size_t size = 0;
    FILE *pipe_end = tmpfile();
    struct progress progress = progress_start(pipe_end, false);
    cr_expect(!progress.enabled, "a file is no terminal");
    FILE *stream = open_memstream(&text, &size);
    progress = (struct progress){ .stream = stream, .enabled = true, .start_ns = 0 };
    cr_expect(!progress_due(&progress, INT64_C(1999999999)));
    cr_expect(progress_due(&progress, INT64_C(2000000000)));
    progress_update(&progress, "%d games", 84);
    progress_update(&progress, "%d games", 85);
    cr_expect(!progress_due(&progress, progress.last_ns + 99999999));
    cr_expect(progress_due(&progress, progress.last_ns + 100000000));
    progress_clear(&progress);
    progress_clear(&progress);
    fclose(stream);
    cr_expect_str_eq(text, "\r\033[J84 games\r\r\033[J", "the second update came too soon");
    progress.enabled = false;
    cr_expect(!progress_due(&progress, INT64_MAX));
    free(text);
    fclose(pipe_end);
}

/* The cursor goes back to the first line, and a line is cut before a terminal of (here) 100 columns wraps it. */
Test(table, progress_of_two_lines_is_taken_away_again)
{
    char *text = NULL, expected[400], wide[121];
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct progress progress = { .stream = stream, .enabled = true };
    memset(wide, 'x', 120);
    wide[120] = '\0';
    progress_update(&progress, "\u2212211 \u00B1120\n%s", wide);
    fclose(stream);
    snprintf(expected, sizeof expected, "\r\033[J\u2212211 \u00B1120\n%.99s\033[1A\r", wide);
    cr_expect_str_eq(text, expected);
    free(text);
}
