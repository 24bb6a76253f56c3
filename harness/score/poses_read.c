// SPDX-License-Identifier: MIT
#include "harness/score/poses_read.h"

#include "base/number.h"
#include "base/status.h"
#include "geometry/aabb.h"
#include "geometry/pose.h"
#include "geometry/tolerances.h"
#include "harness/score/contacts_collect.h"
#include "harness/score/csv_table.h"

#include <math.h>
#include <string.h>

static const char *const needed[] = {"step",         "body",         "position_x_m",
                                     "position_y_m", "position_z_m", "rotation_w",
                                     "rotation_x",   "rotation_y",   "rotation_z"};

static const ts_field *field_of(const char *column) {
  return ts_row_find(&ts_pose_rows, column);
}

/// A quaternion of double precision is unit to this.
#define UNIT_ROUNDING 1e-15

static const ts_csv_shape shape = {.what = "poses",
                                   .needed = needed,
                                   .needed_count = sizeof needed / sizeof *needed,
                                   .field_of = field_of};

struct ts_poses {
  const ts_poses_source *source;
  ts_arena *arena;
  ts_csv_table table;
  ts_body_finder *finder;
  ts_body *bodies; ///< [body_count] of the step
  bool *is_posed;  ///< [body_count] by a row of the step
  ts_pose_row row; ///< the one read last
  /// What tells the file's cells apart, as its rows say: of the first one that was read, and of the
  /// first one that was not. NULL: there was none.
  const char *own, *other;
  bool has_row, has_step, has_time;
  double step, time_s; ///< the last ones
};

ts_status ts_poses_open(ts_poses **out, ts_arena *arena, const ts_poses_source *source) {
  const ts_scene *scene = source->scene;
  ts_poses *p = ts_arena_alloc(arena, sizeof *p);
  ts_body *bodies = ts_arena_copy(arena, scene->bodies, scene->body_count, sizeof *bodies);
  bool *is_posed = ts_arena_array(arena, scene->body_count, sizeof *is_posed);
  if (!p || !bodies || !is_posed)
    return TS_E_MEMORY;
  *p = (ts_poses){.source = source,
                  .arena = arena,
                  .bodies = bodies,
                  .is_posed = is_posed,
                  .table = {.fd = -1}};
  TS_TRY(ts_body_finder_create(&p->finder, arena, scene, source->words, source->path));
  ts_status status = ts_csv_table_open(&p->table, arena, source->path, &shape);
  if (status != TS_OK) {
    ts_poses_close(p);
    return status;
  }
  p->has_time = ts_csv_table_column(&p->table, "time_s") != TS_NO_COLUMN;
  *out = p;
  return TS_OK;
}

void ts_poses_close(ts_poses *poses) {
  if (poses)
    ts_csv_table_close(&poses->table);
}

static bool has_column(const ts_poses *p, const char *name) {
  return ts_csv_table_column(&p->table, name) != TS_NO_COLUMN;
}

/// Whether a row is selected.
static bool is_selected(const ts_poses *p) {
  const ts_poses_source *s = p->source;
  const ts_pose_row *row = &p->row;
  return (!has_column(p, "cell") || ts_contacts_is_of_cell(s->cell, row->cell)) &&
         (!s->case_name || !has_column(p, "case") || strcmp(row->case_name, s->case_name) == 0) &&
         (!s->method || !has_column(p, "method") || strcmp(row->method, s->method) == 0);
}

/// "case wedges method growth cell 2a0e": what a row is of, as far as it says.
static const char *subject_of(ts_arena *arena, const ts_pose_row *row) {
  return ts_arena_format(arena, "%s%.60s%s%.60s%s%.40s", row->case_name[0] ? " case " : "",
                         row->case_name, row->method[0] ? " method " : "", row->method,
                         row->cell[0] ? " cell " : "", row->cell);
}

