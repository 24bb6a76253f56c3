// SPDX-License-Identifier: MIT
#include "tests/methods/engines/shape_pairs.h"

#include "geometry/mesh/primitive.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#define RADIUS  0.3
#define HALF    0.5
#define HALF_X  0.35
#define HALF_Y  0.25
#define HALF_Z  0.45
#define LEVEL   0.25 // of the height field and of the surface
#define ROWS    6
#define COLUMNS 8
#define STEP_X  0.4
#define STEP_Z  0.5

const shape_place shape_seats[SEAT_COUNT] = {
    {"sphere", TS_GEOMETRY_SPHERE, {-0.108, 0.24, 0.144}, {-0.36, 0.8, 0.48}},
    {"side of a capsule", TS_GEOMETRY_CAPSULE, {0.24, 0.13, 0.18}, {0.8, 0, 0.6}},
    {"cap of a cylinder", TS_GEOMETRY_CYLINDER, {0.1, HALF, 0.05}, {0, 1, 0}},
    {"side of a cylinder", TS_GEOMETRY_CYLINDER, {-0.18, 0.11, 0.24}, {-0.6, 0, 0.8}},
    {"base of a cone", TS_GEOMETRY_CONE, {0.05, -HALF, 0.08}, {0, -1, 0}},
    {"side of a cone", TS_GEOMETRY_CONE, {0.12, 0, -0.09}, {0.8, 0.3, -0.6}},
    {"face of a box", TS_GEOMETRY_BOX, {HALF_X, 0.1, -0.05}, {1, 0, 0}},
    {"plane", TS_GEOMETRY_PLANE, {0.2, 0, 0.3}, {0, 1, 0}},
    {"height field", TS_GEOMETRY_HEIGHTFIELD, {0.27, LEVEL, -0.31}, {0, 1, 0}},
    {"surface", TS_GEOMETRY_SURFACE, {0.27, LEVEL, -0.31}, {0, 1, 0}},
    {"face of a mesh", TS_GEOMETRY_MESH, {HALF_X, 0.1, -0.05}, {1, 0, 0}},
};

const shape_place shape_tips[TIP_COUNT] = {
    {"sphere", TS_GEOMETRY_SPHERE, {0.18, 0.24, 0}, {0.6, 0.8, 0}},
    {"end of a capsule", TS_GEOMETRY_CAPSULE, {0.144, HALF + 0.24, 0.108}, {0.48, 0.8, 0.36}},
    {"rim of a cylinder", TS_GEOMETRY_CYLINDER, {0.24, HALF, 0.18}, {0.4, 0.8, 0.3}},
    {"apex of a cone", TS_GEOMETRY_CONE, {0, HALF, 0}, {0.1, 1, 0.05}},
    {"corner of a box", TS_GEOMETRY_BOX, {HALF_X, -HALF_Y, HALF_Z}, {0.5, -0.7, 0.6}},
    {"corner of a mesh", TS_GEOMETRY_MESH, {HALF_X, -HALF_Y, HALF_Z}, {0.5, -0.7, 0.6}},
};

static const ts_geometry *copy_of(engine_driver *d, ts_geometry geometry) {
  geometry.struct_size = sizeof geometry;
  const ts_geometry *copy = ts_arena_copy(d->arena, &geometry, 1, sizeof geometry);
  cr_assert(copy);
  return copy;
}

/// Triangles of a flat grid, its cells cut as those of a height field.
static const ts_open_mesh *flat_grid(engine_driver *d, double scale) {
  ts_vec3 *vertices = ts_arena_array(d->arena, ROWS * COLUMNS, sizeof *vertices);
  uint32_t(*triangles)[3] =
      ts_arena_array(d->arena, (size_t)2 * (ROWS - 1) * (COLUMNS - 1), sizeof *triangles);
  ts_open_mesh *out = ts_arena_alloc(d->arena, sizeof *out);
  cr_assert(vertices && triangles && out);
  *out = (ts_open_mesh){ROWS * COLUMNS, vertices, 0, (const uint32_t(*)[3])triangles};
  for (uint32_t row = 0; row < ROWS; row++)
    for (uint32_t column = 0; column < COLUMNS; column++) {
      uint32_t at = row * COLUMNS + column;
      vertices[at] = ts_vec3_scale(ts_vec3_make((column - 0.5 * (COLUMNS - 1)) * STEP_X, LEVEL,
                                                (row - 0.5 * (ROWS - 1)) * STEP_Z),
                                   scale);
      if (row + 1 == ROWS || column + 1 == COLUMNS)
        continue;
      const uint32_t below[3] = {at, at + COLUMNS, at + COLUMNS + 1},
                     above[3] = {at, at + COLUMNS + 1, at + 1};
      for (int i = 0; i < 3; i++) {
        triangles[out->triangle_count][i] = below[i];
        triangles[out->triangle_count + 1][i] = above[i];
      }
      out->triangle_count += 2;
    }
  return out;
}

static const ts_heightfield *flat_field(engine_driver *d, double scale) {
  double *heights = ts_arena_array(d->arena, ROWS * COLUMNS, sizeof *heights);
  ts_heightfield *out = ts_arena_alloc(d->arena, sizeof *out);
  cr_assert(heights && out);
  // Flat where bodies are; the last row gives it a range.
  for (size_t i = 0; i < ROWS * COLUMNS; i++)
    heights[i] = (i / COLUMNS == ROWS - 1 ? LEVEL - 0.125 : LEVEL) * scale;
  *out = (ts_heightfield){ROWS, COLUMNS, heights, STEP_X * scale, STEP_Z * scale};
  return out;
}

