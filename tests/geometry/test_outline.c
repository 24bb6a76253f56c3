// SPDX-License-Identifier: MIT
// covers: geometry/outline.c
// Outlines of cells of a grid: rings, holes, islands in holes, corners that touch.
#include "base/status.h"
#include "geometry/outline.h"
#include "geometry/polygon.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_outline, .init = setup, .fini = teardown);

enum { CELLS = 6, EDGES_MAX = 4 * CELLS * CELLS };

/// Cells of a plane somewhere in space.
typedef struct sheet {
  bool is_solid[CELLS + 2][CELLS + 2]; ///< with a rim that is not
  ts_pose pose;
  double size_m, noise_m;
  ts_vec3 nodes[CELLS + 1][CELLS + 1];
  size_t count, solid_count;
  ts_outline_edge edges[EDGES_MAX];
} sheet;

static ts_vec3 place(const sheet *s, double x, double y) {
  return ts_pose_point(s->pose, ts_vec3_make(x * s->size_m, y * s->size_m, 0));
}

static ts_vec3 normal_of(const sheet *s) {
  return ts_pose_direction(s->pose, ts_vec3_make(0, 0, 1));
}

/// The sides of solid cells that no solid cell is beside, in random order.
static void draw(sheet *s, ts_random *random) {
  s->count = s->solid_count = 0;
  for (int x = 0; x <= CELLS; x++)
    for (int y = 0; y <= CELLS; y++)
      s->nodes[x][y] = ts_vec3_add(place(s, x, y), random_point(random, s->noise_m));
  for (int x = 0; x < CELLS; x++)
    for (int y = 0; y < CELLS; y++) {
      if (!s->is_solid[x + 1][y + 1])
        continue;
      const int corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
      const int beside[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
      s->solid_count++;
      for (int i = 0; i < 4; i++) {
        if (s->is_solid[x + 1 + beside[i][0]][y + 1 + beside[i][1]])
          continue;
        ts_outline_edge edge = {s->nodes[x + corners[i][0]][y + corners[i][1]],
                                s->nodes[x + corners[i + 1][0]][y + corners[i + 1][1]]};
        size_t at = (size_t)(ts_random_unit(random) * (double)(s->count + 1));
        s->edges[s->count++] = s->edges[at];
        s->edges[at] = edge;
      }
    }
}

static void fill(sheet *s, double share, ts_random *random) {
  memset(s->is_solid, 0, sizeof s->is_solid);
  for (int x = 1; x <= CELLS; x++)
    for (int y = 1; y <= CELLS; y++)
      s->is_solid[x][y] = ts_random_unit(random) < share;
}

static double area_of(const ts_outline_piece *piece, ts_vec3 normal) {
  double twice = 0;
  for (size_t i = 0; i < piece->count; i++) {
    ts_vec3 a = piece->corners[i], b = piece->corners[(i + 1) % piece->count];
    ts_vec3 from_first = ts_vec3_sub(a, piece->corners[0]);
    twice += ts_vec3_dot(normal, ts_vec3_cross(from_first, ts_vec3_sub(b, piece->corners[0])));
  }
  return 0.5 * twice;
}

static void expect_convex(const ts_outline_piece *piece, ts_vec3 normal) {
  cr_assert_geq(piece->count, 3);
  for (size_t i = 0; i < piece->count; i++) {
    ts_vec3 a = piece->corners[i], b = piece->corners[(i + 1) % piece->count];
    ts_vec3 c = piece->corners[(i + 2) % piece->count];
    cr_expect_gt(ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, b))), 0);
  }
}

/// In how many pieces a point of the plane is.
static size_t pieces_at(const ts_outline_piece *pieces, size_t count, ts_vec3 p, ts_vec3 normal,
                        double within_m) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    found += ts_convex_distance(p, pieces[i].corners, pieces[i].count, normal) <= within_m;
  return found;
}

/// Cuts it and expects the pieces to be what is solid, each point once.
static size_t expect_cut(const sheet *s, double tolerance_m, ts_random *random) {
  ts_outline_piece *pieces;
  size_t count;
  ts_vec3 normal = normal_of(s);
  cr_assert_eq(ts_outline_cut(&pieces, &count, arena, s->edges, s->count, normal, tolerance_m),
               TS_OK);
  double sum = 0, cell_m2 = s->size_m * s->size_m, is = (double)s->solid_count * cell_m2;
  for (size_t i = 0; i < count; i++) {
    expect_convex(&pieces[i], normal);
    sum += area_of(&pieces[i], normal);
  }
  double off = 200 * s->size_m * (tolerance_m + s->noise_m);
  cr_expect_float_eq(sum, is, off, "%.17g, not %.17g m2", sum, is);
  cr_expect_float_eq(ts_outline_area(s->edges, s->count, normal), is, off);
  for (int i = 0; i < 100; i++) {
    // Not near the lines of the grid.
    int x = (int)(ts_random_unit(random) * CELLS), y = (int)(ts_random_unit(random) * CELLS);
    double in_x = ts_random_uniform(random, 0.01, 0.99),
           in_y = ts_random_uniform(random, 0.01, 0.99);
    size_t found = pieces_at(pieces, count, place(s, x + in_x, y + in_y), normal, 10 * tolerance_m);
    // On the rim of two pieces it is in both.
    if (s->is_solid[x + 1][y + 1])
      cr_expect(found == 1 || found == 2, "%zu", found);
    else
      cr_expect_eq(found, 0);
  }
  return count;
}

