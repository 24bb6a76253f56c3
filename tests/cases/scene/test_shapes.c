// SPDX-License-Identifier: MIT
// covers: cases/scene/shapes.c
#include "cases/scene/shapes.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

// What every shape of the suite must be: counts of vertices and triangles, and the volume of the
// solid that it describes, from a formula.
typedef struct expected_shape {
  const char *case_name, *shape;
  size_t vertices, triangles;
  double volume_m3;
} expected_shape;

static double hexagonal_frustum_volume(double r, double s, double height) {
  return height / 3 * 1.5 * sqrt(3.0) * (r * r + r * s + s * s);
}

static const ts_shape *find_shape(const ts_scene *scene, const char *name) {
  for (size_t i = 0; i < scene->shape_count; i++)
    if (strcmp(scene->shapes[i].name, name) == 0)
      return &scene->shapes[i];
  cr_assert(0, "there is no shape %s", name);
  return NULL;
}

Test(cases_shapes, counts_and_volumes_are_those_of_the_solids) {
  const double pi = 3.14159265358979323846;
  const expected_shape expected[] = {
      {"pillar", "ground", 8, 12, 3 * 0.3 * 3},
      {"pillar", "stone_0", 8, 12, 0.5 * 0.21 * 0.5},
      {"pillar", "stone_1", 14, 24, hexagonal_frustum_volume(0.25, 0.2, 0.21)},
      {"pillar", "stone_2", 14, 24, hexagonal_frustum_volume(0.2, 0.55 / 3, 2.8 / 3)},
      {"pillar", "stone_3", 14, 24, hexagonal_frustum_volume(0.55 / 3, 0.5 / 3, 2.8 / 3)},
      {"pillar", "stone_4", 14, 24, hexagonal_frustum_volume(0.5 / 3, 0.15, 2.8 / 3)},
      {"pillar", "stone_5", 14, 24, hexagonal_frustum_volume(0.15, 0.25, 0.175)},
      {"pillar", "stone_6", 8, 12, 0.5 * 0.105 * 0.5},
      {"wall", "ground", 8, 12, 100},
      {"wall", "brick", 8, 12, 0.625 * 0.4 * 0.5},
      {"arch", "ground", 8, 12, 100},
      {"arch", "pillar_stone", 8, 12, 0.5 * 2 / 3 * 2},
      {"arch", "ring_stone", 8, 12, 0.5 * (4 - 2.25) * sin(pi / 7) * 2},
      {"spike_in_crack", "crack_block", 20, 36, 2 * 1 * 4 - 0.25 * 4},
      {"spike_in_hole", "hole_block", 46, 88, 2 * 1 * 2 - 1.0 / 6},
      {"spikes", "spike", 5, 6, 1.6 * 1.6 * 2.4 / 3},
      {"wedges", "wedge", 6, 8, 0.5 * 1.6 * 2.4 * 3.2},
      {"sliding_spike", "slab", 8, 12, 20 * 2 * 20},
      {"cliff_edges", "frustum", 8, 12, 3.2 / 3 * (4.8 * 4.8 + 4.8 * 3.2 + 3.2 * 3.2)},
      {"cliff_edges", "cube", 8, 12, 3.2 * 3.2 * 3.2},
      {"internal_edges", "block", 14, 24, 4 * 2 * 4},
      {"internal_edges", "cube", 8, 12, 8},
  };
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const expected_shape *e = &expected[i];
    const ts_mesh *mesh = find_shape(build_default(arena, e->case_name), e->shape)->mesh;
    cr_expect(mesh->vertex_count == e->vertices, "%s has %zu vertices", e->shape,
              mesh->vertex_count);
    cr_expect(mesh->triangle_count == e->triangles, "%s has %zu triangles", e->shape,
              mesh->triangle_count);
    double volume_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
    cr_expect_float_eq(volume_m3, e->volume_m3, 1e-13 * e->volume_m3, "%s has %.17g m3", e->shape,
                       volume_m3);
  }
  ts_arena_destroy(arena);
}

Test(cases_shapes, surfaces_are_closed_and_every_vertex_is_used) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_scene *scene = build_default(arena, ts_cases[i]->name);
    for (size_t s = 0; s < scene->shape_count; s++) {
      const ts_mesh *mesh = scene->shapes[s].mesh;
      if (mesh->tet_count > 0)
        continue; // has vertices inside
      // Euler: a sphere has V - E + F = 2, a torus 0, with E = 3 F / 2 when they are closed.
      size_t twice = strcmp(scene->shapes[s].name, "torus") == 0 ? 0 : 4;
      cr_expect(2 * mesh->vertex_count == mesh->triangle_count + twice, "%s of %s",
                scene->shapes[s].name, ts_cases[i]->name);
      uint8_t *is_used = ts_arena_array(arena, mesh->vertex_count, sizeof *is_used);
      cr_assert(is_used);
      for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
          is_used[mesh->triangles[t][k]] = 1;
      for (size_t v = 0; v < mesh->vertex_count; v++)
        cr_expect(is_used[v], "vertex %zu of %s", v, scene->shapes[s].name);
    }
  }
  ts_arena_destroy(arena);
}

