// SPDX-License-Identifier: MIT
/// Static ground as shapes of a scene: a plane, an open surface, a height field. Only fixed bodies
/// may have them.
///
/// What is below ground is solid, without end (ts_geometry). Methods on closed meshes are given the
/// sheet instead (geometry/mesh/sheet.h): its upper side is the surface itself, its lower side is a
/// thickness below, so far that nothing that moves in the scene gets out there. Of a plane it is a
/// box whose upper side is at y = 0. Bodies that hang over the border of a surface or of a height
/// field touch the border: there, and only there, the sheet has an edge of its own.
#ifndef TS_CASES_GROUND_H
#define TS_CASES_GROUND_H

#include "cases/scene/scene.h"
#include "geometry/mesh/primitive.h"

/// Most triangles of a surface, and most heights of a field.
#define TS_GROUND_TRIANGLES_MAX ((size_t)100000)
#define TS_GROUND_HEIGHTS_MAX   ((size_t)100000)

/// Whether a shape is ground.
static inline bool ts_shape_is_ground(const ts_shape *shape) {
  return ts_geometry_is_ground(shape->geometry.kind);
}

/// Adds a plane, all that is not above y = 0 of its frame. `extent_m`: the sides of its mesh;
/// `thickness_m`: how far that goes down; 0: ts_scene_fit_ground() chooses. TS_E_INPUT: below 0, or
/// not finite.
ts_status ts_scene_add_plane(int32_t *out, ts_scene *scene, const char *name, double extent_m,
                             double thickness_m);

/// Adds an open surface, copied, and its sheet. Vertices at one place become one, and triangles
/// without area are left out. TS_E_INPUT: no triangle, or more than TS_GROUND_TRIANGLES_MAX, or as
/// ts_open_mesh_clean(); thickness as above.
ts_status ts_scene_add_surface(int32_t *out, ts_scene *scene, const char *name,
                               const ts_open_mesh *surface, double thickness_m);

/// Adds a height field, copied, and its sheet. TS_E_INPUT: fewer than two rows or columns, more
/// than TS_GROUND_HEIGHTS_MAX heights, a height that is not finite, a spacing that is not above 0;
/// thickness as above.
ts_status ts_scene_add_heightfield(int32_t *out, ts_scene *scene, const char *name,
                                   const ts_heightfield *field, double thickness_m);

/// Gives the ground of a scene its meshes, and its pieces: a prism below each triangle. To be
/// called once all bodies are there, before anything looks at the meshes; no effect on other
/// shapes.
///
/// Where it was left to choose, the thickness is twice the largest extent of any body that moves,
/// and twice as far as the lowest of them is below the highest point of the ground; a plane reaches
/// ten times the size of the scene beyond all bodies, and twice its thickness. TS_E_INPUT as
/// ts_sheet_create().
ts_status ts_scene_fit_ground(ts_scene *scene);

/// Makes the meshes of a ground shape again after its lengths were multiplied by `scale`, in the
/// arena. For ts_scene_transform().
ts_status ts_ground_scale(ts_shape *shape, ts_arena *arena, double scale);

#endif
