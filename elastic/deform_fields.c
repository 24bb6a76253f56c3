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

/// Means over the triangles around a point of the boundary, by area.
typedef struct rim_point {
  ts_vec3 away;     ///< the unit vector away from the zone, over the surface; times area
  double rise_area; ///< how the depth changes along that vector, per metre; times area
  double area;
} rim_point;

static ts_vec3 corner_place(const ts_cut_surface *surface, uint32_t corner) {
  return corner < surface->free_count ? surface->mesh->vertices[surface->mesh_vertices[corner]]
                                      : surface->boundary[corner - surface->free_count];
}

/// Adds a triangle at the boundary to its points there.
static void add_to_rim(rim_point *rim, const ts_deform_fields *fields,
                       const ts_cut_surface *surface, const double *rim_depths,
                       const uint32_t corners[3]) {
  size_t free_count = surface->free_count;
  ts_vec3 p[3], far = {0, 0, 0}, deeper = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    p[i] = corner_place(surface, corners[i]);
  ts_vec3 area_vector = ts_vec3_cross(ts_vec3_sub(p[1], p[0]), ts_vec3_sub(p[2], p[0]));
  double area_twice = ts_vec3_norm(area_vector);
  ts_vec3 normal = ts_vec3_unit(area_vector);
  for (int i = 0; i < 3; i++) {
    // The gradient of a corner's hat function, times twice the area.
    ts_vec3 hat = ts_vec3_cross(normal, ts_vec3_sub(p[(i + 2) % 3], p[(i + 1) % 3]));
    bool is_free = corners[i] < free_count;
    double depth = is_free ? fields->depths_m[corners[i]] : rim_depths[corners[i] - free_count];
    far = ts_vec3_add_scaled(far, is_free ? fields->u[corners[i]] : 0, hat);
    deeper = ts_vec3_add_scaled(deeper, depth, hat);
  }
  far = ts_vec3_unit(far);
  for (int i = 0; i < 3; i++) {
    if (corners[i] < free_count)
      continue;
    rim_point *at = &rim[corners[i] - free_count];
    at->away = ts_vec3_add_scaled(at->away, area_twice, far);
    at->rise_area += ts_vec3_dot(deeper, far);
    at->area += area_twice;
  }
}

/// dH/du with which the surface leaves the zone in the tangent plane of the contact surface: what
/// moves away from the zone by one extent rises by this, less what the depth does meanwhile. The
/// way away is turned into the plane of the mesh's normal there, interpolated as the normal of the
/// contact surface is: that of facets jumps when the boundary passes a vertex.
///
/// The paper asks the outer ends of cut edges to be in the tangent plane. Where an edge runs along
/// the boundary, that makes the slope any number.
static double find_slope(const rim_point *at, const ts_zone_crossing *crossing, ts_vec3 normal,
                         double extent_m) {
  ts_vec3 away = ts_vec3_add_scaled(at->away, -ts_vec3_dot(at->away, normal), normal);
  double steepness = ts_vec3_dot(ts_vec3_unit(away), crossing->normal) /
                     ts_vec3_dot(crossing->direction, crossing->normal);
  double slope = extent_m * (at->rise_area / at->area - steepness);
  return isfinite(slope) ? slope : 0;
}

ts_status ts_deform_guides(ts_deform_fields *fields, ts_surface_system *system,
                           const ts_deform_zone *zone, const ts_vec3 *normals, double extent_m,
                           ts_arena *scratch) {
  const ts_cut_surface *surface = system->surface;
  double *fixed = ts_arena_array(scratch, surface->fixed_count, sizeof *fixed);
  rim_point *rim = ts_arena_array(scratch, surface->fixed_count, sizeof *rim);
  if (!fixed || !rim)
    return TS_E_MEMORY;
  for (size_t i = 0; i < surface->fixed_count; i++)
    fixed[i] = ts_vec3_norm(zone->crossings[i].displacement);
  ts_surface_harmonic(fields->depths_m, system, fixed);
  for (size_t t = 0; t < surface->triangle_count; t++) {
    const uint32_t *corners = surface->triangles[t].corners;
    if (corners[0] >= surface->free_count || corners[1] >= surface->free_count ||
        corners[2] >= surface->free_count)
      add_to_rim(rim, fields, surface, fixed, corners);
  }
  for (size_t i = 0; i < surface->fixed_count; i++) {
    const ts_zone_crossing *crossing = &zone->crossings[i];
    ts_vec3 normal = ts_vec3_unit(
        ts_vec3_lerp(normals[crossing->inside], normals[crossing->outside], surface->alphas[i]));
    fixed[i] = find_slope(&rim[i], crossing, normal, extent_m);
  }
  ts_surface_harmonic(fields->slopes_m, system, fixed);
  return TS_OK;
}
