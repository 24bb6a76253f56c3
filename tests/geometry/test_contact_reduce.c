// SPDX-License-Identifier: MIT
// covers: geometry/contact_reduce.c
#include "base/random.h"
#include "geometry/contact_reduce.h"
#include "geometry/contact_sort.h"
#include "geometry/polygon.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>

#include <stdlib.h>

enum { MOST = 64 };

static ts_contact contact_at(double x, double z, double gap_m) {
  return (ts_contact){
      .point = {x, 0, z}, .normal = {0, 1, 0}, .gap_m = gap_m, .area_m2 = (double)NAN};
}

/// Fails unless exactly these [count] are chosen, in this order.
static void expect(const ts_contact *contacts, size_t contact_count, size_t points, double size_m,
                   const size_t *expected, size_t count) {
  size_t chosen[MOST];
  size_t got = ts_contacts_reduce(chosen, contacts, contact_count, points, size_m);
  cr_assert_eq(got, count, "%zu chosen", got);
  for (size_t i = 0; i < count; i++)
    cr_assert_eq(chosen[i], expected[i], "%zu in place of %zu", chosen[i], expected[i]);
}

/// A grid of 3 x 3, all equally deep, in canonical order.
static void make_grid(ts_contact out[9], double spacing, ts_vec3 at) {
  for (int i = 0; i < 9; i++) {
    out[i] = contact_at((i / 3) * spacing, (i % 3) * spacing, 0);
    out[i].point = ts_vec3_add(out[i].point, at);
  }
}

Test(geometry_contact_reduce, few_contacts_all_stay) {
  const ts_contact two[] = {contact_at(0, 0, 0), contact_at(0, 0, 0)};
  expect(two, 2, 4, 1, (size_t[]){0, 1}, 2);
  expect(two, 2, 2, 1, (size_t[]){0, 1}, 2);
  expect(two, 0, 4, 1, NULL, 0);
}

Test(geometry_contact_reduce, of_a_grid_its_corners_at_any_scale_and_far_from_the_origin) {
  const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++)
    for (int is_far = 0; is_far < 2; is_far++) {
      ts_contact grid[9];
      double far = is_far ? 1e4 * scales[i] : 0;
      make_grid(grid, 0.1 * scales[i], (ts_vec3){far, -far, far});
      expect(grid, 9, 4, 0.2 * scales[i], (size_t[]){0, 2, 6, 8}, 4);
    }
}

Test(geometry_contact_reduce, the_deepest_stays_and_rounding_is_no_depth) {
  ts_contact grid[9];
  make_grid(grid, 0.5, (ts_vec3){0, 0, 0});
  grid[4].gap_m = -1e-3;
  expect(grid, 9, 1, 1, (size_t[]){4}, 1);
  expect(grid, 9, 4, 1, (size_t[]){0, 2, 4, 6}, 4);
  grid[4].gap_m = -1e-9;
  expect(grid, 9, 4, 1, (size_t[]){0, 2, 6, 8}, 4);
  for (int i = 0; i < 9; i++)
    grid[i].gap_m = (double)NAN;
  grid[5].gap_m = 1;
  expect(grid, 9, 1, 1, (size_t[]){5}, 1);
}

Test(geometry_contact_reduce, of_contacts_in_one_place_the_deepest_stands_for_it) {
  ts_contact twice[8];
  for (int i = 0; i < 8; i++) {
    twice[i] = contact_at(i / 4, i / 2 % 2, i % 2 ? -1e-3 : -5e-4);
    twice[i].normal = i % 2 ? (ts_vec3){0, 1, 0} : (ts_vec3){0, -1, 0};
  }
  expect(twice, 8, 4, 1, (size_t[]){1, 3, 5, 7}, 4);
  for (int i = 0; i < 8; i++) // as they come when the bodies are swapped
    twice[i].gap_m = i % 2 ? -5e-4 : -1e-3;
  expect(twice, 8, 4, 1, (size_t[]){0, 2, 4, 6}, 4);
}

Test(geometry_contact_reduce, of_collinear_ones_the_ends_and_of_coincident_ones_the_first) {
  ts_contact line[6], place[6];
  for (int i = 0; i < 6; i++) {
    line[i] = contact_at(0.1 * i, 0.3 * i, 0);
    place[i] = contact_at(0.7, 0.1, 0);
    place[i].normal = (ts_vec3){sin(0.1 * i), cos(0.1 * i), 0};
  }
  expect(line, 6, 4, 1, (size_t[]){0, 5}, 2);
  expect(place, 6, 4, 1, (size_t[]){0}, 1);
  line[3].point.z += 1e-9; // still a line
  expect(line, 6, 4, 1, (size_t[]){0, 5}, 2);
}

