/* The words of `go`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/uci_session.h"

static const char blanks[] = " \t\r\n";

struct go_word {
    const char *name;
    bool has_number;
    int64_t low, high;
    void (*set)(struct go *go, int64_t value);
};

static void set_depth(struct go *go, int64_t value) { go->limits.depth = (int)value; }
static void set_nodes(struct go *go, int64_t value) { go->limits.nodes = value; }
static void set_mate(struct go *go, int64_t value) { go->limits.mate = (int)value; }
static void set_movetime(struct go *go, int64_t value) { go->movetime = value; }
static void set_infinite(struct go *go, int64_t value) { go->infinite = value == 0; }
static void set_ponder(struct go *go, int64_t value) { go->ponder = value == 0; }
static void set_winc(struct go *go, int64_t value) { go->inc[WHITE] = value; }
static void set_binc(struct go *go, int64_t value) { go->inc[BLACK] = value; }
static void set_movestogo(struct go *go, int64_t value) { go->movestogo = (int)value; }
static void set_perft(struct go *go, int64_t value) { go->perft = (int)value; }

static void set_wtime(struct go *go, int64_t value)
{
    go->time[WHITE] = value;
    go->timed = true;
}

static void set_btime(struct go *go, int64_t value)
{
    go->time[BLACK] = value;
    go->timed = true;
}

#define MS_LIMIT INT64_C(1000000000000) /* 31 years; in ns it still fits */

static const struct go_word words[] = {
    { "depth", true, 1, 1000000, set_depth },
    { "nodes", true, 1, INT64_MAX, set_nodes },
    { "mate", true, 1, 1000, set_mate },
    { "movetime", true, 0, MS_LIMIT / 1000, set_movetime },
    { "infinite", false, 0, 0, set_infinite },
    { "ponder", false, 0, 0, set_ponder },
    { "wtime", true, -MS_LIMIT / 1000, MS_LIMIT / 1000, set_wtime },
    { "btime", true, -MS_LIMIT / 1000, MS_LIMIT / 1000, set_btime },
    { "winc", true, 0, MS_LIMIT / 1000, set_winc },
    { "binc", true, 0, MS_LIMIT / 1000, set_binc },
    { "movestogo", true, 0, 1000000, set_movestogo },
    { "perft", true, 1, 20, set_perft },
};

static const struct go_word *find_word(const char *name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].name, name))
            return &words[i];
    return NULL;
}

static bool set_number(struct session *session, const struct go_word *word, const char *text, struct go *go)
{
    char *end = NULL;
    errno = 0;
    long long value = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || value < word->low || value > word->high) {
        uci_complain(session, "go %s: found '%s', expected a number from %lld to %lld", word->name,
                     text ? text : "nothing", (long long)word->low, (long long)word->high);
        return false;
    }
    word->set(go, value);
    return true;
}

static bool add_root_move(struct session *session, struct go *go, const char *text)
{
    move_t move = move_parse(game_position(session->game), text);
    if (!move) {
        uci_complain(session, "go searchmoves: '%s' is no legal move here", text);
        return false;
    }
    if (go->limits.root_move_count < MOVES_MAX)
        go->root_moves[go->limits.root_move_count++] = move;
    return true;
}

bool uci_go_parse(struct session *session, char *text, struct go *go)
{
    char *save = NULL;
    bool in_moves = false;
    *go = (struct go){ .movetime = -1 };
    for (char *name = strtok_r(text, blanks, &save); name; name = strtok_r(NULL, blanks, &save)) {
        const struct go_word *word = find_word(name);
        if (word) {
            in_moves = false;
            if (word->has_number ? !set_number(session, word, strtok_r(NULL, blanks, &save), go)
                                 : (word->set(go, 0), false))
                return false;
        } else if (!strcmp(name, "searchmoves")) {
            in_moves = true;
        } else if (!in_moves) {
            uci_complain(session, "go: found '%s', expected a limit such as nodes, depth or wtime", name);
            return false;
        } else if (!add_root_move(session, go, name)) {
            return false;
        }
    }
    return true;
}
