// SPDX-License-Identifier: MIT
/// The pixel grid of layered depth images, and the two bodies it is laid over.
#ifndef TS_LDI_PIXEL_GRID_H
#define TS_LDI_PIXEL_GRID_H

#include "geometry/aabb.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"

#include <stdbool.h>

/// Most pixels along the longest side of the overlap box.
#define TS_LDI_RESOLUTION_MAX 4096

/// Nearly cubic cells over the overlap box of two bodies, which each of the three views sees as
/// nearly square pixels: whole numbers of them fit the box, so that an overlap thinner than a pixel
/// is not seen as a whole one. The view along axis w (0: x, 1: y, 2: z) has columns along axis (w +
/// 1) % 3 and rows along axis (w + 2) % 3, so that it is right-handed; its lines of sight go
/// through the pixel centres, towards +w.
///
/// Grid coordinates [px] count from the centre of the first cell: a world point p has the
/// coordinate (p - low) / pixel_m - 0.5, along each axis, and the centre of pixel i is at i.
typedef struct ts_ldi_grid {
  ts_vec3 low; ///< World corner [m].
  double
      pixel_m[3];  ///< Width of the pixels along x, y and z; above zero, unless the grid is empty.
  int32_t size[3]; ///< Pixels along x, y and z; all 0: empty, the boxes are apart or touch.
} ts_ldi_grid;

/// Lays a grid over the box in which the boxes of two bodies overlap: `resolution_px` (1 to
/// TS_LDI_RESOLUTION_MAX) pixels along its longest side, and along the others so many that none is
/// wider. Empty when the boxes are apart, or overlap by less than TS_LDI_SAME_DEPTH_PX of those
/// pixels: bodies in them may touch, but no more.
ts_ldi_grid ts_ldi_grid_fit(ts_aabb a, ts_aabb b, int resolution_px);

static inline bool ts_ldi_grid_is_empty(const ts_ldi_grid *grid) {
  return grid->size[0] == 0;
}

static inline int32_t ts_ldi_column_count(const ts_ldi_grid *grid, int axis) {
  return grid->size[(axis + 1) % 3];
}

static inline int32_t ts_ldi_row_count(const ts_ldi_grid *grid, int axis) {
  return grid->size[(axis + 2) % 3];
}

/// Area of a pixel of a view [m2], and volume of a cell [m3].
static inline double ts_ldi_pixel_m2(const ts_ldi_grid *grid, int axis) {
  return grid->pixel_m[(axis + 1) % 3] * grid->pixel_m[(axis + 2) % 3];
}

static inline double ts_ldi_cell_m3(const ts_ldi_grid *grid) {
  return grid->pixel_m[0] * grid->pixel_m[1] * grid->pixel_m[2];
}

/// Rows of a view are rendered in bands of 1 << ts_ldi_band_shift rows (the last may have fewer),
/// which bounds the memory. It depends on nothing but the grid, so that no result depends on the
/// threads.
int ts_ldi_band_shift(const ts_ldi_grid *grid, int axis);
int32_t ts_ldi_band_count(const ts_ldi_grid *grid, int axis);

/// Two posed meshes (borrowed) under a grid.
typedef struct ts_ldi_pair {
  const ts_mesh *mesh[2];
  ts_pose pose[2];
  ts_aabb box[2]; ///< Of each, in the world.
  ts_ldi_grid grid;
} ts_ldi_pair;

/// A rigid transform as a matrix: p -> rows * p + offset.
typedef struct ts_ldi_affine {
  double rows[3][3], offset[3];
} ts_ldi_affine;

/// From the local frame to the world [m].
ts_ldi_affine ts_ldi_affine_world(ts_pose pose);

/// From the local frame to grid coordinates [px].
ts_ldi_affine ts_ldi_affine_grid(ts_pose pose, const ts_ldi_grid *grid);

static inline void ts_ldi_affine_apply(double out[3], const ts_ldi_affine *m, ts_vec3 p) {
  for (int i = 0; i < 3; i++)
    out[i] = m->rows[i][0] * p.x + m->rows[i][1] * p.y + m->rows[i][2] * p.z + m->offset[i];
}

#endif
