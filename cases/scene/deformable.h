// SPDX-License-Identifier: MIT
/// Deformable bodies of a scene: shapes of tets, and the elastic data that makes a body of one
/// deformable.
#ifndef TS_CASES_DEFORMABLE_H
#define TS_CASES_DEFORMABLE_H

#include "cases/scene/scene.h"

/// Adds a shape made of tets (checked, copied): its mesh has the vertices as they are, those inside
/// too, and for triangles the faces that only one tet has, in the order of the tets, facing out.
/// TS_E_INPUT as ts_mesh_create and ts_mesh_set_tets. TS_E_MEMORY.
ts_status ts_scene_add_tets(int32_t *out, ts_scene *scene, const char *name,
                            const ts_vec3 *vertices, size_t vertex_count, const uint32_t (*tets)[4],
                            size_t tet_count);

/// TS_E_INPUT, without the name of the body: a body that is fixed; a shape that is ground, an exact
/// primitive, or in convex pieces.
ts_status ts_scene_check_can_deform(const ts_scene *scene, int32_t body);

/// Makes a body deformable; `elastic` is copied, at the scene's scale. TS_E_INPUT as
/// ts_scene_check_can_deform and ts_elastic_check, without the name of the body. TS_E_MEMORY.
ts_status ts_scene_make_deformable(ts_scene *scene, int32_t body, const ts_elastic *elastic);

/// Whether a body of the scene is deformable.
bool ts_scene_is_deformable(const ts_scene *scene);

/// TS_E_INPUT for a scene with deformable bodies that is refined, or has published tets: its nodes
/// are the vertices of the shapes as they are.
ts_status ts_scene_check_cutting(const ts_scene *scene);

#endif
