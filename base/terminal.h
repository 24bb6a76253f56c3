// SPDX-License-Identifier: MIT
/// The terminal that a stream leads to.
#ifndef TS_BASE_TERMINAL_H
#define TS_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Width of the terminal behind a file: COLUMNS if that is set to a number from 1 to 10000, else
/// what the terminal reports. `otherwise` when it is not a terminal or reports none.
size_t ts_terminal_width(FILE *file, size_t otherwise);

/// Whether a file is a terminal that can move its cursor (TERM is set and not "dumb").
bool ts_terminal_is_capable(FILE *file);

#endif
