// SPDX-License-Identifier: MIT
#include "elastic/deform.h"

#include "base/clock.h"
#include "base/status.h"
#include "elastic/bulge_height.h"
#include "elastic/bulge_shares.h"
#include "elastic/deform_fields.h"
#include "elastic/profile.h"
#include "elastic/surface_system.h"
#include "elastic/vertex_normals.h"
#include "geometry/mesh/mesh.h"

#include <string.h>

ts_deform_params ts_deform_params_default(double extent_m) {
  return (ts_deform_params){.extent_m = extent_m, .gamma = 1, .anisotropy_power = 2};
}

/// One mesh on its way. Coordinates are relative to the middle of the mesh's box: far from the
/// origin, sums of them would lose digits.
typedef struct deformer {
  ts_arena *scratch; ///< of all that is not in the result
  ts_mesh mesh;      ///< with vertices relative to `origin`
  ts_vec3 origin;
  const ts_deform_zone *zone;
  const ts_deform_params *params;
  ts_cut_surface surface;
  ts_surface_system system;
  ts_deform_fields fields;
  double *u, *shares;          ///< [free_count]; u is that of the fields
  ts_vec3 *normals;            ///< [vertex_count] of the mesh
  ts_vec3 *moved, *directions; ///< [vertex_count] at height 0, and the way with the height
} deformer;

static ts_status check_params(const ts_deform_params *params) {
  if (!(params->extent_m > 0 && isfinite(params->extent_m)))
    return ts_fail(TS_E_INPUT, "the extent of the deformation is %g m: a number above 0",
                   params->extent_m);
  if (!(params->gamma >= 0 && isfinite(params->gamma)))
    return ts_fail(TS_E_INPUT, "gamma is %g: a number of 0 or more", params->gamma);
  if (!(params->anisotropy_power >= 0 && isfinite(params->anisotropy_power)))
    return ts_fail(TS_E_INPUT, "the power of the anisotropy is %g: a number of 0 or more",
                   params->anisotropy_power);
  return TS_OK;
}

static ts_status check_vectors(const ts_mesh *mesh, const ts_deform_zone *zone) {
  for (size_t v = 0; v < mesh->vertex_count; v++)
    if (zone->is_inside[v] && !ts_vec3_is_finite(zone->displacements[v]))
      return ts_fail(TS_E_INPUT, "the displacement of vertex %zu of the zone is not finite", v);
  for (size_t i = 0; i < zone->crossing_count; i++) {
    const ts_zone_crossing *crossing = &zone->crossings[i];
    if (!ts_vec3_is_finite(crossing->displacement) || !ts_vec3_is_finite(crossing->normal) ||
        !ts_vec3_is_finite(crossing->direction))
      return ts_fail(TS_E_INPUT, "crossing %zu of the zone has vectors that are not finite", i);
  }
  return TS_OK;
}

/// Adds the time since `*start` to `*total_ns`, and starts anew.
static void stop_clock(double *total_ns, int64_t *start) {
  int64_t now = ts_clock_ns();
  *total_ns += (double)(now - *start);
  *start = now;
}

static ts_status place_mesh(deformer *d, const ts_mesh *mesh) {
  ts_aabb box = ts_mesh_bounds(mesh);
  d->origin = ts_vec3_mid(box.low, box.high);
  ts_vec3 *vertices = ts_arena_array(d->scratch, mesh->vertex_count, sizeof *vertices);
  d->moved = ts_arena_array(d->scratch, mesh->vertex_count, sizeof *d->moved);
  d->directions = ts_arena_array(d->scratch, mesh->vertex_count, sizeof *d->directions);
  if (!vertices || !d->moved || !d->directions)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_vec3_sub(mesh->vertices[v], d->origin);
  d->mesh = *mesh;
  d->mesh.vertices = vertices;
  return TS_OK;
}

