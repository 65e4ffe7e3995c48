#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/client.h"
#include "engine/client_events.h"

static void set_up(void) { signal(SIGPIPE, SIG_IGN); }

TestSuite(client, .init = set_up, .timeout = 60);

static const struct client_limits short_limits = {
    .start = 400 * TM_NS_PER_MS, .ready = 400 * TM_NS_PER_MS, .new_game = 400 * TM_NS_PER_MS,
    .search = 300 * TM_NS_PER_MS, .stop = 200 * TM_NS_PER_MS,
};

struct fixture {
    const char *argv[3];
    struct client_spec spec;
    struct client *client;
};

static bool start(struct fixture *f, const char *mode, struct client_limits limits, struct tm_error *error)
{
    *f = (struct fixture){ .argv = { MOCK_ENGINE, mode, NULL } };
    f->spec = (struct client_spec){ .argv = f->argv, .limits = limits };
    return client_start(&f->spec, &f->client, error);
}

static void started(struct fixture *f, const char *mode, struct client_limits limits)
{
    struct tm_error error;
    cr_assert(start(f, mode, limits, &error), "%s: %s", mode, error.message);
}

static bool go(struct client *client, const char *text, struct client_answer *answer, struct tm_error *error)
{
    return client_queue(client, "position startpos", error) && client_go(client, text, 0, NULL, NULL, answer, error);
}

Test(client, info_fields_are_read_in_any_order_and_nothing_is_read_that_is_no_number)
{
    static const struct {
        const char *line;
        uint32_t has;
        int depth, score, mate, bound;
        int64_t nodes;
        const char *move;
        int share, warnings;
    } rows[] = {
        { "depth 9 score cp 12 nodes 900 pv e2e4 e7e5", INFO_DEPTH | INFO_SCORE | INFO_NODES | INFO_MOVE, 9, 12, 0, TM_EXACT,
          900, "e2e4", 0, 0 },
        { "pv e7e8q depth 3 nodes 5 lowerbound score cp -7", INFO_DEPTH | INFO_SCORE | INFO_NODES | INFO_MOVE, 3, -7, 0, TM_LOWER,
          5, "e7e8q", 0, 0 },
        { "depth 9 score mate 10 lowerbound nodes 900 pv a1a2", INFO_DEPTH | INFO_SCORE | INFO_NODES | INFO_MOVE, 9,
          TM_MATE - 19, 10, TM_LOWER, 900, "a1a2", 0, 0 },
        { "score mate -3", INFO_SCORE, 0, -(TM_MATE - 6), -3, TM_EXACT, 0, "", 0, 0 },
        { "score mate 130", INFO_SCORE, 0, TM_MATE - 259, 130, TM_EXACT, 0, "", 0, 0 },
        { "score mate 0", INFO_SCORE, 0, -TM_MATE, 0, TM_EXACT, 0, "", 0, 0 },
        { "depth 1 seldepth  score cp  nodes  nps 0", INFO_DEPTH, 1, 0, 0, TM_EXACT, 0, "", 0, 2 },
        { "nodes abc depth 4", INFO_DEPTH, 4, 0, 0, TM_EXACT, 0, "", 0, 1 },
        { "nodes -5", 0, 0, 0, 0, TM_EXACT, 0, "", 0, 1 },
        { "nodes 99999999999999999999", 0, 0, 0, 0, TM_EXACT, 0, "", 0, 1 },
        { "time 1.885 nodes 7", INFO_NODES, 0, 0, 0, TM_EXACT, 7, "", 0, 1 },
        { "string nodes 7 time 9 pv e2e4 score mate 1", INFO_STRING, 0, 0, 0, TM_EXACT, 0, "", 0, 0 },
        { "string tm share 812", INFO_STRING | INFO_SHARE, 0, 0, 0, TM_EXACT, 0, "", 812, 0 },
        { "string tm share 812 of it", INFO_STRING, 0, 0, 0, TM_EXACT, 0, "", 0, 0 },
        { "string tm share 1200", INFO_STRING, 0, 0, 0, TM_EXACT, 0, "", 0, 0 },
        { "ebf 1.9 depth 7 wdl 300 400 300 nodes 8 currmove d2d4 currmovenumber 2", INFO_DEPTH | INFO_NODES, 7, 0, 0, TM_EXACT,
          8, "", 0, 0 },
        { "\tdepth\t2  nodes   3\t", INFO_DEPTH | INFO_NODES, 2, 0, 0, TM_EXACT, 3, "", 0, 0 },
        { "", 0, 0, 0, 0, TM_EXACT, 0, "", 0, 0 },
        { "depth", 0, 0, 0, 0, TM_EXACT, 0, "", 0, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct client_info info;
        client_info_parse(rows[i].line, &info);
        const uint32_t has = info.has & ~(uint32_t)(INFO_TIME | INFO_MULTIPV);
        cr_expect(has == rows[i].has, "%s: %x", rows[i].line, has);
        cr_expect(info.depth == rows[i].depth && info.score == rows[i].score && info.mate == rows[i].mate, "%s: %d %d %d",
                  rows[i].line, info.depth, info.score, info.mate);
        cr_expect(info.bound == (enum tm_bound)rows[i].bound && info.nodes == rows[i].nodes, "%s", rows[i].line);
        cr_expect_str_eq(info.move, rows[i].move);
        cr_expect(info.share == rows[i].share && info.warnings == rows[i].warnings, "%s: %d warnings", rows[i].line,
                  info.warnings);
    }
}

Test(client, every_harmless_oddity_gives_the_same_nodes_and_a_legal_move)
{
    static const char *const same[] = {
        "plain", "crlf", "blanks", "split", "bounds", "multipv", "garbage", "strings", "flood", "long_line", "share",
        "new_best", "slow_first",
    };
    char first[8] = "";
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct fixture f;
        started(&f, same[i], (struct client_limits){ 0 });
        struct client_answer answer;
        struct tm_error error;
        cr_assert(client_new_game(f.client, &error), "%s", error.message);
        cr_assert(go(f.client, "go nodes 3000", &answer, &error), "%s: %s", same[i], error.message);
        cr_expect(eq(i64, answer.nodes, 3000), "%s", same[i]);
        if (!*first)
            strcpy(first, answer.move);
        cr_expect_str_eq(answer.move, first, "%s: %s", same[i], answer.move);
        cr_expect(answer.warnings == (strcmp(same[i], "garbage") ? 0 : 8), "%s: %d warnings", same[i], answer.warnings);
        cr_expect_not(answer.stopped);
        client_free(f.client);
    }
}

