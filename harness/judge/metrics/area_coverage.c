// SPDX-License-Identifier: MIT
/// How much of the touching area lies within the hull of the contacts.
///
/// For each kind of region (polygons, segments, points) the sum of the hulls' measures over the sum
/// of the true ones: area, length, or the number of points that have a contact. Where a scene mixes
/// kinds, which have no common unit, the ratios are weighted by the number of regions of each kind.
/// The projection is along the design normal under every reference, because it is the normal of the
/// region's plane. Of a place with arcs the truth is what its needed corners span.
#include "harness/judge/metrics/metric.h"

#include "base/status.h"
#include "geometry/polygon.h"

#include <math.h>

enum { KIND_COUNT = TS_REGION_POLYGON + 1 };

typedef struct sums {
  double covered[KIND_COUNT], truth[KIND_COUNT];
  size_t count[KIND_COUNT];
} sums;

static ts_status hull_measure(double *out, ts_arena *arena, const ts_region *region,
                              const ts_vec3 *points, size_t count) {
  switch (region->kind) {
  case TS_REGION_POINT:
    *out = count > 0 ? 1 : 0;
    return TS_OK;
  case TS_REGION_SEGMENT: {
    ts_vec3 along = ts_vec3_unit(ts_vec3_sub(region->vertices[1], region->vertices[0]));
    *out = ts_hull_length(points, count, along);
    return TS_OK;
  }
  case TS_REGION_POLYGON:
  default:
    return ts_hull_area(out, arena, points, count,
                        region->feasible[TS_REFERENCE_DESIGN].normals[0].normal);
  }
}

static ts_status add_region(sums *total, const ts_judgement *judgement, const ts_judged_pair *pair,
                            size_t index, ts_vec3 *points) {
  const ts_region *region = &judgement->scene->regions[index];
  size_t count = 0;
  for (size_t i = 0; i < pair->set->count; i++)
    if (ts_judged_serves(judgement, pair, i, index))
      points[count++] = pair->set->contacts[i].point;
  double covered;
  TS_TRY(hull_measure(&covered, judgement->arena, region, points, count));
  // Of a place with arcs few corners are needed, and what these span is all that is asked for.
  double truth = ts_region_measure(region);
  if (region->has_arcs) {
    size_t needed = 0;
    for (size_t v = 0; v < region->vertex_count; v++)
      if (!region->is_optional[v])
        points[needed++] = region->vertices[v];
    TS_TRY(hull_measure(&truth, judgement->arena, region, points, needed));
  }
  // More than all, by contacts off an eroded or dilated body, does not make up for another region;
  // in the published figures it does.
  bool is_published = judgement->scoring.rule == TS_RULE_PUBLISHED;
  total->covered[region->kind] += is_published ? covered : fmin(covered, truth);
  total->truth[region->kind] += truth;
  total->count[region->kind]++;
  return TS_OK;
}

/// Whether all of a region touches, so that a contact set has to cover it.
static bool touches_everywhere(const ts_judgement *judgement, const ts_judged_pair *pair,
                               const ts_region *region) {
  if (ts_region_needed_normals(region, judgement->scoring.reference, pair->limits) == 0)
    return false;
  const ts_feasible_set *set = &region->feasible[judgement->scoring.reference];
  for (size_t n = 0; n < set->count; n++)
    for (size_t v = 0; v < region->vertex_count; v++)
      if (!(region->has_arcs && region->is_optional[v]) &&
          !ts_feasible_is_open(&set->normals[n], pair->limits) &&
          !ts_region_corner_is_closed(region, &set->normals[n], v, pair->limits))
        return false;
  return true;
}

static ts_status add_pair(sums *total, const ts_judgement *judgement, const ts_judged_pair *pair) {
  ts_arena_mark mark = ts_arena_get_mark(judgement->arena);
  size_t room = pair->set->count;
  for (size_t r = 0; r < pair->region_count; r++)
    room += ts_judged_regions(judgement, pair)[r].vertex_count;
  ts_vec3 *points = ts_arena_array(judgement->arena, room, sizeof *points);
  ts_status status = points ? TS_OK : TS_E_MEMORY;
  for (size_t r = 0; status == TS_OK && r < pair->region_count; r++) {
    size_t index = pair->first_region + r;
    if (touches_everywhere(judgement, pair, &judgement->scene->regions[index]))
      status = add_region(total, judgement, pair, index, points);
  }
  ts_arena_rewind(judgement->arena, mark);
  return status;
}

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  sums total = {{0}, {0}, {0}};
  for (size_t p = 0; p < judgement->pair_count; p++)
    TS_TRY(add_pair(&total, judgement, &judgement->pairs[p]));
  double weighted = 0;
  size_t count = 0;
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    if (total.count[kind] == 0)
      continue;
    weighted += (double)total.count[kind] * (total.covered[kind] / total.truth[kind]);
    count += total.count[kind];
  }
  record->area_coverage = count > 0 ? weighted / (double)count : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_area_coverage;
const ts_metric ts_metric_area_coverage = {
    .name = "area_coverage",
    .unit = "",
    .needs = "regions",
    .summary = "Area of the hulls of the contacts over the true area; length for segments, 1 or 0 "
               "for points.",
    .source = "Erleben 2018, Eq. 3, 5 and 8",
    .compute = compute,
};
