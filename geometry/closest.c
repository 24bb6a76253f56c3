// SPDX-License-Identifier: MIT
#include "geometry/closest.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

// A vector between closest points is kept as such, computed from differences of coordinates. The
// difference of two rounded points far from the origin would have lost its digits.

/// A triangle with what its queries share. `inward[i]` lies in the plane, at right angles to edge i
/// (from corner i to corner i + 1), and points into the triangle.
typedef struct face {
  ts_vec3 corner[3], edge[3], inward[3], normal;
  double edge2[3], normal2; ///< squared lengths; normal2 is 0 for a degenerate triangle
  int longest;              ///< edge
} face;

/// Square of the sine up to which two directions have a cross product of rounding noise.
static const double parallel_sine2 = TS_MOTION_ROUNDING_RELATIVE * TS_MOTION_ROUNDING_RELATIVE;

static double clamp_unit(double t) {
  return t > 0 ? (t < 1 ? t : 1) : 0;
}

/// Parameter of the point of segment (0, edge) closest to `to`. A segment of no length gives 0.
static double project(ts_vec3 to, ts_vec3 edge, double edge2) {
  return edge2 > 0 ? clamp_unit(ts_vec3_dot(to, edge) / edge2) : 0;
}

/// The point of segment a-b at t in [0, 1]: exactly a and b at the ends.
static ts_vec3 point_at(ts_vec3 a, ts_vec3 b, double t) {
  return t < 1 ? ts_vec3_lerp(a, b, t) : b;
}

// The loops over three edges below are unrolled, so that what they index is known.
#define EACH_EDGE _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++)

static face make_face(ts_vec3 c0, ts_vec3 c1, ts_vec3 c2) {
  face f = {.corner = {c0, c1, c2}, .longest = 0};
  EACH_EDGE {
    f.edge[i] = ts_vec3_sub(f.corner[(i + 1) % 3], f.corner[i]);
    f.edge2[i] = ts_vec3_norm2(f.edge[i]);
  }
  for (int i = 1; i < 3; i++)
    if (f.edge2[i] > f.edge2[f.longest])
      f.longest = i;
  // The two shorter edges: of a needle's three corners, two have angles near 90 degrees.
  f.normal = ts_vec3_cross(f.edge[(f.longest + 1) % 3], f.edge[(f.longest + 2) % 3]);
  f.normal2 = ts_vec3_norm2(f.normal);
  double least = TS_DEGENERATE_TRIANGLE * f.edge2[f.longest];
  if (!(f.normal2 > least * least)) {
    f.normal = (ts_vec3){0, 0, 0};
    f.normal2 = 0;
  }
  EACH_EDGE f.inward[i] = ts_vec3_cross(f.normal, f.edge[i]);
  return f;
}

/// From p to the closest point of the triangle. `out_kind` and `out_corner` as in
/// ts_closest_on_triangle.
static ts_vec3 point_to_face(int *out_kind, int *out_corner, const face *f, ts_vec3 p) {
  ts_vec3 to_corner[3];
  int outside[3], any_outside = f->normal2 == 0;
  EACH_EDGE {
    to_corner[i] = ts_vec3_sub(f->corner[i], p);
    outside[i] = f->normal2 == 0 || !(ts_vec3_dot(f->inward[i], to_corner[i]) < 0);
    any_outside |= outside[i];
  }
  if (!any_outside) {
    // Measured from the foot on the longest edge: a normal that rounding has tilted about that
    // edge, as it does in a flat triangle, then does no harm.
    int k = f->longest;
    double t = -ts_vec3_dot(to_corner[k], f->edge[k]) / f->edge2[k];
    ts_vec3 to_foot = ts_vec3_add_scaled(to_corner[k], t, f->edge[k]);
    *out_kind = TS_FEATURE_FACE;
    *out_corner = 0;
    return ts_vec3_scale(f->normal, ts_vec3_dot(f->normal, to_foot) / f->normal2);
  }
  // A point that is closest on an edge sees that edge from outside, so the others need no look.
  ts_vec3 best = {NAN, NAN, NAN};
  double best2 = INFINITY;
  *out_kind = TS_FEATURE_VERTEX;
  *out_corner = 0;
  EACH_EDGE {
    if (!outside[i])
      continue;
    int next = (i + 1) % 3;
    double t = project(ts_vec3_neg(to_corner[i]), f->edge[i], f->edge2[i]);
    ts_vec3 to_point = t < 1 ? ts_vec3_add_scaled(to_corner[i], t, f->edge[i]) : to_corner[next];
    double distance2 = ts_vec3_norm2(to_point);
    if (distance2 < best2) {
      best = to_point;
      best2 = distance2;
      *out_kind = t > 0 && t < 1 ? TS_FEATURE_EDGE : TS_FEATURE_VERTEX;
      *out_corner = t < 1 ? i : next;
    }
  }
  return best;
}

