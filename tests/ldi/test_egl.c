// SPDX-License-Identifier: MIT
// covers: ldi/backend.c ldi/egl.c ldi/egl_context.c ldi/egl_display.c ldi/egl_frame.c
// covers: ldi/egl_shaders.c
#include "ldi/egl.h"
#include "ldi/egl_context.h"
#include "ldi/scan.h"
#include "tests/ldi/ldi_fixture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_egl, .init = setup, .fini = teardown);

/// A pair under the reference and under EGL.
typedef struct duo {
  ts_ldi_pair pair;
  ldi_reference cpu;
  void *egl;
} duo;

static void *open_egl(const ts_mesh *const mesh[2], ts_ldi_egl_capacity capacity) {
  void *state = NULL;
  // Skipped is a failure here: what it needs is among the packages of the tests.
  cr_assert_eq(ts_ldi_egl_create(&state, mesh, capacity), TS_OK, "%s", ts_status_detail());
  return state;
}

static duo open_duo(const ts_mesh *a, const ts_mesh *b) {
  duo d = {.pair.mesh = {a, b}, .cpu = ldi_reference_open(a, b)};
  d.egl = open_egl(d.pair.mesh, (ts_ldi_egl_capacity){0});
  return d;
}

static void close_duo(duo *d) {
  ldi_reference_close(&d->cpu);
  ts_ldi_backend_egl.destroy(d->egl);
}

static void pose(ts_ldi_pair *pair, ts_pose a, ts_pose b, int resolution_px) {
  pair->pose[0] = a;
  pair->pose[1] = b;
  pair->grid =
      ts_ldi_grid_fit(ldi_bounds(pair->mesh[0], a), ldi_bounds(pair->mesh[1], b), resolution_px);
}

static void place(const ts_ldi_backend *backend, void *state, const ts_ldi_pair *pair) {
  cr_assert_eq(backend->place(state, pair), TS_OK, "%s", ts_status_detail());
}

static void place_duo(duo *d, ts_pose a, ts_pose b, int resolution_px) {
  pose(&d->pair, a, b, resolution_px);
  cr_assert(!ts_ldi_grid_is_empty(&d->pair.grid));
  place(&ts_ldi_backend_cpu, d->cpu.state, &d->pair);
  place(&ts_ldi_backend_egl, d->egl, &d->pair);
}

static ts_ldi_sums measure(const ts_ldi_backend *backend, void *state) {
  ts_ldi_sums sums = {0};
  cr_assert_eq(backend->measure(&sums, state), TS_OK, "%s", ts_status_detail());
  return sums;
}

/// The gradient by all vertices of a body.
static const int64_t (*gradient_of(const ts_ldi_pair *pair, const ts_ldi_sums *sums, int body))[3] {
  const ts_ldi_load *load = &sums->loads[body];
  int64_t(*out)[3] = ts_arena_array(arena, pair->mesh[body]->vertex_count, sizeof *out);
  cr_assert(out);
  for (size_t i = 0; i < load->count; i++)
    memcpy(out[ts_ldi_load_vertex(load, i)], load->sums[i], sizeof *out);
  return (const int64_t(*)[3])out;
}

static ts_ldi_image render(const ts_ldi_backend *backend, void *state, int axis, int32_t band) {
  ts_ldi_image image;
  cr_assert_eq(backend->render(&image, state, 0, axis, band, true), TS_OK, "%s",
               ts_status_detail());
  return image;
}

/// How far images are from those of the reference.
typedef struct difference {
  size_t pixels, crossings;
  size_t other_pixels; ///< With other crossings, or in other depths.
  size_t other_triangles;
  double depth_px; ///< Largest difference within one triangle.
} difference;

/// Where the rasteriser takes the neighbour of a triangle, the depth is that of its rim, off by up
/// to the slope times what it snaps corners to.
#define NEIGHBOUR_DEPTH_PX 0.5

