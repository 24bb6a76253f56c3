// SPDX-License-Identifier: MIT
/// A mesh cut into blocks of neighbouring triangles, so that what is far from an overlap is passed
/// over a block at a time. Depends on the mesh alone; made once for all its poses.
#ifndef TS_LDI_SHAPE_H
#define TS_LDI_SHAPE_H

#include "ldi/pixel_grid.h"

/// Most triangles of a block. Fewer: more boxes are looked at. More: more triangles are placed that
/// are far from the overlap.
enum { TS_LDI_BLOCK_TRIANGLES = 32 };

typedef struct ts_ldi_block {
  double centre[3], half[3]; ///< Box of its vertices in the local frame: middle, half of its sides.
  uint32_t first_triangle, triangle_count; ///< Of the shape's; 0: of vertices without triangles.
  uint32_t first_vertex, vertex_count;     ///< Of the shape's.
} ts_ldi_block;

typedef struct ts_ldi_shape {
  ts_arena *arena;     ///< Of all that is here.
  const ts_mesh *mesh; ///< Borrowed.
  size_t block_count;
  const ts_ldi_block *blocks; ///< [block_count]
  /// Block by block, [mesh->triangle_count]: of each triangle its number in the mesh, and where its
  /// corners are among the vertices.
  const uint32_t *triangles;
  const uint32_t (*corners)[3];
  /// Block by block, [vertex_count], each once in each block that has it, there in the order of the
  /// mesh: numbers in the mesh, and places in its local frame.
  const uint32_t *vertices;
  const ts_vec3 *points;
  size_t vertex_count;
  double reach[3]; ///< Largest coordinate of a vertex along x, y and z, by size.
} ts_ldi_shape;

/// The mesh, checked by ts_mesh_create, is borrowed until ts_ldi_shape_destroy.
ts_status ts_ldi_shape_create(ts_ldi_shape **out, const ts_mesh *mesh);
void ts_ldi_shape_destroy(ts_ldi_shape *shape); ///< NULL is fine.

/// Box of the posed vertices, in the world: that of all of them to the last bit, by looking at few.
ts_aabb ts_ldi_shape_bounds(const ts_ldi_shape *shape, ts_pose pose);

/// Box of a block behind a transform of the shape, at least: what rounding may add is in it.
typedef struct ts_ldi_reach {
  double low[3], high[3];
} ts_ldi_reach;

/// What rounding may add to a coordinate of a vertex behind a transform, along each axis.
void ts_ldi_shape_rounding(double out[3], const ts_ldi_shape *shape, const ts_ldi_affine *m);

static inline ts_ldi_reach ts_ldi_block_reach(const ts_ldi_block *block, const ts_ldi_affine *m,
                                              const double rounding[3]) {
  ts_ldi_reach out;
  for (int i = 0; i < 3; i++) {
    const double *row = m->rows[i], *c = block->centre, *h = block->half;
    double centre = row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + m->offset[i];
    double half = fabs(row[0]) * h[0] + fabs(row[1]) * h[1] + fabs(row[2]) * h[2] + rounding[i];
    out.low[i] = centre - half;
    out.high[i] = centre + half;
  }
  return out;
}

#endif
