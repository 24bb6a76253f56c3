// SPDX-License-Identifier: MIT
#include "elastic/bulge_shares.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// A vertex of the zone, and the way it pushes.
typedef struct pusher {
  ts_vec3 at, way; ///< unit
  double weight;   ///< third of the area times displacement
} pusher;

/// Vertices of the zone that move; how many.
static size_t collect_pushers(pusher *out, double *areas, const ts_mesh *mesh,
                              const ts_deform_zone *zone) {
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 a = mesh->vertices[v[0]];
    double area = 0.5 * ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(mesh->vertices[v[1]], a),
                                                   ts_vec3_sub(mesh->vertices[v[2]], a)));
    for (int i = 0; i < 3; i++)
      areas[v[i]] += area / 3;
  }
  size_t count = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    double length = zone->is_inside[v] ? ts_vec3_norm(zone->displacements[v]) : 0;
    if (length > 0)
      out[count++] = (pusher){mesh->vertices[v], ts_vec3_scale(zone->displacements[v], 1 / length),
                              areas[v] * length};
  }
  return count;
}

static double find_share(ts_vec3 at, const pusher *pushers, size_t count, double power) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 to = ts_vec3_sub(at, pushers[i].at);
    double distance = ts_vec3_norm(to), along = ts_vec3_dot(to, pushers[i].way);
    if (along > 0)
      sum += pushers[i].weight * pow(along / distance, power) / distance;
  }
  return sum;
}

ts_status ts_bulge_shares(double *out, const ts_cut_surface *surface, const ts_deform_zone *zone,
                          const double *u, double power, ts_arena *scratch) {
  const ts_mesh *mesh = surface->mesh;
  pusher *pushers = ts_arena_array(scratch, mesh->vertex_count, sizeof *pushers);
  double *areas = ts_arena_array(scratch, mesh->vertex_count, sizeof *areas);
  if (!pushers || !areas)
    return TS_E_MEMORY;
  size_t count = collect_pushers(pushers, areas, mesh, zone), moved = 0;
  for (size_t i = 0; i < surface->free_count; i++)
    moved += u[i] <= 1;
  if (count > 0 && moved > TS_BULGE_WORK / count)
    return ts_fail(TS_E_UNSUPPORTED,
                   "an anisotropic bulge of %zu vertices around %zu of the zone takes too long: "
                   "make it isotropic, or use a coarser mesh",
                   moved, count);
  double largest = 0;
  for (size_t i = 0; i < surface->free_count; i++) {
    ts_vec3 at = mesh->vertices[surface->mesh_vertices[i]];
    out[i] = u[i] <= 1 ? find_share(at, pushers, count, power) : 0;
    largest = ts_max(largest, out[i]);
  }
  for (size_t i = 0; i < surface->free_count && largest > 0; i++)
    out[i] /= largest;
  return TS_OK;
}
