// SPDX-License-Identifier: MIT
#include "harness/controls/ideal.h"

#include "geometry/tolerances.h"

#include <math.h>

/// How many normals a region gets contacts along: those that are not open.
static size_t wanted(const ts_cell_host *host, const ts_region *region, ts_touch_limits limits) {
  return ts_region_is_open(region, host->reference, limits) ? 0
         : region->needs_all ? region->feasible[host->reference].count
                             : 1;
}

static size_t needed(const ts_cell_host *host, const ts_region *region, ts_touch_limits limits) {
  return ts_region_needed_normals(region, host->reference, limits);
}

/// Whether this is the first region of the scene that needs a contact. Stops at the first that
/// does.
static bool none_before(const ts_cell_host *host, const ts_region *region) {
  for (const ts_region *r = host->scene->regions; r < region; r++)
    if (needed(host, r, ts_region_limits(host->scene, r)) > 0)
      return false;
  return true;
}

static void add_region(ts_ideal *out, const ts_cell_host *host, const ts_region *region,
                       ts_touch_limits limits) {
  const ts_feasible_set *set = &region->feasible[host->reference];
  size_t left = wanted(host, region, limits);
  for (size_t n = 0; n < set->count && left > 0; n++) {
    if (ts_feasible_is_open(&set->normals[n], limits))
      continue;
    for (size_t v = 0; v < region->vertex_count; v++) {
      if (region->has_arcs && region->is_optional[v])
        continue;
      out->contacts[out->count++] =
          (ts_contact){.point = region->vertices[v],
                       .normal = set->normals[n].normal,
                       .gap_m = ts_feasible_gap_at(&set->normals[n], region->vertices[v]),
                       .area_m2 = NAN};
    }
    left--;
  }
}

ts_status ts_ideal_contacts(ts_ideal *out, const ts_host *host, const ts_pair *pair) {
  const ts_cell_host *cell = (const ts_cell_host *)host;
  ts_touch_limits limits = ts_touch_limits_of(cell->scene, pair->size_m);
  size_t count, room = 0;
  const ts_region *regions = ts_scene_pair_regions(&count, cell->scene, pair->body_a, pair->body_b);
  for (size_t i = 0; i < count; i++)
    room += regions[i].vertex_count * regions[i].feasible[cell->reference].count;
  *out = (ts_ideal){.contacts = host->scratch(host, room * sizeof *out->contacts)};
  if (!out->contacts)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) {
    bool is_first =
        out->count == 0 && needed(cell, &regions[i], limits) > 0 && none_before(cell, &regions[i]);
    add_region(out, cell, &regions[i], limits);
    if (is_first) {
      out->first_region = &regions[i];
      out->first_region_count = out->count;
    }
  }
  return TS_OK;
}
