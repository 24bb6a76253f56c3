// SPDX-License-Identifier: MIT
/// Names for methods whose contacts are modified: in tables, plots and studies they stand beside
/// the method as one of its own.
#ifndef TS_REPORTS_MODIFIED_NAMES_H
#define TS_REPORTS_MODIFIED_NAMES_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// Writes the names of modifiers, as the column `modifiers` has them, without parameters:
/// "cones,reduce". Cut short where it does not fit; at least one byte.
void ts_modifier_names(char *out, size_t bytes, const char *modifiers);

/// Renames the method of each record [count] that has modifiers to "method+cones,reduce"; where
/// two records have the same names with other parameters, all of the text follows the plus sign.
/// Texts are in the arena. TS_E_MEMORY.
ts_status ts_name_modified(ts_record *records, size_t count, ts_arena *arena);

/// The name that a method had before that, in the arena; NULL when out of memory.
const char *ts_unmodified_name(ts_arena *arena, const char *method);

#endif
