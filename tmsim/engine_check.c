/* The checks, one function each, in an order that begins with what everything else rests on. */
#include "tmsim/engine_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/game.h"
#include "tmsim/engine_check_internal.h"

/* 100,000 nodes of an engine in Python, at 4 thousand a second, and a little. */
#define CHECK_SEARCH_NS (30 * TM_NS_PER_S)

static const char *const verdict_names[FINDING_VERDICTS] = {
    [FINDING_PASS] = "pass", [FINDING_NOTE] = "note", [FINDING_WARN] = "warn", [FINDING_FAIL] = "fail",
};

const char *finding_verdict_name(enum finding_verdict verdict) { return verdict_names[verdict]; }

const struct finding *engine_check_worst(const struct engine_check *check)
{
    const struct finding *worst = NULL;
    for (int i = 0; i < check->count; i++)
        if (!worst || check->finding[i].verdict > worst->verdict)
            worst = &check->finding[i];
    return worst;
}

enum finding_verdict engine_check_verdict(const struct engine_check *check)
{
    enum finding_verdict worst = FINDING_PASS;
    for (int i = 0; i < check->count; i++)
        if (check->finding[i].verdict > worst)
            worst = check->finding[i].verdict;
    return worst;
}

void checker_note(struct checker *checker, const char *check, enum finding_verdict verdict, const char *meaning,
                  const char *format, ...)
{
    struct engine_check *all = checker->check;
    if (all->count == FINDINGS_MAX)
        return;
    struct finding *finding = &all->finding[all->count++];
    *finding = (struct finding){ .check = check, .verdict = verdict,
                                 .meaning = verdict == FINDING_PASS ? "" : meaning };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->found, sizeof finding->found, format, arguments);
    va_end(arguments);
}

/* ---- probes ---- */

static bool queue_position(struct checker *checker, const char *fen, const char *moves, struct position *root)
{
    char line[1024];
    struct game *game = game_new(fen ? fen : FEN_START, checker->error);
    if (!game)
        return false;
    snprintf(line, sizeof line, "position %s%s%s%s", fen ? "fen " : "startpos", fen ? fen : "",
             moves ? " moves " : "", moves ? moves : "");
    char *copy = strdup(moves ? moves : ""), *save = NULL;
    for (char *word = copy ? strtok_r(copy, " ", &save) : NULL; word; word = strtok_r(NULL, " ", &save))
        game_play_move(game, move_parse(game_position(game), word));
    free(copy);
    *root = *game_position(game);
    game_free(game);
    return client_queue(checker->client, line, checker->error);
}

static uint32_t signals_of(const struct client_reports *reports, const struct client_answer *answer)
{
    uint32_t known = TM_KNOWS_LEGAL; /* we count legal moves ourselves */
    if (reports->count)
        known |= TM_KNOWS_SCORE;
    if (reports->bounds)
        known |= TM_KNOWS_BOUND;
    if (answer->nodes >= 0)
        known |= TM_KNOWS_NODES;
    if (reports->shares)
        known |= TM_KNOWS_BEST_NODES;
    if (reports->repeats)
        known |= TM_KNOWS_CHANGES;
    return known;
}

bool checker_probe(struct checker *checker, const char *fen, const char *moves, const char *go, bool forget,
                   struct probe *probe)
{
    struct position root;
    struct client_reports reports = { .position = &root };
    *probe = (struct probe){ .best = 0 };
    if ((forget && !client_new_game(checker->client, checker->error)) || !queue_position(checker, fen, moves, &root))
        return false;
    const bool ok = client_go(checker->client, go, 0, client_reports_add, &reports, &probe->answer, checker->error);
    probe->best = move_parse(&root, probe->answer.move);
    probe->events = client_reports_events(&reports, INT64_MAX, TM_KNOWS_ALL, 0, probe->event,
                                          sizeof probe->event / sizeof *probe->event);
    probe->known = signals_of(&reports, &probe->answer);
    probe->multipv = reports.multipv;
    probe->illegal_lines = reports.illegal;
    client_reports_clear(&reports);
    return ok;
}

static bool event_equal(const struct tm_event *a, const struct tm_event *b)
{
    return a->kind == b->kind && a->move == b->move && a->depth == b->depth && a->score == b->score
           && a->nodes == b->nodes;
}

bool probe_equal(const struct probe *a, const struct probe *b)
{
    if (strcmp(a->answer.move, b->answer.move) != 0 || a->answer.nodes != b->answer.nodes || a->events != b->events)
        return false;
    for (int i = 0; i < a->events; i++)
        if (!event_equal(&a->event[i], &b->event[i]))
            return false;
    return true;
}

