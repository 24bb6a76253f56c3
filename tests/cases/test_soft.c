// SPDX-License-Identifier: MIT
// covers: cases/soft.c cases/soft_beam.c cases/soft_block.c cases/soft_chain.c cases/soft_rain.c
// The suite "soft": compares nodes, tets, volumes, places and gaps with what is computed by hand.
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/soft.h"
#include "cases/truth/derived_truth.h"
#include "geometry/mesh/surfaces_near.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_soft, .init = setup, .fini = teardown, .timeout = 120);

static const char *const names[] = {"soft_beam", "soft_chain", "soft_block", "soft_rain"};
enum { COUNT = sizeof names / sizeof *names };

static const ts_mesh *mesh_of(const ts_scene *scene, size_t body) {
  return scene->shapes[scene->bodies[body].shape].mesh;
}

static double volume_m3(const ts_mesh *mesh) {
  return ts_mesh_mass_properties(mesh, 1).volume_m3;
}

static bool comes_within(const ts_scene *scene, size_t a, size_t b, double within_m) {
  const ts_body *x = &scene->bodies[a], *y = &scene->bodies[b];
  ts_bvh *of_x, *of_y;
  bool is_near;
  cr_assert_eq(ts_bvh_create_for_mesh(&of_x, arena, mesh_of(scene, a)), TS_OK);
  cr_assert_eq(ts_bvh_create_for_mesh(&of_y, arena, mesh_of(scene, b)), TS_OK);
  cr_assert_eq(ts_surfaces_are_near(&is_near, (ts_surface){mesh_of(scene, a), of_x},
                                    (ts_surface){mesh_of(scene, b), of_y},
                                    ts_pose_relative(x->pose, y->pose), within_m),
               TS_OK);
  return is_near;
}

// ---- all ------------------------------------------------------------------------------------

Test(cases_soft, a_case_says_that_its_bodies_deform_and_they_do) {
  size_t count = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    bool is_soft = strcmp(ts_cases[i]->suite, "soft") == 0;
    cr_expect_eq(ts_cases[i]->is_deformable, is_soft, "%s", ts_cases[i]->name);
    count += is_soft;
  }
  cr_expect_eq(count, COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    cr_expect(ts_case_find(names[i])->is_deformable && ts_scene_is_deformable(scene));
    for (size_t b = 0; b < scene->body_count; b++) {
      cr_expect_eq(scene->bodies[b].is_fixed, b == 0, "%s, body %zu", names[i], b);
      if (b > 0)
        cr_expect_eq(scene->bodies[b].density_kg_m3, 1000, "%s", names[i]);
    }
  }
}

Test(cases_soft, parameters_are_those_of_the_bodies) {
  for (size_t i = 0; i < COUNT; i++) {
    const ts_scene *scene = build_case(arena, names[i], {"young_pa", 3e5}, {"poisson", 0.25},
                                       {"mass_damping_1_s", 7}, {"stiffness_damping_s", 0.5});
    const ts_elastic *e = scene->bodies[1].elastic;
    cr_expect(e->young_pa == 3e5 && e->poisson == 0.25 && e->mass_damping_1_s == 7 &&
                  e->stiffness_damping_s == 0.5,
              "%s", names[i]);
  }
}

Test(cases_soft, where_bodies_touch_is_known_and_nowhere_but_below_the_block) {
  for (size_t i = 0; i < COUNT; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    bool is_block = strcmp(names[i], "soft_block") == 0;
    cr_expect(!scene->truth_is_unknown, "%s", names[i]);
    cr_expect_eq(scene->region_count, is_block, "%s", names[i]);
    for (size_t a = 0; a < scene->body_count; a++)
      for (size_t b = a + 1; b < scene->body_count; b++)
        cr_expect_eq(comes_within(scene, a, b, 1e-4), is_block, "%s: %zu and %zu", names[i], a, b);
  }
}