static void compare_pixel(difference *out, const ts_ldi_image *cpu, const ts_ldi_image *egl,
                          uint32_t pixel) {
  const ts_ldi_crossing *a = cpu->crossings + cpu->start[pixel];
  const ts_ldi_crossing *b = egl->crossings + egl->start[pixel];
  uint32_t count = cpu->start[pixel + 1] - cpu->start[pixel];
  bool is_other = count != egl->start[pixel + 1] - egl->start[pixel];
  for (uint32_t i = 0; i < count && !is_other; i++) {
    double depth = fabs(a[i].depth_px - b[i].depth_px);
    cr_assert(i == 0 || b[i - 1].depth_px < b[i].depth_px ||
              (b[i - 1].depth_px == b[i].depth_px && b[i - 1].id < b[i].id));
    if (a[i].id == b[i].id)
      out->depth_px = fmax(out->depth_px, depth);
    else
      out->other_triangles++;
    is_other = (a[i].id & 3) != (b[i].id & 3) || depth > NEIGHBOUR_DEPTH_PX;
  }
  out->pixels++;
  out->crossings += count;
  out->other_pixels += is_other;
}

static void compare_images(difference *out, const duo *d) {
  for (int axis = 0; axis < 3; axis++)
    for (int32_t band = 0; band < ts_ldi_band_count(&d->pair.grid, axis); band++) {
      ts_ldi_image cpu = render(&ts_ldi_backend_cpu, d->cpu.state, axis, band);
      ts_ldi_image egl = render(&ts_ldi_backend_egl, d->egl, axis, band);
      cr_assert_eq(cpu.axis, egl.axis);
      cr_assert_eq(cpu.first_row, egl.first_row);
      cr_assert_eq(cpu.row_count, egl.row_count);
      cr_assert_eq(cpu.column_count, egl.column_count);
      cr_assert_eq(egl.start[0], 0);
      for (int32_t i = 0; i < cpu.row_count * cpu.column_count; i++)
        compare_pixel(out, &cpu, &egl, (uint32_t)i);
    }
}

static void expect_balance(const ts_ldi_sums *sums) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t sum[2] = {0, 0};
    for (int body = 0; body < 2; body++)
      for (size_t i = 0; i < sums->loads[body].count; i++)
        sum[body] += sums->loads[body].sums[i][axis];
    cr_expect_eq(sum[0], -sum[1], "axis %d: %lld and %lld", axis, (long long)sum[0],
                 (long long)sum[1]);
  }
}

/// Relative to the largest of the reference.
static double gradient_difference(const ts_ldi_pair *pair, const ts_ldi_sums *a,
                                  const ts_ldi_sums *b) {
  double worst = 0, largest = 0;
  for (int body = 0; body < 2; body++) {
    const int64_t(*of_a)[3] = gradient_of(pair, a, body), (*of_b)[3] = gradient_of(pair, b, body);
    for (size_t i = 0; i < pair->mesh[body]->vertex_count; i++)
      for (int axis = 0; axis < 3; axis++) {
        double x = (double)of_a[i][axis], y = (double)of_b[i][axis];
        largest = fmax(largest, fabs(x));
        worst = fmax(worst, fabs(x - y));
      }
  }
  return worst == 0 ? 0 : worst / largest;
}

static void expect_same_overlap(duo *d, double tolerance, double gradient_tolerance) {
  ts_ldi_sums cpu = measure(&ts_ldi_backend_cpu, d->cpu.state);
  ts_ldi_sums egl = measure(&ts_ldi_backend_egl, d->egl);
  for (int axis = 0; axis < 3; axis++)
    cr_expect_float_eq(egl.volume_px3[axis], cpu.volume_px3[axis], tolerance * cpu.volume_px3[axis],
                       "view %d: %.12g, not %.12g", axis, egl.volume_px3[axis],
                       cpu.volume_px3[axis]);
  expect_balance(&egl);
  double worst = gradient_difference(&d->pair, &cpu, &egl);
  cr_expect_leq(worst, gradient_tolerance, "gradient off by %g", worst);
}