/* Middle games and an endgame of the bench: enough to do at any depth. */
static const int probe_positions[] = { 1, 3, 4, 24 };

enum { PROBE_POSITIONS = sizeof probe_positions / sizeof *probe_positions };

static const char *position_at(int index) { return bench_position(probe_positions[index % PROBE_POSITIONS]); }

/* ---- hand shake ---- */

static bool check_handshake(struct checker *checker)
{
    const struct client *client = checker->client;
    snprintf(checker->check->name, sizeof checker->check->name, "%s", client_name(client));
    checker_note(checker, "handshake", *client_name(client) ? FINDING_PASS : FINDING_WARN,
                 "results are stored under the program's name", "'%s', %d options, uciok after %.0f ms",
                 client_name(client), client_option_count(client), (double)client_start_time(client) / 1e6);
    return true;
}

static const char *value_of(const struct checker *checker, const char *name)
{
    const struct client_option *option = client_option(checker->client, name);
    for (int i = 0; i < checker->spec->setting_count; i++)
        if (option && strcmp(checker->spec->setting[i].name, option->name) == 0)
            return checker->spec->setting[i].value;
    return option ? option->initial : NULL;
}

static bool check_threads(struct checker *checker)
{
    const char *threads = value_of(checker, "Threads"), *ponder = value_of(checker, "Ponder");
    const long count = threads ? strtol(threads, NULL, 10) : 1;
    checker_note(checker, "threads", count > 1 ? FINDING_FAIL : FINDING_PASS,
                 "several threads search differently each time: use option.Threads=1", "%ld", count);
    if (ponder && strcmp(ponder, "true") == 0)
        checker_note(checker, "pondering", FINDING_FAIL, "a virtual clock cannot ponder: use option.Ponder=false", "on");
    return true;
}

/* ---- obedience ---- */

static const struct {
    int64_t nodes;
    const char *check;
} limits[] = { { 1000, "nodes 1000" }, { 10000, "nodes 10000" }, { 100000, "nodes 100000" } };

enum { LIMITS = sizeof limits / sizeof *limits };

struct obedience {
    int64_t asked, used, overshoot; /* sums; the largest excess of one search */
    bool unknown, ignored; /* no counts; one search went on until the watchdog stopped it */
};

static bool measure_obedience(struct checker *checker, int64_t nodes, int positions, struct obedience *result)
{
    char go[48];
    struct probe probe;
    *result = (struct obedience){ 0 };
    snprintf(go, sizeof go, "go nodes %" PRId64, nodes);
    for (int i = 0; i < positions; i++) {
        if (!checker_probe(checker, position_at(i), NULL, go, true, &probe))
            return false;
        result->unknown = result->unknown || probe.answer.nodes < 0;
        result->ignored = probe.answer.stopped;
        result->asked += nodes;
        result->used += probe.answer.nodes;
        const int64_t excess = probe.answer.nodes - nodes;
        result->overshoot = excess > result->overshoot ? excess : result->overshoot;
        checker->check->known |= probe.known;
        if (result->ignored)
            break;
    }
    return true;
}

static enum finding_verdict judge_obedience(const struct obedience *o, int positions)
{
    const double ratio = (double)o->used / (double)o->asked;
    const bool poll = o->used - o->asked <= (int64_t)ENGINE_POLL_NODES * positions;
    if (o->unknown || ratio < 0.2 || (ratio > 1.5 && !poll)) /* guesses; a steady half is charged as half */
        return FINDING_FAIL;
    return ratio < 0.9 || ratio > 1.5 || (ratio > 1.05 && !poll) ? FINDING_WARN : FINDING_PASS;
}

static void note_ignored(struct checker *checker, const char *check, const struct obedience *o)
{
    checker->limitless = true;
    checker_note(checker, check, FINDING_FAIL, "it does not obey go nodes; what rests on that was not tried",
                 "still searching after %.0f s, at %" PRId64 " nodes", ns_to_s(checker->spec->limits.search), o->used);
}

