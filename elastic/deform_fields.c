// SPDX-License-Identifier: MIT
#include "elastic/deform_fields.h"

#include "base/status.h"

#include <stdbool.h>

/// Whether the whole zone has one direction, which is then that of all the surface.
static bool has_one_direction(const ts_deform_zone *zone) {
  ts_vec3 first = zone->crossings[0].direction;
  for (size_t i = 1; i < zone->crossing_count; i++) {
    ts_vec3 direction = zone->crossings[i].direction;
    if (direction.x != first.x || direction.y != first.y || direction.z != first.z)
      return false;
  }
  return true;
}

/// The harmonic field of the zone's directions, not normalised.
static ts_status spread_directions(ts_vec3 *out, ts_surface_system *system,
                                   const ts_deform_zone *zone, ts_arena *scratch) {
  size_t free_count = system->surface->free_count, fixed_count = system->surface->fixed_count;
  if (has_one_direction(zone)) {
    for (size_t i = 0; i < free_count; i++)
      out[i] = zone->crossings[0].direction;
    return TS_OK;
  }
  double *fixed = ts_arena_array(scratch, fixed_count, sizeof *fixed);
  double *parts[3];
  for (int axis = 0; axis < 3; axis++) {
    parts[axis] = ts_arena_array(scratch, free_count, sizeof *parts[axis]);
    if (!fixed || !parts[axis])
      return TS_E_MEMORY;
    for (size_t i = 0; i < fixed_count; i++) {
      ts_vec3 d = zone->crossings[i].direction;
      fixed[i] = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
    }
    ts_surface_harmonic(parts[axis], system, fixed);
  }
  for (size_t i = 0; i < free_count; i++)
    out[i] = (ts_vec3){parts[0][i], parts[1][i], parts[2][i]};
  return TS_OK;
}

/// Share of the zone's direction: (1 - u^2)^6.
static double direction_weight(double u) {
  if (!(u < 1))
    return 0;
  double base = 1 - u * u, cube = base * base * base;
  return cube * cube;
}

ts_status ts_deform_directions(ts_deform_fields *fields, ts_surface_system *system,
                               const ts_deform_zone *zone, const ts_vec3 *normals,
                               ts_arena *scratch) {
  const ts_cut_surface *surface = system->surface;
  TS_TRY(spread_directions(fields->directions, system, zone, scratch));
  for (size_t i = 0; i < surface->free_count; i++) {
    double weight = direction_weight(fields->u[i]);
    ts_vec3 blend = ts_vec3_scale(ts_vec3_unit(fields->directions[i]), weight);
    fields->directions[i] =
        ts_vec3_unit(ts_vec3_add_scaled(blend, 1 - weight, normals[surface->mesh_vertices[i]]));
  }
  return TS_OK;
}

/// The slope with which the outer end of a crossing's edge would come closest, in least squares, to
/// two planes: the tangent plane of the contact surface at the crossing, and the plane through the
/// end that contains the zone's direction and is most orthogonal to the edge. The latter keeps an
/// end next to the former, whose edge goes along the direction, from being moved far.
static double find_slope(const ts_deform_fields *fields, const ts_cut_surface *surface,
                         const ts_zone_crossing *crossing, ts_vec3 boundary) {
  uint32_t end = surface->free_vertices[crossing->outside];
  ts_vec3 p = surface->mesh->vertices[crossing->outside], d = fields->directions[end];
  ts_vec3 edge = ts_vec3_sub(p, surface->mesh->vertices[crossing->inside]);
  ts_vec3 across = ts_vec3_unit(
      ts_vec3_add_scaled(edge, -ts_vec3_dot(edge, crossing->direction), crossing->direction));
  // Heights over both planes are those at the depth plus the slope times these.
  double u = fields->u[end], depth = fields->depths_m[end];
  double rise_tangent = u * ts_vec3_dot(d, crossing->normal),
         rise_across = u * ts_vec3_dot(d, across);
  ts_vec3 target = ts_vec3_add(boundary, crossing->displacement);
  ts_vec3 deep = ts_vec3_add_scaled(ts_vec3_sub(p, target), -depth, d);
  double above_tangent = ts_vec3_dot(deep, crossing->normal);
  double above_across = -depth * ts_vec3_dot(d, across);
  double square = rise_tangent * rise_tangent + rise_across * rise_across;
  double slope = -(rise_tangent * above_tangent + rise_across * above_across) / square;
  // Where u is 0, or d along both planes, nothing says how steep it is.
  return isfinite(slope) ? slope : 0;
}

ts_status ts_deform_guides(ts_deform_fields *fields, ts_surface_system *system,
                           const ts_deform_zone *zone, ts_arena *scratch) {
  const ts_cut_surface *surface = system->surface;
  double *fixed = ts_arena_array(scratch, surface->fixed_count, sizeof *fixed);
  if (!fixed)
    return TS_E_MEMORY;
  for (size_t i = 0; i < surface->fixed_count; i++)
    fixed[i] = ts_vec3_norm(zone->crossings[i].displacement);
  ts_surface_harmonic(fields->depths_m, system, fixed);
  for (size_t i = 0; i < surface->fixed_count; i++)
    fixed[i] = find_slope(fields, surface, &zone->crossings[i], surface->boundary[i]);
  ts_surface_harmonic(fields->slopes_m, system, fixed);
  return TS_OK;
}
