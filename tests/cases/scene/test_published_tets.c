// SPDX-License-Identifier: MIT
// covers: cases/scene/published_bodies.c cases/scene/published_tets.c
// covers: cases/scene/published_tets_table.c
// The published meshes against the bodies that the published runs had, in the world: each body of
// each scene, as designed and eroded.
#include "cases/scene/published_tets.h"
#include "cases/scene/shape_state.h"
#include "tests/cases/case_fixture.h"
#include "tests/cases/scene/published_scenes.h"

#include "base/param.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/// The published coordinates are rounded to single precision, several times: in a rotation, in a
/// motion, in text.
static const double position_tolerance_m = 1e-6;

/// A case and its scene there.
typedef struct published_name {
  const char *case_name, *scene;
} published_name;

static const published_name names[] = {
    {"pillar", "pillar"},
    {"wall", "wall"},
    {"arch", "arch"},
    {"spike_in_crack", "spike_in_crack"},
    {"spike_in_hole", "spike_in_hole"},
    {"wedge_in_crack", "wedge_in_crack"},
    {"sliding_spike", "sliding_spike"},
    {"sliding_wedge", "sliding_wedge"},
    {"spikes", "spikes"},
    {"spike_and_wedge", "spike_and_wedge"},
    {"wedges", "wedges"},
    {"cliff_edges", "cliff_edge"},
    {"internal_edges", "internal_edge"},
};
enum { NAME_COUNT = sizeof names / sizeof *names, VERTICES_MAX = 64 };

static ts_vec3 *world_vertices(ts_arena *arena, const ts_mesh *mesh, ts_pose pose) {
  ts_vec3 *world = ts_arena_array(arena, mesh->vertex_count, sizeof *world);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    world[i] = ts_pose_point(pose, mesh->vertices[i]);
  return world;
}

/// Which of `world` each published vertex is; false unless each of them is one, and only one.
static bool map_vertices(uint32_t *out, const published_body *body, const ts_vec3 *world,
                         size_t count) {
  if (body->vertex_count != count)
    return false;
  bool is_taken[VERTICES_MAX] = {false};
  for (size_t i = 0; i < count; i++) {
    ts_vec3 at = body->vertices[i];
    size_t found = 0;
    while (found < count &&
           (is_taken[found] || ts_vec3_distance(at, world[found]) > position_tolerance_m))
      found++;
    if (found == count)
      return false;
    is_taken[found] = true;
    out[i] = (uint32_t)found;
  }
  return true;
}

/// A tet with its nodes in order, and of each whether the face opposite it is on the surface.
typedef struct ordered_tet {
  uint32_t node[4];
  uint32_t on_surface[4];
} ordered_tet;

static ordered_tet ordered(const uint32_t nodes[4], uint8_t surface) {
  ordered_tet out;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t at = i;
    for (; at > 0 && out.node[at - 1] > nodes[i]; at--) {
      out.node[at] = out.node[at - 1];
      out.on_surface[at] = out.on_surface[at - 1];
    }
    out.node[at] = nodes[i];
    out.on_surface[at] = surface >> i & 1;
  }
  return out;
}

static int compare_tets(const void *a, const void *b) {
  const ordered_tet *x = a, *y = b;
  for (int i = 0; i < 4; i++)
    if (x->node[i] != y->node[i])
      return x->node[i] < y->node[i] ? -1 : 1;
  return 0;
}

/// The same tets, and the same of their faces on the surface.
static bool same_tets(ts_arena *arena, const ts_mesh *mesh, const published_body *body,
                      const uint32_t *map) {
  size_t count = mesh->tet_count;
  if (count != body->tet_count)
    return false;
  ordered_tet *ours = ts_arena_array(arena, count, sizeof *ours);
  ordered_tet *theirs = ts_arena_array(arena, count, sizeof *theirs);
  for (size_t t = 0; t < count; t++) {
    ours[t] = ordered(mesh->tets[t], mesh->tet_surface[t]);
    uint32_t nodes[4];
    for (int i = 0; i < 4; i++)
      nodes[i] = map[body->tets[t].nodes[i]];
    theirs[t] = ordered(nodes, body->tets[t].surface);
  }
  qsort(ours, count, sizeof *ours, compare_tets);
  qsort(theirs, count, sizeof *theirs, compare_tets);
  return memcmp(ours, theirs, count * sizeof *ours) == 0;
}

/// Component i of the cross product.
static float cross(const float a[3], const float b[3], int i) {
  int j = (i + 1) % 3, k = (i + 2) % 3;
  return a[j] * b[k] - a[k] * b[j];
}

