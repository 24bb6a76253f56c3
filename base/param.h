// SPDX-License-Identifier: MIT
/// Parameters: reading, checking, printing and looking them up by their descriptors.
#ifndef TS_BASE_PARAM_H
#define TS_BASE_PARAM_H

#include "base/arena.h"
#include "base/types.h"

#include <stdbool.h>

/// Index of the parameter called `name` among `count` descriptors; -1 when there is none.
int ts_param_find(const ts_param *params, size_t count, const char *name);

/// Fills `values[count]` with the defaults.
void ts_param_defaults(double *values, const ts_param *params, size_t count);

/// Reads one value: a number within its range, a whole number, or one of the choices. The message
/// of a failure names the parameter and what it takes.
ts_status ts_param_parse(double *out, const ts_param *param, const char *text);

/// Checks a number against kind and range.
ts_status ts_param_check(const ts_param *param, double value);

/// A value as text: the number, or the name of the choice. Borrowed from `buffer` or static.
const char *ts_param_format(char buffer[32], const ts_param *param, double value);

/// All values as "name=value;name=value", in the order of the descriptors; "" for none. NULL when
/// out of memory.
char *ts_param_join(ts_arena *arena, const ts_param *params, size_t count, const double *values);

/// What a parameter takes, for messages and help: "0 to 1", "a whole number from 1 to 8",
/// "design, published or feasible". NULL when out of memory.
char *ts_param_range(ts_arena *arena, const ts_param *param);

/// `out[count]` = `values` with every length multiplied by `scale`.
void ts_param_scale_lengths(double *out, const ts_param *params, size_t count, const double *values,
                            double scale);

/// Whether a list "name=value;name=value", as rows have it, contains the entry at `entry` of
/// `length` bytes.
bool ts_param_list_has(const char *list, const char *entry, size_t length);

#endif