Test(geometry_outline, pieces_are_what_is_inside_at_any_size_and_place) {
  ts_random random = ts_random_seed(1, 0);
  const double sizes[] = {1e-3, 1, 1e3};
  sheet s = {0};
  for (int i = 0; i < 300; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    s.size_m = sizes[i % 3];
    s.pose = random_pose(&random, (i % 2 ? 1e4 : 1) * s.size_m);
    s.noise_m = i % 5 == 0 ? 3e-7 * s.size_m : 0;
    fill(&s, ts_random_uniform(&random, 0.2, 0.95), &random);
    draw(&s, &random);
    expect_cut(&s, 1e-6 * s.size_m, &random);
    ts_arena_rewind(arena, mark);
  }
}

Test(geometry_outline, what_is_convex_is_one_piece_and_a_ring_four) {
  ts_random random = ts_random_seed(2, 0);
  sheet s = {.size_m = 0.1, .pose = random_pose(&random, 1)};
  fill(&s, 1, &random);
  draw(&s, &random);
  cr_expect_eq(expect_cut(&s, 1e-7, &random), 1);
  for (int x = 2; x < CELLS; x++)
    for (int y = 2; y < CELLS; y++)
      s.is_solid[x][y] = false;
  draw(&s, &random);
  cr_expect_eq(expect_cut(&s, 1e-7, &random), 4);
}

Test(geometry_outline, the_order_of_the_edges_does_not_matter) {
  ts_random random = ts_random_seed(3, 0);
  sheet s = {.size_m = 1, .pose = ts_pose_identity()};
  fill(&s, 0.7, &random);
  size_t first = 0;
  for (int i = 0; i < 20; i++) {
    ts_random order = ts_random_seed(4, (uint64_t)i);
    draw(&s, &order);
    size_t count = expect_cut(&s, 1e-6, &order);
    first = i == 0 ? count : first;
    cr_expect_eq(count, first);
  }
}

Test(geometry_outline, slits_and_needles_no_wider_than_the_tolerance_are_nothing) {
  const ts_vec3 up = {0, 0, 1};
  const ts_vec3 corners[] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {2, 2, 0},  {2, 1, 0},
                             {2, 2, 0}, {0, 2, 0}, {0, 1, 0}, {-1, 1, 0}, {0, 1 - 1e-9, 0}};
  enum { COUNT = sizeof corners / sizeof *corners };
  ts_outline_edge edges[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    edges[i] = (ts_outline_edge){corners[i], corners[(i + 1) % COUNT]};
  ts_outline_piece *pieces;
  size_t count;
  cr_assert_eq(ts_outline_cut(&pieces, &count, arena, edges, COUNT, up, 1e-6), TS_OK);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += area_of(&pieces[i], up);
  cr_expect_float_eq(sum, 8, 1e-6);
  cr_expect_leq(count, 3);
}

Test(geometry_outline, nothing_is_inside_nothing) {
  const ts_vec3 up = {0, 0, 1};
  const ts_outline_edge line[2] = {{{0, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}};
  ts_outline_piece *pieces;
  size_t count;
  cr_assert_eq(ts_outline_cut(&pieces, &count, arena, NULL, 0, up, 1e-6), TS_OK);
  cr_expect_eq(count, 0);
  cr_assert_eq(ts_outline_cut(&pieces, &count, arena, line, 2, up, 1e-6), TS_OK);
  cr_expect_eq(count, 0);
}

Test(geometry_outline, a_ring_of_many_sides) {
  enum { SIDES = 720 };
  const ts_vec3 up = {0, 0, 1};
  ts_outline_edge edges[2 * SIDES];
  for (int i = 0; i < SIDES; i++) {
    double from = 6.283185307179586 * i / SIDES, to = 6.283185307179586 * (i + 1) / SIDES;
    ts_vec3 p = {cos(from), sin(from), 0}, q = {cos(to), sin(to), 0};
    edges[2 * i] = (ts_outline_edge){p, q};
    edges[2 * i + 1] = (ts_outline_edge){ts_vec3_scale(q, 0.5), ts_vec3_scale(p, 0.5)};
  }
  ts_outline_piece *pieces;
  size_t count;
  cr_assert_eq(ts_outline_cut(&pieces, &count, arena, edges, 2 * SIDES, up, 1e-7), TS_OK);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += area_of(&pieces[i], up);
  cr_expect_float_eq(sum, ts_outline_area(edges, 2 * SIDES, up), 1e-5);
  cr_expect_leq(count, 2 * SIDES);
}
