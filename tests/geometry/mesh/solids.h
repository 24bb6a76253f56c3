// SPDX-License-Identifier: MIT
/// Small solids that the geometry tests are made of.
#ifndef TS_TESTS_GEOMETRY_SOLIDS_H
#define TS_TESTS_GEOMETRY_SOLIDS_H

#include "base/status.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>

typedef struct solid {
  size_t vertex_count, triangle_count;
  ts_vec3 vertices[64];
  uint32_t triangles[128][3];
} solid;

static inline void solid_add_vertex(solid *s, double x, double y, double z) {
  s->vertices[s->vertex_count++] = (ts_vec3){x, y, z};
}

static inline void solid_add_triangle(solid *s, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *corners = s->triangles[s->triangle_count++];
  corners[0] = a;
  corners[1] = b;
  corners[2] = c;
}

/// A prism between two polygons [n] at z = low and high, its caps given as triangles of corners;
/// `flipped` takes the other diagonal of each side.
static inline solid solid_between(const double (*bottom)[2], const double (*top)[2], uint32_t n,
                                  const uint32_t (*cap)[3], size_t cap_count, double low,
                                  double high, int flipped) {
  solid s = {0};
  for (uint32_t i = 0; i < n; i++)
    solid_add_vertex(&s, bottom[i][0], bottom[i][1], low);
  for (uint32_t i = 0; i < n; i++)
    solid_add_vertex(&s, top[i][0], top[i][1], high);
  for (size_t i = 0; i < cap_count; i++) {
    solid_add_triangle(&s, cap[i][0], cap[i][2], cap[i][1]);
    solid_add_triangle(&s, cap[i][0] + n, cap[i][1] + n, cap[i][2] + n);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = (i + 1) % n;
    if (flipped) {
      solid_add_triangle(&s, i, k, i + n);
      solid_add_triangle(&s, k, k + n, i + n);
    } else {
      solid_add_triangle(&s, i, k, k + n);
      solid_add_triangle(&s, i, k + n, i + n);
    }
  }
  return s;
}

/// 8 vertices, 12 triangles, centred at the origin.
static inline solid solid_box(double width, double depth, double height, int flipped) {
  const double x = 0.5 * width, y = 0.5 * depth, z = 0.5 * height;
  const double square[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  const uint32_t cap[2][3] = {{0, 1, 2}, {0, 2, 3}}, other[2][3] = {{0, 1, 3}, {1, 2, 3}};
  return solid_between(square, square, 4, flipped ? other : cap, 2, -z, z, flipped);
}

/// A hexagonal frustum on z = 0, its caps without a centre vertex.
static inline solid solid_frustum(double bottom_radius, double top_radius, double height) {
  const double c[6] = {1, 0.5, -0.5, -1, -0.5, 0.5}, h = sqrt(0.75);
  const double s[6] = {0, h, h, 0, -h, -h};
  double bottom[6][2], top[6][2];
  for (int i = 0; i < 6; i++) {
    bottom[i][0] = bottom_radius * c[i];
    bottom[i][1] = bottom_radius * s[i];
    top[i][0] = top_radius * c[i];
    top[i][1] = top_radius * s[i];
  }
  const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  return solid_between((const double(*)[2])bottom, (const double(*)[2])top, 6, cap, 4, 0, height,
                       0);
}

/// A block with a V groove along z in its top: x +-1, y +-0.5, z +-2.
static inline solid solid_groove(void) {
  const double p[7][2] = {{-1, -0.5}, {1, -0.5},   {1, 0.5}, {0.5, 0.5},
                          {0, 0},     {-0.5, 0.5}, {-1, 0.5}};
  const uint32_t cap[5][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}};
  return solid_between(p, p, 7, cap, 5, -2, 2, 0);
}

/// A pyramid over a square of half side b on z = 0, tip (vertex 4) at height h.
static inline solid solid_spike(double b, double h) {
  solid s = {0};
  solid_add_vertex(&s, -b, -b, 0);
  solid_add_vertex(&s, b, -b, 0);
  solid_add_vertex(&s, b, b, 0);
  solid_add_vertex(&s, -b, b, 0);
  solid_add_vertex(&s, 0, 0, h);
  solid_add_triangle(&s, 0, 2, 1);
  solid_add_triangle(&s, 0, 3, 2);
  for (uint32_t i = 0; i < 4; i++)
    solid_add_triangle(&s, i, (i + 1) % 4, 4);
  return s;
}

/// Vertices 0, (a,0,0), (0,b,0), (0,0,c).
static inline solid solid_tet(double a, double b, double c) {
  solid s = {0};
  solid_add_vertex(&s, 0, 0, 0);
  solid_add_vertex(&s, a, 0, 0);
  solid_add_vertex(&s, 0, b, 0);
  solid_add_vertex(&s, 0, 0, c);
  solid_add_triangle(&s, 0, 2, 1);
  solid_add_triangle(&s, 0, 1, 3);
  solid_add_triangle(&s, 0, 3, 2);
  solid_add_triangle(&s, 1, 2, 3);
  return s;
}

/// Adds the vertices and triangles of another solid, moved.
static inline void solid_join(solid *s, const solid *other, ts_vec3 by) {
  uint32_t first = (uint32_t)s->vertex_count;
  for (size_t i = 0; i < other->vertex_count; i++)
    s->vertices[s->vertex_count++] = ts_vec3_add(other->vertices[i], by);
  for (size_t t = 0; t < other->triangle_count; t++)
    solid_add_triangle(s, other->triangles[t][0] + first, other->triangles[t][1] + first,
                       other->triangles[t][2] + first);
}

static inline void solid_scale(solid *s, double by) {
  for (size_t i = 0; i < s->vertex_count; i++)
    s->vertices[i] = ts_vec3_scale(s->vertices[i], by);
}

static inline void solid_move(solid *s, ts_pose pose) {
  for (size_t i = 0; i < s->vertex_count; i++)
    s->vertices[i] = ts_pose_point(pose, s->vertices[i]);
}

static inline ts_status solid_try(ts_mesh **out, ts_arena *arena, const solid *s) {
  return ts_mesh_create(out, arena, s->vertices, s->vertex_count, s->triangles, s->triangle_count);
}

/// The mesh of a solid, which must be fine.
static inline ts_mesh *solid_mesh(ts_arena *arena, const solid *s) {
  ts_mesh *mesh = NULL;
  cr_assert_eq(solid_try(&mesh, arena, s), TS_OK, "%s", ts_status_detail());
  return mesh;
}

#endif
