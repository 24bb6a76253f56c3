// SPDX-License-Identifier: MIT
/// Runs a helper program: writes bytes to its standard input and reads its answer, in a separate
/// process with a time limit.
#ifndef TS_GEOMETRY_HELPER_PROCESS_H
#define TS_GEOMETRY_HELPER_PROCESS_H

#include "base/arena.h"

typedef struct ts_helper_question {
  const char *program; ///< path of an executable, run without arguments
  const void *bytes;   ///< [byte_count], its standard input
  size_t byte_count;
  const char *answer_magic; ///< [8], what an answer begins with, followed by its length: a uint64_t
  size_t answer_limit;      ///< longest answer that is taken [bytes], those 16 included
  double time_limit_s;      ///< above zero
} ts_helper_question;

typedef enum ts_helper_end {
  TS_HELPER_ANSWERED,  ///< wrote one whole answer
  TS_HELPER_GARBLED,   ///< wrote something else, or too much, and was killed
  TS_HELPER_EXITED,    ///< exited with status `code` without a whole answer; -1: not known
  TS_HELPER_SIGNALLED, ///< was ended by signal `code` without a whole answer
  TS_HELPER_TIMED_OUT  ///< was killed
} ts_helper_end;

typedef struct ts_helper_answer {
  ts_helper_end end;
  int code;
  const uint8_t *bytes; ///< [byte_count] in the arena, when it has answered
  size_t byte_count;
} ts_helper_answer;

/// Runs the helper to its end and says how it ended; a question that was answered before in this
/// run has the same answer without (geometry/mesh/helper_store.h). Its standard error is discarded;
/// it inherits the environment, but no other file, no ignored signal and no signal mask, and has a
/// process group of its own. When this returns, that group has been killed, the helper reaped and
/// every file closed. No signal reaches the caller: not SIGPIPE either. May be called from several
/// threads. TS_E_UNSUPPORTED: there is no such program. TS_E_IO: it cannot be started.
ts_status ts_helper_ask(ts_helper_answer *out, ts_arena *arena, const ts_helper_question *question);

/// The path of a program in the folder of the running one; NULL, with the detail line
/// set, when out of memory or the folder cannot be found out.
char *ts_helper_beside(ts_arena *arena, const char *name);

#endif