Test(cases_soft, noise_that_may_push_bodies_into_each_other_makes_the_truth_unknown) {
  for (size_t i = 0; i < COUNT; i++) {
    const ts_scene *scene = build_case(arena, names[i], {"perturb_m", 0.01});
    cr_expect_eq(scene->truth_is_unknown, strcmp(names[i], "soft_block") != 0, "%s", names[i]);
  }
}

// ---- soft_beam ------------------------------------------------------------------------------

Test(cases_soft, the_beam_has_the_nodes_and_tets_of_its_cells) {
  static const struct {
    double cells;
    size_t nodes, tets;
  } expected[] = {{2, 99, 200}, {4, 525, 1600}, {7, 2304, 8575}, {12, 10309, 43200}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const ts_scene *scene = build_case(arena, "soft_beam", {"cells", expected[i].cells});
    const ts_mesh *mesh = mesh_of(scene, 1);
    size_t n = (size_t)expected[i].cells;
    cr_expect_eq(mesh->vertex_count, expected[i].nodes, "%zu", mesh->vertex_count);
    cr_expect_eq(mesh->tet_count, expected[i].tets, "%zu", mesh->tet_count);
    cr_expect_eq(mesh->triangle_count, 2 * (2 * n * n + 4 * n * 5 * n));
    cr_expect_float_eq(volume_m3(mesh), 0.04, 1e-14);
  }
}

Test(cases_soft, the_beam_is_clamped_where_it_begins_and_nowhere_else) {
  const ts_scene *scene = build_default(arena, "soft_beam");
  const ts_mesh *mesh = mesh_of(scene, 1);
  const ts_elastic *e = scene->bodies[1].elastic;
  cr_assert_eq(e->clamped_count, 25);
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    bool is_clamped = false;
    for (size_t i = 0; i < e->clamped_count; i++)
      is_clamped |= e->clamped[i] == v;
    cr_expect_eq(is_clamped, mesh->vertices[v].z == 0, "node %zu", v);
  }
}

Test(cases_soft, nodes_of_the_beam_mirror_each_other_to_the_bit) {
  const ts_mesh *mesh = mesh_of(build_default(arena, "soft_beam"), 1);
  for (size_t k = 0; k <= 20; k++)
    for (size_t j = 0; j <= 4; j++)
      for (size_t i = 0; i <= 4; i++) {
        ts_vec3 p = mesh->vertices[i + 5 * (j + 5 * k)];
        ts_vec3 across = mesh->vertices[(4 - i) + 5 * (j + 5 * k)];
        ts_vec3 above = mesh->vertices[i + 5 * ((4 - j) + 5 * k)];
        cr_expect(p.x == -across.x && p.y == across.y && p.z == across.z);
        cr_expect(p.y == -above.y && p.x == above.x && p.z == above.z);
        cr_expect_float_eq(p.z, 0.05 * (double)k, 1e-15);
      }
}

Test(cases_soft, diagonals_of_the_beam_run_between_even_nodes) {
  const ts_mesh *mesh = mesh_of(build_default(arena, "soft_beam"), 1);
  for (size_t t = 0; t < mesh->tet_count; t++)
    for (int a = 0; a < 4; a++)
      for (int b = a + 1; b < 4; b++) {
        uint32_t v[2] = {mesh->tets[t][a], mesh->tets[t][b]}, sum[2], apart = 0;
        for (int i = 0; i < 2; i++)
          sum[i] = v[i] % 5 + v[i] / 5 % 5 + v[i] / 25;
        apart += v[0] % 5 != v[1] % 5;
        apart += v[0] / 5 % 5 != v[1] / 5 % 5;
        apart += v[0] / 25 != v[1] / 25;
        cr_expect(apart == 1 || (apart == 2 && sum[0] % 2 == 0 && sum[1] % 2 == 0));
      }
}

