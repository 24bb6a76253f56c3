// SPDX-License-Identifier: MIT
/// Files of heights: a picture where the input begins as a PNG does, else text. Each is refused or
/// becomes a grid, and the grid a sheet.
#include "cases/scene/ground.h"
#include "geometry/files/heights.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

/// Few, so that sheets are made in no time.
enum { HEIGHTS_MAX = 1000 };

static void check_grid(const ts_heights *h) {
  FUZZ_CHECK(h->row_count > 0 && h->column_count > 0);
  FUZZ_CHECK(h->row_count * h->column_count <= HEIGHTS_MAX);
  for (size_t i = 0; i < h->row_count * h->column_count; i++) {
    FUZZ_CHECK(isfinite(h->values[i]));
    FUZZ_CHECK(!h->is_picture || (h->values[i] >= 0 && h->values[i] <= 1));
  }
}

static void check_sheet(ts_arena *arena, const ts_heights *h) {
  const ts_heightfield field = {h->row_count, h->column_count, h->values, 1, 1};
  ts_scene *scene;
  int32_t shape;
  FUZZ_CHECK(ts_scene_create(&scene, arena) == TS_OK);
  if (fuzz_is_ok(ts_scene_add_heightfield(&shape, scene, "field", &field, 0)) &&
      fuzz_is_ok(ts_scene_fit_ground(scene))) {
    const ts_shape *made = &scene->shapes[shape];
    FUZZ_CHECK(made->piece_count == 2 * (h->row_count - 1) * (h->column_count - 1));
    FUZZ_CHECK(made->mesh->vertex_count == 2 * h->row_count * h->column_count);
    for (size_t i = 0; i < h->row_count * h->column_count; i++)
      FUZZ_CHECK(made->mesh->vertices[i].y == h->values[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool is_picture = size > 0 && data[0] == 0x89;
  const char *name = is_picture ? "heights.png" : "heights.csv";
  ts_arena *arena;
  ts_heights read, again;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  if (fuzz_is_ok(ts_heights_parse(&read, arena, name, (const char *)data, size, HEIGHTS_MAX))) {
    check_grid(&read);
    FUZZ_CHECK(ts_heights_parse(&again, arena, name, (const char *)data, size, HEIGHTS_MAX) ==
               TS_OK);
    FUZZ_CHECK(again.row_count == read.row_count && again.column_count == read.column_count &&
               memcmp(again.values, read.values,
                      read.row_count * read.column_count * sizeof(double)) == 0);
    check_sheet(arena, &read);
  }
  ts_arena_destroy(arena);
  return 0;
}