/// Whether each directed edge of a mesh has its opposite, once.
static bool is_closed(const ts_mesh *mesh) {
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      size_t opposites = 0;
      for (size_t u = 0; u < mesh->triangle_count; u++)
        for (int m = 0; m < 3; m++)
          opposites += mesh->triangles[u][m] == mesh->triangles[t][(k + 1) % 3] &&
                       mesh->triangles[u][(m + 1) % 3] == mesh->triangles[t][k];
      if (opposites != 1)
        return false;
    }
  return true;
}

Test(cases_shapes, stones_of_the_arch_are_sound_at_any_thickness) {
  const double thick_m[] = {0.05, 0.5, 1.5}, pi = 3.14159265358979323846;
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < 3; i++) {
    double t = thick_m[i], inner_m = 2 - t;
    const ts_scene *scene = build_case(arena, "arch", {"thickness_m", t});
    cr_assert(scene->shape_count == 3);
    const double volumes_m3[] = {100, t * 2 / 3 * 2,
                                 0.5 * (4 - inner_m * inner_m) * sin(pi / 7) * 2};
    for (size_t s = 0; s < 3; s++) {
      const ts_mesh *mesh = scene->shapes[s].mesh;
      cr_expect(mesh->vertex_count == 8 && mesh->triangle_count == 12);
      cr_expect(is_closed(mesh), "%s at %g m", scene->shapes[s].name, t);
      double volume_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
      cr_expect_float_eq(volume_m3, volumes_m3[s], 1e-12 * volumes_m3[s], "%s at %g m: %g m3",
                         scene->shapes[s].name, t, volume_m3);
      for (size_t f = 0; f < mesh->triangle_count; f++)
        cr_expect_float_eq(ts_vec3_norm(ts_mesh_face_normal(mesh, f)), 1, 1e-12);
    }
  }
  ts_arena_destroy(arena);
}

static size_t find_vertex(const ts_mesh *mesh, double x, double y, double z) {
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (ts_vec3_distance(mesh->vertices[i], ts_vec3_make(x, y, z)) < 1e-12)
      return i;
  return SIZE_MAX;
}

static bool has_edge(const ts_mesh *mesh, ts_vec3 a, ts_vec3 b) {
  size_t from = find_vertex(mesh, a.x, a.y, a.z), to = find_vertex(mesh, b.x, b.y, b.z);
  cr_assert(from != SIZE_MAX && to != SIZE_MAX, "no vertex at an end of the edge");
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int k = 0; k < 3; k++)
      if (mesh->triangles[t][k] == from && mesh->triangles[t][(k + 1) % 3] == to)
        return true;
  return false;
}

Test(cases_shapes, box_diagonals_run_as_documented) {
  ts_arena *arena = case_fixture_arena();
  const ts_mesh *m = find_shape(build_default(arena, "wall"), "brick")->mesh;
  const double x = 0.3125, y = 0.2, z = 0.25;
  const ts_vec3 diagonals[TS_FACE_COUNT][2] = {
      [TS_FACE_TOP] = {{-x, y, -z}, {x, y, z}},    [TS_FACE_BOTTOM] = {{x, -y, -z}, {-x, -y, z}},
      [TS_FACE_LEFT] = {{-x, -y, -z}, {-x, y, z}}, [TS_FACE_RIGHT] = {{x, y, -z}, {x, -y, z}},
      [TS_FACE_BACK] = {{-x, -y, -z}, {x, y, -z}}, [TS_FACE_FRONT] = {{-x, -y, z}, {x, y, z}},
  };
  for (int f = 0; f < TS_FACE_COUNT; f++)
    cr_expect(has_edge(m, diagonals[f][0], diagonals[f][1]), "face %d", f);
  ts_arena_destroy(arena);
}

Test(cases_shapes, cube_lies_with_its_diagonal_along_that_of_the_frustum) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "cliff_edges");
  const ts_vec3 along[2] = {{-1.6, 1.6, -1.6}, {1.6, 1.6, 1.6}};
  cr_expect(has_edge(find_shape(scene, "frustum")->mesh, along[0], along[1]));
  const ts_vec3 below[2] = {{-1.6, -1.6, -1.6}, {1.6, -1.6, 1.6}};
  cr_expect(has_edge(find_shape(scene, "cube")->mesh, below[0], below[1]));
  ts_arena_destroy(arena);
}

