// SPDX-License-Identifier: MIT
/// The order of methods that gives each its look, in plots and on the page.
#ifndef TS_HARNESS_METHOD_STYLES_H
#define TS_HARNESS_METHOD_STYLES_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// All methods there are, then those of the records [count] that came from elsewhere, in places
/// that their names ask for: a method looks the same whatever else is shown, and whether or not it
/// is loaded. `*out` [*out_count], in the arena; "" leaves a place free.
ts_status ts_method_styles_order(const char *const **out, size_t *out_count, ts_arena *arena,
                                 const ts_record *records, size_t count);

#endif
