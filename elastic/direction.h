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
///
/// Both surfaces inside the other body make a closed one, so that with the normals of triangles
/// both means are opposite and the weights change nothing, except where flush faces are left out.
/// The paper interpolates the normals of vertices, for which they do.
ts_status ts_mapping_direction(ts_vec3 *out, const ts_inside_part *part);

/// TS_SKIPPED when most of the surface of both bodies in a part is steeper than 80 degrees to the
/// unit direction `m` (frame), as where a hole holds a peg from all sides: of what a contact
/// surface along it leaves out there is more than of what it has. O(pieces).
ts_status ts_direction_refuse_steep(const ts_elastic_pair *pair, const ts_inside *inside,
                                    size_t part, ts_vec3 m);

#endif
