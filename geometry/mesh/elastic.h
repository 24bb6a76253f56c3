// SPDX-License-Identifier: MIT
/// Whether a shape and elastic data make a deformable body: checked where a scene is built or read,
/// and again where a body is made of them.
#ifndef TS_GEOMETRY_ELASTIC_H
#define TS_GEOMETRY_ELASTIC_H

#include "geometry/mesh/body.h"

/// TS_E_INPUT, with the value named as the member of ts_elastic: a number that is not finite;
/// Young's modulus not above 0; Poisson's ratio not in [0, 0.5); damping below 0.
ts_status ts_elastic_check_values(const ts_elastic *elastic);

/// TS_E_INPUT, with the element or the node named: no tets; a tet that is inverted, or flat
/// (TS_TET_FLAT_RELATIVE); a node that is in no tet. TS_E_MEMORY.
ts_status ts_elastic_check_mesh(const ts_mesh *mesh);

/// TS_E_INPUT, with the node named: a clamped node that does not exist or stands twice; a list
/// (`clamped` is not NULL) without a node, or with all of the `node_count`. TS_E_MEMORY.
ts_status ts_elastic_check_clamped(const ts_elastic *elastic, size_t node_count);

/// All three, values first.
ts_status ts_elastic_check(const ts_elastic *elastic, const ts_mesh *mesh);

#endif
