// SPDX-License-Identifier: MIT
// covers: geometry/mesh/tetgen.c geometry/mesh/touchstone_tetgen.cc
#include "geometry/mesh/tetgen.h"

#include "base/status.h"
#include "geometry/mesh/tetgen_protocol.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "tests/geometry/mesh/fake_helper.h"
#include "tests/geometry/mesh/solids.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  unsetenv("TOUCHSTONE_TETGEN");
}

static void teardown(void) {
  cr_expect(has_no_child(), "a process is left");
  ts_arena_destroy(arena);
}

TestSuite(geometry_tetgen, .init = setup, .fini = teardown);

/// A hexagonal frustum whose caps are fans round a centre vertex.
static solid fan_frustum(double bottom_radius, double top_radius, double height) {
  solid rim = solid_frustum(bottom_radius, top_radius, height), s = {0};
  memcpy(s.vertices, rim.vertices, 12 * sizeof *s.vertices);
  s.vertex_count = 12;
  solid_add_vertex(&s, 0, 0, 0);
  solid_add_vertex(&s, 0, 0, height);
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t k = (i + 1) % 6;
    solid_add_triangle(&s, 12, k, i);
    solid_add_triangle(&s, 13, i + 6, k + 6);
    solid_add_triangle(&s, i, k, k + 6);
    solid_add_triangle(&s, i, k + 6, i + 6);
  }
  return s;
}

/// A roof, its ridge of length 4 b at y = h over a base of half sides b and 2 b.
static solid wedge(double b, double h) {
  solid s = {0};
  for (int i = 0; i < 4; i++)
    solid_add_vertex(&s, i == 1 || i == 2 ? b : -b, 0, i < 2 ? -2 * b : 2 * b);
  solid_add_vertex(&s, 0, h, -2 * b);
  solid_add_vertex(&s, 0, h, 2 * b);
  static const uint32_t triangles[8][3] = {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {3, 2, 5},
                                           {1, 4, 5}, {1, 5, 2}, {0, 3, 5}, {0, 5, 4}};
  for (int t = 0; t < 8; t++)
    solid_add_triangle(&s, triangles[t][0], triangles[t][1], triangles[t][2]);
  return s;
}

/// A block x +-1, y +-0.5, z +-1 with a pyramid pit in its top, down to the origin.
static solid block_with_pit(void) {
  solid s = {0};
  static const double ring[3][2] = {{1, -0.5}, {1, 0.5}, {0.5, 0.5}}; // half side, height
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < 4; i++)
      solid_add_vertex(&s, i == 1 || i == 2 ? ring[r][0] : -ring[r][0], ring[r][1],
                       i < 2 ? -ring[r][0] : ring[r][0]);
  solid_add_vertex(&s, 0, 0, 0);
  solid_add_triangle(&s, 0, 1, 2);
  solid_add_triangle(&s, 0, 2, 3);
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t k = (i + 1) % 4;
    for (uint32_t r = 0; r < 2; r++) {
      solid_add_triangle(&s, i + 4 * r, i + 4 * r + 4, k + 4 * r + 4);
      solid_add_triangle(&s, i + 4 * r, k + 4 * r + 4, k + 4 * r);
    }
    solid_add_triangle(&s, i + 8, 12, k + 8);
  }
  return s;
}

