// SPDX-License-Identifier: MIT
#include "tests/methods/surface/closest_oracle.h"

#include "geometry/vec3.h"

static void triangle_of(ts_vec3 out[3], const ts_vec3 tet[4], int f) {
  for (int k = 0, i = 0; i < 4; i++)
    if (i != f)
      out[k++] = tet[i];
}

static ts_vec3 outward(const ts_vec3 tet[4], int f) {
  ts_vec3 t[3];
  triangle_of(t, tet, f);
  ts_vec3 n = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(t[1], t[0]), ts_vec3_sub(t[2], t[0])));
  return ts_vec3_dot(n, ts_vec3_sub(tet[f], t[0])) > 0 ? ts_vec3_neg(n) : n;
}

/// The closest of the foot of the perpendicular, if inside, and one point on each side.
static ts_vec3 closest_on(const ts_vec3 t[3], ts_vec3 p) {
  ts_vec3 n = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(t[1], t[0]), ts_vec3_sub(t[2], t[0])));
  ts_vec3 foot = ts_vec3_add_scaled(p, -ts_vec3_dot(n, ts_vec3_sub(p, t[0])), n), best = t[0];
  bool inside = true;
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_sub(t[(i + 1) % 3], t[i]), to = ts_vec3_sub(foot, t[i]);
    inside = inside && ts_vec3_dot(ts_vec3_cross(edge, to), n) >= 0;
    double s = ts_vec3_dot(to, edge) / ts_vec3_dot(edge, edge);
    ts_vec3 q = ts_vec3_add_scaled(t[i], s < 0 ? 0 : s > 1 ? 1 : s, edge);
    if (ts_vec3_distance(p, q) < ts_vec3_distance(p, best))
      best = q;
  }
  return inside ? foot : best;
}

/// Whether a vector from a point of a tet's surface rises above a surface face that contains it.
static bool rises(closest_oracle *o, int side, ts_vec3 point, ts_vec3 direction) {
  bool result = false;
  for (int f = 0; f < 4; f++) {
    ts_vec3 t[3];
    triangle_of(t, o->pair->corners[side], f);
    double away_m = ts_vec3_distance(closest_on(t, point), point);
    if (!(o->pair->surface[side] >> f & 1) || away_m > 1e-6)
      continue;
    double sine = ts_vec3_dot(outward(o->pair->corners[side], f), direction);
    o->clear = o->clear && away_m < 1e-9 && fabs(sine) > 1e-6;
    result = result || sine > 0;
  }
  return result;
}

static void oracle_add(closest_oracle *o, ts_vec3 on_a, ts_vec3 on_b) {
  double gap_m = ts_vec3_distance(on_a, on_b);
  o->clear = o->clear && gap_m > 1e-4 && fabs(gap_m - o->pair->reach_m) > 1e-6;
  ts_vec3 normal = ts_vec3_unit(ts_vec3_sub(on_b, on_a)), point = ts_vec3_mid(on_a, on_b);
  if (gap_m > o->pair->reach_m || !rises(o, 0, on_a, normal) ||
      !rises(o, 1, on_b, ts_vec3_neg(normal)))
    return;
  for (size_t i = 0; i < o->count; i++)
    if (ts_vec3_distance(o->contacts[i].point, point) < 1e-9)
      return;
  o->contacts[o->count++] = (ts_contact){.point = point, .normal = normal, .gap_m = gap_m};
}

static void oracle_nodes(closest_oracle *o, int side) {
  for (int i = 0; i < 4; i++)
    for (int g = 0; g < 4; g++) {
      if (!(o->pair->surface[side] & ~(1 << i)) || !(o->pair->surface[1 - side] >> g & 1))
        continue;
      ts_vec3 t[3], p = o->pair->corners[side][i];
      triangle_of(t, o->pair->corners[1 - side], g);
      ts_vec3 q = closest_on(t, p);
      oracle_add(o, side == 0 ? p : q, side == 0 ? q : p);
    }
}

/// The normal equations of two lines, by Cramer's rule.
static void oracle_edges(closest_oracle *o) {
  const ts_vec3 *a = o->pair->corners[0], *b = o->pair->corners[1];
  for (int k = 0; k < 256; k++) {
    int i = k & 3, j = k >> 2 & 3, m = k >> 4 & 3, n = k >> 6;
    if (i >= j || m >= n || !(o->pair->surface[0] & ~(1 << i | 1 << j)) ||
        !(o->pair->surface[1] & ~(1 << m | 1 << n)))
      continue;
    ts_vec3 u = ts_vec3_sub(a[j], a[i]), v = ts_vec3_sub(b[n], b[m]), w = ts_vec3_sub(b[m], a[i]);
    double uu = ts_vec3_dot(u, u), vv = ts_vec3_dot(v, v), uv = ts_vec3_dot(u, v);
    double det = uu * vv - uv * uv, uw = ts_vec3_dot(u, w), vw = ts_vec3_dot(v, w);
    double s = (uw * vv - vw * uv) / det, t = (uw * uv - vw * uu) / det;
    o->clear = o->clear && det > 1e-4 * uu * vv && fabs(s) > 1e-6 && fabs(t) > 1e-6 &&
               fabs(s - 1) > 1e-6 && fabs(t - 1) > 1e-6;
    if (s > 0 && s < 1 && t > 0 && t < 1)
      oracle_add(o, ts_vec3_add_scaled(a[i], s, u), ts_vec3_add_scaled(b[m], t, v));
  }
}

void closest_oracle_find(closest_oracle *out, const ts_tet_pair *pair) {
  *out = (closest_oracle){.pair = pair, .clear = true};
  oracle_nodes(out, 0);
  oracle_nodes(out, 1);
  oracle_edges(out);
}
