// SPDX-License-Identifier: MIT
// covers: methods/engines/mujoco.c
#include "tests/methods/engines/engine_driver.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

#define DEPTH_M  0.01
/// From vertices in single precision and MuJoCo's default tolerance.
#define SINGLE   1e-6
/// MuJoCo's multiccd rotates bodies by this angle to find additional contacts.
#define TILT_RAD 1e-3

/// Maximum errors over both orders of every pair.
static cube_errors check_cubes(const char *name, double margin_m, double depth_m, size_t most) {
  engine_driver d;
  driver_open(&d, name);
  driver_set(&d, "margin_m", margin_m);
  cube_errors worst = {0};
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i / 2, depth_m);
    pair = i % 2 ? cube_pair_swap(&pair) : pair;
    cr_assert_eq(driver_run(&d, pair.mesh, pair.pose), TS_OK, "%s", d.message);
    cube_errors e = cube_errors_of(&d.set, &pair, depth_m);
    cr_expect(e.count >= 1 && e.count <= most, "%s, pair %zu: %zu", name, i, e.count);
    worst.normal = isnan(e.normal) ? NAN : fmax(worst.normal, e.normal);
    worst.plane_m = fmax(worst.plane_m, e.plane_m);
    worst.gap_m = fmax(worst.gap_m, e.gap_m);
    worst.outside_m = fmax(worst.outside_m, e.outside_m);
    worst.count += e.count;
  }
  driver_close(&d);
  return worst;
}

static void expect_right(const cube_errors *e, double normal) {
  cr_expect_lt(e->normal, normal, "normal off by %g", e->normal);
  cr_expect_lt(e->gap_m, SINGLE, "gap off by %g m", e->gap_m);
  cr_expect_lt(e->plane_m, SINGLE, "%g m off the plane", e->plane_m);
  cr_expect_lt(e->outside_m, SINGLE, "%g m outside", e->outside_m);
}

Test(engines_mujoco, cubes_have_the_right_normal_depth_and_point) {
  cube_errors e = check_cubes("mujoco", 0, DEPTH_M, 1);
  expect_right(&e, SINGLE);
}

/// The additional contacts come from rotated bodies, and MuJoCo does not rotate their normals back.
Test(engines_mujoco, multiccd_on_cubes_gives_up_to_five_contacts_with_tilted_normals) {
  cube_errors e = check_cubes("mujoco_multiccd", 0, DEPTH_M, 5);
  expect_right(&e, 1.01 * TILT_RAD);
  cr_expect_gt(e.normal, 0.9 * TILT_RAD, "%g", e.normal);
  cr_expect_gt(e.count, 2 * CUBE_PAIRS * 3, "%zu", e.count);
}

Test(engines_mujoco, contacts_ahead_of_a_touch_have_a_gap_above_zero) {
  cube_errors e = check_cubes("mujoco", 5 * DEPTH_M, -DEPTH_M, 1);
  expect_right(&e, SINGLE);
  engine_driver d;
  driver_open(&d, "mujoco");
  for (size_t i = 0; i < CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i, -DEPTH_M);
    driver_set(&d, "margin_m", 0);
    cr_assert_eq(driver_run(&d, pair.mesh, pair.pose), TS_OK, "%s", d.message);
    cr_expect_eq(d.set.count, 0, "pair %zu is apart, and the margin is 0", i);
  }
  ts_envelope envelope;
  driver_set(&d, "margin_m", 0.25);
  cr_assert_eq(d.method->envelope(&envelope, d.values), TS_OK);
  cr_expect_eq(envelope.reach_m, 0.25, "pairs must come as close as the margin");
  cr_expect_eq(envelope.kind, TS_ENVELOPE_NONE);
  driver_close(&d);
}

/// The box of these corners, rotated about the z-axis by 30 degrees in its own frame.
static const ts_mesh *turned_box(engine_driver *d, ts_vec3 low, ts_vec3 high) {
  const ts_mesh *box = driver_box(d, low, high);
  ts_vec3 vertices[8];
  for (int i = 0; i < 8; i++)
    vertices[i] = ts_quat_rotate(ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), 0.5235987755982988),
                                 box->vertices[i]);
  return driver_mesh(d, vertices, 8, box->triangles, 12);
}

