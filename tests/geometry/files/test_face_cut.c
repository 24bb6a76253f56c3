// SPDX-License-Identifier: MIT
// covers: geometry/files/face_cut.c
#include "geometry/files/face_cut.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORNERS_MAX (TS_FACE_CUT_CORNERS_MAX + 1)

static ts_arena *arena;

static void set_up(void) {
  ts_arena_create(&arena);
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_face_cut, .init = set_up, .fini = tear_down);

// A polygon whose corner i is vertex i, and what it is cut into.
typedef struct cut {
  size_t count;
  ts_vec3 vertices[CORNERS_MAX];
  uint32_t corners[CORNERS_MAX];
  uint32_t triangles[CORNERS_MAX][3];
} cut;

static cut *polygon(size_t count, const double (*xy)[2]) {
  cut *c = ts_arena_alloc(arena, sizeof *c);
  c->count = count;
  for (size_t i = 0; i < count; i++) {
    c->vertices[i] = (ts_vec3){xy[i][0], xy[i][1], 0};
    c->corners[i] = (uint32_t)i;
  }
  return c;
}

static ts_status cut_it(cut *c) {
  return ts_face_cut(c->triangles, arena, c->vertices, c->corners, c->count);
}

static ts_vec3 area_of(const cut *c, const uint32_t t[3]) {
  return ts_vec3_scale(ts_vec3_cross(ts_vec3_sub(c->vertices[t[1]], c->vertices[t[0]]),
                                     ts_vec3_sub(c->vertices[t[2]], c->vertices[t[0]])),
                       0.5);
}

// How often a directed edge is in the triangles.
static int uses_of(const cut *c, uint32_t from, uint32_t to) {
  int uses = 0;
  for (size_t t = 0; t + 2 < c->count; t++)
    for (int i = 0; i < 3; i++)
      uses += c->triangles[t][i] == from && c->triangles[t][(i + 1) % 3] == to;
  return uses;
}

// All triangles turn one way, none is degenerate, their areas sum to the polygon's, each edge of
// the polygon is in exactly one of them, and each other edge in two, once in each direction.
static void expect_cut(cut *c, ts_vec3 normal, double area) {
  cr_assert_eq(cut_it(c), TS_OK, "%s", ts_status_detail());
  double sum = 0;
  for (size_t t = 0; t + 2 < c->count; t++) {
    double one = ts_vec3_dot(area_of(c, c->triangles[t]), normal);
    cr_assert(one > 1e-9 * area, "triangle %zu has area %g", t, one);
    sum += one;
    for (int i = 0; i < 3; i++) {
      uint32_t from = c->triangles[t][i], to = c->triangles[t][(i + 1) % 3];
      bool is_side = to == (from + 1) % c->count;
      cr_assert_eq(uses_of(c, from, to), 1, "edge %u-%u", from, to);
      cr_assert_eq(uses_of(c, to, from), is_side ? 0 : 1, "edge %u-%u", to, from);
    }
  }
  cr_expect(fabs(sum - area) < 1e-12 * area, "%.17g is not %.17g", sum, area);
}