double ts_closest_point_segment(ts_vec3 p, ts_vec3 a, ts_vec3 b) {
  ts_vec3 edge = ts_vec3_sub(b, a);
  return project(ts_vec3_sub(p, a), edge, ts_vec3_norm2(edge));
}

ts_closest_on_triangle ts_closest_point_triangle(ts_vec3 p, const ts_vec3 triangle[3]) {
  face f = make_face(triangle[0], triangle[1], triangle[2]);
  ts_closest_on_triangle out;
  ts_vec3 to_point = point_to_face(&out.kind, &out.corner, &f, p);
  out.point = out.kind == TS_FEATURE_VERTEX ? triangle[out.corner] : ts_vec3_add(p, to_point);
  out.distance_m = ts_vec3_norm(to_point);
  return out;
}

/// A segment with its direction.
typedef struct segment {
  ts_vec3 start, end, edge;
  double edge2; ///< squared length
} segment;

static segment make_segment(ts_vec3 start, ts_vec3 end) {
  ts_vec3 edge = ts_vec3_sub(end, start);
  return (segment){start, end, edge, ts_vec3_norm2(edge)};
}

/// From p to the closest point of a segment, at *out_t.
static ts_vec3 point_to_segment(double *out_t, ts_vec3 p, const segment *q) {
  ts_vec3 to_start = ts_vec3_sub(q->start, p);
  *out_t = project(ts_vec3_neg(to_start), q->edge, q->edge2);
  return *out_t < 1 ? ts_vec3_add_scaled(to_start, *out_t, q->edge) : ts_vec3_sub(q->end, p);
}

/// The closest pair of two segments when one of the two is an end: four to choose from.
static ts_vec3 ends_to_segments(double *out_s, double *out_t, const segment *p, const segment *q) {
  ts_vec3 best = {NAN, NAN, NAN};
  double best2 = INFINITY;
  for (int i = 0; i < 4; i++) {
    const segment *ended = i < 2 ? p : q, *other = i < 2 ? q : p;
    double parameter;
    ts_vec3 gap = point_to_segment(&parameter, i % 2 ? ended->end : ended->start, other);
    double gap2 = ts_vec3_norm2(gap);
    if (gap2 < best2) {
      best2 = gap2;
      best = i < 2 ? gap : ts_vec3_neg(gap);
      *out_s = i < 2 ? i : parameter;
      *out_t = i < 2 ? parameter : i - 2;
    }
  }
  return best;
}