static void expect_filled(const ts_mesh *mesh, const ts_mesh *surface,
                          const ts_tetgen_options *options) {
  double sum = 0, volume = ts_mesh_mass_properties(surface, 1).volume_m3;
  size_t outer = 0;
  for (size_t t = 0; t < mesh->tet_count; t++) {
    ts_vec3 p[4];
    for (int i = 0; i < 4; i++) {
      cr_assert_lt(mesh->tets[t][i], mesh->vertex_count);
      p[i] = mesh->vertices[mesh->tets[t][i]];
    }
    double tet = ts_tet_volume(p);
    cr_expect_gt(tet, 0);
    if (options->may_split_surface && options->max_volume_m3 > 0)
      cr_expect_leq(tet, options->max_volume_m3 * (1 + TS_TET_FILL_RELATIVE));
    sum += tet;
    for (int i = 0; i < 4; i++)
      outer += mesh->tet_surface[t] >> i & 1;
  }
  cr_expect_leq(fabs(sum - volume), TS_TET_FILL_RELATIVE * volume, "%.17g of %.17g", sum, volume);
  cr_expect_eq(outer, mesh->triangle_count);
  cr_expect_eq(
      memcmp(mesh->vertices, surface->vertices, surface->vertex_count * sizeof *surface->vertices),
      0, "the surface's vertices come first");
  if (!options->may_split_surface) {
    cr_assert_eq(mesh->triangle_count, surface->triangle_count);
    cr_expect_eq(memcmp(mesh->triangles, surface->triangles,
                        surface->triangle_count * sizeof *surface->triangles),
                 0, "the surface is kept");
  }
}

static ts_mesh *fill_with(const ts_mesh *surface, const ts_tetgen_options *options) {
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_tetgen_fill(&mesh, arena, surface, options), TS_OK, "%s", ts_status_detail());
  expect_filled(mesh, surface, options);
  return mesh;
}

static ts_mesh *fill(const solid *s) {
  return fill_with(solid_mesh(arena, s), &ts_tetgen_coarse);
}

/// The fill fails in this way, with this word in its message, and leaves nothing in the arena.
static void expect_refused(const ts_mesh *surface, const ts_tetgen_options *options,
                           ts_status status, const char *word) {
  ts_mesh *mesh = NULL;
  size_t used = ts_arena_used(arena);
  cr_expect_eq(ts_tetgen_fill(&mesh, arena, surface, options), status, "%s", ts_status_detail());
  cr_expect_not_null(strstr(ts_status_detail(), word), "no \"%s\" in \"%s\"", word,
                     ts_status_detail());
  cr_expect_null(mesh);
  cr_expect_eq(ts_arena_used(arena), used);
}

static void expect_counts(solid s, size_t vertices, size_t tets, const char *name) {
  ts_mesh *mesh = fill(&s);
  cr_expect_eq(mesh->vertex_count, vertices, "%s: %zu vertices", name, mesh->vertex_count);
  cr_expect_eq(mesh->tet_count, tets, "%s: %zu tets", name, mesh->tet_count);
}

Test(geometry_tetgen, coarse_counts_are_those_of_the_published_meshes) {
  expect_counts(solid_box(3, 0.3, 3, 0), 9, 12, "ground");
  expect_counts(solid_box(0.5, 0.21, 0.5, 1), 9, 12, "stone");
  expect_counts(solid_box(0.625, 0.4, 0.5, 0), 9, 12, "brick");
  expect_counts(fan_frustum(0.25, 0.2, 0.21), 14, 18, "flat frustum");
  expect_counts(fan_frustum(0.2, 0.18333, 0.93333), 14, 18, "tall frustum");
  expect_counts(solid_spike(0.8, 2.4), 5, 2, "spike");
  expect_counts(wedge(0.8, 2.4), 6, 3, "wedge");
}

Test(geometry_tetgen, every_face_of_a_tet_is_on_the_surface) {
  solid s = solid_tet(1, 2, 3);
  ts_mesh *mesh = fill(&s);
  cr_assert_eq(mesh->tet_count, 1);
  cr_expect_eq(mesh->tet_surface[0], 15);
}

Test(geometry_tetgen, surfaces_that_are_not_convex_are_filled) {
  solid groove = solid_groove(), pit = block_with_pit();
  cr_expect_float_eq(ts_mesh_mass_properties(fill(&groove), 1).volume_m3, 7, 1e-12);
  cr_expect_float_eq(ts_mesh_mass_properties(fill(&pit), 1).volume_m3, 4 - 1.0 / 6, 1e-12);
}

