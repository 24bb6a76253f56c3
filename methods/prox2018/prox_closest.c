// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_closest.h"

#include "geometry/tolerances.h"

#include <stdbool.h>

/// A triangle with what its queries share. `inward[i]` lies in the plane, at right angles to edge i
/// (from corner i to corner i + 1), and points into the triangle.
typedef struct face {
  ts_real3 corner[3], edge[3], inward[3], normal;
  ts_real edge2[3], normal2; ///< squared lengths; normal2 is 0 for a degenerate triangle
  int longest;               ///< edge
} face;

/// Square of the sine up to which two directions have a cross product of rounding noise.
static const ts_real parallel_sine2 = (ts_real)(TS_REAL_TOLERANCE(TS_PROX_MOTION_ROUNDING) *
                                                TS_REAL_TOLERANCE(TS_PROX_MOTION_ROUNDING));

/// Parameter of the point of segment (0, edge) closest to `to`. A segment of no length gives 0.
static ts_real project(ts_real3 to, ts_real3 edge, ts_real edge2) {
  if (!(edge2 > 0))
    return 0;
  ts_real t = ts_real3_dot(to, edge) / edge2;
  return t > 0 ? (t < 1 ? t : 1) : 0;
}

/// The point of segment a-b at t in [0, 1]: exactly a and b at the ends.
static ts_real3 point_at(ts_real3 a, ts_real3 b, ts_real t) {
  return t < 1 ? ts_real3_lerp(a, b, t) : b;
}

static face make_face(const ts_real3 corner[3]) {
  face f = {.corner = {corner[0], corner[1], corner[2]}, .longest = 0};
  for (int i = 0; i < 3; i++) {
    f.edge[i] = ts_real3_sub(f.corner[(i + 1) % 3], f.corner[i]);
    f.edge2[i] = ts_real3_norm2(f.edge[i]);
  }
  for (int i = 1; i < 3; i++)
    if (f.edge2[i] > f.edge2[f.longest])
      f.longest = i;
  // The two shorter edges: of a needle's three corners, two have angles near 90 degrees.
  f.normal = ts_real3_cross(f.edge[(f.longest + 1) % 3], f.edge[(f.longest + 2) % 3]);
  f.normal2 = ts_real3_norm2(f.normal);
  ts_real flat = (ts_real)(TS_DEGENERATE_TRIANGLE * (double)f.edge2[f.longest]);
  if (!(f.normal2 > flat * flat)) {
    f.normal = (ts_real3){0, 0, 0};
    f.normal2 = 0;
  }
  for (int i = 0; i < 3; i++)
    f.inward[i] = ts_real3_cross(f.normal, f.edge[i]);
  return f;
}

/// From p to the closest point of the triangle; `out_corner`: the corner where that is, or -1.
static ts_real3 point_to_face(int *out_corner, const face *f, ts_real3 p) {
  ts_real3 to_corner[3];
  bool outside[3], any_outside = f->normal2 == 0;
  for (int i = 0; i < 3; i++) {
    to_corner[i] = ts_real3_sub(f->corner[i], p);
    outside[i] = f->normal2 == 0 || !(ts_real3_dot(f->inward[i], to_corner[i]) < 0);
    any_outside |= outside[i];
  }
  *out_corner = -1;
  if (!any_outside) {
    // Measured from the foot on the longest edge: a normal that rounding has tilted about that
    // edge, as it does in a flat triangle, then does no harm.
    int k = f->longest;
    ts_real t = -ts_real3_dot(to_corner[k], f->edge[k]) / f->edge2[k];
    ts_real3 to_foot = ts_real3_add_scaled(to_corner[k], t, f->edge[k]);
    return ts_real3_scale(f->normal, ts_real3_dot(f->normal, to_foot) / f->normal2);
  }
  // A point that is closest on an edge sees that edge from outside, so the others need no test.
  ts_real3 best = {NAN, NAN, NAN};
  ts_real best2 = INFINITY;
  *out_corner = 0;
  for (int i = 0; i < 3; i++) {
    if (!outside[i])
      continue;
    int next = (i + 1) % 3;
    ts_real t = project(ts_real3_neg(to_corner[i]), f->edge[i], f->edge2[i]);
    ts_real3 to_point = t < 1 ? ts_real3_add_scaled(to_corner[i], t, f->edge[i]) : to_corner[next];
    ts_real distance2 = ts_real3_norm2(to_point);
    if (distance2 < best2) {
      best = to_point;
      best2 = distance2;
      *out_corner = t > 0 && t < 1 ? -1 : t < 1 ? i : next;
    }
  }
  return best;
}

