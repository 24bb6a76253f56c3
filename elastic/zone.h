// SPDX-License-Identifier: MIT
/// The part of the contact surface at which two bodies stay in contact (Brunel 2021, section 4.4,
/// Eq. 3 and 4): where the overlap along the normal is large for this surface, and neither body is
/// steep to the mapping direction.
#ifndef TS_ELASTIC_ZONE_H
#define TS_ELASTIC_ZONE_H

#include "elastic/contact_surface.h"

/// A convex polygon of the zone: part of one of the contact surface.
typedef struct ts_zone_polygon {
  size_t polygon; ///< in ts_contact_surface::polygons
  size_t first_corner, corner_count;
  ts_vec3 normal; ///< of the contact surface, unit, from a to b, frame
  double area_m2; ///< on the contact surface
} ts_zone_polygon;

typedef struct ts_zone {
  double tau;
  double mean_m, deviation_m; ///< of the score over the contact surface
  double threshold_m;         ///< mean + tau deviation
  double surface_area_m2;     ///< of the whole contact surface
  double area_m2;             ///< of the zone, on the contact surface
  double body_area_m2[2];     ///< of the zone, on the surfaces of a and b
  size_t polygon_count, corner_count;
  const ts_zone_polygon *polygons;  ///< [polygon_count] in the order of the surface's
  const ts_surface_corner *corners; ///< [corner_count]
} ts_zone;

/// Score [m] of a place with this depth along m and this normal of the contact surface: depth times
/// n' . m.
double ts_zone_score(const ts_contact_surface *surface, double depth_m, ts_vec3 normal);

/// Whether a score is high enough and the normals of both bodies (outward, unit, frame) are less
/// than 80 degrees from the direction. Rounding counts as in.
bool ts_zone_contains(const ts_zone *zone, const ts_contact_surface *surface, double score_m,
                      ts_vec3 normal_a, ts_vec3 normal_b);

/// In the arena of the surface's pair. The moments of the score, linear on each polygon, are exact.
/// TS_SKIPPED when the zone is empty; TS_E_INPUT when tau is not finite.
ts_status ts_zone_find(ts_zone *out, const ts_contact_surface *surface, double tau);

#endif
