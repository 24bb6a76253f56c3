// SPDX-License-Identifier: MIT
#include "sim/soft/shape_error.h"

#include "geometry/tolerances.h"
#include "sim/soft/soft_state.h"
#include "sim/soft/tet_elements.h"

#include <math.h>

static double weight_of(const double *weights, size_t i) {
  return weights ? weights[i] : 1;
}

static ts_vec3 weighted_centre(const ts_vec3 *points, const double *weights, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  double weight = 0;
  for (size_t i = 0; i < count; i++) {
    // About the first point, so that shapes far from the origin lose no digits.
    sum = ts_vec3_add_scaled(sum, weight_of(weights, i), ts_vec3_sub(points[i], points[0]));
    weight += weight_of(weights, i);
  }
  return ts_vec3_add_scaled(points[0], 1 / weight, sum);
}

/// The best fit about two centres, and what is left.
typedef struct fit {
  ts_mat3 rotation;
  ts_vec3 from_centre, to_centre;
  double left2, weight; ///< sum of weighted squared distances, and of weights
} fit;

static ts_mat3 outer(ts_vec3 a, ts_vec3 b, double scale) {
  return ts_mat3_rows(ts_vec3_scale(b, scale * a.x), ts_vec3_scale(b, scale * a.y),
                      ts_vec3_scale(b, scale * a.z));
}

static fit make_fit(const ts_vec3 *from, const ts_vec3 *to, const double *weights, size_t count) {
  fit out = {.from_centre = weighted_centre(from, weights, count),
             .to_centre = weighted_centre(to, weights, count)};
  ts_mat3 covariance = {{{0}}};
  for (size_t i = 0; i < count; i++) {
    ts_vec3 a = ts_vec3_sub(to[i], out.to_centre), b = ts_vec3_sub(from[i], out.from_centre);
    covariance = ts_mat3_add(covariance, outer(a, b, weight_of(weights, i)));
    out.weight += weight_of(weights, i);
  }
  out.rotation = ts_mat3_rotation(covariance);
  for (size_t i = 0; i < count; i++) {
    ts_vec3 moved = ts_mat3_apply(out.rotation, ts_vec3_sub(from[i], out.from_centre));
    ts_vec3 off = ts_vec3_sub(ts_vec3_sub(to[i], out.to_centre), moved);
    out.left2 += weight_of(weights, i) * ts_vec3_norm2(off);
  }
  return out;
}

void ts_shape_fit(ts_pose *out, double *out_distance_m, const ts_vec3 *from, const ts_vec3 *to,
                  const double *weights, size_t count) {
  fit best = {.rotation = ts_mat3_identity()};
  if (count > 0)
    best = make_fit(from, to, weights, count);
  if (out) {
    ts_mat3 axes = ts_mat3_transpose(best.rotation);
    ts_vec3 rows[3];
    for (int i = 0; i < 3; i++)
      rows[i] = (ts_vec3){axes.m[i][0], axes.m[i][1], axes.m[i][2]};
    out->rotation = ts_quat_from_axes(rows[0], rows[1], rows[2]);
    out->translation = ts_vec3_sub(best.to_centre, ts_mat3_apply(best.rotation, best.from_centre));
  }
  if (out_distance_m)
    *out_distance_m = sqrt(best.left2 / best.weight); // 0 over 0 without points
}

/// Sums of squares over nodes.
typedef struct sums {
  double off2, deformed2; ///< after the fits
  double apart2, moved2;  ///< as they are
  double count, extent_m; ///< of nodes; of the largest body
} sums;

static void add_body(sums *out, const ts_tet_body *body, const ts_tet_body *exact,
                     const ts_mesh *mesh, ts_pose start) {
  size_t count = ts_tet_body_node_count(exact);
  const ts_vec3 *is = ts_tet_body_positions(body), *should = ts_tet_body_positions(exact);
  out->off2 += make_fit(is, should, NULL, count).left2;
  out->deformed2 += make_fit(mesh->vertices, should, NULL, count).left2;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 from = ts_pose_point(start, mesh->vertices[i]);
    out->apart2 += ts_vec3_norm2(ts_vec3_sub(is[i], should[i]));
    out->moved2 += ts_vec3_norm2(ts_vec3_sub(should[i], from));
  }
  out->count += (double)count;
  out->extent_m = ts_max(out->extent_m, ts_aabb_extent(ts_mesh_bounds(mesh)));
}

