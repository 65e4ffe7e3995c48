/* UCI: any input is answered or complained about, and the session ends. Searches are kept short: a number of more than
   three digits loses the rest, `infinite` and `ponder` are ended by the end of the input. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/uci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Commands that take long by nature and are tested elsewhere. */
static const char *const slow_words[] = { "bench", "perft", "wtime", "btime", "movetime", "mate", "Hash" };

static void spoil_slow_words(char *text)
{
    for (size_t i = 0; i < sizeof slow_words / sizeof *slow_words; i++)
        for (char *at = text; (at = strstr(at, slow_words[i]));)
            *at = '_';
}

/* Copies the input with all numbers cut to three digits, so that no search is long; depths to one digit. */
static size_t tame(char *out, const uint8_t *data, size_t size)
{
    size_t length = 0, digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = isdigit(data[i]) ? digits + 1 : 0;
        bool depth = length >= 6 && !memcmp(out + length - 6, "depth", 5);
        if (digits <= 3 && !(depth && digits == 1 && data[i] > '5') && !(digits == 2 && length >= 7 && !memcmp(out + length - 7, "depth", 5)))
            out[length++] = (char)data[i];
    }
    out[length] = '\0';
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *answers = NULL;
    size_t answer_size;
    struct tm_error error;
    if (!text)
        return 0;
    size_t length = tame(text, data, size);
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = ' ';
    spoil_slow_words(text);
    FILE *in = length ? fmemopen(text, length, "r") : NULL, *out = open_memstream(&answers, &answer_size);
    if (in && out && !uci_run(in, out, &error))
        abort();
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    free(answers);
    free(text);
    return 0;
}
