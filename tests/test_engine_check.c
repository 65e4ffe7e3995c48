#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <string.h>

#include "tmsim/engine_check.h"
#include "tmsim/engine_spec.h"

static void set_up(void) { signal(SIGPIPE, SIG_IGN); }

TestSuite(engine_check, .init = set_up, .timeout = 120);

static const struct finding *find(const struct engine_check *check, const char *name)
{
    for (int i = 0; i < check->count; i++)
        if (strcmp(check->finding[i].check, name) == 0)
            return &check->finding[i];
    return NULL;
}

static bool run(const char *mode, bool quick, bool node_clock, struct engine_check *check, struct tm_error *error)
{
    const char *argv[] = { MOCK_ENGINE, mode, NULL };
    const struct client_spec spec = { .argv = argv, .limits = { .start = TM_NS_PER_S, .ready = TM_NS_PER_S,
                                                                .search = TM_NS_PER_S, .stop = TM_NS_PER_S / 2 } };
    const struct engine_check_options options = { .quick = quick, .node_clock = node_clock };
    return engine_check_run(&spec, &options, check, error);
}

/* Only the mode that is there for it prints the signal. */
static void expect_signal(const struct engine_check *check, uint32_t known, const char *mode, const char *printer)
{
    const bool prints = check->known & known;
    cr_expect(prints == (strcmp(mode, printer) == 0), "%s: %s", mode, printer);
}

Test(engine_check, an_engine_that_only_looks_odd_passes)
{
    static const char *const fine[] = { "plain", "crlf", "blanks", "split", "bounds", "multipv", "garbage", "strings", "share",
                                        "new_best", "long_line" };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        struct engine_check check;
        struct tm_error error;
        cr_assert(run(fine[i], false, false, &check, &error), "%s: %s", fine[i], error.message);
        cr_expect(engine_check_verdict(&check) <= FINDING_NOTE, "%s", fine[i]);
        cr_expect(check.used_to_asked == 1.0, "%s: %g", fine[i], check.used_to_asked);
        cr_expect(check.prefix && check.clear_hash, "%s", fine[i]);
        expect_signal(&check, TM_KNOWS_BOUND, fine[i], "bounds");
        expect_signal(&check, TM_KNOWS_BEST_NODES, fine[i], "share");
        expect_signal(&check, TM_KNOWS_CHANGES, fine[i], "new_best");
    }
}