Test(ldi_egl, works_here_and_names_its_device) {
  char device[TS_LDI_DEVICE_BYTES] = "";
  cr_assert_eq(ts_ldi_backend_egl.probe(device), TS_OK, "%s", ts_status_detail());
  cr_expect(strstr(device, "OpenGL 4."), "%s", device);
  bool is_played = strstr(device, "llvmpipe") || strstr(device, "softpipe");
  cr_expect_eq(ts_ldi_egl_is_hardware(), !is_played, "%s", device);
  cr_expect_eq(ts_ldi_backend_auto(), is_played ? &ts_ldi_backend_cpu : &ts_ldi_backend_egl);
  cr_expect_eq(ts_ldi_backend_find("egl"), &ts_ldi_backend_egl);
}

static void expect_skipped(const char *variable) {
  setenv(variable, "/nonexistent", 1);
  char device[TS_LDI_DEVICE_BYTES];
  cr_assert_eq(ts_ldi_backend_egl.probe(device), TS_SKIPPED, "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "install libegl1 and libgl1-mesa-dri"), "%s",
            ts_status_detail());
  const ts_mesh *cube = ldi_cube(arena, 1), *const mesh[2] = {cube, cube};
  void *state = NULL;
  cr_expect_eq(ts_ldi_egl_create(&state, mesh, (ts_ldi_egl_capacity){0}), TS_SKIPPED);
  cr_expect_null(state);
  cr_expect_eq(ts_ldi_backend_auto(), &ts_ldi_backend_cpu);
}

Test(ldi_egl, without_a_vendor_of_egl_it_is_skipped) {
  expect_skipped("__EGL_VENDOR_LIBRARY_FILENAMES");
}

Test(ldi_egl, without_a_driver_it_is_skipped) {
  // Drivers of graphics cards bring their own and do not look there.
  if (!ts_ldi_egl_is_hardware())
    expect_skipped("LIBGL_DRIVERS_PATH");
}

Test(ldi_egl, crossings_and_sums_are_those_of_the_reference) {
  const int resolutions[5] = {64, 96, 128, 100, 256};
  ts_random random = ts_random_seed(1, 0);
  for (int which = 0; which < LDI_MESHES; which++) {
    duo d = open_duo(ldi_mesh_of(arena, which), ldi_mesh_of(arena, (which + 2) % LDI_MESHES));
    difference sum = {0};
    for (int n = 0; n < LDI_TRIES(10); n++) {
      ts_pose a = random_pose(&random, 0.3), b = random_pose(&random, 0.3);
      place_duo(&d, a, b, resolutions[n % 5]);
      compare_images(&sum, &d);
      expect_same_overlap(&d, 1e-4, 1e-2);
    }
    cr_expect_leq(sum.other_pixels, (size_t)(0.0005 * (double)sum.pixels),
                  "mesh %d: %zu of %zu pixels", which, sum.other_pixels, sum.pixels);
    cr_expect_leq(sum.depth_px, 1e-3, "mesh %d: depths differ by %g px", which, sum.depth_px);
    cr_expect_leq(sum.other_triangles, sum.crossings / 100);
    cr_expect_gt(sum.crossings, 2 * sum.pixels);
    close_duo(&d);
  }
}

Test(ldi_egl, surfaces_in_one_plane_count_by_halves_as_in_the_reference) {
  const ts_mesh *cube = ldi_cube(arena, 1);
  duo d = open_duo(cube, cube);
  // All six faces in the planes of those of the other; then two of them.
  place_duo(&d, ts_pose_identity(), ts_pose_identity(), 64);
  expect_same_overlap(&d, 1e-12, 1e-9);
  difference sum = {0};
  compare_images(&sum, &d);
  cr_expect_eq(sum.other_pixels, 0);
  place_duo(&d, ts_pose_identity(), ldi_at(0.3, 0, 0.45), 64);
  expect_same_overlap(&d, 1e-12, 1e-9);
  close_duo(&d);
}

