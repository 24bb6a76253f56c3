// SPDX-License-Identifier: MIT
/// Names that users type: listing them, and suggesting the one that was probably meant.
#ifndef TS_HARNESS_NAMES_H
#define TS_HARNESS_NAMES_H

#include "base/types.h"

/// The one of `names` [count] that `word` is most likely a misspelling of; NULL when none is close.
const char *ts_names_nearest(const char *word, const char *const *names, size_t count);

/// Fails with TS_E_INPUT: `there is no <kind> "<word>"; did you mean "<nearest>"? There are:
/// <names>`.
ts_status ts_names_unknown(const char *kind, const char *word, const char *const *names,
                           size_t count);

/// Writes "a, b, c" into `out` [bytes], cut where it does not fit. Returns `out`.
char *ts_names_join(char *out, size_t bytes, const char *const *names, size_t count);

/// Writes "a, b or c" likewise.
char *ts_names_choice(char *out, size_t bytes, const char *const *names, size_t count);

#endif
