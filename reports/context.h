/// What the numbers were measured on and with.
#ifndef TS_REPORTS_CONTEXT_H
#define TS_REPORTS_CONTEXT_H

#include <jansson.h>

/// A new object, owned by the caller, NULL when memory is out: program, version, commit ("unknown"
/// without git, "-dirty" when files differ from it), date (UTC, ISO 8601), the arguments [count] of
/// the command, build (compiler, type, flags, sanitizers), machine (CPU, cores, memory, kernel,
/// distribution, load average), library versions, clock resolution [ns], locale. What the machine
/// does not tell is null or "unknown".
///
/// It holds no host or user name, and of an argument that is an absolute path ("/x/y",
/// "--out=/x/y") only the last part, for results get published.
json_t *ts_context_create(int argument_count, char *const *arguments);

#endif