Test(ldi_egl, far_and_small_and_large_bodies_are_seen_as_well) {
  const double scales[3] = {1e-3, 1, 1e3};
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 3; i++) {
    duo d = open_duo(ldi_scaled(arena, ldi_torus(arena, 24, 12, 1, 0.4), scales[i]),
                     ldi_scaled(arena, ldi_sphere(arena, 11, 20, 1), scales[i]));
    ts_pose a = random_pose(&random, 0.3 * scales[i]), b = random_pose(&random, 0.3 * scales[i]);
    ts_vec3 far = ts_vec3_scale(ts_vec3_make(1e4, -3e4, 2e4), scales[i]);
    a.translation = ts_vec3_add(a.translation, far);
    b.translation = ts_vec3_add(b.translation, far);
    place_duo(&d, a, b, 96);
    expect_same_overlap(&d, 1e-4, 1e-2);
    close_duo(&d);
  }
}

Test(ldi_egl, a_body_much_larger_than_the_overlap_is_cut_off_at_the_rim_of_the_view) {
  ts_random random = ts_random_seed(3, 0);
  duo d = open_duo(ldi_sphere(arena, 23, 40, 100), ldi_cube(arena, 0.2));
  for (int n = 0; n < 3; n++) {
    ts_pose a = {random_rotation(&random), {0, 0, 0}};
    ts_pose b = {random_rotation(&random),
                 ts_vec3_scale(ts_vec3_unit(random_point(&random, 1)), 99.7)};
    place_duo(&d, a, b, 64); // 64,000 pixels across
    difference sum = {0};
    compare_images(&sum, &d);
    cr_expect_leq(sum.other_pixels, sum.pixels / 500, "%zu of %zu", sum.other_pixels, sum.pixels);
    expect_same_overlap(&d, 1e-3, 1e-2);
  }
  close_duo(&d);
}

Test(ldi_egl, edges_along_a_row_of_pixels_are_met_where_the_line_of_sight_is) {
  // Four long edges of the first lie on a row of centres: one of their ends for all of them would
  // be off by half of the view.
  const ts_mesh *torus = ldi_torus(arena, 4, 4, 1, 0.35);
  duo d = open_duo(torus, torus);
  ts_pose b = {ts_quat_unit((ts_quat){0.7, 0.6, 0.3, 0.2}), {0.3, 0.1, 0.2}};
  place_duo(&d, ts_pose_identity(), b, 256);
  expect_same_overlap(&d, 1e-6, 1e-4);
  close_duo(&d);
}

Test(ldi_egl, one_pixel_is_enough) {
  const ts_mesh *cube = ldi_cube(arena, 1);
  duo d = open_duo(cube, cube);
  place_duo(&d, ts_pose_identity(), ldi_at(0.5, 0.5, 0.5), 1);
  expect_same_overlap(&d, 1e-12, 1e-9);
  cr_expect_float_eq(measure(&ts_ldi_backend_egl, d.egl).volume_px3[0], 1, 1e-12);
  close_duo(&d);
}

Test(ldi_egl, the_widest_view_is_whole) {
  duo d = open_duo(ldi_box(arena, 4, 0.01, 0.01), ldi_box(arena, 4, 0.02, 0.02));
  place_duo(&d, ts_pose_identity(), ldi_at(0.001, 0.002, 0.001), TS_LDI_RESOLUTION_MAX);
  cr_expect_eq(d.pair.grid.size[0], TS_LDI_RESOLUTION_MAX);
  expect_same_overlap(&d, 1e-9, 1e-6);
  difference sum = {0};
  compare_images(&sum, &d);
  cr_expect_eq(sum.other_pixels, 0);
  close_duo(&d);
}

