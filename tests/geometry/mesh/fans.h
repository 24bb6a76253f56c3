// SPDX-License-Identifier: MIT
/// Solids whose surface around the origin is a fan of triangles: tips, stars, saddles and pits.
#ifndef TS_TESTS_GEOMETRY_FANS_H
#define TS_TESTS_GEOMETRY_FANS_H

#include "base/random.h"
#include "base/status.h"
#include "geometry/convex_cover.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { FAN_SIDES_MAX = 32 };

/// The rim, counter-clockwise seen from +y. The solid lies between the triangles from the origin
/// to it and those from (0, -2, 0).
typedef struct fan {
  uint32_t sides;
  ts_vec3 rim[FAN_SIDES_MAX];
} fan;

static inline void fan_add(fan *f, double angle_rad, double radius, double height) {
  f->rim[f->sides++] = ts_vec3_make(radius * cos(angle_rad), height, -radius * sin(angle_rad));
}

/// A tip with that many arms, -height below it; a pit when the height is below zero. `jitter`: up
/// to how much an arm may differ from the others.
static inline fan fan_star(uint32_t arms, double inner, double height, double jitter,
                           ts_random *random) {
  fan f = {0};
  for (uint32_t i = 0; i < 2 * arms; i++) {
    double step = 3.14159265358979323846 / arms, off = 0, longer = 1;
    if (jitter > 0) {
      off = ts_random_uniform(random, -jitter, jitter) * step;
      longer = 1 + ts_random_uniform(random, -jitter, jitter);
    }
    fan_add(&f, i * step + off, (i % 2 ? inner : 1) * longer, -height);
  }
  return f;
}

/// Ridges up and valleys down in turn, as on a saddle for a monkey with that many limbs.
static inline fan fan_saddle(uint32_t limbs, double height, double turn_rad) {
  fan f = {0};
  for (uint32_t i = 0; i < 2 * limbs; i++)
    fan_add(&f, turn_rad + i * 3.14159265358979323846 / limbs, 1, i % 2 ? -height : height);
  return f;
}

static inline fan fan_random(uint32_t sides, double height, ts_random *random) {
  fan f = {0};
  for (uint32_t i = 0; i < sides; i++) {
    double angle = 6.28318530717958647693 * (i + ts_random_uniform(random, -0.3, 0.3)) / sides;
    double radius = ts_random_uniform(random, 0.4, 1);
    fan_add(&f, angle, radius, ts_random_uniform(random, -height, height));
  }
  return f;
}

static inline fan fan_plane(void) {
  fan f = {0};
  for (int i = 0; i < 4; i++)
    fan_add(&f, i * 1.57079632679489661923, 2, 0);
  return f;
}

static inline fan fan_ridge(void) {
  return (fan){.sides = 4, .rim = {{2, 0, 0}, {0, -1, -1}, {-2, 0, 0}, {0, -1, 1}}};
}

/// The pit that a star upside down (half a turn about x) fits in, `steepness` 1, or is in.
static inline fan fan_pit_of(const fan *star, double steepness) {
  fan f = {0};
  for (uint32_t i = 0; i < star->sides; i++) {
    ts_vec3 rim = star->rim[(star->sides - i) % star->sides];
    f.rim[f.sides++] = ts_vec3_make(rim.x, -steepness * rim.y, -rim.z);
  }
  return f;
}

typedef struct named_fan {
  char name[48];
  fan fan;
} named_fan;

enum { FAN_SHAPES = 24 };

/// Stars, pits, saddles and a notch.
static inline void fan_list(named_fan out[FAN_SHAPES], ts_random *random) {
  int count = 0;
  for (uint32_t arms = 3; arms <= 7; arms += 2)
    for (int i = 0; i < 6; i++) {
      double height = i % 2 ? -0.8 : 1, inner = i < 2 ? 0.2 : 0.45, jitter = i < 4 ? 0 : 0.3;
      snprintf(out[count].name, sizeof out->name, "%s of %u arms, %d", i % 2 ? "pit" : "star", arms,
               i);
      out[count++].fan = fan_star(arms, inner, height, jitter, random);
    }
  // The lines of a pentagram: faces of one plane that are not beside each other.
  snprintf(out[count].name, sizeof out->name, "pentagram");
  out[count++].fan = fan_star(5, 0.381966011250105, 0.7, 0, random);
  for (uint32_t limbs = 2; limbs <= 5; limbs++) {
    snprintf(out[count].name, sizeof out->name, "saddle of %u limbs", limbs);
    out[count++].fan = fan_saddle(limbs, 0.5, 0.1);
  }
  // A box's corner, one of whose ridges has a notch.
  fan notch = {.sides = 5,
               .rim = {{0.816496580927726, -0.57735026918962576, 0},
                       {-0.20, -0.57735026918962576, -0.70},
                       {-0.30, -0.80, -0.52},
                       {-0.50, -0.57735026918962576, -0.60},
                       {-0.408248290463863, -0.57735026918962576, 0.70710678118654757}}};
  snprintf(out[count].name, sizeof out->name, "corner with a notch");
  out[count++].fan = notch;
  cr_assert_eq(count, FAN_SHAPES);
}

