// SPDX-License-Identifier: MIT
/// What steers the profile of a deformed surface at each of its free vertices (Brunel 2021,
/// sections 5.2 and 5.3): the direction d, the depth a and the slope s at u = 0. Depth and slope
/// are known at the boundary of the zone and harmonic around it.
///
/// The paper gives the values of the boundary to the vertices next to it; here they are met at the
/// boundary itself, so that nothing jumps when the boundary passes a vertex.
#ifndef TS_ELASTIC_DEFORM_FIELDS_H
#define TS_ELASTIC_DEFORM_FIELDS_H

#include "elastic/surface_system.h"

/// Arrays are [free_count].
typedef struct ts_deform_fields {
  const double *u;     ///< 0 or more
  ts_vec3 *directions; ///< unit, out of the body
  double *depths_m;    ///< 0 or more but for rounding
  double *slopes_m;    ///< dH/du
} ts_deform_fields;

/// Fills the directions, from those of the zone at u = 0 to `normals` (of the mesh's vertices) at u
/// = 1: Eq. 6. Zero where both cancel. Needs u; `scratch` holds temporary arrays. TS_E_MEMORY.
ts_status ts_deform_directions(ts_deform_fields *fields, ts_surface_system *system,
                               const ts_deform_zone *zone, const ts_vec3 *normals,
                               ts_arena *scratch);

/// Fills depths and slopes. Needs u, which is the distance over `extent_m`; `normals` as above.
/// TS_E_MEMORY.
ts_status ts_deform_guides(ts_deform_fields *fields, ts_surface_system *system,
                           const ts_deform_zone *zone, const ts_vec3 *normals, double extent_m,
                           ts_arena *scratch);

#endif