void ts_shape_compare(ts_shape_errors *out, const ts_soft_world *world, const ts_soft_world *exact,
                      const ts_shape *shapes, const ts_body *started) {
  sums s = {0};
  for (size_t i = 0; i < ts_soft_world_body_count(world); i++)
    if (ts_soft_world_tet_body(world, i))
      add_body(&s, ts_soft_world_tet_body(world, i), ts_soft_world_tet_body(exact, i),
               shapes[started[i].shape].mesh, started[i].pose);
  double least2 = TS_SHAPE_ROUNDING * TS_SHAPE_ROUNDING * s.extent_m * s.extent_m * s.count;
  *out = (ts_shape_errors){
      .deformation = s.deformed2 > least2 ? sqrt(s.off2 / s.deformed2) : (double)NAN,
      .displacement = s.moved2 > least2 ? sqrt(s.apart2 / s.moved2) : (double)NAN,
      .exact_deformation_m = sqrt(s.deformed2 / s.count),
      .exact_displacement_m = sqrt(s.moved2 / s.count)};
}

/// Rotations of the nodes of a body, in the arena; NULL when out of memory.
static ts_mat3 *node_rotations(ts_arena *arena, const ts_tet_body *body, const ts_mesh *mesh) {
  ts_mat3 *total = ts_arena_array(arena, mesh->vertex_count, sizeof *total);
  const ts_vec3 *positions = ts_tet_body_positions(body);
  for (size_t t = 0; total && t < mesh->tet_count; t++) {
    ts_tet_element element;
    ts_tet_element_make(&element, mesh->vertices, mesh->tets[t]);
    ts_mat3 f = ts_mat3_scale(ts_tet_element_deformation(&element, positions), element.volume_m3);
    for (int i = 0; i < 4; i++)
      total[element.nodes[i]] = ts_mat3_add(total[element.nodes[i]], f);
  }
  for (size_t i = 0; total && i < mesh->vertex_count; i++)
    total[i] = ts_mat3_rotation(total[i]);
  return total;
}

static ts_mat3 matrix_of(ts_quat q) {
  return ts_mat3_columns(ts_quat_rotate(q, (ts_vec3){1, 0, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 1, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 0, 1}));
}

/// Angle of a rotation, 0 to pi; exact to rounding also where it is small.
static double angle_of(const ts_mat3 *r) {
  ts_vec3 axis = {r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
  return atan2(ts_vec3_norm(axis), r->m[0][0] + r->m[1][1] + r->m[2][2] - 1);
}

/// How a body has turned as a whole.
static ts_mat3 body_rotation(const ts_tet_body *body, const ts_mesh *mesh, ts_pose start) {
  if (ts_tet_body_elastic(body)->clamped_count > 0)
    return matrix_of(start.rotation);
  return make_fit(mesh->vertices, ts_tet_body_positions(body), ts_tet_body_masses(body),
                  mesh->vertex_count)
      .rotation;
}

double ts_shape_largest_rotation_rad(const ts_soft_world *world, const ts_body *started) {
  double largest = 0;
  for (size_t b = 0; b < world->body_count; b++) {
    const ts_tet_body *body = world->bodies[b].tet;
    if (!body)
      continue;
    const ts_mesh *mesh = world->shapes[started[b].shape].mesh;
    ts_arena_mark mark = ts_arena_get_mark(world->step_arena);
    const ts_mat3 *rotations = node_rotations(world->step_arena, body, mesh);
    ts_mat3 whole = ts_mat3_transpose(body_rotation(body, mesh, started[b].pose));
    for (size_t i = 0; rotations && i < mesh->vertex_count; i++) {
      ts_mat3 relative = ts_mat3_mul(whole, rotations[i]);
      largest = ts_max(largest, angle_of(&relative));
    }
    ts_arena_rewind(world->step_arena, mark);
    if (!rotations)
      return (double)NAN;
  }
  return largest;
}
