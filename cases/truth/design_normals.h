// SPDX-License-Identifier: MIT
/// Which of the feasible normals of a derived region are its design normals.
#ifndef TS_CASES_DESIGN_NORMALS_H
#define TS_CASES_DESIGN_NORMALS_H

#include "cases/scene/scene.h"

/// Sets all three references of a region from its feasible normals. Where any one is right, the
/// design normals are those that the velocity of b against a violates by the smallest amount in the
/// middle of the region, all of them where it does not decide; the published ones are the same.
/// In the arena; TS_E_MEMORY.
ts_status ts_design_normals_choose(ts_region *region, ts_arena *arena, const ts_scene *scene);

#endif
