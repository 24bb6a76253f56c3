// SPDX-License-Identifier: MIT
/// Passes on to standard error what another process writes to its own, up to a limit: code that is
/// not the program's may write there without end.
#ifndef TS_BASE_ERROR_RELAY_H
#define TS_BASE_ERROR_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/// Bytes that are passed on.
#define TS_ERROR_RELAY_BYTES_MAX 65536

typedef struct ts_error_relay {
  const char *who; ///< borrowed: who writes, for the message that the rest is not shown
  int file;        ///< reading end of a pipe; -1: every process has closed the other
  size_t bytes;    ///< passed on
  bool is_dropping;
} ts_error_relay;

/// Opens the pipe. `*out_end` is its writing end, to be the standard error of the other process and
/// to be closed in this one. 0, or the errno for which there is no pipe.
int ts_error_relay_open(ts_error_relay *out, int *out_end, const char *who);

/// To be waited for: is readable when something can be passed on.
struct pollfd ts_error_relay_poll(const ts_error_relay *relay);

/// Passes on what is there and standard error takes now. Does not wait.
void ts_error_relay_pass(ts_error_relay *relay);

/// Passes on what processes that have ended have left, and closes the pipe.
void ts_error_relay_close(ts_error_relay *relay);

#endif
