// SPDX-License-Identifier: MIT
/// The memory of one call of generate(): the host's scratch, an arena. What a stage returns and its
/// private arrays are in it, until the call returns.
#ifndef TS_METHODS_SEMI_SCRATCH_H
#define TS_METHODS_SEMI_SCRATCH_H

#include "base/array.h"
#include "methods/method.h"

/// Zeroed memory; NULL, with the detail line set, when it is out.
void *ts_semi_scratch(const ts_host *host, size_t count, size_t size);

/// A ts_array_source; `context` points to a `const ts_host *`.
void *ts_semi_array_from_scratch(void *context, size_t bytes);

static inline ts_status ts_semi_array_grow(void *items, size_t item_bytes, size_t *capacity,
                                           size_t count, const ts_host *host) {
  return ts_array_grow(items, item_bytes, capacity, count, 1, ts_semi_array_from_scratch, &host);
}

/// Room for one more item in an array (base/array.h).
#define TS_SEMI_GROW(items, capacity, count, host)                                                 \
  ts_semi_array_grow(&(items), sizeof *(items), &(capacity), (count), (host))

#endif
