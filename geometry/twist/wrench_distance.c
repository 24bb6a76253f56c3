// SPDX-License-Identifier: MIT
#include "geometry/twist/wrench_distance.h"

#include "base/status.h"
#include "geometry/cone_distance.h"

#include <math.h>
#include <stdlib.h>

static bool has_alternatives(const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (contacts[i].group != 0)
      return true;
  return false;
}

/// A row on its way, with its cosine to the sum of all.
typedef struct sorted_row {
  ts_twist_row row;
  double to_middle;
  size_t contact;
} sorted_row;

static int compare_rows(const void *a, const void *b) {
  const sorted_row *x = a, *y = b;
  int order = (x->to_middle > y->to_middle) - (x->to_middle < y->to_middle);
  return order != 0 ? order : (x->contact > y->contact) - (x->contact < y->contact);
}

/// The wrenches of the contacts that have one, those far from their middle first, since most of
/// them are corners of the cone. Returns their number.
static size_t sort_rows(sorted_row *out, const ts_twist_frame *frame, const ts_contact *contacts,
                        size_t count) {
  size_t used = 0;
  double sum[6] = {0};
  for (size_t i = 0; i < count; i++) {
    ts_twist_row row = ts_twist_row_make(frame, contacts[i].point, contacts[i].normal);
    if (!ts_twist_row_unit(&row))
      continue;
    out[used++] = (sorted_row){.row = row, .contact = i};
    for (int k = 0; k < 6; k++)
      sum[k] += row.of[k];
  }
  for (size_t i = 0; i < used; i++)
    out[i].to_middle = ts_twist_row_speed(&out[i].row, sum);
  if (used > 0)
    qsort(out, used, sizeof *out, compare_rows);
  return used;
}

/// Fills `rows` and `contacts` [count]: first the rows that are not in the cone of earlier ones.
static size_t part_rows(ts_twist_row *rows, size_t *contacts, const sorted_row *sorted,
                        size_t count) {
  size_t generators = 0, last = count;
  for (size_t i = 0; i < count; i++) {
    bool adds = ts_twist_row_residual(rows, generators, &sorted[i].row) > 0;
    size_t place = adds ? generators++ : --last;
    rows[place] = sorted[i].row;
    contacts[place] = sorted[i].contact;
  }
  return generators;
}

ts_status ts_wrench_set_make(ts_wrench_set *out, ts_arena *arena, const ts_twist_frame *frame,
                             const ts_contact *contacts, size_t count) {
  *out = (ts_wrench_set){.has_alternatives = has_alternatives(contacts, count)};
  if (out->has_alternatives || count == 0)
    return TS_OK;
  ts_twist_row *rows = ts_arena_array(arena, count, sizeof *rows);
  size_t *of = ts_arena_array(arena, count, sizeof *of);
  ts_arena_mark mark = ts_arena_get_mark(arena);
  sorted_row *sorted = ts_arena_array(arena, count, sizeof *sorted);
  if (!rows || !of || !sorted)
    return TS_E_MEMORY;
  out->count = sort_rows(sorted, frame, contacts, count);
  out->generator_count = part_rows(rows, of, sorted, out->count);
  out->rows = rows;
  out->contacts = of;
  ts_arena_rewind(arena, mark);
  return TS_OK;
}

// The corners come first, so that what they show is enough for most of the others.
double ts_wrench_set_distance(size_t *worst, const ts_wrench_set *from, const ts_wrench_set *to) {
  *worst = SIZE_MAX;
  if (from->has_alternatives || to->has_alternatives)
    return NAN;
  double largest = 0;
  for (size_t i = 0; i < from->count && largest < 1; i++) {
    if (i == from->generator_count && largest == 0)
      break; // all others are sums of these
    double distance = ts_cone_distance(to->count ? to->rows->of : NULL, 6, to->generator_count,
                                       from->rows[i].of, largest);
    if (distance > largest || i == 0) {
      largest = distance;
      *worst = from->contacts[i];
    }
  }
  return largest;
}

ts_status ts_wrench_distance(double *out, size_t *worst, const ts_twist_frame *frame,
                             const ts_contact *from, size_t from_count, const ts_contact *to,
                             size_t to_count) {
  ts_arena *arena;
  ts_wrench_set a, b;
  size_t farthest;
  *out = NAN;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_wrench_set_make(&a, arena, frame, from, from_count);
  if (status == TS_OK)
    status = ts_wrench_set_make(&b, arena, frame, to, to_count);
  if (status == TS_OK) {
    *out = ts_wrench_set_distance(&farthest, &a, &b);
    if (worst)
      *worst = farthest == SIZE_MAX ? from_count : farthest;
  }
  ts_arena_destroy(arena);
  return status;
}