static bool check_obedience(struct checker *checker)
{
    const int positions = checker->options->quick ? 2 : PROBE_POSITIONS, count = checker->options->quick ? 2 : LIMITS;
    struct obedience first = { 0 }, o = { 0 };
    for (int i = 0; i < count; i++) {
        if (!measure_obedience(checker, limits[i].nodes, positions, &o))
            return false;
        if (o.ignored) {
            note_ignored(checker, limits[i].check, &o);
            return true;
        }
        first = i ? first : o;
        checker->check->used_to_asked = (double)o.used / (double)o.asked;
        if (o.unknown)
            checker_note(checker, limits[i].check, FINDING_FAIL, "nothing can be charged: its info lines have no nodes",
                         "no node count reported");
        else
            checker_note(checker, limits[i].check, judge_obedience(&o, positions),
                         "the clock is charged for nodes used, not asked; a policy's wall would be a fiction",
                         "used/asked %.3f, largest overshoot %" PRId64, (double)o.used / (double)o.asked, o.overshoot);
    }
    const double growth = first.used > 0 ? (double)o.used / (double)first.used : 0;
    const double expected = (double)o.asked / (double)first.asked;
    checker_note(checker, "growth", growth > expected / 2.5 && growth < expected * 1.5 ? FINDING_PASS : FINDING_FAIL,
                 "more time buys no more search: a time manager cannot matter", "%.0f times the limit, %.1f times the nodes",
                 expected, growth);
    return true;
}

/* Counts that go on from one search to the next rise each time; an engine that only looks at them coarsely may rise once. */
static bool check_counter(struct checker *checker)
{
    enum { NODES = 5000, SEARCHES = 3 };
    int64_t count[SEARCHES];
    struct probe probe;
    bool rises = true;
    for (int i = 0; i < SEARCHES; i++) {
        if (!checker_probe(checker, position_at(0), NULL, "go nodes 5000", i == 0, &probe))
            return false;
        count[i] = probe.answer.nodes;
        rises = rises && (i == 0 || count[i] - count[i - 1] >= NODES / 2);
    }
    checker_note(checker, "counter", rises ? FINDING_FAIL : FINDING_PASS,
                 "its node counts go on from search to search: each clock would be charged for all before it",
                 "%d times nodes %d: %" PRId64 ", %" PRId64 ", %" PRId64, SEARCHES, NODES, count[0], count[1], count[2]);
    return true;
}

/* A limit of an earlier go that still holds. */
static bool check_sticky(struct checker *checker)
{
    struct probe first, between, last;
    const char *fen = position_at(0);
    if (!checker_probe(checker, fen, NULL, "go nodes 5000", true, &first) ||
        !checker_probe(checker, position_at(1), NULL, "go depth 4", false, &between) ||
        !checker_probe(checker, fen, NULL, "go nodes 50000", false, &last))
        return false;
    checker_note(checker, "limits", last.answer.nodes > 25000 ? FINDING_PASS : FINDING_FAIL,
                 "a limit of an earlier search still holds: every budget would be wrong",
                 "nodes 5000, depth 4, nodes 50000: used %" PRId64 ", %" PRId64 ", %" PRId64, first.answer.nodes,
                 between.answer.nodes, last.answer.nodes);
    return true;
}

/* ---- determinism ---- */

static const char reference_go[] = "go nodes 20000";

static bool disturb(struct checker *checker)
{
    struct probe probe;
    for (int i = 1; i < PROBE_POSITIONS; i++)
        if (!checker_probe(checker, position_at(i), NULL, i % 2 ? "go nodes 30000" : "go depth 5", false, &probe))
            return false;
    return true;
}

static void note_equal(struct checker *checker, const char *check, const struct probe *a, const struct probe *b,
                       enum finding_verdict otherwise, const char *meaning)
{
    const bool equal = probe_equal(a, b);
    if (equal)
        checker_note(checker, check, FINDING_PASS, "", "%s, %" PRId64 " nodes, %d lines: the same", a->answer.move,
                     a->answer.nodes, a->events);
    else
        checker_note(checker, check, otherwise, meaning, "%s after %" PRId64 " nodes, then %s after %" PRId64 "%s",
                     a->answer.move, a->answer.nodes, b->answer.move, b->answer.nodes,
                     strcmp(a->answer.move, b->answer.move) == 0 && a->answer.nodes == b->answer.nodes
                         ? "; its info lines differ" : "");
}

static bool check_clear_hash(struct checker *checker, const struct probe *first)
{
    struct probe again;
    const struct client_option *option = client_option(checker->client, "Clear Hash");
    if (!option) {
        checker_note(checker, "clear hash", FINDING_NOTE, "cold play sends ucinewgame before every move instead",
                     "no such option");
        return true;
    }
    if (!disturb(checker) || !client_set(checker->client, "Clear Hash", "", checker->error) ||
        !client_ready(checker->client, checker->error) ||
        !checker_probe(checker, position_at(0), NULL, reference_go, false, &again))
        return false;
    checker->check->clear_hash = probe_equal(first, &again);
    note_equal(checker, "clear hash", first, &again, FINDING_NOTE,
               "the button keeps something; cold play sends ucinewgame before every move instead");
    return true;
}

