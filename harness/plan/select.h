// SPDX-License-Identifier: MIT
/// Choosing cases and methods by pattern.
#ifndef TS_HARNESS_SELECT_H
#define TS_HARNESS_SELECT_H

#include "base/arena.h"
#include "harness/plan/catalog.h"

/// Cases of a suite (NULL: of every suite) whose whole name the POSIX extended regular expression
/// matches (NULL: all), in the order of the catalog. `*out` [*out_count] is the arena's.
/// TS_E_INPUT when nothing is left, with what there is; then `*out` is not set.
ts_status ts_select_cases(const ts_case ***out, size_t *out_count, ts_arena *arena,
                          const ts_catalog *catalog, const char *suite, const char *pattern);

/// Methods likewise.
ts_status ts_select_methods(const ts_method ***out, size_t *out_count, ts_arena *arena,
                            const ts_catalog *catalog, const char *pattern);

#endif
