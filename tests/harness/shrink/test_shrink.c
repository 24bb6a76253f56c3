// SPDX-License-Identifier: MIT
// covers: harness/shrink/shrink.c harness/shrink/draft.c harness/shrink/draft_files.c
// covers: harness/shrink/condition.c harness/shrink/shrink_command.c
#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/shrink/condition.h"
#include "harness/shrink/shrink.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_shrink, .init = open_arena, .fini = close_arena);

/// A box of 8 vertices and 12 triangles with its lower corner at a place.
static ts_draft_body make_box(const char *name, double x, double y, double z) {
  static const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                            {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                            {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  ts_draft_body body = {
      .name = name, .density_kg_m3 = 2000, .vertex_count = 8, .triangle_count = 12};
  body.vertices = ts_arena_array(arena, 8, sizeof *body.vertices);
  body.triangles = ts_arena_copy(arena, triangles, 12, sizeof *triangles);
  for (int i = 0; i < 8; i++)
    body.vertices[i] = ts_vec3_make(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
  return body;
}

/// A row of boxes that stand beside each other, the first one fixed.
static ts_draft make_row(size_t count) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  ts_draft draft = {.name = "row",
                    .up = {0, 1, 0},
                    .scale = 1,
                    .touch_relative = TS_POSITION_RELATIVE,
                    .body_count = count,
                    .bodies = ts_arena_array(arena, count, sizeof *draft.bodies)};
  for (size_t i = 0; i < count; i++)
    draft.bodies[i] = make_box(names[i], (double)i, 0.123456789, 0);
  draft.bodies[0].is_fixed = true;
  return draft;
}

static bool has_body(const ts_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->body_count; i++)
    if (strcmp(draft->bodies[i].name, name) == 0)
      return true;
  return false;
}

/// Fails as long as bodies c and f are there and every mesh is one.
static ts_status needs_two(bool *out, void *context, const ts_draft *draft) {
  ts_scene *scene;
  size_t *asked = context;
  ++*asked;
  *out =
      has_body(draft, "c") && has_body(draft, "f") && ts_draft_scene(&scene, arena, draft) == TS_OK;
  return TS_OK;
}

Test(harness_shrink, what_is_left_is_minimal_in_bodies_and_collapses) {
  ts_draft draft = make_row(8);
  size_t asked = 0;
  ts_shrunk shrunk;
  const ts_shrink_job job = {.still_fails = needs_two, .context = &asked, .tries_max = 100000};
  cr_assert_eq(ts_shrink(&shrunk, &draft, arena, &job), TS_OK);
  cr_expect(shrunk.is_smallest);
  cr_expect_eq(shrunk.tries, asked);
  cr_assert_eq(draft.body_count, 2);
  cr_expect_str_eq(draft.bodies[0].name, "c");
  cr_expect_str_eq(draft.bodies[1].name, "f");
  for (size_t i = 0; i < 2; i++) {
    cr_expect_eq(draft.bodies[i].triangle_count, 4, "no closed surface has fewer");
    for (size_t v = 0; v < draft.bodies[i].vertex_count; v++)
      cr_expect_eq(draft.bodies[i].vertices[v].y, round(draft.bodies[i].vertices[v].y));
  }
  bool fails;
  for (size_t i = 0; i < 2; i++) {
    ts_draft without;
    cr_assert_eq(ts_draft_copy(&without, arena, &draft), TS_OK);
    ts_draft_remove(&without, i);
    cr_assert_eq(needs_two(&fails, &asked, &without), TS_OK);
    cr_expect(!fails);
    for (uint32_t from = 0; from < 4; from++)
      for (uint32_t to = 0; to < 4; to++) {
        ts_draft collapsed;
        cr_assert_eq(ts_draft_copy(&collapsed, arena, &draft), TS_OK);
        cr_expect(from == to || !ts_draft_collapse(&collapsed.bodies[i], from, to));
      }
  }
}

Test(harness_shrink, ends_with_what_there_is_when_tries_run_out) {
  ts_draft draft = make_row(8);
  size_t asked = 0;
  ts_shrunk shrunk;
  const ts_shrink_job job = {.still_fails = needs_two, .context = &asked, .tries_max = 5};
  cr_assert_eq(ts_shrink(&shrunk, &draft, arena, &job), TS_OK);
  cr_expect(!shrunk.is_smallest);
  cr_expect_eq(asked, 5);
  bool fails;
  cr_assert_eq(needs_two(&fails, &asked, &draft), TS_OK);
  cr_expect(fails);
}

static ts_status breaks(bool *out, void *context, const ts_draft *draft) {
  (void)context, (void)draft;
  *out = false;
  return ts_fail(TS_E_IO, "no process is left");
}

Test(harness_shrink, passes_on_an_error) {
  ts_draft draft = make_row(3);
  ts_shrunk shrunk;
  const ts_shrink_job job = {.still_fails = breaks, .tries_max = 100};
  cr_expect_eq(ts_shrink(&shrunk, &draft, arena, &job), TS_E_IO);
}

Test(harness_shrink, a_collapse_drops_two_triangles_and_a_vertex) {
  ts_draft_body box = make_box("box", 0, 0, 0);
  cr_assert(ts_draft_collapse(&box, 7, 6));
  cr_expect_eq(box.triangle_count, 10);
  cr_expect_eq(box.vertex_count, 7);
  cr_expect(!ts_draft_collapse(&box, 2, 5), "they share no edge");
  ts_draft draft = {.name = "one",
                    .up = {0, 1, 0},
                    .scale = 1,
                    .touch_relative = TS_POSITION_RELATIVE,
                    .body_count = 1,
                    .bodies = &box};
  ts_scene *scene;
  cr_expect_eq(ts_draft_scene(&scene, arena, &draft), TS_OK, "%s", ts_status_detail());
}

Test(harness_shrink, a_surface_that_folds_is_no_scene) {
  ts_draft_body box = make_box("box", 0, 0, 0);
  box.vertices[0] = ts_vec3_make(NAN, 0, 0);
  ts_draft draft = {.name = "one",
                    .up = {0, 1, 0},
                    .scale = 1,
                    .touch_relative = TS_POSITION_RELATIVE,
                    .body_count = 1,
                    .bodies = &box};
  ts_scene *scene;
  cr_expect_eq(ts_draft_scene(&scene, arena, &draft), TS_E_INPUT);
  box = make_box("box", 0, 0, 0);
  for (int i = 0; i < 8; i++) // inside out
    box.vertices[i].x = -box.vertices[i].x;
  cr_expect_eq(ts_draft_scene(&scene, arena, &draft), TS_E_INPUT);
}

Test(harness_shrink, rounds_as_text_is_read) {
  cr_expect_eq(ts_draft_round(0.123456789, 3), 0.123);
  cr_expect_eq(ts_draft_round(-0.4, 0), 0);
  cr_expect(!signbit(ts_draft_round(-0.4, 0)));
  cr_expect_eq(ts_draft_round(1e300, 6), 1e300);
  cr_expect_eq(ts_draft_round(2.5e-7, 6), 0);
}

Test(harness_shrink, counts_digits_without_zeros_before_them) {
  ts_draft_body box = make_box("box", 0, 0, 0);
  ts_draft draft = {.name = "one", .body_count = 1, .bodies = &box};
  cr_expect_eq(ts_draft_measure(&draft).digits, 12); // each coordinate is 0 or 1
  box.vertices[0].x = -0.0625;
  cr_expect_eq(ts_draft_measure(&draft).digits, 15);
}

Test(harness_shrink, conditions) {
  static const struct {
    const char *text;
    double quality;
    const char *outcome;
    bool holds;
  } all[] = {
      {"quality_percent<50", 49, "ok", true},      {"quality_percent<50", 50, "ok", false},
      {" quality_percent <= 50 ", 50, "ok", true}, {"quality_percent>50", NAN, "ok", false},
      {"quality_percent!=50", NAN, "ok", false},   {"quality_percent >= 5e1", 50, "ok", true},
      {"quality_percent=50", 50, "ok", true},      {"outcome=crashed", NAN, "crashed", true},
      {"outcome!=ok", NAN, "crashed", true},       {"outcome != ok", 1, "ok", false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_condition condition;
    ts_record record;
    ts_row_init(&ts_summary_rows, &record);
    record.quality_percent = all[i].quality;
    record.outcome = all[i].outcome;
    cr_assert_eq(ts_condition_parse(&condition, arena, all[i].text), TS_OK, "%s",
                 ts_status_detail());
    cr_expect_null(condition.method);
    cr_expect_eq(ts_condition_holds(&condition, &record), all[i].holds, "%s", all[i].text);
  }
  ts_condition other;
  cr_assert_eq(ts_condition_parse(&other, arena, "semi_local: quality_percent=100"), TS_OK);
  cr_expect_str_eq(other.method, "semi_local");
}

Test(harness_shrink, conditions_that_are_none) {
  static const char *const all[][2] = {
      {"quality_percent", "write COLUMN>VALUE"},        {"", "write COLUMN>VALUE"},
      {"quality<50", "there is no column \"quality\""}, {"quality_percent<", "is not a number"},
      {"quality_percent<nan", "is not a number"},       {"quality_percent<half", "is not a number"},
      {"outcome<ok", "compare it by = or !="},          {"outcome=", "has no value"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_condition condition;
    cr_expect_eq(ts_condition_parse(&condition, arena, all[i][0]), TS_E_INPUT, "%s", all[i][0]);
    cr_expect(strstr(ts_status_detail(), all[i][1]), "%s: %s", all[i][0], ts_status_detail());
  }
}
