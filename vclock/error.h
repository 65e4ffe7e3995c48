/* How a function says that it failed: it returns false and has filled a tm_error. */
#ifndef VCLOCK_ERROR_H
#define VCLOCK_ERROR_H

#include <stdbool.h>

/* The exit codes of the command line (design, section 7); an error carries the one it leads to. */
enum tm_code {
    TM_OK = 0,
    TM_INTERNAL = 1,      /* our fault: out of memory, a broken invariant */
    TM_INPUT = 2,         /* bad usage or input */
    TM_ENGINE_FAILED = 3,
    TM_VOID = 4,          /* a gate refused the result, or a policy faulted in a game */
    TM_H0_ACCEPTED = 10,
    TM_UNDECIDED = 11,
    TM_UNSAFE = 20
};

struct tm_error {
    enum tm_code code;
    char message[1024]; /* without a trailing newline; names place, found and expected */
};

/* Fills `error` (which may be NULL) in the manner of printf; longer messages are cut. */
void error_set(struct tm_error *error, enum tm_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the message, for a caller that knows where the trouble is. */
void error_prefix(struct tm_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `return error_fail(error, TM_INPUT, "…")`: a macro, so that analysers see the false. */
#define error_fail(...) (error_set(__VA_ARGS__), false)

#endif
