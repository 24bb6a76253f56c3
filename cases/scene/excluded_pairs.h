// SPDX-License-Identifier: MIT
/// Pairs of bodies that are taken never to touch: links of a robot that meet in a joint, parts of
/// one body. No method is asked for their contacts, and no truth looks at them.
#ifndef TS_CASES_EXCLUDED_PAIRS_H
#define TS_CASES_EXCLUDED_PAIRS_H

#include "cases/scene/scene.h"

/// Excludes `pairs` [count], in any order of pairs and of bodies, in addition to those that are
/// already; copied. TS_E_INPUT: a body that does not exist, or twice the same.
ts_status ts_scene_exclude(ts_scene *scene, const ts_body_pair *pairs, size_t count);

/// Whether two bodies, in either order, are excluded.
bool ts_scene_excludes(const ts_scene *scene, int32_t body_a, int32_t body_b);

/// The pairs of ts_broad_phase() without those that are excluded. `shapes` are the scene's own, or
/// others in their place.
ts_status ts_scene_broad_phase(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                               const ts_scene *scene, const ts_shape *shapes, double margin_m);

#endif