Test(engine_check, each_misbehaviour_fails_the_check_that_is_named_after_it)
{
    static const struct {
        const char *mode, *check;
        enum finding_verdict verdict;
        bool node_clock;
    } rows[] = {
        { "early", "nodes 10000", FINDING_WARN, false },   { "early", "growth", FINDING_PASS, false },
        { "handful", "nodes 10000", FINDING_FAIL, false }, { "handful", "growth", FINDING_FAIL, false },
        { "depth6", "growth", FINDING_FAIL, false },       { "overshoots", "nodes 100000", FINDING_FAIL, false },
        { "no_nodes", "nodes 1000", FINDING_FAIL, false }, { "bare", "nodes 1000", FINDING_FAIL, false },
        { "cumulative", "counter", FINDING_FAIL, false },  { "early", "counter", FINDING_PASS, false },
        { "stubborn", "nodes 1000", FINDING_FAIL, false }, { "overshoots", "nodes 1000", FINDING_WARN, false },
        { "leaks", "reset", FINDING_FAIL, false },         { "leaks", "restart", FINDING_FAIL, false },
        { "sticky", "limits", FINDING_FAIL, false },       { "illegal", "moves", FINDING_FAIL, false },
        { "none", "moves", FINDING_FAIL, false },          { "immortal", "quit", FINDING_WARN, false },
        { "plain", "VirtualNps", FINDING_FAIL, true },     { "node_clock", "doubled rate", FINDING_PASS, true },
        { "constant_nodes", "doubled rate", FINDING_FAIL, true },
        { "ms_moves", "movetime", FINDING_FAIL, true },    { "node_clock", "movetime", FINDING_PASS, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct engine_check check;
        struct tm_error error;
        cr_assert(run(rows[i].mode, false, rows[i].node_clock, &check, &error), "%s: %s", rows[i].mode, error.message);
        const struct finding *finding = find(&check, rows[i].check);
        cr_assert(finding != NULL, "%s %s", rows[i].mode, rows[i].check);
        cr_expect(finding->verdict == rows[i].verdict, "%s, %s: %s, %s", rows[i].mode, rows[i].check,
                  finding_verdict_name(finding->verdict), finding->found);
        cr_expect(finding->verdict == FINDING_PASS ? !*finding->meaning : *finding->meaning != 0, "%s: says what it means", rows[i].mode);
    }
}

Test(engine_check, an_engine_that_fails_is_an_error_and_not_a_verdict)
{
    static const char *const broken[] = { "deaf", "noflush", "dies", "exits", "freezes", "silent" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct engine_check check;
        struct tm_error error;
        cr_assert_not(run(broken[i], true, false, &check, &error), "%s", broken[i]);
        cr_expect(error.code == TM_ENGINE_FAILED, "%s: %s", broken[i], error.message);
    }
}

Test(engine_check, zeitnot_passes_all_of_it_on_the_node_clock_too)
{
    const char *argv[] = { ZEITNOT_ENGINE, NULL };
    const struct client_spec spec = { .argv = argv };
    const struct engine_check_options options = { .node_clock = true };
    struct engine_check check;
    struct tm_error error;
    cr_assert(engine_check_run(&spec, &options, &check, &error), "%s", error.message);
    for (int i = 0; i < check.count; i++)
        cr_expect(check.finding[i].verdict <= FINDING_NOTE, "%s: %s", check.finding[i].check, check.finding[i].found);
    cr_expect(check.prefix && check.clear_hash && check.used_to_asked == 1.0);
    cr_expect(check.known & TM_KNOWS_SCORE && check.known & TM_KNOWS_BOUND);
}

Test(engine_check, the_match_runners_fields_are_read_and_faults_are_named)
{
    struct tm_error error;
    struct engine_spec *spec = engine_spec_new("--engine", "option.Hash=8,dir=/tmp,clock=nodes",
        "cmd=sf,name=dev,option.Hash=16,option.Clear Hash=,args=\"-a -b,c\",search=5s", &error);
    cr_assert(spec != NULL, "%s", error.message);
    cr_expect_str_eq(spec->name, "dev");
    cr_expect_str_eq(spec->client.argv[0], "sf");
    cr_expect_str_eq(spec->client.argv[2], "-b,c");
    cr_expect(spec->client.argv[3] == NULL && spec->client.setting_count == 2);
    cr_expect_str_eq(spec->client.setting[0].value, "16", "--engine overrides --each");
    cr_expect_str_eq(spec->client.directory, "/tmp");
    cr_expect(spec->client.limits.search == 5 * TM_NS_PER_S && spec->clock == ENGINE_NODES);
    engine_spec_free(spec);
    spec = engine_spec_new("--engine", NULL, "cmd=sf,policy=pool:moves=30", &error);
    cr_assert(spec && spec->clock == ENGINE_COLD);
    cr_expect_str_eq(spec->policy, "pool:moves=30");
    engine_spec_free(spec);

    static const struct { const char *text, *message; } rows[] = {
        { "name=x", "expected cmd=PROGRAM" }, { "cmd=", "expected a program" }, { "cmd=a,hash=3", "unknown field 'hash'" },
        { "cmd=a,nmae=b", "did you mean name" }, { "cmd=a,b", "found 'b', expected FIELD=VALUE" },
        { "cmd=a,clock=fast", "expected nodes, cold or warm" }, { "cmd=a,clock=cold", "expected a policy=NAME" },
        { "cmd=a,policy=pool,clock=nodes", "has no policy" }, { "cmd=a,search=5", "a duration needs its unit" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(engine_spec_new("--engine", NULL, rows[i].text, &error) == NULL, "%s", rows[i].text);
        cr_expect(error.code == TM_INPUT && strstr(error.message, rows[i].message) != NULL, "%s: %s", rows[i].text,
                  error.message);
    }
}
