// SPDX-License-Identifier: MIT
// covers: elastic/contact_surface.c elastic/flat_polygon.c
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/direction.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;
static const double degrees_per_rad = 57.29577951308232;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_contact_surface, .init = setup, .fini = teardown, .timeout = 60);

/// Two random bodies that overlap a little, far from the world's origin.
static ts_elastic_pair *random_pair(ts_random *random, double apart_m) {
  ts_mesh *a = elastic_rock(arena, random), *b = elastic_rock(arena, random);
  ts_vec3 at = {1000, -2000, 500};
  ts_pose pose_a = {ts_quat_from_axis_angle(elastic_random_direction(random), 2), at};
  ts_pose pose_b = {ts_quat_from_axis_angle(elastic_random_direction(random), 1),
                    ts_vec3_add_scaled(at, apart_m, elastic_random_direction(random))};
  return elastic_pair_of(arena, a, pose_a, b, pose_b);
}

/// Height along m of the contact surface over a place, by looking at all triangles of both bodies.
static double height_by_search(const ts_contact_surface *s, ts_vec3 place) {
  double z[2] = {-INFINITY, INFINITY};
  for (int body = 0; body < 2; body++) {
    const ts_elastic_body *of = &s->pair->body[body];
    for (uint32_t t = 0; t < of->mesh->triangle_count; t++) {
      ts_vec3 c[3], n = of->normals[t];
      double facing = ts_vec3_dot(n, s->m);
      ts_elastic_corners(c, of, t);
      double at = ts_vec3_dot(n, ts_vec3_sub(c[0], place)) / facing;
      ts_vec3 p = ts_vec3_add_scaled(place, at, s->m);
      bool is_in = true;
      for (int i = 0; i < 3; i++) {
        ts_vec3 inward = ts_vec3_cross(n, ts_vec3_sub(c[(i + 1) % 3], c[i]));
        is_in &= ts_vec3_dot(inward, ts_vec3_sub(p, c[i])) >= 0;
      }
      if (is_in)
        z[body] = body == 0 ? fmax(z[0], at) : fmin(z[1], at);
    }
  }
  return s->stiffness_a * z[0] + (1 - s->stiffness_a) * z[1];
}

/// Angle between the normal of a polygon and that of differences of heights in its middle.
static double normal_error_deg(const ts_contact_surface *s, const ts_surface_polygon *polygon) {
  const ts_surface_corner *c = &s->corners[polygon->first_corner];
  ts_surface_corner middle = {0};
  for (size_t i = 0; i < polygon->corner_count; i++) {
    middle.x_m += c[i].x_m / (double)polygon->corner_count;
    middle.y_m += c[i].y_m / (double)polygon->corner_count;
  }
  const double step_m = 1e-5;
  ts_vec3 p = ts_contact_surface_point(s, &middle);
  double slope_x = (height_by_search(s, ts_vec3_add_scaled(p, step_m, s->x)) -
                    height_by_search(s, ts_vec3_add_scaled(p, -step_m, s->x))) /
                   (2 * step_m);
  double slope_y = (height_by_search(s, ts_vec3_add_scaled(p, step_m, s->y)) -
                    height_by_search(s, ts_vec3_add_scaled(p, -step_m, s->y))) /
                   (2 * step_m);
  ts_vec3 expected = ts_vec3_add_scaled(ts_vec3_add_scaled(s->m, -slope_x, s->x), -slope_y, s->y);
  ts_vec3 normal = ts_contact_surface_normal(s, s->pair->body[0].normals[polygon->triangle[0]],
                                             s->pair->body[1].normals[polygon->triangle[1]]);
  cr_assert_float_eq(ts_vec3_norm(normal), 1, 1e-14);
  return ts_vec3_angle(normal, expected) * degrees_per_rad;
}

/// Whether the smallest circle around the middle that leaves the polygon is wide enough.
static bool is_wide(const ts_contact_surface *s, const ts_surface_polygon *polygon) {
  const ts_surface_corner *c = &s->corners[polygon->first_corner];
  double x = 0, y = 0;
  size_t count = polygon->corner_count;
  for (size_t i = 0; i < count; i++) {
    x += c[i].x_m / (double)count;
    y += c[i].y_m / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    const ts_surface_corner *p = &c[i], *q = &c[(i + 1) % count];
    double dx = q->x_m - p->x_m, dy = q->y_m - p->y_m;
    if (!(dx * (y - p->y_m) - dy * (x - p->x_m) > 3e-5 * sqrt(dx * dx + dy * dy)))
      return false;
  }
  return true;
}