Test(ldi_egl, boxes_apart_do_not_overlap) {
  const ts_mesh *cube = ldi_cube(arena, 1);
  ts_ldi *ldi = NULL;
  cr_assert_eq(ts_ldi_create_for_meshes(&ldi, &ts_ldi_backend_egl, cube, cube, 1), TS_OK, "%s",
               ts_status_detail());
  ldi_place(ldi, ts_pose_identity(), ldi_at(3, 0, 0), 64);
  cr_expect_eq(ldi_measure(ldi).volume_m3, 0);
  // And again once there was something.
  ldi_place(ldi, ts_pose_identity(), ldi_at(0.5, 0, 0), 64);
  cr_expect_float_eq(ldi_measure(ldi).volume_m3, 0.5, 1e-9);
  ldi_place(ldi, ts_pose_identity(), ldi_at(3, 0, 0), 64);
  cr_expect_eq(ldi_measure(ldi).volume_m3, 0);
  ts_ldi_destroy(ldi);
}

enum { SLABS = 300 };

/// Thin slabs one above the other in one mesh, half of the height filled: 2 * SLABS layers.
static const ts_mesh *stack_of_slabs(void) {
  const ts_mesh *slab = ldi_box(arena, 1, 1, 0.5 / SLABS);
  ts_vec3 *vertices = ts_arena_array(arena, SLABS * slab->vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, SLABS * slab->triangle_count, sizeof *triangles);
  cr_assert(vertices && triangles);
  for (size_t i = 0; i < SLABS; i++) {
    for (size_t k = 0; k < slab->vertex_count; k++)
      vertices[i * slab->vertex_count + k] =
          ts_vec3_add(slab->vertices[k], ts_vec3_make(0, 0, (double)i / SLABS));
    for (size_t k = 0; k < slab->triangle_count; k++)
      for (int c = 0; c < 3; c++)
        triangles[i * slab->triangle_count + k][c] =
            slab->triangles[k][c] + (uint32_t)(i * slab->vertex_count);
  }
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, SLABS * slab->vertex_count,
                              (const uint32_t(*)[3])triangles, SLABS * slab->triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

Test(ldi_egl, no_layer_is_dropped_however_many_there_are) {
  duo d = open_duo(stack_of_slabs(), ldi_cube(arena, 1.5));
  place_duo(&d, (ts_pose){ts_quat_unit((ts_quat){1, 0.02, 0.03, 0.01}), {0, 0, -0.5}},
            ts_pose_identity(), 48);
  expect_same_overlap(&d, 1e-4, 5e-2);
  ts_ldi_image image = render(&ts_ldi_backend_egl, d.egl, 2, 0);
  uint32_t most = 0;
  for (int32_t i = 0; i < image.row_count * image.column_count; i++)
    most = image.start[i + 1] - image.start[i] > most ? image.start[i + 1] - image.start[i] : most;
  cr_expect_gt(most, 500u);
  close_duo(&d);
}

/// Sums that outlive the next call.
typedef struct kept {
  double volume_px3[3];
  size_t bytes;
  int64_t (*gradient)[3];
} kept;

static kept keep(void *egl, const ts_ldi_pair *pair) {
  ts_ldi_sums sums = measure(&ts_ldi_backend_egl, egl);
  size_t count[2] = {pair->mesh[0]->vertex_count, pair->mesh[1]->vertex_count};
  kept out = {.bytes = (count[0] + count[1]) * sizeof *out.gradient};
  memcpy(out.volume_px3, sums.volume_px3, sizeof out.volume_px3);
  out.gradient = ts_arena_array(arena, count[0] + count[1], sizeof *out.gradient);
  cr_assert(out.gradient);
  for (int body = 0; body < 2; body++)
    memcpy(out.gradient + (body ? count[0] : 0), gradient_of(pair, &sums, body),
           count[body] * sizeof *out.gradient);
  return out;
}

static void expect_same_bits(const kept *a, const kept *b) {
  cr_expect_eq(memcmp(a->volume_px3, b->volume_px3, sizeof a->volume_px3), 0);
  cr_expect_eq(memcmp(a->gradient, b->gradient, a->bytes), 0);
}

static ts_ldi_pair torus_and_sphere(int resolution_px) {
  ts_ldi_pair pair = {.mesh = {ldi_torus(arena, 32, 16, 1, 0.35), ldi_sphere(arena, 11, 20, 1)}};
  pose(&pair, (ts_pose){ts_quat_unit((ts_quat){0.7, 0.6, 0.3, 0.2}), {0.3, 0.1, 0.2}},
       ts_pose_identity(), resolution_px);
  return pair;
}

/// Calls of OpenGL since they were counted last, and the functions that they went to.
static struct {
  int draws, dispatches, reads, uploads;
  int after_read; ///< draws and dispatches after the first read
  ts_gl gl;
} calls;

static void count_draw(GLenum mode, GLsizei count, GLenum type, const void *indices) {
  calls.draws++;
  calls.after_read += calls.reads > 0;
  calls.gl.DrawElements(mode, count, type, indices);
}

static void count_dispatch(GLuint x, GLuint y, GLuint z) {
  calls.dispatches++;
  calls.after_read += calls.reads > 0;
  calls.gl.DispatchCompute(x, y, z);
}

static void count_read(GLenum target, GLintptr offset, GLsizeiptr size, void *data) {
  calls.reads++;
  calls.gl.GetBufferSubData(target, offset, size, data);
}

static void count_upload(GLenum target, GLintptr offset, GLsizeiptr size, const void *data) {
  calls.uploads++;
  calls.gl.BufferSubData(target, offset, size, data);
}

/// Puts counters in front of the functions that make the card work, wait or take data in.
static void count_calls(void) {
  ts_egl *egl;
  cr_assert_eq(ts_egl_begin(&egl), TS_OK);
  calls.gl = egl->gl;
  egl->gl.DrawElements = count_draw;
  egl->gl.DispatchCompute = count_dispatch;
  egl->gl.GetBufferSubData = count_read;
  egl->gl.BufferSubData = count_upload;
  cr_assert_eq(ts_egl_end(egl, TS_OK), TS_OK);
}

Test(ldi_egl, an_overlap_is_one_submission_and_one_reading_back) {
  ts_ldi_pair pair = torus_and_sphere(96);
  void *egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){0});
  count_calls();
  for (int n = 0; n < 3; n++) {
    calls.draws = calls.dispatches = calls.reads = calls.uploads = calls.after_read = 0;
    place(&ts_ldi_backend_egl, egl, &pair);
    cr_expect_eq(calls.draws + calls.dispatches + calls.reads, 0, "the place waits for its use");
    measure(&ts_ldi_backend_egl, egl);
    cr_expect_eq(calls.draws, 3, "a view each");
    cr_expect_eq(calls.dispatches, 1 + 3 * 2, "vertices, then lists and sums of each view");
    cr_expect_eq(calls.reads, 1);
    cr_expect_eq(calls.after_read + calls.uploads, 0);
  }
  // Placed is placed.
  calls.dispatches = 0;
  measure(&ts_ldi_backend_egl, egl);
  cr_expect_eq(calls.dispatches, 3 * 2);
  ts_ldi_backend_egl.destroy(egl);
}

