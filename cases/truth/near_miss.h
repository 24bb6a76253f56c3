// SPDX-License-Identifier: MIT
/// Surfaces that nearly touch: whether a scene's noise is above its tolerance of touch.
#ifndef TS_CASES_NEAR_MISS_H
#define TS_CASES_NEAR_MISS_H

#include "cases/scene/scene.h"
#include "geometry/mesh/broad_phase.h"

/// How deep the vertices of two bodies are in each other [m], up to TS_DERIVED_TOUCH_MAX of the
/// pair size; 0 when none is by more than the tolerance, as where only edges cross.
ts_status ts_near_miss_depth(double *out_m, const ts_scene *scene, ts_body_pair pair,
                             double touch_relative);

/// The next tolerance worth a try: 1, 2 or 5 times a power of ten, above the given one.
double ts_near_miss_next(double touch_relative);

/// Says, in the scene's arena, where the surfaces of two bodies come within TS_DERIVED_NEAR_TOUCHES
/// of the tolerance and do not touch there, by the widest such gap of all pairs, and the tolerance
/// that would count it as a touch; NULL when there is none. Looked at are the vertices of both
/// bodies, and where no vertex comes near, their edges. Cost grows with the triangles that are
/// near.
ts_status ts_near_miss_note(const char **out, const ts_scene *scene, double touch_relative);

#endif
