// SPDX-License-Identifier: MIT
/// Parsing the values of one parameter: a single setting, or a sweep.
#ifndef TS_HARNESS_SWEEP_H
#define TS_HARNESS_SWEEP_H

#include "base/arena.h"

#include <stdbool.h>

#define TS_SWEEP_VALUES_MAX 100000

/// Parses `text` for a parameter into `*out_values` [*out_count], in the arena. A setting is one
/// value as accepted by ts_param_parse. A sweep is a list "a,b,c" of such values; "a:b:n", n evenly
/// spaced values from a to b; or "a:b:n:log", evenly spaced on a logarithmic scale. Linear values
/// are rounded to 15 digits, logarithmic ones to 12, so that they print as a person would write
/// them. TS_E_INPUT: malformed, a value that the parameter does not accept, a duplicate value, more
/// than TS_SWEEP_VALUES_MAX values.
ts_status ts_sweep_parse(double **out_values, size_t *out_count, ts_arena *arena,
                         const ts_param *param, const char *text, bool is_sweep);

#endif
