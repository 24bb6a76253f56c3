// SPDX-License-Identifier: MIT
/// The mapping direction (Brunel 2021, section 4.1, Eq. 2).
#ifndef TS_ELASTIC_DIRECTION_H
#define TS_ELASTIC_DIRECTION_H

#include "elastic/inside.h"

/// Unit, frame, from body a to body b: the direction along which both are projected onto their
/// contact surface. The mean normal of a times the variance of b's normals, less the mean normal of
/// b times the variance of a's, so that the flatter side decides; where both are flat, the mean of
/// a less that of b. TS_SKIPPED when that has no length, and when one body goes right through the
/// other, so that a part of a surface faces away from it.
ts_status ts_mapping_direction(ts_vec3 *out, const ts_inside_part *part);

#endif