Test(cases_shapes, frustum_sides_are_cut_from_left_bottom_to_right_top) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  int32_t shape;
  cr_assert(ts_shape_hexagonal_frustum(&shape, scene, "frustum", 1, 0.5, 2) == TS_OK);
  const ts_mesh *m = scene->shapes[shape].mesh;
  const double s = sqrt(0.75);
  // Seen from outside, 60 degrees on, counter-clockwise about +y, is further right.
  cr_expect(has_edge(m, ts_vec3_make(1, -1, 0), ts_vec3_make(0.25, 1, -0.5 * s)));
  cr_expect(has_edge(m, ts_vec3_make(-1, -1, 0), ts_vec3_make(-0.25, 1, 0.5 * s)));
  // Caps are fans round a centre vertex.
  for (int end = -1; end <= 1; end += 2) {
    double r = end < 0 ? 1 : 0.5;
    ts_vec3 centre = {0, end, 0};
    cr_expect(has_edge(m, centre, ts_vec3_make(r, end, 0)));
    cr_expect(has_edge(m, centre, ts_vec3_make(-0.5 * r, end, r * s)));
  }
  ts_arena_destroy(arena);
}

Test(cases_shapes, internal_edges_pass_under_the_corners_of_the_cube) {
  ts_arena *arena = case_fixture_arena();
  const ts_mesh *m = find_shape(build_default(arena, "internal_edges"), "block")->mesh;
  // Two lower corners of the cube meet vertices, two lie on edges inside the top.
  cr_expect(find_vertex(m, -1, 1, 1) != SIZE_MAX && find_vertex(m, 1, 1, 1) != SIZE_MAX);
  cr_expect(has_edge(m, ts_vec3_make(-2, 1, 0), ts_vec3_make(0, 1, -2)));
  cr_expect(has_edge(m, ts_vec3_make(2, 1, 0), ts_vec3_make(0, 1, -2)));
  cr_expect(has_edge(m, ts_vec3_make(0, 1, 2), ts_vec3_make(0, 1, -2)));
  ts_arena_destroy(arena);
}

Test(cases_shapes, crack_and_hole_are_cut_along_their_bottoms) {
  ts_arena *arena = case_fixture_arena();
  const ts_mesh *crack = find_shape(build_default(arena, "spike_in_crack"), "crack_block")->mesh;
  cr_expect(has_edge(crack, ts_vec3_make(0, 0, -2), ts_vec3_make(0, 0, 2)));
  cr_expect(has_edge(crack, ts_vec3_make(-0.5, 0.5, -2), ts_vec3_make(-0.5, 0.5, 2)));
  const ts_mesh *hole = find_shape(build_default(arena, "spike_in_hole"), "hole_block")->mesh;
  const ts_vec3 bottom = {0, 0, 0};
  cr_expect(has_edge(hole, bottom, ts_vec3_make(0.5, 0.5, 0.5)));
  cr_expect(has_edge(hole, bottom, ts_vec3_make(-0.5, 0.5, 0.5)));
  cr_expect(has_edge(hole, bottom, ts_vec3_make(0.5, 0.5, -0.5)));
  cr_expect(has_edge(hole, bottom, ts_vec3_make(-0.5, 0.5, -0.5)));
  // The rim's edges are undivided.
  cr_expect(has_edge(hole, ts_vec3_make(-0.5, 0.5, 0.5), ts_vec3_make(0.5, 0.5, 0.5)));
  ts_arena_destroy(arena);
}

Test(cases_shapes, a_turned_face_takes_the_other_diagonal) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  int32_t plain, turned;
  cr_assert(ts_shape_box(&plain, scene, "plain", 2, 2, 2) == TS_OK);
  for (int face = 0; face < TS_FACE_COUNT; face++) {
    cr_assert(ts_shape_box_turned(&turned, scene, "turned", 2, 2, 2, TS_FACE_BIT(face)) == TS_OK);
    const ts_mesh *p = scene->shapes[plain].mesh, *t = scene->shapes[turned].mesh;
    const uint32_t *v = ts_hexahedron_faces[face].vertex;
    cr_expect(has_edge(p, p->vertices[v[0]], p->vertices[v[2]]), "face %d", face);
    cr_expect(!has_edge(t, p->vertices[v[0]], p->vertices[v[2]]), "face %d", face);
    cr_expect(has_edge(t, p->vertices[v[1]], p->vertices[v[3]]), "face %d", face);
  }
  ts_arena_destroy(arena);
}

Test(cases_shapes, turning_a_spike_over_is_exact) {
  ts_pose down = ts_spike_pose_down(2.4);
  ts_vec3 p = ts_pose_point(down, ts_vec3_make(0.1, -2.4, 0.3));
  cr_expect(p.x == 0.1 + 2.4 && p.y == 2.4 && p.z == -0.3);
}
