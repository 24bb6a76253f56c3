// SPDX-License-Identifier: MIT
/// Errors: a status and one detail line, kept for each thread until the next failure.
#ifndef TS_BASE_STATUS_H
#define TS_BASE_STATUS_H

#include "base/types.h"

/// Records a detail line and returns `status`: `return ts_fail(TS_E_INPUT, "...")`. The line says
/// what is wrong and what to do about it; printf style, at most 1,023 bytes. A control character or
/// a byte that is not UTF-8 becomes "?", so that it is one line of text whatever it quotes, and a
/// word -nan becomes nan. The line before may be among the arguments.
ts_status ts_fail(ts_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The detail line of the last failure in this thread; "" when there was none. Borrowed; the next
/// ts_fail() overwrites it.
const char *ts_status_detail(void);

/// A short word for a status, for messages and for the `reason` column.
const char *ts_status_name(ts_status status);

/// Returns from the calling function with the status of `call` unless it is TS_OK. For functions
/// that own nothing that must be released first.
#define TS_TRY(call)                                                                               \
  do {                                                                                             \
    ts_status ts_try_status = (call);                                                              \
    if (ts_try_status != TS_OK)                                                                    \
      return ts_try_status;                                                                        \
  } while (0)

#endif
