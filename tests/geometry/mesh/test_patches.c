// SPDX-License-Identifier: MIT
// covers: geometry/mesh/patches.c
#include "base/random.h"
#include "geometry/mesh/patches.h"
#include "tests/geometry/mesh/solids.h"
#include "tests/geometry/random_geometry.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_patches, .init = setup, .fini = teardown);

static const ts_patches *patches_of(const ts_mesh *mesh, double flat_m) {
  ts_patches *patches = NULL;
  cr_assert_eq(ts_patches_create(&patches, arena, mesh, flat_m), TS_OK, "%s", ts_status_detail());
  return patches;
}

/// Every triangle in one patch, every border between patches in one edge, every corner list sorted.
static void assert_sound(const ts_patches *p) {
  size_t triangles = 0, borders = 0, on_edges = 0;
  for (size_t i = 0; i < p->patch_count; i++) {
    triangles += p->patches[i].triangle_count;
    for (uint32_t k = 0; k < p->patches[i].triangle_count; k++)
      cr_assert_eq(p->patch_of[p->triangles[p->patches[i].first_triangle + k]], i);
    cr_assert_float_eq(ts_vec3_norm(p->patches[i].normal), 1, 1e-14);
    on_edges += p->patches[i].edge_count;
  }
  cr_assert_eq(triangles, p->mesh->triangle_count);
  cr_assert_eq(on_edges, 2 * p->edge_count);
  for (size_t h = 0; h < 3 * p->mesh->triangle_count; h++)
    borders += p->patch_of[h / 3] != p->patch_of[p->mesh->edge_twin[h] / 3];
  cr_assert_leq(p->edge_count, borders / 2);
  for (size_t c = 0; c < p->corner_count; c++) {
    const ts_patch_corner *corner = &p->corners[c];
    cr_assert_eq(p->corner_of_vertex[corner->vertex], c);
    for (uint32_t k = 1; k < corner->patch_count; k++)
      cr_assert_lt(p->patches_of_corners[corner->first_patch + k - 1],
                   p->patches_of_corners[corner->first_patch + k]);
  }
}

static size_t convex_count(const ts_patches *p) {
  size_t count = 0;
  for (size_t e = 0; e < p->edge_count; e++)
    count += p->edges[e].is_convex;
  return count;
}

/// Cuts every triangle in four, `rounds` times.
static ts_mesh *cut_finer(const ts_mesh *mesh, int rounds) {
  ts_mesh *finer = NULL;
  for (int round = 0; round < rounds; round++) {
    size_t half_edges = 3 * mesh->triangle_count, count = mesh->vertex_count;
    ts_vec3 *vertices = ts_arena_array(arena, count + half_edges, sizeof *vertices);
    uint32_t *middle = ts_arena_array(arena, half_edges, sizeof *middle);
    uint32_t(*triangles)[3] = ts_arena_array(arena, 4 * mesh->triangle_count, sizeof *triangles);
    for (size_t i = 0; i < count; i++)
      vertices[i] = mesh->vertices[i];
    for (uint32_t h = 0; h < half_edges; h++) {
      uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h + 1) % 3];
      if (h < mesh->edge_twin[h]) {
        vertices[count] = ts_vec3_mid(mesh->vertices[from], mesh->vertices[to]);
        middle[h] = middle[mesh->edge_twin[h]] = (uint32_t)count++;
      }
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
      for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++)
          triangles[4 * t + i][k] = i == 3   ? middle[3 * t + k]
                                    : k == 0 ? mesh->triangles[t][i]
                                             : middle[3 * t + (k == 1 ? i : (i + 2) % 3)];
    cr_assert_eq(ts_mesh_create(&finer, arena, vertices, count, (const uint32_t(*)[3])triangles,
                                4 * mesh->triangle_count),
                 TS_OK, "%s", ts_status_detail());
    mesh = finer;
  }
  return finer;
}

