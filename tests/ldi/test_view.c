// SPDX-License-Identifier: MIT
// covers: ldi/view.c
#include "ldi/view.h"

#include "base/array.h"
#include "ldi/line_sweep.h"
#include "ldi/scan.h"
#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_view, .init = setup, .fini = teardown);

/// A pair under the reference.
typedef struct subject {
  ts_ldi_pair pair;
  ldi_reference cpu;
} subject;

static subject open_subject(const ts_mesh *a, const ts_mesh *b) {
  return (subject){.pair.mesh = {a, b}, .cpu = ldi_reference_open(a, b)};
}

static bool place(subject *s, ts_pose a, ts_pose b, int resolution_px) {
  s->pair.pose[0] = a;
  s->pair.pose[1] = b;
  for (int body = 0; body < 2; body++)
    s->pair.box[body] = ldi_bounds(s->pair.mesh[body], s->pair.pose[body]);
  s->pair.grid = ts_ldi_grid_fit(s->pair.box[0], s->pair.box[1], resolution_px);
  if (ts_ldi_grid_is_empty(&s->pair.grid))
    return false;
  cr_assert_eq(ts_ldi_backend_cpu.place(s->cpu.state, &s->pair), TS_OK);
  return true;
}

/// The intervals of bands, and how many crossings it took.
typedef struct band_intervals {
  size_t count, capacity, crossings;
  ts_ldi_interval *list; ///< [count]
} band_intervals;

static void add_intervals(band_intervals *out, subject *s, int axis, int32_t band, bool is_whole) {
  ts_ldi_image image;
  cr_assert_eq(ts_ldi_backend_cpu.render(&image, s->cpu.state, 0, axis, band, is_whole), TS_OK);
  uint32_t pixels = (uint32_t)(image.row_count * image.column_count);
  out->crossings += image.start[pixels];
  for (uint32_t i = 0; i < pixels; i++) {
    const ts_ldi_crossing *line = image.crossings + image.start[i];
    uint32_t count = image.start[i + 1] - image.start[i];
    if (is_whole)
      cr_assert_eq(ts_ldi_sweep_start(line, count, image.lower).winding[image.lower], 0);
    ts_ldi_sweep sweep = ts_ldi_sweep_start(line, count, image.lower);
    ts_ldi_interval interval;
    while (ts_ldi_sweep_next(&interval, &sweep)) {
      cr_assert_eq(TS_ARENA_GROW(out->list, out->capacity, out->count, 1, arena), TS_OK);
      out->list[out->count++] = interval;
    }
  }
}

static void expect_same(const ts_ldi_bound *a, const ts_ldi_bound *b) {
  cr_assert_eq(a->depth_px, b->depth_px);
  cr_assert_eq(a->count, b->count);
  cr_assert_eq(a->id[0], b->id[0]);
  cr_assert(a->count == 1 || a->id[1] == b->id[1]);
}

/// Crossings in whole images, and in those with what may bound the overlap.
typedef struct tally {
  size_t whole, part, intervals;
} tally;

/// The bands of a view, one after the other.
static band_intervals intervals_of_view(subject *s, int axis, bool is_whole) {
  band_intervals out = {0};
  for (int32_t band = 0; band < ts_ldi_band_count(&s->pair.grid, axis); band++)
    add_intervals(&out, s, axis, band, is_whole);
  return out;
}

static void compare(tally *sum, subject *s) {
  band_intervals part[3];
  // First: once whole images were asked for, nothing is left out until bodies are placed again.
  for (int axis = 0; axis < 3; axis++)
    part[axis] = intervals_of_view(s, axis, false);
  for (int axis = 0; axis < 3; axis++) {
    band_intervals whole = intervals_of_view(s, axis, true);
    cr_assert_eq(whole.count, part[axis].count, "view %d", axis);
    for (size_t i = 0; i < whole.count; i++) {
      expect_same(&whole.list[i].low, &part[axis].list[i].low);
      expect_same(&whole.list[i].high, &part[axis].list[i].high);
    }
    sum->whole += whole.crossings;
    sum->part += part[axis].crossings;
    sum->intervals += whole.count;
  }
}

Test(ldi_view, what_is_left_out_changes_no_interval) {
  ts_random random = ts_random_seed(1, 0);
  const int resolutions[] = {40, 1, 7, 96, 200};
  for (int a = 0; a < LDI_MESHES; a++)
    for (int b = 0; b < LDI_MESHES; b++) {
      subject s = open_subject(ldi_mesh_of(arena, a), ldi_mesh_of(arena, b));
      tally sum = {0};
      for (int n = 0; n < LDI_TRIES(20); n++) {
        // From far into each other to nearly apart.
        ts_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 0.3);
        pose_b.translation.y += 0.1 * n;
        if (place(&s, pose_a, pose_b, resolutions[n % 5]))
          compare(&sum, &s);
      }
      cr_expect_gt(sum.intervals, LDI_TRIES(20) < 20 ? 0u : 100u); // fewer under sanitizers
      ldi_reference_close(&s.cpu);
    }
}

Test(ldi_view, faces_in_one_plane_stay_two_bounds) {
  subject s = open_subject(ldi_cube(arena, 1), ldi_cube(arena, 1));
  tally sum = {0};
  cr_assert(place(&s, ts_pose_identity(), ts_pose_identity(), 64));
  compare(&sum, &s);
  cr_assert(place(&s, ts_pose_identity(), ldi_at(0.3, 0, 0.45), 64));
  compare(&sum, &s);
  cr_expect_gt(sum.intervals, 64u * 64u);
  ldi_reference_close(&s.cpu);
}

Test(ldi_view, a_shallow_overlap_needs_few_of_the_crossings) {
  // One ball above the other, their overlap a lens: of the view along z, little more than the lens.
  const ts_mesh *ball = ldi_sphere(arena, 47, 80, 1);
  for (int turned = 0; turned < 2; turned++) {
    subject s = open_subject(ball, ball);
    tally sum = {0};
    cr_assert(place(&s, ldi_at(0, 0, turned ? 1.9 : 0), ldi_at(0, 0, turned ? 0 : 1.9), 256));
    compare(&sum, &s);
    cr_expect_lt(2 * sum.part, sum.whole, "%zu of %zu crossings", sum.part, sum.whole);
    ldi_reference_close(&s.cpu);
  }
}
