// SPDX-License-Identifier: MIT
#include "geometry/distance/ground_gap.h"

#include "base/status.h"
#include "geometry/distance/mesh_gap.h"
#include "geometry/tolerances.h"

#include <math.h>

/// The lowest that a vertex of the surface is along a direction.
static double lowest_along(const ts_mesh *mesh, ts_pose to_ground, ts_vec3 up) {
  double lowest_m = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      ts_vec3 at = ts_pose_point(to_ground, mesh->vertices[mesh->triangles[t][i]]);
      lowest_m = fmin(lowest_m, ts_vec3_dot(at, up));
    }
  return lowest_m;
}

/// A sheet as it is has room for bodies that touch its upper side. Twice as thick as the lowest
/// point is below the highest one of the ground, the way down from any point of the mesh is no
/// shorter than the way up.
static ts_status deepen(const ts_mesh **sheet_mesh, ts_arena *arena, const ts_shape *ground,
                        double lowest_m) {
  const ts_sheet *built = &ground->ground.sheet;
  bool has_no_end = built->form != TS_SHEET_CLOSED && ts_vec3_norm2(built->up_local) > 0 &&
                    built->thickness_m == ground->ground.wanted_m;
  *sheet_mesh = ground->mesh;
  if (!has_no_end)
    return TS_OK;
  const ts_open_mesh *surface = ground->geometry.surface;
  double needed_m = 2 * (ts_open_mesh_top(surface, built->up_local) - lowest_m);
  if (!(needed_m > built->thickness_m))
    return TS_OK;
  ts_sheet sheet = {.up_local = built->up_local, .thickness_m = needed_m};
  bool may_be_layered = ground->geometry.kind == TS_GEOMETRY_SURFACE;
  double layer_m = TS_SHEET_LAYER_RELATIVE * ground->ground.body_m;
  ts_mesh *deep;
  TS_TRY(
      ts_sheet_create(&deep, &sheet, arena, surface, may_be_layered ? layer_m : (double)INFINITY));
  if (sheet.thickness_m > built->thickness_m)
    *sheet_mesh = deep;
  return TS_OK;
}

ts_status ts_ground_gap(double *out_m, ts_arena *arena, const ts_shape *ground, ts_pose ground_pose,
                        const ts_mesh *mesh, ts_pose pose, double reach_m) {
  ts_pose to_ground = ts_pose_relative(ground_pose, pose);
  bool is_plane = ground->geometry.kind == TS_GEOMETRY_PLANE;
  ts_vec3 up = is_plane ? ts_vec3_make(0, 1, 0) : ground->ground.sheet.up_local;
  double lowest_m = lowest_along(mesh, to_ground, up);
  if (is_plane) {
    *out_m = lowest_m <= reach_m ? lowest_m : (double)INFINITY;
    return TS_OK;
  }
  ts_arena_mark mark = ts_arena_get_mark(arena);
  const ts_mesh *sheet;
  ts_status status = deepen(&sheet, arena, ground, lowest_m);
  if (status == TS_OK)
    status = ts_mesh_gap(out_m, arena, sheet, ground_pose, mesh, pose, reach_m);
  ts_arena_rewind(arena, mark);
  return status;
}
