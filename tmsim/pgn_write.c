/* Nothing of the machine that played is written, so equal runs give equal files. */
#include "tmsim/pgn_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/san.h"
#include "tmsim/store_internal.h"
#include "vclock/event.h"

enum { LINE_WIDTH = 80, WORD_SIZE = 160, MATE_PLIES = 1000 /* scores nearer to a mate are mates */ };

/* What the standard's tag Termination calls each ending; others say it in the last comment. */
static const struct { const char *tag, *sentence; } terminations[END_COUNT] = {
    [END_NONE] = { "unterminated", "" },
    [END_CHECKMATE] = { "normal", "checkmate" },
    [END_STALEMATE] = { "normal", "stalemate" },
    [END_REPETITION] = { "normal", "third repetition" },
    [END_FIFTY_MOVES] = { "normal", "fifty moves without progress" },
    [END_INSUFFICIENT] = { "normal", "insufficient material" },
    [END_FLAG] = { "time forfeit", "the flag fell" },
    [END_MAX_PLIES] = { "adjudication", "longest game" },
    [END_POLICY_FAULT] = { "unterminated", "the policy failed: no result" },
    [END_DRAW_ADJUDICATED] = { "adjudication", "draw by the scores" },
    [END_RESIGNATION] = { "adjudication", "resigned by the scores" },
};

static const char *result_of(int white_points)
{
    static const char *const results[] = { "*", "0-1", "1/2-1/2", "1-0" };
    return results[white_points + 1];
}

/* A tag value: quotes and backslashes are escaped. */
static void put_tag(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            putc('\\', stream);
        putc(*value == '\n' ? ' ' : *value, stream);
    }
    fputs("\"]\n", stream);
}

/* PGN separates the periods of a control by colons. */
static void put_time_control(FILE *stream, const char *tag, const char *tc)
{
    char text[256];
    snprintf(text, sizeof text, "%s", tc);
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma, ','))
        *comma = ':';
    put_tag(stream, tag, text);
}

static void put_tags(const struct pgn_game *game, const char *fen, FILE *stream)
{
    const struct game_record *record = game->record;
    char text[64];
    put_tag(stream, "Event", game->event);
    put_tag(stream, "Site", "virtual clock");
    put_tag(stream, "Date", "????.??.??");
    snprintf(text, sizeof text, "%d.%d", record->pair + 1, record->leg + 1);
    put_tag(stream, "Round", text);
    put_tag(stream, "White", game->white);
    put_tag(stream, "Black", game->black);
    put_tag(stream, "Result", result_of(record->white_points));
    put_tag(stream, "FEN", fen);
    put_tag(stream, "SetUp", "1");
    snprintf(text, sizeof text, "%d", record->move_count - (record->end == END_FLAG));
    put_tag(stream, "PlyCount", text);
    if (strcmp(game->tc[0], game->tc[1]) == 0) {
        put_time_control(stream, "TimeControl", game->tc[0]);
    } else { /* as the runners write it */
        put_time_control(stream, "WhiteTimeControl", game->tc[0]);
        put_time_control(stream, "BlackTimeControl", game->tc[1]);
    }
    put_tag(stream, "Termination", terminations[record->end].tag ? terminations[record->end].tag : "abandoned");
    put_tag(stream, "Clock", "virtual");
    putc('\n', stream);
}

/* Words of the movetext, broken into lines. */
struct text {
    FILE *stream;
    int column;
};

static void put_word(struct text *text, const char *word)
{
    const int length = (int)strlen(word);
    if (text->column > 0)
        putc(text->column + 1 + length > LINE_WIDTH ? '\n' : ' ', text->stream);
    text->column = text->column > 0 && text->column + 1 + length <= LINE_WIDTH ? text->column + 1 + length : length;
    fputs(word, text->stream);
}

/* "+0.31", "-M5": mate in so many of the mover's (or opponent's) moves. */
static void print_score(char out[static 24], int score)
{
    const int plies = TM_MATE - abs(score);
    if (plies <= MATE_PLIES)
        snprintf(out, 24, "%cM%d", score > 0 ? '+' : '-', (plies + 1) / 2);
    else
        snprintf(out, 24, "%c%d.%02d", score < 0 ? '-' : '+', abs(score) / 100, abs(score) % 100);
}

static void print_clock(char out[static 32], tm_ns time)
{
    const int64_t ms = (time < 0 ? 0 : time) / TM_NS_PER_MS;
    snprintf(out, 32, "%" PRId64 ":%02" PRId64 ":%02" PRId64 ".%03" PRId64, ms / 3600000, ms / 60000 % 60, ms / 1000 % 60,
             ms % 1000);
}

static void put_comment(struct text *text, const struct pgn_game *game, const struct move_record *move)
{
    char score[24] = "0.00", word[WORD_SIZE], clock[32], spent[32];
    if (move->depth > 0)
        print_score(score, move->score);
    snprintf(word, sizeof word, "{%s/%d", score, move->depth);
    put_word(text, word);
    snprintf(word, sizeof word, "%.3fs,", ns_to_s(move->spend));
    put_word(text, word);
    snprintf(word, sizeof word, "tl=%.3fs,", ns_to_s(move->clock_after));
    put_word(text, word);
    if (game->clocks) {
        print_clock(clock, move->clock_after);
        print_clock(spent, move->spend);
        snprintf(word, sizeof word, "[%%clk %s] [%%emt %s]", clock, spent);
        put_word(text, word);
    }
    snprintf(word, sizeof word, "n=%" PRId64 "}", move->nodes_used);
    put_word(text, word);
}