/// MuJoCo's compiler moves the mesh to its centre of mass and rotates it to its principal axes. A
/// beam far off both shows that the geom moves it back.
Test(engines_mujoco, a_mesh_off_its_own_centre_and_axes_keeps_its_pose) {
  engine_driver d;
  driver_open(&d, "mujoco");
  const ts_mesh *beam = turned_box(&d, ts_vec3_make(2, 1, -3), ts_vec3_make(2.25, 1.5, 3));
  const ts_mesh *cube = turned_box(&d, ts_vec3_make(2.2, 1.1, 1), ts_vec3_make(2.5, 1.4, 1.3));
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 0, 0}}};
  cr_assert_eq(driver_run(&d, (const ts_mesh *[2]){beam, cube}, pose), TS_OK, "%s", d.message);
  cr_assert_eq(d.set.count, 1);
  const ts_contact *c = d.set.contacts;
  ts_vec3 normal = ts_vec3_make(0.8660254037844387, 0.5, 0);
  cr_expect_lt(ts_vec3_distance(c->normal, normal), SINGLE, "%g %g %g", c->normal.x, c->normal.y,
               c->normal.z);
  cr_expect_float_eq(c->gap_m, -0.05, SINGLE, "%g", c->gap_m);
  // MPR's point is somewhere between the faces; midway if the bodies are equal.
  double along_m = ts_vec3_dot(c->point, normal);
  cr_expect(along_m > 2.2 && along_m < 2.25, "%g", along_m);
  cr_expect(c->point.z > 1 - SINGLE && c->point.z < 1.3 + SINGLE, "%g", c->point.z);
  driver_close(&d);
}

/// The plate is at most as thin as the distance of two neighbouring floats: this must be a status
/// with MuJoCo's message, not the end of the program.
Test(engines_mujoco, a_mesh_that_the_compiler_refuses_is_reported) {
  engine_driver d;
  driver_open(&d, "mujoco");
  const ts_mesh *plate =
      driver_box(&d, ts_vec3_make(100, 100, 100), ts_vec3_make(101, 101, 100 + 1e-7));
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 0, 0}}};
  cr_assert_eq(driver_run(&d, (const ts_mesh *[2]){plate, plate}, pose), TS_E_UNSUPPORTED);
  cr_expect(strstr(d.message, "rejects the shapes"), "%s", d.message);
  cr_expect(strstr(d.message, "qhull"), "%s", d.message);
  cr_expect_eq(d.set.count, 0);
  driver_close(&d);
}

/// Memory for MuJoCo, so that memory left behind by an error is not a leak.
static _Alignas(64) char pool[1 << 22];
static size_t pool_used, allocations, allocations_most;

static void *scarce_memory(size_t size) {
  size_t whole = (size + 63) / 64 * 64;
  if (allocations == allocations_most || whole > sizeof pool - pool_used)
    return NULL;
  allocations++;
  void *out = pool + pool_used;
  pool_used += whole;
  return out;
}

static void no_free(void *block) {
  (void)block;
}

static ts_status run_in_pool(engine_driver *d, const cube_pair *pair, size_t most) {
  pool_used = allocations = 0;
  allocations_most = most;
  return driver_run(d, pair->mesh, pair->pose);
}

