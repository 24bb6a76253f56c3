// SPDX-License-Identifier: MIT
// covers: geometry/twist/twist_cone.c
#include "geometry/twist/twist_cone.h"

#include "base/random.h"
#include "geometry/twist/twist_samples.h"

#include <criterion/criterion.h>
#include <string.h>

static const ts_twist_frame at_origin = {{1, 0, 0, 0}, {0, 0, 0}, 1};

static ts_twist_row row_at(double x, double y, double z, ts_vec3 normal) {
  return ts_twist_row_make(&at_origin, ts_vec3_make(x, y, z), normal);
}

static ts_twist_row unit_row_at(double x, double y, double z, ts_vec3 normal) {
  ts_twist_row row = row_at(x, y, z, normal);
  cr_assert(ts_twist_row_unit(&row));
  return row;
}

static const ts_vec3 up = {0, 1, 0}, right = {1, 0, 0}, left = {-1, 0, 0}, front = {0, 0, 1};

Test(geometry_twist_cone, a_row_times_a_twist_is_how_fast_the_bodies_part_there) {
  ts_twist_frame frame = {
      ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(1, 2, 3)), 0.7), {4, -5, 6}, 0.3};
  ts_vec3 point = {4.2, -5.1, 6.3}, normal = ts_vec3_unit(ts_vec3_make(1, -1, 0.5));
  ts_vec3 v = {0.3, -0.2, 0.5}, w = {0.7, 0.1, -0.9}; // world
  ts_vec3 at_point = ts_vec3_add(v, ts_vec3_cross(w, ts_vec3_sub(point, frame.centre)));
  ts_quat inverse = ts_quat_conjugate(frame.axes);
  ts_vec3 vf = ts_quat_rotate(inverse, v);
  ts_vec3 wf = ts_vec3_scale(ts_quat_rotate(inverse, w), frame.length_m);
  const double twist[6] = {vf.x, vf.y, vf.z, wf.x, wf.y, wf.z};
  ts_twist_row row = ts_twist_row_make(&frame, point, normal);
  cr_expect_float_eq(ts_twist_row_speed(&row, twist), ts_vec3_dot(normal, at_point), 1e-14);
}

Test(geometry_twist_cone, the_margin_is_the_least_term_and_a_term_its_best_row) {
  const ts_twist_row rows[3] = {row_at(0, 0, 0, up), row_at(0, 0, 0, right), row_at(0, 0, 0, left)};
  const size_t ends[2] = {1, 3};
  ts_twist_cone cone = {2, ends, rows, NULL};
  const double away[6] = {0.2, 0.5, 0}, sideways[6] = {-0.7, 0.1, 0}, down[6] = {0.9, -0.3, 0};
  cr_expect_eq(ts_twist_cone_margin(&cone, away), 0.2);
  cr_expect_eq(ts_twist_cone_margin(&cone, sideways), 0.1);
  cr_expect_eq(ts_twist_cone_margin(&cone, down), -0.3);
  ts_twist_cone empty = {0};
  cr_expect_eq(ts_twist_cone_margin(&empty, away), INFINITY);
}

/// The same by looking at many points.
static double edge_by_points(const ts_twist_row *rows, size_t count, const double twist[6]) {
  double smallest = INFINITY;
  for (int s = 0; s <= 20000; s++) {
    double largest = -INFINITY, at = s / 20000.0;
    for (size_t i = 0; i < count; i++)
      largest = fmax(largest, (1 - at) * ts_twist_row_speed(&rows[i], twist) +
                                  at * ts_twist_row_speed(&rows[count + i], twist));
    smallest = fmin(smallest, largest);
  }
  return smallest;
}

Test(geometry_twist_cone, along_an_edge_the_margin_is_least_wherever_that_is) {
  ts_twist_samples samples = ts_twist_samples_start(500);
  for (size_t count = 1; count <= 5; count++)
    for (int trial = 0; trial < 12; trial++) {
      ts_twist_row rows[10];
      const size_t end = 2 * count;
      const bool is_edge = true;
      double twist[6];
      for (size_t i = 0; i < end; i++)
        ts_twist_samples_next(rows[i].of, &samples);
      ts_twist_samples_next(twist, &samples);
      ts_twist_cone cone = {1, &end, rows, &is_edge};
      cr_expect_float_eq(ts_twist_cone_margin(&cone, twist), edge_by_points(rows, count, twist),
                         2e-4, "%zu rows", count);
    }
}