static void put_number(struct text *text, const struct position *p)
{
    char word[32];
    snprintf(word, sizeof word, "%d%s", p->fullmove, p->side == WHITE ? "." : "...");
    put_word(text, word);
}

static bool put_move(struct text *text, const struct pgn_game *game, struct position *p, const struct move_record *row,
                     struct tm_error *error)
{
    char san[SAN_SIZE];
    const move_t move = move_parse(p, row->move);
    if (!move)
        return error_fail(error, TM_INPUT, "pair %d, leg %d, ply %d: the stored move %s is not legal", game->record->pair,
                          game->record->leg, row->ply, row->move);
    if (row->flagged) /* never played */
        return true;
    put_number(text, p); /* a comment precedes each move, so that each has its number */
    put_word(text, san_print(san, p, move));
    put_comment(text, game, row);
    struct undo undo;
    position_make(p, move, &undo);
    return true;
}

bool pgn_write(const struct pgn_game *game, FILE *stream, struct tm_error *error)
{
    const struct game_record *record = game->record;
    struct position position;
    char fen[FEN_SIZE];
    if (!position_parse(&position, game->fen, error))
        return false;
    put_tags(game, position_print(fen, &position), stream);
    struct text text = { stream, 0 };
    for (int i = 0; i < record->move_count; i++)
        if (!put_move(&text, game, &position, &record->move[i], error))
            return false;
    char word[WORD_SIZE];
    snprintf(word, sizeof word, "{%s%s}", record->loser_side < 0 || record->end == END_CHECKMATE ? "" :
             record->loser_side == WHITE ? "White: " : "Black: ", terminations[record->end].sentence ? terminations[record->end].sentence :
             game_end_name(record->end));
    put_word(&text, word);
    put_word(&text, result_of(record->white_points));
    fputs("\n\n", stream);
    return !ferror(stream) || error_fail(error, TM_INPUT, "the games cannot be written: %s", strerror(errno));
}

/* ---- from the store ---- */

static const char games_sql[] =
    "SELECT p.id, g.pair, g.leg, p.first, p.second, ifnull(a.tc, r.tc), ifnull(b.tc, r.tc) FROM run r JOIN pairing p ON "
    "p.run = r.id JOIN policy a ON a.id = p.first JOIN policy b ON b.id = p.second JOIN game g ON g.pairing = p.id "
    "WHERE r.id = ? ORDER BY g.pair, p.id, g.leg";

static bool export_game(struct store *store, sqlite3_stmt *row, bool clocks, FILE *stream, struct tm_error *error)
{
    struct game_record record;
    struct pgn_game game = { .event = "tmsim vmatch", .record = &record, .clocks = clocks };
    char *fen, *label[2];
    if (!store_read_game(store, sqlite3_column_int64(row, 0), sqlite3_column_int(row, 1), sqlite3_column_int(row, 2), &record,
                         &fen, error))
        return false;
    for (int i = 0; i < 2; i++)
        label[i] = store_policy_label(store, sqlite3_column_int64(row, 3 + i), error);
    bool ok = label[0] && label[1];
    if (ok) {
        game.fen = fen;
        game.white = label[record.white];
        game.black = label[!record.white];
        game.tc[WHITE] = (const char *)sqlite3_column_text(row, 5 + record.white);
        game.tc[BLACK] = (const char *)sqlite3_column_text(row, 5 + !record.white);
        ok = pgn_write(&game, stream, error);
    }
    free(label[0]);
    free(label[1]);
    free(fen);
    game_record_clear(&record);
    return ok;
}

static bool export_run(struct store *store, int64_t run, bool clocks, FILE *stream, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, games_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "reading its games", error);
    sqlite3_bind_int64(statement, 1, run);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = export_game(store, statement, clocks, stream, error);
    sqlite3_finalize(statement);
    return ok && (code == SQLITE_DONE || store_fail(store, "reading its games", error));
}

bool pgn_export(struct store *store, const int64_t *run, int run_count, const char *path, bool clocks,
                struct tm_error *error)
{
    char partial[4200];
    if (snprintf(partial, sizeof partial, "%s.partial", path) >= (int)sizeof partial)
        return error_fail(error, TM_INPUT, "%s: the path is too long", path);
    FILE *stream = fopen(partial, "w");
    if (!stream)
        return error_fail(error, TM_INPUT, "%s: %s", path, strerror(errno));
    bool ok = true;
    for (int i = 0; ok && i < run_count; i++)
        ok = export_run(store, run[i], clocks, stream, error);
    if (fclose(stream) != 0 && ok)
        ok = error_fail(error, TM_INPUT, "%s: %s", path, strerror(errno));
    if (ok && rename(partial, path) != 0)
        ok = error_fail(error, TM_INPUT, "%s: %s", path, strerror(errno));
    if (!ok)
        remove(partial);
    return ok;
}