static bool check_determinism(struct checker *checker)
{
    struct probe first, again;
    const char *fen = position_at(0);
    if (!checker_probe(checker, fen, NULL, reference_go, true, &first) ||
        !checker_probe(checker, fen, NULL, reference_go, true, &again))
        return false;
    note_equal(checker, "repeat", &first, &again, FINDING_FAIL, "games are not reproducible");
    if (!disturb(checker) || !checker_probe(checker, fen, NULL, reference_go, true, &again))
        return false;
    note_equal(checker, "reset", &first, &again, FINDING_FAIL,
               "ucinewgame does not forget: a game depends on those before it");
    if (!check_clear_hash(checker, &first))
        return false;
    if (checker->options->quick)
        return true;
    if (!client_restart(checker->client, checker->error) ||
        !checker_probe(checker, fen, NULL, reference_go, true, &again))
        return false;
    note_equal(checker, "restart", &first, &again, FINDING_FAIL, "every process searches differently");
    return true;
}

/* The events below a shorter run's limit, against the first of a longer one's. */
static bool check_prefix(struct checker *checker)
{
    struct probe shorter, longer;
    bool prefix = true;
    int compared = 0;
    for (int i = 0; i < (checker->options->quick ? 2 : PROBE_POSITIONS); i++) {
        if (!checker_probe(checker, position_at(i), NULL, "go nodes 8000", true, &shorter) ||
            !checker_probe(checker, position_at(i), NULL, "go nodes 40000", true, &longer))
            return false;
        for (int k = 0; k < shorter.events && shorter.event[k].nodes < 8000; k++, compared++)
            prefix = prefix && k < longer.events && event_equal(&shorter.event[k], &longer.event[k]);
    }
    checker->check->prefix = prefix && compared > 0;
    checker_note(checker, "prefix", checker->check->prefix ? FINDING_PASS : FINDING_NOTE,
                 "cold play has to ask for the whole wall at once, which is slow",
                 "%d lines of 8000 nodes %s the first of 40000", compared, checker->check->prefix ? "are" : "are not");
    return true;
}

static bool check_position(struct checker *checker)
{
    struct probe by_moves, by_fen;
    if (!checker_probe(checker, NULL, "e2e4 e7e5 g1f3", reference_go, true, &by_moves) ||
        !checker_probe(checker, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", NULL, reference_go,
                       true, &by_fen))
        return false;
    note_equal(checker, "fen and moves", &by_moves, &by_fen, FINDING_NOTE,
               "harmless: we always send the book's FEN and the moves since");
    return true;
}

/* ---- moves ---- */

static bool check_moves(struct checker *checker)
{
    static const struct { const char *fen, *moves; } rows[] = {
        { NULL, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1" },          /* castling */
        { "7k/P7/8/8/8/8/6pp/K7 w - - 0 1", "a7a8q" },           /* promotion; a check */
        { "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 d4e3" },    /* en passant */
        { "1k6/P7/1K6/8/8/8/8/8 b - - 0 1", NULL },              /* one reply */
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", NULL },
        { "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1", NULL },
    };
    struct probe probe;
    int illegal = 0, lines = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!checker_probe(checker, rows[i].fen, rows[i].moves, "go nodes 2000", true, &probe))
            return false;
        illegal += !probe.best;
        lines += probe.illegal_lines;
    }
    checker_note(checker, "moves", illegal ? FINDING_FAIL : lines ? FINDING_WARN : FINDING_PASS,
                 illegal ? "it would lose games by illegal moves" : "such lines are left out: a policy would not see them",
                 "castling, promotion, en passant: %d of 6 answers illegal, %d variations", illegal, lines);
    return true;
}

static bool check_single_reply(struct checker *checker)
{
    struct probe probe;
    if (!checker_probe(checker, "7k/8/5KQ1/8/8/8/8/7r b - - 0 1", NULL, "go nodes 20000", true, &probe))
        return false;
    checker_note(checker, "single reply", FINDING_PASS, "", "%s after %" PRId64 " of 20000 nodes",
                 probe.answer.move, probe.answer.nodes);
    return true;
}

/* Roots without a move are never asked for in games: an engine may even fall over them. */
static bool check_no_move(struct checker *checker)
{
    static const char *const ended[] = { "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" };
    struct tm_error own, *saved = checker->error;
    struct probe probe;
    checker->error = &own;
    for (int i = 0; i < 2; i++) {
        const char *what = i ? "stalemate" : "mate";
        if (checker_probe(checker, ended[i], NULL, "go nodes 1000", true, &probe)) {
            checker_note(checker, what, FINDING_PASS, "", "answers '%s'", probe.answer.move);
            continue;
        }
        checker_note(checker, what, FINDING_WARN, "games end before it is asked", "it failed: %.120s", own.message);
        if (!client_restart(checker->client, saved)) {
            checker->error = saved;
            return false;
        }
    }
    checker->error = saved;
    return true;
}