Test(cases_soft, the_sphere_is_exact_and_below_the_beam_by_the_drop) {
  for (int k = 1; k <= 3; k++) {
    const ts_scene *scene = build_case(arena, "soft_beam", {"drop_m", 0.1 * k});
    const ts_body *sphere = &scene->bodies[0];
    cr_expect_eq(scene->shapes[sphere->shape].geometry.kind, TS_GEOMETRY_SPHERE);
    cr_expect_eq(scene->shapes[sphere->shape].geometry.radius_m, 0.15);
    cr_expect(sphere->pose.translation.x == 0.013 && sphere->pose.translation.z == 0.8);
    cr_expect_float_eq(sphere->pose.translation.y, -0.25 - 0.1 * k, 1e-15);
    cr_expect(!comes_within(scene, 0, 1, 0.1 * k - 1e-3) && comes_within(scene, 0, 1, 0.1 * k));
  }
}

// ---- soft_chain -----------------------------------------------------------------------------

Test(cases_soft, the_torus_has_the_volume_of_its_prisms) {
  const ts_scene *scene = build_default(arena, "soft_chain");
  const ts_mesh *mesh = mesh_of(scene, 1);
  cr_expect_eq(mesh->vertex_count, 324);
  cr_expect_eq(mesh->tet_count, 864);
  cr_expect_eq(mesh->triangle_count, 2 * 36 * 8);
  // Of an octagon whose middle goes around a polygon, chord by chord.
  double octagon_m2 = 2 * sqrt(2.0) * 0.03 * 0.03;
  cr_expect_float_eq(volume_m3(mesh), 36 * sin(2 * pi / 36) * 0.1 * octagon_m2, 1e-17);
}

Test(cases_soft, all_sectors_of_the_torus_are_alike) {
  const ts_mesh *mesh = mesh_of(build_default(arena, "soft_rain"), 1); // as made, not turned
  for (size_t t = 0; t < mesh->tet_count; t++)
    for (int i = 0; i < 4; i++) {
      uint32_t first = mesh->tets[t % 24][i], expected = (first + 9 * (uint32_t)(t / 24)) % 324;
      cr_assert_eq(mesh->tets[t][i], expected, "tet %zu", t);
    }
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    ts_vec3 p = mesh->vertices[v];
    double off_axis_m = hypot(p.x, p.z), from_middle_m = hypot(off_axis_m - 0.1, p.y);
    cr_expect_float_eq(from_middle_m, v % 9 == 0 ? 0 : 0.03, 1e-16);
    double angle_rad = atan2(-p.z, p.x), wanted_rad = 2 * pi * (double)(v / 9) / 36;
    cr_expect_float_eq(remainder(angle_rad - wanted_rad, 2 * pi), 0, 1e-14);
  }
}

/// How far the vertices of a body reach from its place along a direction.
static double reach_along(const ts_scene *scene, size_t body, ts_vec3 direction) {
  const ts_mesh *mesh = mesh_of(scene, body);
  double reach_m = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    ts_vec3 from = ts_pose_direction(scene->bodies[body].pose, mesh->vertices[v]);
    reach_m = fmax(reach_m, fabs(ts_vec3_dot(from, direction)));
  }
  return reach_m;
}

Test(cases_soft, links_are_of_the_kinds_that_their_name_says) {
  static const char *const kinds[] = {"rsr", "rss", "rsrsr", "rssss"};
  for (int links = 0; links < 4; links++)
    for (int direction = 0; direction < 2; direction++) {
      const ts_scene *scene =
          build_case(arena, "soft_chain", {"links", links}, {"direction", direction});
      cr_assert_eq(scene->body_count, strlen(kinds[links]));
      for (size_t b = 0; b < scene->body_count; b++) {
        const ts_body *body = &scene->bodies[b];
        cr_expect_eq(body->elastic != NULL, kinds[links][b] == 's');
        cr_expect_eq(scene->shapes[body->shape].torus.tube_m > 0, kinds[links][b] == 'r');
        ts_vec3 at = {direction ? 0.136 * (double)b : 0, direction ? 0 : -0.136 * (double)b, 0};
        cr_expect(ts_vec3_distance(body->pose.translation, at) < 1e-15);
        // The axis lies across the chain, in turn along z and along the third direction.
        ts_vec3 third = direction ? ts_vec3_make(0, 1, 0) : ts_vec3_make(1, 0, 0);
        ts_vec3 axis = b % 2 == 0 ? ts_vec3_make(0, 0, 1) : third;
        cr_expect_float_eq(reach_along(scene, b, axis), 0.03, 1e-4, "link %zu", b);
        // What is deformable is at rest as it starts: no rotation for a response to miss.
        cr_expect(!body->elastic || body->pose.rotation.w == 1, "link %zu", b);
      }
    }
}

