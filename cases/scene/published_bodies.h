// SPDX-License-Identifier: MIT
/// Where the bodies of the published runs were (the simulator PROX, master c6be72c; the scenes of
/// Erleben 2018): in single precision, so that features which touch as designed are up to 5e-7 m
/// apart or into each other. Rounding so decided what the first time step found, and with it the
/// published figures.
#ifndef TS_CASES_PUBLISHED_BODIES_H
#define TS_CASES_PUBLISHED_BODIES_H

#include "cases/scene/scene.h"

/// Gives shapes the published nodes as their surfaces, about the centre of mass and along the
/// principal axes as the simulator had them, and puts the bodies of a case where the published run
/// had them, each off by as much as it is now from `designed_translations` [body_count]. Where the
/// case has another number of bodies than the run (a wall of fewer layers), they stay where they
/// are, up to the rounding of the nodes. The truth, which must have been resolved, stays as
/// designed; only some runs had their scene beside others, 2.4 m from ours along x, and the regions
/// go there too. To be called at scale 1, with scene->published_tets found.
ts_status ts_published_bodies_place(ts_scene *scene, const char *case_name,
                                    const ts_vec3 *designed_translations);

#endif
