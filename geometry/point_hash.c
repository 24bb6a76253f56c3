// SPDX-License-Identifier: MIT
#include "geometry/point_hash.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

/// Whole numbers, as doubles: points may be any number of cells from the origin.
static ts_vec3 cell_of(const ts_point_hash *hash, ts_vec3 p) {
  return (ts_vec3){floor(p.x / hash->cell_m), floor(p.y / hash->cell_m), floor(p.z / hash->cell_m)};
}

static size_t bucket_of(const ts_point_hash *hash, ts_vec3 cell) {
  const double at[3] = {cell.x + 0.0, cell.y + 0.0, cell.z + 0.0}; // no -0
  uint64_t bits = ts_hash_bytes(TS_HASH_START, at, sizeof at);
  return (size_t)(bits ^ bits >> 32) & (hash->bucket_count - 1);
}

ts_status ts_point_hash_create(ts_point_hash *out, size_t capacity, double near_m,
                               ts_array_source *source, void *context) {
  // Twice as wide as near: rounding does not put two points that are near two cells apart.
  *out = (ts_point_hash){.cell_m = 2 * near_m, .bucket_count = 1};
  while (out->bucket_count < capacity)
    out->bucket_count *= 2;
  out->first = source(context, out->bucket_count * sizeof *out->first);
  out->next = source(context, capacity * sizeof *out->next);
  if (!out->first || !out->next)
    return TS_E_MEMORY;
  memset(out->first, 0, out->bucket_count * sizeof *out->first);
  return TS_OK;
}

void ts_point_hash_add(ts_point_hash *hash, ts_vec3 point, size_t index) {
  size_t bucket = bucket_of(hash, cell_of(hash, point));
  hash->next[index] = hash->first[bucket];
  hash->first[bucket] = index + 1;
}

bool ts_point_hash_any(const ts_point_hash *hash, ts_vec3 point,
                       bool (*is_it)(const void *context, size_t index), const void *context) {
  ts_vec3 middle = cell_of(hash, point);
  for (int i = 0; i < 27; i++) {
    ts_vec3 cell = {middle.x + i % 3 - 1, middle.y + i / 3 % 3 - 1, middle.z + i / 9 - 1};
    for (size_t k = hash->first[bucket_of(hash, cell)]; k; k = hash->next[k - 1])
      if (is_it(context, k - 1))
        return true;
  }
  return false;
}
