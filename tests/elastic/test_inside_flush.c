// SPDX-License-Identifier: MIT
// covers: elastic/inside.c elastic/inside_joins.c elastic/inside_parts.c
// Bodies of cells of one grid: most of their faces are flush, or lie back to back. What is inside
// the other one, and what has no answer, can be counted cell by cell.
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/inside.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_inside_flush, .init = setup, .fini = teardown, .timeout = 60);

enum { SIDE = 4, CELLS = SIDE * SIDE * SIDE, LINES = SIDE + 1, POINTS = LINES * LINES * LINES };

/// Which cells a body has, cell (x, y, z) at (x SIDE + y) SIDE + z.
typedef struct cells {
  uint8_t has[CELLS];
} cells;

static int cell_at(const int at[3]) {
  return (at[0] * SIDE + at[1]) * SIDE + at[2];
}

/// The cell beside one, along an axis, forwards or backwards; -1 beyond the grid.
static int beside(int cell, int axis, int step) {
  int at[3] = {cell / (SIDE * SIDE), cell / SIDE % SIDE, cell % SIDE};
  at[axis] += step;
  return at[axis] < 0 || at[axis] >= SIDE ? -1 : cell_at(at);
}

static bool has(const cells *of, int cell) {
  return cell >= 0 && of->has[cell];
}

static void fill(cells *out, const int low[3], const int high[3]) {
  int at[3];
  for (at[0] = low[0]; at[0] < high[0]; at[0]++)
    for (at[1] = low[1]; at[1] < high[1]; at[1]++)
      for (at[2] = low[2]; at[2] < high[2]; at[2]++)
        out->has[cell_at(at)] = 1;
}

/// One box to three.
static cells random_cells(ts_random *random) {
  cells out = {{0}};
  int count = 1 + (int)ts_random_uniform(random, 0, 2.999);
  for (int i = 0; i < count; i++) {
    int low[3], high[3];
    for (int k = 0; k < 3; k++) {
      low[k] = (int)ts_random_uniform(random, 0, SIDE - 0.001);
      high[k] = low[k] + 1 + (int)ts_random_uniform(random, 0, SIDE - low[k] - 0.001);
    }
    fill(&out, low, high);
  }
  return out;
}

/// The surface of cells 1 m wide; faces are cut along one diagonal or, `turned`, along the other.
/// NULL where cells touch along an edge only, which no mesh can have.
static ts_mesh *mesh_of(const cells *of, bool turned) {
  static ts_vec3 points[POINTS];
  static uint32_t triangles[12 * CELLS][3];
  size_t count = 0;
  for (int i = 0; i < POINTS; i++)
    points[i] = (ts_vec3){i / (LINES * LINES), i / LINES % LINES, i % LINES};
  static const int steps[3] = {LINES * LINES, LINES, 1};
  for (int cell = 0; cell < CELLS; cell++)
    for (int face = 0; of->has[cell] && face < 6; face++) {
      int axis = face / 2, is_far = face % 2, u = steps[(axis + 1) % 3], v = steps[(axis + 2) % 3];
      if (has(of, beside(cell, axis, is_far ? 1 : -1)))
        continue;
      int corner = cell / (SIDE * SIDE) * steps[0] + cell / SIDE % SIDE * steps[1] + cell % SIDE;
      corner += is_far ? steps[axis] : 0;
      int quad[4] = {corner, corner + u, corner + u + v, corner + v};
      if (!is_far) {
        quad[1] = corner + v;
        quad[3] = corner + u;
      }
      for (int t = 0; t < 2; t++, count++)
        for (int k = 0; k < 3; k++)
          triangles[count][k] = (uint32_t)quad[(turned + 2 * t + k) % 4];
    }
  ts_mesh *mesh = NULL;
  (void)ts_mesh_create(&mesh, arena, points, POINTS, (const uint32_t(*)[3])triangles, count);
  return mesh;
}

/// What there is of the overlap of two bodies, by its cells.
typedef struct expectation {
  double area_m2[2]; ///< of the faces of a and b inside the other one
  int with_both;     ///< connected parts with faces of both
  int with_one, with_none;
} expectation;