Test(client, nodes_that_nobody_reported_are_unknown_and_not_zero)
{
    static const char *const silent[] = { "bare", "no_nodes" };
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        started(&f, silent[i], (struct client_limits){ 0 });
        struct client_answer answer;
        struct tm_error error;
        cr_assert(go(f.client, "go nodes 3000", &answer, &error));
        cr_expect(eq(i64, answer.nodes, -1), "%s", silent[i]);
        client_free(f.client);
    }
}

Test(client, an_engine_that_does_not_answer_uci_is_told_what_may_be_wrong)
{
    static const char *const modes[] = { "deaf", "noflush", "slow_start" };
    for (size_t i = 0; i < 3; i++) {
        struct fixture f;
        struct tm_error error;
        cr_assert_not(start(&f, modes[i], short_limits, &error), "%s", modes[i]);
        cr_expect(error.code == TM_ENGINE_FAILED);
        cr_expect(strstr(error.message, "flush") && strstr(error.message, "uciok"), "%s", error.message);
    }
    struct client_limits patient = short_limits;
    patient.start = 5 * TM_NS_PER_S;
    struct fixture f;
    started(&f, "slow_start", patient);
    cr_expect(client_start_time(f.client) >= 700 * TM_NS_PER_MS);
    client_free(f.client);
}

Test(client, a_program_that_is_not_there_and_a_wrong_option_are_bad_input)
{
    const char *argv[] = { "./no-such-engine", NULL };
    const struct client_spec nobody = { .argv = argv };
    struct client *client;
    struct tm_error error;
    cr_assert_not(client_start(&nobody, &client, &error));
    cr_expect(error.code == TM_INPUT && strstr(error.message, "No such file"), "%s", error.message);

    static const struct { const char *name, *value, *text; } rows[] = {
        { "Hush", "16", "did you mean 'Hash'" }, { "Hash", "0", "from 1 to 1024" }, { "Hash", "x", "found 'x'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct client_setting setting = { rows[i].name, rows[i].value };
        const char *mock[] = { MOCK_ENGINE, "plain", NULL };
        const struct client_spec spec = { .argv = mock, .setting = &setting, .setting_count = 1 };
        cr_assert_not(client_start(&spec, &client, &error));
        cr_expect(error.code == TM_INPUT && strstr(error.message, rows[i].text), "%s", error.message);
    }
}

Test(client, options_are_known_with_type_and_range)
{
    struct fixture f;
    started(&f, "node_clock", (struct client_limits){ 0 });
    const struct client_option *hash = client_option(f.client, "hash"), *clear = client_option(f.client, "Clear Hash");
    cr_assert(hash && hash->type == CLIENT_SPIN && hash->low == 1 && hash->high == 1024);
    cr_expect_str_eq(hash->initial, "16");
    cr_expect(clear && clear->type == CLIENT_BUTTON);
    cr_expect_str_eq(client_option(f.client, "Style")->initial, "Solid and Safe");
    cr_expect(client_option(f.client, "VirtualNps") != NULL);
    cr_expect_str_eq(client_name(f.client), "Mock node_clock");
    client_free(f.client);
}

Test(client, an_engine_that_ends_is_seen_at_once_and_can_be_restarted)
{
    static const struct { const char *mode, *text; } rows[] = {
        { "dies", "killed by signal 9" }, { "exits", "exited with code 3 (on its stderr: assertion failed: king captured" },
    };
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        started(&f, rows[i].mode, (struct client_limits){ 0 });
        struct client_answer answer;
        struct tm_error error;
        for (int k = 0; k < 2; k++)
            cr_assert(go(f.client, "go nodes 100", &answer, &error));
        cr_assert_not(go(f.client, "go nodes 100", &answer, &error));
        cr_expect(error.code == TM_ENGINE_FAILED && client_fault(f.client) == CLIENT_DIED);
        cr_expect(strstr(error.message, rows[i].text) != NULL, "%s", error.message);
        cr_expect_not(go(f.client, "go nodes 100", &answer, &error), "a fault stays until the restart");
        cr_assert(client_restart(f.client, &error), "%s", error.message);
        cr_assert(go(f.client, "go nodes 100", &answer, &error), "%s", error.message);
        client_free(f.client);
    }
}

