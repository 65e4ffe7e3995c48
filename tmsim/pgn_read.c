/* A game ends at its result, or where the tags of the next begin. */
#include "tmsim/pgn_read.h"

#include <ctype.h>
#include <string.h>

#include "engine/san.h"

enum { TOKEN_SIZE = 256 };

struct pgn_reader pgn_reader(FILE *file) { return (struct pgn_reader){ .file = file, .line = 1, .last = '\n' }; }

static int next_char(struct pgn_reader *reader)
{
    const int c = getc(reader->file);
    reader->line += c == '\n';
    reader->last = c;
    return c;
}

static int peek_char(struct pgn_reader *reader)
{
    const int c = getc(reader->file);
    ungetc(c, reader->file);
    return c;
}

static void skip_line(struct pgn_reader *reader)
{
    int c;
    do
        c = next_char(reader);
    while (c != '\n' && c != EOF);
}

/* Reads on behind a '{'. */
static bool skip_comment(struct pgn_reader *reader, struct tm_error *error)
{
    const int start = reader->line;
    for (int c = next_char(reader); c != '}'; c = next_char(reader))
        if (c == EOF)
            return error_fail(error, TM_INPUT, "%d: a comment that begins with '{' does not end", start);
    return true;
}

/* Reads on behind a '(': variations may hold variations and comments. */
static bool skip_variation(struct pgn_reader *reader, struct tm_error *error)
{
    const int start = reader->line;
    for (int depth = 1; depth > 0;) {
        const int c = next_char(reader);
        if (c == EOF)
            return error_fail(error, TM_INPUT, "%d: a variation that begins with '(' does not end", start);
        if (c == '{' && !skip_comment(reader, error))
            return false;
        if (c == ';')
            skip_line(reader);
        depth += (c == '(') - (c == ')');
    }
    return true;
}

/* Reads a tag behind its '['; *fen gets the value of FEN. */
static bool read_tag(struct pgn_reader *reader, char fen[static TOKEN_SIZE], struct tm_error *error)
{
    char text[TOKEN_SIZE] = "";
    size_t length = 0;
    const int line = reader->line;
    bool quoted = false;
    int c;
    while ((c = next_char(reader)) != EOF && c != '\n' && (quoted || c != ']')) {
        quoted ^= c == '"';
        if (length + 1 < sizeof text)
            text[length++] = (char)c;
    }
    text[length] = '\0';
    if (c != ']')
        return error_fail(error, TM_INPUT, "%d: a tag that begins with '[' does not end on its line", line);
    const char *open = strchr(text, '"'), *close = strrchr(text, '"');
    if (strncmp(text, "FEN ", 4) == 0 && open && close > open)
        snprintf(fen, TOKEN_SIZE, "%.*s", (int)(close - open - 1), open + 1);
    return true;
}

enum token { TOKEN_END, TOKEN_WORD, TOKEN_TAG, TOKEN_FAULT };

/* The next word of the movetext, or the begin of a tag. Everything else is skipped. */
static enum token next_token(struct pgn_reader *reader, char word[static TOKEN_SIZE], struct tm_error *error)
{
    for (;;) {
        const bool line_start = reader->last == '\n';
        const int c = next_char(reader);
        if (c == EOF)
            return TOKEN_END;
        if (c == ';' || (c == '%' && line_start)) {
            skip_line(reader);
        } else if (c == '[') {
            return TOKEN_TAG;
        } else if ((c == '{' && !skip_comment(reader, error)) || (c == '(' && !skip_variation(reader, error))) {
            return TOKEN_FAULT;
        } else if (!isspace(c) && !strchr("{(})]", c) && c != 0xEF && c != 0xBB && c != 0xBF) {
            size_t length = 0;
            word[length++] = (char)c;
            for (int n = peek_char(reader); n != EOF && !isspace(n) && !strchr("{}()[];", n); n = peek_char(reader)) {
                next_char(reader);
                if (length + 1 < TOKEN_SIZE)
                    word[length++] = (char)n;
            }
            word[length] = '\0';
            return TOKEN_WORD;
        }
    }
}

static bool is_result(const char *word)
{
    return strcmp(word, "1-0") == 0 || strcmp(word, "0-1") == 0 || strcmp(word, "1/2-1/2") == 0
        || strcmp(word, "*") == 0;
}

/* "12.e4" is a number and a move; gives the move, "" if there is none. */
static const char *without_number(const char *word)
{
    const size_t digits = strspn(word, "0123456789");
    const size_t dots = strspn(word + digits, ".");
    if (dots || word[digits] == '\0')
        return word + digits + dots;
    return word;
}

/* The game being read. */
struct opening {
    struct position position;
    int plies, wanted;
    bool started; /* a tag or a move has been seen */
};

static bool play_word(struct opening *opening, const char *word, int line, struct tm_error *error)
{
    const char *text = without_number(word);
    if (*text == '\0' || *text == '$' || (opening->wanted && opening->plies >= opening->wanted))
        return true;
    const move_t move = san_parse(&opening->position, text, strlen(text));
    if (!move) {
        char fen[FEN_SIZE];
        return error_fail(error, TM_INPUT, "%d: '%.40s' is not a legal move in %s", line, text,
                          position_print(fen, &opening->position));
    }
    struct undo undo;
    position_make(&opening->position, move, &undo);
    opening->plies++;
    return true;
}

static bool start_at(struct opening *opening, const char *fen, int line, struct tm_error *error)
{
    if (position_parse(&opening->position, fen, error))
        return true;
    error_prefix(error, "%d", line);
    return false;
}

bool pgn_next_opening(struct pgn_reader *reader, int plies, char fen[static FEN_SIZE], bool *found,
                      struct tm_error *error)
{
    struct opening opening = { .wanted = plies };
    char word[TOKEN_SIZE], start[TOKEN_SIZE] = FEN_START;
    enum token token;
    bool moving = false;
    *found = false;
    while ((token = next_token(reader, word, error)) != TOKEN_END) {
        if (token == TOKEN_FAULT)
            return false;
        if (token == TOKEN_TAG && moving) {
            ungetc('[', reader->file); /* a game without its result; the next one begins */
            reader->last = '\n';
            break;
        }
        if (token == TOKEN_TAG) {
            if (!read_tag(reader, start, error))
                return false;
            opening.started = true;
            continue;
        }
        if (!moving && !start_at(&opening, start, reader->line, error))
            return false;
        moving = opening.started = true;
        if (is_result(word))
            break;
        if (!play_word(&opening, word, reader->line, error))
            return false;
    }
    if (opening.started && !moving && !start_at(&opening, start, reader->line, error))
        return false;
    *found = opening.started;
    if (*found)
        position_print(fen, &opening.position);
    return true;
}