Test(geometry_contact_reduce, a_corner_that_a_later_one_hides_stays_chosen) {
  // The fourth sees two sides of the triangle, with the deepest between them.
  const ts_contact contacts[] = {contact_at(-9, 3, 0), contact_at(-1, -1, -1), contact_at(0, 1, 0),
                                 contact_at(1, -1, 0), contact_at(2, -9, 0),   contact_at(8, 3, 0)};
  expect(contacts, 6, 1, 1, (size_t[]){1}, 1);
  expect(contacts, 6, 3, 1, (size_t[]){1, 4, 5}, 3);
  expect(contacts, 6, 4, 1, (size_t[]){0, 1, 4, 5}, 4);
  expect(contacts, 6, 5, 1, (size_t[]){0, 1, 4, 5}, 4); // the rest adds nothing
}

static double hull_area(const ts_contact *contacts, const size_t *chosen, size_t count) {
  double points[MOST][2], hull[MOST][2];
  for (size_t i = 0; i < count; i++) {
    points[i][0] = contacts[chosen[i]].point.z;
    points[i][1] = contacts[chosen[i]].point.x;
  }
  return ts_polygon_area_2d((const double(*)[2])hull, ts_convex_hull_2d(hull, points, count));
}

static void make_cloud(ts_contact *out, size_t count, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 0);
  for (size_t i = 0; i < count; i++) {
    double x = ts_random_unit(&random);
    double z = ts_random_unit(&random);
    out[i] = contact_at(x, z, -ts_random_unit(&random));
  }
  ts_contact_sort(out, count, TS_CONTACT_ORDER_CANONICAL);
}

Test(geometry_contact_reduce, each_further_one_adds_most_by_brute_force) {
  for (uint64_t seed = 0; seed < 50; seed++) {
    enum { COUNT = 30, POINTS = 10 };
    ts_contact cloud[COUNT];
    make_cloud(cloud, COUNT, seed);
    for (size_t points = 3; points < POINTS; points++) {
      size_t chosen[POINTS], more[POINTS], tried[POINTS];
      size_t count = ts_contacts_reduce(chosen, cloud, COUNT, points, 1);
      size_t more_count = ts_contacts_reduce(more, cloud, COUNT, points + 1, 1);
      if (more_count == count)
        continue;
      double best = 0, area = hull_area(cloud, more, more_count);
      for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < count; k++)
          tried[k] = chosen[k];
        tried[count] = i;
        best = fmax(best, hull_area(cloud, tried, count + 1));
      }
      cr_assert_float_eq(area, best, 2e-6, "seed %llu, %zu points: %.9g, not %.9g",
                         (unsigned long long)seed, points, area, best);
    }
  }
}

Test(geometry_contact_reduce, indices_ascend_and_each_is_there_once) {
  for (uint64_t seed = 100; seed < 150; seed++) {
    ts_contact cloud[40];
    size_t chosen[12];
    make_cloud(cloud, 40, seed);
    size_t count = ts_contacts_reduce(chosen, cloud, 40, 12, 1);
    cr_assert(count >= 3 && count <= 12);
    for (size_t i = 1; i < count; i++)
      cr_assert_lt(chosen[i - 1], chosen[i]);
  }
}

Test(geometry_contact_reduce, the_order_in_which_equal_sets_come_has_no_effect) {
  ts_contact grid[9], shuffled[9];
  make_grid(grid, 0.1, (ts_vec3){0, 0, 0});
  ts_random random = ts_random_seed(7, 0);
  for (int round = 0; round < 20; round++) {
    make_grid(shuffled, 0.1, (ts_vec3){0, 0, 0});
    for (size_t i = 8; i > 0; i--) {
      size_t k = (size_t)(ts_random_unit(&random) * (double)(i + 1));
      ts_contact swapped = shuffled[i];
      shuffled[i] = shuffled[k];
      shuffled[k] = swapped;
    }
    ts_contact_sort(shuffled, 9, TS_CONTACT_ORDER_CANONICAL);
    expect(shuffled, 9, 4, 0.2, (size_t[]){0, 2, 6, 8}, 4);
  }
}