/// From the closest point of p, at *out_s, to that of q, at *out_t. Returns 0, leaving the outputs
/// alone, when the lines, and so the segments, are farther apart than sqrt(limit2).
static int segment_to_segment(double *out_s, double *out_t, ts_vec3 *out_gap, const segment *p,
                              const segment *q, double limit2) {
  ts_vec3 normal = ts_vec3_cross(p->edge, q->edge);
  double normal2 = ts_vec3_norm2(normal);
  // Below, the normal is rounding noise: the two are parallel, or one has no length.
  if (normal2 > parallel_sine2 * p->edge2 * q->edge2) {
    ts_vec3 r = ts_vec3_sub(q->start, p->start);
    double height = ts_vec3_dot(normal, r);
    if (height * height > limit2 * normal2)
      return 0;
    // A quotient of cross products keeps its digits where |d|^2 |e|^2 - (d.e)^2 cancels. What
    // rounding moves s by along lines that are nearly parallel, the projection after it repairs.
    double s = ts_vec3_dot(ts_vec3_cross(r, q->edge), normal) / normal2;
    if (s >= 0 && s <= 1) {
      ts_vec3 back = ts_vec3_sub(ts_vec3_scale(p->edge, s), r);
      double t = ts_vec3_dot(back, q->edge) / q->edge2;
      if (t >= 0 && t <= 1) {
        *out_s = s;
        *out_t = t;
        *out_gap = ts_vec3_sub(ts_vec3_scale(q->edge, t), back);
        return 1;
      }
    }
  }
  *out_gap = ends_to_segments(out_s, out_t, p, q);
  return 1;
}

ts_closest ts_closest_segment_segment(double *out_s, double *out_t, ts_vec3 p0, ts_vec3 p1,
                                      ts_vec3 q0, ts_vec3 q1) {
  segment p = make_segment(p0, p1), q = make_segment(q0, q1);
  double s = NAN, t = NAN;
  ts_vec3 gap = {0, 0, 0};
  segment_to_segment(&s, &t, &gap, &p, &q, INFINITY);
  if (out_s)
    *out_s = s;
  if (out_t)
    *out_t = t;
  return (ts_closest){point_at(p0, p1, s), point_at(q0, q1, t), ts_vec3_norm(gap)};
}

/// A convex set by its features: a triangle, or a tetrahedron with its inside. Points are relative
/// to the origin of the search.
typedef struct convex {
  const ts_vec3 *vertices;
  int vertex_count, edge_count, face_count;
  segment edges[6];
  face faces[4];
  double outward[4]; ///< +1 or -1 turns a face's normal outward; 0: it bounds nothing
} convex;

/// The two sets, and the closest pair of points so far.
typedef struct search {
  convex set[2];
  double slack_m; ///< rounding of the points
  ts_vec3 gap;    ///< from the closest point of set 0 to that of set 1
  ts_vec3 closest[2];
  double gap2;
} search;

enum search_state { SEARCH_GOES_ON, SEARCH_IS_OVER };

static const int triangle_edges[3][2] = {{0, 1}, {1, 2}, {2, 0}};
static const int triangle_faces[1][3] = {{0, 1, 2}};
static const int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
/// Face i lies opposite node i; counter-clockwise from outside when the volume is positive.
static const int tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void set_features(convex *out, const int (*edges)[2], const int (*faces)[3]) {
  const ts_vec3 *v = out->vertices;
  for (int i = 0; i < out->edge_count; i++)
    out->edges[i] = make_segment(v[edges[i][0]], v[edges[i][1]]);
  for (int i = 0; i < out->face_count; i++) {
    out->faces[i] = make_face(v[faces[i][0]], v[faces[i][1]], v[faces[i][2]]);
    out->outward[i] = 0;
  }
}

static void set_triangle(convex *out, const ts_vec3 *vertices) {
  out->vertices = vertices;
  out->vertex_count = 3;
  out->edge_count = 3;
  out->face_count = 1;
  set_features(out, triangle_edges, triangle_faces);
}

static void set_tet(convex *out, const ts_vec3 *vertices, double slack_m) {
  out->vertices = vertices;
  out->vertex_count = 4;
  out->edge_count = 6;
  out->face_count = 4;
  set_features(out, tet_edges, tet_faces);
  for (int i = 0; i < 4; i++) {
    const face *f = &out->faces[i];
    double height = ts_vec3_dot(f->normal, ts_vec3_sub(vertices[i], f->corner[0]));
    if (f->normal2 > 0 && height * height > slack_m * slack_m * f->normal2)
      out->outward[i] = height > 0 ? -1 : 1;
  }
}

