/// Choosing cases and methods by pattern.
#ifndef TS_HARNESS_SELECT_H
#define TS_HARNESS_SELECT_H

#include "base/arena.h"
#include "cases/case.h"
#include "methods/method.h"

/// Cases of a suite (NULL: of every suite) whose whole name the POSIX extended regular expression
/// matches (NULL: all), in the order of the registry. `*out` [*out_count] is the arena's.
/// TS_E_INPUT when nothing is left, with what there is; then `*out` is not set.
ts_status ts_select_cases(const ts_case ***out, size_t *out_count, ts_arena *arena,
                          const char *suite, const char *pattern);

/// Methods likewise, the controls at the end when they are asked for.
ts_status ts_select_methods(const ts_method ***out, size_t *out_count, ts_arena *arena,
                            bool with_controls, const char *pattern);

#endif