/// u of all free vertices.
static ts_status parametrise(deformer *d) {
  double extent_m = d->params->extent_m, time_m2 = ts_surface_heat_time(&d->mesh, extent_m);
  // How the surface goes on behind has no say: the heat that comes back from its end to the extent
  // is less by a factor of e^10.
  double reach_m = 1.1 * extent_m + 5 * sqrt(time_m2);
  TS_TRY(ts_cut_surface_create(&d->surface, d->scratch, &d->mesh, d->zone, reach_m));
  size_t count = d->surface.free_count, moved = 0;
  d->u = ts_arena_array(d->scratch, count, sizeof *d->u);
  d->shares = ts_arena_array(d->scratch, count, sizeof *d->shares);
  d->fields = (ts_deform_fields){
      .u = d->u,
      .directions = ts_arena_array(d->scratch, count, sizeof *d->fields.directions),
      .depths_m = ts_arena_array(d->scratch, count, sizeof *d->fields.depths_m),
      .slopes_m = ts_arena_array(d->scratch, count, sizeof *d->fields.slopes_m)};
  if (!d->u || !d->shares || !d->fields.directions || !d->fields.depths_m || !d->fields.slopes_m)
    return TS_E_MEMORY;
  TS_TRY(ts_surface_system_create(&d->system, d->scratch, &d->surface));
  TS_TRY(ts_surface_distance(d->u, &d->system, time_m2));
  double farthest_m = 0, nearest_m = INFINITY;
  for (size_t i = 0; i < count; i++) {
    farthest_m = ts_max(farthest_m, d->u[i]);
    nearest_m = ts_min(nearest_m, d->u[i]);
    d->u[i] /= extent_m;
    moved += d->u[i] <= 1;
  }
  if (moved == count && !d->surface.goes_on)
    return ts_fail(TS_SKIPPED,
                   "an extent of %g m reaches all of the surface, no vertex of which is farther "
                   "than %g m from the contact zone: make the extent shorter",
                   extent_m, farthest_m);
  if (moved == 0)
    return ts_fail(
        TS_SKIPPED,
        "an extent of %g m reaches no vertex, the nearest is %g m from the contact zone: "
        "make the extent longer, or the mesh finer",
        extent_m, nearest_m);
  return TS_OK;
}

static ts_status find_directions(deformer *d) {
  d->normals = ts_arena_array(d->scratch, d->mesh.vertex_count, sizeof *d->normals);
  if (!d->normals)
    return TS_E_MEMORY;
  ts_vertex_normals(d->normals, &d->mesh);
  return ts_deform_directions(&d->fields, &d->system, d->zone, d->normals, d->scratch);
}

static ts_status find_shares(deformer *d) {
  if (d->params->is_anisotropic)
    return ts_bulge_shares(d->shares, &d->surface, d->zone, d->u, d->params->anisotropy_power,
                           d->scratch);
  for (size_t i = 0; i < d->surface.free_count; i++)
    d->shares[i] = d->u[i] <= 1 ? 1 : 0;
  return TS_OK;
}

/// Places of all vertices without a bulge, and their ways with its height.
static void apply_profile(deformer *d) {
  for (size_t v = 0; v < d->mesh.vertex_count; v++)
    d->moved[v] = d->zone->is_inside[v]
                      ? ts_vec3_add(d->mesh.vertices[v], d->zone->displacements[v])
                      : d->mesh.vertices[v];
  for (size_t i = 0; i < d->surface.free_count; i++) {
    if (!(d->u[i] <= 1))
      continue;
    uint32_t v = d->surface.mesh_vertices[i];
    ts_profile_height height =
        ts_profile_at(d->u[i], ts_max(0, d->fields.depths_m[i]), d->fields.slopes_m[i]);
    d->moved[v] = ts_vec3_add_scaled(d->moved[v], height.base_m, d->fields.directions[i]);
    d->directions[v] = ts_vec3_scale(d->fields.directions[i], height.share * d->shares[i]);
  }
}

/// The height of the bulge that keeps the volume.
static ts_status find_bulge(ts_deformed *out, const deformer *d) {
  double cubic[4], size_m = ts_aabb_extent(ts_mesh_bounds(&d->mesh));
  ts_bulge_cubic(cubic, &d->mesh, d->mesh.vertices, d->moved, d->directions);
  out->volume_change_without_bulge_relative = cubic[0] / out->volume_m3;
  if (!ts_smallest_positive_root(&out->bulge_m, cubic) || !(out->bulge_m <= size_m))
    return ts_fail(
        TS_SKIPPED,
        "no bulge up to the size of the body, %g m, gives back the %g m3 that the contact "
        "takes: make the extent longer, or the overlap smaller",
        size_m, -cubic[0]);
  return TS_OK;
}