Test(geometry_patches, a_box_has_six_patches_twelve_ridges_and_eight_corners) {
  for (int flipped = 0; flipped < 2; flipped++) {
    solid box = solid_box(1, 2, 3, flipped);
    const ts_patches *p = patches_of(solid_mesh(arena, &box), 1e-5);
    assert_sound(p);
    cr_expect_eq(p->patch_count, 6);
    cr_expect_eq(p->edge_count, 12);
    cr_expect_eq(convex_count(p), 12);
    cr_expect_eq(p->corner_count, 8);
    for (size_t i = 0; i < 6; i++)
      cr_expect_float_eq(p->patches[i].offset_m, 0.5 * (i < 2 ? 1 : i < 4 ? 2 : 3), 1e-15);
    for (size_t c = 0; c < 8; c++)
      cr_expect(p->corners[c].patch_count == 3 && p->corners[c].edge_count == 3);
  }
}

Test(geometry_patches, a_groove_has_one_valley_whose_ends_are_corners_of_three_patches) {
  solid groove = solid_groove();
  const ts_patches *p = patches_of(solid_mesh(arena, &groove), 1e-5);
  assert_sound(p);
  cr_expect_eq(p->patch_count, 9, "%zu: the tops beside the groove are two", p->patch_count);
  cr_expect_eq(p->edge_count - convex_count(p), 1);
  for (size_t e = 0; e < p->edge_count; e++)
    for (int i = 0; i < 2 && !p->edges[e].is_convex; i++) {
      const ts_patch_corner *corner = &p->corners[p->corner_of_vertex[p->edges[e].vertices[i]]];
      ts_vec3 at = p->mesh->vertices[corner->vertex];
      cr_expect_eq(corner->patch_count, 3);
      cr_expect_float_eq(fabs(at.x) + fabs(at.y), 0, 0);
      cr_expect_float_eq(fabs(at.z), 2, 0);
    }
}

Test(geometry_patches, how_flat_parts_are_cut_does_not_show_and_neither_does_noise) {
  ts_random random = ts_random_seed(4, 0);
  solid groove = solid_groove();
  const ts_mesh *mesh = cut_finer(solid_mesh(arena, &groove), 2);
  ts_vec3 *noisy = ts_arena_array(arena, mesh->vertex_count, sizeof *noisy);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    noisy[i] = ts_vec3_add(mesh->vertices[i], random_point(&random, 1e-6));
  ts_mesh *moved = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, noisy), TS_OK);
  const ts_mesh *both[2] = {mesh, moved};
  const ts_patches *plain = patches_of(solid_mesh(arena, &groove), 1e-5);
  for (int i = 0; i < 2; i++) {
    const ts_patches *p = patches_of(both[i], 4e-5);
    assert_sound(p);
    cr_expect_eq(p->patch_count, plain->patch_count);
    cr_expect_eq(p->edge_count, plain->edge_count);
    cr_expect_eq(convex_count(p), convex_count(plain));
    cr_expect_eq(p->corner_count, plain->corner_count);
  }
  cr_expect_gt(patches_of(moved, 1e-9)->patch_count, 100, "the noise is there");
}

static const ts_patches *joined_patches_of(const ts_mesh *mesh, double flat_m) {
  ts_patches *out;
  cr_assert_eq(ts_patches_create_joined(&out, arena, mesh, flat_m), TS_OK);
  return out;
}

Test(geometry_patches, joined_they_are_whole_where_noise_tilts_their_seeds) {
  solid groove = solid_groove();
  const ts_patches *plain = patches_of(solid_mesh(arena, &groove), 1e-5);
  const ts_mesh *mesh = cut_finer(solid_mesh(arena, &groove), 4);
  const double sizes[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    ts_random random = ts_random_seed(7, (uint64_t)i);
    ts_vec3 *noisy = ts_arena_array(arena, mesh->vertex_count, sizeof *noisy);
    for (size_t v = 0; v < mesh->vertex_count; v++)
      noisy[v] =
          ts_vec3_scale(ts_vec3_add(mesh->vertices[v], random_point(&random, 1e-6)), sizes[i]);
    ts_mesh *moved = NULL;
    cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, noisy), TS_OK);
    cr_expect_gt(patches_of(moved, 3e-6 * sizes[i])->patch_count, 2 * plain->patch_count);
    const ts_patches *p = joined_patches_of(moved, 3e-6 * sizes[i]);
    assert_sound(p);
    cr_expect_eq(p->patch_count, plain->patch_count, "%zu at %g", p->patch_count, sizes[i]);
    cr_expect_eq(p->edge_count, plain->edge_count);
    cr_expect_eq(p->corner_count, plain->corner_count);
  }
}

