/* What a search prints: info lines, why it ended early, the best move. */
#include <inttypes.h>
#include <string.h>

#include "engine/uci_session.h"

enum { LINE_SHOWN = 64 }; /* moves of a printed line */

static void print_score(char *out, size_t size, const struct tm_event *event)
{
    static const char *const suffix[] = { [TM_EXACT] = "", [TM_LOWER] = " lowerbound", [TM_UPPER] = " upperbound" };
    if (event->mate)
        snprintf(out, size, "mate %d%s", event->mate, suffix[event->bound]);
    else
        snprintf(out, size, "cp %d%s", event->score, suffix[event->bound]);
}

static void say_line(struct session *session, const struct tm_event *event, const char *score, int index,
                     const move_t *moves, int count)
{
    char line[LINE_SHOWN * MOVE_TEXT_SIZE + 8] = "", text[MOVE_TEXT_SIZE], which[24] = "";
    char *end = line;
    for (int i = 0; i < count; i++)
        end += snprintf(end, (size_t)(line + sizeof line - end), " %s", move_print(text, moves[i]));
    if (session->lines > 1)
        snprintf(which, sizeof which, "multipv %d ", index);
    tm_ns spent = uci_elapsed(session);
    int64_t nps = (int64_t)((double)event->nodes * 1e9 / (double)(spent > 0 ? spent : 1));
    uci_say(session, "info depth %d %sscore %s nodes %" PRId64 " nps %" PRId64 " hashfull %d time %" PRId64 "%s%s",
            event->depth, which, score, event->nodes, nps, engine_hash_full(session->engine), spent / TM_NS_PER_MS,
            count ? " pv" : "", line);
}

/* Signed moves to the mate that the score tells of; 0: none. */
static int mate_of(int score)
{
    if (score > TM_MATE_BOUND)
        return (TM_MATE - score + 1) / 2;
    return score < -TM_MATE_BOUND ? -((TM_MATE + score) / 2) : 0;
}

void uci_print_info(struct session *session, const struct tm_event *event)
{
    char score[48];
    move_t moves[LINE_SHOWN];
    int count = engine_line(session->engine, moves, LINE_SHOWN), value;
    print_score(score, sizeof score, event);
    say_line(session, event, score, 1, moves, count);
    if (event->kind != TM_ITERATION)
        return;
    for (int i = 1; (count = engine_other_line(session->engine, i, moves, LINE_SHOWN, &value)); i++) {
        struct tm_event other = { .score = value, .mate = mate_of(value) };
        print_score(score, sizeof score, &other);
        say_line(session, event, score, i + 1, moves, count);
    }
}

void uci_print_best(struct session *session, const struct search_result *result, move_t move)
{
    char text[MOVE_TEXT_SIZE], reply[MOVE_TEXT_SIZE];
    struct tm_event last = { .kind = TM_END, .depth = result->depth, .score = result->score,
                             .mate = mate_of(result->score), .nodes = result->nodes };
    uci_print_info(session, &last);
    if (result->ponder && move == result->move)
        uci_say(session, "bestmove %s ponder %s", move_print(text, move), move_print(reply, result->ponder));
    else
        uci_say(session, "bestmove %s", move_print(text, move));
}

static void append(char *text, size_t size, const char *name, int64_t value)
{
    size_t length = strlen(text);
    if (value > 0)
        snprintf(text + length, size - length, "%s %s %" PRId64, length ? "," : "", name, value);
}

void uci_print_aborted(struct session *session, const struct search_result *result)
{
    const struct go *go = &session->go;
    char wanted[160] = "";
    if (go->infinite || go->ponder)
        return;
    append(wanted, sizeof wanted, "depth", go->limits.depth);
    append(wanted, sizeof wanted, "nodes", go->limits.nodes);
    append(wanted, sizeof wanted, "mate", go->limits.mate);
    append(wanted, sizeof wanted, "movetime", go->movetime);
    if (*wanted)
        uci_say(session, "info string aborted at depth %d (nodes %" PRId64 ", %.3f s) before requested%s", result->depth,
                result->nodes, (double)uci_elapsed(session) * 1e-9, wanted);
}
