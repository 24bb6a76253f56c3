// SPDX-License-Identifier: MIT
#include "tests/methods/semi_local/convex_meeting.h"

#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>

/// A vertex, an edge or a triangle of a body with one of its points and one of its normals, in the
/// body's frame.
typedef struct feature {
  int dimension;
  ts_vec3 point, normal;
} feature;

static uint32_t pick(ts_random *random, size_t count) {
  return (uint32_t)(ts_random_u64(random) % count);
}

static ts_vec3 vertex_of(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->vertices[mesh->triangles[half_edge / 3][half_edge % 3]];
}

/// Of a sum of normals. None is left out, so that the sum is within the cone and not on its rim.
static double weight(ts_random *random) {
  return ts_random_uniform(random, 0.05, 1);
}

static feature random_vertex(ts_random *random, const ts_mesh *mesh) {
  uint32_t vertex = pick(random, mesh->vertex_count);
  ts_vec3 sum = {0, 0, 0};
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++)
    if (mesh->triangles[h / 3][h % 3] == vertex)
      sum = ts_vec3_add_scaled(sum, weight(random), ts_mesh_face_normal(mesh, h / 3));
  return (feature){0, mesh->vertices[vertex], ts_vec3_unit(sum)};
}

/// The normals beside it differ by more than a degree: a flat edge is the inside of a face.
static uint32_t random_ridge(ts_random *random, const ts_mesh *mesh) {
  for (;;) {
    uint32_t h = pick(random, 3 * mesh->triangle_count);
    if (ts_vec3_angle(ts_mesh_face_normal(mesh, h / 3),
                      ts_mesh_face_normal(mesh, mesh->edge_twin[h] / 3)) > 0.0175)
      return h;
  }
}

static ts_vec3 point_of_edge(ts_random *random, const ts_mesh *mesh, uint32_t h) {
  return ts_vec3_lerp(vertex_of(mesh, h), vertex_of(mesh, mesh->edge_twin[h]),
                      ts_random_uniform(random, 0.1, 0.9));
}

static feature random_edge(ts_random *random, const ts_mesh *mesh) {
  uint32_t h = random_ridge(random, mesh);
  ts_vec3 here = ts_vec3_scale(ts_mesh_face_normal(mesh, h / 3), weight(random));
  ts_vec3 sum =
      ts_vec3_add_scaled(here, weight(random), ts_mesh_face_normal(mesh, mesh->edge_twin[h] / 3));
  return (feature){1, point_of_edge(random, mesh, h), ts_vec3_unit(sum)};
}

static feature random_triangle(ts_random *random, const ts_mesh *mesh) {
  uint32_t t = pick(random, mesh->triangle_count);
  ts_vec3 point = {0, 0, 0};
  double sum = 0;
  for (uint32_t k = 0; k < 3; k++) {
    double share = weight(random);
    point = ts_vec3_add_scaled(point, share, vertex_of(mesh, 3 * t + k));
    sum += share;
  }
  return (feature){2, ts_vec3_scale(point, 1 / sum), ts_mesh_face_normal(mesh, t)};
}

static feature random_feature(ts_random *random, const ts_mesh *mesh) {
  static feature (*const of_dimension[3])(ts_random *, const ts_mesh *) = {
      random_vertex, random_edge, random_triangle};
  return of_dimension[pick(random, 3)](random, mesh);
}

/// The vertex of a body that is the farthest along a direction.
static feature farthest_vertex(const ts_mesh *mesh, ts_vec3 direction) {
  size_t best = 0;
  for (size_t i = 1; i < mesh->vertex_count; i++)
    if (ts_vec3_dot(direction, mesh->vertices[i]) > ts_vec3_dot(direction, mesh->vertices[best]))
      best = i;
  return (feature){0, mesh->vertices[best], direction};
}

static bool is_farthest(const ts_mesh *mesh, ts_vec3 point, ts_vec3 direction) {
  ts_vec3 top = farthest_vertex(mesh, direction).point;
  return ts_vec3_dot(direction, ts_vec3_sub(top, point)) <= 1e-12 * ts_vec3_norm(top);
}

/// Edges of two bodies that are not turned, with a normal of both. False where none was found.
static bool find_crossing(feature out[2], ts_random *random, const ts_mesh *const mesh[2]) {
  for (int turn = 0; turn < 400; turn++) {
    uint32_t h[2];
    ts_vec3 along[2];
    for (int i = 0; i < 2; i++) {
      h[i] = random_ridge(random, mesh[i]);
      along[i] = ts_vec3_unit(
          ts_vec3_sub(vertex_of(mesh[i], mesh[i]->edge_twin[h[i]]), vertex_of(mesh[i], h[i])));
    }
    ts_vec3 cross = ts_vec3_cross(along[0], along[1]);
    if (ts_vec3_norm(cross) < 0.05)
      continue;
    ts_vec3 normal = ts_vec3_unit(cross);
    if (ts_vec3_dot(normal, ts_mesh_face_normal(mesh[0], h[0] / 3)) < 0)
      normal = ts_vec3_neg(normal);
    out[0] = (feature){1, point_of_edge(random, mesh[0], h[0]), normal};
    out[1] = (feature){1, point_of_edge(random, mesh[1], h[1]), ts_vec3_neg(normal)};
    if (is_farthest(mesh[0], out[0].point, out[0].normal) &&
        is_farthest(mesh[1], out[1].point, out[1].normal))
      return true;
  }
  return false;
}

/// A rotation that takes one direction to another, spun about it at random.
static ts_quat turn_to(ts_random *random, ts_vec3 from, ts_vec3 to) {
  ts_vec3 u, v, x, y;
  ts_vec3_tangents(&u, &v, from);
  ts_vec3_tangents(&x, &y, to);
  ts_quat spin = ts_quat_from_axis_angle(to, ts_random_uniform(random, 0, 6.283185307179586));
  return ts_quat_unit(
      ts_quat_mul(spin, ts_quat_mul(ts_quat_from_axes(x, y, to),
                                    ts_quat_conjugate(ts_quat_from_axes(u, v, from)))));
}

convex_meeting convex_random_meeting(method_fixture *f, ts_random *random,
                                     const convex_kind *kind) {
  fixture_pair pair = convex_random_bodies(f, random, kind);
  int first = (int)pick(random, 2), second = 1 - first;
  const ts_mesh *mesh[2] = {pair.mesh[first], pair.mesh[second]};
  feature meets[2];
  if (kind->is_turned) {
    meets[0] = random_feature(random, mesh[0]);
    meets[1] = random_feature(random, mesh[1]);
  } else if (pick(random, 4) > 0 || !find_crossing(meets, random, mesh)) {
    meets[0] = random_feature(random, mesh[0]);
    meets[1] = farthest_vertex(mesh[1], ts_vec3_neg(meets[0].normal));
  }
  ts_vec3 normal = ts_quat_rotate(pair.pose[first].rotation, meets[0].normal);
  ts_vec3 place = ts_pose_point(pair.pose[first], meets[0].point);
  if (kind->is_turned)
    pair.pose[second].rotation = turn_to(random, meets[1].normal, ts_vec3_neg(normal));
  pair.pose[second].translation =
      ts_vec3_sub(place, ts_quat_rotate(pair.pose[second].rotation, meets[1].point));
  int dimensions = meets[0].dimension + meets[1].dimension;
  convex_meeting out = {.pair = pair,
                        .place = place,
                        .normal = first == 0 ? normal : ts_vec3_neg(normal),
                        .is_one_normal = dimensions >= 2};
  out.dimensions[first] = meets[0].dimension;
  out.dimensions[second] = meets[1].dimension;
  return out;
}
