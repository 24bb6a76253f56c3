// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_corners.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>

/// How far a point protrudes from the chord of its neighbours.
static double deviation(const double before[2], const double at[2], const double after[2]) {
  double du = after[0] - before[0], dv = after[1] - before[1];
  double length = sqrt(du * du + dv * dv);
  double out_u = at[0] - before[0], out_v = at[1] - before[1];
  return length > 0 ? fabs(du * out_v - dv * out_u) / length : sqrt(out_u * out_u + out_v * out_v);
}

size_t ts_semi_simplify(double (*corners)[2], size_t count, double tolerance_m) {
  while (count > 3) {
    size_t flattest = 0;
    double least_m = INFINITY;
    for (size_t i = 0; i < count; i++) {
      double here_m = deviation(corners[ts_semi_corner_before(i, count)], corners[i],
                                corners[ts_semi_corner_after(i, count)]);
      if (here_m < least_m) {
        least_m = here_m;
        flattest = i;
      }
    }
    if (least_m > tolerance_m)
      break;
    for (size_t i = flattest + 1; i < count; i++) {
      corners[i - 1][0] = corners[i][0];
      corners[i - 1][1] = corners[i][1];
    }
    count--;
  }
  return count;
}

/// A corner on its way between a neighbour and its own place.
typedef struct slide {
  size_t corner, neighbour;
  double part;      ///< of the way: 0 to 1
  double at[2];     ///< where it is if the neighbour stays
  double beside[2]; ///< where the neighbour is then
} slide;

/// The corners that are left, in their order.
typedef struct chain {
  double tolerance_m;
  double (*at)[2]; ///< of all corners
  size_t *left;    ///< [count] corners
  size_t count;
} chain;

static double distance(const double a[2], const double b[2]) {
  double du = b[0] - a[0], dv = b[1] - a[1];
  return sqrt(du * du + dv * dv);
}

static size_t beside(const chain *c, size_t i, bool after) {
  return after ? ts_semi_corner_after(i, c->count) : ts_semi_corner_before(i, c->count);
}

static size_t neighbour(const chain *c, size_t i, bool after) {
  return c->left[beside(c, i, after)];
}

static double protrusion(const chain *c, size_t i) {
  return deviation(c->at[neighbour(c, i, false)], c->at[c->left[i]], c->at[neighbour(c, i, true)]);
}

/// How far a corner that protrudes so much is on its way, and from which neighbour: of the two the
/// one before it, since of two that are equally far rounding would choose.
static slide find_slide(const chain *c, size_t i, double protrusion_m) {
  size_t before = neighbour(c, i, false), after = neighbour(c, i, true), at = c->left[i];
  double before_m = distance(c->at[before], c->at[at]), after_m = distance(c->at[after], c->at[at]);
  bool is_after = TS_SEMI_MUCH_NEARER * after_m < before_m;
  double way_m = is_after ? after_m : before_m;
  double settled_m = 2 * c->tolerance_m + way_m / TS_SEMI_CORNER_SPEED;
  double part = (protrusion_m - c->tolerance_m) / (settled_m - c->tolerance_m);
  return (slide){.corner = at,
                 .neighbour = is_after ? after : before,
                 .part = part < 0   ? 0
                         : part < 1 ? part
                                    : 1};
}

/// The next corner to leave the chain: of those that are least far on their way the one that
/// protrudes least. False when all are where they should be.
static bool find_next(slide *out, size_t *out_index, double *out_protrusion_m, const chain *c) {
  *out = (slide){.part = 1};
  for (size_t i = 0; i < c->count; i++) {
    double here_m = protrusion(c, i);
    slide here = find_slide(c, i, here_m);
    if (here.part < out->part ||
        (here.part == out->part && here.part < 1 && here_m < *out_protrusion_m)) {
      *out = here;
      *out_index = i;
      *out_protrusion_m = here_m;
    }
  }
  return out->part < 1;
}

/// Takes a corner out of the chain. Its neighbour moves towards it when it protrudes by nearly as
/// little: it could as well have been the one to leave, and half way between they are the same.
static void leave(chain *c, slide *s, size_t index, double protrusion_m) {
  bool is_after = s->neighbour == neighbour(c, index, true);
  double of_other_m = protrusion(c, beside(c, index, is_after));
  double *own = c->at[s->corner], *other = c->at[s->neighbour];
  double alike = 0;
  if (distance(own, other) > TS_SEMI_SAME_CORNER * c->tolerance_m && of_other_m > 0)
    alike = ts_min(ts_max(0, 2 * protrusion_m / of_other_m - 1), 1);
  for (int k = 0; k < 2; k++) {
    double common = other[k] + 0.5 * alike * (own[k] - other[k]);
    s->at[k] = common + s->part * (own[k] - common);
    s->beside[k] = alike > 0 ? common + s->part * (other[k] - common) : other[k];
    other[k] = s->beside[k];
  }
  for (size_t i = index + 1; i < c->count; i++)
    c->left[i - 1] = c->left[i];
  c->count--;
}

ts_status ts_semi_steady_corners(double (*out)[2], size_t *out_count, ts_semi_memory *memory,
                                 const double (*corners)[2], size_t count, double tolerance_m) {
  chain c = {.tolerance_m = tolerance_m,
             .at = ts_semi_scratch(memory, count, sizeof *c.at),
             .left = ts_semi_scratch(memory, count, sizeof *c.left),
             .count = count};
  slide *slides = ts_semi_scratch(memory, count, sizeof *slides);
  bool *is_out = ts_semi_scratch(memory, count, sizeof *is_out);
  if (!c.at || !c.left || !slides || !is_out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    c.at[i][0] = corners[i][0];
    c.at[i][1] = corners[i][1];
    c.left[i] = i;
  }
  size_t slide_count = 0, index = 0;
  double protrusion_m = 0;
  while (c.count > 3 && find_next(&slides[slide_count], &index, &protrusion_m, &c))
    leave(&c, &slides[slide_count++], index, protrusion_m);
  // The last to leave comes first: its neighbour is where it stays.
  for (size_t i = slide_count; i-- > 0;) {
    const slide *s = &slides[i];
    is_out[s->corner] = !(s->part > 0);
    for (int k = 0; k < 2; k++)
      c.at[s->corner][k] = s->at[k] + (1 - s->part) * (c.at[s->neighbour][k] - s->beside[k]);
  }
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_out[i])
      continue;
    out[*out_count][0] = c.at[i][0];
    out[(*out_count)++][1] = c.at[i][1];
  }
  return TS_OK;
}
