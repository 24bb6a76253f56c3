// SPDX-License-Identifier: MIT
/// Stretching a scene as designed: the same bodies longer, flatter, with other angles, touching
/// where and as they did.
#ifndef TS_CASES_STRETCH_H
#define TS_CASES_STRETCH_H

#include "cases/scene/scene.h"

/// Stretches everything along the world's axes by `factors`, each above zero: bodies, where they
/// are, how fast they move, and the joints. What touches still touches, flat faces stay flat, and
/// the normals that are right are the stretched ones (by the inverse: they stay at right angles to
/// the surfaces), because which sides a plane has does not change. Forces act at the stretched
/// point, in the same direction, and grow with the volume: the ratio to the weight of the body
/// stays. So does a spin. Deformable bodies keep their nodes, tets and elastic data, as other
/// bodies keep their density.
///
/// Before the truth is resolved. A shape that several bodies have at
/// different angles becomes several, named after shape and body. Where the truth holds for the
/// designed form alone (ts_scene::stretch_hides_truth) it is unknown afterwards.
ts_status ts_scene_stretch(ts_scene *scene, ts_vec3 factors);

#endif
