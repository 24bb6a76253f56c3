// SPDX-License-Identifier: MIT
// covers: ldi/cells.c ldi/contact.c
#include "ldi/contact.h"
#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_cells, .init = setup, .fini = teardown);

/// The sum of cells, and what must hold in each.
typedef struct cell_sum {
  const ts_ldi_pair *pair;
  int cell_px;
  int64_t last;
  size_t count, inside_count; ///< of cells, and of points in their own
  double volume_px3, farthest_cells;
  int64_t push[2][3];
  int64_t (*by_vertex[2])[3];
} cell_sum;

/// How far a point is from a cell, in widths of cells.
static double distance_from_cell(const cell_sum *s, const int32_t index[3], ts_vec3 point) {
  const ts_ldi_grid *grid = &s->pair->grid;
  double largest = 0;
  ts_vec3 p = ts_vec3_sub(point, grid->low);
  const double from_low_m[3] = {p.x, p.y, p.z};
  for (int k = 0; k < 3; k++) {
    double at = from_low_m[k] / (grid->pixel_m[k] * s->cell_px);
    largest = fmax(largest, fmax(index[k] - at, at - (index[k] + 1)));
  }
  return largest;
}

static ts_status add_cell(void *context, const ts_ldi_cell *cell) {
  cell_sum *s = context;
  const int32_t *size = s->pair->grid.size;
  int64_t place =
      cell->index[0] + (int64_t)size[0] * (cell->index[1] + (int64_t)size[1] * cell->index[2]);
  cr_assert_gt(place, s->last); // x fastest, none twice
  s->last = place;
  s->count++;
  double volume_px3 = cell->volume_px3[0] + cell->volume_px3[1] + cell->volume_px3[2];
  s->volume_px3 += volume_px3 / 3;
  cr_assert_gt(volume_px3, 0);
  for (int k = 0; k < 3; k++) {
    cr_assert(cell->index[k] >= 0 && cell->index[k] * s->cell_px < size[k]);
    int64_t push[2] = {0, 0};
    for (int body = 0; body < 2; body++) {
      const ts_ldi_load *load = &cell->loads[body];
      for (size_t i = 0; i < load->count; i++) {
        push[body] += load->sums[i][k];
        s->by_vertex[body][load->vertices ? load->vertices[i] : i][k] += load->sums[i][k];
      }
      s->push[body][k] += push[body];
    }
    cr_assert_eq(push[0], -push[1], "cell %zu", s->count);
  }
  ts_contact contact;
  if (ts_ldi_contact(&contact, s->pair, cell->loads, cell->volume_px3)) {
    double distance = distance_from_cell(s, cell->index, contact.point);
    s->farthest_cells = fmax(s->farthest_cells, distance);
    s->inside_count += distance <= 1e-9;
  }
  return TS_OK;
}

static cell_sum sum_cells(ts_ldi *ldi, int cell_px) {
  cell_sum s = {.pair = ts_ldi_placed(ldi), .cell_px = cell_px, .last = -1};
  for (int body = 0; body < 2; body++) {
    s.by_vertex[body] =
        ts_arena_array(arena, s.pair->mesh[body]->vertex_count, sizeof *s.by_vertex[0]);
    cr_assert(s.by_vertex[body]);
  }
  cr_assert_eq(ts_ldi_visit_cells(ldi, cell_px, add_cell, &s), TS_OK, "%s", ts_status_detail());
  return s;
}