/// Checks that a row is of the same cell as those before it.
static ts_status check_subject(ts_poses *p) {
  ts_arena_mark mark = ts_arena_get_mark(p->arena);
  const char *subject = subject_of(p->arena, &p->row);
  if (!subject)
    return TS_E_MEMORY;
  if (!p->own) {
    p->own = subject;
    return TS_OK;
  }
  if (strcmp(subject, p->own) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: poses of%s, after those of%s; select one with --method or --cell",
                   p->source->path, p->table.record.line, subject, p->own);
  ts_arena_rewind(p->arena, mark);
  return TS_OK;
}

/// Reads the next row that is selected.
static ts_status read_row(ts_poses *p) {
  for (;;) {
    TS_TRY(ts_csv_table_read(&p->has_row, &p->table));
    ts_row_init(&ts_pose_rows, &p->row);
    if (!p->has_row)
      break;
    TS_TRY(ts_csv_table_fill(&p->row, &p->table));
    if (is_selected(p))
      return check_subject(p);
    if (!p->other && !(p->other = subject_of(p->arena, &p->row)))
      return TS_E_MEMORY;
  }
  if (p->own || !p->other)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s has no poses of the case, method and cell that are asked for; it has those "
                 "of%s. Where they are of the same motion, leave out its columns cell, case and "
                 "method",
                 p->source->path, p->other);
}

static ts_status check_number(const ts_poses *p, const ts_field *field) {
  if (field->kind == TS_FIELD_TEXT || isfinite(ts_row_number(field, &p->row)))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: %s is not a finite number; write the pose of the body, or leave "
                 "out the whole step",
                 p->source->path, p->table.record.line, field->column);
}

/// Checks that the numbers that are needed are finite.
static ts_status check_numbers(const ts_poses *p) {
  for (size_t i = 0; i < shape.needed_count; i++)
    TS_TRY(check_number(p, field_of(needed[i])));
  if (p->row.step > TS_POSES_STEP_MAX)
    return ts_fail(TS_E_INPUT, "%s, line %zu: step is above %.0f; count the steps from 0",
                   p->source->path, p->table.record.line, TS_POSES_STEP_MAX);
  return p->has_time ? check_number(p, field_of("time_s")) : TS_OK;
}

/// Checks that the row goes on where the last one was.
static ts_status check_order(const ts_poses *p) {
  const ts_pose_row *row = &p->row;
  size_t line = p->table.record.line;
  char now[TS_NUMBER_BYTES], before[TS_NUMBER_BYTES];
  if (!p->has_step)
    return TS_OK;
  ts_number_format(now, row->step);
  ts_number_format(before, p->step);
  if (row->step < p->step)
    return ts_fail(TS_E_INPUT, "%s, line %zu: step %s comes after step %s; sort the rows by step",
                   p->source->path, line, now, before);
  if (row->time_s < p->time_s || (row->step == p->step && row->time_s != p->time_s)) {
    ts_number_format(now, row->time_s);
    ts_number_format(before, p->time_s);
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: time_s is %s after %s in %s; times rise with the steps, and are "
                   "the same for all bodies of a step",
                   p->source->path, line, now, before,
                   row->step == p->step ? "the same step" : "an earlier step");
  }
  return TS_OK;
}

static ts_status take_pose(ts_poses *p) {
  const ts_pose_row *row = &p->row;
  size_t line = p->table.record.line;
  int32_t body;
  TS_TRY(ts_body_find(&body, p->finder, "body", row->body, line));
  if (p->is_posed[body])
    return ts_fail(TS_E_INPUT, "%s, line %zu: a second pose of body %.60s in step %.0f; keep one",
                   p->source->path, line, row->body, row->step);
  ts_quat q = {row->rotation_w, row->rotation_x, row->rotation_y, row->rotation_z};
  double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(fabs(norm - 1) <= TS_POSES_UNIT_OFF))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the quaternion has length %.9g instead of 1; columns rotation_w "
                   "to rotation_z need a unit quaternion, w first",
                   p->source->path, line, norm);
  ts_body *to = &p->bodies[body];
  bool is_unit = fabs(norm - 1) <= UNIT_ROUNDING; // then its bits are kept
  to->pose = (ts_pose){is_unit ? q : ts_quat_unit(q),
                       {row->position_x_m, row->position_y_m, row->position_z_m}};
  const double given[6] = {row->velocity_x_m_s,  row->velocity_y_m_s,  row->velocity_z_m_s,
                           row->angular_x_rad_s, row->angular_y_rad_s, row->angular_z_rad_s};
  double *twist[6] = {&to->twist.linear_m_s.x,    &to->twist.linear_m_s.y,
                      &to->twist.linear_m_s.z,    &to->twist.angular_rad_s.x,
                      &to->twist.angular_rad_s.y, &to->twist.angular_rad_s.z};
  for (int i = 0; i < 6; i++)
    if (isfinite(given[i]))
      *twist[i] = given[i];
  p->is_posed[body] = true;
  return TS_OK;
}

