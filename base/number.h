// SPDX-License-Identifier: MIT
/// Numbers as text, the same in every locale.
#ifndef TS_BASE_NUMBER_H
#define TS_BASE_NUMBER_H

#include "base/types.h"

#define TS_NUMBER_BYTES 32

/// Writes a number with the fewest digits, of 15 to 17, that read back as the same double, without
/// zeros at the end, in the form of %g with `.` as its decimal point; `nan`, `inf`, `-inf`. Returns
/// the number of bytes, and does not end them with a NUL.
size_t ts_number_put(char out[TS_NUMBER_BYTES], double value);

/// The same, with a NUL at the end. Returns `out`.
char *ts_number_format(char out[TS_NUMBER_BYTES], double value);

/// Reads the whole of `text` as a double, in the form that ts_number_format() writes or any other
/// that strtod takes in the C locale. Surrounding blanks and trailing characters are errors.
ts_status ts_number_parse(double *out, const char *text);

#endif
