// SPDX-License-Identifier: MIT
#include "cases/truth/told_truth.h"

#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <string.h>

/// The regions of a pair.
typedef struct regions {
  size_t count;
  const ts_region *items; ///< [count]
} regions;

static regions of_pair(const ts_scene *scene, int32_t body_a, int32_t body_b) {
  regions out;
  out.items = ts_scene_pair_regions(&out.count, scene, body_a, body_b);
  return out;
}

static bool has_normal(const ts_feasible_set *set, ts_vec3 normal) {
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_dot(set->normals[i].normal, normal) >= 1 - TS_NORMAL_TOLERANCE)
      return true;
  return false;
}

static bool has_at(regions of, ts_reference reference, ts_vec3 corner, ts_vec3 normal,
                   double tolerance_m) {
  for (size_t i = 0; i < of.count; i++)
    if (ts_region_distance(&of.items[i], corner) <= tolerance_m &&
        has_normal(&of.items[i].feasible[reference], normal))
      return true;
  return false;
}

/// Whether `other` has all normals of `of` at their corners.
static bool holds(regions of, regions other, ts_reference reference, double tolerance_m) {
  for (size_t i = 0; i < of.count; i++) {
    const ts_region *region = &of.items[i];
    const ts_feasible_set *set = &region->feasible[reference];
    for (size_t n = 0; n < set->count; n++)
      for (size_t v = 0; v < region->vertex_count; v++)
        if (!has_at(other, reference, region->vertices[v], set->normals[n].normal, tolerance_m))
          return false;
  }
  return true;
}

static bool is_told(regions told, regions derived, ts_touch_limits limits) {
  static const ts_reference references[] = {TS_REFERENCE_DESIGN, TS_REFERENCE_FEASIBLE};
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    ts_reference r = references[i];
    if (ts_regions_minimum(told.items, told.count, r, limits, TS_CORNERS_CLOSED) !=
            ts_regions_minimum(derived.items, derived.count, r, limits, TS_CORNERS_CLOSED) ||
        !holds(told, derived, r, 2 * limits.open_m) || !holds(derived, told, r, 2 * limits.open_m))
      return false;
  }
  return true;
}

static int compare_pairs(const ts_region *l, const ts_region *r) {
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  return (l->body_b > r->body_b) - (l->body_b < r->body_b);
}

static bool is_unknown(const ts_told_truth *truth, int32_t body_a, int32_t body_b) {
  for (size_t i = 0; i < truth->unknown_count; i++)
    if (truth->unknown[i].body_a == body_a && truth->unknown[i].body_b == body_b)
      return true;
  return false;
}

/// Notes the pairs of either truth that are not the same in both, and those that are unknown as
/// told. NULL `derived`: all, for `reason`.
static ts_status compare(ts_told_truth *out, ts_arena *arena, const ts_scene *told,
                         const ts_scene *derived, const char *reason) {
  size_t derived_count = derived ? derived->region_count : 0;
  ts_unknown_pair *unknown = ts_arena_array(
      arena, told->region_count + derived_count + told->unknown_count, sizeof *unknown);
  if (!unknown)
    return TS_E_MEMORY;
  out->unknown = unknown;
  for (size_t i = 0, k = 0; i < told->region_count || k < derived_count;) {
    const ts_region *t = i < told->region_count ? &told->regions[i] : NULL;
    const ts_region *d = k < derived_count ? &derived->regions[k] : NULL;
    const ts_region *first = !d || (t && compare_pairs(t, d) <= 0) ? t : d;
    int32_t a = first->body_a, b = first->body_b;
    regions of_told = of_pair(told, a, b), of_derived = {0, NULL};
    if (derived)
      of_derived = of_pair(derived, a, b);
    ts_touch_limits limits = ts_region_limits(told, first);
    if (!derived || !is_told(of_told, of_derived, limits))
      unknown[out->unknown_count++] = (ts_unknown_pair){a, b, reason};
    i += of_told.count;
    k += of_derived.count;
  }
  for (size_t i = 0; i < told->unknown_count; i++)
    if (!is_unknown(out, told->unknown[i].body_a, told->unknown[i].body_b))
      unknown[out->unknown_count++] = told->unknown[i];
  ts_unknown_pairs_sort(unknown, out->unknown_count);
  return TS_OK;
}

static void drop_unknown_joints(ts_scene *scene, const ts_told_truth *truth) {
  size_t kept = 0;
  for (size_t i = 0; i < scene->joint_count; i++)
    if (!is_unknown(truth, scene->joints[i].body_a, scene->joints[i].body_b))
      scene->joints[kept++] = scene->joints[i];
  scene->joint_count = kept;
}

ts_status ts_told_truth_find(ts_told_truth *out, ts_arena *arena, const ts_scene *told) {
  ts_scene *scene;
  *out = (ts_told_truth){.scene = told};
  TS_TRY(ts_scene_move(&scene, arena, told, told->bodies));
  ts_status status = ts_derive_truth(scene, told->touch_relative);
  if (status == TS_E_MEMORY)
    return status;
  if (status != TS_OK) {
    const char *reason =
        ts_arena_format(arena,
                        "a file told it for the bodies as built, and it cannot be derived "
                        "from their surfaces: %s",
                        ts_status_detail());
    return reason ? compare(out, arena, told, NULL, reason) : TS_E_MEMORY;
  }
  TS_TRY(compare(out, arena, told, scene,
                 "a file told it for the bodies as built, and their surfaces say something else"));
  drop_unknown_joints(scene, out);
  out->scene = scene;
  return TS_OK;
}
