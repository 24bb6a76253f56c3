// SPDX-License-Identifier: MIT
// covers: ldi/cells.c ldi/ldi.c
// Volume and gradient against the exact overlap, over random rigid motions.
#include "tests/ldi/ldi_fixture.h"

#include <stdlib.h>

enum { POSES = 100 };

/// Relative errors of many poses.
typedef struct errors {
  size_t count;
  double list[2 * POSES];
} errors;

static void push_error(errors *out, double error) {
  out->list[out->count++] = error;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/// Fails when the worst of them is not below `limit`; a NaN is not.
static void expect_below(errors *e, double limit, const char *scene, const char *what) {
  qsort(e->list, e->count, sizeof *e->list, compare);
  double worst = 0;
  for (size_t i = 0; i < e->count; i++)
    worst = e->list[i] > worst || isnan(e->list[i]) ? e->list[i] : worst;
  cr_log_info("%s: %s: worst %.3g, median %.3g of %zu", scene, what, worst, e->list[e->count / 2],
              e->count);
  cr_expect(worst < limit, "%s: %s is off by %g, not below %g", scene, what, worst, limit);
}

// Of an exact volume, whose rounding is 1e-15: differences are good to 1e-8.
static const double step = 1e-4;

static ts_vec3 unit_axis(int i) {
  return ts_vec3_make(i == 0, i == 1, i == 2);
}

/// How fast the exact volume changes when a body moves along an axis, or turns about it in its own
/// origin (axis 3 to 5).
static double rate_of_motion(ldi_scene *scene, int body, int axis) {
  double volume[2];
  for (int side = 0; side < 2; side++) {
    ts_pose pose = scene->pose[body];
    double by = side == 0 ? -step : step;
    if (axis < 3)
      pose.translation = ts_vec3_add_scaled(pose.translation, by, unit_axis(axis));
    else
      pose.rotation = ts_quat_mul(ts_quat_from_axis_angle(unit_axis(axis - 3), by), pose.rotation);
    exact_body_place(&scene->exact[body], pose);
    volume[side] = exact_overlap_volume(&scene->exact[0], &scene->exact[1]);
  }
  exact_body_place(&scene->exact[body], scene->pose[body]);
  return (volume[1] - volume[0]) / (2 * step);
}

static double rate_of_vertex(ldi_scene *scene, int body, size_t vertex, int axis) {
  double volume[2];
  for (int side = 0; side < 2; side++) {
    double by = side == 0 ? -step : step;
    exact_body_move_vertex(&scene->exact[body], vertex, ts_vec3_scale(unit_axis(axis), by));
    volume[side] = exact_overlap_volume(&scene->exact[0], &scene->exact[1]);
    exact_body_place(&scene->exact[body], scene->pose[body]);
  }
  return (volume[1] - volume[0]) / (2 * step);
}

/// Error of the six rates of a body, a moment counted at the body's radius: against the size of the
/// rates, and against the sum of the pushes on all vertices, which does not get small where those
/// of two patches cancel.
typedef struct wrench_error {
  double of_rates, of_pushes;
} wrench_error;

static wrench_error find_wrench_error(ldi_scene *scene, int body, const ts_vec3 *gradient) {
  const ts_mesh *mesh = scene->mesh[body];
  ldi_wrench w = ldi_wrench_about(mesh, scene->pose[body], gradient, scene->pose[body].translation);
  double radius = 0.5 * ts_aabb_extent(ts_mesh_bounds(mesh));
  const double found[6] = {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z};
  double error2 = 0, size2 = 0, pushes = 0;
  for (int i = 0; i < 6; i++) {
    double exact = rate_of_motion(scene, body, i), weight = i < 3 ? 1 : 1 / radius;
    error2 += pow(weight * (found[i] - exact), 2);
    size2 += pow(weight * exact, 2);
  }
  for (size_t i = 0; i < mesh->vertex_count; i++)
    pushes += ts_vec3_norm(gradient[i]);
  return (wrench_error){sqrt(error2 / size2), sqrt(error2) / pushes};
}

static size_t heaviest_vertex(const ts_mesh *mesh, const ts_vec3 *gradient) {
  size_t heaviest = 0;
  for (size_t i = 1; i < mesh->vertex_count; i++)
    if (ts_vec3_norm2(gradient[i]) > ts_vec3_norm2(gradient[heaviest]))
      heaviest = i;
  return heaviest;
}

/// A vertex of those that are pushed, drawn among them.
static size_t pushed_vertex(const ts_mesh *mesh, const ts_vec3 *gradient, ts_random *random) {
  for (;;) {
    size_t vertex = (size_t)(ts_random_unit(random) * (double)mesh->vertex_count);
    if (ts_vec3_norm2(gradient[vertex]) > 0)
      return vertex;
  }
}

/// Error of the gradient by one vertex, relative to that of the vertex which has the largest.
static double vertex_error(ldi_scene *scene, int body, const ts_vec3 *gradient, size_t vertex) {
  const double found[3] = {gradient[vertex].x, gradient[vertex].y, gradient[vertex].z};
  double error2 = 0;
  for (int i = 0; i < 3; i++)
    error2 += pow(found[i] - rate_of_vertex(scene, body, vertex, i), 2);
  size_t heaviest = heaviest_vertex(scene->mesh[body], gradient);
  return sqrt(error2) / ts_vec3_norm(gradient[heaviest]);
}

/// What the errors must stay below.
typedef struct limits {
  double volume, gradient, rates;
} limits;

static void expect_accurate(ldi_scene_kind kind, int poses, int resolution_px, limits below) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ldi_scene scene;
  ldi_scene_open(&scene, arena, kind);
  ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
  ts_random random = ts_random_seed(1, kind), vertices = ts_random_seed(2, kind);
  errors volume = {0}, of_rates = {0}, of_pushes = {0}, heaviest = {0}, any = {0};
  for (int n = 0; n < LDI_TRIES(poses); n++) {
    ldi_scene_draw(&scene, &random);
    ldi_place(ldi, scene.pose[0], scene.pose[1], resolution_px);
    ts_ldi_overlap overlap = ldi_measure(ldi);
    push_error(&volume, fabs(overlap.volume_m3 / scene.volume_m3 - 1));
    for (int body = 0; body < 2; body++) {
      const ts_mesh *mesh = scene.mesh[body];
      const ts_vec3 *gradient = overlap.gradient[body];
      wrench_error wrench = find_wrench_error(&scene, body, gradient);
      push_error(&of_rates, wrench.of_rates);
      push_error(&of_pushes, wrench.of_pushes);
      size_t largest = heaviest_vertex(mesh, gradient);
      push_error(&heaviest, vertex_error(&scene, body, gradient, largest));
      size_t other = pushed_vertex(mesh, gradient, &vertices);
      push_error(&any, vertex_error(&scene, body, gradient, other));
    }
  }
  cr_log_info("%s: %zu poses taken of %zu drawn", scene.name, scene.taken, scene.drawn);
  expect_below(&volume, below.volume, scene.name, "the volume");
  expect_below(&of_pushes, below.gradient, scene.name, "the gradient by rigid motions, of pushes");
  expect_below(&of_rates, below.rates, scene.name, "the gradient by rigid motions, of its size");
  expect_below(&heaviest, below.gradient, scene.name, "the gradient by the heaviest vertex");
  expect_below(&any, below.gradient, scene.name, "the gradient by a random vertex");
  ldi_scene_close(&scene);
  ts_ldi_destroy(ldi);
  ts_arena_destroy(arena);
}

static const limits at_128 = {.volume = 0.01, .gradient = 0.02, .rates = 0.02};

Test(ldi_accuracy, two_cubes) {
  expect_accurate(LDI_CUBES, POSES, 128, at_128);
}

Test(ldi_accuracy, two_tori) {
  // Rings pushed from two sides have rates as small as a twentieth of the pushes.
  expect_accurate(LDI_TORI, POSES, 128, (limits){.volume = 0.01, .gradient = 0.02, .rates = 0.1});
}

Test(ldi_accuracy, a_cube_in_the_crack) {
  expect_accurate(LDI_CRACK, POSES, 128, at_128);
}

Test(ldi_accuracy, a_grid_of_several_bands_is_finer) {
  expect_accurate(LDI_CUBES, 40, 256, (limits){.volume = 2e-4, .gradient = 0.006, .rates = 0.006});
  expect_accurate(LDI_CRACK, 40, 256, (limits){.volume = 2e-4, .gradient = 0.006, .rates = 0.006});
}
