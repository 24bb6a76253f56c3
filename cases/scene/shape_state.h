// SPDX-License-Identifier: MIT
/// The shapes of a scene in the state that a method wants: eroded or dilated, refined, filled.
#ifndef TS_CASES_SHAPE_STATE_H
#define TS_CASES_SHAPE_STATE_H

#include "cases/scene/scene.h"

typedef struct ts_shape_state {
  double offset_m; ///< At the scene's scale; below zero: eroded, above: dilated, 0: as designed.
  /// The offset moves face planes (ts_mesh_offset_faces), not vertices; of spheres and capsules
  /// always vertices.
  bool moves_faces;
  bool needs_tets;
} ts_shape_state;

/// The mesh of a shape in that state; the shape's own mesh if nothing has to be done, otherwise one
/// in the arena.
///
/// First the designed surface is offset. Then TetGen cuts it, by the scene's refinement:
///
///   0  not at all, unless `needs_tets`: then as the published meshes were made, coarse, with the
///      surface's triangles as they are;
///   2  for every method, since it is the body that is refined: surface and inside, ratio 1.07, no
///      tet above 0.015 m3, in conical shapes 0.00015 m3, at scale 1;
///   1  the same with edges about twice as long: ratio 1.15, eight times the volumes, which gives
///      about an eighth of the tets.
///
/// Erleben 2018, section 8.6, gives the volumes of level 2 and a ratio of 1.015. TetGen 1.5 does
/// not finish with that: none of the ten small shapes tried was done within 8 s, and with 1.04 only
/// three. With 1.05 it finishes all, but barely: stone_2 of the pillar then has 369,000 tets at
/// scale 1 and 12,000 at scale 1000, by rounding alone. 1.07 is the smallest ratio, in steps of
/// 0.01, at which the pillar's counts stay within a factor of three. From level 1 to 2 the ratio,
/// and not only the volume, must fall: on most shapes this bounds the tets.
///
/// With tets=published and `needs_tets` the mesh is the published one (ts_published_tets_mesh). The
/// published runs had bodies as designed and eroded by TS_PUBLISHED_EROSION_M with vertices moved:
/// any other offset is refused. A method without tets has the published surface, offset as without
/// tets=published.
///
/// TS_E_INPUT, with the shape and the reason, when it cannot be offset, cut or filled, or has no
/// published tets in that state; TS_SKIPPED when TetGen's helper is not there, with the packages to
/// install.
ts_status ts_shape_state_mesh(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                              size_t shape, const ts_shape_state *state);

/// The mesh of piece `piece` of a shape in that state, likewise. Pieces are cut by TetGen as shapes
/// are, and dilated as by the margin of an engine, each on its own: then they overlap, and
/// stick out a little more where two share an edge of the shape. TS_SKIPPED,
/// with the reason, for a state that pieces do not have: eroded, since they would come apart; and
/// tets=published with `needs_tets`, which describe whole shapes. Else as above.
ts_status ts_shape_state_piece(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                               size_t shape, size_t piece, const ts_shape_state *state);

#endif
