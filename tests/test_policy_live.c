#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/policy_text.h"
#include "tmsim/policy_live.h"
#include "tmsim/policy_verify.h"

Test(policy_live, the_line_is_found_among_others)
{
    static const struct { const char *transcript; bool found; double soft, hard; } rows[] = {
        { "> go wtime 1000\n< info string tm soft 412 hard 1650\n< bestmove e2e4\n", true, 0.412, 1.65 },
        { "< info string tm soft 412.5 hard none\n", true, 0.4125, INFINITY },
        { "< info string tm soft -10 hard 0 ply 40\n", true, -0.01, 0 },
        { "< info string tm soft 1 hard 2\n< info string tm soft 3 hard 4\n", true, 0.003, 0.004 },
        { "< info string tm soft 412\n", false, 0, 0 },
        { "< info string tm soft x hard 3\n", false, 0, 0 },
        { "< info string tm soft 1 hard 3x\n", false, 0, 0 },
        { "< info string tm soft nan hard 3\n", false, 0, 0 },
        { "> info string tm soft 1 hard 3\n", false, 0, 0 }, /* ours, not the engine's */
        { "", false, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double soft = 0, hard = 0;
        cr_expect(policy_live_parse(rows[i].transcript, &soft, &hard) == rows[i].found, "%s", rows[i].transcript);
        cr_expect(soft == rows[i].soft && hard == rows[i].hard, "%s: %g %g", rows[i].transcript, soft, hard);
    }
}