Test(geometry_twist_cone, equal_and_level_speeds_along_an_edge_do_no_harm) {
  const ts_twist_row rows[6] = {row_at(0, 0, 1, up),    row_at(0, 0, 1, up),
                                row_at(0, 0, 1, right), row_at(0, 0, -1, up),
                                row_at(0, 0, -1, up),   row_at(0, 0, -1, right)};
  const size_t end = 6;
  const bool is_edge = true;
  ts_twist_cone cone = {1, &end, rows, &is_edge};
  const double level[6] = {-0.2, -0.1, 0}, none[6] = {0}, tilt[6] = {-0.2, 0, 0, 1, 0, 0};
  cr_expect_eq(ts_twist_cone_margin(&cone, level), -0.1);
  cr_expect_eq(ts_twist_cone_margin(&cone, none), 0);
  cr_expect_float_eq(ts_twist_cone_margin(&cone, tilt), -0.2, 1e-15);
}

Test(geometry_twist_cone, rows_block_what_closes_faster_than_the_tolerance) {
  const ts_twist_row rows[2] = {row_at(0, 0, 0, right), row_at(0, 0, 0, up)};
  const double closes[6] = {0.5, -0.02, 0};
  cr_expect(ts_twist_rows_block(rows, 2, closes, 0.01));
  cr_expect_not(ts_twist_rows_block(rows, 2, closes, 0.03));
  cr_expect_not(ts_twist_rows_block(rows, 1, closes, 0.01));
  cr_expect_not(ts_twist_rows_block(rows, 0, closes, 0));
}

static bool slide(double twist[6], const ts_twist_cone *cone) {
  ts_twist_slide on = ts_twist_slide_on(cone);
  return ts_twist_make_slide(twist, &on);
}

static void check_slides(const ts_twist_row *rows, const size_t *ends, size_t terms,
                         int rank_left) {
  ts_twist_cone cone = {terms, ends, rows, NULL};
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (int i = 0; i < 200; i++) {
    double twist[6], norm2 = 0;
    ts_twist_samples_next(twist, &samples);
    cr_assert_eq(slide(twist, &cone), rank_left > 0);
    if (rank_left == 0)
      continue;
    for (int k = 0; k < 6; k++)
      norm2 += twist[k] * twist[k];
    cr_assert_float_eq(norm2, 1, 1e-14);
    cr_assert_float_eq(ts_twist_cone_margin(&cone, twist), 0, 1e-13);
  }
}

Test(geometry_twist_cone, a_slide_neither_opens_nor_closes_what_is_first) {
  const size_t ends[4] = {1, 2, 3, 4}, pairs[2] = {2, 4};
  const ts_twist_row face[4] = {row_at(1, 0, 1, up), row_at(1, 0, -1, up), row_at(-1, 0, 1, up),
                                row_at(-1, 0, -1, up)};
  check_slides(face, ends, 4, 3);
  const ts_twist_row corner[3] = {row_at(0, 0, 0, up), row_at(0, 0, 0, right),
                                  row_at(0, 0, 0, front)};
  check_slides(corner, ends, 3, 1);
  const ts_vec3 wall[2] = {ts_vec3_unit(ts_vec3_make(3, 1, 0)),
                           ts_vec3_unit(ts_vec3_make(-3, 1, 0))};
  const ts_twist_row ridge[4] = {row_at(0, 0, 1, wall[0]), row_at(0, 0, 1, wall[1]),
                                 row_at(0, 0, -1, wall[0]), row_at(0, 0, -1, wall[1])};
  check_slides(ridge, ends, 4, 1);
  check_slides(ridge, pairs, 2, 1); // any one
}

Test(geometry_twist_cone, on_one_face_a_slide_stays_in_it) {
  const ts_twist_row face[3] = {row_at(1, 0, 1, up), row_at(1, 0, -1, up), row_at(-1, 0, 0, up)};
  const size_t ends[3] = {1, 2, 3};
  ts_twist_cone cone = {3, ends, face, NULL};
  double twist[6] = {0.3, 0.5, 0.1, 0.4, 0.2, 0.6};
  cr_assert(slide(twist, &cone));
  cr_expect_float_eq(twist[1], 0, 1e-15);
  cr_expect_float_eq(twist[3], 0, 1e-15);
  cr_expect_float_eq(twist[5], 0, 1e-15);
  cr_expect_float_eq(twist[0] / twist[2], 3, 1e-12);
  cr_expect_float_eq(twist[4] / twist[2], 2, 1e-12);
}

