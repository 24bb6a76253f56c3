// SPDX-License-Identifier: MIT
/// Values of one parameter: of a single setting, or of a sweep.
#ifndef TS_HARNESS_SWEEP_H
#define TS_HARNESS_SWEEP_H

#include "base/arena.h"

#include <stdbool.h>

#define TS_SWEEP_VALUES_MAX 100000

/// Reads `text` for a parameter into `*out_values` [*out_count], in the arena. A setting is one
/// value as ts_param_parse takes it. A sweep is a list "a,b,c" of such values; "a:b:n", n values
/// from a to b with equal steps; or "a:b:n:log", with equal ratios. Steps are rounded to 15 digits,
/// ratios to 12, so that the values read as one would write them. TS_E_INPUT: not of that form, a
/// value that the parameter does not take, the same value twice, more than TS_SWEEP_VALUES_MAX.
ts_status ts_sweep_parse(double **out_values, size_t *out_count, ts_arena *arena,
                         const ts_param *param, const char *text, bool is_sweep);

#endif
