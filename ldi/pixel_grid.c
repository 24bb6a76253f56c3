// SPDX-License-Identifier: MIT
#include "ldi/pixel_grid.h"

#include "geometry/tolerances.h"

// A band of 8,192 pixels and its crossings stay in a processor's second cache, and two threads have
// enough of them to share.
#define BAND_PX 8192

ts_ldi_grid ts_ldi_grid_fit(ts_aabb a, ts_aabb b, int resolution_px) {
  ts_ldi_grid grid = {0};
  ts_aabb box = {{fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y), fmax(a.low.z, b.low.z)},
                 {fmin(a.high.x, b.high.x), fmin(a.high.y, b.high.y), fmin(a.high.z, b.high.z)}};
  ts_vec3 side = ts_vec3_sub(box.high, box.low);
  if (!(side.x >= 0 && side.y >= 0 && side.z >= 0))
    return grid;
  double longest = fmax(side.x, fmax(side.y, side.z));
  if (!(longest > TS_LDI_BOX_RELATIVE * ts_aabb_largest_coordinate(box)))
    return grid;
  double pixel_m = longest / resolution_px;
  const double sides[3] = {side.x, side.y, side.z};
  for (int i = 0; i < 3; i++)
    if (!(sides[i] > TS_LDI_SAME_DEPTH_PX * pixel_m))
      return grid;
  for (int i = 0; i < 3; i++) {
    grid.size[i] = (int32_t)fmax(1, ceil(sides[i] / pixel_m - TS_LDI_WHOLE_PX));
    grid.pixel_m[i] = sides[i] / grid.size[i];
  }
  grid.low = box.low;
  return grid;
}

int ts_ldi_band_shift(const ts_ldi_grid *grid, int axis) {
  int shift = 0;
  while ((ts_ldi_column_count(grid, axis) << (shift + 1)) <= BAND_PX)
    shift++;
  return shift;
}

int32_t ts_ldi_band_count(const ts_ldi_grid *grid, int axis) {
  return ((ts_ldi_row_count(grid, axis) - 1) >> ts_ldi_band_shift(grid, axis)) + 1;
}

ts_ldi_affine ts_ldi_affine_world(ts_pose pose) {
  ts_ldi_affine m;
  ts_vec3 columns[3] = {ts_pose_direction(pose, ts_vec3_make(1, 0, 0)),
                        ts_pose_direction(pose, ts_vec3_make(0, 1, 0)),
                        ts_pose_direction(pose, ts_vec3_make(0, 0, 1))};
  for (int i = 0; i < 3; i++) {
    m.rows[0][i] = columns[i].x;
    m.rows[1][i] = columns[i].y;
    m.rows[2][i] = columns[i].z;
  }
  m.offset[0] = pose.translation.x;
  m.offset[1] = pose.translation.y;
  m.offset[2] = pose.translation.z;
  return m;
}

ts_ldi_affine ts_ldi_affine_grid(ts_pose pose, const ts_ldi_grid *grid) {
  ts_ldi_affine m = ts_ldi_affine_world(pose);
  const double low[3] = {grid->low.x, grid->low.y, grid->low.z};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      m.rows[i][k] /= grid->pixel_m[i];
    m.offset[i] = (m.offset[i] - low[i]) / grid->pixel_m[i] - 0.5;
  }
  return m;
}
