// SPDX-License-Identifier: MIT
// What a region requires of a contact set, and how large it is.
#include "cases/scene/scene.h"

#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

double ts_feasible_gap_at(const ts_feasible *feasible, ts_vec3 point) {
  ts_vec3 from = ts_vec3_sub(point, feasible->gap_at);
  // As designed the gap is the same everywhere, also at a point that is not finite.
  bool is_constant = ts_vec3_norm2(feasible->gap_slope) == 0;
  return feasible->gap_m + (is_constant ? 0 : ts_vec3_dot(feasible->gap_slope, from));
}

bool ts_feasible_is_open(const ts_feasible *feasible, ts_touch_limits limits) {
  return feasible->gap_m > limits.open_m;
}

bool ts_region_corner_is_closed(const ts_region *region, const ts_feasible *feasible, size_t corner,
                                ts_touch_limits limits) {
  return !(region->is_optional && region->is_optional[corner]) &&
         ts_feasible_gap_at(feasible, region->vertices[corner]) <= limits.closed_m;
}

/// How many normals are apart by no more than `gap_m` somewhere.
static size_t count_within(const ts_feasible_set *set, double gap_m) {
  size_t count = 0;
  for (size_t i = 0; i < set->count; i++)
    count += set->normals[i].gap_m <= gap_m;
  return count;
}

/// Normals needed where what is within `gap_m` touches.
static size_t needed_within(const ts_region *region, ts_reference reference, double gap_m) {
  if (region->needs_all)
    return count_within(&region->feasible[reference], gap_m);
  const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
  return count_within(all, gap_m) == all->count ? 1 : 0;
}

bool ts_region_is_open(const ts_region *region, ts_reference reference, ts_touch_limits limits) {
  return needed_within(region, reference, limits.open_m) == 0;
}

size_t ts_region_needed_normals(const ts_region *region, ts_reference reference,
                                ts_touch_limits limits) {
  return needed_within(region, reference, limits.closed_m);
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

double ts_region_largest_gap(const ts_region *region) {
  double largest_m = 0;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < region->feasible[r].count; i++)
      for (size_t v = 0; v < region->vertex_count; v++)
        largest_m =
            fmax(largest_m,
                 fabs(ts_feasible_gap_at(&region->feasible[r].normals[i], region->vertices[v])));
  return largest_m;
}

double ts_region_distance(const ts_region *region, ts_vec3 point) {
  ts_vec3 normal = region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
  double distance_m = INFINITY;
  if (region->piece_count == 0 || !ts_vec3_is_finite(point))
    distance_m = ts_convex_distance(point, region->vertices, region->vertex_count, normal);
  for (size_t i = 0; i < region->piece_count && distance_m > 0; i++)
    distance_m = fmin(distance_m, ts_convex_distance(point, region->pieces[i].vertices,
                                                     region->pieces[i].count, normal));
  if (!(distance_m > 0)) // corners, most often
    return 0;
  double largest_m = 0; // of the gaps there, but no larger than within the region
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < region->feasible[r].count; i++)
      largest_m = fmax(largest_m, fabs(ts_feasible_gap_at(&region->feasible[r].normals[i], point)));
  if (largest_m > 0)
    largest_m = fmin(largest_m, ts_region_largest_gap(region));
  return fmax(0, distance_m - 0.5 * largest_m);
}

ts_status ts_region_copy(ts_region *region, ts_arena *arena) {
  region->vertices =
      ts_arena_copy(arena, region->vertices, region->vertex_count, sizeof *region->vertices);
  region->pieces =
      ts_arena_copy(arena, region->pieces, region->piece_count, sizeof *region->pieces);
  bool had_optional = region->is_optional != NULL;
  if (had_optional)
    region->is_optional = ts_arena_copy(arena, region->is_optional, region->vertex_count,
                                        sizeof *region->is_optional);
  bool is_complete = region->vertices && region->pieces && (region->is_optional || !had_optional);
  for (size_t p = 0; is_complete && p < region->piece_count; p++) {
    ts_polygon *piece = &region->pieces[p];
    piece->vertices = ts_arena_copy(arena, piece->vertices, piece->count, sizeof *piece->vertices);
    is_complete = piece->vertices != NULL;
  }
  for (int r = 0; is_complete && r < TS_REFERENCE_COUNT; r++) {
    ts_feasible_set *set = &region->feasible[r];
    set->normals = ts_arena_copy(arena, set->normals, set->count, sizeof *set->normals);
    is_complete = set->normals != NULL;
  }
  return is_complete ? TS_OK : TS_E_MEMORY;
}

ts_status ts_region_join(ts_region *regions, size_t count, ts_arena *arena, double tolerance_m) {
  if (count < 2)
    return TS_OK;
  size_t corner_count = 0, largest = 0;
  for (size_t i = 0; i < count; i++) {
    corner_count += regions[i].vertex_count;
    if (ts_region_measure(&regions[i]) > ts_region_measure(&regions[largest]))
      largest = i;
  }
  ts_vec3 *corners = ts_arena_array(arena, corner_count, sizeof *corners);
  ts_vec3 *hull = ts_arena_array(arena, corner_count, sizeof *hull);
  ts_polygon *pieces = ts_arena_array(arena, count, sizeof *pieces);
  if (!corners || !hull || !pieces)
    return TS_E_MEMORY;
  size_t k = 0;
  for (size_t i = 0; i < count; i++) {
    pieces[i] = (ts_polygon){regions[i].vertex_count, regions[i].vertices};
    for (size_t v = 0; v < regions[i].vertex_count; v++)
      corners[k++] = regions[i].vertices[v];
  }
  ts_region joined = regions[largest];
  joined.vertices = hull;
  joined.piece_count = count;
  joined.pieces = pieces;
  TS_TRY(ts_hull_in_plane(hull, &joined.vertex_count, arena, corners, corner_count,
                          joined.feasible[TS_REFERENCE_DESIGN].normals[0].normal, tolerance_m));
  regions[0] = joined;
  return TS_OK;
}

ts_touch_limits ts_touch_limits_of(const ts_scene *scene, double pair_size_m) {
  double closed = scene->truth_is_moved ? scene->closed_relative : scene->touch_relative;
  return (ts_touch_limits){closed * pair_size_m, scene->touch_relative * pair_size_m};
}

ts_touch_limits ts_region_limits(const ts_scene *scene, const ts_region *region) {
  const ts_body *a = &scene->bodies[region->body_a], *b = &scene->bodies[region->body_b];
  return ts_touch_limits_of(scene,
                            ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]));
}

ts_truth_totals ts_scene_truth_totals(const ts_scene *scene, ts_reference reference) {
  ts_truth_totals totals = {0};
  for (size_t first = 0, count; first < scene->region_count; first += count) {
    const ts_region *of = &scene->regions[first];
    for (count = 1; first + count < scene->region_count && of[count].body_a == of->body_a &&
                    of[count].body_b == of->body_b;)
      count++;
    size_t minimum =
        ts_regions_minimum(of, count, reference, ts_region_limits(scene, of), TS_CORNERS_CLOSED);
    totals.pairs += minimum > 0;
    totals.minimum += minimum;
  }
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    if (ts_region_needed_normals(region, reference, ts_region_limits(scene, region)) == 0)
      continue;
    totals.regions++;
    if (region->kind == TS_REGION_POINT)
      totals.points++;
    else if (region->kind == TS_REGION_SEGMENT)
      totals.length_m += ts_region_measure(region);
    else
      totals.area_m2 += ts_region_measure(region);
  }
  return totals;
}
