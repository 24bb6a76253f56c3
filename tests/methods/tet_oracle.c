#include "tests/methods/tet_oracle.h"

#include <math.h>

typedef struct wide {
  long double x, y, z;
} wide;

static wide widen(ts_vec3 p) {
  return (wide){p.x, p.y, p.z};
}

static wide minus(wide a, wide b) {
  return (wide){a.x - b.x, a.y - b.y, a.z - b.z};
}

static long double dot(wide a, wide b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wide cross(wide a, wide b) {
  return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide unit(wide a) {
  long double length = sqrtl(dot(a, a));
  return (wide){a.x / length, a.y / length, a.z / length};
}

/// n . p = offset, outward and unit.
typedef struct plane {
  wide n;
  long double offset;
} plane;

static wide face_normal(const ts_vec3 *node, int f) {
  wide p = widen(node[(f + 1) % 4]);
  wide n = unit(cross(minus(widen(node[(f + 2) % 4]), p), minus(widen(node[(f + 3) % 4]), p)));
  return dot(n, minus(widen(node[f]), p)) > 0 ? (wide){-n.x, -n.y, -n.z} : n;
}

static bool meet(wide *out, const plane *p, const plane *q, const plane *r) {
  wide qr = cross(q->n, r->n), rp = cross(r->n, p->n), pq = cross(p->n, q->n);
  long double det = dot(p->n, qr);
  if (fabsl(det) < 1e-9L)
    return false;
  out->x = (p->offset * qr.x + q->offset * rp.x + r->offset * pq.x) / det;
  out->y = (p->offset * qr.y + q->offset * rp.y + r->offset * pq.y) / det;
  out->z = (p->offset * qr.z + q->offset * rp.z + r->offset * pq.z) / det;
  return true;
}

size_t oracle_corners(ts_vec3 out[ORACLE_POINTS_MAX], bool *out_clear, const ts_tet_pair *pair,
                      double margin_m) {
  plane planes[8];
  for (int i = 0; i < 8; i++) {
    const ts_vec3 *node = pair->corners[i / 4];
    planes[i].n = face_normal(node, i % 4);
    planes[i].offset = dot(planes[i].n, widen(node[(i + 1) % 4]));
  }
  size_t count = 0;
  *out_clear = true;
  for (int i = 0; i < 8; i++)
    for (int j = i + 1; j < 8; j++)
      for (int k = j + 1; k < 8; k++) {
        wide p;
        if (!meet(&p, &planes[i], &planes[j], &planes[k]))
          continue;
        long double highest = -INFINITY;
        for (int m = 0; m < 8; m++)
          if (m != i && m != j && m != k)
            highest = fmaxl(highest, dot(planes[m].n, p) - planes[m].offset);
        if (fabsl(highest) < margin_m)
          *out_clear = false;
        if (highest <= 0 && count < ORACLE_POINTS_MAX)
          out[count++] = (ts_vec3){(double)p.x, (double)p.y, (double)p.z};
      }
  return count;
}

static long double overlap_along(const ts_tet_pair *pair, wide n) {
  long double high = -INFINITY, low = INFINITY;
  for (int i = 0; i < 4; i++) {
    high = fmaxl(high, dot(n, widen(pair->corners[0][i])));
    low = fminl(low, dot(n, widen(pair->corners[1][i])));
  }
  return high - low;
}

double oracle_overlap_along(const ts_tet_pair *pair, ts_vec3 direction) {
  return (double)overlap_along(pair, widen(direction));
}

static void consider(wide *best_axis, long double *best, long double *second,
                     const ts_tet_pair *pair, wide axis) {
  for (int sense = 1; sense >= -1; sense -= 2) {
    wide n = {sense * axis.x, sense * axis.y, sense * axis.z};
    long double overlap = overlap_along(pair, n);
    bool is_same = dot(n, *best_axis) > 1 - 1e-12L;
    if (overlap < *best) {
      if (!is_same)
        *second = *best;
      *best = overlap;
      *best_axis = n;
    } else if (!is_same && overlap < *second) {
      *second = overlap;
    }
  }
}

double oracle_least_overlap(ts_vec3 *out_axis, double *out_second_m, const ts_tet_pair *pair,
                            const unsigned faces[2], const unsigned edges[2]) {
  static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  long double best = INFINITY, second = INFINITY;
  wide axis = {0, 0, 0};
  for (int i = 0; i < 8; i++)
    if (faces[i / 4] >> i % 4 & 1)
      consider(&axis, &best, &second, pair, face_normal(pair->corners[i / 4], i % 4));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      if (!(edges[0] >> i & 1) || !(edges[1] >> j & 1))
        continue;
      const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
      wide n = cross(minus(widen(a[ends[i][1]]), widen(a[ends[i][0]])),
                     minus(widen(b[ends[j][1]]), widen(b[ends[j][0]])));
      if (dot(n, n) > 0)
        consider(&axis, &best, &second, pair, unit(n));
    }
  *out_axis = (ts_vec3){(double)axis.x, (double)axis.y, (double)axis.z};
  *out_second_m = (double)second;
  return (double)best;
}
