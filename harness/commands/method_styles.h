// SPDX-License-Identifier: MIT
/// The order of methods that determines the style of each, in plots and on the HTML page.
#ifndef TS_HARNESS_METHOD_STYLES_H
#define TS_HARNESS_METHOD_STYLES_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// All known methods, then the unknown ones of the records [count], in slots chosen by a hash of
/// their names: a method keeps its style whatever else is shown, and whether or not it is loaded.
/// `*out` [*out_count], in the arena; "" is a free slot.
ts_status ts_method_styles_order(const char *const **out, size_t *out_count, ts_arena *arena,
                                 const ts_record *records, size_t count);

#endif
