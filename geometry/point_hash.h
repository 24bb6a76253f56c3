// SPDX-License-Identifier: MIT
/// Numbered points, to be found again by where they are: a hash of cells.
#ifndef TS_GEOMETRY_POINT_HASH_H
#define TS_GEOMETRY_POINT_HASH_H

#include "base/array.h"
#include "base/types.h"

#include <stdbool.h>

typedef struct ts_point_hash {
  double cell_m;
  size_t bucket_count; ///< a power of two
  size_t *first;       ///< [bucket_count] the point added last, plus 1; 0: none
  size_t *next;        ///< [capacity] the one added to the same bucket before, likewise
} ts_point_hash;

/// Room for the points 0 to `capacity` - 1, in memory of `source`; none is there yet. `near_m` is
/// above 0. TS_E_MEMORY when the source has none.
ts_status ts_point_hash_create(ts_point_hash *out, size_t capacity, double near_m,
                               ts_array_source *source, void *context);

/// Adds a point that has not been added, in any frame that all of them have.
void ts_point_hash_add(ts_point_hash *hash, ts_vec3 point, size_t index);

/// Whether `is_it` says so of a point that was added. It is asked about all those within `near_m`
/// of `point`, and some others, until it says so.
bool ts_point_hash_any(const ts_point_hash *hash, ts_vec3 point,
                       bool (*is_it)(const void *context, size_t index), const void *context);

#endif