/// An error makes MuJoCo end the program, unless there is a handler; the engine installs one during
/// a call. The last allocations are those of the data, after the model.
Test(engines_mujoco, an_error_of_the_engine_is_reported) {
  engine_driver d;
  driver_open(&d, "mujoco");
  void *(**allocate)(size_t) = (void *(**)(size_t))dlsym(d.library, "mju_user_malloc");
  void (**release)(void *) = (void (**)(void *))dlsym(d.library, "mju_user_free");
  void (**on_error)(const char *) = (void (**)(const char *))dlsym(d.library, "mju_user_error");
  cr_assert(allocate && release && on_error);
  cube_pair pair = cube_pair_make(&d, 0, DEPTH_M);
  *allocate = scarce_memory;
  *release = no_free;
  cr_assert_eq(run_in_pool(&d, &pair, SIZE_MAX), TS_OK, "%s", d.message);
  size_t needed = allocations;
  cr_assert_gt(needed, 2);
  for (size_t missing = 1; missing <= 2; missing++) {
    cr_expect_eq(run_in_pool(&d, &pair, needed - missing), TS_E_UNSUPPORTED);
    cr_expect(strstr(d.message, "MuJoCo"), "%s", d.message);
    cr_expect_null(*on_error, "the handler of before is back");
  }
  cr_expect_eq(run_in_pool(&d, &pair, needed), TS_OK, "%s", d.message);
  cr_expect_eq(d.set.count, 1);
  driver_close(&d);
}

Test(engines_mujoco, pairs_of_the_same_shapes_share_a_model_and_others_do_not) {
  engine_driver d;
  driver_open(&d, "mujoco");
  const ts_mesh *mesh[2] = {driver_box(&d, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1)),
                            driver_box(&d, ts_vec3_make(0, 0, 0), ts_vec3_make(2, 2, 2))};
  void *shape[2], *state[2][2], *again = NULL;
  for (int i = 0; i < 2; i++)
    cr_assert_eq(d.method->prepare_shape(&shape[i], &d.host, mesh[i], d.values), TS_OK);
  for (int i = 0; i < 4; i++) {
    ts_pair pair = {.struct_size = sizeof pair, .mesh_a = mesh[i / 2], .mesh_b = mesh[i % 2]};
    void **out = &state[i / 2][i % 2];
    for (int k = 0; k < 2; k++)
      cr_assert_eq(d.method->prepare_pair(k ? &again : out, &d.host, &pair, shape[i / 2],
                                          shape[i % 2], d.values),
                   TS_OK, "%s", d.message);
    cr_expect_eq(again, *out);
  }
  cr_expect(state[0][0] != state[0][1] && state[0][1] != state[1][0] &&
            state[1][0] != state[1][1] && state[0][0] != state[1][1]);
  for (int i = 0; i < 2; i++)
    d.method->release_shape(shape[i]);
  driver_close(&d);
}

/// At 1 iteration the portal of a lens is far from its surface.
Test(engines_mujoco, parameters_reach_the_engine) {
  engine_driver d;
  driver_open(&d, "mujoco");
  enum { SIDES = 32 };
  ts_vec3 vertices[SIDES + 2];
  uint32_t triangles[2 * SIDES][3];
  for (uint32_t i = 0; i < SIDES; i++) {
    double angle = 6.283185307179586 * i / SIDES;
    uint32_t next = (i + 1) % SIDES;
    vertices[i] = ts_vec3_make(cos(angle), 0, sin(angle));
    memcpy(triangles[2 * i], (uint32_t[3]){next, i, SIDES}, sizeof triangles[0]);
    memcpy(triangles[2 * i + 1], (uint32_t[3]){i, next, SIDES + 1}, sizeof triangles[0]);
  }
  vertices[SIDES] = ts_vec3_make(0, 1, 0);
  vertices[SIDES + 1] = ts_vec3_make(0, -1, 0);
  const ts_mesh *top =
      driver_mesh(&d, vertices, SIDES + 2, (const uint32_t(*)[3])triangles, 2 * SIDES);
  const ts_mesh *mesh[2] = {top, top};
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {1.5, 0.1, 0.4}}};
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_assert_eq(d.set.count, 1);
  double fine_m = d.set.contacts[0].gap_m;
  driver_set(&d, "mpr_tolerance_m", 0.5);
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_assert_eq(d.set.count, 1);
  cr_expect_gt(fabs(d.set.contacts[0].gap_m - fine_m), 1e-4, "%g %g", d.set.contacts[0].gap_m,
               fine_m);
  driver_set(&d, "mpr_tolerance_m", 1e-9);
  driver_set(&d, "mpr_iterations", 1);
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_expect(d.set.count == 0 || fabs(d.set.contacts[0].gap_m - fine_m) > 1e-4);
  driver_close(&d);
}
