// SPDX-License-Identifier: MIT
#include "harness/run/pose_rows.h"

#include "base/status.h"

#include <string.h>

static ts_status make_row(ts_pose_row *row, ts_arena *arena, const ts_record *record,
                          const ts_body *body, size_t index) {
  ts_row_init(&ts_pose_rows, row);
  row->cell = record->cell;
  row->case_name = record->case_name;
  row->method = record->method;
  row->step = record->step;
  row->body = ts_arena_format(arena, "%zu", index);
  row->position_x_m = body->pose.translation.x;
  row->position_y_m = body->pose.translation.y;
  row->position_z_m = body->pose.translation.z;
  row->rotation_w = body->pose.rotation.w;
  row->rotation_x = body->pose.rotation.x;
  row->rotation_y = body->pose.rotation.y;
  row->rotation_z = body->pose.rotation.z;
  row->velocity_x_m_s = body->twist.linear_m_s.x;
  row->velocity_y_m_s = body->twist.linear_m_s.y;
  row->velocity_z_m_s = body->twist.linear_m_s.z;
  row->angular_x_rad_s = body->twist.angular_rad_s.x;
  row->angular_y_rad_s = body->twist.angular_rad_s.y;
  row->angular_z_rad_s = body->twist.angular_rad_s.z;
  return row->body ? TS_OK : TS_E_MEMORY;
}

ts_status ts_pose_rows_make(ts_pose_row **out, size_t *out_count, ts_arena *arena,
                            const ts_record *record, const ts_scene *scene, const ts_body *built,
                            double time_s) {
  ts_pose_row *rows = ts_arena_array(arena, scene->body_count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *body = &scene->bodies[i];
    if (body->is_fixed && memcmp(&body->pose, &built[i].pose, sizeof body->pose) == 0)
      continue;
    TS_TRY(make_row(&rows[count], arena, record, body, i));
    rows[count++].time_s = time_s;
  }
  *out = rows;
  *out_count = count;
  return TS_OK;
}
