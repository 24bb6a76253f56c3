// SPDX-License-Identifier: MIT
#include "tests/methods/tet/tet_oracle.h"

#include "geometry/vec3.h"

#include <criterion/criterion.h>
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

static ts_vec3 narrow(wide a) {
  return (ts_vec3){(double)a.x, (double)a.y, (double)a.z};
}

ts_vec3 oracle_outward(const ts_vec3 tet[4], int f) {
  return narrow(face_normal(tet, f));
}

double oracle_height_m(const ts_vec3 tet[4], int f, ts_vec3 p) {
  return (double)dot(face_normal(tet, f), minus(widen(p), widen(tet[(f + 1) % 4])));
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
          out[count++] = narrow(p);
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

/// All axes in both senses, those of faces first.
typedef struct axes {
  size_t count, face_count;
  wide n[2 * (8 + 36)];
  long double overlap[2 * (8 + 36)];
} axes;

static void add_axis(axes *out, const ts_tet_pair *pair, wide n) {
  for (int sense = 1; sense >= -1; sense -= 2) {
    wide way = {sense * n.x, sense * n.y, sense * n.z};
    out->overlap[out->count] = overlap_along(pair, way);
    out->n[out->count++] = way;
  }
}

static void list_axes(axes *out, const ts_tet_pair *pair, const unsigned faces[2],
                      const unsigned edges[2]) {
  static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  out->count = 0;
  for (int i = 0; i < 8; i++)
    if (faces[i / 4] >> i % 4 & 1)
      add_axis(out, pair, face_normal(pair->corners[i / 4], i % 4));
  out->face_count = out->count;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      if (!(edges[0] >> i & 1) || !(edges[1] >> j & 1))
        continue;
      wide n = cross(minus(widen(a[ends[i][1]]), widen(a[ends[i][0]])),
                     minus(widen(b[ends[j][1]]), widen(b[ends[j][0]])));
      if (dot(n, n) > 1e-14L)
        add_axis(out, pair, unit(n));
    }
}

static wide way_between_centres(const ts_tet_pair *pair) {
  wide sum = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    wide apart = minus(widen(pair->corners[1][i]), widen(pair->corners[0][i]));
    sum = (wide){sum.x + apart.x, sum.y + apart.y, sum.z + apart.z};
  }
  return dot(sum, sum) > 1e-16L ? unit(sum) : (wide){0, 0, 0};
}

static wide mean_of_equals(const axes *list, size_t from, size_t to, long double bar,
                           wide towards) {
  long double most = -2;
  for (size_t i = from; i < to; i++)
    if (list->overlap[i] <= bar)
      most = fmaxl(most, dot(list->n[i], towards));
  wide sum = {0, 0, 0};
  for (size_t i = from; i < to; i++) {
    bool counts = list->overlap[i] <= bar && dot(list->n[i], towards) > most - 1e-9L;
    for (size_t k = from; k < i && counts; k++)
      counts = !(list->overlap[k] <= bar && dot(list->n[k], list->n[i]) > 1 - 1e-12L);
    if (counts)
      sum = (wide){sum.x + list->n[i].x, sum.y + list->n[i].y, sum.z + list->n[i].z};
  }
  return dot(sum, sum) > 1e-12L ? unit(sum) : (wide){0, 0, 0};
}

double oracle_least_overlap(ts_vec3 *out_axis, const ts_tet_pair *pair, const unsigned faces[2],
                            const unsigned edges[2], double tie_m) {
  axes list;
  list_axes(&list, pair, faces, edges);
  long double least = INFINITY, least_of_faces = INFINITY;
  for (size_t i = 0; i < list.count; i++) {
    least = fminl(least, list.overlap[i]);
    if (i < list.face_count)
      least_of_faces = least;
  }
  bool is_face = least_of_faces <= least + tie_m;
  *out_axis = narrow(mean_of_equals(&list, is_face ? 0 : list.face_count,
                                    is_face ? list.face_count : list.count, least + tie_m,
                                    way_between_centres(pair)));
  return (double)least;
}

void oracle_assert_axis_on_lattice(oracle_tally *tally, ts_tet_kernel kernel,
                                   const ts_tet_pair *pair, const unsigned faces[2],
                                   const unsigned edges[2], int n) {
  static const unsigned all_faces[2] = {0xf, 0xf}, all_edges[2] = {0x3f, 0x3f};
  static ts_tet_contacts contacts;
  ts_vec3 axis;
  bool is_apart = oracle_least_overlap(&axis, pair, all_faces, all_edges, 1e-9) < -1e-9;
  double least_m = oracle_least_overlap(&axis, pair, faces, edges, 1e-9);
  bool has_axis = ts_vec3_norm(axis) > 0.5;
  kernel(&contacts, pair, 1);
  cr_assert_eq(contacts.count > 0, !is_apart && has_axis, "pair %d: %zu contacts", n,
               contacts.count);
  for (size_t i = 0; i < contacts.count; i++) {
    cr_assert_float_eq(contacts.contacts[i].gap_m, -least_m, 1e-12, "pair %d", n);
    cr_assert_leq(ts_vec3_distance(contacts.contacts[i].normal, axis), 1e-11, "pair %d", n);
  }
  tally->with_axis += contacts.count > 0;
  tally->touching += contacts.count > 0 && least_m < 1e-9;
  tally->without_axis += !is_apart && !has_axis;
}

void oracle_assert_reported(const ts_tet_contacts *contacts, const ts_vec3 *corners, size_t count,
                            ts_vec3 normal, double offset_m, double gap_m, const char *what) {
  cr_assert_eq(contacts->count, count, "%s: %zu contacts, not %zu", what, contacts->count, count);
  for (size_t i = 0; i < count; i++) {
    cr_assert_leq(ts_vec3_distance(contacts->contacts[i].normal, normal), 1e-11, "%s", what);
    cr_assert_float_eq(contacts->contacts[i].gap_m, gap_m, 1e-9, "%s: gap %g, not %g", what,
                       contacts->contacts[i].gap_m, gap_m);
    double move_m = offset_m - ts_vec3_dot(normal, corners[i]);
    ts_vec3 expected = ts_vec3_add_scaled(corners[i], move_m, normal);
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
      found += ts_vec3_distance(contacts->contacts[k].point, expected) <= 1e-9;
    cr_assert_geq(found, 1, "%s: corner %zu", what, i);
  }
}
