// SPDX-License-Identifier: MIT
/// Sets of tetrahedra over shared points, cut by planes.
#ifndef TS_GEOMETRY_TET_CUT_H
#define TS_GEOMETRY_TET_CUT_H

#include "base/arena.h"
#include "base/types.h"

/// The points of all sets; those that cuts make come behind the others.
typedef struct ts_tet_points {
  ts_arena *arena; ///< of `at`
  size_t count, capacity;
  ts_vec3 *at; ///< [count]
} ts_tet_points;

/// Tetrahedra that meet in whole faces.
typedef struct ts_tet_set {
  size_t count;
  uint32_t (*tets)[4]; ///< [count] points, in an order that makes the volume 0 or more
} ts_tet_set;

/// All p with normal . p = offset_m.
typedef struct ts_plane {
  ts_vec3 normal; ///< unit
  double offset_m;
} ts_plane;

/// Signed distance [m] from a plane: above zero on the side of its normal.
double ts_plane_height(ts_plane plane, ts_vec3 point);

double ts_tet_set_volume(const ts_tet_set *set, const ts_tet_points *points);

/// The points of a set, ascending and each once; in the arena.
ts_status ts_tet_set_points(uint32_t **out, size_t *out_count, ts_arena *arena,
                            const ts_tet_points *points, const ts_tet_set *set);

/// The parts of a set behind a plane, out[0], and in front of it, out[1]; in the arena. Points no
/// farther than `on_m` from the plane are on it and stay where they are. Every edge that crosses
/// gets one point, and faces are cut by the order of their points, so that each part again meets in
/// whole faces.
ts_status ts_tet_set_cut(ts_tet_set out[2], ts_arena *arena, ts_tet_points *points,
                         const ts_tet_set *set, ts_plane plane, double on_m);

/// The parts of a set that are connected through faces, [*out_count], in the order of their first
/// tets; in the arena.
ts_status ts_tet_set_connected(ts_tet_set **out, size_t *out_count, ts_arena *arena,
                               const ts_tet_set *set);

#endif