/// A node in the world as the simulator rounds it.
static ts_vec3 place_single(ts_pose pose, ts_vec3 local) {
  const float p[3] = {(float)local.x, (float)local.y, (float)local.z};
  const float t[3] = {(float)pose.translation.x, (float)pose.translation.y,
                      (float)pose.translation.z};
  const float q[3] = {(float)pose.rotation.x, (float)pose.rotation.y, (float)pose.rotation.z};
  const float back[3] = {-q[0], -q[1], -q[2]};
  float w = (float)pose.rotation.w, half[3], at[3];
  float real = -(q[0] * p[0] + q[1] * p[1] + q[2] * p[2]);
  for (int i = 0; i < 3; i++)
    half[i] = cross(q, p, i) + p[i] * w;
  for (int i = 0; i < 3; i++)
    at[i] = ((real * back[i] + half[i] * w) + cross(half, back, i)) + t[i];
  return (ts_vec3){(double)at[0], (double)at[1], (double)at[2]};
}

/// The nodes that are not, bit for bit, where the published ones are.
static size_t count_misplaced(const ts_mesh *mesh, ts_pose pose, const published_body *same,
                              const uint32_t *map) {
  size_t count = 0;
  for (size_t i = 0; i < same->vertex_count; i++) {
    ts_vec3 at = place_single(pose, mesh->vertices[map[i]]), to = same->vertices[i];
    count +=
        !((float)at.x == (float)to.x && (float)at.y == (float)to.y && (float)at.z == (float)to.z);
  }
  return count;
}

static double tet_volume(const ts_mesh *mesh, size_t tet) {
  ts_vec3 p[4];
  for (int i = 0; i < 4; i++)
    p[i] = mesh->vertices[mesh->tets[tet][i]];
  ts_vec3 b = ts_vec3_sub(p[1], p[0]), c = ts_vec3_sub(p[2], p[0]), d = ts_vec3_sub(p[3], p[0]);
  return ts_vec3_dot(b, ts_vec3_cross(c, d)) / 6;
}

/// The body among those of its scene and state that lies where ours does.
static const published_body *find_body(uint32_t *map, const published_scenes *published,
                                       const published_name *name, bool is_eroded,
                                       const ts_vec3 *world, size_t count) {
  for (size_t i = 0; i < published->body_count; i++) {
    const published_body *body = &published->bodies[i];
    if (body->is_eroded == is_eroded && strcmp(body->scene, name->scene) == 0 &&
        map_vertices(map, body, world, count))
      return body;
  }
  return NULL;
}

static ts_shape_state published_state(bool is_eroded, double scale) {
  return (ts_shape_state){.offset_m = is_eroded ? -TS_PUBLISHED_EROSION_M * scale : 0,
                          .needs_tets = true};
}

/// Compares one body; which of the published ones it is is not given twice.
static void expect_published(ts_arena *arena, bool *is_met, const published_scenes *published,
                             const published_name *name, const ts_scene *scene, size_t body,
                             bool is_eroded) {
  const ts_mesh *mesh;
  ts_shape_state state = published_state(is_eroded, scene->scale);
  size_t shape = (size_t)scene->bodies[body].shape;
  cr_assert_eq(ts_shape_state_mesh(&mesh, arena, scene, shape, &state), TS_OK, "%s",
               ts_status_detail());
  cr_assert_leq(mesh->vertex_count, VERTICES_MAX);
  uint32_t map[VERTICES_MAX];
  ts_vec3 *world = world_vertices(arena, mesh, scene->bodies[body].pose);
  const published_body *same =
      find_body(map, published, name, is_eroded, world, mesh->vertex_count);
  const char *what = scene->bodies[body].name;
  cr_assert_not_null(same, "%s: nothing lies where %s%s does", name->case_name, what,
                     is_eroded ? ", eroded," : "");
  cr_expect(same_tets(arena, mesh, same, map), "%s: %s has other tets or flags", name->case_name,
            what);
  cr_expect_eq(count_misplaced(mesh, scene->bodies[body].pose, same, map), 0, "%s: %s",
               name->case_name, what);
  for (size_t t = 0; t < mesh->tet_count; t++)
    cr_expect_gt(tet_volume(mesh, t), 0, "%s: tet %zu of %s", name->case_name, t, what);
  cr_expect_eq(is_met[same - published->bodies], false, "%s: %s", name->case_name, what);
  is_met[same - published->bodies] = true;
}

