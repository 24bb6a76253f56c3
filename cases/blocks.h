// SPDX-License-Identifier: MIT
/// Solids made of the cells of a grid: blocks with corners, holes and hollows, and blocks whose top
/// is a surface over a grid. Lengths [m], at scale 1.
#ifndef TS_CASES_BLOCKS_H
#define TS_CASES_BLOCKS_H

#include "cases/scene/shapes.h"

/// Cells in three directions and which of them are solid. Index 0 runs along x, 1 along y, 2 along
/// z, x the fastest; the grid may be bent, as long as the faces of its cells are planar.
typedef struct ts_block_grid {
  uint32_t count[3];
  const ts_vec3 *corners; ///< [(count[0] + 1) (count[1] + 1) (count[2] + 1)]
  const bool *is_solid;   ///< [count[0] count[1] count[2]]; NULL: all of them are.
} ts_block_grid;

/// Index of a grid's corner (x, y, z) in ts_block_grid::corners.
size_t ts_block_corner(const uint32_t count[3], uint32_t x, uint32_t y, uint32_t z);

/// Adds the shape: two triangles for each face between a solid cell and what is not solid, cut
/// from the face's first corner to its third (ts_hexahedron_faces). Faces in one plane stay cut at
/// the grid's lines. TS_E_INPUT when the surface is not a mesh: where two solid cells meet in
/// nothing but an edge.
ts_status ts_shape_grid(int32_t *out, ts_scene *scene, const char *name,
                        const ts_block_grid *cells);

/// Adds the cells, which must be convex together, as a piece of a shape (ts_scene_add_piece).
ts_status ts_shape_grid_piece(ts_scene *scene, int32_t shape, const ts_block_grid *cells);

/// The same as ts_shape_grid for a grid of planes: `planes`[k] has count[k] + 1 rising coordinates.
/// Its convex pieces are boxes, grown along x, then z, then y. Some cell must not be solid.
ts_status ts_shape_blocks(int32_t *out, ts_scene *scene, const char *name, const uint32_t count[3],
                          const double *const planes[3], const bool *is_solid);

/// Joins a plane rectangle of body a, at right angles to an axis, and a face of body b, a
/// hexahedron. `low` and `high` are its two opposite corners in the frame of a, equal along that
/// axis. The normal is `normal_local` in the frame of a, right for every reference.
ts_status ts_block_join_rectangle(ts_scene *scene, int32_t body_a, ts_vec3 low, ts_vec3 high,
                                  int32_t body_b, ts_hexahedron_face face, ts_vec3 normal_local);

#endif
