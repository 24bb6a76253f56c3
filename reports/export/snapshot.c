// SPDX-License-Identifier: MIT
#include "reports/export/snapshot.h"

#include <math.h>

const uint8_t ts_contact_colours[TS_KIND_COUNT][3] = {
    [TS_KIND_CORRECT] = {0, 114, 178},           [TS_KIND_INCORRECT] = {213, 94, 0},
    [TS_KIND_SPECULATIVE] = {86, 180, 233},      [TS_KIND_PHANTOM] = {204, 121, 167},
    [TS_KIND_FLIPPED] = {230, 159, 0},           [TS_KIND_GAP_WRONG] = {34, 34, 34},
    [TS_KIND_SPECULATIVE_WRONG] = {136, 34, 85}, [TS_KIND_UNTOLD] = {119, 119, 119},
};

const uint8_t ts_truth_colour[3] = {0, 158, 115};

const uint8_t ts_region_colours[TS_REGION_STATE_COUNT][3] = {
    [TS_REGION_TRUE] = {0, 158, 115},    [TS_REGION_MET] = {0, 158, 115},
    [TS_REGION_LACKING] = {153, 112, 0}, [TS_REGION_MISSED] = {192, 48, 0},
    [TS_REGION_OPEN] = {119, 136, 136},
};

bool ts_contact_row_has_arrow(const ts_contact_row *row) {
  double squared =
      row->normal_x * row->normal_x + row->normal_y * row->normal_y + row->normal_z * row->normal_z;
  return isfinite(row->point_x_m) && isfinite(row->point_y_m) && isfinite(row->point_z_m) &&
         isfinite(squared) && squared > 0;
}

ts_region_state ts_snapshot_region_state(const ts_snapshot *snapshot,
                                         const ts_snapshot_region *region) {
  if (region->needed_count == 0)
    return TS_REGION_OPEN;
  if (!snapshot->method)
    return TS_REGION_TRUE;
  if (region->is_missed)
    return TS_REGION_MISSED;
  return ts_snapshot_region_is_lacking(region) ? TS_REGION_LACKING : TS_REGION_MET;
}

ts_vec3 ts_snapshot_region_centre(const ts_snapshot_region *region) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < region->vertex_count; i++) {
    sum.x += region->vertices[i].x;
    sum.y += region->vertices[i].y;
    sum.z += region->vertices[i].z;
  }
  double share = region->vertex_count > 0 ? 1.0 / (double)region->vertex_count : 0;
  return (ts_vec3){sum.x * share, sum.y * share, sum.z * share};
}

bool ts_snapshot_region_is_lacking(const ts_snapshot_region *region) {
  return region->is_missed || region->met_count < region->needed_count;
}