Test(geometry_patches, joining_leaves_exact_ones_and_the_sides_of_a_sheet_apart) {
  solid box = solid_box(1, 1e-7, 1, 0);
  cr_expect_eq(joined_patches_of(solid_mesh(arena, &box), 1e-9)->patch_count, 6);
  // Thinner than the tolerance: its rim may be in either side, these are two.
  const ts_patches *p = joined_patches_of(solid_mesh(arena, &box), 1e-5);
  size_t large = 0;
  for (size_t i = 0; i < p->patch_count; i++)
    large += p->patches[i].area_m2 > 0.9;
  cr_expect_eq(large, 2);
}

Test(geometry_patches, a_frustum_too_steep_for_its_band_keeps_its_sides_apart) {
  solid frustum = solid_frustum(1, 0.5, 1);
  const ts_patches *p = patches_of(solid_mesh(arena, &frustum), 1e-5);
  assert_sound(p);
  cr_expect_eq(p->patch_count, 8);
  cr_expect_eq(p->edge_count, 18);
}

/// A sheet thinner than the band: its two sides must stay apart.
Test(geometry_patches, both_sides_of_a_very_thin_sheet_are_patches_of_their_own) {
  solid sheet = solid_box(1, 1, 1e-6, 0);
  const ts_patches *p = patches_of(solid_mesh(arena, &sheet), 1e-5);
  assert_sound(p);
  cr_expect_eq(p->patch_count, 6);
  cr_expect_float_eq(ts_vec3_dot(p->patches[0].normal, p->patches[1].normal), -1, 1e-12);
}

Test(geometry_patches, scale_changes_nothing_but_lengths) {
  static const double scales[] = {1e-3, 1e3};
  for (int i = 0; i < 2; i++) {
    solid groove = solid_groove();
    solid_scale(&groove, scales[i]);
    const ts_patches *p = patches_of(solid_mesh(arena, &groove), 4e-5 * scales[i]);
    cr_expect_eq(p->patch_count, 9);
    cr_expect_eq(p->edge_count, 21);
    cr_expect_eq(p->corner_count, 14);
  }
}

static double square_of_twice_the_area(const ts_mesh *mesh, uint32_t t) {
  const uint32_t *c = mesh->triangles[t];
  ts_vec3 a = mesh->vertices[c[0]];
  return ts_vec3_norm2(
      ts_vec3_cross(ts_vec3_sub(mesh->vertices[c[1]], a), ts_vec3_sub(mesh->vertices[c[2]], a)));
}

/// On a ball each triangle is a patch of its own, and many are as large as others.
Test(geometry_patches, patches_are_in_the_order_of_falling_area_then_of_triangles) {
  ts_random random = ts_random_seed(6, 0);
  solid box = solid_box(1, 1, 1, 0);
  const ts_mesh *cut = cut_finer(solid_mesh(arena, &box), 4);
  ts_vec3 *places = ts_arena_array(arena, cut->vertex_count, sizeof *places);
  for (size_t i = 0; i < cut->vertex_count; i++) {
    double radius = i % 3 ? 1 : ts_random_uniform(&random, 0.99, 1.01);
    places[i] = ts_vec3_scale(ts_vec3_unit(cut->vertices[i]), radius);
  }
  ts_mesh *ball = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&ball, arena, cut, places), TS_OK);
  const ts_patches *p = patches_of(ball, 1e-12);
  cr_assert_eq(p->patch_count, ball->triangle_count);
  size_t equal = 0;
  for (size_t i = 1; i < p->patch_count; i++) {
    uint32_t before = p->triangles[i - 1], t = p->triangles[i];
    double larger = square_of_twice_the_area(ball, before),
           here = square_of_twice_the_area(ball, t);
    cr_assert(larger > here || (larger == here && before < t), "patch %zu", i);
    equal += larger == here;
  }
  cr_expect_gt(equal, 10);
}