static void expect_refused(cut *c, const char *words) {
  cr_expect_eq(cut_it(c), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

static const double arrow[4][2] = {{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}};
static const double comb[12][2] = {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                                   {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
static const ts_vec3 up = {0, 0, 1};

Test(geometry_face_cut, a_convex_polygon_is_a_fan_round_its_first_corner) {
  cut *c = polygon(5, (const double[][2]){{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}});
  expect_cut(c, up, 5);
  for (uint32_t t = 0; t < 3; t++)
    cr_expect(c->triangles[t][0] == 0 && c->triangles[t][1] == t + 1 &&
              c->triangles[t][2] == t + 2);
}

Test(geometry_face_cut, concave_polygons_are_cut_whatever_their_first_corner) {
  for (size_t first = 0; first < 12; first++) {
    double turned[12][2];
    for (size_t i = 0; i < 12; i++)
      memcpy(turned[i], comb[(first + i) % 12], sizeof turned[i]);
    expect_cut(polygon(12, (const double(*)[2])turned), up, 11);
    if (first < 4) {
      for (size_t i = 0; i < 4; i++)
        memcpy(turned[i], arrow[(first + i) % 4], sizeof turned[i]);
      expect_cut(polygon(4, (const double(*)[2])turned), up, 1);
    }
  }
}

Test(geometry_face_cut, corners_in_straight_lines_stay_corners) {
  // A fan round the first corner would have triangles without area.
  expect_cut(
      polygon(7, (const double[][2]){{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 2}, {1, 2}, {0, 2}}), up,
      6);
  expect_cut(polygon(5, (const double[][2]){{0, 0}, {1, 0}, {2, 0}, {1, 1}, {0, 2}}), up, 2);
}

Test(geometry_face_cut, polygons_in_any_plane_are_cut) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side < 2; side += 2) {
      cut *c = polygon(12, comb);
      ts_vec3 u = {0}, v = {0};
      double *const us[] = {&u.x, &u.y, &u.z}, *const vs[] = {&v.x, &v.y, &v.z};
      *us[axis] = side;
      *us[(axis + 2) % 3] = 0.3; // tilted
      *vs[(axis + 1) % 3] = 1;
      for (size_t i = 0; i < 12; i++)
        c->vertices[i] = ts_vec3_add(ts_vec3_scale(u, comb[i][0]), ts_vec3_scale(v, comb[i][1]));
      ts_vec3 area = ts_vec3_cross(u, v);
      expect_cut(c, ts_vec3_unit(area), 11 * ts_vec3_norm(area));
    }
}

Test(geometry_face_cut, spirals_of_the_largest_size_are_cut) {
  cut *c = polygon(0, NULL);
  c->count = TS_FACE_CUT_CORNERS_MAX;
  size_t half = c->count / 2;
  for (size_t i = 0; i < c->count; i++) {
    bool is_inner = i >= half;
    double turn = 0.05 * (double)(is_inner ? c->count - 1 - i : i);
    double r = 1 + turn - (is_inner ? 1 : 0);
    c->vertices[i] = (ts_vec3){r * cos(turn), r * sin(turn), 0};
    c->corners[i] = (uint32_t)i;
  }
  double area = 0;
  for (size_t i = 0; i < c->count; i++)
    area += 0.5 * ts_vec3_cross(c->vertices[i], c->vertices[(i + 1) % c->count]).z;
  expect_cut(c, up, area);
}

Test(geometry_face_cut, random_polygons_without_crossings_are_cut) {
  ts_random random = ts_random_seed(20, 5);
  for (int round = 0; round < 300; round++) {
    // Star-shaped round the origin, which is no corner.
    size_t count = 5 + (size_t)(19 * ts_random_unit(&random));
    double xy[24][2], area = 0;
    for (size_t i = 0; i < count; i++) {
      double turn = 2 * M_PI * (double)i / (double)count, r = 0.1 + ts_random_unit(&random);
      xy[i][0] = r * cos(turn);
      xy[i][1] = r * sin(turn);
    }
    for (size_t i = 0; i < count; i++) {
      const double *a = xy[i], *b = xy[(i + 1) % count];
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    expect_cut(polygon(count, (const double(*)[2])xy), up, area);
  }
}

Test(geometry_face_cut, polygons_that_cross_or_touch_themselves_are_refused) {
  const char *words = "crosses or touches itself";
  // A star, which turns left at every corner, and twice.
  expect_refused(
      polygon(5, (const double[][2]){{1, 0}, {-0.8, 0.6}, {0.3, -0.95}, {0.3, 0.95}, {-0.8, -0.6}}),
      words);
  expect_refused(polygon(5, (const double[][2]){{0, 0}, {4, 0}, {1, 3}, {3, 3}, {0, 1}}), words);
  // A corner on a side, two corners at one place, a side that goes back, and twice round.
  expect_refused(polygon(5, (const double[][2]){{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), words);
  expect_refused(polygon(6, (const double[][2]){{0, 0}, {2, 1}, {4, 0}, {4, 2}, {2, 1}, {0, 2}}),
                 words);
  expect_refused(polygon(5, (const double[][2]){{0, 0}, {4, 0}, {4, 4}, {4, 2}, {0, 4}}), words);
  expect_refused(
      polygon(8,
              (const double[][2]){
                  {0, 0}, {1, 0}, {1, 1}, {0, 1}, {-0.1, -0.2}, {1.1, 0}, {1, 1.1}, {0, 1.2}}),
      words);
}

Test(geometry_face_cut, polygons_without_area_are_refused) {
  expect_refused(polygon(4, (const double[][2]){{0, 0}, {1, 0}, {2, 0}, {3, 0}}), "no area");
  expect_refused(polygon(4, (const double[][2]){{0, 0}, {1, 1}, {1, 0}, {0, 1}}), "no area");
  expect_refused(polygon(4, (const double[][2]){{1, 1}, {1, 1}, {1, 1}, {1, 1}}), "no area");
  expect_refused(polygon(4, (const double[][2]){{0, 0}, {1e200, 0}, {1e200, 1e200}, {0, 1e200}}),
                 "no area");
}

Test(geometry_face_cut, slightly_bent_polygons_are_cut_and_others_refused) {
  cut *c = polygon(4, (const double[][2]){{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  c->vertices[2].z = 1e-3;
  cr_expect_eq(cut_it(c), TS_OK, "%s", ts_status_detail());
  c->vertices[2].z = 1e-2;
  expect_refused(c, "bent by 0.005");
  c = polygon(4, arrow);
  c->vertices[2].z = 1e-3;
  cr_expect_eq(cut_it(c), TS_OK, "%s", ts_status_detail());
}

Test(geometry_face_cut, more_corners_than_the_limit_must_be_a_fan) {
  cut *c = polygon(0, NULL);
  c->count = CORNERS_MAX;
  for (size_t i = 0; i < c->count; i++) {
    double turn = 2 * M_PI * (double)i / (double)c->count;
    c->vertices[i] = (ts_vec3){cos(turn), sin(turn), 0};
    c->corners[i] = (uint32_t)i;
  }
  cr_expect_eq(cut_it(c), TS_OK, "%s", ts_status_detail());
  c->vertices[250] = (ts_vec3){0.9 * c->vertices[250].x, 0.9 * c->vertices[250].y, 0};
  c->vertices[0] = (ts_vec3){0.5, 0, 0};
  expect_refused(c, "501 corners");
}