ts_prox_closest ts_prox_closest_point_triangle(ts_real3 p, const ts_real3 triangle[3]) {
  face f = make_face(triangle);
  int corner;
  ts_real3 to_point = point_to_face(&corner, &f, p);
  ts_real3 point = corner < 0 ? ts_real3_add(p, to_point) : triangle[corner];
  return (ts_prox_closest){p, point, ts_real3_norm(to_point)};
}

/// A segment with its direction.
typedef struct segment {
  ts_real3 start, end, edge;
  ts_real edge2; ///< squared length
} segment;

static segment make_segment(ts_real3 start, ts_real3 end) {
  ts_real3 edge = ts_real3_sub(end, start);
  return (segment){start, end, edge, ts_real3_norm2(edge)};
}

/// From p to the closest point of a segment, at *out_t.
static ts_real3 point_to_segment(ts_real *out_t, ts_real3 p, const segment *q) {
  ts_real3 to_start = ts_real3_sub(q->start, p);
  *out_t = project(ts_real3_neg(to_start), q->edge, q->edge2);
  return *out_t < 1 ? ts_real3_add_scaled(to_start, *out_t, q->edge) : ts_real3_sub(q->end, p);
}

/// The closest pair of two segments when one of the two is an end: four to choose from.
static ts_real3 ends_to_segments(ts_real *out_s, ts_real *out_t, const segment *p,
                                 const segment *q) {
  ts_real3 best = {NAN, NAN, NAN};
  ts_real best2 = INFINITY;
  for (int i = 0; i < 4; i++) {
    const segment *ended = i < 2 ? p : q, *other = i < 2 ? q : p;
    ts_real parameter, end = (ts_real)(i % 2);
    ts_real3 gap = point_to_segment(&parameter, i % 2 ? ended->end : ended->start, other);
    ts_real gap2 = ts_real3_norm2(gap);
    if (gap2 < best2) {
      best2 = gap2;
      best = i < 2 ? gap : ts_real3_neg(gap);
      *out_s = i < 2 ? end : parameter;
      *out_t = i < 2 ? parameter : end;
    }
  }
  return best;
}

/// From the closest point of p, at *out_s, to that of q, at *out_t.
static ts_real3 segment_to_segment(ts_real *out_s, ts_real *out_t, const segment *p,
                                   const segment *q) {
  ts_real3 normal = ts_real3_cross(p->edge, q->edge);
  ts_real normal2 = ts_real3_norm2(normal);
  // Below, the normal is rounding noise: the two are parallel, or one has no length.
  if (normal2 > parallel_sine2 * p->edge2 * q->edge2) {
    ts_real3 r = ts_real3_sub(q->start, p->start);
    // A quotient of cross products keeps its digits where |d|^2 |e|^2 - (d.e)^2 cancels. What
    // rounding moves s by along lines that are nearly parallel, the projection after it repairs.
    ts_real s = ts_real3_dot(ts_real3_cross(r, q->edge), normal) / normal2;
    if (s >= 0 && s <= 1) {
      ts_real3 back = ts_real3_sub(ts_real3_scale(p->edge, s), r);
      ts_real t = ts_real3_dot(back, q->edge) / q->edge2;
      if (t >= 0 && t <= 1) {
        *out_s = s;
        *out_t = t;
        return ts_real3_sub(ts_real3_scale(q->edge, t), back);
      }
    }
  }
  return ends_to_segments(out_s, out_t, p, q);
}

ts_prox_closest ts_prox_closest_segments(ts_real3 p0, ts_real3 p1, ts_real3 q0, ts_real3 q1) {
  segment p = make_segment(p0, p1), q = make_segment(q0, q1);
  ts_real s = NAN, t = NAN;
  ts_real3 gap = segment_to_segment(&s, &t, &p, &q);
  return (ts_prox_closest){point_at(p0, p1, s), point_at(q0, q1, t), ts_real3_norm(gap)};
}
