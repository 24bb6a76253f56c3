// SPDX-License-Identifier: MIT
// covers: harness/controls/nodes.c harness/controls/node_foot.c
// The control at the nodes of deformable bodies: contacts where they are known by hand, and feet on
// surfaces where a point is near, on, in and right between features of them.
#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/controls/node_foot.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;
static ts_surface *cube; ///< from -1 to 1, about the origin
static ts_shape box;     ///< the same, exact

/// A case with one parameter other than by default, and with a second one.
static ts_scene *build_with(const char *name, const char *first, double value, const char *second,
                            double other) {
  cell_draft draft = draft_cell(arena, name, ts_controls[0]);
  if (first)
    draft_set(arena, &draft, first, value);
  if (second)
    draft_set(arena, &draft, second, other);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, draft.cell.c, draft.case_values), TS_OK, "%s",
               ts_status_detail());
  return scene;
}

static ts_scene *build(const char *name) {
  return build_with(name, NULL, 0, NULL, 0);
}

static ts_vec3 vertex_of(const ts_scene *scene, int32_t body, uint32_t vertex) {
  const ts_body *b = &scene->bodies[body];
  return ts_pose_point(b->pose, scene->shapes[b->shape].mesh->vertices[vertex]);
}

static void prepare(ts_surface **out, const ts_mesh *mesh) {
  void *surface;
  cr_assert_eq(ts_surface_prepare(&surface, NULL, mesh, NULL), TS_OK);
  *out = surface;
}

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_scene *scene;
  int32_t index;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  const ts_geometry g = {.kind = TS_GEOMETRY_BOX, .half_size_m = {1, 1, 1}};
  cr_assert_eq(ts_scene_add_primitive(&index, scene, "box", &g, 0), TS_OK);
  box = scene->shapes[index];
  prepare(&cube, box.mesh);
}

static void teardown(void) {
  ts_surface_release(cube);
  ts_arena_destroy(arena);
}

TestSuite(harness_nodes, .init = setup, .fini = teardown, .timeout = 60);

// ---- feet -----------------------------------------------------------------------------------

static ts_node_foot foot(const ts_shape *shape, ts_vec3 from, double reach_m) {
  ts_node_foot out;
  cr_assert_eq(ts_node_foot_find(&out, shape, cube, from, reach_m), TS_OK);
  return out;
}

static void expect_foot(const ts_node_foot *f, double gap_m, ts_vec3 outward, const char *what) {
  cr_expect_float_eq(f->gap_m, gap_m, 1e-12, "%s: %.17g", what, f->gap_m);
  cr_expect_lt(ts_vec3_distance(f->outward, outward), 1e-9, "%s: (%g, %g, %g)", what, f->outward.x,
               f->outward.y, f->outward.z);
}

Test(harness_nodes, a_cube_of_triangles_and_an_exact_one_say_the_same) {
  const double a = sqrt(0.5), b = sqrt(1.0 / 3);
  static const double heights[] = {0.3, 1e-12, 0, -1e-12, -0.3};
  for (int exact = 0; exact < 2; exact++) {
    const ts_shape *shape = exact ? &box : NULL;
    const char *what = exact ? "exact" : "mesh";
    for (size_t i = 0; i < 5; i++) {
      double h = heights[i];
      ts_node_foot f = foot(shape, ts_vec3_make(0.2, 0.1, 1 + h), 0.5);
      expect_foot(&f, h, ts_vec3_make(0, 0, 1), what);
      f = foot(shape, ts_vec3_make(-1 - h, 0.1, 0.3), 0.5);
      expect_foot(&f, h, ts_vec3_make(-1, 0, 0), what);
      // On the diagonal that the mesh is cut along.
      f = foot(shape, ts_vec3_make(0.4, 1 + h, 0.4), 0.5);
      expect_foot(&f, h, ts_vec3_make(0, 1, 0), what);
    }
    ts_node_foot f = foot(shape, ts_vec3_make(1.3, 1.3, 0.2), 0.5);
    expect_foot(&f, 0.3 / a, ts_vec3_make(a, a, 0), what);
    f = foot(shape, ts_vec3_make(1.1, -1.1, 1.1), 0.5);
    expect_foot(&f, 0.1 / b, ts_vec3_make(b, -b, b), what);
  }
}

Test(harness_nodes, on_an_edge_or_a_corner_of_triangles_the_normal_is_between_the_faces) {
  const double a = sqrt(0.5), b = sqrt(1.0 / 3);
  ts_node_foot f = foot(NULL, ts_vec3_make(1, 1, 0.2), 0.5);
  expect_foot(&f, 0, ts_vec3_make(a, a, 0), "edge");
  f = foot(NULL, ts_vec3_make(1, -1, 1), 0.5);
  expect_foot(&f, 0, ts_vec3_make(b, -b, b), "corner");
}

