// SPDX-License-Identifier: MIT
/// The elastic contact deformer (Brunel et al. 2021, "A Time-independent Deformer for Elastic
/// Contacts", section 5): moves the vertices of a contact zone onto the contact surface, and those
/// around it along a profile that keeps the volume of the mesh.
///
/// Around the zone, at the distance phi from it over the surface, u = phi / extent runs from 0 to
/// 1, and a vertex p goes to p + H(u) d. H is a curve with the depth -a and the slope s of the
/// contact surface at u = 0, a bulge whose height is found from the volume, and 0 at u = 1; d turns
/// from the direction of the zone to the normal of the mesh.
///
/// All vectors are in one frame, that of the mesh's vertices or any other one for them all, in
/// metres.
#ifndef TS_ELASTIC_DEFORM_H
#define TS_ELASTIC_DEFORM_H

#include "base/arena.h"
#include "geometry/vec3.h"

#include <stdbool.h>

/// Where the boundary of a zone crosses an edge of the mesh.
typedef struct ts_zone_crossing {
  uint32_t inside, outside; ///< vertices of the edge, in the zone and not
  double alpha;             ///< the boundary is at (1 - alpha) inside + alpha outside, 0 to 1
  ts_vec3 displacement;     ///< of that point onto the contact surface
  ts_vec3 normal;           ///< of the contact surface there, unit; either sign
  ts_vec3 direction;        ///< unit, out of the body: displacements of the zone are against it
} ts_zone_crossing;

/// A contact zone on a mesh, of one part or several. Borrowed.
typedef struct ts_deform_zone {
  const uint8_t *is_inside; ///< [vertex_count], 1 or 0
  const ts_vec3
      *displacements;    ///< [vertex_count], onto the contact surface; read of vertices inside
  size_t crossing_count; ///< one for each edge with one end inside, in any order
  const ts_zone_crossing *crossings; ///< [crossing_count]
} ts_deform_zone;

typedef struct ts_deform_params {
  double extent_m;         ///< how far from the zone the surface moves, over the surface; above 0
  double gamma;            ///< share of the lost volume that the bulge gives back; 0 or more
  bool is_anisotropic;     ///< whether the bulge is larger in front of the zone (Eq. 7)
  double anisotropy_power; ///< omega of Eq. 7, 0 or more
} ts_deform_params;

/// gamma 1, isotropic, omega 2.
ts_deform_params ts_deform_params_default(double extent_m);

/// Where the time went [ns].
typedef struct ts_deform_times {
  double parametrise_ns; ///< u: section 5.1
  double directions_ns;  ///< d: 5.2
  double guides_ns;      ///< a and s: 5.3
  double displace_ns;    ///< bulge, volume and vertices: 5.3 and 7
  double factor_ns;      ///< of these, in the factors of matrices
} ts_deform_times;

/// The arrays are in the arena, [vertex_count].
typedef struct ts_deformed {
  ts_vec3 *vertices; ///< after
  double *u;         ///< 0 in the zone; above 1 where nothing moves, INFINITY far away
  double *eta;       ///< share of the bulge's height, 0 to 1; 0 where u is 0 or above 1
  size_t inside_count, moved_count; ///< vertices in the zone, and others that move
  double bulge_m;                   ///< height of the bulge that keeps the volume, before gamma
  double volume_m3;                 ///< before
  double volume_change_relative;    ///< of the vertices after, over that before
  double volume_change_without_bulge_relative; ///< the same for a bulge of height 0
  ts_deform_times times;
} ts_deformed;

/// Deforms the mesh. A zone none of whose points moves, that of a rigid body, leaves it as it is; u
/// is INFINITY around it then.
///
/// TS_SKIPPED, with the reason in the detail line: no vertex is in the zone, or all are; the extent
/// reaches all of the mesh; no height of the bulge keeps the volume. TS_E_INPUT: parameters out of
/// range, crossings that are not those of the zone, numbers that are not finite; TS_E_UNSUPPORTED:
/// meshes whose systems or sums are too large; TS_E_MEMORY. `out` is set with TS_OK alone, and
/// nothing is left in the arena otherwise.
ts_status ts_deform(ts_deformed *out, ts_arena *arena, const ts_mesh *mesh,
                    const ts_deform_zone *zone, const ts_deform_params *params);

#endif
