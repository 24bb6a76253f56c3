// SPDX-License-Identifier: MIT
// What a region requires of a contact set, and how large it is.
#include "cases/scene/scene.h"

#include "geometry/polygon.h"
#include "geometry/tolerances.h"

bool ts_feasible_is_open(const ts_feasible *feasible, double tolerance_m) {
  return feasible->gap_m > tolerance_m;
}

static size_t closed_count(const ts_feasible_set *set, double tolerance_m) {
  size_t count = 0;
  for (size_t i = 0; i < set->count; i++)
    count += !ts_feasible_is_open(&set->normals[i], tolerance_m);
  return count;
}

size_t ts_region_needed_normals(const ts_region *region, ts_reference reference,
                                double tolerance_m) {
  if (region->needs_all)
    return closed_count(&region->feasible[reference], tolerance_m);
  const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
  return closed_count(all, tolerance_m) == all->count ? 1 : 0;
}

size_t ts_region_minimum(const ts_region *region, ts_reference reference, double tolerance_m) {
  return region->vertex_count * ts_region_needed_normals(region, reference, tolerance_m);
}

double ts_region_measure(const ts_region *region) {
  const ts_vec3 *v = region->vertices;
  if (region->kind == TS_REGION_POINT)
    return 1;
  if (region->kind == TS_REGION_SEGMENT)
    return ts_vec3_distance(v[0], v[1]);
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 1; i + 1 < region->vertex_count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(v[i], v[0]), ts_vec3_sub(v[i + 1], v[0])));
  return 0.5 * ts_vec3_norm(sum);
}

double ts_region_distance(const ts_region *region, ts_vec3 point) {
  double largest_gap_m = 0;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < region->feasible[r].count; i++)
      largest_gap_m = fmax(largest_gap_m, fabs(region->feasible[r].normals[i].gap_m));
  double distance_m = ts_convex_distance(point, region->vertices, region->vertex_count,
                                         region->feasible[TS_REFERENCE_DESIGN].normals[0].normal);
  return fmax(0, distance_m - 0.5 * largest_gap_m);
}

double ts_region_open_m(const ts_scene *scene, const ts_region *region) {
  const ts_body *a = &scene->bodies[region->body_a], *b = &scene->bodies[region->body_b];
  return scene->touch_relative * ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]);
}

ts_truth_totals ts_scene_truth_totals(const ts_scene *scene, ts_reference reference) {
  ts_truth_totals totals = {0};
  const ts_region *previous = NULL;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    size_t minimum = ts_region_minimum(region, reference, ts_region_open_m(scene, region));
    if (minimum == 0)
      continue;
    totals.pairs += previous == NULL || previous->body_a != region->body_a ||
                    previous->body_b != region->body_b;
    previous = region;
    totals.regions++;
    totals.minimum += minimum;
    if (region->kind == TS_REGION_POINT)
      totals.points++;
    else if (region->kind == TS_REGION_SEGMENT)
      totals.length_m += ts_region_measure(region);
    else
      totals.area_m2 += ts_region_measure(region);
  }
  return totals;
}