Test(harness_nodes, only_points_inside_are_found_beyond_the_reach) {
  ts_node_foot f = foot(NULL, ts_vec3_make(0.2, 0.1, 1.3), 0.1);
  cr_expect(isinf(f.gap_m));
  f = foot(NULL, ts_vec3_make(0.1, 0.2, 0.4), 0.1);
  expect_foot(&f, -0.6, ts_vec3_make(0, 0, 1), "deep");
  f = foot(NULL, ts_vec3_make(0.1, 0.2, 0.4), 0);
  expect_foot(&f, -0.6, ts_vec3_make(0, 0, 1), "deep, no reach");
}

Test(harness_nodes, a_point_between_the_walls_of_a_concave_body_is_outside_of_it) {
  // The box of the rain: open at the top, floor at y = 0, walls 0.3 m from the middle.
  const ts_scene *scene = build("soft_rain");
  ts_surface *open_box;
  prepare(&open_box, scene->shapes[0].mesh);
  ts_node_foot f;
  cr_assert_eq(ts_node_foot_find(&f, NULL, open_box, ts_vec3_make(0, 0.2, 0.1), 0.01), TS_OK);
  cr_expect(isinf(f.gap_m), "in the hollow, out of reach");
  cr_assert_eq(ts_node_foot_find(&f, NULL, open_box, ts_vec3_make(0.1, 0.004, 0), 0.01), TS_OK);
  expect_foot(&f, 0.004, ts_vec3_make(0, 1, 0), "above the floor");
  cr_assert_eq(ts_node_foot_find(&f, NULL, open_box, ts_vec3_make(0.1, -0.02, 0), 0.01), TS_OK);
  expect_foot(&f, -0.02, ts_vec3_make(0, 1, 0), "in the floor");
  ts_surface_release(open_box);
}

Test(harness_nodes, a_torus_is_exact_at_any_scale) {
  for (int k = 0; k < 3; k++) {
    double s = k == 0 ? 1 : k == 1 ? 1e-3 : 1e3;
    const ts_shape ring = {.torus = {0.1 * s, 0.03 * s}};
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 8; j++) {
        double around = 0.5 * i, tube = 0.8 * j, gap_m = 0.002 * s * (j % 3 - 1);
        ts_vec3 outward = {cos(tube) * cos(around), sin(tube), cos(tube) * sin(around)};
        ts_vec3 middle = {0.1 * s * cos(around), 0, 0.1 * s * sin(around)};
        ts_node_foot f =
            foot(&ring, ts_vec3_add_scaled(middle, 0.03 * s + gap_m, outward), 0.01 * s);
        cr_expect_float_eq(f.gap_m, gap_m, 1e-15 * s);
        cr_expect_lt(ts_vec3_distance(f.outward, outward), 1e-13);
      }
  }
}

Test(harness_nodes, in_the_middle_of_a_torus_and_of_its_tube_there_is_a_normal_all_the_same) {
  const ts_shape ring = {.torus = {0.1, 0.03}};
  ts_node_foot f = foot(&ring, ts_vec3_make(0, 0, 0), 1);
  expect_foot(&f, 0.07, ts_vec3_make(-1, 0, 0), "on the axis");
  f = foot(&ring, ts_vec3_make(0, 0, 0.1), 1);
  expect_foot(&f, -0.03, ts_vec3_make(0, 1, 0), "in the middle of the tube");
}

Test(harness_nodes, a_sphere_and_a_plane_are_exact) {
  const ts_shape ball = {.geometry = {.kind = TS_GEOMETRY_SPHERE, .radius_m = 2}};
  ts_node_foot f = foot(&ball, ts_vec3_make(0, 3, 0), 9);
  expect_foot(&f, 1, ts_vec3_make(0, 1, 0), "above");
  f = foot(&ball, ts_vec3_make(0, 0, -2), 9);
  expect_foot(&f, 0, ts_vec3_make(0, 0, -1), "on it");
  f = foot(&ball, ts_vec3_make(0.5, 0, 0), 9);
  expect_foot(&f, -1.5, ts_vec3_make(1, 0, 0), "inside");
  const ts_shape floor = {.geometry = {.kind = TS_GEOMETRY_PLANE}};
  f = foot(&floor, ts_vec3_make(7, -3, 5), 9);
  expect_foot(&f, -3, ts_vec3_make(0, 1, 0), "below");
}

// ---- contacts -------------------------------------------------------------------------------

/// The contacts of a scene, of all pairs.
static ts_contact *contacts_of(size_t *out_count, const ts_scene *scene, double reach_m) {
  ts_narrow_phase *phase;
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, control_named("control_nodes"), &reach_m,
                                      TS_REFERENCE_DESIGN),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK, "%s", ts_status_detail());
  size_t pairs = ts_narrow_phase_pair_count(phase), count = 0;
  for (size_t i = 0; i < pairs; i++)
    count += sets[i].count;
  ts_contact *all = ts_arena_array(arena, count, sizeof *all);
  *out_count = 0;
  for (size_t i = 0; i < pairs; i++)
    for (size_t k = 0; k < sets[i].count; k++)
      all[(*out_count)++] = sets[i].contacts[k];
  ts_narrow_phase_destroy(phase);
  return all;
}

