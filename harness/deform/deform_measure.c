// SPDX-License-Identifier: MIT
#include "harness/deform/deform_measure.h"

#include "base/status.h"
#include "geometry/distance/mesh_overlap.h"
#include "geometry/tolerances.h"
#include "ldi/ldi.h"

#include <stdlib.h>

static ts_placed_mesh placed(const ts_deform_side *side, bool is_after) {
  return (ts_placed_mesh){side->mesh, is_after ? side->after : side->before};
}

// ---- shared volume -----------------------------------------------------------------------------

/// By the view along z alone: the mean of all three counts whole pixels of what is flat across it.
static ts_status measure_by_ldi(double *out_m3, const ts_mesh *a, const ts_mesh *b, ts_pose pose_a,
                                ts_pose pose_b) {
  ts_ldi *ldi;
  ts_ldi_overlap overlap;
  TS_TRY(ts_ldi_create_for_meshes(&ldi, ts_ldi_backends[0], a, b, 1));
  ts_status status = ts_ldi_place(ldi, pose_a, pose_b, TS_DEFORM_LDI_PX);
  if (status == TS_OK)
    status = ts_ldi_measure(&overlap, ldi);
  *out_m3 = status == TS_OK ? overlap.view_volume_m3[2] : (double)NAN;
  ts_ldi_destroy(ldi);
  return status;
}

/// A mesh that a deformation has ruined is no mesh: not measured.
static ts_status find_ldi_volume(double *out_m3, ts_arena *arena, const ts_deform_pair *pair,
                                 bool is_after) {
  const ts_mesh *meshes[2];
  *out_m3 = (double)NAN;
  for (int i = 0; i < 2; i++) {
    meshes[i] = pair->sides[i].mesh;
    ts_mesh *moved;
    ts_status status =
        is_after ? ts_mesh_with_vertices(&moved, arena, meshes[i], pair->sides[i].after_local)
                 : TS_OK;
    if (status == TS_E_INPUT)
      return TS_OK;
    TS_TRY(status);
    meshes[i] = is_after ? moved : meshes[i];
  }
  ts_vec3 right, above, along = ts_deform_pair_direction(pair);
  ts_vec3_tangents(&right, &above, along);
  ts_pose turn = {ts_quat_conjugate(ts_quat_from_axes(right, above, along)), {0, 0, 0}};
  return measure_by_ldi(out_m3, meshes[0], meshes[1],
                        ts_pose_mul(turn, pair->pair->body[0].to_frame),
                        ts_pose_mul(turn, pair->pair->body[1].to_frame));
}

/// NaN for what the measurements cannot tell, rather than a 0 or a negative volume.
static void drop_unknown(ts_shared_volume *shared, const ts_deform_pair *pair) {
  double size_m = pair->pair->size_m;
  double touch_m3 = TS_DEFORM_TOUCH_RELATIVE * size_m * size_m * size_m;
  if (shared->overlap_m3 < 0)
    shared->overlap_m3 = shared->overlap_m3 < -touch_m3 ? (double)NAN : 0;
  bool is_overlapping = !(shared->overlap_m3 <= touch_m3);
  if (!pair->has_surface || (is_overlapping && shared->deepest_m == 0))
    shared->deepest_m = (double)NAN;
  if (is_overlapping && shared->ldi_m3 == 0)
    shared->ldi_m3 = (double)NAN;
}

ts_status ts_deform_shared_volume(ts_shared_volume *out, ts_arena *arena,
                                  const ts_deform_pair *pair, bool is_after) {
  ts_mesh_overlap overlap;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  TS_TRY(ts_mesh_overlap_measure(&overlap, arena, placed(&pair->sides[0], is_after),
                                 placed(&pair->sides[1], is_after),
                                 ts_deform_pair_direction(pair)));
  *out = (ts_shared_volume){overlap.volume_m3, overlap.deepest_m, (double)NAN};
  ts_status status = find_ldi_volume(&out->ldi_m3, arena, pair, is_after);
  ts_arena_rewind(arena, mark);
  drop_unknown(out, pair);
  return status;
}

// ---- mismatch ----------------------------------------------------------------------------------

typedef struct mismatch_work {
  const ts_deform_pair *pair;
  double deepest_m, max_m, area_m2, square_m4;
} mismatch_work;

static bool is_in_zone(const ts_deform_side *side, uint32_t triangle) {
  const uint32_t *v = side->mesh->triangles[triangle];
  const uint8_t *is_inside = side->zone.is_inside;
  return is_inside[v[0]] && is_inside[v[1]] && is_inside[v[2]];
}

static ts_status compare_patch(void *context, const ts_column_patch *patch) {
  mismatch_work *w = context;
  double apart[TS_COLUMN_CORNERS_MAX], largest = 0;
  if (patch->facing_a < 0 || patch->facing_b > 0 ||
      !is_in_zone(&w->pair->sides[0], patch->triangle_a) ||
      !is_in_zone(&w->pair->sides[1], patch->triangle_b))
    return TS_OK;
  for (size_t i = 0; i < patch->count; i++) {
    apart[i] = patch->heights_a_m[i] - patch->heights_b_m[i];
    largest = ts_max(largest, fabs(apart[i]));
  }
  if (largest > w->deepest_m)
    return TS_OK;
  w->max_m = ts_max(w->max_m, largest);
  for (size_t i = 1; i + 1 < patch->count; i++) {
    const double corners[3][2] = {{patch->places_m[0][0], patch->places_m[0][1]},
                                  {patch->places_m[i][0], patch->places_m[i][1]},
                                  {patch->places_m[i + 1][0], patch->places_m[i + 1][1]}};
    double area = ts_column_area_m2(corners, 3);
    double p = apart[0], q = apart[i], r = apart[i + 1];
    w->area_m2 += area;
    w->square_m4 += area * (p * p + q * q + r * r + p * q + q * r + r * p) / 6;
  }
  return TS_OK;
}