/// Adds the part that a cell is in, which it takes off `shared`.
static void add_part(expectation *out, cells *shared, const cells *a, const cells *b, int first) {
  int queue[CELLS], count = 0;
  double area_m2[2] = {0, 0};
  shared->has[first] = 0;
  queue[count++] = first;
  for (int i = 0; i < count; i++)
    for (int face = 0; face < 6; face++) {
      int next = beside(queue[i], face / 2, face % 2 ? 1 : -1);
      bool in_a = has(a, next), in_b = has(b, next);
      area_m2[0] += !in_a && in_b;
      area_m2[1] += in_a && !in_b;
      if (!has(shared, next))
        continue;
      shared->has[next] = 0;
      queue[count++] = next;
    }
  out->with_both += area_m2[0] > 0 && area_m2[1] > 0;
  out->with_one += (area_m2[0] > 0) != (area_m2[1] > 0);
  out->with_none += area_m2[0] + area_m2[1] == 0;
  for (int body = 0; body < 2; body++)
    out->area_m2[body] += area_m2[body];
}

static expectation expect(const cells *a, const cells *b) {
  expectation out = {.with_both = 0};
  cells shared;
  for (int i = 0; i < CELLS; i++)
    shared.has[i] = a->has[i] && b->has[i];
  for (int i = 0; i < CELLS; i++)
    if (shared.has[i])
      add_part(&out, &shared, a, b, i);
  return out;
}

static ts_status find(ts_inside *out, const cells *a, const cells *b, ts_pose pose, bool turned) {
  ts_mesh *mesh_a = mesh_of(a, false), *mesh_b = mesh_of(b, turned);
  if (!mesh_a || !mesh_b)
    return TS_E_UNSUPPORTED;
  ts_bvh *bvh_a, *bvh_b;
  ts_elastic_pair *pair;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh_a, arena, mesh_a), TS_OK);
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh_b, arena, mesh_b), TS_OK);
  cr_assert_eq(ts_elastic_pair_create(&pair, arena, (ts_elastic_shape){mesh_a, bvh_a, pose},
                                      (ts_elastic_shape){mesh_b, bvh_b, pose}),
               TS_OK);
  *out = (ts_inside){.part_count = 0};
  return pair ? ts_inside_find(out, pair) : TS_OK;
}

static void check_areas(const ts_inside *inside, const expectation *expected, int i) {
  double area_m2[2] = {0, 0};
  for (size_t k = 0; k < inside->part_count; k++)
    for (int body = 0; body < 2; body++)
      area_m2[body] += inside->parts[k].area_m2[body];
  // Faces back to back beside a part belong to it, and both bodies have them.
  double more[2] = {area_m2[0] - expected->area_m2[0], area_m2[1] - expected->area_m2[1]};
  cr_assert_float_eq(more[0], more[1], 1e-6, "pair %d: %g and %g more", i, more[0], more[1]);
  cr_assert_geq(more[0], -1e-6, "pair %d: %g m2 less", i, more[0]);
}

Test(elastic_inside_flush, bodies_of_cells_have_the_faces_that_are_inside_or_a_reason) {
  ts_random random = ts_random_seed(31, 0);
  int found = 0, flush = 0, coincident = 0;
  for (int i = 0; i < 1500; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    cells a = random_cells(&random), b = random_cells(&random);
    if (i % 50 == 0)
      b = a;
    ts_pose pose = {ts_quat_from_axis_angle(elastic_random_direction(&random), i % 3),
                    {10 * (i % 3), -20 * (i % 3), 3}};
    ts_inside inside;
    ts_status status = find(&inside, &a, &b, pose, i % 2);
    expectation expected = expect(&a, &b);
    if (status == TS_OK) {
      cr_assert_eq(expected.with_one + expected.with_none, 0, "pair %d: not refused", i);
      cr_assert_leq(inside.part_count, (size_t)expected.with_both, "pair %d", i);
      cr_assert_eq(inside.part_count > 0, expected.with_both > 0, "pair %d: no part", i);
      check_areas(&inside, &expected, i);
      found += expected.with_both > 0;
    } else if (status != TS_E_UNSUPPORTED) {
      const char *reason = ts_status_detail();
      bool is_coincident = strstr(reason, "the surfaces coincide");
      bool is_flush = strstr(reason, "but for flush faces") || strstr(reason, "without touching");
      cr_assert_eq(status, TS_SKIPPED, "pair %d: %s", i, reason);
      cr_assert((is_coincident && expected.with_none > 0) || (is_flush && expected.with_one > 0),
                "pair %d: %s", i, reason);
      flush += is_flush;
      coincident += is_coincident;
    }
    ts_arena_rewind(arena, mark);
  }
  cr_assert(found >= 400 && flush >= 100 && coincident >= 10, "%d, %d, %d", found, flush,
            coincident);
}