Test(client, the_watchdog_says_stop_and_kills_what_does_not_obey)
{
    struct fixture f;
    started(&f, "stubborn", short_limits);
    struct client_answer answer;
    struct tm_error error;
    cr_assert(go(f.client, "go nodes 1000", &answer, &error), "%s", error.message);
    cr_expect(answer.stopped && answer.nodes == 30000);
    client_free(f.client);
    static const char *const hopeless[] = { "silent", "freezes" };
    for (size_t i = 0; i < 2; i++) {
        started(&f, hopeless[i], short_limits);
        bool ok = true;
        for (int k = 0; ok && k < 3; k++)
            ok = go(f.client, "go nodes 1000", &answer, &error);
        cr_assert_not(ok, "%s", hopeless[i]);
        cr_expect(client_fault(f.client) == CLIENT_SILENT && strstr(error.message, "nor 'stop'"), "%s", error.message);
        client_free(f.client);
    }
}

Test(client, an_answer_to_a_question_of_the_last_game_is_not_taken_for_a_move)
{
    struct fixture f;
    started(&f, "stray", (struct client_limits){ 0 });
    struct client_answer answer;
    struct tm_error error;
    cr_assert(client_new_game(f.client, &error) && go(f.client, "go nodes 100", &answer, &error));
    cr_assert(client_new_game(f.client, &error));
    cr_expect(eq(int, client_strays(f.client), 1));
    cr_assert(client_queue(f.client, "position startpos moves e2e4", &error));
    cr_assert(client_go(f.client, "go nodes 100", 0, NULL, NULL, &answer, &error));
    cr_expect(answer.nodes == 100, "this is the answer to the new question");
    client_free(f.client);
}

Test(client, the_transcript_has_both_sides_and_stderr)
{
    FILE *log = tmpfile();
    struct fixture f;
    started(&f, "flood", (struct client_limits){ 0 });
    struct client_answer answer;
    struct tm_error error;
    client_log(f.client, log);
    cr_assert(go(f.client, "go nodes 100", &answer, &error));
    client_free(f.client);
    char line[200], *data = calloc(1, 1 << 22);
    rewind(log);
    while (fgets(line, sizeof line, log))
        if (strlen(data) < 1 << 21)
            strcat(data, line);
    cr_expect(strstr(data, "> position startpos\n> go nodes 100\n") != NULL);
    cr_expect(strstr(data, "\n< bestmove ") != NULL || strstr(data, "! ") != NULL);
    free(data);
    fclose(log);
}

