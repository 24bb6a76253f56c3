// SPDX-License-Identifier: MIT
/// Which bodies of a scene may touch where they are, for truths that are found from geometry.
#ifndef TS_CASES_TOUCH_H
#define TS_CASES_TOUCH_H

#include "cases/scene/scene.h"
#include "geometry/mesh/broad_phase.h"

/// How far apart the surfaces of two bodies may be and still touch [m]: `touch_relative` of the
/// pair size, plus what their poses round.
double ts_touch_m(const ts_scene *scene, double touch_relative, int32_t body_a, int32_t body_b);

/// The pairs whose boxes come within that of each other, sorted, in the arena. Two fixed bodies
/// make no pair.
ts_status ts_touch_candidates(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                              const ts_scene *scene, double touch_relative);

#endif