Test(elastic_contact_surface, its_normals_are_those_of_finite_differences) {
  static const double stiffnesses[] = {0, 0.25, 0.5, 0.8, 1};
  ts_random random = ts_random_seed(5, 0);
  double worst_deg = 0;
  size_t checked = 0;
  for (int i = 0; i < 30; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_contact_surface s = elastic_surface(random_pair(&random, 1.2), stiffnesses[i % 5]);
    for (size_t k = 0; k < s.polygon_count; k++)
      if (is_wide(&s, &s.polygons[k])) {
        worst_deg = fmax(worst_deg, normal_error_deg(&s, &s.polygons[k]));
        checked++;
      }
    ts_arena_rewind(arena, mark);
  }
  cr_assert_geq(checked, 200, "%zu", checked);
  cr_assert_lt(worst_deg, 1e-6, "%g degrees off", worst_deg);
}

/// The volume within the pieces of both surfaces, by the divergence theorem.
static double volume_of_pieces(const ts_elastic_pair *pair) {
  ts_inside inside = elastic_inside(pair);
  double volume_m3 = 0;
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < inside.piece_count[body]; i++) {
      const ts_inside_piece *piece = &inside.pieces[body][i];
      volume_m3 += piece->area_m2 / 3 *
                   ts_vec3_dot(pair->body[body].normals[piece->triangle], piece->corners[0]);
    }
  return volume_m3;
}

Test(elastic_contact_surface, the_depth_over_it_is_the_volume_of_a_shallow_overlap) {
  ts_random random = ts_random_seed(6, 0);
  size_t equal_count = 0;
  for (int i = 0; i < 60; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_elastic_pair *pair = random_pair(&random, 1.4);
    if (elastic_inside(pair).part_count) {
      ts_contact_surface s = elastic_surface(pair, 0.5);
      double more_m3 = elastic_volume(&s) - volume_of_pieces(pair);
      // More where a side of the overlap hangs over, which the depth cannot follow.
      cr_assert_geq(more_m3, -1e-9, "pair %d: %g", i, more_m3);
      cr_assert_leq(more_m3, 1e-3 * volume_of_pieces(pair), "pair %d: %g", i, more_m3);
      equal_count += fabs(more_m3) < 1e-9;
    }
    ts_arena_rewind(arena, mark);
  }
  cr_assert_geq(equal_count, 20, "%zu", equal_count);
}

Test(elastic_contact_surface, a_swap_of_the_bodies_mirrors_it) {
  ts_random random = ts_random_seed(7, 0);
  ts_mesh *a = elastic_rock(arena, &random), *b = elastic_rock(arena, &random);
  ts_pose pose = {ts_quat_from_axis_angle(elastic_random_direction(&random), 1), {0.3, 1.4, 0.2}};
  ts_contact_surface s =
      elastic_surface(elastic_pair_of(arena, a, elastic_at(0, 0, 0), b, pose), 0.3);
  ts_contact_surface t =
      elastic_surface(elastic_pair_of(arena, b, pose, a, elastic_at(0, 0, 0)), 0.7);
  cr_assert_eq(s.polygon_count, t.polygon_count);
  cr_assert_float_eq(elastic_flat_area(&s), elastic_flat_area(&t), 1e-12);
  cr_assert_float_eq(elastic_volume(&s), elastic_volume(&t), 1e-12);
  // The mean point of the surface, in the world.
  ts_vec3 means[2];
  const ts_contact_surface *both[2] = {&s, &t};
  for (int i = 0; i < 2; i++) {
    ts_vec3 low = {INFINITY, INFINITY, INFINITY};
    for (size_t k = 0; k < both[i]->corner_count; k++)
      low =
          ts_vec3_min(low, ts_pose_point(both[i]->pair->frame_to_world,
                                         ts_contact_surface_point(both[i], &both[i]->corners[k])));
    means[i] = low;
  }
  cr_assert_lt(ts_vec3_distance(means[0], means[1]), 1e-9);
}

Test(elastic_contact_surface, a_rigid_body_keeps_its_surface) {
  ts_mesh *slab = elastic_box(arena, (ts_vec3){2, 0.5, 2}, (ts_vec3){0, 0, 0});
  ts_mesh *block = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  static const double heights[] = {0.4, 0.425, 0.5}; // of k = 0, 0.25, 1
  static const double stiffnesses[] = {0, 0.25, 1};
  for (int i = 0; i < 3; i++) {
    ts_elastic_pair *pair =
        elastic_pair_of(arena, slab, elastic_at(0, 0, 0), block, elastic_at(0.1, 0.9, 0.2));
    ts_contact_surface s = elastic_surface(pair, stiffnesses[i]);
    cr_assert_float_eq(elastic_flat_area(&s), 1, 1e-12);
    for (size_t k = 0; k < s.corner_count; k++) {
      ts_vec3 p = ts_pose_point(pair->frame_to_world, ts_contact_surface_point(&s, &s.corners[k]));
      cr_assert_float_eq(p.y, heights[i], 1e-12);
    }
  }
}

