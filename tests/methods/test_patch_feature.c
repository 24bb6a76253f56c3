// SPDX-License-Identifier: MIT
// covers: methods/patch_feature.c
#include "methods/patch_feature.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(methods_patch_feature, .init = setup, .fini = teardown, .timeout = 60);

/// A tower of square cross-sections, outward: (height, half width) from below.
static const ts_patches *make_tower(const double (*rings)[2], uint32_t count, double scale,
                                    ts_vec3 offset) {
  ts_vec3 vertices[16];
  uint32_t triangles[64][3];
  size_t triangle_count = 0;
  for (uint32_t i = 0; i < 4 * count; i++) {
    double x = (i % 4 == 0 || i % 4 == 3 ? -1 : 1) * rings[i / 4][1];
    double z = (i % 4 < 2 ? -1 : 1) * rings[i / 4][1];
    vertices[i] = ts_vec3_add_scaled(offset, scale, (ts_vec3){x, rings[i / 4][0], z});
  }
  const uint32_t ends[4][3] = {{0, 1, 2},
                               {0, 2, 3},
                               {4 * count - 4, 4 * count - 2, 4 * count - 3},
                               {4 * count - 4, 4 * count - 1, 4 * count - 2}};
  for (uint32_t i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      triangles[i][k] = ends[i][k];
  triangle_count = 4;
  for (uint32_t ring = 0; ring + 1 < count; ring++)
    for (uint32_t i = 0; i < 4; i++) {
      uint32_t a = 4 * ring + i, b = 4 * ring + (i + 1) % 4;
      const uint32_t both[2][3] = {{a, a + 4, b}, {b, a + 4, b + 4}};
      for (int half = 0; half < 2; half++, triangle_count++)
        for (int k = 0; k < 3; k++)
          triangles[triangle_count][k] = both[half][k];
    }
  ts_mesh *mesh;
  ts_patches *patches;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 4 * count, (const uint32_t(*)[3])triangles,
                              triangle_count),
               TS_OK);
  cr_assert_eq(ts_patches_create(&patches, arena, mesh, 1e-9 * scale), TS_OK);
  return patches;
}

static const double cube[2][2] = {{-1, 1}, {1, 1}};

static void expect(const ts_patches *patches, ts_feature named, ts_vec3 place, ts_vec3 outward,
                   ts_feature_kind kind, double scale) {
  ts_feature seen =
      ts_patch_feature(patches, named, place, ts_vec3_unit(outward), 1e-6 * scale, 1e-9 * scale);
  cr_expect_eq(seen.kind, (int32_t)kind, "(%g, %g, %g): kind %d", outward.x, outward.y, outward.z,
               seen.kind);
}

// A corner of a cube, whose directions are those of a face, of an edge and of the corner alone; the
// name that comes in is that of a side, which has none of them.
Test(methods_patch_feature, a_corner_is_named_after_what_has_the_normal) {
  const double scales[] = {1e-3, 1, 1e3};
  for (size_t i = 0; i < 3; i++)
    for (int far = 0; far < 2; far++) {
      double scale = scales[i];
      ts_vec3 offset = ts_vec3_scale((ts_vec3){far * 1e3, 0, far * -1e3}, scale);
      const ts_patches *patches = make_tower(cube, 2, scale, offset);
      ts_vec3 corner = ts_vec3_add_scaled(offset, scale, (ts_vec3){1, 1, 1});
      ts_feature side = {TS_FEATURE_FACE, 8};
      expect(patches, side, corner, (ts_vec3){0, 1, 0}, TS_FEATURE_FACE, scale);
      expect(patches, side, corner, (ts_vec3){0, 1, 1}, TS_FEATURE_EDGE, scale);
      expect(patches, side, corner, (ts_vec3){1, 1, 1}, TS_FEATURE_VERTEX, scale);
      expect(patches, side, corner, (ts_vec3){0.001, 1, 0.001}, TS_FEATURE_FACE, scale);
    }
}

Test(methods_patch_feature, a_name_that_has_the_normal_stays) {
  const ts_patches *patches = make_tower(cube, 2, 1, (ts_vec3){0, 0, 0});
  ts_vec3 corner = {1, 1, 1};
  ts_feature vertex = {TS_FEATURE_VERTEX, 6};
  ts_feature seen = ts_patch_feature(patches, vertex, corner, (ts_vec3){0, 1, 0}, 1e-6, 1e-9);
  cr_expect_eq(seen.kind, TS_FEATURE_VERTEX);
  cr_expect_eq(seen.index, 6);
  // Both triangles of a face have one name.
  ts_feature first = ts_patch_feature(patches, (ts_feature){TS_FEATURE_FACE, 2}, corner,
                                      (ts_vec3){0, 1, 0}, 1e-6, 1e-9);
  ts_feature second = ts_patch_feature(patches, (ts_feature){TS_FEATURE_FACE, 3}, corner,
                                       (ts_vec3){0, 1, 0}, 1e-6, 1e-9);
  cr_expect_eq(first.index, second.index);
}

// An hourglass has a valley around its waist: its edges and corners do not have the normal between
// the two faces; a corner has it for a part of the solid.
Test(methods_patch_feature, valleys_have_no_normals) {
  static const double hourglass[3][2] = {{-1, 1}, {0, 0.25}, {1, 1}};
  const ts_patches *patches = make_tower(hourglass, 3, 1, (ts_vec3){0, 0, 0});
  ts_feature face = {TS_FEATURE_FACE, 4};
  expect(patches, face, (ts_vec3){0, 0, -0.25}, (ts_vec3){0, 0, -1}, TS_FEATURE_NONE, 1);
  expect(patches, face, (ts_vec3){0.25, 0, -0.25}, (ts_vec3){0, 0, -1}, TS_FEATURE_VERTEX, 1);
}

Test(methods_patch_feature, what_is_far_from_the_place_is_not_taken) {
  const ts_patches *patches = make_tower(cube, 2, 1, (ts_vec3){0, 0, 0});
  ts_feature side = {TS_FEATURE_FACE, 8};
  expect(patches, side, (ts_vec3){1, 1, 1}, (ts_vec3){0, 1, 1}, TS_FEATURE_EDGE, 1);
  expect(patches, side, (ts_vec3){0, 0, 1}, (ts_vec3){0, 1, 1}, TS_FEATURE_NONE, 1);
  expect(patches, (ts_feature){TS_FEATURE_NONE, 0}, (ts_vec3){0, 1, 1}, (ts_vec3){0, 1, 1},
         TS_FEATURE_NONE, 1);
}
