// SPDX-License-Identifier: MIT
#include "tests/sim/soft/soft_scene.h"

#include "base/status.h"
#include "geometry/tet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool holds) {
  if (holds)
    return;
  fprintf(stderr, "soft_scene: %s\n", ts_status_detail());
  abort();
}

void soft_scene_init(soft_scene *s) {
  memset(s, 0, sizeof *s);
  must(ts_arena_create(&s->arena) == TS_OK);
  s->params = ts_soft_world_params_default();
  s->has_features = true;
}

void soft_scene_release(soft_scene *s) {
  ts_arena_destroy(s->arena);
}

int32_t soft_scene_add(soft_scene *s, ts_mesh *mesh, ts_pose pose, const ts_elastic *elastic) {
  size_t i = s->body_count++;
  must(i < SOFT_BODIES);
  s->shapes[i] = (ts_shape){.name = "shape", .mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
  s->bodies[i] =
      (ts_body){.name = "body", .shape = (int32_t)i, .pose = pose, .density_kg_m3 = 1000};
  s->surface[i] = ts_arena_array(s->arena, mesh->vertex_count, sizeof **s->surface);
  must(s->surface[i]);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int k = 0; k < 3; k++)
      s->surface[i][mesh->triangles[t][k]] = true;
  if (elastic) {
    s->elastic[i] = *elastic;
    s->bodies[i].elastic = &s->elastic[i];
  }
  return (int32_t)i;
}

int32_t soft_scene_add_cube(soft_scene *s, double edge_m, ts_pose pose, bool is_fixed) {
  double half = 0.5 * edge_m;
  tet_grid grid = {1, 1, 1, {-half, -half, -half}, {half, half, half}};
  int32_t body = soft_scene_add(s, tet_grid_mesh(s->arena, &grid), pose, NULL);
  s->bodies[body].is_fixed = is_fixed;
  return body;
}

enum { SLICES = 36, SECTORS = 8, SLICE_NODES = SECTORS + 1 };

/// Three tets of the prism a b c - d e f. Its sides at a and d are cut from a, so that neighbours
/// in a slice agree.
static void cut_prism(uint32_t (*tets)[4], const uint32_t p[6]) {
  const uint8_t cut[3][4] = {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}};
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 4; i++)
      tets[t][i] = p[cut[t][i]];
}

ts_mesh *soft_torus(ts_arena *arena, double radius_m, double tube_m) {
  const double tau = 6.283185307179586476925;
  ts_vec3 vertices[SLICES * SLICE_NODES];
  static uint32_t tets[SLICES * SECTORS * 3][4];
  for (uint32_t i = 0; i < SLICES; i++)
    for (uint32_t k = 0; k < SLICE_NODES; k++) {
      double around = tau * i / SLICES, along = tau * k / SECTORS;
      double out = radius_m + (k < SECTORS ? tube_m * cos(along) : 0);
      vertices[i * SLICE_NODES + k] =
          (ts_vec3){out * cos(around), out * sin(around), k < SECTORS ? tube_m * sin(along) : 0};
    }
  for (uint32_t i = 0; i < SLICES; i++)
    for (uint32_t k = 0; k < SECTORS; k++) {
      uint32_t here = i * SLICE_NODES, there = (i + 1) % SLICES * SLICE_NODES;
      uint32_t next = (k + 1) % SECTORS, t = 3 * (i * SECTORS + k);
      cut_prism(&tets[t], (const uint32_t[6]){here + SECTORS, here + k, here + next,
                                              there + SECTORS, there + k, there + next});
      for (uint32_t n = t; n < t + 3; n++) {
        ts_vec3 at[4];
        for (int c = 0; c < 4; c++)
          at[c] = vertices[tets[n][c]];
        if (ts_tet_volume(at) < 0) {
          uint32_t first = tets[n][0];
          tets[n][0] = tets[n][1];
          tets[n][1] = first;
        }
      }
    }
  return tet_grid_around(arena, vertices, SLICES * SLICE_NODES, (const uint32_t(*)[4])tets,
                         sizeof tets / sizeof *tets);
}

