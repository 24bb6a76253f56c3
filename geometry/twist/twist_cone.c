// SPDX-License-Identifier: MIT
#include "geometry/twist/twist_cone.h"

#include "geometry/cone_distance.h"
#include "geometry/tolerances.h"

#include <string.h>

ts_twist_row ts_twist_row_make(const ts_twist_frame *frame, ts_vec3 point, ts_vec3 normal) {
  ts_quat to_frame = ts_quat_conjugate(frame->axes);
  ts_vec3 n = ts_quat_rotate(to_frame, normal);
  ts_vec3 arm = ts_quat_rotate(to_frame, ts_vec3_sub(point, frame->centre));
  ts_vec3 moment = ts_vec3_cross(ts_vec3_scale(arm, 1 / frame->length_m), n);
  return (ts_twist_row){{n.x, n.y, n.z, moment.x, moment.y, moment.z}};
}

double ts_twist_norm(const double v[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

static bool make_unit(double v[6]) {
  double norm = ts_twist_norm(v);
  if (!(norm > 0) || !isfinite(norm))
    return false;
  for (int i = 0; i < 6; i++)
    v[i] /= norm;
  return true;
}

bool ts_twist_row_unit(ts_twist_row *row) {
  return make_unit(row->of);
}

/// A speed along an edge: linear from one end (0) to the other (1).
typedef struct ramp {
  double start, slope;
} ramp;

static ramp ramp_of(const ts_twist_row *rows, size_t count, size_t index, const double twist[6]) {
  double start = ts_twist_row_speed(&rows[index], twist);
  return (ramp){start, ts_twist_row_speed(&rows[count + index], twist) - start};
}

// A convex function: down along the largest ramp, from each to the next one that crosses it from
// below, until they rise.
double ts_twist_edge_margin(const ts_twist_row *rows, size_t count, const double twist[6]) {
  ramp on = ramp_of(rows, count, 0, twist);
  for (size_t i = 1; i < count; i++) {
    ramp other = ramp_of(rows, count, i, twist);
    if (other.start > on.start || (other.start == on.start && other.slope > on.slope))
      on = other;
  }
  double at = 0;
  while (on.slope < 0) {
    double next_at = 1;
    ramp next = on;
    for (size_t i = 0; i < count; i++) {
      ramp other = ramp_of(rows, count, i, twist);
      if (!(other.slope > on.slope))
        continue;
      double crossing = (on.start - other.start) / (other.slope - on.slope);
      if (crossing < next_at || (crossing == next_at && other.slope > next.slope)) {
        next_at = ts_max(crossing, at);
        next = other;
      }
    }
    at = next_at;
    if (!(next.slope > on.slope))
      break;
    on = next;
  }
  return on.start + at * on.slope;
}

double ts_twist_cone_margin(const ts_twist_cone *cone, const double twist[6]) {
  double smallest = INFINITY;
  size_t row = 0;
  for (size_t t = 0; t < cone->term_count; t++) {
    double largest = -INFINITY;
    if (cone->is_edge && cone->is_edge[t]) {
      largest = ts_twist_edge_margin(&cone->rows[row], (cone->term_ends[t] - row) / 2, twist);
      row = cone->term_ends[t];
    }
    for (; row < cone->term_ends[t]; row++)
      largest = ts_max(ts_twist_row_speed(&cone->rows[row], twist), largest);
    smallest = ts_min(largest, smallest);
  }
  return smallest;
}

bool ts_twist_rows_block(const ts_twist_row *rows, size_t count, const double twist[6],
                         double tolerance) {
  for (size_t i = 0; i < count; i++)
    if (ts_twist_row_speed(&rows[i], twist) < -tolerance)
      return true;
  return false;
}

static ts_vec3 row_normal(const ts_twist_row *row) {
  return ts_vec3_make(row->of[0], row->of[1], row->of[2]);
}

/// Leaves of a twist what is in the plane of the normal and the spin about it.
static void slide_on_plane(double twist[6], ts_vec3 n) {
  ts_vec3 v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
  v = ts_vec3_add_scaled(v, -ts_vec3_dot(v, n), n);
  w = ts_vec3_scale(n, ts_vec3_dot(w, n));
  const double left[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  for (int i = 0; i < 6; i++)
    twist[i] = left[i];
}

/// Whether a direction leads out of every row.
static bool leads_out(const ts_twist_row *rows, size_t count, ts_vec3 direction) {
  for (size_t i = 0; i < count; i++)
    if (!(ts_vec3_dot(row_normal(&rows[i]), direction) > TS_COMMON_SIDE_COSINE))
      return false;
  return true;
}

/// How far a twist must move along a direction that leads out of every row for every term to be
/// free, the least one just so.
static double way_out(const ts_twist_cone *cone, const double twist[6], ts_vec3 direction) {
  double way = -INFINITY;
  size_t row = 0;
  for (size_t t = 0; t < cone->term_count; t++) {
    double smallest = INFINITY;
    for (; row < cone->term_ends[t]; row++) {
      double cosine = ts_vec3_dot(row_normal(&cone->rows[row]), direction);
      smallest = ts_min(-ts_twist_row_speed(&cone->rows[row], twist) / cosine, smallest);
    }
    way = ts_max(smallest, way);
  }
  return way;
}

static double dot6(const double a[6], const double b[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += a[i] * b[i];
  return sum;
}

static void take_out(double v[6], const double unit[6]) {
  double along = dot6(v, unit);
  for (int i = 0; i < 6; i++)
    v[i] -= along * unit[i];
}

/// Makes what is left of a unit twist unit. False when that is rounding, which may point anywhere:
/// of a motion along the normal it is one along the normal.
static bool make_unit_slide(double twist[6]) {
  return ts_twist_norm(twist) > TS_SAME_NORMAL && make_unit(twist);
}

/// Gram-Schmidt over the rows, twice each.
static void find_basis(ts_twist_slide *out, const ts_twist_row *rows, size_t count) {
  for (size_t i = 0; i < count && out->rank < 6; i++) {
    ts_twist_row row = rows[i];
    if (!make_unit(row.of))
      continue;
    for (int k = 0; k < 2 * out->rank; k++)
      take_out(row.of, out->basis[k % out->rank]);
    if (ts_twist_norm(row.of) > TS_SAME_NORMAL && make_unit(row.of))
      memcpy(out->basis[out->rank++], row.of, sizeof row.of);
  }
}

ts_twist_slide ts_twist_slide_on(const ts_twist_cone *cone) {
  ts_twist_slide slide = {.kind = TS_SLIDE_NONE, .cone = cone};
  size_t count = cone->term_count > 0 ? cone->term_ends[cone->term_count - 1] : 0;
  if (count == 0)
    return slide;
  ts_vec3 first = row_normal(&cone->rows[0]), sum = {0, 0, 0};
  bool is_one_normal = true;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 n = row_normal(&cone->rows[i]);
    is_one_normal &= ts_vec3_distance(n, first) <= TS_SAME_NORMAL;
    sum = ts_vec3_add(sum, n);
  }
  slide.direction = is_one_normal ? first : ts_vec3_unit(sum);
  if (is_one_normal) {
    slide.kind = TS_SLIDE_IN_PLANE;
  } else if (leads_out(cone->rows, count, slide.direction)) {
    slide.kind = TS_SLIDE_TO_FIRST;
  } else {
    slide.kind = TS_SLIDE_ON_ALL;
    find_basis(&slide, cone->rows, count);
  }
  return slide;
}

bool ts_twist_make_slide(double twist[6], const ts_twist_slide *slide) {
  switch (slide->kind) {
  case TS_SLIDE_NONE:
  default:
    return false;
  case TS_SLIDE_IN_PLANE:
    slide_on_plane(twist, slide->direction);
    break;
  case TS_SLIDE_TO_FIRST: {
    double way = way_out(slide->cone, twist, slide->direction);
    twist[0] += way * slide->direction.x;
    twist[1] += way * slide->direction.y;
    twist[2] += way * slide->direction.z;
    break;
  }
  case TS_SLIDE_ON_ALL:
    for (int k = 0; k < 2 * slide->rank; k++)
      take_out(twist, slide->basis[k % slide->rank]);
    break;
  }
  return make_unit_slide(twist);
}

double ts_twist_row_residual(const ts_twist_row *rows, size_t count, const ts_twist_row *row) {
  return ts_cone_distance(count ? rows->of : NULL, 6, count, row->of, 0);
}