/// The mesh that ground is given beside its geometry: a block below it.
static const ts_mesh *block_below(engine_driver *d, double level, double scale) {
  double x = 0.5 * (COLUMNS - 1) * STEP_X * scale, z = 0.5 * (ROWS - 1) * STEP_Z * scale;
  return driver_box(d, ts_vec3_make(-x, (level - 1) * scale, -z),
                    ts_vec3_make(x, level * scale, z));
}

static const ts_mesh *mesh_of(engine_driver *d, ts_geometry *geometry, double scale) {
  ts_hull hull;
  if (geometry->kind == TS_GEOMETRY_MESH) {
    ts_vec3 half = ts_vec3_scale(ts_vec3_make(HALF_X, HALF_Y, HALF_Z), scale);
    return driver_box(d, ts_vec3_neg(half), half);
  }
  if (geometry->kind >= TS_GEOMETRY_PLANE)
    return block_below(d, geometry->kind == TS_GEOMETRY_PLANE ? 0 : LEVEL, scale);
  cr_assert_eq(ts_primitive_tessellate(&hull, d->arena, geometry, 1e-3 * scale), TS_OK);
  return driver_mesh(d, hull.vertices, hull.vertex_count, (const uint32_t(*)[3])hull.triangles,
                     hull.triangle_count);
}

static ts_geometry geometry_of(engine_driver *d, int32_t kind, double scale) {
  ts_geometry g = {.kind = kind};
  if (kind >= TS_GEOMETRY_SPHERE && kind <= TS_GEOMETRY_CONE)
    g.radius_m = RADIUS * scale;
  if (kind >= TS_GEOMETRY_CAPSULE && kind <= TS_GEOMETRY_CONE)
    g.half_length_m = HALF * scale;
  if (kind == TS_GEOMETRY_BOX)
    g.half_size_m = ts_vec3_scale(ts_vec3_make(HALF_X, HALF_Y, HALF_Z), scale);
  if (kind == TS_GEOMETRY_HEIGHTFIELD)
    g.heightfield = flat_field(d, scale);
  if (kind == TS_GEOMETRY_HEIGHTFIELD || kind == TS_GEOMETRY_SURFACE)
    g.surface = flat_grid(d, scale);
  return g;
}

void shape_kinds_make(shape_kinds *out, engine_driver *d, double scale) {
  out->scale = scale;
  for (int32_t kind = 0; kind < TS_GEOMETRY_KIND_COUNT; kind++) {
    ts_geometry geometry = geometry_of(d, kind, scale);
    ts_mesh *mesh = ts_arena_copy(d->arena, mesh_of(d, &geometry, scale), 1, sizeof *mesh);
    cr_assert(mesh);
    if (d->method->takes & TS_TAKES(kind) && kind != TS_GEOMETRY_MESH)
      mesh->geometry = copy_of(d, geometry);
    out->of_kind[kind] = mesh;
  }
}

/// A rotation that takes one unit vector to another.
static ts_quat rotation_between(ts_vec3 from, ts_vec3 to) {
  ts_vec3 axis = ts_vec3_cross(from, to);
  double w = 1 + ts_vec3_dot(from, to);
  return w > 1e-9 ? ts_quat_unit((ts_quat){w, axis.x, axis.y, axis.z}) : (ts_quat){0, 1, 0, 0};
}

shape_pair shape_pair_make(const shape_kinds *kinds, const shape_place *seat,
                           const shape_place *tip, double gap_m, ts_pose motion, bool is_swapped) {
  ts_vec3 normal = ts_vec3_unit(seat->outward), down = ts_vec3_unit(tip->outward);
  ts_vec3 on_seat = ts_vec3_scale(seat->point, kinds->scale);
  ts_vec3 on_tip = ts_vec3_add_scaled(on_seat, gap_m, normal);
  // Turned about the normal by a radian, so that nothing is aligned.
  ts_vec3 spin = ts_vec3_scale(normal, sin(0.5));
  ts_quat turn = ts_quat_mul((ts_quat){cos(0.5), spin.x, spin.y, spin.z},
                             rotation_between(down, ts_vec3_neg(normal)));
  ts_vec3 tip_local = ts_vec3_scale(tip->point, kinds->scale);
  ts_pose of_tip = {turn, ts_vec3_sub(on_tip, ts_quat_rotate(turn, tip_local))};
  shape_pair out = {.point = ts_pose_point(motion, ts_vec3_mid(on_seat, on_tip)),
                    .normal = ts_pose_direction(motion, normal)};
  snprintf(out.name, sizeof out.name, "%s, %s%s", seat->name, tip->name,
           is_swapped ? " (swapped)" : "");
  int of_seat = is_swapped ? 1 : 0;
  out.mesh[of_seat] = kinds->of_kind[seat->kind];
  out.mesh[!of_seat] = kinds->of_kind[tip->kind];
  out.pose[of_seat] = motion;
  out.pose[!of_seat] = ts_pose_mul(motion, of_tip);
  if (is_swapped)
    out.normal = ts_vec3_neg(out.normal);
  return out;
}

shape_errors shape_errors_of(const ts_contact_set *set, const shape_pair *pair, double gap_m) {
  const ts_contact *deepest = NULL;
  for (size_t i = 0; i < set->count; i++)
    if (!deepest || set->contacts[i].gap_m < deepest->gap_m)
      deepest = &set->contacts[i];
  if (!deepest)
    return (shape_errors){NAN, NAN, NAN};
  double sine = ts_vec3_norm(ts_vec3_cross(deepest->normal, pair->normal));
  return (shape_errors){.normal_rad = atan2(sine, ts_vec3_dot(deepest->normal, pair->normal)),
                        .gap_m = fabs(deepest->gap_m - gap_m),
                        .point_m = ts_vec3_distance(deepest->point, pair->point)};
}