Test(ldi_egl, equal_calls_give_equal_bits_and_buffers_that_were_too_small_change_nothing) {
  ts_ldi_pair pair = torus_and_sphere(96);
  void *as_is = open_egl(pair.mesh, (ts_ldi_egl_capacity){0});
  place(&ts_ldi_backend_egl, as_is, &pair);
  kept first = keep(as_is, &pair);
  for (int n = 0; n < 3; n++) {
    kept again = keep(as_is, &pair);
    expect_same_bits(&first, &again);
  }
  void *tiny = open_egl(pair.mesh, (ts_ldi_egl_capacity){.first = 1});
  place(&ts_ldi_backend_egl, tiny, &pair);
  kept grown = keep(tiny, &pair);
  expect_same_bits(&first, &grown);
  ts_ldi_backend_egl.destroy(tiny);
  ts_ldi_backend_egl.destroy(as_is);
}

Test(ldi_egl, a_view_that_fits_no_buffer_is_done_in_bands) {
  ts_ldi_pair pair = torus_and_sphere(96);
  duo d = {.pair = pair, .cpu = ldi_reference_open(pair.mesh[0], pair.mesh[1])};
  d.egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){.first = 100, .max = 2000});
  place_duo(&d, pair.pose[0], pair.pose[1], 96);
  difference sum = {0};
  compare_images(&sum, &d);
  place_duo(&d, pair.pose[0], pair.pose[1], 96); // forgets the bands
  expect_same_overlap(&d, 1e-4, 1e-2);
  cr_expect_gt(sum.crossings, 3 * 2000u);
  cr_expect_leq(sum.other_pixels, (size_t)(0.0005 * (double)sum.pixels));
  close_duo(&d);
}

