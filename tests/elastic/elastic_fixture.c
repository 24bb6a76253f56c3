// SPDX-License-Identifier: MIT
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/direction.h"
#include "geometry/mesh/hull.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_mesh *create(ts_arena *arena, const ts_vec3 *vertices, size_t vertex_count,
                       const uint32_t (*triangles)[3], size_t triangle_count) {
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, vertex_count, triangles, triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

ts_mesh *elastic_boxes(ts_arena *arena, const ts_vec3 (*half_and_centre)[2], size_t count) {
  static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                        {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                        {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  ts_vec3 *vertices = ts_arena_array(arena, 8 * count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 12 * count, sizeof *triangles);
  for (size_t i = 0; i < count; i++) {
    ts_vec3 half = half_and_centre[i][0], centre = half_and_centre[i][1];
    for (size_t k = 0; k < 8; k++)
      vertices[8 * i + k] =
          (ts_vec3){centre.x + (k & 1 ? half.x : -half.x), centre.y + (k & 2 ? half.y : -half.y),
                    centre.z + (k & 4 ? half.z : -half.z)};
    for (size_t t = 0; t < 12; t++)
      for (size_t k = 0; k < 3; k++)
        triangles[12 * i + t][k] = (uint32_t)(8 * i) + faces[t][k];
  }
  return create(arena, vertices, 8 * count, (const uint32_t(*)[3])triangles, 12 * count);
}

ts_mesh *elastic_box(ts_arena *arena, ts_vec3 half, ts_vec3 centre) {
  const ts_vec3 one[1][2] = {{half, centre}};
  return elastic_boxes(arena, one, 1);
}

ts_mesh *elastic_shelves(ts_arena *arena) {
  static const double outline[8][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1},
                                       {1, 2}, {3, 2}, {3, 3}, {0, 3}};
  static const uint32_t cap[6][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4},
                                     {0, 4, 7}, {4, 5, 6}, {4, 6, 7}};
  ts_vec3 vertices[16];
  uint32_t triangles[28][3];
  size_t count = 0;
  for (int i = 0; i < 16; i++)
    vertices[i] = (ts_vec3){outline[i % 8][0], outline[i % 8][1], i / 8};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) {
      triangles[i][k] = cap[i][2 - k];
      triangles[6 + i][k] = 8 + cap[i][k];
    }
  count = 12;
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t next = (i + 1) % 8;
    const uint32_t side[2][3] = {{i, next, 8 + next}, {i, 8 + next, 8 + i}};
    memcpy(triangles[count], side, sizeof side);
    count += 2;
  }
  return create(arena, vertices, 16, (const uint32_t(*)[3])triangles, count);
}

ts_vec3 elastic_random_direction(ts_random *random) {
  for (;;) {
    ts_vec3 v = {ts_random_uniform(random, -1, 1), ts_random_uniform(random, -1, 1),
                 ts_random_uniform(random, -1, 1)};
    double norm = ts_vec3_norm(v);
    if (norm > 0.1 && norm < 1)
      return ts_vec3_unit(v);
  }
}

ts_mesh *elastic_rock(ts_arena *arena, ts_random *random) {
  enum { POINTS = 40 };
  ts_vec3 points[POINTS];
  for (int i = 0; i < POINTS; i++)
    points[i] = ts_vec3_scale(elastic_random_direction(random), ts_random_uniform(random, 0.7, 1));
  ts_hull hull;
  cr_assert_eq(ts_hull_of_points(&hull, arena, points, POINTS), TS_OK, "%s", ts_status_detail());
  return create(arena, hull.vertices, hull.vertex_count, (const uint32_t(*)[3])hull.triangles,
                hull.triangle_count);
}

ts_pose elastic_at(double x, double y, double z) {
  return (ts_pose){ts_quat_identity(), {x, y, z}};
}

ts_elastic_pair *elastic_pair_of(ts_arena *arena, const ts_mesh *a, ts_pose pose_a,
                                 const ts_mesh *b, ts_pose pose_b) {
  ts_bvh *bvhs[2];
  ts_elastic_pair *pair = NULL;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvhs[0], arena, a), TS_OK);
  cr_assert_eq(ts_bvh_create_for_mesh(&bvhs[1], arena, b), TS_OK);
  cr_assert_eq(ts_elastic_pair_create(&pair, arena, (ts_elastic_shape){a, bvhs[0], pose_a},
                                      (ts_elastic_shape){b, bvhs[1], pose_b}),
               TS_OK);
  cr_assert_not_null(pair);
  return pair;
}

ts_inside elastic_inside(const ts_elastic_pair *pair) {
  ts_inside inside;
  cr_assert_eq(ts_inside_find(&inside, pair), TS_OK, "%s", ts_status_detail());
  return inside;
}

ts_contact_surface elastic_surface(const ts_elastic_pair *pair, double stiffness_a) {
  ts_inside *inside = ts_arena_alloc(pair->arena, sizeof *inside);
  *inside = elastic_inside(pair);
  cr_assert_eq(inside->part_count, 1, "%zu parts", inside->part_count);
  ts_vec3 m;
  ts_contact_surface surface;
  cr_assert_eq(ts_mapping_direction(&m, &inside->parts[0]), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_contact_surface_create(&surface, pair, inside, 0, m, stiffness_a), TS_OK, "%s",
               ts_status_detail());
  return surface;
}

/// The integral of depth^power over the plane.
static double integral(const ts_contact_surface *surface, int power) {
  double sum = 0;
  for (size_t i = 0; i < surface->polygon_count; i++) {
    const ts_surface_polygon *polygon = &surface->polygons[i];
    const ts_surface_corner *c = &surface->corners[polygon->first_corner];
    for (size_t k = 2; k < polygon->corner_count; k++) {
      double depth_m = 0, area_m2 = 0.5 * ((c[k - 1].x_m - c[0].x_m) * (c[k].y_m - c[0].y_m) -
                                           (c[k - 1].y_m - c[0].y_m) * (c[k].x_m - c[0].x_m));
      const size_t corners[3] = {0, k - 1, k};
      for (int n = 0; n < 3; n++)
        depth_m += (c[corners[n]].z_m[0] - c[corners[n]].z_m[1]) / 3;
      sum += power ? area_m2 * depth_m : area_m2;
    }
  }
  return sum;
}

double elastic_flat_area(const ts_contact_surface *surface) {
  return integral(surface, 0);
}

double elastic_volume(const ts_contact_surface *surface) {
  return integral(surface, 1);
}
