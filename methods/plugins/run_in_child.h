// SPDX-License-Identifier: MIT
/// Calls into code that is not trusted: made in a copy of this process first, or only there, so
/// that a crash, a hang or an exit is a status.
#ifndef TS_METHODS_RUN_IN_CHILD_H
#define TS_METHODS_RUN_IN_CHILD_H

#include "base/types.h"

#include <stdbool.h>

typedef struct ts_child_call {
  /// Does the work, and leaves what is to be handed back in `result`.
  ts_status (*work)(void *result, void *context);
  void *context;       ///< handed to `work`, which sees a copy
  void *result;        ///< [result_bytes], zeroed before; pointers in it mean nothing here
  size_t result_bytes; ///< 0 for none
  double time_limit_s; ///< above zero
  bool may_print;      ///< else its standard output leads nowhere
} ts_child_call;

/// Runs the work in a child process and waits for it; what it has started dies with it. The status
/// is that of the work, with its detail line. TS_E_INPUT when the work did not come back (then
/// `*out_came_back`, which may be NULL, is false), and the detail line tells how it ended: "crashed
/// with SIGSEGV", "did not come back within 10 s", "ended the program with exit status 3". TS_E_IO:
/// the system gives no process. Standard output is flushed before. The result is what the child has
/// left, in any case.
ts_status ts_run_in_child(bool *out_came_back, const ts_child_call *call);

#endif