Test(elastic_inside_flush, flush_faces_and_faces_back_to_back_close_off_an_overlap_together) {
  // b is an L around a: one cell of it overlaps a, flush on three sides, the others touch a's side.
  cells a = {{0}}, b = {{0}};
  fill(&a, (const int[]){0, 0, 0}, (const int[]){2, 2, 1});
  fill(&b, (const int[]){1, 0, 0}, (const int[]){3, 1, 1});
  fill(&b, (const int[]){2, 0, 0}, (const int[]){3, 2, 1});
  for (int swapped = 0; swapped < 2; swapped++) {
    ts_inside inside;
    cr_assert_eq(find(&inside, swapped ? &b : &a, swapped ? &a : &b, elastic_at(0, 0, 0), false),
                 TS_OK, "%s", ts_status_detail());
    cr_assert_eq(inside.part_count, 1);
    // a's side inside b, and of both the side back to back; b's two sides inside a
    cr_assert_float_eq(inside.parts[0].area_m2[swapped], 2, 1e-6);
    cr_assert_float_eq(inside.parts[0].area_m2[!swapped], 3, 1e-6);
  }
}

Test(elastic_inside_flush, a_part_that_coincides_is_refused_whatever_the_others_are_like) {
  // Two cells a body, as one mesh: the first ones coincide, the others overlap.
  cells a = {{0}}, b = {{0}};
  fill(&a, (const int[]){0, 0, 0}, (const int[]){1, 1, 1});
  fill(&a, (const int[]){2, 0, 0}, (const int[]){4, 1, 1});
  fill(&b, (const int[]){0, 0, 0}, (const int[]){1, 1, 1});
  fill(&b, (const int[]){3, 0, 0}, (const int[]){4, 2, 1});
  ts_inside inside;
  cr_assert_eq(find(&inside, &a, &b, elastic_at(0, 0, 0), true), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "the surfaces coincide"), "%s", ts_status_detail());
  b.has[0] = 0;
  cr_assert_eq(find(&inside, &a, &b, elastic_at(0, 0, 0), true), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(inside.part_count, 1);
}

Test(elastic_inside_flush, bodies_of_boxes_that_touch_each_other_coincide) {
  // Faces of one box lie back to back with those of the other body's next box.
  const ts_vec3 wall[2][2] = {{{0.5, 0.5, 0.5}, {0, 0, 0}}, {{0.5, 0.5, 0.5}, {1, 0, 0}}};
  ts_mesh *mesh = elastic_boxes(arena, wall, 2);
  ts_inside inside;
  ts_elastic_pair *pair =
      elastic_pair_of(arena, mesh, elastic_at(0, 0, 0), mesh, elastic_at(0, 0, 0));
  cr_assert_eq(ts_inside_find(&inside, pair), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "the surfaces coincide"), "%s", ts_status_detail());
}

Test(elastic_inside_flush, what_does_not_close_off_an_overlap_is_refused) {
  // Two boxes through each other as one mesh, flush with each other and with the cube around them:
  // where their sheets end in each other only one of both is open to the cube.
  const ts_vec3 crossed[2][2] = {{{1, 0.5, 1}, {0, -0.5, 0}}, {{1, 1, 0.5}, {0, 0, -0.5}}};
  ts_mesh *cube = elastic_box(arena, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0, 0});
  ts_mesh *angle = elastic_boxes(arena, crossed, 2);
  ts_inside inside;
  ts_elastic_pair *pair =
      elastic_pair_of(arena, cube, elastic_at(0, 0, 0), angle, elastic_at(0, 0, 0));
  cr_assert_eq(ts_inside_find(&inside, pair), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "do not close off the overlap"), "%s",
                     ts_status_detail());
}
