// SPDX-License-Identifier: MIT
/// Calls into untrusted code in a child process, so that a crash, a hang or an exit becomes a
/// status.
#ifndef TS_METHODS_RUN_IN_CHILD_H
#define TS_METHODS_RUN_IN_CHILD_H

#include "base/types.h"

#include <stdbool.h>

typedef struct ts_child_call {
  /// Does the work and writes its output to `result`.
  ts_status (*work)(void *result, void *context);
  void *context;       ///< passed to `work`, which sees a copy
  void *result;        ///< [result_bytes], zeroed before; pointers in it are invalid here
  size_t result_bytes; ///< 0 for none
  double time_limit_s; ///< above zero
  const char *who;     ///< whose code it calls, for messages
} ts_child_call;

/// Runs the work in a child process and waits for it; processes it has started are killed with it.
/// The status is that of the work, with its detail line. TS_E_INPUT when the work did not return
/// (then `*out_has_returned`, which may be NULL, is false), and the detail line says how it ended:
/// "crashed with SIGSEGV", "did not return within 10 s", "exited with status 3". TS_E_IO when no
/// process can be started. Its standard output is discarded, and its standard error is passed on,
/// up to a limit (base/error_relay.h). In every case `result` is what the child has written.
ts_status ts_run_in_child(bool *out_has_returned, const ts_child_call *call);

#endif
