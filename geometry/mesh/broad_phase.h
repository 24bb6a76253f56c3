// SPDX-License-Identifier: MIT
/// Which bodies may touch.
#ifndef TS_GEOMETRY_BROAD_PHASE_H
#define TS_GEOMETRY_BROAD_PHASE_H

#include "geometry/mesh/body.h"

typedef struct ts_body_pair {
  int32_t body_a, body_b; ///< body_a < body_b
} ts_body_pair;

/// The pairs of bodies whose world boxes are no more than `margin_m` apart along each axis, up to
/// rounding (TS_BOX_ROUNDING of the largest coordinate), sorted by (body_a, body_b). Two fixed
/// bodies make no pair. Cost grows with bodies x log(bodies) plus pairs. `*out` lives in the arena.
/// A body whose pose is not finite is refused (TS_E_INPUT).
ts_status ts_broad_phase(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                         const ts_shape *shapes, const ts_body *bodies, size_t body_count,
                         double margin_m);

#endif
