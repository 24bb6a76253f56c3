// SPDX-License-Identifier: MIT
// covers: harness/narrow_phase/parts.c harness/narrow_phase/candidates.c
/// A method is given the geometry of shapes that it takes, and triangles of all others; two pieces
/// of ground are no pair; a pair that a method cannot do is named.
#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_native_shapes, .init = scoring_setup, .fini = scoring_teardown);

static const char *const words[] = {"mesh", "native", NULL};
static const ts_param shapes_param = {.name = "shapes",
                                      .summary = "Native shapes, or triangles.",
                                      .kind = TS_PARAM_CHOICE,
                                      .default_value = 1,
                                      .choices = words};

/// What the method below was given, of a and of b.
static int32_t seen[2];
static double seen_radius_m;

static ts_status look(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                      void *state, const double *params) {
  (void)host, (void)a, (void)b, (void)state, (void)params;
  const ts_geometry *of_b = pair->mesh_b->geometry;
  seen[0] = pair->mesh_a->geometry ? pair->mesh_a->geometry->kind : TS_GEOMETRY_MESH;
  seen[1] = of_b ? of_b->kind : TS_GEOMETRY_MESH;
  seen_radius_m = of_b ? of_b->radius_m : 0;
  return TS_OK;
}

static ts_method looker(uint32_t takes) {
  return (ts_method){.abi = TS_METHOD_ABI,
                     .struct_size = sizeof(ts_method),
                     .name = "looker",
                     .summary = "Looks at what it is given.",
                     .source = "tests",
                     .params = &shapes_param,
                     .param_count = 1,
                     .generate = look,
                     .takes = takes,
                     .takes_if = "shapes"};
}

/// A slab and a ball on it.
static ts_scene *ball_on_slab(void) {
  const ts_geometry slab = {.kind = TS_GEOMETRY_BOX, .half_size_m = {1, 0.25, 1}};
  const ts_geometry ball = {.kind = TS_GEOMETRY_SPHERE, .radius_m = 0.3};
  ts_scene *scene;
  int32_t shape, body;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, "slab", &slab, 0), TS_OK);
  const ts_pose low = {{1, 0, 0, 0}, {0, -0.25, 0}}, high = {{1, 0, 0, 0}, {0, 0.3, 0}};
  cr_assert_eq(ts_scene_add_body(&body, scene, "slab", shape, low, true), TS_OK);
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, "ball", &ball, 0.01), TS_OK);
  cr_assert_eq(ts_scene_add_body(&body, scene, "ball", shape, high, false), TS_OK);
  return scene;
}

static void expect_seen(const ts_scene *scene, const ts_method *method, double native, int32_t a,
                        int32_t b) {
  ts_narrow_phase *phase;
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, method, &native, TS_REFERENCE_DESIGN), TS_OK,
               "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK);
  seen[0] = seen[1] = -1;
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK, "%s", ts_status_detail());
  cr_expect(seen[0] == a && seen[1] == b, "%d and %d", seen[0], seen[1]);
  ts_narrow_phase_destroy(phase);
}

Test(harness_native_shapes, a_method_is_given_the_geometry_of_what_it_takes) {
  const ts_scene *scene = ball_on_slab();
  ts_method method = looker(TS_TAKES(TS_GEOMETRY_SPHERE));
  expect_seen(scene, &method, 1, TS_GEOMETRY_MESH, TS_GEOMETRY_SPHERE);
  cr_expect_eq(seen_radius_m, 0.3);
  method.takes |= TS_TAKES(TS_GEOMETRY_BOX);
  expect_seen(scene, &method, 1, TS_GEOMETRY_BOX, TS_GEOMETRY_SPHERE);
  expect_seen(scene, &method, 0, TS_GEOMETRY_MESH, TS_GEOMETRY_MESH);
  method.takes_if = NULL;
  expect_seen(scene, &method, 0, TS_GEOMETRY_BOX, TS_GEOMETRY_SPHERE);
  method.takes = 0;
  expect_seen(scene, &method, 1, TS_GEOMETRY_MESH, TS_GEOMETRY_MESH);
}

static ts_status dilate(ts_envelope *out, const double *params) {
  (void)params;
  *out = (ts_envelope){
      .kind = TS_ENVELOPE_DILATED, .mode = TS_ENVELOPE_FACES, .size_m = 0.05, .reach_m = 0};
  return TS_OK;
}

Test(harness_native_shapes, in_an_envelope_the_geometry_is_that_of_the_envelope) {
  ts_method method = looker(TS_TAKES(TS_GEOMETRY_SPHERE));
  method.envelope = dilate;
  expect_seen(ball_on_slab(), &method, 1, TS_GEOMETRY_MESH, TS_GEOMETRY_SPHERE);
  cr_expect_float_eq(seen_radius_m, 0.35, 1e-15);
}

/// Says that the ball and the box are too much for it.
static ts_status refuse(void **out, const ts_host *host, const ts_pair *pair, const void *a,
                        const void *b, const double *params) {
  (void)out, (void)pair, (void)a, (void)b, (void)params;
  return host->fail(host, TS_SKIPPED, "has no routine for a box and a sphere");
}

Test(harness_native_shapes,
     a_pair_that_a_method_cannot_do_is_skipped_with_the_names_of_the_bodies) {
  ts_method method = looker(TS_TAKES(TS_GEOMETRY_SPHERE));
  method.prepare_pair = refuse;
  const double native = 1;
  ts_narrow_phase *phase;
  cr_assert_eq(
      ts_narrow_phase_create(&phase, ball_on_slab(), &method, &native, TS_REFERENCE_DESIGN), TS_OK);
  cr_expect_eq(ts_narrow_phase_prepare(phase), TS_SKIPPED);
  cr_expect_str_eq(ts_status_detail(),
                   "bodies slab and ball: has no routine for a box and a sphere");
  ts_narrow_phase_destroy(phase);
}

/// The two bodies as ground, which has no meshes of its own here.
static const ts_scene *with_ground(ts_scene *scene, bool both) {
  scene->shapes[0].geometry.kind = TS_GEOMETRY_PLANE;
  if (both)
    scene->shapes[1].geometry.kind = TS_GEOMETRY_SURFACE;
  return scene;
}

static size_t pair_count(const ts_scene *scene) {
  const ts_method method = looker(0);
  const double native = 1;
  ts_narrow_phase *phase;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, &method, &native, TS_REFERENCE_DESIGN), TS_OK);
  size_t count = ts_narrow_phase_pair_count(phase);
  ts_narrow_phase_destroy(phase);
  return count;
}

Test(harness_native_shapes, two_pieces_of_ground_are_no_pair) {
  cr_expect_eq(pair_count(with_ground(ball_on_slab(), false)), 1);
  cr_expect_eq(pair_count(with_ground(ball_on_slab(), true)), 0);
}
