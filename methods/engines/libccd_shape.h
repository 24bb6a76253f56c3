// SPDX-License-Identifier: MIT
/// A convex shape as libccd needs it: a support mapping and a point inside. libccd leaves the
/// search for the support point to its user. That of a primitive is exact; on a mesh every vertex
/// is tested, which is exact, too, and needs no preparation. Its time grows with the vertices: up
/// to a few hundred it is as fast as hill climbing along the edges, at 100,000 ten times slower.
#ifndef TS_METHODS_LIBCCD_SHAPE_H
#define TS_METHODS_LIBCCD_SHAPE_H

#include "geometry/pose.h"
#include "methods/engines/engine_shapes.h"
#include "methods/method.h"

#include <ccd/ccd.h>

/// Ground has no end, and so no support points.
#define LIBCCD_TAKES (ENGINE_TAKES_ROUND | TS_TAKES(TS_GEOMETRY_CONE) | TS_TAKES(TS_GEOMETRY_BOX))

typedef struct ts_libccd_shape {
  const ts_mesh *mesh;
  ts_vec3 centre_local; ///< Of a primitive its middle, else the mean of the vertices.
} ts_libccd_shape;

/// The object that libccd gets for one body.
typedef struct ts_libccd_body {
  const ts_libccd_shape *shape;
  ts_pose pose;
} ts_libccd_body;

static ts_status libccd_prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                                      const double *params) {
  (void)params;
  ts_libccd_shape *shape = host->alloc(host, sizeof *shape);
  if (!shape)
    return TS_E_MEMORY;
  shape->mesh = mesh;
  *out = shape;
  if (mesh->geometry)
    return TS_OK;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    shape->centre_local = ts_vec3_add(shape->centre_local, mesh->vertices[i]);
  shape->centre_local = ts_vec3_scale(shape->centre_local, 1 / (double)mesh->vertex_count);
  return TS_OK;
}

static ts_vec3 libccd_farthest_vertex(const ts_mesh *mesh, ts_vec3 along) {
  size_t best = 0;
  double farthest = ts_vec3_dot(along, mesh->vertices[0]);
  for (size_t i = 1; i < mesh->vertex_count; i++) {
    double distance = ts_vec3_dot(along, mesh->vertices[i]);
    if (distance > farthest) {
      farthest = distance;
      best = i;
    }
  }
  return mesh->vertices[best];
}

/// The farthest point of a primitive along a unit vector.
static ts_vec3 libccd_farthest_point(const ts_geometry *g, ts_vec3 along) {
  double end_m = copysign(g->half_length_m, along.y);
  double across = hypot(along.x, along.z), of_radius = across > 0 ? g->radius_m / across : 0;
  ts_vec3 on_rim = {along.x * of_radius, end_m, along.z * of_radius};
  switch (g->kind) {
  case TS_GEOMETRY_BOX:
    return ts_vec3_make(copysign(g->half_size_m.x, along.x), copysign(g->half_size_m.y, along.y),
                        copysign(g->half_size_m.z, along.z));
  case TS_GEOMETRY_CYLINDER:
    return on_rim;
  case TS_GEOMETRY_CONE:
    // The apex, where the direction is within its cone of normals.
    if (along.y * 2 * g->half_length_m >= across * g->radius_m)
      return ts_vec3_make(0, g->half_length_m, 0);
    return ts_vec3_make(on_rim.x, -g->half_length_m, on_rim.z);
  default: // a capsule, or a sphere, whose length is 0
    return ts_vec3_add_scaled(ts_vec3_make(0, end_m, 0), g->radius_m, along);
  }
}

static void libccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
  const ts_libccd_body *body = object;
  const ts_mesh *mesh = body->shape->mesh;
  ts_vec3 along = ts_quat_rotate(ts_quat_conjugate(body->pose.rotation),
                                 ts_vec3_make(direction->v[0], direction->v[1], direction->v[2]));
  ts_vec3 local = mesh->geometry ? libccd_farthest_point(mesh->geometry, ts_vec3_unit(along))
                                 : libccd_farthest_vertex(mesh, along);
  ts_vec3 point = ts_pose_point(body->pose, local);
  ccdVec3Set(out, point.x, point.y, point.z);
}

/// The common signature of libccd's two algorithms.
typedef int (*libccd_penetration)(const void *a, const void *b, const ccd_t *ccd, ccd_real_t *depth,
                                  ccd_vec3_t *direction, ccd_vec3_t *position);

/// Pushes the contact that libccd returns. Its direction is the one to move b along, so from a to
/// b; its depth is positive. libccd may report overlap and leave the rest unset, or a direction of
/// NaN: that is a contact without a normal, and is pushed as one.
static ts_status libccd_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, const ccd_t *ccd,
                                 libccd_penetration penetration) {
  ts_libccd_body a = {shape_a, pair->pose_a}, b = {shape_b, pair->pose_b};
  ccd_real_t depth = (double)NAN;
  ccd_vec3_t direction = {{(double)NAN, (double)NAN, (double)NAN}}, position = direction;
  int answer = penetration(&a, &b, ccd, &depth, &direction, &position);
  if (answer == -2)
    return host->fail(host, TS_E_MEMORY, "libccd is out of memory");
  if (answer != 0)
    return TS_OK;
  ts_contact contact = {.point = {position.v[0], position.v[1], position.v[2]},
                        .normal = {direction.v[0], direction.v[1], direction.v[2]},
                        .gap_m = -depth,
                        .area_m2 = (double)NAN};
  return host->push(host, &contact, 1);
}

#endif