/* ---- stop and quit ---- */

static bool check_stop(struct checker *checker)
{
    struct client_answer answer;
    if (!client_new_game(checker->client, checker->error) ||
        !client_queue(checker->client, "position startpos", checker->error) ||
        !client_go(checker->client, "go infinite", 200 * TM_NS_PER_MS, NULL, NULL, &answer, checker->error))
        return false;
    const double ms = (double)answer.stop_wall / 1e6;
    if (!answer.late)
        checker_note(checker, "stop", FINDING_WARN, "harmless here: infinite is never sent in games",
                     "answers 'go infinite' by itself");
    else /* 100 ms: guess; the watchdog waits far longer */
        checker_note(checker, "stop", ms > 100 ? FINDING_WARN : FINDING_PASS, "a search that must be stopped costs time",
                     "bestmove %.1f ms after stop", ms);
    return true;
}

static bool check_quit(struct checker *checker)
{
    if (!client_queue(checker->client, "position startpos", checker->error) ||
        !client_queue(checker->client, "go nodes 200000", checker->error) ||
        !client_say(checker->client, "quit", checker->error))
        return false;
    const bool ended = client_wait_end(checker->client, 3 * TM_NS_PER_S); /* guess; 200000 nodes are a second */
    checker_note(checker, "quit", ended ? FINDING_PASS : FINDING_WARN, "it has to be killed at the end of a match",
                 "quit behind a running go: %s", ended ? "ended" : "still running after 3 s");
    return client_restart(checker->client, checker->error);
}

/* ---- signals ---- */

static const struct {
    uint32_t known;
    const char *name;
} signal_names[] = {
    { TM_KNOWS_SCORE, "score" }, { TM_KNOWS_NODES, "nodes" }, { TM_KNOWS_BOUND, "failed windows" },
    { TM_KNOWS_BEST_NODES, "node share" }, { TM_KNOWS_CHANGES, "changes within an iteration" },
    { TM_KNOWS_LEGAL, "legal moves" },
};

char *engine_check_signals(uint32_t known, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int absent = 0; absent < 2; absent++) {
        const char *gap = absent ? "; not: " : "";
        for (size_t i = 0; i < sizeof signal_names / sizeof *signal_names; i++)
            if (((known & signal_names[i].known) == 0) == absent && used < size) {
                used += (size_t)snprintf(buffer + used, size - used, "%s%s", gap, signal_names[i].name);
                gap = ", ";
            }
    }
    return buffer;
}

static bool check_signals(struct checker *checker)
{
    char text[160];
    const bool scored = checker->check->known & TM_KNOWS_SCORE;
    checker_note(checker, "signals", scored ? FINDING_NOTE : FINDING_WARN,
                 "what is absent is nil to a policy; one that needs it is refused", "%s",
                 engine_check_signals(checker->check->known, text, sizeof text));
    return true;
}

/* ---- all ---- */

static const struct check {
    bool in_quick, needs_go_nodes;
    bool (*run)(struct checker *checker);
} checks[] = {
    { true, false, check_handshake }, { true, false, check_threads },
    { true, true, check_obedience },  { true, true, check_counter },
    { false, true, check_sticky },
    { true, true, check_determinism }, { true, true, check_prefix },
    { false, true, check_position },  { false, true, check_moves },
    { false, true, check_single_reply }, { false, true, check_no_move },
    { false, false, check_stop },     { true, true, check_signals },
    { false, false, check_quit },
};

static bool run_all(struct checker *checker)
{
    const struct engine_check_options *options = checker->options;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const bool wanted = checks[i].in_quick || !options->quick;
        const bool possible = !checks[i].needs_go_nodes || !(options->node_clock_only || checker->limitless);
        if (wanted && possible && !checks[i].run(checker))
            return false;
    }
    return !options->node_clock || checker_node_clock(checker);
}

bool engine_check_run(const struct client_spec *spec, const struct engine_check_options *options,
                      struct engine_check *check, struct tm_error *error)
{
    struct client_spec patient = *spec;
    struct checker checker = { .spec = &patient, .options = options, .check = check, .error = error };
    *check = (struct engine_check){ .known = TM_KNOWS_LEGAL };
    if (!patient.limits.search)
        patient.limits.search = CHECK_SEARCH_NS;
    if (!client_start(&patient, &checker.client, error))
        return false;
    const bool ok = run_all(&checker);
    client_free(checker.client);
    return ok;
}
