// SPDX-License-Identifier: MIT
/// Other meshes of the same bodies: what a body's description says beyond its surface and place.
#ifndef TS_CASES_OTHER_MESHES_H
#define TS_CASES_OTHER_MESHES_H

#include "cases/scene/scene.h"

/// Describes the shapes of a finished scene otherwise, at random by `seed`: vertices and triangles
/// in another order, flat faces cut along other diagonals, some triangles cut in three by a vertex
/// inside them, and another local frame, with other axes for x, y and z, whose origin lies within
/// the shape's extent of the old one, which the points where forces act follow. Only triangles at
/// right angles to a local axis are cut, and axes stay along axes, so that what is flat to the bit
/// stays so. Surfaces, places, motion and truth stay, within rounding. Convex pieces follow their
/// shape.
///
/// Shapes with tets of their own, those of deformable bodies among them, keep vertices and
/// triangles, which belong to the tets, and get another frame; primitives, tori and ground keep
/// their frame, which their exact geometry is in, and where the truth is the oracle's, whose
/// motions are along local axes, all frames stay. The scene has no joints afterwards: their
/// features are in the old frames. TS_E_INPUT for a scene with published tets, which are for the
/// designed meshes.
ts_status ts_scene_other_meshes(ts_scene *scene, uint64_t seed);

#endif
