// SPDX-License-Identifier: MIT
/// Bodies that come to touch where they were not designed to: nothing knows the truth of that.
#ifndef TS_CASES_NEW_TOUCHES_H
#define TS_CASES_NEW_TOUCHES_H

#include "cases/scene/scene.h"
#include "geometry/mesh/broad_phase.h"

/// Which bodies are near as built.
typedef struct ts_new_touches ts_new_touches;

/// In the arena; shapes of `built` are borrowed. TS_E_MEMORY.
ts_status ts_new_touches_create(ts_new_touches **out, ts_arena *arena, const ts_scene *built);

/// The pairs [*out_count] of which surfaces come within the scene's touch_relative of their size at
/// the poses of `scene`, and did not as built; sorted, in the scene's arena. TS_E_MEMORY;
/// TS_E_INPUT for a pose that is not finite.
ts_status ts_new_touches_find(ts_body_pair **out, size_t *out_count, const ts_scene *scene,
                              const ts_new_touches *touches);

#endif
