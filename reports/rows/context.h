// SPDX-License-Identifier: MIT
/// The context of a run: the machine and software that the numbers were measured with.
#ifndef TS_REPORTS_CONTEXT_H
#define TS_REPORTS_CONTEXT_H

#include "base/arena.h"
#include "reports/rows/contact_kind.h"

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

/// Reads a context.json; `*out` is for json_decref(). TS_E_INPUT, saying what to do: no such file,
/// one that is too large or damaged, one of a schema version before TS_SCHEMA_VERSION_READ or after
/// TS_SCHEMA_VERSION.
ts_status ts_context_read(json_t **out, ts_arena *arena, const char *path);

/// A context and what messages call it.
typedef struct ts_named_context {
  const json_t *context;
  const char *name;
} ts_named_context;

/// Room for the words of a difference between two contexts.
#define TS_CONTEXT_DIFFERENCE_BYTES 512

/// Whether the numbers of two results, or just their times, do not compare, because build, C
/// library or architecture differ, or the CPU and its cores. Writes the first difference to `out`:
/// "build flags: "-O2" in a and "-O3" in b".
bool ts_context_other_numbers(char *out, size_t bytes, const ts_named_context *a,
                              const ts_named_context *b);
bool ts_context_other_times(char *out, size_t bytes, const ts_named_context *a,
                            const ts_named_context *b);

/// Makes the facts in `to` those of results of both: the earlier date, the names of all CPUs, null
/// for other facts that differ.
ts_status ts_context_join(json_t *to, const json_t *from);

/// The value of an option of the run that wrote a context, "16" of --jobs=16; NULL when the
/// context, which may be NULL, is not of a run or does not have the option. Borrowed.
const char *ts_context_option(const json_t *context, const char *name);

/// Which contacts the run that wrote a context put into contacts.csv.
ts_contacts_kept ts_context_contacts_kept(const json_t *context);

/// Appends a part to `parts` in the context of a run, which begins there or goes on at the cell
/// `first_cell` of its plan: {"first_cell", "options", and the facts that may differ between parts,
/// such as "date" and "machine": {"load_average"}}. The facts of the first part are those of the
/// context, of later ones those of now. `options` (an object, taken over even on failure) are those
/// that may be given anew when a run goes on. TS_E_MEMORY.
ts_status ts_context_add_part(json_t *context, size_t first_cell, json_t *options);

/// The parts of a run, an array, borrowed: objects as above, possibly with more in them. NULL: the
/// context, which may be NULL, is older than parts.
const json_t *ts_context_parts(const json_t *context);

/// Largest context.json that is read [bytes].
#define TS_CONTEXT_BYTES_MAX ((size_t)1 << 20)

/// Whether this program on this machine may resume results that were begun in `context`.
/// TS_E_INPUT, naming the differences and the `folder`, when version, commit, build, CPU, cores or
/// the C library differ: old and new rows would not be comparable.
ts_status ts_context_check(const json_t *context, const char *folder);

#endif
