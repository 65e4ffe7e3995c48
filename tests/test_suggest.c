/* Nearest words. */
#include <criterion/criterion.h>

#include <string.h>

#include "vclock/suggest.h"

Test(suggest, slips_find_their_word_and_strangers_do_not)
{
    static const char *const words[] = {"smooth", "simple", "pool", "poolyield", "oldtm", "time", "inc"};
    static const struct {
        const char *word, *nearest;
    } table[] = {
        {"smoth", "smooth"}, {"smooht", "smooth"}, {"sipmle", "simple"}, {"poll", "pool"}, {"pool", "pool"},
        {"tiem", "time"}, {"oldtmm", "oldtm"}, {"ink", "inc"}, {"poolyeild", "poolyield"}, {"xyz", NULL}, {"", NULL},
        {"p", NULL}, {"a_word_that_is_longer_than_any_that_could_be_meant_by_anyone_who_types_at_all", NULL}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *found = suggest_nearest(table[i].word, words, sizeof words / sizeof *words);
        cr_expect(found == table[i].nearest || (found && table[i].nearest && strcmp(found, table[i].nearest) == 0),
                  "%s: %s", table[i].word, found ? found : "none");
    }
}

Test(suggest, a_text_is_empty_when_nothing_is_near)
{
    static const char *const words[] = {"smooth"};
    char text[64];
    cr_expect_str_eq(suggest_text(text, sizeof text, "smoth", words, 1), "; did you mean smooth?");
    cr_expect_str_eq(suggest_text(text, sizeof text, "xyz", words, 1), "");
    cr_expect_str_eq(suggest_text(text, sizeof text, "smoth", words, 0), "");
}
