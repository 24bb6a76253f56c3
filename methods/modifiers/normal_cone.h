// SPDX-License-Identifier: MIT
/// Normal cones of features of a mesh.
#ifndef TS_METHODS_NORMAL_CONE_H
#define TS_METHODS_NORMAL_CONE_H

#include "base/arena.h"
#include "geometry/cone.h"
#include "methods/method.h"

#include <stdbool.h>

/// One mesh, and what is found of it once for all contacts of a pair.
typedef struct ts_cone_mesh ts_cone_mesh;

/// In the arena; the mesh is borrowed.
ts_status ts_cone_mesh_create(ts_cone_mesh **out, ts_arena *arena, const ts_mesh *mesh);

/// The feature of the mesh at a point, local frame: the nearest vertex within `near_m` [m], else
/// the nearest edge, else the nearest triangle; where none is within that, the feature that the
/// nearest point of the mesh is on. Of equally near ones the one with the lowest index.
/// TS_FEATURE_NONE for a point that is not finite.
ts_feature ts_cone_mesh_feature(const ts_cone_mesh *mesh, ts_vec3 point, double near_m);

/// Whether a feature that a method names is one of this mesh.
bool ts_cone_mesh_has(const ts_cone_mesh *mesh, ts_feature feature);

/// Most rays of a cone, and most triangles around a feature that are looked at.
enum { TS_NORMAL_CONE_RAYS = 64 };

/// The directions out of the solid in which it can push at a feature: the union of convex cones,
/// its parts.
typedef struct ts_normal_cone {
  size_t part_count;
  uint8_t part_ends[TS_NORMAL_CONE_RAYS]; ///< [part_count]: the ray after the last one of each
  ts_vec3 rays[TS_NORMAL_CONE_RAYS];      ///< unit
} ts_normal_cone;

/// The normal cone of a feature, local frame. Of a face its normal; of a convex edge all between
/// the normals of its faces; of a convex vertex all that no edge of it rises along. A concave edge,
/// or a vertex with one, has no normals of its own, and what lies there touches the faces and
/// convex edges around: their cones are the parts.
void ts_normal_cone_find(ts_normal_cone *out, const ts_cone_mesh *mesh, ts_feature feature);

/// The direction of the cone that is closest to a unit `direction`; `*out_angle_rad` is between
/// them, infinite for a cone without rays.
ts_vec3 ts_normal_cone_closest(double *out_angle_rad, const ts_normal_cone *cone,
                               ts_vec3 direction);

/// The triangles around a feature: of a face itself, of an edge two, of a vertex all, up to
/// TS_NORMAL_CONE_RAYS. Returns how many there are.
size_t ts_cone_mesh_triangles(uint32_t triangles[TS_NORMAL_CONE_RAYS], const ts_cone_mesh *mesh,
                              ts_feature feature);

#endif