Test(elastic_contact_surface, what_lies_behind_another_face_does_not_count) {
  // Two shelves of one body over each other, both in the other body.
  const ts_vec3 shelves[2][2] = {{{1, 0.05, 1}, {0, 0, 0}}, {{0.5, 0.05, 0.5}, {0, 0.2, 0}}};
  ts_mesh *shelf = elastic_boxes(arena, shelves, 2);
  ts_mesh *block = elastic_box(arena, (ts_vec3){3, 1, 3}, (ts_vec3){0, 0, 0});
  // The upper shelf goes in by 0.15 m, the lower one by 0.05: two parts, but one over the other.
  ts_elastic_pair *pair =
      elastic_pair_of(arena, shelf, elastic_at(0, 0, 0), block, elastic_at(0, 1, 0));
  ts_inside inside;
  cr_assert_eq(ts_inside_find(&inside, pair), TS_SKIPPED); // the upper one is inside
  const ts_vec3 steps[2][2] = {{{1, 0.5, 1}, {0, -0.5, 0}}, {{0.5, 0.5, 0.5}, {0.2, -0.45, 0.1}}};
  ts_mesh *step = elastic_boxes(arena, steps, 2);
  // Boxes through each other: a step of 0.05 on a block, whose lower face is inside that block.
  pair = elastic_pair_of(arena, step, elastic_at(0, 0, 0), block, elastic_at(0, 0.9, 0));
  ts_contact_surface s = elastic_surface(pair, 0.5);
  cr_assert_float_eq(elastic_flat_area(&s), 4, 1e-9);
  cr_assert_float_eq(elastic_volume(&s), 4 * 0.1 + 1 * 0.05, 1e-9);
}

Test(elastic_contact_surface, a_foot_has_only_its_own_part_of_a_large_face) {
  const ts_vec3 feet[2][2] = {{{0.2, 0.5, 0.2}, {-1, 0, 0}}, {{0.3, 0.5, 0.3}, {1, 0, 0}}};
  ts_mesh *slab = elastic_box(arena, (ts_vec3){4, 0.5, 4}, (ts_vec3){0, 0, 0});
  ts_elastic_pair *pair = elastic_pair_of(arena, slab, elastic_at(0, 0, 0),
                                          elastic_boxes(arena, feet, 2), elastic_at(0, 0.95, 0));
  ts_inside inside = elastic_inside(pair);
  cr_assert_eq(inside.part_count, 2);
  static const double areas[] = {0.36, 0.16};
  for (size_t i = 0; i < 2; i++) {
    ts_contact_surface s;
    cr_assert_eq(ts_contact_surface_create(&s, pair, &inside, i, (ts_vec3){0, 1, 0}, 0.5), TS_OK);
    cr_assert_float_eq(elastic_flat_area(&s), areas[i], 1e-12);
  }
}

Test(elastic_contact_surface, a_column_has_the_heights_of_the_corners) {
  ts_random random = ts_random_seed(8, 0);
  ts_elastic_pair *pair = random_pair(&random, 1.2);
  ts_contact_surface s = elastic_surface(pair, 0.5);
  for (size_t i = 0; i < s.corner_count; i++) {
    ts_surface_column column;
    cr_assert(ts_contact_surface_column(&column, &s, ts_contact_surface_point(&s, &s.corners[i])));
    for (int body = 0; body < 2; body++)
      cr_assert_float_eq(column.z_m[body], s.corners[i].z_m[body], 1e-6);
  }
  ts_surface_column column;
  ts_vec3 aside = ts_vec3_add_scaled(s.origin, 10, s.x);
  cr_assert_not(ts_contact_surface_column(&column, &s, aside));
}

Test(elastic_contact_surface, wrong_parameters_are_refused) {
  ts_random random = ts_random_seed(9, 0);
  ts_elastic_pair *pair = random_pair(&random, 1.2);
  ts_inside inside = elastic_inside(pair);
  ts_contact_surface s;
  ts_vec3 up = {0, 1, 0};
  static const double stiffnesses[] = {-0.1, 1.5, NAN};
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(ts_contact_surface_create(&s, pair, &inside, 0, up, stiffnesses[i]), TS_E_INPUT);
    cr_assert_not_null(strstr(ts_status_detail(), "give 0 to 1"));
  }
  static const ts_vec3 directions[] = {{0, 0, 0}, {0, 2, 0}, {NAN, 0, 0}};
  for (int i = 0; i < 3; i++)
    cr_assert_eq(ts_contact_surface_create(&s, pair, &inside, 0, directions[i], 0.5), TS_E_INPUT);
}