Test(ldi_cells, two_patches_have_cells_on_each_and_none_between) {
  // A bridge whose two feet are on a block, 1/16 deep.
  const double p[8][2] = {{-2, 0}, {-1, 0}, {-1, 1}, {1, 1}, {1, 0}, {2, 0}, {2, 2}, {-2, 2}};
  const uint32_t cap[6][3] = {{0, 1, 2}, {0, 2, 7}, {2, 3, 7}, {3, 6, 7}, {3, 4, 6}, {4, 5, 6}};
  solid bridge = solid_between(p, p, 8, cap, 6, -0.5, 0.5, 0); // feet down along -y
  ts_ldi *ldi = ldi_open(ldi_box(arena, 6, 2, 2), solid_mesh(arena, &bridge), 1);
  ldi_place(ldi, ldi_at(0, -1, 0), ldi_at(0, -0.0625, 0), 128);
  ldi_contacts whole = ldi_find(arena, ldi, 0);
  cr_assert_eq(whole.count, 1);
  ldi_expect_near(whole.list[0].normal, ts_vec3_make(0, 1, 0), 1e-15, "normal");
  ldi_expect_near(whole.list[0].point, ts_vec3_make(0, -0.03125, 0), 1e-9, "point");
  cr_expect_float_eq(whole.list[0].gap_m, -0.0625, 1e-14);
  cr_expect_float_eq(whole.list[0].area_m2, 2, 1e-13);
  ldi_contacts cells = ldi_find(arena, ldi, 16);
  cr_expect_eq(cells.count, 2 * 2 * 2); // feet of 32 x 32 pixels, cells of 16
  double volume = 0;
  for (size_t i = 0; i < cells.count; i++) {
    const ts_contact *c = &cells.list[i];
    ldi_expect_near(c->normal, ts_vec3_make(0, 1, 0), 1e-15, "normal");
    cr_expect(fabs(c->point.x) > 1 && fabs(c->point.x) < 2 && fabs(c->point.z) < 0.5);
    cr_expect_float_eq(c->point.y, -0.03125, 1e-9);
    cr_expect_float_eq(c->gap_m, -0.0625, 1e-13);
    volume -= c->gap_m * c->area_m2;
  }
  cr_expect_float_eq(volume, 0.125, 1e-13);
  // Feet begin and end on walls of cells, where rounding must not make a cell of no volume.
  cr_expect_eq(sum_cells(ldi, 16).count, 8);
  ts_ldi_destroy(ldi);
}