/// Nonzero when the gap is closed up to rounding, or when the planes through its ends have one set
/// on each side up to rounding, so that nothing closer can be found.
static int gap_is_least(const search *s) {
  if (s->gap2 <= s->slack_m * s->slack_m)
    return 1;
  double slack = s->slack_m * sqrt(s->gap2), end = ts_vec3_dot(s->gap, s->closest[0]) + slack;
  for (int i = 0; i < s->set[0].vertex_count; i++)
    if (!(ts_vec3_dot(s->gap, s->set[0].vertices[i]) <= end))
      return 0;
  double start = ts_vec3_dot(s->gap, s->closest[1]) - slack;
  for (int i = 0; i < s->set[1].vertex_count; i++)
    if (!(ts_vec3_dot(s->gap, s->set[1].vertices[i]) >= start))
      return 0;
  return 1;
}

/// A closer pair has been found: `point` of set `from`, and the gap from there to the other set.
static enum search_state improve(search *s, int from, ts_vec3 point, ts_vec3 gap, double gap2) {
  s->gap2 = gap2;
  s->gap = from == 0 ? gap : ts_vec3_neg(gap);
  s->closest[from] = point;
  s->closest[1 - from] = ts_vec3_add(point, gap);
  return gap_is_least(s) ? SEARCH_IS_OVER : SEARCH_GOES_ON;
}

/// The vertices of set `from` against the faces of the other set.
static enum search_state search_vertices(search *s, int from) {
  const convex *a = &s->set[from], *b = &s->set[1 - from];
  for (int i = 0; i < a->vertex_count; i++) {
    ts_vec3 p = a->vertices[i];
    int behind = 0;
    for (int j = 0; j < b->face_count; j++) {
      const face *f = &b->faces[j];
      double height = ts_vec3_dot(f->normal, ts_vec3_sub(p, f->corner[0]));
      // From behind a face, another one is closer.
      if (height * b->outward[j] < 0 && height * height > s->slack_m * s->slack_m * f->normal2) {
        behind++;
        continue;
      }
      if (height * height > s->gap2 * f->normal2)
        continue;
      int kind, corner;
      ts_vec3 gap = point_to_face(&kind, &corner, f, p);
      double gap2 = ts_vec3_norm2(gap);
      if (gap2 < s->gap2 && improve(s, from, p, gap, gap2) == SEARCH_IS_OVER)
        return SEARCH_IS_OVER;
    }
    if (behind == 4)
      return improve(s, from, p, (ts_vec3){0, 0, 0}, 0);
  }
  return SEARCH_GOES_ON;
}

static enum search_state search_edges(search *s) {
  for (int i = 0; i < s->set[0].edge_count; i++)
    for (int j = 0; j < s->set[1].edge_count; j++) {
      const segment *p = &s->set[0].edges[i], *q = &s->set[1].edges[j];
      double at_p, at_q;
      ts_vec3 gap;
      if (!segment_to_segment(&at_p, &at_q, &gap, p, q, s->gap2))
        continue;
      double gap2 = ts_vec3_norm2(gap);
      if (gap2 < s->gap2 &&
          improve(s, 0, point_at(p->start, p->end, at_p), gap, gap2) == SEARCH_IS_OVER)
        return SEARCH_IS_OVER;
    }
  return SEARCH_GOES_ON;
}

int ts_segment_meets_triangle(double *out_t, ts_vec3 p, ts_vec3 q, const ts_vec3 triangle[3]) {
  ts_vec3 a = triangle[0], b = triangle[1], c = triangle[2];
  int side_p = ts_orient3d(a, b, c, p), side_q = ts_orient3d(a, b, c, q);
  if (side_p == side_q)
    return 0;
  int ab = ts_orient3d(p, q, a, b), bc = ts_orient3d(p, q, b, c), ca = ts_orient3d(p, q, c, a);
  if (!(ab >= 0 && bc >= 0 && ca >= 0) && !(ab <= 0 && bc <= 0 && ca <= 0))
    return 0;
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
  double height_p = fabs(ts_vec3_dot(normal, ts_vec3_sub(p, a)));
  double height_q = fabs(ts_vec3_dot(normal, ts_vec3_sub(q, a)));
  double t = side_p == 0 || !(height_p + height_q > 0) ? 0 : height_p / (height_p + height_q);
  *out_t = side_q == 0 ? 1 : t;
  return 1;
}