Test(harness_nodes, the_sole_of_the_block_has_a_contact_at_each_node) {
  size_t count;
  const ts_scene *scene = build("soft_block");
  const ts_contact *c = contacts_of(&count, scene, 0.005);
  cr_assert_eq(count, 25);
  for (size_t i = 0; i < count; i++) {
    cr_expect_float_eq(c[i].gap_m, 0, 1e-15);
    cr_expect_lt(ts_vec3_distance(c[i].normal, ts_vec3_make(0, 1, 0)), 1e-15);
    cr_assert_eq(c[i].feature_b.kind, TS_FEATURE_VERTEX);
    ts_vec3 node = vertex_of(scene, 1, c[i].feature_b.index);
    cr_expect_lt(ts_vec3_distance(node, c[i].point), 1e-15);
    cr_expect_eq(c[i].feature_a.kind, TS_FEATURE_NONE);
  }
}

Test(harness_nodes, the_reach_decides_and_scales_with_the_scene) {
  size_t count;
  contacts_of(&count, build("soft_block"), 0.0501);
  cr_expect_eq(count, 25 + 16, "the next layer is 50 mm above, and inside of it are nine nodes");
  contacts_of(&count, build_with("soft_block", "scale", 1e3, NULL, 0), 0.0501);
  cr_expect_eq(count, 25 + 16);
  contacts_of(&count, build_with("soft_block", "scale", 1e-3, NULL, 0), 0.0501);
  cr_expect_eq(count, 25 + 16);
  contacts_of(&count, build("soft_beam"), 0.09);
  cr_expect_eq(count, 0, "the drop is 100 mm");
}

Test(harness_nodes, contacts_of_the_beam_are_on_the_line_between_node_and_sphere) {
  size_t count;
  const ts_scene *scene = build("soft_beam");
  const ts_contact *c = contacts_of(&count, scene, 0.12);
  cr_assert_gt(count, 3);
  ts_vec3 centre = scene->bodies[0].pose.translation;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 node = vertex_of(scene, 1, c[i].feature_b.index);
    double gap_m = ts_vec3_distance(node, centre) - 0.15;
    cr_expect_float_eq(c[i].gap_m, gap_m, 1e-15);
    cr_expect(gap_m <= 0.12);
    ts_vec3 outward = ts_vec3_unit(ts_vec3_sub(node, centre));
    cr_expect_lt(ts_vec3_distance(c[i].normal, outward), 1e-14, "from the sphere to the beam");
    ts_vec3 midway = ts_vec3_add_scaled(node, -0.5 * gap_m, outward);
    cr_expect_lt(ts_vec3_distance(c[i].point, midway), 1e-15);
  }
}

Test(harness_nodes, between_two_deformable_links_both_have_nodes) {
  size_t count, of_a = 0, of_b = 0;
  const ts_contact *c = contacts_of(&count, build_with("soft_chain", "links", 1, NULL, 0), 0.0045);
  for (size_t i = 0; i < count; i++) {
    of_a += c[i].feature_a.kind == TS_FEATURE_VERTEX;
    of_b += c[i].feature_b.kind == TS_FEATURE_VERTEX;
    cr_expect_geq(c[i].gap_m, 0.004 - 4e-5, "chords across a hole come nearer");
    ts_vec3 down = {0, -1, 0}; // from a to b the way through the hole is up
    cr_expect_lt(ts_vec3_dot(c[i].normal, down), -0.5);
  }
  // The node of the soft link that is nearest to the fixed one; the nearest of both soft ones.
  cr_expect(of_a >= 1 && of_b >= 2, "%zu and %zu", of_a, of_b);
}

Test(harness_nodes, a_rigid_link_against_a_rigid_one_has_its_vertices) {
  size_t count;
  ts_scene *scene = build_with("soft_chain", "links", 2, "triangles", 500);
  // The second link as rigid as the first one.
  scene->bodies[1].shape = 0;
  scene->bodies[1].elastic = NULL;
  const ts_contact *c = contacts_of(&count, scene, 0.0045);
  size_t of_rigid = 0;
  for (size_t i = 0; i < count; i++)
    of_rigid += c[i].feature_b.kind == TS_FEATURE_VERTEX && c[i].feature_a.kind == TS_FEATURE_NONE;
  cr_expect_gt(of_rigid, 0);
}

Test(harness_nodes, scenes_of_rigid_bodies_are_skipped_with_the_reason) {
  cell_draft draft = draft_cell(arena, "wall", control_named("control_nodes"));
  ts_record r = run_draft(arena, &draft).records[0];
  cr_expect_str_eq(r.outcome, "skipped");
  cr_expect(strstr(r.reason, "is for scenes with deformable bodies"), "%s", r.reason);
}
