// SPDX-License-Identifier: MIT
/// Answers that helper programs have given, for all processes of a run: each case runs once for
/// each method, in a process of its own, and would fill the same shapes with the same tets.
///
/// The store is memory that this process shares with those it forks. An answer is given for the
/// very bytes of its question only, and only as it was: an entry that a process has not finished,
/// or that has changed since, counts as none. Between calls the memory is out of reach, so that
/// what runs in a process, a method for instance, cannot spoil it by accident. Nothing depends on
/// the store but time: without one, and when it is full, helpers are asked.
#ifndef TS_GEOMETRY_HELPER_STORE_H
#define TS_GEOMETRY_HELPER_STORE_H

#include "geometry/mesh/helper_process.h"

#include <stdbool.h>

/// Opens the store of this process and of those that it forks from now on, unless it has one.
/// Without memory for it there is none.
void ts_helper_store_open(void);

/// Closes it in this process.
void ts_helper_store_close(void);

/// Whether the question has been answered before; then `*out` is that answer, in the arena. May be
/// called from several threads, as the next.
bool ts_helper_store_find(ts_helper_answer *out, ts_arena *arena,
                          const ts_helper_question *question);

/// Keeps an answer, unless there is no room. The helper must have given it (TS_HELPER_ANSWERED).
void ts_helper_store_keep(const ts_helper_question *question, const ts_helper_answer *answer);

#endif