static inline ts_mesh *fan_mesh(ts_arena *arena, const fan *f, double scale) {
  ts_vec3 vertices[FAN_SIDES_MAX + 2];
  uint32_t triangles[2 * FAN_SIDES_MAX][3], tets[FAN_SIDES_MAX][4], n = f->sides;
  vertices[0] = ts_vec3_make(0, 0, 0);
  vertices[1] = ts_vec3_make(0, -2 * scale, 0);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t here = 2 + i, next = 2 + (i + 1) % n;
    vertices[here] = ts_vec3_scale(f->rim[i], scale);
    memcpy(triangles[2 * i], (uint32_t[3]){0, here, next}, sizeof triangles[0]);
    memcpy(triangles[2 * i + 1], (uint32_t[3]){1, next, here}, sizeof triangles[0]);
    memcpy(tets[i], (uint32_t[4]){1, 0, here, next}, sizeof tets[0]);
  }
  ts_mesh *mesh;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, vertices, n + 2, (const uint32_t(*)[3])triangles, 2 * n), TS_OK,
      "%s", ts_status_detail());
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, (const uint32_t(*)[4])tets, n), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// Whether a direction from the origin leads into the solid, and that by more than `margin`: 1, 0,
/// or -1 when it is too close to the surface.
static inline int fan_holds(const fan *f, ts_vec3 d, double margin) {
  bool is_in = false;
  double smallest = 1;
  for (uint32_t i = 0; i < f->sides; i++) {
    const ts_vec3 v[3] = {f->rim[i], f->rim[(i + 1) % f->sides], {0, -1, 0}};
    bool is_here = true;
    for (int k = 0; k < 3; k++) {
      ts_vec3 inward = ts_vec3_unit(ts_vec3_cross(v[k], v[(k + 1) % 3]));
      double depth = -ts_vec3_dot(inward, d);
      is_here &= depth > 0;
      if (k == 0)
        smallest = ts_min(smallest, fabs(depth));
    }
    is_in |= is_here;
  }
  return smallest > margin ? is_in : -1;
}

/// The surface at the origin.
typedef struct fan_surface {
  ts_local_surface surface;
  size_t sector_count;
  ts_face_sector sectors[FAN_SIDES_MAX];
} fan_surface;

/// `order` [sides]: which triangle comes n-th; NULL: as they are. Neighbours in one plane are one
/// face.
static inline fan_surface fan_surface_of(const fan *f, ts_pose pose, const uint32_t *order) {
  fan_surface out = {.sector_count = f->sides};
  uint32_t n = f->sides;
  ts_vec3 normal[FAN_SIDES_MAX];
  int face[FAN_SIDES_MAX];
  for (uint32_t i = 0; i < n; i++)
    normal[i] = ts_vec3_unit(ts_vec3_cross(f->rim[i], f->rim[(i + 1) % n]));
  for (uint32_t at = 0; at < n; at++) {
    uint32_t i = order ? order[at] : at;
    face[i] = -1;
    for (uint32_t before = 0; before < at; before++) {
      uint32_t k = order ? order[before] : before;
      bool is_beside = k == (i + 1) % n || i == (k + 1) % n;
      if (is_beside && ts_vec3_distance(normal[i], normal[k]) < 1e-12)
        face[i] = face[k];
    }
    if (face[i] < 0) {
      face[i] = out.surface.face_count++;
      out.surface.normals[face[i]] = ts_pose_direction(pose, normal[i]);
    }
    out.sectors[at] =
        (ts_face_sector){.face = face[i],
                         .from = ts_pose_direction(pose, ts_vec3_unit(f->rim[i])),
                         .to = ts_pose_direction(pose, ts_vec3_unit(f->rim[(i + 1) % n]))};
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = (i + 1) % n;
    if (face[i] == face[k])
      continue;
    bool is_convex = ts_vec3_dot(normal[i], f->rim[(k + 1) % n]) < 0;
    uint32_t *with = is_convex ? out.surface.convex_with : out.surface.concave_with;
    with[face[i]] |= 1u << face[k];
    with[face[k]] |= 1u << face[i];
  }
  return out;
}

#endif
