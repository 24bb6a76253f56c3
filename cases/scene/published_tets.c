// SPDX-License-Identifier: MIT
#include "cases/scene/published_tets.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <string.h>

static bool is_near(double a, double b) {
  return fabs(a - b) <= TS_POSITION_RELATIVE * b;
}

// A mesh belongs to one solid: another of the same name has its own.
static bool fits(const ts_published_tets *p, const ts_shape *shape, double scale) {
  if (strcmp(p->shape, shape->name) != 0 || p->vertex_count != shape->mesh->vertex_count)
    return false;
  ts_vec3 extent = ts_vec3_sub(shape->bounds_local.high, shape->bounds_local.low);
  double volume_m3 = ts_mesh_mass_properties(shape->mesh, 1).volume_m3;
  return is_near(extent.x, scale * p->extent_m[0]) && is_near(extent.y, scale * p->extent_m[1]) &&
         is_near(extent.z, scale * p->extent_m[2]) &&
         is_near(volume_m3, scale * scale * scale * p->volume_m3);
}

ts_status ts_published_tets_find(const ts_published_tets **out, const ts_shape *shape,
                                 double scale) {
  for (size_t i = 0; i < ts_published_tets_count; i++)
    if (fits(&ts_published_tets_table[i], shape, scale)) {
      *out = &ts_published_tets_table[i];
      return TS_OK;
    }
  ts_vec3 extent = ts_vec3_sub(shape->bounds_local.high, shape->bounds_local.low);
  return ts_fail(
      TS_E_INPUT,
      "no published tets fit the shape %s of %g x %g x %g m: leave out tets=published, or "
      "what gives the shape another form than in Erleben 2018",
      shape->name, extent.x, extent.y, extent.z);
}

/// The nodes of a state at `scale`, in the arena; NULL when out of memory.
static ts_vec3 *nodes_at_scale(ts_arena *arena, const ts_published_mesh *mesh, uint32_t count,
                               double scale) {
  ts_vec3 *nodes = ts_arena_array(arena, count, sizeof *nodes);
  for (uint32_t i = 0; nodes && i < count; i++) {
    const float *p = mesh->nodes[i];
    nodes[i] = ts_vec3_scale((ts_vec3){(double)p[0], (double)p[1], (double)p[2]}, scale);
  }
  return nodes;
}

ts_status ts_published_tets_surface(const ts_mesh **out, ts_arena *arena,
                                    const ts_published_tets *published, const ts_mesh *designed) {
  ts_vec3 *nodes = nodes_at_scale(arena, &published->designed, published->vertex_count, 1);
  if (!nodes)
    return TS_E_MEMORY;
  ts_mesh *mesh;
  TS_TRY(ts_mesh_with_vertices(&mesh, arena, designed, nodes));
  *out = mesh;
  return TS_OK;
}

ts_status ts_published_tets_mesh(const ts_mesh **out, ts_arena *arena,
                                 const ts_published_tets *published, const ts_mesh *surface,
                                 double scale, bool is_eroded) {
  const ts_published_mesh *state = is_eroded ? &published->eroded : &published->designed;
  ts_vec3 *nodes = nodes_at_scale(arena, state, published->node_count, scale);
  if (!nodes)
    return TS_E_MEMORY;
  ts_mesh *mesh;
  TS_TRY(ts_mesh_create(&mesh, arena, nodes, published->node_count, surface->triangles,
                        surface->triangle_count));
  TS_TRY(ts_mesh_set_tets(mesh, arena, state->tets, published->tet_count));
  *out = mesh;
  return TS_OK;
}
