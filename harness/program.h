// SPDX-License-Identifier: MIT
/// What each program does before and after its command.
#ifndef TS_HARNESS_PROGRAM_H
#define TS_HARNESS_PROGRAM_H

#include "base/types.h"

#include <stdbool.h>

/// Opens standard files that are closed, and ignores signals that would end a run by one failed
/// write. False, with a message, when there is no standard output.
bool ts_program_start(void);

/// Flushes standard output, prints the detail line of a `status` that is an error, and ends the
/// program, with `exit_status` if all went well; without what plug-ins have registered for the end,
/// which would write after the results. Returns that status in a build with AddressSanitizer.
int ts_program_end(ts_status status, int exit_status);

#endif
