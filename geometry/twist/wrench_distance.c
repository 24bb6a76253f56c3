// SPDX-License-Identifier: MIT
#include "geometry/twist/wrench_distance.h"

#include <math.h>
#include <stdlib.h>

static bool has_alternatives(const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (contacts[i].group != 0)
      return true;
  return false;
}

/// The wrench of a contact, unit; false when it is not finite.
static bool make_wrench(ts_twist_row *out, const ts_twist_frame *frame, const ts_contact *contact) {
  *out = ts_twist_row_make(frame, contact->point, contact->normal);
  return ts_twist_row_unit(out);
}

ts_status ts_wrench_distance(double *out, size_t *worst, const ts_twist_frame *frame,
                             const ts_contact *from, size_t from_count, const ts_contact *to,
                             size_t to_count) {
  size_t farthest = from_count;
  *out = NAN;
  if (worst)
    *worst = farthest;
  if (has_alternatives(from, from_count) || has_alternatives(to, to_count))
    return TS_OK;
  ts_twist_row *rows = malloc((to_count + 1) * sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < to_count; i++)
    count += make_wrench(&rows[count], frame, &to[i]);
  double largest = 0;
  for (size_t i = 0; i < from_count; i++) {
    ts_twist_row row;
    if (!make_wrench(&row, frame, &from[i]))
      continue;
    double distance = ts_twist_row_residual(rows, count, &row);
    if (distance > largest || farthest == from_count) {
      largest = distance;
      farthest = i;
    }
  }
  free(rows);
  *out = largest;
  if (worst)
    *worst = farthest;
  return TS_OK;
}
