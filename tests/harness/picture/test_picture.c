// SPDX-License-Identifier: MIT
// covers: harness/picture/exploded_view.c harness/picture/picture.c harness/picture/svg.c
// covers: harness/picture/wireframe.c
// What a picture shows: which edges are hidden, where bodies are pulled to, what is drawn.
#include "harness/picture/picture.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/picture/exploded_view.h"
#include "harness/picture/svg.h"
#include "harness/picture/wireframe.h"
#include "tests/reports/export/snapshot_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_picture, .init = setup, .fini = teardown);

static const ts_view front = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// A body that is a box from `low` to `high`.
static ts_snapshot_body box(ts_vec3 low, ts_vec3 high) {
  static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                            {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                            {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  ts_vec3 vertices[8];
  for (int i = 0; i < 8; i++)
    vertices[i] = (ts_vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 8, triangles, 12), TS_OK, "%s",
               ts_status_detail());
  return (ts_snapshot_body){
      .name = "box", .pose = {{1, 0, 0, 0}, {0, 0, 0}}, .designed = {mesh, mesh->vertices}};
}

static ts_wireframe wireframe_of(const ts_snapshot_body *bodies, size_t count) {
  ts_snapshot snapshot = {.body_count = count, .bodies = bodies, .body_size_m = 1};
  static const ts_vec3 still[4];
  ts_wireframe out;
  cr_assert_eq(ts_wireframe_create(&out, arena, &snapshot, still, &front), TS_OK);
  return out;
}

/// Total length of the pieces that are hidden, or visible.
static double length_of(const ts_wireframe *wireframe, bool is_hidden) {
  double sum = 0;
  for (size_t i = 0; i < wireframe->wire_count; i++)
    if (wireframe->wires[i].is_hidden == is_hidden)
      sum += ts_vec3_distance(wireframe->wires[i].from, wireframe->wires[i].to);
  return sum;
}

Test(harness_picture, a_box_shows_its_twelve_edges_and_no_diagonal) {
  ts_snapshot_body body = box((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
  ts_wireframe w = wireframe_of(&body, 1);
  cr_expect_eq(w.wire_count, 12);
  cr_expect_float_eq(length_of(&w, false) + length_of(&w, true), 4 * (1 + 2 + 3), 1e-12);
}

Test(harness_picture, an_edge_is_cut_where_it_goes_behind_a_face) {
  // A small square in front of the centre of a long one.
  ts_snapshot_body bodies[2] = {box((ts_vec3){0, 0, 0}, (ts_vec3){4, 1, 1}),
                                box((ts_vec3){1, -1, 2}, (ts_vec3){2, 3, 3})};
  ts_wireframe alone = wireframe_of(bodies, 1), front_one = wireframe_of(bodies + 1, 1);
  ts_wireframe both = wireframe_of(bodies, 2);
  // One metre of each of the two long edges of the front face, and of those behind them.
  double of_front = length_of(&front_one, false);
  cr_expect_float_eq(length_of(&both, false), length_of(&alone, false) + of_front - 4, 1e-3);
  size_t cut = 0;
  for (size_t i = 0; i < both.wire_count; i++) {
    const ts_wire *w = &both.wires[i];
    cut += w->is_hidden && w->from.z == 1 && w->to.z == 1 &&
           fabs(fabs(w->to.x - w->from.x) - 1) < 1e-3;
  }
  cr_expect_eq(cut, 2);
}

Test(harness_picture, a_point_is_hidden_behind_a_face_and_not_on_it) {
  ts_snapshot_body body = box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
  ts_wireframe w = wireframe_of(&body, 1);
  cr_expect(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 0.5}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 1}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 2}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){1.5, 0.25, 0.5}));
}

Test(harness_picture, the_view_is_right_handed_and_upright_for_any_up) {
  static const ts_vec3 ups[3] = {{0, 1, 0}, {1, 0, 0}, {0.6, 0, 0.8}};
  for (int i = 0; i < 3; i++) {
    ts_view view = ts_view_three_quarter(ups[i]);
    ts_vec3 cross = ts_vec3_cross(view.right, view.above);
    cr_expect_lt(ts_vec3_distance(cross, view.towards), 1e-12);
    ts_vec3 up = ts_view_point(&view, ups[i]);
    cr_expect_lt(fabs(up.x), 1e-7, "up is up on the page");
    cr_expect_gt(up.y, 0.9);
  }
}

/// A region between two bodies, along a normal.
static ts_snapshot_region joint(int a, int b, const ts_vec3 *at, const ts_snapshot_normal *normal) {
  return (ts_snapshot_region){a, b, 0, 1, at, true, 1, normal};
}