static ts_status find_mismatch(ts_zone_mismatch *out, ts_arena *arena, const ts_deform_pair *pair,
                               double deepest_m) {
  ts_mesh_columns *columns;
  mismatch_work work = {.pair = pair, .deepest_m = deepest_m};
  TS_TRY(ts_mesh_columns_create(&columns, arena, placed(&pair->sides[0], true),
                                placed(&pair->sides[1], true), ts_deform_pair_direction(pair)));
  TS_TRY(ts_mesh_columns_visit(columns, compare_patch, &work));
  *out = (ts_zone_mismatch){(double)NAN, (double)NAN};
  if (work.area_m2 > 0)
    *out = (ts_zone_mismatch){work.max_m, sqrt(ts_max(work.square_m4, 0) / work.area_m2)};
  return TS_OK;
}

ts_status ts_deform_mismatch(ts_zone_mismatch *out, ts_arena *arena, const ts_deform_pair *pair,
                             double deepest_m) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = find_mismatch(out, arena, pair, deepest_m);
  ts_arena_rewind(arena, mark);
  return status;
}

// ---- volume ------------------------------------------------------------------------------------

/// Six times the signed volume between a point and a triangle.
static double volume_below(const ts_vec3 *vertices, const uint32_t v[3], ts_vec3 from) {
  return ts_vec3_dot(
      ts_vec3_sub(vertices[v[0]], from),
      ts_vec3_cross(ts_vec3_sub(vertices[v[1]], from), ts_vec3_sub(vertices[v[2]], from)));
}

/// Of the triangles that move alone: the rounding of all others is not in it.
double ts_deform_volume_error(const ts_deform_side *side) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < side->mesh->vertex_count; i++)
    box = ts_aabb_add(box, side->before[i]);
  ts_vec3 from = ts_aabb_centre(box);
  double before = 0, change = 0;
  for (size_t t = 0; t < side->mesh->triangle_count; t++) {
    const uint32_t *v = side->mesh->triangles[t];
    double was = volume_below(side->before, v, from);
    before += was;
    change += volume_below(side->after, v, from) - was;
  }
  return change / before;
}

static ts_vec3 area_vector(const ts_vec3 *vertices, const uint32_t v[3]) {
  return ts_vec3_cross(ts_vec3_sub(vertices[v[1]], vertices[v[0]]),
                       ts_vec3_sub(vertices[v[2]], vertices[v[0]]));
}

size_t ts_deform_turned_over(const ts_deform_side *side) {
  size_t count = 0;
  for (size_t t = 0; t < side->mesh->triangle_count; t++) {
    const uint32_t *v = side->mesh->triangles[t];
    count += ts_vec3_dot(area_vector(side->before, v), area_vector(side->after, v)) < 0;
  }
  return count;
}

// ---- area of the zone --------------------------------------------------------------------------

static int by_edge(const void *a, const void *b) {
  const ts_zone_crossing *p = a, *q = b;
  int inside = (p->inside > q->inside) - (p->inside < q->inside);
  return inside ? inside : (p->outside > q->outside) - (p->outside < q->outside);
}

/// The part of a triangle that is in the zone: its corners there and the crossings of its edges.
static double area_in_zone(const ts_deform_side *side, const ts_zone_crossing *sorted, size_t t) {
  const uint8_t *is_inside = side->zone.is_inside;
  const uint32_t *v = side->mesh->triangles[t];
  ts_vec3 corners[6], sum = {0, 0, 0};
  size_t count = 0;
  for (int i = 0; i < 3; i++) {
    uint32_t from = v[i], to = v[(i + 1) % 3];
    if (is_inside[from])
      corners[count++] = side->after[from];
    if (is_inside[from] == is_inside[to])
      continue;
    const ts_zone_crossing key = {.inside = is_inside[from] ? from : to,
                                  .outside = is_inside[from] ? to : from};
    const ts_zone_crossing *c =
        bsearch(&key, sorted, side->zone.crossing_count, sizeof key, by_edge);
    if (!c)
      return (double)NAN;
    ts_vec3 at = ts_vec3_lerp(side->before[c->inside], side->before[c->outside], c->alpha);
    corners[count++] = ts_vec3_add(at, c->displacement);
  }
  for (size_t i = 1; i + 1 < count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(corners[i], corners[0]),
                                         ts_vec3_sub(corners[i + 1], corners[0])));
  return ts_vec3_norm(sum) / 2;
}

ts_status ts_deform_zone_area(double *out_m2, ts_arena *arena, const ts_deform_side *side) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_zone_crossing *sorted = ts_arena_copy(arena, side->zone.crossings, side->zone.crossing_count,
                                           sizeof *side->zone.crossings);
  if (!sorted)
    return TS_E_MEMORY;
  qsort(sorted, side->zone.crossing_count, sizeof *sorted, by_edge);
  *out_m2 = 0;
  for (size_t t = 0; t < side->mesh->triangle_count; t++)
    *out_m2 += area_in_zone(side, sorted, t);
  ts_arena_rewind(arena, mark);
  return TS_OK;
}
