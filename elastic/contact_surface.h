// SPDX-License-Identifier: MIT
/// The surface at which two overlapping bodies meet when both give way (Brunel 2021, sections 4.2
/// and 4.3).
///
/// Seen along the mapping direction m, from a below to b above: z_a is the highest point of a, z_b
/// the lowest of b, over the plane normal to m; where z_a >= z_b the surface is at k z_a + (1 - k)
/// z_b, with k the relative stiffness of a. It is made of convex polygons, each below one triangle
/// of b and above one of a, so that both bodies have the same surface exactly.
///
/// Only triangles that face the other body count, at heights of triangles of the part that is
/// inside the other body: the far sides of bodies and what lies elsewhere does not.
#ifndef TS_ELASTIC_CONTACT_SURFACE_H
#define TS_ELASTIC_CONTACT_SURFACE_H

#include "elastic/inside.h"

#include <stdbool.h>

/// A place over the plane, with the height there of each body.
typedef struct ts_surface_corner {
  double x_m, y_m; ///< along ts_contact_surface::x and y
  double z_m[2];   ///< of a and b along m; z_m[0] >= z_m[1]
} ts_surface_corner;

typedef struct ts_surface_polygon {
  uint32_t triangle[2]; ///< of a and b
  size_t first_corner, corner_count;
} ts_surface_polygon;

/// Everything is in the pair's arena. Points are relative to `origin`, a point of the frame: p =
/// origin + x_m x + y_m y + z_m m.
typedef struct ts_contact_surface {
  const ts_elastic_pair *pair; ///< Borrowed.
  ts_vec3 origin, x, y, m;     ///< x, y, m: right-handed, unit, frame
  double stiffness_a;          ///< k, 0 to 1; 1: a is rigid and the surface is that of a
  double low_m[2], high_m[2];  ///< working heights of a and b, from `origin`
  size_t polygon_count, corner_count;
  const ts_surface_polygon *polygons;   ///< [polygon_count] by triangles
  const ts_surface_corner *corners;     ///< [corner_count]; counter-clockwise seen against m
  const struct ts_surface_sides *sides; ///< for ts_contact_surface_column()
} ts_contact_surface;

/// Of one part of the overlap, along the unit direction `m` (frame). No polygon when the bodies do
/// not overlap along m. TS_E_INPUT for a stiffness that is not from 0 to 1 or a direction that is
/// not unit; TS_SKIPPED when the surface covers less than the overlap does, seen along m, as where
/// layers of it lie over each other. O(n log n) and the pairs of triangles that lie over each
/// other.
ts_status ts_contact_surface_create(ts_contact_surface *out, const ts_elastic_pair *pair,
                                    const ts_inside *inside, size_t part, ts_vec3 m,
                                    double stiffness_a);

/// What lies over a place of the plane.
typedef struct ts_surface_column {
  uint32_t triangle[2]; ///< highest of a, lowest of b
  double z_m[2];        ///< their heights
} ts_surface_column;

/// The column through a point of the frame, whatever its own height. False when either body has
/// nothing there; the depth z_m[0] - z_m[1] is below 0 where the bodies are apart. O(log n).
bool ts_contact_surface_column(ts_surface_column *out, const ts_contact_surface *surface,
                               ts_vec3 point);

/// The point of the contact surface between two heights at a place, in the frame.
ts_vec3 ts_contact_surface_point(const ts_contact_surface *surface,
                                 const ts_surface_corner *corner);

/// Normal of the contact surface, unit, from a to b, where the bodies have these normals (outward,
/// frame, of any length): n' ~ k n_a / (n_a . m) + (1 - k) n_b / (n_b . m). n_a . m > 0 > n_b . m.
ts_vec3 ts_contact_surface_normal(const ts_contact_surface *surface, ts_vec3 normal_a,
                                  ts_vec3 normal_b);

#endif