Test(ldi_egl, a_row_that_fits_no_buffer_is_an_error_that_says_so) {
  ts_ldi_pair pair = torus_and_sphere(96);
  void *egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){.first = 1, .max = 40});
  place(&ts_ldi_backend_egl, egl, &pair);
  ts_ldi_sums sums;
  cr_expect_eq(ts_ldi_backend_egl.measure(&sums, egl), TS_E_UNSUPPORTED);
  cr_expect(strstr(ts_status_detail(), "lower the resolution"), "%s", ts_status_detail());
  ts_ldi_image image;
  cr_expect_eq(ts_ldi_backend_egl.render(&image, egl, 0, 0, 0, true), TS_E_UNSUPPORTED);
  // What was said helps.
  pair = torus_and_sphere(4);
  ts_ldi_backend_egl.destroy(egl);
  egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){.first = 1, .max = 40});
  place(&ts_ldi_backend_egl, egl, &pair);
  cr_expect_eq(ts_ldi_backend_egl.measure(&sums, egl), TS_OK, "%s", ts_status_detail());
  ts_ldi_backend_egl.destroy(egl);
}

Test(ldi_egl, pairs_share_the_card_and_stay_apart) {
  ts_ldi_pair one = torus_and_sphere(64), two = {.mesh = {one.mesh[1], ldi_cube(arena, 1.2)}};
  pose(&two, ts_pose_identity(), ldi_at(0.4, 0.3, 0.2), 120);
  void *first = open_egl(one.mesh, (ts_ldi_egl_capacity){0});
  place(&ts_ldi_backend_egl, first, &one);
  kept alone = keep(first, &one);
  void *second = open_egl(two.mesh, (ts_ldi_egl_capacity){0});
  place(&ts_ldi_backend_egl, second, &two);
  kept other = keep(second, &two), between = keep(first, &one);
  expect_same_bits(&alone, &between);
  ts_ldi_backend_egl.destroy(first);
  kept after = keep(second, &two);
  expect_same_bits(&other, &after);
  ts_ldi_backend_egl.destroy(second);
  ts_ldi_backend_egl.destroy(NULL);
}

Test(ldi_egl, pairs_are_made_and_ended_many_times) {
  ts_ldi_pair pair = torus_and_sphere(32);
  kept first = {0};
  for (int n = 0; n < 8; n++) {
    void *egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){0});
    place(&ts_ldi_backend_egl, egl, &pair);
    kept now = keep(egl, &pair);
    if (n == 0)
      first = now;
    expect_same_bits(&first, &now);
    ts_ldi_backend_egl.destroy(egl);
  }
}

typedef struct thread_work {
  ts_ldi_pair pair;
  void *egl;
  double volume_px3[4];
} thread_work;

static void *measure_in_thread(void *argument) {
  thread_work *w = argument;
  ts_ldi_sums sums;
  for (int n = 0; n < 4; n++) {
    bool is_fine = ts_ldi_backend_egl.place(w->egl, &w->pair) == TS_OK &&
                   ts_ldi_backend_egl.measure(&sums, w->egl) == TS_OK;
    w->volume_px3[n] = is_fine ? sums.volume_px3[0] : -1;
  }
  return NULL;
}

