// SPDX-License-Identifier: MIT
/// Convex solids with their exact surfaces, at a pose: the primitives, convex meshes, and a
/// half-space.
///
/// All but the half-space are the hull of a few points and discs, thickened by a ball. So their
/// support function, which says how far a solid reaches in a direction, is known in closed form:
///
///     reach(n) = max over the points p of n.p, and over the discs of n.centre + radius |n x axis|,
///                plus the radius of the ball
#ifndef TS_GEOMETRY_SOLID_H
#define TS_GEOMETRY_SOLID_H

#include "base/arena.h"
#include "geometry/pose.h"

#include <stdbool.h>

typedef struct ts_solid_disc {
  ts_vec3 centre, axis; ///< the axis is unit and points out of the solid
  double radius_m;
} ts_solid_disc;

/// Lengths [m]; all in one frame.
typedef struct ts_solid {
  double round_m; ///< radius of the ball
  size_t point_count;
  const ts_vec3 *points; ///< [point_count]
  size_t disc_count;
  ts_solid_disc discs[2]; ///< [disc_count]
  size_t edge_count;
  const ts_vec3 (*edges)[2]; ///< [edge_count] straight edges of the hull, by their ends
  size_t face_count;
  const ts_vec3 *faces; ///< [face_count] unit outward normals of flat faces
  /// Cylinders and cones have a side, whose normals n have n . axis = side_sine.
  bool has_side;
  ts_vec3 axis; ///< unit; a cone's points to its apex
  double side_sine;
  bool is_half_space; ///< all that is not above points[0] along faces[0]
  /// What it was made of: a mesh, or else a primitive.
  const ts_mesh *mesh;
  const ts_vec3 *vertices; ///< [mesh->vertex_count]; `points` are those that are corners
  const ts_geometry *geometry;
  ts_pose pose; ///< from the frame of those
} ts_solid;

/// A primitive but a box, or a plane. The solid borrows `geometry`; arrays are in the arena.
ts_status ts_solid_of_geometry(ts_solid *out, ts_arena *arena, const ts_geometry *geometry,
                               ts_pose pose);

/// A mesh that is convex. The solid borrows the mesh; arrays are in the arena.
ts_status ts_solid_of_mesh(ts_solid *out, ts_arena *arena, const ts_mesh *mesh, ts_pose pose);

/// How far the solid reaches along a unit direction [m]. Of a half-space it is asked along its
/// normal.
double ts_solid_reach(const ts_solid *solid, ts_vec3 direction);

/// A point of the solid that is farthest in a unit direction; of several, any.
ts_vec3 ts_solid_farthest(const ts_solid *solid, ts_vec3 direction);

/// Signed distance [m] of a point from the surface: below 0 inside. Of a mesh the cost grows with
/// its triangles.
double ts_solid_distance(const ts_solid *solid, ts_vec3 point);

/// A unit vector from the axis of a disc along the part of `towards` that is at right angles to it;
/// where there is none, any at right angles.
ts_vec3 ts_solid_radial(ts_vec3 axis, ts_vec3 towards);

#endif
