// SPDX-License-Identifier: MIT
/// Numbers as text, the same in every locale.
#ifndef TS_BASE_NUMBER_H
#define TS_BASE_NUMBER_H

#include "base/types.h"

#define TS_NUMBER_BYTES 32

/// Writes the shortest decimal form that reads back as the same double, with `.` as its decimal
/// point; `nan`, `inf`, `-inf`. Returns `out`, which must hold TS_NUMBER_BYTES.
char *ts_number_format(char out[TS_NUMBER_BYTES], double value);

/// Reads the whole of `text` as a double, in the form that ts_number_format() writes or any other
/// that strtod takes in the C locale. Surrounding blanks and trailing characters are errors.
ts_status ts_number_parse(double *out, const char *text);

#endif
