/* The comma list of --openings, read once for every command that takes it. */
#include "tmsim/openings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tmsim/fields.h"
#include "tmsim/options.h"

const char *openings_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A file here, or a book that comes with tmsim: "zeitnot-3000.epd". */
static void find_book(const char *name, const char *data, char path[OPENINGS_PATH_SIZE])
{
    if (strchr(name, '/') || access(name, F_OK) == 0)
        snprintf(path, OPENINGS_PATH_SIZE, "%s", name);
    else
        snprintf(path, OPENINGS_PATH_SIZE, "%.2000s/books/%.2000s", data, name);
    if (access(path, F_OK) != 0)
        snprintf(path, OPENINGS_PATH_SIZE, "%s", name); /* as the user wrote it, for the message */
}

bool openings_read(const char *text, const char *data, char path[OPENINGS_PATH_SIZE], struct book **book,
                   enum book_order *order, struct tm_error *error)
{
    struct field field;
    const char *key = field.key, *value = field.value;
    struct book_format format = { 0 };
    int64_t plies;
    snprintf(path, OPENINGS_PATH_SIZE, "%s/books/zeitnot-240.epd", data);
    *order = BOOK_RANDOM;
    for (const char *at = text ? text : ""; fields_next(&at, &field);) {
        if (strcmp(key, "file") == 0 && *value)
            find_book(value, data, path);
        else if (strcmp(key, "format") == 0 && (strcmp(value, "epd") == 0 || strcmp(value, "fen") == 0))
            format.pgn = false;
        else if (strcmp(key, "format") == 0 && strcmp(value, "pgn") == 0)
            format.pgn = true;
        else if (strcmp(key, "plies") == 0 && option_parse_integer("--openings plies", value, 0, 1000, &plies, error))
            format.plies = (int)plies;
        else if (strcmp(key, "plies") == 0)
            return false;
        else if (strcmp(key, "order") == 0 && strcmp(value, "random") == 0)
            *order = BOOK_RANDOM;
        else if (strcmp(key, "order") == 0 && strcmp(value, "sequential") == 0)
            *order = BOOK_SEQUENTIAL;
        else
            return error_fail(error, TM_INPUT, "--openings %s: expected file=FILE, format=epd|fen|pgn, "
                                               "plies=N or order=random|sequential, found '%s=%s'", text, key, value);
    }
    return book_load(path, &format, book, error);
}
