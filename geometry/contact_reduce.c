// SPDX-License-Identifier: MIT
#include "geometry/contact_reduce.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// What is chosen so far.
typedef struct selection {
  const ts_contact *contacts;
  size_t *chosen; ///< [count]; the first [ring_count] are the corners of the hull, in its order
  size_t count, ring_count;
  ts_vec3 up; ///< from the third on: unit normal, about which the ring is counter-clockwise
} selection;

static ts_vec3 between(const selection *s, size_t from, size_t to) {
  return ts_vec3_sub(s->contacts[to].point, s->contacts[from].point);
}

/// Twice the area of the triangle that a contact spans with a side of the ring; negative inside.
static double twice_area_outside(const selection *s, size_t side, size_t index) {
  size_t from = s->chosen[side], to = s->chosen[(side + 1) % s->ring_count];
  return ts_vec3_dot(s->up, ts_vec3_cross(between(s, from, index), between(s, from, to)));
}

static double added_area(const selection *s, size_t index) {
  double twice = 0;
  for (size_t side = 0; side < s->ring_count; side++)
    twice += ts_max(twice_area_outside(s, side, index), 0);
  return 0.5 * twice;
}

/// How good a choice a contact is as the next one; 0 up to rounding for one that is chosen already.
static double merit(const selection *s, size_t index) {
  if (s->count == 0)
    return isnan(s->contacts[index].gap_m) ? (double)-INFINITY : -s->contacts[index].gap_m;
  if (s->count == 1)
    return ts_vec3_norm(between(s, s->chosen[0], index));
  if (s->count == 2)
    return 0.5 * ts_vec3_norm(ts_vec3_cross(between(s, s->chosen[0], s->chosen[1]),
                                            between(s, s->chosen[0], index)));
  return added_area(s, index);
}

/// Of the contacts that are as good as the best the first of the deepest; false when none adds
/// anything.
static bool find_next(size_t *out, const selection *s, size_t count, double size_m) {
  double depth_m = TS_REDUCE_DEPTH_RELATIVE * size_m;
  double tolerance = depth_m * (s->count < 2 ? 1 : size_m);
  double least = s->count == 0 ? (double)-INFINITY : tolerance, best = -INFINITY;
  for (size_t i = 0; i < count; i++)
    best = ts_max(merit(s, i), best);
  if (s->count > 0 && !(best > least))
    return false;
  double enough = ts_max(best - tolerance, least), deepest_m = INFINITY;
  for (size_t i = 0; i < count; i++)
    if (merit(s, i) >= enough)
      deepest_m = ts_min(deepest_m, s->contacts[i].gap_m);
  for (*out = 0; *out + 1 < count &&
                 !(merit(s, *out) >= enough && s->contacts[*out].gap_m <= deepest_m + depth_m);)
    ++*out;
  return true;
}

static void reverse(size_t *items, size_t count) {
  for (size_t i = 0, k = count; i + 1 < k; i++) {
    size_t swapped = items[i];
    items[i] = items[--k];
    items[k] = swapped;
  }
}

static void rotate_left(size_t *items, size_t count, size_t by) {
  reverse(items, by);
  reverse(items + by, count - by);
  reverse(items, count);
}

/// The sides that a contact outside of the ring sees: how many, from which on. They are those
/// around the side seen best, so that rounding cannot make them fall apart.
static size_t find_seen(size_t *out_first, const selection *s, size_t index) {
  size_t ring = s->ring_count, best = 0, before = 0, after = 0;
  for (size_t side = 1; side < ring; side++)
    if (twice_area_outside(s, side, index) > twice_area_outside(s, best, index))
      best = side;
  while (after + 2 < ring && twice_area_outside(s, (best + after + 1) % ring, index) > 0)
    after++;
  while (before + after + 2 < ring &&
         twice_area_outside(s, (best + ring - before - 1) % ring, index) > 0)
    before++;
  *out_first = (best + ring - before) % ring;
  return before + 1 + after;
}

/// Puts a contact outside of the ring between the ends of the sides that it sees; the corners
/// between them are in the ring no longer.
static void extend_ring(selection *s, size_t index) {
  size_t first, seen = find_seen(&first, s, index);
  rotate_left(s->chosen, s->ring_count, first);
  rotate_left(s->chosen + 1, s->count - 1, seen - 1);
  memmove(s->chosen + 2, s->chosen + 1, (s->count - 1) * sizeof *s->chosen);
  s->chosen[1] = index;
  s->count++;
  s->ring_count += 2 - seen;
}

static void add(selection *s, size_t index) {
  if (s->count >= 3) {
    extend_ring(s, index);
    return;
  }
  s->chosen[s->count++] = index;
  s->ring_count = s->count;
  if (s->count == 3)
    s->up = ts_vec3_unit(
        ts_vec3_cross(between(s, s->chosen[0], s->chosen[1]), between(s, s->chosen[0], index)));
}

static int compare_indices(const void *left, const void *right) {
  const size_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

size_t ts_contacts_reduce(size_t *chosen, const ts_contact *contacts, size_t count, size_t points,
                          double size_m) {
  selection s = {.contacts = contacts, .chosen = chosen};
  size_t next;
  if (count <= points) {
    for (size_t i = 0; i < count; i++)
      chosen[i] = i;
    return count;
  }
  while (s.count < points && find_next(&next, &s, count, size_m))
    add(&s, next);
  qsort(chosen, s.count, sizeof *chosen, compare_indices);
  return s.count;
}
