#include "engine/client_info.h"

#include <string.h>

/* A token is borrowed from the line. */
struct token {
    const char *at;
    size_t size;
};

static const char blanks[] = " \t\r\n";

static struct token next_token(const char **text)
{
    *text += strspn(*text, blanks);
    struct token token = { *text, strcspn(*text, blanks) };
    *text += token.size;
    return token;
}

static bool is_word(struct token token, const char *word)
{
    return strlen(word) == token.size && memcmp(token.at, word, token.size) == 0;
}

/* The whole token is a number that fits. */
static bool read_number(struct token token, int64_t low, int64_t high, int64_t *out)
{
    size_t i = token.size && (token.at[0] == '-' || token.at[0] == '+');
    const bool negative = i && token.at[0] == '-';
    int64_t value = 0;
    if (i == token.size)
        return false;
    for (; i < token.size; i++) {
        if (token.at[i] < '0' || token.at[i] > '9' || value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (token.at[i] - '0');
    }
    *out = negative ? -value : value;
    return *out >= low && *out <= high;
}

/* Longer mates would be ordinary scores: TM_MATE - 2 * 500 is TM_MATE_BOUND. They are shown as this long. */
enum { MATE_MOVES = 1000000, MATE_PLIES = TM_MATE - TM_MATE_BOUND - 1 };

static void set_depth(struct client_info *info, int64_t value) { info->depth = (int)value; }
static void set_nodes(struct client_info *info, int64_t value) { info->nodes = value; }
static void set_time(struct client_info *info, int64_t value) { info->time_ms = value; }
static void set_multipv(struct client_info *info, int64_t value) { info->multipv = (int)value; }

static void set_cp(struct client_info *info, int64_t value)
{
    const int64_t most = TM_MATE_BOUND - 1; /* some engines print their mates so */
    info->score = (int)(value > most ? most : value < -most ? -most : value);
    info->mate = 0;
}

/* Full moves become plies: mate 1 is one ply, mate -1 is two. mate 0 is being mated. */
static void set_mate(struct client_info *info, int64_t value)
{
    const int64_t plies = value > 0 ? 2 * value - 1 : -2 * value;
    const int near = plies > MATE_PLIES ? MATE_PLIES : (int)plies;
    info->mate = (int)value;
    info->score = value > 0 ? TM_MATE - near : -(TM_MATE - near);
}

static const struct number_word {
    const char *name;
    enum client_info_field field;
    int64_t low, high;
    void (*set)(struct client_info *info, int64_t value);
} number_words[] = {
    { "depth", INFO_DEPTH, 0, 10000, set_depth },
    { "nodes", INFO_NODES, 0, INT64_MAX, set_nodes },
    { "time", INFO_TIME, 0, INT64_MAX, set_time },
    { "multipv", INFO_MULTIPV, 1, 500, set_multipv },
    { "cp", INFO_SCORE, -MATE_MOVES, MATE_MOVES, set_cp },
    { "mate", INFO_SCORE, -MATE_MOVES, MATE_MOVES, set_mate },
};

static const struct number_word *find_number_word(struct token token)
{
    for (size_t i = 0; i < sizeof number_words / sizeof *number_words; i++)
        if (is_word(token, number_words[i].name))
            return &number_words[i];
    return NULL;
}

/* Words whose value is of no interest, and which end a pv. */
static const char *const other_words[] = {
    "seldepth", "score", "lowerbound", "upperbound", "pv", "currmove", "currmovenumber", "hashfull", "nps", "tbhits",
    "sbhits", "cpuload", "string", "refutation", "currline", "wdl",
};

static bool is_keyword(struct token token)
{
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (is_word(token, other_words[i]))
            return true;
    return find_number_word(token) != NULL;
}

/* The number is taken from the text only if it is one, so that a missing value does not swallow the next word. */
static void read_field(const struct number_word *word, const char **text, struct client_info *info)
{
    const char *ahead = *text;
    const struct token token = next_token(&ahead);
    int64_t value;
    if (read_number(token, word->low, word->high, &value)) {
        word->set(info, value);
        info->has |= word->field;
        *text = ahead;
        return;
    }
    info->warnings++;
    if (token.size && !is_keyword(token))
        *text = ahead;
}

static void read_pv(const char **text, struct client_info *info)
{
    const char *ahead = *text;
    info->pv_size = 0;
    for (;;) {
        const struct token token = next_token(&ahead);
        if (!token.size || is_keyword(token))
            return;
        if (!info->pv_size) {
            info->pv = token.at;
            const size_t size = token.size < sizeof info->move ? token.size : sizeof info->move - 1;
            memcpy(info->move, token.at, size);
            info->move[size] = '\0';
            info->has |= INFO_MOVE;
        }
        info->pv_size = (size_t)(token.at + token.size - info->pv);
        *text = ahead;
    }
}

/* The one documented sentence; all other text after `string` is opaque. */
static void read_string(const char *text, struct client_info *info)
{
    int64_t share;
    info->has |= INFO_STRING;
    if (!is_word(next_token(&text), "tm") || !is_word(next_token(&text), "share"))
        return;
    const struct token number = next_token(&text);
    if (!next_token(&text).size && read_number(number, 0, 1000, &share)) {
        info->share = (int)share;
        info->has |= INFO_SHARE;
    }
}

void client_info_parse(const char *text, struct client_info *info)
{
    *info = (struct client_info){ .bound = TM_EXACT, .multipv = 1 };
    for (struct token token = next_token(&text); token.size; token = next_token(&text)) {
        const struct number_word *word = find_number_word(token);
        if (word)
            read_field(word, &text, info);
        else if (is_word(token, "pv"))
            read_pv(&text, info);
        else if (is_word(token, "lowerbound"))
            info->bound = TM_LOWER;
        else if (is_word(token, "upperbound"))
            info->bound = TM_UPPER;
        else if (is_word(token, "string")) {
            read_string(text, info);
            return;
        }
    }
}
