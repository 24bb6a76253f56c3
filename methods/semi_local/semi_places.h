// SPDX-License-Identifier: MIT
/// Numbered points, to be found again by where they are: a hash of cells.
#ifndef TS_METHODS_SEMI_PLACES_H
#define TS_METHODS_SEMI_PLACES_H

#include "base/types.h"
#include "methods/semi_local/semi_scratch.h"

#include <stdbool.h>

typedef struct ts_semi_places {
  double cell_m;
  size_t bucket_count; ///< a power of two
  size_t *first;       ///< [bucket_count] the last one added, plus 1; 0: none
  size_t *next;        ///< [capacity] the one added before it to the same bucket, likewise
} ts_semi_places;

/// Room for the points 0 to `capacity` - 1, in the host's scratch; none is there yet. `near_m` is
/// above 0.
ts_status ts_semi_places_create(ts_semi_places *out, const ts_host *host, size_t capacity,
                                double near_m);

/// Adds a point that has not been added.
void ts_semi_places_add(ts_semi_places *places, ts_vec3 point, size_t index);

/// Whether `is_it` says so of a point, of all those within `near_m` of another one and some more.
/// The order in which it is asked hangs on the order in which they were added.
bool ts_semi_places_any(const ts_semi_places *places, ts_vec3 point,
                        bool (*is_it)(const void *context, size_t index), const void *context);

#endif
