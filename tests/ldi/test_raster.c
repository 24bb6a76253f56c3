// SPDX-License-Identifier: MIT
// covers: ldi/raster.c
#include "ldi/raster.h"

#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_raster, .init = setup, .fini = teardown);

/// A mesh under a grid of 60 pixels along its longest side, and all of its triangles.
typedef struct subject {
  ts_ldi_shape *shape;
  ts_ldi_grid grid;
  ts_ldi_placed_mesh meshes[2]; ///< the second one is not used
  uint32_t *items;              ///< [shape->mesh->triangle_count]
} subject;

static subject open_subject(const ts_mesh *mesh) {
  subject s = {0};
  cr_assert_eq(ts_ldi_shape_create(&s.shape, mesh), TS_OK);
  s.meshes[0] = (ts_ldi_placed_mesh){
      .shape = s.shape,
      .vertices = ts_arena_array(arena, s.shape->vertex_count, sizeof(ts_ldi_vertex))};
  s.items = ts_arena_array(arena, mesh->triangle_count, sizeof *s.items);
  cr_assert(s.meshes[0].vertices && s.items);
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    s.items[t] = t << 1;
  return s;
}

static void place(subject *s, ts_pose pose) {
  ts_aabb box = ldi_bounds(s->shape->mesh, pose);
  s->grid = ts_ldi_grid_fit(box, box, 60);
  ts_ldi_affine to_grid = ts_ldi_affine_grid(pose, &s->grid);
  for (size_t i = 0; i < s->shape->vertex_count; i++) {
    ts_ldi_vertex *vertex = &s->meshes[0].vertices[i];
    ts_ldi_affine_apply(vertex->position_px, &to_grid, s->shape->points[i]);
    for (int k = 0; k < 3; k++)
      vertex->first_quarter[k] = ts_ldi_first_quarter(vertex->position_px[k], s->grid.size[k]);
  }
}

/// Compares the weights of all crossings of a view; returns how many there are.
static size_t compare_weights(const subject *s, ts_ldi_canvas *canvas, int axis) {
  ts_ldi_image image = {.axis = axis,
                        .row_count = ts_ldi_row_count(&s->grid, axis),
                        .column_count = ts_ldi_column_count(&s->grid, axis)};
  cr_assert_eq(
      ts_ldi_raster_band(&image, canvas, s->meshes, s->items, s->shape->mesh->triangle_count),
      TS_OK);
  int32_t pixels = image.row_count * image.column_count;
  for (int32_t pixel = 0; pixel < pixels; pixel++)
    for (uint32_t i = image.start[pixel]; i < image.start[pixel + 1]; i++) {
      const ts_ldi_cut *cut = &canvas->cuts[image.crossings[i].place];
      int32_t row = pixel / image.column_count, column = pixel % image.column_count;
      cr_assert_eq(s->shape->triangles[cut->triangle], ts_ldi_triangle(image.crossings[i].id));
      ts_ldi_seen seen;
      double found[3], exact[3];
      ts_ldi_see(&seen, &s->meshes[0], cut->triangle, axis);
      ts_ldi_barycentric(exact, &seen, row, column);
      ts_ldi_cut_weights(found, cut, &s->meshes[0], axis, row, column);
      for (int k = 0; k < 3; k++)
        cr_assert_eq(found[k], exact[k], "corner %d: %.17g, not %.17g", k, found[k], exact[k]);
    }
  return image.start[pixels];
}

Test(ldi_raster, weights_of_a_cut_are_those_of_its_triangle_to_the_last_bit) {
  ts_random random = ts_random_seed(6, 1);
  ts_ldi_canvas canvas = {0};
  size_t crossings = 0;
  for (int which = 0; which < LDI_MESHES; which++) {
    subject s = open_subject(ldi_mesh_of(arena, which));
    for (int n = 0; n < LDI_TRIES(60); n++) {
      // Not turned at first: rows and columns through vertices and along edges.
      place(&s, n == 0 ? ts_pose_identity() : random_pose(&random, n % 3 == 0 ? 1e3 : 1));
      for (int axis = 0; axis < 3; axis++)
        crossings += compare_weights(&s, &canvas, axis);
    }
    ts_ldi_shape_destroy(s.shape);
  }
  cr_expect_gt(crossings, 1000 * (size_t)LDI_TRIES(60));
  ts_ldi_canvas_free(&canvas);
}
