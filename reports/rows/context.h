// SPDX-License-Identifier: MIT
/// What the numbers were measured on and with.
#ifndef TS_REPORTS_CONTEXT_H
#define TS_REPORTS_CONTEXT_H

#include "base/types.h"

#include <jansson.h>

/// A new object, owned by the caller, NULL when memory is out: program, version, commit ("unknown"
/// without git; "-dirty" and a fingerprint of the difference when files differ from it), date (UTC,
/// ISO 8601), build (compiler, type, flags, sanitizers), machine (CPU, cores, memory, kernel,
/// distribution, load average), library versions, clock resolution [ns], locale, and the arguments
/// [count] of the command. What the machine does not tell is null or "unknown".
///
/// It holds no host or user name, and of an argument that is an absolute path ("/x/y",
/// "--out=/x/y") only the last part, for results get published.
json_t *ts_context_create(int argument_count, char *const *arguments);

/// Largest context.json that is read [bytes].
#define TS_CONTEXT_BYTES_MAX ((size_t)1 << 20)

/// Whether results that were begun in `context` may be gone on with by this program on this
/// machine. TS_E_INPUT, naming what differs and the `folder`, when version, commit, build, CPU,
/// cores or the C library are others: rows before and after would not compare.
ts_status ts_context_check(const json_t *context, const char *folder);

#endif