Test(ldi_cells, cells_add_up_to_the_whole_and_push_both_bodies_alike) {
  const int widths[] = {1, 3, 16, 64, 5000};
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_random random = ts_random_seed(7, kind);
    for (int n = 0; n < LDI_TRIES(10); n++) {
      ldi_scene_draw(&scene, &random);
      ldi_place(ldi, scene.pose[0], scene.pose[1], 40);
      const ts_ldi_grid *grid = &ts_ldi_placed(ldi)->grid;
      for (int i = 0; i < 5; i++) {
        cell_sum s = sum_cells(ldi, widths[i]);
        ts_ldi_overlap overlap = ldi_measure(ldi);
        cr_expect_float_eq(s.volume_px3 * ts_ldi_cell_m3(grid), overlap.volume_m3,
                           1e-12 * overlap.volume_m3);
        double size = 0;
        for (int body = 0; body < 2; body++)
          for (size_t k = 0; k < scene.mesh[body]->vertex_count; k++)
            size += ts_vec3_norm(overlap.gradient[body][k]);
        for (int body = 0; body < 2; body++)
          for (size_t k = 0; k < scene.mesh[body]->vertex_count; k++) {
            ts_vec3 of_cells = ts_ldi_weight_m2(s.by_vertex[body][k], grid);
            ldi_expect_near(of_cells, overlap.gradient[body][k], 1e-9 * size, scene.name);
          }
        cr_expect_eq(s.count == 1, widths[i] >= 40);
      }
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_cells, contacts_of_cells_are_those_of_their_loads_and_add_up) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_random random = ts_random_seed(8, kind);
    for (int n = 0; n < LDI_TRIES(10); n++) {
      ldi_scene_draw(&scene, &random);
      ldi_place(ldi, scene.pose[0], scene.pose[1], 40);
      ldi_contacts found = ldi_find(arena, ldi, 8);
      ts_ldi_overlap overlap = ldi_measure(ldi);
      double volume = 0;
      for (size_t i = 0; i < found.count; i++) {
        const ts_contact *c = &found.list[i];
        volume -= c->gap_m * c->area_m2;
        cr_assert(ts_vec3_is_finite(c->point) && isfinite(c->gap_m) && c->gap_m < 0);
        cr_assert_float_eq(ts_vec3_norm(c->normal), 1, 1e-14);
        cr_assert_gt(c->area_m2, 0);
      }
      cr_expect_gt(found.count, 4);
      // A cell that only one body bounds is not pushed, and has no contact; each cell weights the
      // views by its own normal.
      cr_expect_leq(volume, overlap.volume_m3 * 1.02);
      cr_expect_geq(volume, 0.5 * overlap.volume_m3);
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_cells, points_of_a_shallow_overlap_lie_in_or_near_their_cells) {
  // A cell gets its share of a line of sight, and the point of the share is the middle of the line:
  // beside the cell where a view looks along the faces and the line is long.
  ts_ldi *ldi = ldi_open(ldi_box(arena, 3, 3, 1), ldi_box(arena, 1, 0.5, 2), 1);
  ts_random random = ts_random_seed(9, 1);
  size_t count = 0, inside_count = 0;
  double farthest_cells = 0;
  for (int n = 0; n < LDI_TRIES(50); n++) {
    ts_pose a = random_pose(&random, 3), b = ts_pose_mul(a, ldi_at(0.25, -0.5, 1.5 - 0.05));
    ldi_place(ldi, a, b, 128);
    cell_sum s = sum_cells(ldi, 16);
    count += s.count;
    inside_count += s.inside_count;
    farthest_cells = fmax(farthest_cells, s.farthest_cells);
  }
  cr_log_info("points of cells: %zu of %zu inside, the farthest %g widths out", inside_count, count,
              farthest_cells);
  cr_expect_leq(farthest_cells, 1.5, "%g widths of a cell", farthest_cells);
  cr_expect_gt(2 * inside_count, count, "%zu of %zu", inside_count, count);
  ts_ldi_destroy(ldi);
}

Test(ldi_cells, cells_of_a_pressed_box_are_as_worked_out_by_hand) {
  // 1 x 0.5 at 64 pixels, 1/16 deep: 64 x 32 x 4 pixels, so that cells of 8 are 8 x 4 x 1, the last
  // ones cut off at the height.
  ts_ldi *ldi = ldi_open(ldi_box(arena, 3, 3, 1), ldi_box(arena, 1, 0.5, 2), 1);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.25, -0.5, 1.5 - 0.0625), 64);
  ldi_contacts found = ldi_find(arena, ldi, 8);
  cr_assert_eq(found.count, 32);
  for (int i = 0; i < 32; i++) {
    const ts_contact *c = &found.list[i];
    double x = -0.25 + (i % 8 + 0.5) / 8, y = -0.75 + (i / 8 + 0.5) / 8; // x fastest
    ldi_expect_near(c->point, ts_vec3_make(x, y, 0.5 - 0.03125), 1e-9, "point");
    ldi_expect_near(c->normal, ts_vec3_make(0, 0, 1), 1e-15, "normal");
    cr_expect_float_eq(c->area_m2, 1.0 / 64, 1e-15);
    cr_expect_float_eq(c->gap_m, -0.0625, 1e-13);
  }
  // One cell that holds all is the whole.
  ldi_contacts whole = ldi_find(arena, ldi, 0), one = ldi_find(arena, ldi, 64);
  cr_assert(whole.count == 1 && one.count == 1);
  ldi_expect_near(one.list[0].point, whole.list[0].point, 1e-9, "one cell");
  cr_expect_float_eq(one.list[0].gap_m, whole.list[0].gap_m, 1e-14);
  // Cells of two pixels cut the depth: 32 x 16 x 2.
  cr_expect_eq(ldi_find(arena, ldi, 2).count, 32 * 16 * 2);
  ts_ldi_destroy(ldi);
}

Test(ldi_cells, cells_of_no_width_are_refused) {
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.3, 0.4, 0.5), 32);
  cr_expect_eq(ts_ldi_visit_cells(ldi, 0, add_cell, NULL), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "at least 1"), "%s", ts_status_detail());
  ts_ldi_destroy(ldi);
}