Test(geometry_tetgen, bodies_in_several_pieces_are_filled) {
  solid s = solid_box(1, 1, 1, 0), other = s;
  solid_join(&s, &other, (ts_vec3){3, 0.5, 0.25});
  cr_expect_eq(fill(&s)->tet_count, 24);
}

static const double scales[] = {1e-3, 1, 1e3};

Test(geometry_tetgen, size_and_place_do_not_matter) {
  for (int far = 0; far < 2; far++)
    for (int i = 0; i < 3; i++) {
      solid s = far ? solid_box(1, 1, 1, 0) : fan_frustum(0.25, 0.2, 0.21);
      solid_scale(&s, scales[i]);
      if (far)
        solid_move(&s, (ts_pose){{1, 0, 0, 0}, {1e4, -1e4, 1e4}});
      cr_expect_eq(fill(&s)->tet_count, far ? 12 : 18, "scale %g", scales[i]);
    }
}

Test(geometry_tetgen, a_volume_bound_is_kept_where_the_surface_may_be_split) {
  for (int far = 0; far < 2; far++)
    for (int i = 0; i < 3; i++) {
      solid s = solid_box(1, 0.8, 0.6, 0);
      solid_scale(&s, scales[i]);
      if (far && scales[i] >= 1) // smaller ones have lost too many digits there
        solid_move(&s, (ts_pose){{1, 0, 0, 0}, {1e4, -1e4, 1e4}});
      ts_tetgen_options options = ts_tetgen_coarse;
      options.may_split_surface = true;
      options.max_volume_m3 = 0.002 * scales[i] * scales[i] * scales[i];
      const ts_mesh *mesh = fill_with(solid_mesh(arena, &s), &options);
      cr_expect_gt(mesh->tet_count, 240);
      cr_expect_gt(mesh->triangle_count, 12);
    }
}

Test(geometry_tetgen, split_surfaces_that_are_not_convex_keep_their_volume) {
  const solid solids[] = {solid_groove(), block_with_pit(), wedge(0.8, 2.4),
                          fan_frustum(0.2, 0.15, 0.9)};
  for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
    const ts_mesh *surface = solid_mesh(arena, &solids[i]);
    double volume = ts_mesh_mass_properties(surface, 1).volume_m3;
    fill_with(surface, &(ts_tetgen_options){1.4, volume / 100, true, 60, 0});
  }
}

Test(geometry_tetgen, no_bound_means_as_few_tets_as_it_takes) {
  solid s = solid_box(1, 1, 1, 0);
  ts_tetgen_options options = {0, 0, true, 10, 0};
  cr_expect_leq(fill_with(solid_mesh(arena, &s), &options)->tet_count, 12);
  options.may_split_surface = false;
  cr_expect_leq(fill_with(solid_mesh(arena, &s), &options)->tet_count, 12);
}

