// SPDX-License-Identifier: MIT
#include "harness/picture/exploded_view.h"

#include "geometry/mesh/mesh.h"

/// Maximum number of sweeps, and the largest move in a sweep, relative to the gap, at which they
/// stop.
#define SWEEPS_MAX   5000
#define SETTLED_MOVE 1e-4

/// Weight of a joint with the ground, relative to other joints.
#define GROUND_WEIGHT 0.2

/// A body this many times larger than the median one is the ground.
#define GROUND_SIZE 3.0

/// A mean of unit normals shorter than this has no clear direction.
#define AGREEMENT_MIN 0.1

/// The wanted shift of b of a pair, relative to a.
typedef struct link {
  size_t a, b;
  ts_vec3 apart;
  double weight;
} link;

static ts_vec3 centre_of(const ts_snapshot_body *body) {
  ts_vec3 sum = {0, 0, 0};
  const ts_mesh *mesh = body->designed.mesh;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    sum = ts_vec3_add(sum, body->designed.world[i]);
  return ts_vec3_scale(sum, 1.0 / (double)mesh->vertex_count);
}

/// Area, length, or 1.
static double measure_of(const ts_snapshot_region *r) {
  if (r->vertex_count < 3)
    return r->vertex_count == 2 ? ts_vec3_distance(r->vertices[0], r->vertices[1]) : 1;
  ts_vec3 twice = {0, 0, 0};
  for (size_t i = 1; i + 1 < r->vertex_count; i++)
    twice = ts_vec3_add(twice, ts_vec3_cross(ts_vec3_sub(r->vertices[i], r->vertices[0]),
                                             ts_vec3_sub(r->vertices[i + 1], r->vertices[0])));
  return ts_vec3_norm(twice) / 2;
}

/// 3: a polygon, 2: a segment, 1: a point.
static size_t rank_of(const ts_snapshot_region *r) {
  return r->vertex_count < 3 ? r->vertex_count : 3;
}

/// The direction in which b moves away from a: the mean normal of the pair's regions [count], using
/// only those of the highest dimension, since an edge says nothing about the direction of a face
/// next to it.
static ts_vec3 way_of(const ts_snapshot *snapshot, const ts_snapshot_region *regions,
                      size_t count) {
  size_t rank = 0;
  for (size_t i = 0; i < count; i++)
    rank = rank_of(&regions[i]) > rank ? rank_of(&regions[i]) : rank;
  for (; rank > 0; rank--) {
    ts_vec3 sum = {0, 0, 0};
    double total = 0;
    for (size_t i = 0; i < count; i++)
      for (size_t k = 0; rank_of(&regions[i]) == rank && k < regions[i].normal_count; k++) {
        double weight = measure_of(&regions[i]);
        sum = ts_vec3_add_scaled(sum, weight, regions[i].normals[k].normal);
        total += weight;
      }
    if (ts_vec3_norm(sum) > AGREEMENT_MIN * total)
      return ts_vec3_unit(sum);
  }
  ts_vec3 between = ts_vec3_sub(centre_of(&snapshot->bodies[regions[0].body_b]),
                                centre_of(&snapshot->bodies[regions[0].body_a]));
  ts_vec3 way = ts_vec3_unit(between);
  return ts_vec3_norm2(way) > 0 ? way : snapshot->up;
}

/// Overlap of two bodies along `way`; below 0: a gap.
static double reach_of(const ts_snapshot *snapshot, size_t a, size_t b, ts_vec3 way) {
  const ts_snapshot_surface *sa = &snapshot->bodies[a].designed,
                            *sb = &snapshot->bodies[b].designed;
  double max = -INFINITY, min = INFINITY;
  for (size_t i = 0; i < sa->mesh->vertex_count; i++)
    max = ts_max(max, ts_vec3_dot(sa->world[i], way));
  for (size_t i = 0; i < sb->mesh->vertex_count; i++)
    min = ts_min(min, ts_vec3_dot(sb->world[i], way));
  return max - min;
}

bool ts_exploded_view_is_ground(const ts_snapshot *snapshot, size_t body) {
  const ts_mesh *mesh = snapshot->bodies[body].designed.mesh;
  return ts_aabb_extent(ts_mesh_bounds(mesh)) > GROUND_SIZE * snapshot->body_size_m;
}

static size_t find_links(link *links, const ts_snapshot *snapshot, double gap_m) {
  size_t count = 0;
  for (size_t i = 0, end; i < snapshot->region_count; i = end) {
    const ts_snapshot_region *first = &snapshot->regions[i];
    for (end = i + 1; end < snapshot->region_count; end++)
      if (snapshot->regions[end].body_a != first->body_a ||
          snapshot->regions[end].body_b != first->body_b)
        break;
    size_t a = (size_t)first->body_a, b = (size_t)first->body_b;
    ts_vec3 way = way_of(snapshot, first, end - i);
    double reach = reach_of(snapshot, a, b, way);
    // Otherwise a body that encloses another would leave the picture.
    reach = ts_min(ts_max(reach, 0), snapshot->body_size_m);
    bool on_ground =
        ts_exploded_view_is_ground(snapshot, a) || ts_exploded_view_is_ground(snapshot, b);
    links[count++] = (link){a, b, ts_vec3_scale(way, gap_m + reach), on_ground ? GROUND_WEIGHT : 1};
  }
  return count;
}

ts_status ts_exploded_view(ts_vec3 **out, ts_arena *arena, const ts_snapshot *snapshot,
                           double gap_m) {
  size_t count = snapshot->body_count;
  ts_vec3 *shifts = ts_arena_array(arena, count, sizeof *shifts);
  ts_vec3 *sums = ts_arena_array(arena, count, sizeof *sums);
  double *weights = ts_arena_array(arena, count, sizeof *weights);
  link *links = ts_arena_array(arena, snapshot->region_count, sizeof *links);
  if (!shifts || !sums || !weights || !links)
    return TS_E_MEMORY;
  size_t link_count = find_links(links, snapshot, gap_m);
  for (size_t i = 0; i < link_count; i++) {
    weights[links[i].a] += links[i].weight;
    weights[links[i].b] += links[i].weight;
  }
  // Damped Jacobi sweeps: each body moves half way to the position that its neighbours ask for.
  double move = INFINITY;
  for (int sweep = 0; sweep < SWEEPS_MAX && move > SETTLED_MOVE * gap_m; sweep++) {
    for (size_t i = 0; i < count; i++)
      sums[i] = (ts_vec3){0, 0, 0};
    for (size_t i = 0; i < link_count; i++) {
      const link *l = &links[i];
      ts_vec3 error =
          ts_vec3_sub(ts_vec3_add(shifts[l->a], l->apart), shifts[l->b]); // to be corrected by b
      sums[l->b] = ts_vec3_add_scaled(sums[l->b], l->weight, error);
      sums[l->a] = ts_vec3_add_scaled(sums[l->a], -l->weight, error);
    }
    move = 0;
    for (size_t i = 0; i < count; i++) {
      ts_vec3 step = ts_vec3_scale(sums[i], weights[i] > 0 ? 0.5 / weights[i] : 0);
      shifts[i] = ts_vec3_add(shifts[i], step);
      move = ts_max(move, ts_vec3_norm(step));
    }
  }
  *out = shifts;
  return TS_OK;
}