Test(ldi_egl, threads_take_turns) {
  thread_work works[2];
  pthread_t threads[2];
  double expected[2];
  for (int i = 0; i < 2; i++) {
    works[i].pair = torus_and_sphere(32 + 16 * i);
    works[i].egl = open_egl(works[i].pair.mesh, (ts_ldi_egl_capacity){0});
    place(&ts_ldi_backend_egl, works[i].egl, &works[i].pair);
    expected[i] = measure(&ts_ldi_backend_egl, works[i].egl).volume_px3[0];
  }
  for (int i = 0; i < 2; i++)
    cr_assert_eq(pthread_create(&threads[i], NULL, measure_in_thread, &works[i]), 0);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    for (int n = 0; n < 4; n++)
      cr_expect_eq(works[i].volume_px3[n], expected[i]);
    ts_ldi_backend_egl.destroy(works[i].egl);
  }
}

Test(ldi_egl, no_context_is_left_current) {
  ts_ldi_pair pair = torus_and_sphere(32);
  void *egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){0});
  void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_NOLOAD);
  cr_assert(library);
  void *symbol = dlsym(library, "eglGetCurrentContext");
  void *(*current)(void) = NULL;
  memcpy(&current, &symbol, sizeof current);
  cr_assert(current);
  cr_expect_null(current());
  place(&ts_ldi_backend_egl, egl, &pair);
  cr_expect_null(current());
  measure(&ts_ldi_backend_egl, egl);
  cr_expect_null(current());
  ts_ldi_backend_egl.destroy(egl);
  dlclose(library);
}

/// Exit status of a forked child that runs `work`, which returns 0 when all is fine.
static int in_child(int (*work)(void *context), void *context) {
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0)
    _exit(work(context));
  int status = 0;
  cr_assert_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum { REFUSED = 10 };

static int make_and_measure(void *context) {
  const ts_ldi_pair *pair = context;
  void *egl = NULL;
  ts_ldi_sums sums;
  ts_status status = ts_ldi_egl_create(&egl, pair->mesh, (ts_ldi_egl_capacity){0});
  if (status != TS_OK)
    return status == TS_E_UNSUPPORTED ? REFUSED : 1;
  if (ts_ldi_backend_egl.place(egl, pair) != TS_OK)
    return 2;
  if (ts_ldi_backend_egl.measure(&sums, egl) != TS_OK)
    return 3;
  ts_ldi_backend_egl.destroy(egl);
  return sums.volume_px3[0] > 0 ? 0 : 4;
}

Test(ldi_egl, a_forked_process_can_use_it_when_the_parent_is_done_unless_it_used_a_card,
     .timeout = 60) {
  ts_ldi_pair pair = torus_and_sphere(32);
  char device[TS_LDI_DEVICE_BYTES];
  cr_assert_eq(ts_ldi_backend_egl.probe(device), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(in_child(make_and_measure, &pair), ts_ldi_egl_is_hardware() ? REFUSED : 0);
}

static int refuse(void *context) {
  ts_ldi_sums sums;
  void *fresh = NULL;
  const ts_mesh *const mesh[2] = {0};
  if (ts_ldi_backend_egl.measure(&sums, context) != TS_E_UNSUPPORTED)
    return 1;
  if (ts_ldi_egl_create(&fresh, mesh, (ts_ldi_egl_capacity){0}) != TS_E_UNSUPPORTED)
    return 2;
  ts_ldi_backend_egl.destroy(context);
  return 0;
}

Test(ldi_egl, a_pair_that_was_forked_refuses_instead_of_waiting_for_ever, .timeout = 60) {
  ts_ldi_pair pair = torus_and_sphere(32);
  void *egl = open_egl(pair.mesh, (ts_ldi_egl_capacity){0});
  place(&ts_ldi_backend_egl, egl, &pair);
  cr_expect_eq(in_child(refuse, egl), 0);
  measure(&ts_ldi_backend_egl, egl);
  ts_ldi_backend_egl.destroy(egl);
}