Test(cases_published_tets, every_body_of_every_scene_is_the_published_one_in_both_states) {
  ts_arena *arena = case_fixture_arena();
  published_scenes published;
  published_scenes_read(&published, arena);
  bool *is_met = ts_arena_array(arena, published.body_count, sizeof *is_met);
  for (size_t n = 0; n < NAME_COUNT; n++) {
    const ts_scene *scene = build_case(arena, names[n].case_name, {"tets", TS_TETS_PUBLISHED});
    for (size_t body = 0; body < scene->body_count; body++)
      for (int is_eroded = 0; is_eroded < 2; is_eroded++)
        expect_published(arena, is_met, &published, &names[n], scene, body, is_eroded);
  }
  for (size_t i = 0; i < published.body_count; i++)
    cr_expect(is_met[i], "body %d of %s is not found", published.bodies[i].index,
              published.bodies[i].scene);
  ts_arena_destroy(arena);
}

// What the table says of a shape is of use only when the case still makes that shape.
Test(cases_published_tets, every_entry_of_the_table_belongs_to_a_shape_of_some_case) {
  ts_arena *arena = case_fixture_arena();
  const ts_published_tets *all = ts_published_tets_table;
  size_t count = ts_published_tets_count;
  cr_assert_eq(count, 21);
  bool is_used[21] = {false};
  for (size_t i = 0; ts_cases[i]; i++) {
    if (!case_fixture_is_published(ts_cases[i]))
      continue;
    const ts_scene *scene = build_default(arena, ts_cases[i]->name);
    for (size_t s = 0; s < scene->shape_count; s++) {
      const ts_published_tets *found;
      cr_assert_eq(ts_published_tets_find(&found, &scene->shapes[s], 1), TS_OK, "%s",
                   ts_status_detail());
      is_used[found - all] = true;
    }
  }
  for (size_t i = 0; i < count; i++)
    cr_expect(is_used[i], "%s, %g wide", all[i].shape, all[i].extent_m[0]);
  ts_arena_destroy(arena);
}

Test(cases_published_tets, the_mesh_follows_the_scale) {
  const double scales[] = {1e-3, 1e3};
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    if (!case_fixture_is_published(ts_cases[i]))
      continue;
    const char *name = ts_cases[i]->name;
    const ts_scene *plain = build_case(arena, name, {"tets", TS_TETS_PUBLISHED});
    for (int k = 0; k < 4; k++) {
      double scale = scales[k / 2];
      const ts_scene *scaled =
          build_case(arena, name, {"tets", TS_TETS_PUBLISHED}, {"scale", scale});
      for (size_t s = 0; s < plain->shape_count; s++) {
        const ts_mesh *one, *other;
        ts_shape_state state = published_state(k % 2, 1),
                       scaled_state = published_state(k % 2, scale);
        cr_assert_eq(ts_shape_state_mesh(&one, arena, plain, s, &state), TS_OK);
        cr_assert_eq(ts_shape_state_mesh(&other, arena, scaled, s, &scaled_state), TS_OK, "%s",
                     ts_status_detail());
        cr_assert_eq(one->vertex_count, other->vertex_count);
        cr_expect_eq(one->tet_count, other->tet_count);
        double size_m = ts_aabb_extent(scaled->shapes[s].bounds_local);
        for (size_t v = 0; v < one->vertex_count; v++)
          cr_expect_lt(ts_vec3_distance(ts_vec3_scale(one->vertices[v], scale), other->vertices[v]),
                       1e-13 * size_m, "%s at scale %g", plain->shapes[s].name, scale);
      }
    }
  }
  ts_arena_destroy(arena);
}

/// The case with these settings is refused, with these words in the message.
static void expect_refused(const char *name, const case_setting *settings, size_t count,
                           const char *word, const char *other_word) {
  ts_arena *arena = case_fixture_arena();
  const ts_case *c = ts_case_find(name);
  const ts_param *params = ts_case_params(arena, c);
  double values[32];
  ts_param_defaults(values, params, ts_case_param_count(c));
  for (size_t i = 0; i < count; i++) {
    int index = ts_param_find(params, ts_case_param_count(c), settings[i].name);
    cr_assert_geq(index, 0);
    values[index] = settings[i].value;
  }
  ts_scene *scene;
  cr_expect_eq(ts_case_build(&scene, arena, c, values), TS_E_INPUT, "%s", name);
  const char *message = ts_status_detail();
  cr_expect(strstr(message, word) && strstr(message, other_word), "%s", message);
  ts_arena_destroy(arena);
}

Test(cases_published_tets, a_shape_that_was_not_published_is_refused_by_its_name) {
  const case_setting published = {"tets", TS_TETS_PUBLISHED};
  expect_refused("arch", (case_setting[]){published, {"stones", 9}}, 2, "ring_stone",
                 "leave out tets=published");
  expect_refused("arch", (case_setting[]){published, {"stones", 9}, {"scale", 1e-3}}, 3,
                 "ring_stone", "leave out tets=published");
  expect_refused("arch", (case_setting[]){published, {"thickness_m", 0.4}}, 2, "pillar_stone",
                 "leave out tets=published");
  expect_refused("wall", (case_setting[]){published, {"span", 40}}, 2, "ground",
                 "leave out tets=published");
}

