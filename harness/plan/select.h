// SPDX-License-Identifier: MIT
/// Selecting cases and methods by pattern.
#ifndef TS_HARNESS_SELECT_H
#define TS_HARNESS_SELECT_H

#include "base/arena.h"
#include "harness/plan/catalog.h"
#include "harness/plan/options.h"

/// One pattern in `*out` that matches what any of `patterns` matches; NULL for none of them. The
/// arena owns it, or it is the only one given.
ts_status ts_select_any(const char **out, ts_arena *arena, const ts_texts *patterns);

/// Cases of a suite (NULL: of every suite) whose whole name matches the POSIX extended regular
/// expression (NULL: all), in the order of the catalog. The arena owns `*out` [*out_count].
/// TS_E_INPUT, with the valid names, when nothing matches; `*out` is not set then.
ts_status ts_select_cases(const ts_case ***out, size_t *out_count, ts_arena *arena,
                          const ts_catalog *catalog, const char *suite, const char *pattern);

/// The same for methods.
ts_status ts_select_methods(const ts_method ***out, size_t *out_count, ts_arena *arena,
                            const ts_catalog *catalog, const char *pattern);

#endif
