// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_places.h"

#include "base/status.h"

#include <math.h>

typedef struct cell {
  int64_t at[3];
} cell;

static cell cell_of(const ts_semi_places *places, ts_vec3 p) {
  return (cell){{(int64_t)floor(p.x / places->cell_m), (int64_t)floor(p.y / places->cell_m),
                 (int64_t)floor(p.z / places->cell_m)}};
}

static size_t bucket_of(const ts_semi_places *places, cell c) {
  uint64_t hash = 0;
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ (uint64_t)c.at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return (size_t)hash & (places->bucket_count - 1);
}

ts_status ts_semi_places_create(ts_semi_places *out, const ts_host *host, size_t capacity,
                                double near_m) {
  // Twice as wide as near: rounding does not put two points that are near two cells apart.
  *out = (ts_semi_places){.cell_m = 2 * near_m, .bucket_count = 1};
  while (out->bucket_count < capacity)
    out->bucket_count *= 2;
  out->first = ts_semi_scratch(host, out->bucket_count, sizeof *out->first);
  out->next = ts_semi_scratch(host, capacity, sizeof *out->next);
  return out->first && out->next ? TS_OK : TS_E_MEMORY;
}

void ts_semi_places_add(ts_semi_places *places, ts_vec3 point, size_t index) {
  size_t bucket = bucket_of(places, cell_of(places, point));
  places->next[index] = places->first[bucket];
  places->first[bucket] = index + 1;
}

bool ts_semi_places_any(const ts_semi_places *places, ts_vec3 point,
                        bool (*is_it)(const void *context, size_t index), const void *context) {
  cell middle = cell_of(places, point);
  for (int i = 0; i < 27; i++) {
    cell c = {{middle.at[0] + i % 3 - 1, middle.at[1] + i / 3 % 3 - 1, middle.at[2] + i / 9 - 1}};
    for (size_t k = places->first[bucket_of(places, c)]; k; k = places->next[k - 1])
      if (is_it(context, k - 1))
        return true;
  }
  return false;
}
