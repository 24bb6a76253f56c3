// SPDX-License-Identifier: MIT
#include "reports/export/snapshot.h"

#include <math.h>

const ts_contact_style ts_contact_styles[TS_KIND_COUNT] = {
    [TS_KIND_CORRECT] = {"correct", {0, 114, 178}},
    [TS_KIND_INCORRECT] = {"incorrect", {213, 94, 0}},
    [TS_KIND_SPECULATIVE] = {"speculative", {86, 180, 233}},
    [TS_KIND_PHANTOM] = {"phantom", {204, 121, 167}},
};

const ts_contact_style ts_truth_style = {"truth", {0, 158, 115}};

ts_contact_kind ts_contact_row_kind(const ts_contact_row *row) {
  if (row->phantom > 0)
    return TS_KIND_PHANTOM;
  if (row->speculative > 0)
    return TS_KIND_SPECULATIVE;
  return row->correct > 0 ? TS_KIND_CORRECT : TS_KIND_INCORRECT;
}

bool ts_contact_row_has_arrow(const ts_contact_row *row) {
  double squared =
      row->normal_x * row->normal_x + row->normal_y * row->normal_y + row->normal_z * row->normal_z;
  return isfinite(row->point_x_m) && isfinite(row->point_y_m) && isfinite(row->point_z_m) &&
         isfinite(squared) && squared > 0;
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
