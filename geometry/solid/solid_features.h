// SPDX-License-Identifier: MIT
/// What an exact convex solid has near its farthest points in a direction: flat faces, straight
/// lines, and the normals of a place where it is sharp.
#ifndef TS_GEOMETRY_SOLID_FEATURES_H
#define TS_GEOMETRY_SOLID_FEATURES_H

#include "geometry/solid/solid.h"

/// Corners of the regular polygon around a disc: none is farther from it than 8e-5 of its radius.
/// Divisible by three, for the three corners of a whole disc that need a contact.
#define TS_SOLID_DISC_CORNERS 252

/// A flat face.
typedef struct ts_solid_flat {
  ts_vec3 normal; ///< unit, outward
  size_t count;
  const ts_vec3 *corners;    ///< [count] of a disc: the polygon around it
  const ts_solid_disc *disc; ///< NULL: it has straight sides
} ts_solid_flat;

typedef struct ts_solid_line {
  ts_vec3 ends[2];
} ts_solid_line;

/// Those whose outward normal is within `angle_rad` of the unit `outward`. A half-space has a
/// square with sides of four times `reach_m` about `near`. In the arena; TS_E_MEMORY.
ts_status ts_solid_list_flats(ts_solid_flat **out, size_t *out_count, ts_arena *arena,
                              const ts_solid *solid, ts_vec3 outward, double angle_rad,
                              double touch_m, ts_vec3 near, double reach_m);

/// Straight lines of the surface that are at right angles to `outward` within `angle_rad`, and
/// farthest along it within `touch_m`: edges of a mesh, and generators. In the arena; TS_E_MEMORY.
ts_status ts_solid_list_lines(ts_solid_line **out, size_t *out_count, ts_arena *arena,
                              const ts_solid *solid, ts_vec3 outward, double angle_rad,
                              double touch_m);

enum { TS_SOLID_RAYS_MAX = 32, TS_SOLID_APEX_RAYS = 24 };

/// A place where a solid is sharp: the extreme normals there, those of an apex being
/// TS_SOLID_APEX_RAYS of its many, and the directions of the edges that meet there.
typedef struct ts_solid_corner {
  size_t ray_count; ///< 0: it has one normal there, or more than TS_SOLID_RAYS_MAX
  ts_vec3 rays[TS_SOLID_RAYS_MAX];
  size_t edge_count;
  ts_vec3 edges[TS_SOLID_RAYS_MAX];
} ts_solid_corner;

/// `point` is on the surface within `touch_m`.
void ts_solid_look_at_corner(ts_solid_corner *out, const ts_solid *solid, ts_vec3 point,
                             double touch_m);

#endif
