// SPDX-License-Identifier: MIT
/// Patterns from users: POSIX extended regular expressions that match a name from end to end.
#ifndef TS_BASE_PATTERN_H
#define TS_BASE_PATTERN_H

#include "base/types.h"

#include <regex.h>
#include <stdbool.h>

/// Maximum length of a pattern whose repetitions are written out: "(ab){3}c+" has 8. The C library
/// writes them out, and takes memory without end for "a++++++++++++++++++++++++++++++".
#define TS_PATTERN_ATOMS_MAX 1000

/// Compiles a pattern, for regfree(). TS_E_INPUT, "no POSIX extended regular expression: " and why:
/// the C library says so, it repeats too much, has more than 8 anchors, which the C library takes
/// time without end for, or refers back (\1), which POSIX does not have here.
ts_status ts_pattern_compile(regex_t *out, const char *pattern);

/// Whether it matches the whole of `name`.
bool ts_pattern_matches(const regex_t *pattern, const char *name);

#endif
