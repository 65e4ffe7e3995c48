/* Structure-aware mutations of policy files: what comes out is mostly valid Lua, with other numbers, names, operators
   and statements than a person would write. A random text seldom gets past the parser. */
#ifndef TESTS_FUZZ_MUTATE_POLICY_H
#define TESTS_FUZZ_MUTATE_POLICY_H

#include <stddef.h>
#include <stdint.h>

/* Mutates `size` bytes at `data` in place, in at most `most` bytes. The same seed does the same. Returns the size. */
size_t mutate_policy(uint8_t *data, size_t size, size_t most, uint32_t seed);

#endif