Test(geometry_twist_cone, a_peg_slides_along_its_hole) {
  const ts_twist_row peg[8] = {row_at(1, 1, 0, left),
                               row_at(1, -1, 0, left),
                               row_at(-1, 1, 0, right),
                               row_at(-1, -1, 0, right),
                               row_at(0, 1, 1, front),
                               row_at(0, -1, 1, front),
                               row_at(1, 0, -1, ts_vec3_neg(front)),
                               row_at(0, 1, -1, ts_vec3_neg(front))};
  const size_t ends[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ts_twist_cone cone = {8, ends, peg, NULL};
  double twist[6] = {0.3, 0.5, 0.1, 0.4, 0.2, 0.6};
  cr_assert(slide(twist, &cone));
  cr_expect_float_eq(fabs(twist[1]), 1, 1e-14);
}

Test(geometry_twist_cone, a_body_held_on_all_sides_has_no_slide) {
  ts_twist_row rows[12];
  size_t ends[12];
  for (size_t i = 0; i < 12; i++)
    ends[i] = i + 1;
  const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      ts_vec3 p = ts_vec3_scale(axes[(i + 1 + k / 2) % 3], 1);
      rows[4 * i + k] = row_at(p.x, p.y, p.z, ts_vec3_scale(axes[i], k % 2 ? 1 : -1));
    }
  check_slides(rows, ends, 12, 0);
  ts_twist_cone empty = {0};
  double twist[6] = {1, 0, 0, 0, 0, 0};
  cr_expect_not(slide(twist, &empty));
  double along_normal[6] = {0, 1, 0, 0, 0, 0};
  ts_twist_row one = row_at(0, 0, 0, up);
  ts_twist_cone single = {1, ends, &one, NULL};
  cr_expect_not(slide(along_normal, &single));
}

Test(geometry_twist_cone, a_row_without_a_direction_is_not_made_unit) {
  ts_twist_row zero = {{0}}, inf = {{INFINITY, 1}}, nan = {{NAN}}, huge = {{1e300, 1e300}};
  cr_expect_not(ts_twist_row_unit(&zero));
  cr_expect_not(ts_twist_row_unit(&inf));
  cr_expect_not(ts_twist_row_unit(&nan));
  cr_expect_not(ts_twist_row_unit(&huge));
}

// ---------------------------------------------------------------------------------------------
// Residuals

/// By projecting on the cone's rows again and again: slow, and right for any rows.
static double slow_residual(const ts_twist_row *rows, size_t count, const ts_twist_row *row) {
  double left[6], factor[16] = {0}, norm2 = 0;
  memcpy(left, row->of, sizeof left);
  for (int sweep = 0; sweep < 20000; sweep++)
    for (size_t j = 0; j < count; j++) {
      double along = 0;
      for (int i = 0; i < 6; i++)
        along += rows[j].of[i] * left[i];
      double next = factor[j] + along > 0 ? factor[j] + along : 0, step = next - factor[j];
      for (int i = 0; i < 6; i++)
        left[i] -= step * rows[j].of[i];
      factor[j] = next;
    }
  for (int i = 0; i < 6; i++)
    norm2 += left[i] * left[i];
  return sqrt(norm2);
}

Test(geometry_twist_cone, residuals_are_those_of_a_slow_method) {
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (size_t count = 1; count <= 12; count++)
    for (int trial = 0; trial < 8; trial++) {
      ts_twist_row rows[16], row;
      for (size_t i = 0; i < count; i++) {
        ts_twist_samples_next(rows[i].of, &samples);
        rows[i].of[0] = fabs(rows[i].of[0]); // a pointed cone
      }
      ts_twist_samples_next(row.of, &samples);
      double residual = ts_twist_row_residual(rows, count, &row);
      cr_expect_float_eq(residual, slow_residual(rows, count, &row), 1e-6, "%zu rows: %g", count,
                         residual);
    }
}

Test(geometry_twist_cone, what_lies_in_the_cone_has_no_residual) {
  const ts_twist_row face[4] = {unit_row_at(1, 0, 1, up), unit_row_at(1, 0, -1, up),
                                unit_row_at(-1, 0, 1, up), unit_row_at(-1, 0, -1, up)};
  for (double x = -1; x <= 1; x += 0.25)
    for (double z = -1; z <= 1; z += 0.25) {
      ts_twist_row row = unit_row_at(x, 0, z, up);
      cr_expect_lt(ts_twist_row_residual(face, 4, &row), 1e-12, "%g %g", x, z);
    }
}

