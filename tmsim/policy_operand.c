#include "tmsim/policy_operand.h"

#include <stdlib.h>
#include <string.h>

#include "tmsim/expression.h"
#include "vclock/data_dir.h"

char *policies_directory(char *buffer, size_t size)
{
    char data[4096];
    data_dir(data, sizeof data);
    snprintf(buffer, size, "%s/policies", data);
    return buffer;
}

/* In single quotes unless it is made of harmless characters; a quote inside becomes '\''. */
static char *shell_quoted(const char *prefix, const char *text)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@+,-";
    char *quoted = malloc(strlen(prefix) + 4 * strlen(text) + 3), *to = quoted;
    if (!quoted)
        return NULL;
    to += sprintf(to, "%s", prefix);
    if (!*prefix && *text && strspn(text, harmless) == strlen(text)) {
        strcpy(to, text);
        return quoted;
    }
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            to += sprintf(to, "'\\'");
        *to++ = *text;
    }
    strcpy(to, "'");
    return quoted;
}

static bool keep(struct policy_operands *out, struct policy *policy, const char *prefix, const char *text,
                 struct tm_error *error)
{
    struct policy_operand *item = &out->item[out->count++];
    *item = (struct policy_operand){ .policy = policy, .spec = shell_quoted(prefix, text) };
    return item->spec || error_fail(error, TM_INTERNAL, "out of memory");
}

bool operands_load(const struct options *options, int first, struct policy_operands *out, struct tm_error *error)
{
    const int operands = options_operand_count(options) - first, formulas = options_given(options, "expr");
    char directory[4200];
    struct policy *policy;
    out->count = 0;
    if (operands + formulas < 1)
        return error_fail(error, TM_INPUT, "expected a policy: a name, a file, or --expr 'soft=…; hard=…'");
    if (operands + formulas > OPERANDS_MAX)
        return error_fail(error, TM_INPUT, "more than %d policies", OPERANDS_MAX);
    policies_directory(directory, sizeof directory);
    for (int i = 0; i < operands; i++) {
        const char *spec = options_operand(options, first + i);
        if (!policy_load(spec, directory, &policy, error) || !keep(out, policy, "", spec, error))
            return false;
    }
    for (int i = 0; i < formulas; i++) {
        const char *text = options_text_at(options, "expr", i);
        if (!expression_load(text, &policy, error) || !keep(out, policy, "--expr ", text, error))
            return false;
    }
    return true;
}

void operands_clear(struct policy_operands *operands)
{
    for (int i = 0; i < operands->count; i++) {
        policy_free(operands->item[i].policy);
        free(operands->item[i].spec);
    }
    operands->count = 0;
}
