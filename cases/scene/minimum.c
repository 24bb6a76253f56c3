// SPDX-License-Identifier: MIT
// The least number of contacts that represents the regions of a pair.
//
// Each corner of a region asks for contacts there: one along each needed normal, or one along any
// of them. One contact can answer only what is asked at its own place, so that the corners of all
// regions that are one place are a problem of their own: the fewest normals such that each demand
// has one of its own (base/hitting_set.h). Demands beyond DEMANDS_MAX at a place, or normals beyond
// NORMALS_MAX, are counted each on its own: never too few.
#include "base/hitting_set.h"
#include "cases/scene/scene.h"
#include "geometry/tolerances.h"

enum { DEMANDS_MAX = TS_HITTING_SETS_MAX, NORMALS_MAX = 64 };

/// What is asked for at one place. Bit n of a demand: the distinct normal n will do.
typedef struct place {
  int normal_count, demand_count;
  ts_vec3 normals[NORMALS_MAX];
  uint64_t demands[DEMANDS_MAX];
  size_t beyond; ///< that found no room
} place;

/// Bit of a normal; 0 when there is no room.
static uint64_t bit_of(place *p, ts_vec3 normal) {
  int n = 0;
  while (n < p->normal_count && !(1 - ts_vec3_dot(p->normals[n], normal) <= TS_NORMAL_TOLERANCE))
    n++;
  if (n == NORMALS_MAX)
    return 0;
  if (n == p->normal_count)
    p->normals[p->normal_count++] = normal;
  return (uint64_t)1 << n;
}

static void add_demand(place *p, uint64_t normals) {
  if (normals == 0 || p->demand_count == DEMANDS_MAX)
    p->beyond++;
  else
    p->demands[p->demand_count++] = normals;
}

/// Which corners are asked about, and how.
typedef struct question {
  ts_reference reference;
  ts_touch_limits limits;
  ts_corner_set corners;
} question;

/// Whether a contact along the normal is asked for at a corner: along an arc only where it is
/// needed, since one there stands for those between.
static bool is_asked(const question *q, const ts_region *region, const ts_feasible *feasible,
                     size_t corner) {
  if (region->has_arcs && region->is_optional[corner])
    return false;
  return q->corners == TS_CORNERS_ALL
             ? !ts_feasible_is_open(feasible, q->limits)
             : ts_region_corner_is_closed(region, feasible, corner, q->limits);
}

/// Whether a contact is asked for at a corner of a region where any one normal will do: all of them
/// touch there.
static bool is_any_asked(const question *q, const ts_region *region, size_t corner) {
  const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
  for (size_t i = 0; i < all->count; i++)
    if (!is_asked(q, region, &all->normals[i], corner))
      return false;
  return true;
}

/// What a corner of a region asks for. Counts it, and adds it to a place unless that is NULL.
static size_t add_demands(place *p, const question *q, const ts_region *region, size_t corner) {
  const ts_feasible_set *set = &region->feasible[q->reference];
  size_t count = 0;
  uint64_t any = 0;
  if (!region->needs_all && !is_any_asked(q, region, corner))
    return 0;
  for (size_t i = 0; i < set->count; i++) {
    if (region->needs_all && !is_asked(q, region, &set->normals[i], corner))
      continue;
    uint64_t bit = p ? bit_of(p, set->normals[i].normal) : 0;
    if (p && region->needs_all)
      add_demand(p, bit);
    any |= bit;
    count++;
  }
  if (p && !region->needs_all)
    add_demand(p, any);
  return region->needs_all ? count : 1;
}

/// The fewest contacts at a place.
static size_t fewest_contacts(const place *p) {
  size_t count = p->beyond;
  for (uint64_t normals = ts_hitting_set(p->demands, (size_t)p->demand_count); normals;
       normals &= normals - 1)
    count++;
  return count;
}

/// The corner of a region at a place; its vertex_count when there is none.
static size_t corner_at(const ts_region *region, ts_vec3 at, double tolerance_m) {
  size_t v = 0;
  while (v < region->vertex_count && !(ts_vec3_distance(region->vertices[v], at) <= tolerance_m))
    v++;
  return v;
}

static size_t region_minimum(const question *q, const ts_region *region) {
  size_t count = 0;
  for (size_t v = 0; v < region->vertex_count; v++)
    count += add_demands(NULL, q, region, v);
  return count;
}

size_t ts_region_minimum(const ts_region *region, ts_reference reference, ts_touch_limits limits) {
  const question q = {reference, limits, TS_CORNERS_CLOSED};
  return region_minimum(&q, region);
}

size_t ts_regions_minimum(const ts_region *regions, size_t count, ts_reference reference,
                          ts_touch_limits limits, ts_corner_set corners) {
  const question q = {reference, limits, corners};
  if (count == 1)
    return region_minimum(&q, regions);
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t v = 0; v < regions[i].vertex_count; v++) {
      bool is_counted = add_demands(NULL, &q, &regions[i], v) == 0;
      place here = {0};
      for (size_t k = 0; k < count && !is_counted; k++) {
        size_t corner = k == i ? v : corner_at(&regions[k], regions[i].vertices[v], limits.open_m);
        if (corner < regions[k].vertex_count)
          is_counted = add_demands(&here, &q, &regions[k], corner) > 0 && k < i;
      }
      if (!is_counted)
        sum += fewest_contacts(&here);
    }
  }
  return sum;
}