Test(geometry_twist_cone, the_residual_measures_how_far_a_contact_is_off) {
  const ts_twist_row face[4] = {unit_row_at(1, 0, 1, up), unit_row_at(1, 0, -1, up),
                                unit_row_at(-1, 0, 1, up), unit_row_at(-1, 0, -1, up)};
  ts_twist_row beside = unit_row_at(1.01, 0, 0, up), sideways = unit_row_at(0, 0, 0, right);
  ts_twist_row down = unit_row_at(0, 0, 0, ts_vec3_neg(up));
  cr_expect_float_eq(ts_twist_row_residual(face, 4, &beside), 0.005, 2e-4);
  cr_expect_float_eq(ts_twist_row_residual(face, 4, &sideways), 1, 1e-12);
  cr_expect_float_eq(ts_twist_row_residual(face, 4, &down), 1, 1e-12);
  cr_expect_float_eq(ts_twist_row_residual(NULL, 0, &down), 1, 1e-15);
}

Test(geometry_twist_cone, equal_and_nearly_equal_and_opposite_rows_do_no_harm) {
  ts_twist_row rows[40];
  for (int i = 0; i < 40; i++)
    rows[i] = unit_row_at(1e-9 * i, 0, 0, i % 3 == 2 ? ts_vec3_neg(up) : up);
  ts_twist_row right_there = unit_row_at(0, 0, 0, up), off = unit_row_at(0, 0, 0, right);
  cr_expect_lt(ts_twist_row_residual(rows, 40, &right_there), 1e-12);
  cr_expect_float_eq(ts_twist_row_residual(rows, 40, &off), 1, 1e-9);
}

// Farkas: what lies in the cone blocks nothing that the rows leave free; what does not, does.
Test(geometry_twist_cone, a_residual_is_zero_when_nothing_free_is_blocked) {
  ts_twist_samples samples = ts_twist_samples_start(12345);
  const ts_twist_row hole[4] = {
      unit_row_at(0, 0, 0, ts_vec3_unit(ts_vec3_make(3, 1, 0))),
      unit_row_at(0, 0, 0, ts_vec3_unit(ts_vec3_make(-3, 1, 0))),
      unit_row_at(0, 0, 0, ts_vec3_unit(ts_vec3_make(0, 1, 3))),
      unit_row_at(0, 0, 0, ts_vec3_unit(ts_vec3_make(0, 1, -3))),
  };
  ts_twist_row up_row = unit_row_at(0, 0, 0, up);
  ts_twist_row flat = unit_row_at(0, 0, 0, ts_vec3_unit(ts_vec3_make(5, 1, 0)));
  cr_expect_lt(ts_twist_row_residual(hole, 4, &up_row), 1e-12);
  cr_expect_gt(ts_twist_row_residual(hole, 4, &flat), 0.05);
  int blocked_by_up = 0, blocked_by_flat = 0, free = 0;
  for (int i = 0; i < 20000; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    if (ts_twist_rows_block(hole, 4, twist, 0))
      continue;
    free++;
    blocked_by_up += ts_twist_rows_block(&up_row, 1, twist, 0);
    blocked_by_flat += ts_twist_rows_block(&flat, 1, twist, 0);
  }
  cr_expect_gt(free, 500);
  cr_expect_eq(blocked_by_up, 0);
  cr_expect_gt(blocked_by_flat, 10);
}

/// Rounding leaves a little of the normal itself where a motion along it is taken out.
Test(geometry_twist_cone, a_motion_along_the_normal_leaves_no_slide) {
  const size_t ends[2] = {1, 2};
  ts_random random = ts_random_seed(11, 0);
  for (int i = 0; i < 200; i++) {
    ts_vec3 n = ts_vec3_unit(
        ts_vec3_make(1e-6 * ts_random_unit(&random), 1, 1e-6 * ts_random_unit(&random)));
    const ts_twist_row rows[2] = {row_at(0, 0, 0, n), row_at(1, 0, 0, n)};
    ts_twist_cone cone = {2, ends, rows, NULL};
    double into[6] = {-n.x, -n.y, -n.z, 0, 0, 0}, apart[6] = {n.x, n.y, n.z, 0, 0, 0};
    cr_expect_not(slide(into, &cone), "normal (%g, %g, %g)", n.x, n.y, n.z);
    cr_expect_not(slide(apart, &cone));
  }
}
