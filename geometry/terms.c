// SPDX-License-Identifier: MIT
#include "geometry/terms.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <assert.h>
#include <math.h>

/// A convex cone between planes, and the widest round cone in it: around `middle`, from which the
/// sines of the angles to all planes are at least `sine`; 0 when it has no inside.
typedef struct wedge {
  int count;
  ts_vec3 inward[TS_TERM_NORMALS_MAX + TS_TERMS_MAX];
  ts_vec3 middle;
  double sine;
} wedge;

/// Takes a direction as the middle where it is farther from all planes.
static void offer(wedge *w, ts_vec3 direction) {
  double least = INFINITY;
  for (int i = 0; i < w->count; i++) {
    double height = ts_vec3_dot(w->inward[i], direction);
    if (!(height > 0))
      return;
    least = fmin(least, height);
  }
  double length = ts_vec3_norm(direction);
  if (least <= w->sine * length)
    return;
  w->sine = least / length;
  w->middle = ts_vec3_scale(direction, 1 / length);
}

/// Cuts off what is behind a plane. The widest round cone stays, or touches the new plane: it is
/// right in front of it, between it and another one, or touches two others.
static void cut(wedge *w, ts_vec3 inward) {
  int before = w->count;
  w->inward[w->count++] = inward;
  if (before > 0 && (w->sine == 0 || ts_vec3_dot(inward, w->middle) >= w->sine))
    return;
  w->sine = 0;
  offer(w, inward);
  for (int i = 0; i < before; i++) {
    ts_vec3 across = ts_vec3_sub(inward, w->inward[i]);
    offer(w, ts_vec3_add(inward, w->inward[i]));
    for (int k = 0; k < i; k++) {
      ts_vec3 equally_far = ts_vec3_cross(across, ts_vec3_sub(inward, w->inward[k]));
      bool is_behind = ts_vec3_dot(equally_far, inward) < 0;
      offer(w, is_behind ? ts_vec3_neg(equally_far) : equally_far);
    }
  }
}

static void cut_to_term(wedge *w, ts_term term) {
  for (int i = 0; i < term.count; i++)
    cut(w, ts_vec3_neg(term.normals[i]));
}

double ts_term_width_sine(ts_term term) {
  wedge w = {.count = 0};
  cut_to_term(&w, term);
  return w.sine;
}

/// Whether something of a wedge wider than `sine` is outside of all that the terms [count] block.
static bool is_left(const wedge *w, const ts_term *terms, size_t count, double sine) {
  if (!(w->sine > sine))
    return false;
  if (count == 0)
    return true;
  wedge inside = *w;
  cut_to_term(&inside, terms[0]);
  if (!(inside.sine > sine))
    return is_left(w, terms + 1, count - 1, sine);
  for (int i = 0; i < terms[0].count; i++) {
    wedge front = *w;
    cut(&front, terms[0].normals[i]);
    if (is_left(&front, terms + 1, count - 1, sine))
      return true;
  }
  return false;
}

/// Those of `others` [count] that block some of what the wedge of a term blocks, most first: then
/// little is left soon.
static size_t list_overlapping(ts_term out[TS_TERMS_MAX], const wedge *blocked,
                               const ts_term *others, size_t count, double sine) {
  double widths[TS_TERMS_MAX];
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    wedge both = *blocked;
    cut_to_term(&both, others[i]);
    if (!(both.sine > sine))
      continue;
    size_t at = found++;
    for (; at > 0 && widths[at - 1] < both.sine; at--) {
      widths[at] = widths[at - 1];
      out[at] = out[at - 1];
    }
    widths[at] = both.sine;
    out[at] = others[i];
  }
  return found;
}

bool ts_term_is_implied(ts_term term, const ts_term *others, size_t count, double angle_rad) {
  assert(count <= TS_TERMS_MAX && term.count <= TS_TERM_NORMALS_MAX);
  double sine = sin(angle_rad);
  wedge blocked = {.count = 0};
  ts_term overlapping[TS_TERMS_MAX];
  cut_to_term(&blocked, term);
  if (!(blocked.sine > sine))
    return false;
  size_t overlapping_count = list_overlapping(overlapping, &blocked, others, count, sine);
  return !is_left(&blocked, overlapping, overlapping_count, sine);
}

void ts_terms_drop_implied(bool *out_is_dropped, const ts_term *terms, size_t count, size_t kept,
                           double angle_rad) {
  assert(count <= TS_TERMS_MAX);
  double widths[TS_TERMS_MAX];
  bool is_asked[TS_TERMS_MAX] = {false};
  for (size_t i = 0; i < count; i++) {
    out_is_dropped[i] = false;
    widths[i] = ts_term_width_sine(terms[i]);
  }
  for (size_t asked = kept; asked < count; asked++) {
    size_t narrowest = count, other_count = 0;
    for (size_t i = kept; i < count; i++)
      if (!is_asked[i] &&
          (narrowest == count || widths[i] <= widths[narrowest] + TS_SAME_DIRECTION_RAD))
        narrowest = i;
    is_asked[narrowest] = true;
    ts_term others[TS_TERMS_MAX];
    for (size_t i = 0; i < count; i++)
      if (i != narrowest && !out_is_dropped[i])
        others[other_count++] = terms[i];
    out_is_dropped[narrowest] =
        ts_term_is_implied(terms[narrowest], others, other_count, angle_rad);
  }
}