/// Frusta, whose cones TetGen cuts one way or another by the last bit.
Test(geometry_tetgen, bodies_that_differ_by_a_scale_are_cut_alike) {
  const double scales[] = {1e-3, 0.37, 1.0000001, 1e3};
  const solid solids[] = {fan_frustum(0.2, 0.15, 0.9), fan_frustum(0.25, 0.2, 0.21),
                          block_with_pit()};
  for (size_t i = 0; i < sizeof solids / sizeof *solids; i++)
    for (int split = 0; split < 2; split++) {
      const ts_mesh *surface = solid_mesh(arena, &solids[i]);
      ts_tetgen_options options = {split ? 1.4 : 2, 0, split, 60, 1};
      if (split)
        options.max_volume_m3 = ts_mesh_mass_properties(surface, 1).volume_m3 / 100;
      const ts_mesh *one = fill_with(surface, &options);
      for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        double scale = scales[k];
        ts_vec3 *vertices = ts_arena_array(arena, surface->vertex_count, sizeof *vertices);
        for (size_t v = 0; v < surface->vertex_count; v++)
          vertices[v] = ts_vec3_scale(surface->vertices[v], scale);
        ts_mesh *scaled;
        cr_assert_eq(ts_mesh_with_vertices(&scaled, arena, surface, vertices), TS_OK);
        ts_tetgen_options scaled_options = options;
        scaled_options.max_volume_m3 *= scale * scale * scale;
        scaled_options.unit_m = scale;
        const ts_mesh *mesh = fill_with(scaled, &scaled_options);
        cr_assert_eq(mesh->tet_count, one->tet_count, "solid %zu, scale %g", i, scale);
        cr_expect_eq(memcmp(mesh->tets, one->tets, one->tet_count * sizeof *one->tets), 0,
                     "solid %zu, scale %g", i, scale);
        for (size_t v = 0; v < one->vertex_count; v++)
          cr_assert_leq(ts_vec3_distance(mesh->vertices[v], ts_vec3_scale(one->vertices[v], scale)),
                        1e-12 * scale, "solid %zu, scale %g, vertex %zu", i, scale, v);
      }
    }
}

Test(geometry_tetgen, unused_vertices_stay_and_stay_unused) {
  solid s = {0}, box = solid_box(1, 1, 1, 0);
  solid_add_vertex(&s, 9, 9, 9);
  solid_join(&s, &box, (ts_vec3){0, 0, 0});
  solid_add_vertex(&s, 0.1, 0.2, 0.3); // inside, where TetGen would make use of it
  solid_add_vertex(&s, 0.5, 0.1, 0.2); // on a face, where it would split it
  for (int split = 0; split < 2; split++) {
    ts_tetgen_options options = {2, 0, split, 10, 0};
    const ts_mesh *mesh = fill_with(solid_mesh(arena, &s), &options);
    cr_expect_geq(mesh->tet_count, 5);
    for (size_t t = 0; t < mesh->tet_count; t++)
      for (int i = 0; i < 4; i++) {
        uint32_t v = mesh->tets[t][i];
        cr_expect(v != 0 && v != 9 && v != 10, "tet %zu uses vertex %u", t, v);
      }
  }
}