/// Checks that every body that can move has a pose.
static ts_status check_bodies(const ts_poses *p, const ts_recorded_step *step) {
  const ts_scene *scene = p->source->scene;
  for (size_t i = 0; i < scene->body_count; i++)
    if (!p->is_posed[i] && !scene->bodies[i].is_fixed)
      return ts_fail(
          TS_E_INPUT,
          "%s, line %zu: step %.0f has no pose of body %zu (%.60s); bodies that can move "
          "have a row in each step",
          p->source->path, step->line, step->step, i, scene->bodies[i].name);
  return TS_OK;
}

/// How far a body is from where the scene has it: the largest distance of a corner of its bounds.
static double distance_from_scene(const ts_scene *scene, const ts_body *body, size_t index) {
  ts_aabb bounds = scene->shapes[body->shape].bounds_local;
  double most_m = 0;
  for (int corner = 0; corner < 8; corner++) {
    ts_vec3 p = {corner & 1 ? bounds.high.x : bounds.low.x,
                 corner & 2 ? bounds.high.y : bounds.low.y,
                 corner & 4 ? bounds.high.z : bounds.low.z};
    most_m = fmax(most_m, ts_vec3_distance(ts_pose_point(body->pose, p),
                                           ts_pose_point(scene->bodies[index].pose, p)));
  }
  return most_m;
}

static ts_status check_first(const ts_poses *p, const ts_recorded_step *step) {
  const ts_scene *scene = p->source->scene;
  for (size_t i = 0; i < scene->body_count && !p->source->starts_anywhere; i++) {
    double size_m = ts_aabb_extent(scene->shapes[scene->bodies[i].shape].bounds_local);
    double off_m = distance_from_scene(scene, &p->bodies[i], i);
    if (!(off_m <= fmax(scene->touch_relative, TS_POSITION_RELATIVE) * size_m))
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: in the first step body %zu (%.60s) is %.3g m away from where "
                     "the scene has it; give the pose of the frame of its mesh (engines log that "
                     "of the centre of mass), or say --first any if the recording starts later",
                     p->source->path, step->line, i, scene->bodies[i].name, off_m);
  }
  return TS_OK;
}

ts_status ts_poses_next(bool *out_found, ts_recorded_step *out, ts_poses *poses) {
  ts_poses *p = poses;
  const ts_scene *scene = p->source->scene;
  bool is_first = !p->has_step;
  if (is_first)
    TS_TRY(read_row(p));
  *out_found = p->has_row;
  if (!p->has_row)
    return TS_OK;
  memcpy(p->bodies, scene->bodies, scene->body_count * sizeof *p->bodies);
  memset(p->is_posed, 0, scene->body_count * sizeof *p->is_posed);
  *out = (ts_recorded_step){p->row.step, p->row.time_s, p->bodies, p->table.record.line};
  do {
    TS_TRY(check_numbers(p));
    TS_TRY(check_order(p));
    p->step = p->row.step;
    p->time_s = p->row.time_s;
    p->has_step = true;
    TS_TRY(take_pose(p));
    TS_TRY(read_row(p));
  } while (p->has_row && p->row.step == out->step);
  TS_TRY(check_bodies(p, out));
  return is_first ? check_first(p, out) : TS_OK;
}
