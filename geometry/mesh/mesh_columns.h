// SPDX-License-Identifier: MIT
/// What two surfaces have above each other along a direction: their triangles seen along it,
/// clipped to each other, with the height of both on each piece.
#ifndef TS_GEOMETRY_MESH_COLUMNS_H
#define TS_GEOMETRY_MESH_COLUMNS_H

#include "geometry/mesh/bvh.h"

#include <stdbool.h>

/// A surface where its vertices are now, in the world [m].
typedef struct ts_placed_mesh {
  const ts_mesh *mesh;     ///< its triangles
  const ts_vec3 *vertices; ///< [mesh->vertex_count], all finite
} ts_placed_mesh;

/// Triangles clipped by triangles have no more corners.
#define TS_COLUMN_CORNERS_MAX 6

/// Where a triangle of a and one of b are above each other. Places and heights are those of
/// ts_mesh_columns_point().
typedef struct ts_column_patch {
  uint32_t triangle_a, triangle_b;
  int facing_a, facing_b; ///< 1: its outer side is up, along the direction; -1: down
  size_t count;           ///< 3 to TS_COLUMN_CORNERS_MAX
  double places_m[TS_COLUMN_CORNERS_MAX][2]; ///< counter-clockwise seen from above
  double heights_a_m[TS_COLUMN_CORNERS_MAX], heights_b_m[TS_COLUMN_CORNERS_MAX];
} ts_column_patch;

/// Two surfaces, seen along a direction.
typedef struct ts_mesh_columns ts_mesh_columns;

/// `along`: unit, up. Places are measured from the middle of the box that both share, so that
/// surfaces far from the origin lose no more than their coordinates have. The surfaces are
/// borrowed. TS_E_MEMORY; TS_E_INPUT for vertices that are not finite.
ts_status ts_mesh_columns_create(ts_mesh_columns **out, ts_arena *arena, ts_placed_mesh a,
                                 ts_placed_mesh b, ts_vec3 along);

/// Takes a patch; anything but TS_OK ends the visit and is its result.
typedef ts_status (*ts_column_visit)(void *context, const ts_column_patch *patch);

/// Visits every pair of triangles that are above each other, each once, always in the same order.
/// Triangles seen edge-on cover nothing and have no patch.
ts_status ts_mesh_columns_visit(const ts_mesh_columns *columns, ts_column_visit visit,
                                void *context);

/// The patch of two triangles; false where they are not above each other.
bool ts_mesh_columns_patch(ts_column_patch *out, const ts_mesh_columns *columns,
                           uint32_t triangle_a, uint32_t triangle_b);

/// Takes the places [count, 3 or more] of a convex polygon, counter-clockwise seen from above;
/// anything but TS_OK ends the visit and is its result.
typedef ts_status (*ts_column_between)(void *context, const double (*places_m)[2], size_t count);

/// Visits the triangles of both surfaces that are between a and b on a patch, where they are more
/// than `margin_m` below a and above b: each with the part of the patch that is so. Always in the
/// same order. TS_E_MEMORY.
ts_status ts_mesh_columns_between(const ts_mesh_columns *columns, const ts_column_patch *patch,
                                  double margin_m, ts_column_between visit, void *context);

/// The point in the world.
ts_vec3 ts_mesh_columns_point(const ts_mesh_columns *columns, const double place_m[2],
                              double height_m);

/// The larger extent of the larger surface: what coordinates are rounded to.
double ts_mesh_columns_size_m(const ts_mesh_columns *columns);

/// The larger extent of the smaller surface.
double ts_mesh_columns_pair_size_m(const ts_mesh_columns *columns);

/// Area of a polygon by its corners [count], and the integrals over it of a function that is linear
/// between corner 0 and each two that follow each other, with these values at the corners.
double ts_column_area_m2(const double (*places_m)[2], size_t count);
double ts_column_integral(const double (*places_m)[2], const double *values, size_t count);

#endif