/// A sphere's surface of 8 * 4^level triangles.
static ts_mesh *make_sphere(int level) {
  size_t side = (size_t)1 << level, count = 8 * side * side;
  ts_vec3 *vertices = ts_arena_array(arena, count / 2 + 2, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, count, sizeof *triangles);
  memcpy(vertices, (ts_vec3[]){{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
         6 * sizeof *vertices);
  static const uint32_t octahedron[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  memcpy(triangles, octahedron, sizeof octahedron);
  size_t vertex_count = 6, triangle_count = 8;
  for (int l = 0; l < level; l++) {
    // Every edge is met twice; its middle is found again in a table by its two ends.
    uint32_t(*middles)[8][2] = ts_arena_array(arena, vertex_count, sizeof *middles);
    size_t before = triangle_count;
    for (size_t t = 0; t < before; t++) {
      uint32_t v[3], m[3];
      memcpy(v, triangles[t], sizeof v);
      for (int i = 0; i < 3; i++) {
        uint32_t a = v[i], b = v[(i + 1) % 3], low = a < b ? a : b, high = a < b ? b : a;
        int k = 0;
        while (middles[low][k][1] && middles[low][k][0] != high)
          k++;
        if (!middles[low][k][1]) {
          middles[low][k][0] = high;
          middles[low][k][1] = (uint32_t)vertex_count;
          vertices[vertex_count++] = ts_vec3_unit(ts_vec3_add(vertices[a], vertices[b]));
        }
        m[i] = middles[low][k][1];
      }
      const uint32_t parts[4][3] = {
          {m[0], m[1], m[2]}, {v[0], m[0], m[2]}, {v[1], m[1], m[0]}, {v[2], m[2], m[1]}};
      memcpy(triangles[t], parts[0], sizeof parts[0]);
      memcpy(triangles[triangle_count], parts[1], 3 * sizeof parts[0]);
      triangle_count += 3;
    }
  }
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, vertex_count, triangles, triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

Test(geometry_tetgen, surfaces_larger_than_a_socket_buffer_are_filled) {
  const ts_mesh *surface = make_sphere(5);
  cr_assert_eq(surface->triangle_count, 8192);
  ts_tetgen_options options = ts_tetgen_coarse;
  options.time_limit_s = 120;
  cr_expect_gt(fill_with(surface, &options)->tet_count, 8192);
}

static void expect_same_bits(const ts_mesh *a, const ts_mesh *b) {
  cr_assert_eq(a->vertex_count, b->vertex_count);
  cr_assert_eq(a->tet_count, b->tet_count);
  cr_assert_eq(a->triangle_count, b->triangle_count);
  cr_expect_eq(memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices), 0);
  cr_expect_eq(memcmp(a->tets, b->tets, a->tet_count * sizeof *a->tets), 0);
  cr_expect_eq(memcmp(a->tet_surface, b->tet_surface, a->tet_count), 0);
  cr_expect_eq(memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles), 0);
}

Test(geometry_tetgen, the_same_surface_gives_the_same_bits) {
  solid s = block_with_pit();
  const ts_mesh *surface = solid_mesh(arena, &s);
  const ts_tetgen_options fine = {1.2, 0.01, true, 60, 0};
  expect_same_bits(fill_with(surface, &fine), fill_with(surface, &fine));
  expect_same_bits(fill(&s), fill(&s));
}

typedef struct errand {
  ts_arena *arena;
  const ts_mesh *surface;
  ts_mesh *mesh;
  ts_status status;
} errand;

static void *run_errand(void *context) {
  errand *e = context;
  for (int i = 0; i < 5 && e->status == TS_OK; i++)
    e->status = ts_tetgen_fill(&e->mesh, e->arena, e->surface, &ts_tetgen_coarse);
  return NULL;
}

Test(geometry_tetgen, several_threads_may_fill_at_once) {
  solid s = solid_box(3, 0.3, 3, 0);
  errand errands[4];
  pthread_t threads[4];
  const ts_mesh *alone = fill(&s);
  for (int i = 0; i < 4; i++) {
    errands[i] = (errand){.surface = solid_mesh(arena, &s)};
    cr_assert_eq(ts_arena_create(&errands[i].arena), TS_OK);
    cr_assert_eq(pthread_create(&threads[i], NULL, run_errand, &errands[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    cr_expect_eq(errands[i].status, TS_OK);
    if (errands[i].status == TS_OK)
      expect_same_bits(errands[i].mesh, alone);
    ts_arena_destroy(errands[i].arena);
  }
}

Test(geometry_tetgen, options_that_mean_nothing_are_refused) {
  solid s = solid_box(1, 1, 1, 0);
  const ts_mesh *surface = solid_mesh(arena, &s);
  expect_refused(surface, &(ts_tetgen_options){1, 0, false, 10, 0}, TS_E_INPUT, "ratio");
  expect_refused(surface, &(ts_tetgen_options){-2, 0, false, 10, 0}, TS_E_INPUT, "ratio");
  expect_refused(surface, &(ts_tetgen_options){NAN, 0, false, 10, 0}, TS_E_INPUT, "ratio");
  expect_refused(surface, &(ts_tetgen_options){2, -1, false, 10, 0}, TS_E_INPUT, "volume");
  expect_refused(surface, &(ts_tetgen_options){2, INFINITY, false, 10, 0}, TS_E_INPUT, "volume");
  expect_refused(surface, &(ts_tetgen_options){2, 0, false, -1, 0}, TS_E_INPUT, "time");
  expect_refused(surface, &(ts_tetgen_options){2, 0, false, NAN, 0}, TS_E_INPUT, "time");
  expect_refused(surface, &(ts_tetgen_options){2, 0, false, 10, -1}, TS_E_INPUT, "unit");
  expect_refused(surface, &(ts_tetgen_options){2, 0, false, 10, NAN}, TS_E_INPUT, "unit");
}

Test(geometry_tetgen, what_does_not_end_in_time_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  expect_refused(solid_mesh(arena, &s), &(ts_tetgen_options){1.01, 1e-9, true, 0.3, 0}, TS_E_INPUT,
                 "within 0.3 s");
}

/// A unit box and another one, which may touch or cross it: ts_mesh_create does not look for that.
static const ts_mesh *two_boxes(double x, double y, double z) {
  solid s = solid_box(1, 1, 1, 0), other = s;
  solid_join(&s, &other, (ts_vec3){x, y, z});
  return solid_mesh(arena, &s);
}

Test(geometry_tetgen, surfaces_that_cross_or_touch_themselves_are_refused) {
  for (int split = 0; split < 2; split++) {
    ts_tetgen_options options = {2, 0, split, 10, 0};
    expect_refused(two_boxes(0.5, 0.3, 0.2), &options, TS_E_INPUT, "cross");
    expect_refused(two_boxes(0, 0, 0), &options, TS_E_INPUT, "cross");
    expect_refused(two_boxes(1, 0, 0), &options, TS_E_INPUT, "cross");
    expect_refused(two_boxes(1, 0.3, 0.2), &options, TS_E_INPUT, "cross");
    expect_refused(two_boxes(1, 1, 0), &options, TS_E_INPUT, "TetGen");
  }
  expect_refused(two_boxes(1, 1, 1), &ts_tetgen_coarse, TS_E_INPUT, "touch");
}

Test(geometry_tetgen, a_body_inside_a_body_is_refused) {
  solid s = solid_box(1, 1, 1, 0), inner = solid_box(0.5, 0.5, 0.5, 0);
  solid_join(&s, &inner, (ts_vec3){0, 0, 0});
  expect_refused(solid_mesh(arena, &s), &ts_tetgen_coarse, TS_E_INPUT, "refused");
  expect_refused(solid_mesh(arena, &s), &(ts_tetgen_options){2, 0, true, 10, 0}, TS_E_INPUT,
                 "refused");
}

Test(geometry_tetgen, a_plate_is_filled_or_refused_however_thin) {
  for (int power = 1; power < 13; power++) {
    solid s = solid_box(1, 1, pow(10, -power), 0);
    ts_mesh *surface, *mesh;
    if (solid_try(&surface, arena, &s) != TS_OK)
      continue;
    ts_status status = ts_tetgen_fill(&mesh, arena, surface, &ts_tetgen_coarse);
    if (status == TS_OK)
      expect_filled(mesh, surface, &ts_tetgen_coarse);
    cr_expect(status == TS_OK || (status == TS_E_INPUT && power > 4), "1e-%d: %s", power,
              ts_status_detail());
  }
}

/// The box is refused with this status and word when this script takes the place of the helper.
static void expect_failure(const char *lines, ts_status status, const char *word,
                           double time_limit_s) {
  solid s = solid_box(1, 1, 1, 0);
  fake_helper fake = fake_helper_make(lines);
  setenv("TOUCHSTONE_TETGEN", fake.program, 1);
  expect_refused(solid_mesh(arena, &s), &(ts_tetgen_options){2, 0, false, time_limit_s, 0}, status,
                 word);
  unsetenv("TOUCHSTONE_TETGEN");
  fake_helper_remove(&fake);
}

Test(geometry_tetgen, each_way_for_the_helper_to_fail_has_its_status) {
  expect_failure("exec sleep 100", TS_E_INPUT, "within 0.2 s", 0.2);
  expect_failure("kill -XCPU $$", TS_E_INPUT, "within 60 s", 60);
  expect_failure("kill -ABRT $$", TS_E_INPUT, "SIGABRT", 60);
  expect_failure("exit 13", TS_E_INPUT, "crosses itself", 60);
  expect_failure("exit 14", TS_E_INPUT, "small", 60);
  expect_failure("exit 15", TS_E_INPUT, "nearly lie on each other", 60);
  expect_failure("exit 12", TS_E_INPUT, "error 2", 60);
  expect_failure("exit 4", TS_E_INPUT, "more tets", 60);
  expect_failure("exit 3", TS_E_MEMORY, "memory", 60);
  expect_failure("exit 127", TS_E_UNSUPPORTED, "libtet1.5", 60);
  expect_failure("exit 1", TS_E_IO, "helper", 60);
  expect_failure("exit 2", TS_E_IO, "not valid", 60);
  expect_failure("exit 0", TS_E_IO, "not valid", 60);
  expect_failure("exit 99", TS_E_IO, "not valid", 60);
  expect_failure("echo hello", TS_E_IO, "not valid", 60);
  expect_failure("exec yes", TS_E_IO, "not valid", 60);
  // Well framed, but too short for the counts; counts that overflow.
  expect_failure("printf 'TSTETA01\\020\\0\\0\\0\\0\\0\\0\\0'", TS_E_IO, "not valid", 60);
  expect_failure(
      "printf 'TSTETA01\\040\\0\\0\\0\\0\\0\\0\\0'; printf '\\0\\0\\0\\0\\0\\0\\0\\200%.0s' 1 2",
      TS_E_IO, "not valid", 60);
}

/// The limit of the process is for fillings without one of their own.
Test(geometry_tetgen, the_time_limit_of_the_process_is_an_option_that_the_message_names) {
  ts_tetgen_set_time_limit(0.3);
  expect_failure("exec sleep 100", TS_E_INPUT, "within 0.3 s: allow more with --tetgen-limit", 0);
  expect_failure("exec sleep 100", TS_E_INPUT, "within 0.2 s", 0.2);
  ts_tetgen_set_time_limit(30);
}

Test(geometry_tetgen, without_the_helper_it_is_unsupported) {
  solid s = solid_box(1, 1, 1, 0);
  const ts_mesh *surface = solid_mesh(arena, &s);
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  expect_refused(surface, &ts_tetgen_coarse, TS_E_UNSUPPORTED, "libtet1.5-dev");
  setenv("TOUCHSTONE_TETGEN", "/", 1);
  expect_refused(surface, &ts_tetgen_coarse, TS_E_IO, "cannot start");
  setenv("TOUCHSTONE_TETGEN", "", 1); // counts as not set
  fill_with(surface, &ts_tetgen_coarse);
}

/// What the helper could answer for the spike: its vertices, one more, and tets.
typedef struct fake_answer {
  ts_tetgen_answer head;
  double vertices[6][3];
  uint32_t tets[3][4];
} fake_answer;

static const ts_vec3 extra = {0, 0, 0.5};

/// Five vertices and two tets, which fill the spike.
static fake_answer right_answer(const solid *spike) {
  fake_answer a = {.head = {.vertex_count = 5, .tet_count = 2},
                   .tets = {{0, 1, 2, 4}, {0, 2, 3, 4}, {0, 2, 3, 4}}};
  memcpy(a.head.magic, TS_TETGEN_ANSWER, 8);
  for (size_t i = 0; i < 6; i++) {
    ts_vec3 v = i < 5 ? spike->vertices[i] : extra;
    memcpy(a.vertices[i], (double[]){v.x, v.y, v.z}, sizeof a.vertices[i]);
  }
  return a;
}

/// Fills the spike by a helper that gives this answer. `extra_bytes` is added to the length
/// announced.
static ts_status fill_by(ts_mesh **out, fake_answer *a, bool may_split, int extra_bytes) {
  uint8_t bytes[sizeof *a + 64] = {0};
  size_t vertex_bytes = 24 * a->head.vertex_count, tet_bytes = 16 * a->head.tet_count;
  size_t count = sizeof a->head + vertex_bytes + tet_bytes + (size_t)extra_bytes;
  a->head.byte_count = count;
  memcpy(bytes, &a->head, sizeof a->head);
  memcpy(bytes + sizeof a->head, a->vertices, vertex_bytes);
  memcpy(bytes + sizeof a->head + vertex_bytes, a->tets, tet_bytes);
  fake_helper fake = fake_helper_make("cat >/dev/null; exec cat $1");
  fake_write(fake.data, bytes, count);
  setenv("TOUCHSTONE_TETGEN", fake.program, 1);
  solid s = solid_spike(0.8, 2.4);
  ts_status status = ts_tetgen_fill(out, arena, solid_mesh(arena, &s),
                                    &(ts_tetgen_options){2, 0, may_split, 10, 0});
  unsetenv("TOUCHSTONE_TETGEN");
  fake_helper_remove(&fake);
  return status;
}

static void expect_wrong(fake_answer a, int extra_bytes, ts_status status, const char *word) {
  for (int split = 0; split < 2; split++) {
    ts_mesh *mesh = NULL;
    cr_expect_eq(fill_by(&mesh, &a, split, extra_bytes), status, "%s: %s", word,
                 ts_status_detail());
    cr_expect_null(mesh);
    cr_expect_not_null(strstr(ts_status_detail(), word), "no \"%s\" in \"%s\"", word,
                       ts_status_detail());
  }
}

Test(geometry_tetgen, tets_of_either_orientation_are_taken) {
  solid s = solid_spike(0.8, 2.4);
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (int split = 0; split < 2; split++) {
      fake_answer a = right_answer(&s);
      for (int t = 0; t < 2 && mirrored; t++) {
        uint32_t swapped = a.tets[t][2];
        a.tets[t][2] = a.tets[t][3];
        a.tets[t][3] = swapped;
      }
      ts_mesh *mesh = NULL;
      cr_assert_eq(fill_by(&mesh, &a, split, 0), TS_OK, "%s", ts_status_detail());
      expect_filled(mesh, solid_mesh(arena, &s), &(ts_tetgen_options){2, 0, split, 10, 0});
    }
}

Test(geometry_tetgen, wrong_answers_are_refused) {
  solid s = solid_spike(0.8, 2.4);
  const fake_answer right = right_answer(&s);
  fake_answer a = right;
  a.head.tet_count = 0;
  expect_wrong(a, 0, TS_E_INPUT, "nothing to fill");
  a = right;
  a.head.vertex_count = 4;
  expect_wrong(a, 0, TS_E_INPUT, "lost vertices");
  a = right;
  a.vertices[3][1] = nextafter(a.vertices[3][1], 9);
  expect_wrong(a, 0, TS_E_INPUT, "moved vertex 3");
  a.vertices[3][1] = NAN;
  expect_wrong(a, 0, TS_E_INPUT, "moved vertex 3");
  a = right;
  a.head.vertex_count = 6;
  a.vertices[5][2] = INFINITY;
  expect_wrong(a, 0, TS_E_INPUT, "finite");
  a = right;
  a.tets[1][2] = 5;
  expect_wrong(a, 0, TS_E_INPUT, "uses vertex 5 of 5");
  a = right;
  a.tets[1][2] = 4; // twice in one tet
  expect_wrong(a, 0, TS_E_INPUT, "refused");
  a = right;
  a.tets[1][2] = 2;
  a.tets[1][1] = 3; // turned over, unlike the first
  expect_wrong(a, 0, TS_E_INPUT, "refused");
  a = right;
  a.head.tet_count = 1;
  expect_wrong(a, 0, TS_E_INPUT, "refused");
  a = right;
  a.head.tet_count = 3; // one of them twice
  expect_wrong(a, 0, TS_E_INPUT, "refused");
  expect_wrong(right, 4, TS_E_IO, "not valid"); // longer than what it holds
}
