// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_shape.h"

/// The middle of a triangle, where the probe into the solid starts.
static ts_vec3 middle(const ts_mesh *mesh, uint32_t t) {
  const uint32_t *c = mesh->triangles[t];
  ts_vec3 sum =
      ts_vec3_add(ts_vec3_add(mesh->vertices[c[0]], mesh->vertices[c[1]]), mesh->vertices[c[2]]);
  return ts_vec3_scale(sum, 1.0 / 3);
}

/// The way into the solid behind the middle of a triangle.
typedef struct probing {
  const ts_semi_shape *shape;
  uint32_t patch; ///< that it starts from
  ts_vec3 start, way;
  double depth_m; ///< where it leaves the solid, as far as is known; at first the reach
  bool is_met;
} probing;

/// Where the way meets a triangle from behind: there it leaves the solid.
static void probe_triangle(probing *p, uint32_t hit) {
  const ts_patches *patches = p->shape->patches;
  if (patches->patch_of[hit] == p->patch)
    return;
  const ts_mesh *mesh = patches->mesh;
  const uint32_t *c = mesh->triangles[hit];
  ts_vec3 v[3];
  for (int i = 0; i < 3; i++)
    v[i] = ts_vec3_sub(mesh->vertices[c[i]], p->start);
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(v[1], v[0]), ts_vec3_sub(v[2], v[0]));
  double speed = ts_vec3_dot(normal, p->way);
  if (!(speed > 0)) // leaves the solid through the outer side of a surface
    return;
  for (int i = 0; i < 3; i++)
    if (ts_vec3_dot(ts_vec3_cross(v[i], v[(i + 1) % 3]), p->way) < 0)
      return;
  double depth = ts_vec3_dot(normal, v[0]) / speed;
  if (depth >= 0 && depth <= p->depth_m) {
    p->depth_m = depth;
    p->is_met = true;
  }
}

static ts_status probe(void *context, uint32_t block, uint32_t unused) {
  (void)unused;
  probing *p = context;
  const ts_semi_listed *blocks = &p->shape->blocks;
  for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++)
    probe_triangle(p, blocks->items[i]);
  return TS_OK;
}

/// Behind one triangle of a patch.
static double thickness_behind(const ts_semi_shape *shape, uint32_t patch, uint32_t triangle) {
  probing p = {.shape = shape,
               .patch = patch,
               .start = middle(shape->patches->mesh, triangle),
               .way = ts_vec3_neg(shape->normals[patch]),
               .depth_m = shape->reach_m};
  (void)ts_bvh_along(shape->surface, p.start, p.way, &p.depth_m, probe, &p); // probe() never fails
  return p.is_met ? p.depth_m : (double)INFINITY;
}

double ts_semi_thickness(const ts_semi_shape *shape, uint32_t patch) {
  double *known = &shape->asked->thickness_m[patch];
  if (*known >= 0)
    return *known;
  const ts_patch *of = &shape->patches->patches[patch];
  double thickest = 0;
  for (uint32_t i = 0; i < of->triangle_count && !isinf(thickest); i++) {
    uint32_t triangle = shape->patches->triangles[of->first_triangle + i];
    thickest = ts_max(thickest, thickness_behind(shape, patch, triangle));
  }
  *known = thickest;
  return thickest;
}