static double volume_change(const deformer *d, const ts_vec3 *vertices) {
  double cubic[4];
  for (size_t v = 0; v < d->mesh.vertex_count; v++) {
    d->moved[v] = ts_vec3_sub(vertices[v], d->origin);
    d->directions[v] = (ts_vec3){0, 0, 0};
  }
  ts_bulge_cubic(cubic, &d->mesh, d->mesh.vertices, d->moved, d->directions);
  return cubic[0];
}

/// Vertices that do not move keep their bits.
static void write_result(ts_deformed *out, const deformer *d, const ts_mesh *mesh) {
  double height = d->params->gamma * out->bulge_m;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    uint32_t i = d->surface.free_vertices[v];
    bool is_inside = d->zone->is_inside[v], is_moved = i != TS_NOT_FREE && d->u[i] <= 1;
    out->vertices[v] = mesh->vertices[v];
    if (is_inside || is_moved)
      out->vertices[v] =
          ts_vec3_add(ts_vec3_add_scaled(d->moved[v], height, d->directions[v]), d->origin);
    if (!is_inside)
      out->u[v] = i != TS_NOT_FREE ? d->u[i] : (double)INFINITY;
    out->eta[v] = is_moved ? d->shares[i] : 0;
    out->inside_count += is_inside;
    out->moved_count += is_moved;
  }
  out->volume_change_relative = volume_change(d, out->vertices) / out->volume_m3;
}

/// Whether the zone is that of a rigid body.
static bool moves_nothing(const ts_mesh *mesh, const ts_deform_zone *zone) {
  double largest = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    if (zone->is_inside[v])
      largest = ts_max(largest, ts_vec3_norm(zone->displacements[v]));
  for (size_t i = 0; i < zone->crossing_count; i++)
    largest = ts_max(largest, ts_vec3_norm(zone->crossings[i].displacement));
  return largest == 0;
}

static ts_status keep_as_is(ts_deformed *out, const ts_mesh *mesh, const ts_deform_zone *zone) {
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    out->vertices[v] = mesh->vertices[v];
    out->u[v] = zone->is_inside[v] ? 0 : (double)INFINITY;
    out->inside_count += zone->is_inside[v];
  }
  out->volume_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
  return TS_OK;
}

static ts_status run_stages(ts_deformed *out, deformer *d, const ts_mesh *mesh) {
  if (d->zone->crossing_count > 0 && moves_nothing(mesh, d->zone))
    return keep_as_is(out, mesh, d->zone);
  int64_t clock = ts_clock_ns();
  TS_TRY(place_mesh(d, mesh));
  TS_TRY(parametrise(d));
  stop_clock(&out->times.parametrise_ns, &clock);
  TS_TRY(find_directions(d));
  stop_clock(&out->times.directions_ns, &clock);
  TS_TRY(ts_deform_guides(&d->fields, &d->system, d->zone, d->normals, d->params->extent_m,
                          d->scratch));
  stop_clock(&out->times.guides_ns, &clock);
  TS_TRY(find_shares(d));
  apply_profile(d);
  out->volume_m3 = ts_mesh_mass_properties(&d->mesh, 1).volume_m3;
  TS_TRY(find_bulge(out, d));
  write_result(out, d, mesh);
  stop_clock(&out->times.displace_ns, &clock);
  out->times.factor_ns = d->system.factor_ns;
  return TS_OK;
}

static ts_status deform_into(ts_deformed *out, ts_arena *arena, const ts_mesh *mesh,
                             const ts_deform_zone *zone, const ts_deform_params *params) {
  out->vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertices);
  out->u = ts_arena_array(arena, mesh->vertex_count, sizeof *out->u);
  out->eta = ts_arena_array(arena, mesh->vertex_count, sizeof *out->eta);
  if (!out->vertices || !out->u || !out->eta)
    return TS_E_MEMORY;
  deformer d = {.zone = zone, .params = params};
  TS_TRY(ts_arena_create(&d.scratch));
  ts_status status = run_stages(out, &d, mesh);
  ts_surface_system_destroy(&d.system);
  ts_arena_destroy(d.scratch);
  return status;
}

ts_status ts_deform(ts_deformed *out, ts_arena *arena, const ts_mesh *mesh,
                    const ts_deform_zone *zone, const ts_deform_params *params) {
  TS_TRY(check_params(params));
  TS_TRY(check_vectors(mesh, zone));
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_deformed result = {0};
  ts_status status = deform_into(&result, arena, mesh, zone, params);
  if (status == TS_OK)
    *out = result;
  else
    ts_arena_rewind(arena, mark);
  return status;
}