static int tet_contains(const ts_vec3 tet[4], ts_vec3 p) {
  int side = ts_orient3d(tet[0], tet[1], tet[2], tet[3]);
  if (side == 0)
    return 0;
  for (int i = 0; i < 4; i++) {
    ts_vec3 moved[4] = {tet[0], tet[1], tet[2], tet[3]};
    moved[i] = p;
    if (ts_orient3d(moved[0], moved[1], moved[2], moved[3]) == -side)
      return 0;
  }
  return 1;
}

/// A point of both, when the boundaries cross or one set contains the other.
static int common_point(ts_vec3 *out, const ts_vec3 *a, const ts_vec3 *b, int vertex_count) {
  int is_tet = vertex_count == 4, edge_count = is_tet ? 6 : 3, face_count = is_tet ? 4 : 1;
  const int(*edges)[2] = is_tet ? tet_edges : triangle_edges;
  const int(*faces)[3] = is_tet ? tet_faces : triangle_faces;
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *v = side ? b : a, *w = side ? a : b;
    if (is_tet && tet_contains(w, v[0])) {
      *out = v[0];
      return 1;
    }
    for (int i = 0; i < edge_count; i++)
      for (int j = 0; j < face_count; j++) {
        const ts_vec3 face_corners[3] = {w[faces[j][0]], w[faces[j][1]], w[faces[j][2]]};
        ts_vec3 p = v[edges[i][0]], q = v[edges[i][1]];
        double t;
        if (ts_segment_meets_triangle(&t, p, q, face_corners)) {
          *out = point_at(p, q, t);
          return 1;
        }
      }
  }
  return 0;
}

/// Closest points of two triangles (3 vertices) or two tets (4). Features first: they settle all
/// pairs that are apart or just touch. What is left crosses, as a rule, and the exact test says so.
static ts_closest closest_convex(const ts_vec3 *a, const ts_vec3 *b, int vertex_count) {
  ts_vec3 origin = a[0], local[2][4];
  double size = 0;
  for (int i = 0; i < vertex_count; i++) {
    local[0][i] = ts_vec3_sub(a[i], origin);
    local[1][i] = ts_vec3_sub(b[i], origin);
    for (int k = 0; k < 2; k++) {
      ts_vec3 p = local[k][i];
      size = fmax(size, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
  }
  search s = {.slack_m = TS_ROUNDING_RELATIVE * size, .gap2 = INFINITY, .gap = {NAN, NAN, NAN}};
  for (int k = 0; k < 2; k++)
    if (vertex_count == 3)
      set_triangle(&s.set[k], local[k]);
    else
      set_tet(&s.set[k], local[k], s.slack_m);

  if (search_vertices(&s, 0) == SEARCH_GOES_ON && search_vertices(&s, 1) == SEARCH_GOES_ON &&
      search_edges(&s) == SEARCH_GOES_ON) {
    ts_vec3 common;
    if (common_point(&common, a, b, vertex_count))
      return (ts_closest){common, common, 0};
  }
  return (ts_closest){ts_vec3_add(origin, s.closest[0]), ts_vec3_add(origin, s.closest[1]),
                      ts_vec3_norm(s.gap)};
}

ts_closest ts_closest_triangle_triangle(const ts_vec3 a[3], const ts_vec3 b[3]) {
  return closest_convex(a, b, 3);
}

ts_closest ts_closest_tet_tet(const ts_vec3 a[4], const ts_vec3 b[4]) {
  return closest_convex(a, b, 4);
}
