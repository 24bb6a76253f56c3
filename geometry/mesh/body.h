// SPDX-License-Identifier: MIT
/// Bodies: a shape at a pose, in motion.
#ifndef TS_GEOMETRY_BODY_H
#define TS_GEOMETRY_BODY_H

#include "geometry/aabb.h"
#include "geometry/mesh/mesh.h"
#include "geometry/mesh/sheet.h"
#include "geometry/pose.h"

#include <stdbool.h>

/// How static ground is represented by a closed mesh (cases/scene/ground.h).
typedef struct ts_ground {
  ts_sheet sheet;
  double extent_m; ///< of a plane: the sides of its mesh
  double wanted_m; ///< the thickness that was asked for: the sheet's, or more
  double body_m;   ///< the largest extent of a body that moves in the scene
  size_t dropped;  ///< triangles that were left out
} ts_ground;

/// Where the convex pieces of a shape come from.
typedef enum ts_pieces_kind {
  TS_PIECES_GIVEN,      ///< with the shape; they fill it
  TS_PIECES_EXACT,      ///< found by ts_convex_split_mesh(); they fill it
  TS_PIECES_APPROXIMATE ///< they stand for it, with an error
} ts_pieces_kind;

/// How far convex pieces are off the solid that they stand for; zeros where they fill it, within
/// TS_CONVEX_RELATIVE.
typedef struct ts_pieces_error {
  double volume_relative; ///< the sum of their volumes over that of the solid, less 1
  double distance_m;      ///< no point of the surface of either is farther than this from the other
} ts_pieces_error;

/// A torus about the y axis around the origin; zeros: none.
typedef struct ts_torus_radii {
  double ring_m; ///< of the circle in the middle of the tube
  double tube_m;
} ts_torus_radii;

typedef struct ts_shape {
  const char *name;
  const ts_mesh *mesh;
  ts_aabb bounds_local;
  ts_geometry geometry; ///< What the mesh represents, at the same scale.
  /// The torus that a mesh is cut from, at the same scale. Methods are given the mesh, and it is
  /// what they are judged by; only controls look at this.
  ts_torus_radii torus;
  ts_ground ground; ///< Of static ground: how the mesh goes on below.
  bool is_conical;  ///< A frustum of the pillar: refined more finely than other shapes.
  /// Convex meshes in the same frame that fill the shape, for methods that take convex bodies only:
  /// they are inside it, do not overlap, and their volumes add up to its own, unless they are
  /// approximate. 0 for a shape that is convex, and for one whose decomposition is not given.
  size_t piece_count;
  const ts_mesh **pieces; ///< [piece_count]
  ts_pieces_kind pieces_kind;
  ts_pieces_error pieces_error; ///< at the scale of the shape
} ts_shape;

/// What makes a body deformable: its elasticity, and which nodes do not move. The nodes are the
/// vertices of its shape's mesh, which is filled with tets (sim/soft/tet_body.h).
typedef struct ts_elastic {
  double young_pa;            ///< Young's modulus, above 0
  double poisson;             ///< Poisson's ratio, from 0 to below 0.5
  double mass_damping_1_s;    ///< a of Rayleigh damping a M + b K, from 0
  double stiffness_damping_s; ///< b
  size_t clamped_count;
  const uint32_t *clamped; ///< [clamped_count] distinct nodes; NULL: none
} ts_elastic;

typedef struct ts_body {
  const char *name;
  int32_t shape; ///< index into the scene's shapes
  int32_t is_fixed;
  ts_pose pose;
  ts_twist twist;
  double density_kg_m3;
  const ts_elastic *elastic; ///< NULL: rigid
} ts_body;

/// A force that pulls at a body all the time. It keeps its size and its direction in the world
/// while the point moves with the body.
typedef struct ts_force {
  int32_t body;        ///< index into the scene's bodies; not a fixed one
  ts_vec3 point_local; ///< where it acts, in the body's frame [m]
  ts_vec3 force_n;     ///< in the world [N]
} ts_force;

/// Whether the shape is convex within rounding: one closed surface, no neighbour of a face rises
/// above it (by more than TS_CONVEX_RELATIVE of the shape's extent), and no vertex is off the
/// surface. Cost grows with the triangles.
bool ts_shape_is_convex(const ts_shape *shape);

/// Mass, centre and inertia of a shape: of the exact primitive where it is one.
ts_mass_properties ts_shape_mass_properties(const ts_shape *shape, double density_kg_m3);

/// Box of the posed body's vertices, in the world.
ts_aabb ts_body_bounds(const ts_shape *shape, ts_pose pose);

/// The larger extent of the smaller body [m], by local bounds: the length that tolerances of the
/// pair are relative to.
double ts_pair_size_m(const ts_shape *a, const ts_shape *b);

#endif
