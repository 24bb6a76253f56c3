// SPDX-License-Identifier: MIT
/// Bodies on given paths: what contacts do while bodies move smoothly, or by no more than noise, is
/// seen without a solver in between.
#ifndef TS_HARNESS_BODY_PATH_H
#define TS_HARNESS_BODY_PATH_H

#include "cases/scene/scene.h"

typedef struct ts_body_path ts_body_path;

typedef struct ts_body_path_params {
  double length_m; ///< largest distance of a point from where it is as built
  double noise_m;  ///< likewise, of the noise that is added
  double steps;    ///< of one oscillation, at least 1
  uint64_t seed;   ///< of the axes and of the noise
} ts_body_path_params;

/// Every body of `built` (borrowed) that is not fixed oscillates along and about an axis through
/// the centre of its bounds: at step k its translation, and the arc of the corners of its bounds,
/// are sin(2 pi k / steps) length_m / sqrt(2). So bodies that touch as built do so again after each
/// half of an oscillation, to the bit after a whole one without noise, and come apart and overlap
/// in between. Noise moves each body at each step along and about another axis, independently.
/// TS_E_MEMORY.
ts_status ts_body_path_create(ts_body_path **out, ts_arena *arena, const ts_scene *built,
                              const ts_body_path_params *params);

/// Sets `bodies` [body_count of the scene] to those at step k, 0 as built. Their twists stay those
/// of the scene, since its truth may hang on them.
void ts_body_path_at(const ts_body_path *path, ts_body *bodies, int64_t k);

#endif
