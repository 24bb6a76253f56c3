// SPDX-License-Identifier: MIT
// covers: sim/soft/surface_point.c
#include "tests/sim/soft/tet_grid.h"

#include "base/random.h"
#include "geometry/closest.h"
#include "sim/soft/surface_point.h"

#include <criterion/criterion.h>
#include <math.h>

typedef struct fixture {
  ts_arena *arena;
  ts_mesh *mesh;
  ts_vec3 *nodes;
  ts_surface *surface;
} fixture;

/// A plate of 1 x 0.1 x 1, `scale` times, moved far away by `far`.
static void fixture_init(fixture *f, double scale, double far) {
  cr_assert_eq(ts_arena_create(&f->arena), TS_OK);
  tet_grid grid = {4, 1, 4, {0, 0, 0}, {scale, 0.1 * scale, scale}};
  f->mesh = tet_grid_mesh(f->arena, &grid);
  f->nodes = ts_arena_copy(f->arena, f->mesh->vertices, f->mesh->vertex_count, sizeof *f->nodes);
  for (size_t i = 0; i < f->mesh->vertex_count; i++)
    f->nodes[i].x += far;
  cr_assert_eq(ts_surface_create(&f->surface, f->arena, f->mesh, f->nodes), TS_OK);
}

static ts_vec3 place(const fixture *f, const ts_surface_point *point) {
  ts_vec3 sum = {0, 0, 0};
  double weight = 0;
  for (int i = 0; i < 3; i++) {
    cr_assert_geq(point->weights[i], 0);
    weight += point->weights[i];
    sum = ts_vec3_add_scaled(sum, point->weights[i], f->nodes[point->nodes[i]]);
  }
  cr_assert_float_eq(weight, 1, 1e-14);
  return sum;
}

static ts_vec3 nearest(const fixture *f, ts_vec3 p, ts_vec3 facing, double guess_m) {
  ts_surface_point point;
  cr_assert_eq(ts_surface_nearest(&point, f->surface, p, facing, guess_m), TS_OK);
  return place(f, &point);
}

Test(surface_point, the_side_that_faces_is_taken_even_if_the_other_is_nearer) {
  fixture f;
  fixture_init(&f, 1, 0);
  ts_vec3 p = {0.4, 0.02, 0.7}; // nearer to the lower face
  cr_assert_leq(ts_vec3_distance(nearest(&f, p, (ts_vec3){0, 1, 0}, 0), (ts_vec3){0.4, 0.1, 0.7}),
                1e-14);
  cr_assert_leq(ts_vec3_distance(nearest(&f, p, (ts_vec3){0, -1, 0}, 0), (ts_vec3){0.4, 0, 0.7}),
                1e-14);
  ts_arena_destroy(f.arena);
}

Test(surface_point, sides_at_right_angles_do_not_face) {
  fixture f;
  fixture_init(&f, 1, 0);
  ts_vec3 at = nearest(&f, (ts_vec3){1, 0.05, 0.5}, (ts_vec3){0, 1, 0}, 0); // on the side x = 1
  cr_assert_leq(ts_vec3_distance(at, (ts_vec3){1, 0.1, 0.5}), 1e-14);
  ts_arena_destroy(f.arena);
}

Test(surface_point, a_guess_changes_the_time_only) {
  fixture f;
  fixture_init(&f, 1, 0);
  const double guesses_m[] = {0, 1e-6, 0.3, 100};
  for (size_t i = 0; i < sizeof guesses_m / sizeof *guesses_m; i++) {
    ts_vec3 at = nearest(&f, (ts_vec3){0.3, 50, 0.3}, (ts_vec3){0, -1, 0}, guesses_m[i]);
    cr_assert_leq(ts_vec3_distance(at, (ts_vec3){0.3, 0, 0.3}), 1e-14);
  }
  ts_arena_destroy(f.arena);
}

Test(surface_point, nothing_is_nearer_than_the_point_at_any_scale_and_far_away) {
  const double cases[4][2] = {{1, 0}, {1e-3, 0}, {1e3, 0}, {1, 1e4}};
  ts_random random = ts_random_seed(5, 0);
  for (int c = 0; c < 4; c++) {
    fixture f;
    fixture_init(&f, cases[c][0], cases[c][1]);
    for (int draw = 0; draw < 100; draw++) {
      double at[3], facing[3];
      for (int k = 0; k < 3; k++) {
        at[k] = ts_random_uniform(&random, -0.5, 1.5) * cases[c][0];
        facing[k] = ts_random_uniform(&random, -1, 1);
      }
      ts_vec3 p = {at[0] + cases[c][1], at[1], at[2]};
      ts_vec3 n = ts_vec3_unit((ts_vec3){facing[0], facing[1], facing[2]});
      double best = INFINITY;
      for (size_t t = 0; t < f.mesh->triangle_count; t++) {
        ts_vec3 corners[3];
        for (int k = 0; k < 3; k++)
          corners[k] = f.nodes[f.mesh->triangles[t][k]];
        if (ts_vec3_dot(ts_mesh_face_normal(f.mesh, t), n) > 1e-9)
          best = fmin(best, ts_closest_point_triangle(p, corners).distance_m);
      }
      double is = ts_vec3_distance(p, nearest(&f, p, n, 0.01 * cases[c][0]));
      cr_assert_float_eq(is, best, 1e-12 * (cases[c][0] + cases[c][1]));
    }
    ts_arena_destroy(f.arena);
  }
}

Test(surface_point, corners_and_edges_have_the_weights_of_their_nodes) {
  fixture f;
  fixture_init(&f, 1, 0);
  ts_surface_point point;
  cr_assert_eq(ts_surface_nearest(&point, f.surface, (ts_vec3){-1, 3, -2}, (ts_vec3){0, 1, 0}, 0),
               TS_OK);
  int whole = 0;
  for (int i = 0; i < 3; i++)
    whole += point.weights[i] == 1;
  cr_assert_eq(whole, 1);
  cr_assert_eq(place(&f, &point).x, 0);
  ts_arena_destroy(f.arena);
}

Test(surface_point, where_nothing_faces_the_nearest_of_all_is_taken) {
  fixture f;
  fixture_init(&f, 1, 0);
  for (size_t i = 0; i < f.mesh->vertex_count; i++)
    f.nodes[i].y = 0; // pressed flat: half of the triangles face up, the sides nowhere
  ts_arena_mark mark = ts_arena_get_mark(f.arena);
  cr_assert_eq(ts_surface_create(&f.surface, f.arena, f.mesh, f.nodes), TS_OK);
  ts_vec3 at = nearest(&f, (ts_vec3){0.5, 0.2, 0.4}, (ts_vec3){1, 0, 0}, 0);
  cr_assert_leq(ts_vec3_distance(at, (ts_vec3){0.5, 0, 0.4}), 1e-14);
  ts_arena_rewind(f.arena, mark);
  ts_arena_destroy(f.arena);
}

Test(surface_point, nodes_that_are_not_finite_are_refused) {
  fixture f;
  fixture_init(&f, 1, 0);
  f.nodes[3].x = (double)INFINITY;
  cr_assert_eq(ts_surface_create(&f.surface, f.arena, f.mesh, f.nodes), TS_E_INPUT);
  ts_arena_destroy(f.arena);
}
