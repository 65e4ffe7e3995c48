/* Nearest word by the optimal string alignment distance: insert, delete, replace, swap neighbours. */
#include "vclock/suggest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 63 }; /* longer words are compared by their beginnings */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
    int rows[3][WORD_MAX + 1];
    int la = (int)strnlen(a, WORD_MAX), lb = (int)strnlen(b, WORD_MAX);
    for (int j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[la % 3][lb];
}

const char *suggest_nearest(const char *word, const char *const *list, size_t count)
{
    const char *best = NULL;
    int nearest = WORD_MAX + 1;
    for (size_t i = 0; i < count; i++) {
        int longer = (int)strnlen(strlen(word) > strlen(list[i]) ? word : list[i], WORD_MAX);
        int d = distance(word, list[i]);
        if (d < nearest && d <= (longer < 6 ? 1 : longer / 3)) {
            nearest = d;
            best = list[i];
        }
    }
    return best;
}

const char *suggest_text(char *buffer, size_t size, const char *word, const char *const *list, size_t count)
{
    const char *best = suggest_nearest(word, list, count);
    if (best)
        snprintf(buffer, size, "; did you mean %s?", best);
    else if (size)
        buffer[0] = '\0';
    return buffer;
}
