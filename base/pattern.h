// SPDX-License-Identifier: MIT
/// Patterns from users: POSIX extended regular expressions that match a name from end to end.
#ifndef TS_BASE_PATTERN_H
#define TS_BASE_PATTERN_H

#include "base/types.h"

#include <regex.h>
#include <stdbool.h>

/// Maximum length of a pattern with its repetitions expanded: "(ab){3}c+" has 8. The C library
/// expands them, and would use unlimited memory for "a++++++++++++++++++++++++++++++".
#define TS_PATTERN_ATOMS_MAX 1000

/// Compiles a pattern, for regfree(). TS_E_INPUT, "not a POSIX extended regular expression: " and
/// the reason: the C library refuses it, it repeats too much, it has more than 8 anchors, for which
/// the C library may not finish, or it has back references (\1), which POSIX extended expressions
/// do not have.
ts_status ts_pattern_compile(regex_t *out, const char *pattern);

/// Whether it matches the whole of `name`.
bool ts_pattern_matches(const regex_t *pattern, const char *name);

#endif