ts_soft_world *soft_scene_world(const soft_scene *s, ts_compliance_kind response) {
  ts_soft_world *world = NULL;
  ts_soft_world_params params = s->params;
  params.response = (int32_t)response;
  must(ts_soft_world_create(&world, s->shapes, s->body_count, s->bodies, s->body_count, &params) ==
       TS_OK);
  return world;
}

/// Gap of a point and an obstacle in the obstacle's frame, and the outward normal there.
static double local_gap(ts_vec3 *out_normal, const soft_touch *t, ts_vec3 p) {
  if (t->kind == SOFT_PLANE) {
    *out_normal = (ts_vec3){0, 1, 0};
    return p.y;
  }
  ts_vec3 centre = {0, 0, 0};
  if (t->kind == SOFT_RING)
    centre = ts_vec3_scale(ts_vec3_unit((ts_vec3){p.x, p.y, 0}), t->radius_m);
  ts_vec3 away = ts_vec3_sub(p, centre);
  *out_normal = ts_vec3_unit(away);
  return ts_vec3_norm(away) - (t->kind == SOFT_RING ? t->tube_m : t->radius_m);
}

/// Likewise in the world.
static double world_gap(ts_vec3 *out_normal, const soft_touch *t, const ts_soft_world *world,
                        ts_vec3 p) {
  ts_pose pose = ts_soft_world_pose(world, (size_t)t->obstacle);
  double gap = local_gap(out_normal, t, ts_pose_point_local(pose, p));
  *out_normal = ts_pose_direction(pose, *out_normal);
  return gap;
}

static void push_node(const soft_scene *s, ts_contact_set *set, const soft_touch *t,
                      const ts_soft_world *world, uint32_t node) {
  ts_vec3 n, p = ts_soft_world_nodes(world, (size_t)t->body)[node];
  double gap = world_gap(&n, t, world, p);
  if (!(gap < t->reach_m))
    return;
  ts_contact c = {.point = ts_vec3_add_scaled(p, -0.5 * gap, n),
                  .normal = t->obstacle < t->body ? n : ts_vec3_neg(n),
                  .gap_m = gap,
                  .area_m2 = (double)NAN};
  if (s->has_features)
    *(t->obstacle < t->body ? &c.feature_b : &c.feature_a) = (ts_feature){TS_FEATURE_VERTEX, node};
  must(ts_contact_set_push(set, &c, 1) == TS_OK);
}

void soft_scene_contacts(const soft_scene *s, const ts_soft_world *world,
                         ts_contact_set sets[SOFT_TOUCHES]) {
  memset(sets, 0, SOFT_TOUCHES * sizeof *sets);
  for (size_t i = 0; i < s->touch_count; i++) {
    const soft_touch *t = &s->touches[i];
    const ts_mesh *mesh = s->shapes[t->body].mesh;
    sets[i].body_a = t->obstacle < t->body ? t->obstacle : t->body;
    sets[i].body_b = t->obstacle < t->body ? t->body : t->obstacle;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
      if (s->surface[t->body][v])
        push_node(s, &sets[i], t, world, v);
  }
}

void soft_scene_clear(ts_contact_set sets[SOFT_TOUCHES]) {
  for (size_t i = 0; i < SOFT_TOUCHES; i++)
    ts_contact_set_clear(&sets[i]);
}

double soft_scene_gap(const soft_scene *s, const ts_soft_world *world) {
  double least = INFINITY;
  for (size_t i = 0; i < s->touch_count; i++) {
    const soft_touch *t = &s->touches[i];
    for (uint32_t v = 0; v < s->shapes[t->body].mesh->vertex_count; v++) {
      ts_vec3 n;
      if (s->surface[t->body][v])
        least =
            fmin(least, world_gap(&n, t, world, ts_soft_world_nodes(world, (size_t)t->body)[v]));
    }
  }
  return least;
}

ts_soft_report soft_scene_step(const soft_scene *s, ts_soft_world *world) {
  ts_contact_set sets[SOFT_TOUCHES];
  ts_soft_report report;
  must(ts_soft_world_begin_step(world) == TS_OK);
  soft_scene_contacts(s, world, sets);
  must(ts_soft_world_end_step(&report, world, sets, s->touch_count) == TS_OK);
  soft_scene_clear(sets);
  return report;
}