static bool is_gone(int pid)
{
    static const struct timespec pause = { .tv_nsec = 10000000 };
    for (int i = 0; i < 300; i++) {
        if (kill(pid, 0) != 0 && errno == ESRCH)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* A wrapper in the shell leaves a child behind, which ignores quit and the end of its input. */
Test(client, no_engine_survives_us_even_when_we_are_killed)
{
    int told[2], pids[2] = { 0, 0 };
    cr_assert(pipe(told) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const char *argv[] = { "/bin/sh", "-c", "\"" MOCK_ENGINE "\" immortal; true", NULL };
        const struct client_spec spec = { .argv = argv };
        struct client *client;
        struct tm_error error;
        if (client_start(&spec, &client, &error)) {
            pids[0] = client_pid(client);
            if (write(told[1], pids, sizeof pids) > 0)
                raise(SIGKILL);
        }
        _exit(1);
    }
    close(told[1]);
    cr_assert(read(told[0], pids, sizeof pids) == sizeof pids);
    waitpid(child, NULL, 0);
    cr_expect(is_gone(-pids[0]), "the whole process group is gone");
    close(told[0]);
}

Test(client, an_engine_that_ignores_quit_is_killed_when_the_client_is_freed)
{
    struct fixture f;
    started(&f, "immortal", short_limits);
    const int pid = client_pid(f.client);
    client_free(f.client);
    cr_expect(is_gone(-pid));
}

struct seen {
    enum tm_event_kind kind;
    int depth, score;
    int64_t nodes;
    const char *move;
};

static void expect_events(const char *const *line, int64_t cap, const struct seen *seen, int count)
{
    struct tm_error error;
    struct position start;
    struct tm_event event[16];
    cr_assert(position_parse(&start, FEN_START, &error));
    struct client_reports reports = { .position = &start };
    for (int i = 0; line[i]; i++) {
        struct client_info info;
        client_info_parse(line[i], &info);
        client_reports_add(&reports, &info);
    }
    const int found = client_reports_events(&reports, cap, TM_KNOWS_ALL, 20, event, 16);
    cr_expect(eq(int, found, count), "%s", line[0]);
    for (int i = 0; i < found && i < count; i++) {
        char text[MOVE_TEXT_SIZE];
        cr_expect(event[i].kind == seen[i].kind && event[i].depth == seen[i].depth && event[i].score == seen[i].score
                  && event[i].nodes == seen[i].nodes, "%s, event %d: kind %d depth %d score %d nodes %lld", line[0], i,
                  (int)event[i].kind, event[i].depth, event[i].score, (long long)event[i].nodes);
        cr_expect_str_eq(move_print(text, (move_t)event[i].move), seen[i].move);
    }
    client_reports_clear(&reports);
}

Test(client, lines_become_the_events_of_the_search)
{
    /* One line a depth; the last one, at the cap, is of an iteration that has not finished. */
    static const char *const plain[] = {
        "depth 1 score cp 5 nodes 20 pv e2e4", "depth 2 score cp -7 nodes 90 pv d2d4 d7d5",
        "depth 3 score cp 9 nodes 500 pv e2e4", NULL };
    expect_events(plain, 500, (const struct seen[]){ { TM_ITERATION, 1, 5, 20, "e2e4" }, { TM_ITERATION, 2, -7, 90, "d2d4" } },
                  2);
    /* Failed windows belong to the running depth, and its exact line ends it. */
    static const char *const windows[] = {
        "depth 6 score cp 30 upperbound nodes 700 pv e2e4", "depth 6 score cp 50 lowerbound nodes 900 pv e2e4",
        "depth 6 score cp 41 nodes 1000 pv g1f3", NULL };
    expect_events(windows, 5000, (const struct seen[]){ { TM_FAIL_LOW, 6, 30, 700, "e2e4" }, { TM_FAIL_HIGH, 6, 50, 900, "e2e4" },
                                                        { TM_ITERATION, 6, 41, 1000, "g1f3" } }, 3);
    /* An engine that prints each new best root move: only the last one ends the depth. */
    static const char *const root[] = {
        "depth 4 score cp 1 nodes 100 pv a2a3", "depth 4 score cp 8 nodes 150 pv e2e4", "depth 5 currmove e2e4 currmovenumber 1",
        "nodes 300", "depth 5 score cp 2 nodes 400 pv e2e4", NULL };
    expect_events(root, 5000, (const struct seen[]){ { TM_NEW_BEST, 4, 1, 100, "a2a3" }, { TM_ITERATION, 4, 8, 150, "e2e4" },
                                                     { TM_ITERATION, 5, 2, 400, "e2e4" } }, 3);
    /* Told twice, as at the end of a search: the first time counts. */
    static const char *const twice[] = {
        "depth 4 score cp 1 nodes 100 pv a2a3", "depth 4 score cp 1 nodes 180 pv a2a3", NULL };
    expect_events(twice, 5000, (const struct seen[]){ { TM_ITERATION, 4, 1, 100, "a2a3" } }, 1);
    /* Spread over lines in another order. */
    static const char *const split[] = {
        "depth 3", "pv e2e4", "score cp 4", "nodes 60", "nodes 75", "depth 4", "score cp 6", "pv d2d4", "nodes 99", NULL };
    expect_events(split, 5000, (const struct seen[]){ { TM_ITERATION, 3, 4, 60, "e2e4" }, { TM_ITERATION, 4, 6, 99, "d2d4" } }, 2);
    /* Second variations are not the search's best; an illegal variation is none. */
    static const char *const several[] = {
        "depth 2 multipv 1 score cp 4 nodes 60 pv e2e4", "depth 2 multipv 2 score cp 1 nodes 60 pv d2d4",
        "depth 3 score cp 4 nodes 70 pv e2e5", NULL };
    expect_events(several, 5000, (const struct seen[]){ { TM_ITERATION, 2, 4, 60, "e2e4" } }, 1);
}
