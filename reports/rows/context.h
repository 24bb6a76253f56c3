// SPDX-License-Identifier: MIT
/// The context of a run: the machine and software that the numbers were measured with.
#ifndef TS_REPORTS_CONTEXT_H
#define TS_REPORTS_CONTEXT_H

#include "base/types.h"

#include <jansson.h>
#include <stdbool.h>

/// A new object, owned by the caller, NULL when out of memory: program, version, commit ("unknown"
/// without git; with "-dirty" and a hash of the difference when files differ from it), date (UTC,
/// ISO 8601), build (compiler, type, flags, sanitizers), machine (CPU, cores, memory, kernel,
/// distribution, load average), library versions, clock resolution [ns], locale, and the arguments
/// [count] of the command. Facts that are not available are null or "unknown".
///
/// It contains no host or user name, and only the last part of arguments that are absolute paths
/// ("/x/y", "--out=/x/y"), because results get published.
json_t *ts_context_create(int argument_count, char *const *arguments);

/// Largest context.json that is read [bytes].
#define TS_CONTEXT_BYTES_MAX ((size_t)1 << 20)

/// Whether this program on this machine may resume results that were begun in `context`.
/// TS_E_INPUT, naming the differences and the `folder`, when version, commit, build, CPU, cores or
/// the C library differ: old and new rows would not be comparable.
ts_status ts_context_check(const json_t *context, const char *folder);

#define TS_CONTEXT_DIFFERENCE_BYTES 512

/// Whether two contexts differ in a fact that numbers or times depend on: of the machine, or of the
/// program. `out` then has the first one with both values; else "".
bool ts_context_differ(char out[TS_CONTEXT_DIFFERENCE_BYTES], const json_t *a, const json_t *b,
                       bool of_machine);

#endif