Test(cases_published_tets, a_parameter_that_keeps_the_shapes_is_fine) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "wall", {"tets", TS_TETS_PUBLISHED}, {"layers", 3},
                                     {"span", 14}, {"perturb_m", 0.02}, {"motion_seed", 4});
  cr_expect_eq(scene->tets, TS_TETS_PUBLISHED);
  ts_arena_destroy(arena);
}

Test(cases_published_tets, refinement_beside_them_is_refused) {
  for (int level = 1; level <= TS_REFINEMENT_MAX; level++)
    expect_refused("pillar", (case_setting[]){{"tets", TS_TETS_PUBLISHED}, {"refinement", level}},
                   2, "leave out refinement", "tets=published");
}

Test(cases_published_tets, another_shape_of_the_same_name_is_refused) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "spikes");
  ts_shape shape = scene->shapes[0];
  ts_vec3 vertices[8];
  memcpy(vertices, shape.mesh->vertices, shape.mesh->vertex_count * sizeof *vertices);
  vertices[0].y -= 0.5; // a blunter spike would be lower as well
  ts_mesh *blunt;
  cr_assert_eq(ts_mesh_with_vertices(&blunt, arena, shape.mesh, vertices), TS_OK);
  shape.mesh = blunt; // and one of the same size would hold less
  const ts_published_tets *found;
  cr_expect_eq(ts_published_tets_find(&found, &shape, 1), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "the shape spike") != NULL, "%s", ts_status_detail());
  shape = scene->shapes[0];
  shape.name = "needle";
  cr_expect_eq(ts_published_tets_find(&found, &shape, 1), TS_E_INPUT);
  cr_expect_eq(ts_published_tets_find(&found, &scene->shapes[0], 2), TS_E_INPUT);
  cr_expect_eq(ts_published_tets_find(&found, &scene->shapes[0], 1), TS_OK);
  ts_arena_destroy(arena);
}

Test(cases_published_tets, another_number_of_bodies_keeps_their_places) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *designed = build_case(arena, "wall", {"layers", 3}, {"span", 14});
  const ts_scene *scene =
      build_case(arena, "wall", {"tets", TS_TETS_PUBLISHED}, {"layers", 3}, {"span", 14});
  cr_assert_eq(scene->body_count, designed->body_count);
  for (size_t b = 0; b < scene->body_count; b++) {
    const ts_mesh *mesh = scene->shapes[scene->bodies[b].shape].mesh;
    const ts_mesh *other = designed->shapes[designed->bodies[b].shape].mesh;
    for (size_t v = 0; v < other->vertex_count; v++)
      cr_expect_lt(ts_vec3_distance(ts_pose_point(scene->bodies[b].pose, mesh->vertices[v]),
                                    ts_pose_point(designed->bodies[b].pose, other->vertices[v])),
                   position_tolerance_m);
  }
  cr_expect_null(scene->published_masses);
  ts_arena_destroy(arena);
}

Test(cases_published_tets, noise_moves_the_published_bodies_too) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *plain = build_case(arena, "pillar", {"tets", TS_TETS_PUBLISHED});
  const ts_scene *moved =
      build_case(arena, "pillar", {"tets", TS_TETS_PUBLISHED}, {"perturb_m", 0.02});
  const ts_scene *designed = build_case(arena, "pillar", {"perturb_m", 0.02});
  const ts_scene *still = build_default(arena, "pillar");
  for (size_t b = 0; b < plain->body_count; b++) {
    ts_vec3 by =
        ts_vec3_sub(designed->bodies[b].pose.translation, still->bodies[b].pose.translation);
    ts_vec3 expected = ts_vec3_add(plain->bodies[b].pose.translation, by);
    cr_expect_lt(ts_vec3_distance(moved->bodies[b].pose.translation, expected), 1e-15);
    cr_expect_gt(ts_vec3_norm(by), 0);
  }
  ts_arena_destroy(arena);
}

Test(cases_published_tets, regions_go_with_the_scenes_that_stood_beside_others) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "spikes", {"tets", TS_TETS_PUBLISHED});
  cr_assert_eq(scene->region_count, 1);
  cr_expect_float_eq(scene->regions[0].vertices[0].x, 2.4, 1e-15);
  cr_expect(scene->later_body_first);
  cr_expect(!build_default(arena, "spikes")->later_body_first);
  cr_expect(!build_case(arena, "arch", {"tets", TS_TETS_PUBLISHED})->later_body_first);
  ts_arena_destroy(arena);
}
