// SPDX-License-Identifier: MIT
#include "cases/truth/design_normals.h"

#include "geometry/tolerances.h"

static ts_vec3 middle_of(const ts_region *region) {
  ts_vec3 first = region->vertices[0], sum = {0, 0, 0};
  for (size_t i = 0; i < region->vertex_count; i++)
    sum = ts_vec3_add(sum, ts_vec3_sub(region->vertices[i], first));
  return ts_vec3_add_scaled(first, 1 / (double)region->vertex_count, sum);
}

ts_status ts_design_normals_choose(ts_region *region, ts_arena *arena, const ts_scene *scene) {
  const ts_feasible_set all = region->feasible[TS_REFERENCE_FEASIBLE];
  ts_feasible_set design = all;
  if (!region->needs_all) {
    const ts_body *a = &scene->bodies[region->body_a], *b = &scene->bodies[region->body_b];
    ts_vec3 at = middle_of(region);
    ts_vec3 velocity = ts_vec3_sub(ts_twist_velocity_at(b->twist, b->pose, at),
                                   ts_twist_velocity_at(a->twist, a->pose, at));
    double largest = -INFINITY, same = TS_SAME_DIRECTION_RAD * ts_vec3_norm(velocity);
    design = (ts_feasible_set){.normals = ts_arena_array(arena, all.count, sizeof *design.normals)};
    if (!design.normals)
      return TS_E_MEMORY;
    for (size_t i = 0; i < all.count; i++)
      largest = fmax(largest, ts_vec3_dot(all.normals[i].normal, velocity));
    for (size_t i = 0; i < all.count; i++)
      if (ts_vec3_dot(all.normals[i].normal, velocity) >= largest - same)
        design.normals[design.count++] = all.normals[i];
  }
  region->feasible[TS_REFERENCE_DESIGN] = region->feasible[TS_REFERENCE_PUBLISHED] = design;
  return TS_OK;
}