Test(cases_soft, links_are_as_far_apart_as_they_are_said_to_be) {
  for (int links = 0; links < 4; links++)
    for (int direction = 0; direction < 2; direction++) {
      const ts_scene *scene =
          build_case(arena, "soft_chain", {"links", links}, {"direction", direction});
      for (size_t a = 0; a < scene->body_count; a++)
        for (size_t b = a + 1; b < scene->body_count; b++) {
          // Vertices of both are where the tori are nearest, and chords across a hole come nearer
          // by little; the next but one is 12 mm away.
          double gap_m = b == a + 1 ? 0.004 : 0.012;
          cr_expect(!comes_within(scene, a, b, gap_m - 4e-5), "%zu and %zu", a, b);
          cr_expect(b > a + 2 || comes_within(scene, a, b, gap_m + 1e-12), "%zu and %zu", a, b);
        }
    }
}

Test(cases_soft, rigid_links_are_as_fine_as_wanted_and_on_the_torus) {
  for (int k = 0; k < 2; k++) {
    double triangles = k == 0 ? 500 : 4000;
    const ts_mesh *mesh = mesh_of(build_case(arena, "soft_chain", {"triangles", triangles}), 0);
    cr_expect_float_eq((double)mesh->triangle_count, triangles, 0.1 * triangles);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      ts_vec3 p = mesh->vertices[v];
      cr_expect_float_eq(hypot(hypot(p.x, p.z) - 0.1, p.y), 0.03, 1e-15);
    }
  }
}

// ---- soft_block -----------------------------------------------------------------------------

Test(cases_soft, the_block_lies_along_the_axes_though_its_mesh_is_turned) {
  const ts_scene *scene = build_default(arena, "soft_block");
  const ts_mesh *mesh = mesh_of(scene, 1);
  cr_expect_eq(mesh->vertex_count, 75);
  cr_expect_eq(mesh->tet_count, 160);
  cr_expect_float_eq(volume_m3(mesh), 0.004, 1e-17);
  ts_aabb box = ts_body_bounds(&scene->shapes[scene->bodies[1].shape], scene->bodies[1].pose);
  cr_expect(ts_vec3_distance(box.low, ts_vec3_make(-0.1, 0, -0.1)) < 1e-15);
  cr_expect(ts_vec3_distance(box.high, ts_vec3_make(0.1, 0.1, 0.1)) < 1e-15);
  // By 40 degrees about (1, 2, 3).
  ts_quat q = scene->bodies[1].pose.rotation;
  cr_expect_float_eq(q.w, cos(20 * pi / 180), 1e-15);
  cr_expect_float_eq(q.y / q.x, 2, 1e-14);
  cr_expect_float_eq(q.z / q.x, 3, 1e-14);
  cr_expect_lt(q.x, 0, "it turns the mesh back");
}

Test(cases_soft, gravity_is_inclined_by_the_angle_towards_x) {
  for (int angle = 0; angle <= 80; angle += 20) {
    ts_vec3 up = build_case(arena, "soft_block", {"angle_deg", angle})->up;
    cr_expect_float_eq(atan2(-up.x, up.y), angle * pi / 180, 1e-15);
    cr_expect(up.z == 0);
  }
}