Test(harness_picture, a_stack_comes_apart_by_the_gap) {
  static const ts_vec3 at[2] = {{0.5, 1, 0.5}, {0.5, 2, 0.5}};
  static const ts_snapshot_normal up = {{0, 1, 0}, 0, false};
  const ts_snapshot_body bodies[4] = {
      box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1}), box((ts_vec3){0, 1, 0}, (ts_vec3){1, 2, 1}),
      box((ts_vec3){0, 2, 0}, (ts_vec3){1, 3, 1}), box((ts_vec3){5, 0, 0}, (ts_vec3){6, 1, 1})};
  const ts_snapshot_region regions[2] = {joint(0, 1, &at[0], &up), joint(1, 2, &at[1], &up)};
  ts_snapshot snapshot = {
      .body_size_m = 1, .body_count = 4, .bodies = bodies, .region_count = 2, .regions = regions};
  ts_vec3 *shifts;
  cr_assert_eq(ts_exploded_view(&shifts, arena, &snapshot, 0.5), TS_OK);
  cr_expect_float_eq(shifts[1].y - shifts[0].y, 0.5, 1e-3);
  cr_expect_float_eq(shifts[2].y - shifts[1].y, 0.5, 1e-3);
  cr_expect_float_eq(shifts[2].x, 0, 1e-12);
  cr_expect_eq(ts_vec3_norm(shifts[3]), 0, "it touches nothing");
}

Test(harness_picture, overlapping_bodies_are_moved_apart) {
  static const ts_vec3 at = {0.5, 0.5, 0.5};
  static const ts_snapshot_normal up = {{0, 1, 0}, 0, false};
  const ts_snapshot_body bodies[2] = {box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1}),
                                      box((ts_vec3){0, 0.25, 0}, (ts_vec3){1, 2, 1})};
  const ts_snapshot_region region = joint(0, 1, &at, &up);
  ts_snapshot snapshot = {
      .body_size_m = 1, .body_count = 2, .bodies = bodies, .region_count = 1, .regions = &region};
  ts_vec3 *shifts;
  cr_assert_eq(ts_exploded_view(&shifts, arena, &snapshot, 0.5), TS_OK);
  cr_expect_float_eq(shifts[1].y - shifts[0].y, 0.5 + 0.75, 1e-3);
}

/// A picture as text, to be freed.
static char *picture_of(const ts_snapshot *snapshot) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_picture_write(file, arena, snapshot), TS_OK);
  fclose(file);
  return text;
}

static size_t count_of(const char *text, const char *what) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
    count++;
  return count;
}

Test(harness_picture, each_kind_of_contact_is_drawn_and_in_the_legend) {
  ts_snapshot snapshot = fixture_snapshot();
  char *text = picture_of(&snapshot);
  cr_expect(strstr(text, ">correct (1)<"));
  cr_expect(strstr(text, ">incorrect (3)<"));
  cr_expect(strstr(text, ">speculative (1)<"));
  cr_expect(strstr(text, ">phantom (1)<"));
  cr_expect(strstr(text, ">of which without a normal (2)<"));
  cr_expect(strstr(text, ">touching regions (3)<"));
  cr_expect(strstr(text, ">made, hand<"));
  cr_expect_eq(count_of(text, "stroke-dasharray=\"5 2.5\""), 2, "the phantom and its sign");
  cr_expect_not(strstr(text, "nan"));
  free(text);
}

Test(harness_picture, the_legend_has_only_kinds_in_the_picture) {
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.contact_count = 1;
  char *text = picture_of(&snapshot);
  cr_expect(strstr(text, ">correct (1)<"));
  cr_expect_not(strstr(text, "phantom"));
  cr_expect_not(strstr(text, "without a normal"));
  free(text);
}

Test(harness_picture, the_same_bytes_come_again_in_any_locale) {
  ts_snapshot snapshot;
  ts_snapshot_request request = {.case_name = "arch", .method = "opposing"};
  cr_assert_eq(ts_cell_snapshot(&snapshot, NULL, arena, &request), TS_OK, "%s", ts_status_detail());
  char *first = picture_of(&snapshot);
  setlocale(LC_ALL, "de_DE.UTF-8");
  char *second = picture_of(&snapshot);
  cr_expect_str_eq(first, second);
  free(first);
  free(second);
}

Test(harness_picture, numbers_have_at_most_two_decimals_and_text_is_escaped) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  ts_svg_text(file, (ts_svg_point){-0.005, 12.3}, "a < b & c", "");
  ts_svg_text(file, (ts_svg_point){-0.004, 7.05}, "", "");
  ts_svg_text(file, (ts_svg_point){-1.5, 1e300}, "", "");
  fclose(file);
  cr_expect_str_eq(text, "<text x=\"-0.01\" y=\"12.3\" >a &lt; b &amp; c</text>\n"
                         "<text x=\"0\" y=\"7.05\" ></text>\n"
                         "<text x=\"-1.5\" y=\"1000000\" ></text>\n");
  free(text);
}
