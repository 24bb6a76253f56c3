// SPDX-License-Identifier: MIT
/// What each program does before and after its command.
#ifndef TS_HARNESS_PROGRAM_H
#define TS_HARNESS_PROGRAM_H

#include "base/types.h"

#include <stdbool.h>

/// Opens standard files that are closed, and ignores signals that would end a run by one failed
/// write. False, with a message, when there is no standard output.
bool ts_program_start(void);

/// Flushes standard output and prints the detail line of a `status` that is an error. The exit
/// status of the program, `exit_status` if all went well.
int ts_program_end(ts_status status, int exit_status);

#endif