Test(cases_soft, the_touch_of_the_block_follows_from_the_surfaces_alone) {
  for (int k = 0; k < 3; k++) {
    double scale = k == 0 ? 1 : k == 1 ? 1e-3 : 1e3;
    ts_scene *joined = build_case(arena, "soft_block", {"scale", scale}, {"motion_seed", 3 * k});
    ts_scene *derived = build_case(arena, "soft_block", {"scale", scale}, {"motion_seed", 3 * k});
    cr_assert_eq(ts_derive_truth(derived, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    cr_assert(joined->region_count == 1 && derived->region_count == 1);
    cr_expect_float_eq(ts_region_measure(&joined->regions[0]) / (scale * scale), 0.04, 1e-12);
    cr_expect_float_eq(ts_region_measure(&derived->regions[0]) / (scale * scale), 0.04, 1e-12);
    const ts_feasible_set *one = &joined->regions[0].feasible[TS_REFERENCE_FEASIBLE];
    const ts_feasible_set *other = &derived->regions[0].feasible[TS_REFERENCE_FEASIBLE];
    cr_assert(one->count == 1 && other->count == 1);
    cr_expect_lt(ts_vec3_distance(one->normals[0].normal, other->normals[0].normal), 1e-9);
  }
}

// ---- soft_rain ------------------------------------------------------------------------------

Test(cases_soft, tori_start_apart_and_in_the_box_whatever_their_number) {
  static const int tori[] = {1, 2, 8, 17, 40};
  for (size_t k = 0; k < sizeof tori / sizeof *tori; k++) {
    const ts_scene *scene = build_case(arena, "soft_rain", {"tori", tori[k]}, {"seed", 7 * k});
    cr_assert_eq(scene->body_count, (size_t)tori[k] + 1);
    ts_aabb box = scene->shapes[0].bounds_local;
    for (size_t a = 1; a < scene->body_count; a++) {
      ts_aabb torus = ts_body_bounds(&scene->shapes[scene->bodies[a].shape], scene->bodies[a].pose);
      cr_expect(ts_aabb_contains(box, torus.low) && ts_aabb_contains(box, torus.high));
      cr_expect_gt(torus.low.y, 0.03);
      cr_expect(!comes_within(scene, 0, a, 1e-3), "torus %zu of %d in the box", a, tori[k]);
      for (size_t b = a + 1; b < scene->body_count; b++)
        if (ts_vec3_distance(scene->bodies[a].pose.translation, scene->bodies[b].pose.translation) <
            0.27)
          cr_expect(!comes_within(scene, a, b, 1e-3), "%zu and %zu of %d", a, b, tori[k]);
    }
  }
}

Test(cases_soft, a_seed_places_tori_and_others_place_them_otherwise) {
  const ts_scene *one = build_case(arena, "soft_rain", {"seed", 3});
  const ts_scene *same = build_case(arena, "soft_rain", {"seed", 3});
  const ts_scene *other = build_case(arena, "soft_rain", {"seed", 4});
  for (size_t b = 1; b < one->body_count; b++) {
    const ts_pose *p = &one->bodies[b].pose;
    cr_expect_eq(memcmp(p, &same->bodies[b].pose, sizeof *p), 0);
    cr_expect_neq(memcmp(p, &other->bodies[b].pose, sizeof *p), 0);
    ts_vec3 axis = ts_pose_direction(*p, ts_vec3_make(0, 1, 0));
    cr_expect_geq(axis.y, cos(20 * pi / 180) - 1e-12, "leans by 20 degrees at most");
  }
}

Test(cases_soft, two_hundred_tori_are_one_shape_in_a_box_of_their_size) {
  const ts_scene *scene = build_case(arena, "soft_rain", {"tori", 200});
  cr_expect_eq(scene->body_count, 201);
  cr_expect_eq(scene->shape_count, 2);
  cr_expect_eq(scene->shapes[0].piece_count, 5);
  cr_expect_float_eq(ts_aabb_extent(scene->shapes[0].bounds_local), 1.64, 0.02);
}
