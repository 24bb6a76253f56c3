// SPDX-License-Identifier: MIT
#include "harness/deform/deform_rows.h"

#include "base/status.h"
#include "harness/deform/deform_measure.h"
#include "harness/run/cell_state.h"
#include "reports/rows/outcome.h"

/// What identifies the rows of a pair.
static ts_status start_row(ts_deform_row *row, ts_arena *arena, const ts_deform_case_pair *pair,
                           const ts_deform_request *request) {
  const ts_deform_settings *settings = &request->settings;
  ts_row_init(&ts_deform_rows, row);
  row->case_name = request->case_name;
  row->case_parameters = request->case_parameters;
  row->body_a = pair->bodies.body_a;
  row->body_b = pair->bodies.body_b;
  row->stiffness_a = settings->stiffness_a;
  row->tau = settings->tau;
  row->extent_m = pair->pair.extent_m;
  row->gamma = settings->gamma;
  row->anisotropic = settings->is_anisotropic;
  row->dilation_m = request->dilation_m;
  row->outcome = ts_outcomes[ts_cell_outcome(pair->status)].word;
  row->reason = pair->status == TS_OK ? "" : ts_arena_string(arena, ts_status_detail());
  return row->reason ? TS_OK : TS_E_MEMORY;
}

/// What is known of the pair as far as it came.
static void set_pair(ts_deform_row *row, const ts_deform_pair *pair) {
  row->parts = (double)pair->part_count;
  row->parts_used = (double)pair->used_count;
  row->inside_ns = pair->inside_ns;
  ts_vec3 m = ts_pose_direction(pair->pair->frame_to_world, pair->direction);
  row->direction_x = m.x;
  row->direction_y = m.y;
  row->direction_z = m.z;
  if (pair->used_count == 0)
    return;
  const ts_zone *zone = pair->used[0].zone;
  row->score_mean_m = zone->mean_m;
  row->score_deviation_m = zone->deviation_m;
  row->threshold_m = zone->threshold_m;
  row->surface_area_m2 = row->zone_area_m2 = 0;
  for (size_t i = 0; i < pair->used_count; i++) {
    row->surface_area_m2 += pair->used[i].zone->surface_area_m2;
    row->zone_area_m2 += pair->used[i].zone->area_m2;
  }
  row->surface_ns = pair->surface_ns;
}

/// What is of one body. Of a rigid one, which the deformer was not asked about, nothing moves.
static ts_status set_side(ts_deform_row *row, ts_arena *arena, const ts_deform_pair *pair,
                          int which) {
  const ts_deform_side *side = &pair->sides[which];
  const ts_deformed *d = &side->deformed;
  row->zone_body_area_m2 = 0;
  for (size_t i = 0; i < pair->used_count; i++)
    row->zone_body_area_m2 += pair->used[i].zone->body_area_m2[which];
  TS_TRY(ts_deform_zone_area(&row->zone_mesh_area_m2, arena, side));
  row->zone_vertices = row->moved_vertices = row->moved_m_max = 0;
  for (size_t i = 0; i < side->mesh->vertex_count; i++) {
    row->zone_vertices += side->zone.is_inside[i];
    row->moved_m_max = ts_max(row->moved_m_max, ts_vec3_distance(side->before[i], side->after[i]));
  }
  row->boundary_ns = side->boundary_ns;
  row->turned_over = (double)ts_deform_turned_over(side);
  row->volume_error = ts_deform_volume_error(side);
  row->volume_error_without_bulge = row->bulge_m = 0;
  if (!d->vertices)
    return TS_OK;
  row->moved_vertices = (double)d->moved_count;
  row->bulge_m = d->bulge_m;
  row->volume_error_without_bulge = d->volume_change_without_bulge_relative;
  row->parametrise_ns = d->times.parametrise_ns;
  row->directions_ns = d->times.directions_ns;
  row->guides_ns = d->times.guides_ns;
  row->displace_ns = d->times.displace_ns;
  row->factor_ns = d->times.factor_ns;
  return TS_OK;
}

/// Volumes and mismatch: of a pair that was skipped, only as it is before.
static ts_status measure_pair(ts_deform_row *row, ts_arena *arena, const ts_deform_pair *pair,
                              bool is_ok) {
  ts_shared_volume before, after;
  TS_TRY(ts_deform_shared_volume(&before, arena, pair, false));
  row->overlap_m3 = before.overlap_m3;
  row->overlap_ldi_m3 = before.ldi_m3;
  row->deepest_m = before.deepest_m;
  if (!is_ok)
    return TS_OK;
  TS_TRY(ts_deform_shared_volume(&after, arena, pair, true));
  row->overlap_left_m3 = after.overlap_m3;
  row->overlap_left_ldi_m3 = after.ldi_m3;
  row->deepest_left_m = after.deepest_m;
  ts_zone_mismatch mismatch;
  TS_TRY(ts_deform_mismatch(&mismatch, arena, pair, before.deepest_m));
  row->mismatch_m_max = mismatch.max_m;
  row->mismatch_m_rms = mismatch.rms_m;
  return TS_OK;
}

ts_status ts_deform_rows_make(ts_deform_case_pair *pair, ts_arena *arena,
                              const ts_deform_request *request) {
  ts_deform_row *row = &pair->rows[0];
  bool is_ok = pair->status == TS_OK;
  TS_TRY(start_row(row, arena, pair, request));
  set_pair(row, &pair->pair);
  TS_TRY(measure_pair(row, arena, &pair->pair, is_ok));
  pair->rows[1] = *row;
  for (int which = 0; which < 2; which++) {
    row = &pair->rows[which];
    row->body = which == 0 ? row->body_a : row->body_b;
    row->body_name = request->scene->bodies[(size_t)row->body].name;
    row->vertices = (double)pair->pair.sides[which].mesh->vertex_count;
    row->triangles = (double)pair->pair.sides[which].mesh->triangle_count;
    row->volume_m3 = ts_mesh_mass_properties(pair->pair.sides[which].mesh, 1).volume_m3;
    if (is_ok)
      TS_TRY(set_side(row, arena, &pair->pair, which));
  }
  return TS_OK;
}
