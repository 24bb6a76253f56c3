// SPDX-License-Identifier: MIT
// covers: harness/picture/exploded_view.c harness/picture/svg.c harness/picture/view_grid.c
// covers: harness/picture/wireframe.c
// What pictures are made of: which edges are hidden, where bodies are pulled to, lines of text.
#include "harness/picture/exploded_view.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"
#include "harness/picture/svg.h"
#include "harness/picture/wireframe.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_picture_parts, .init = setup, .fini = teardown);

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

Test(harness_picture_parts, a_box_shows_its_twelve_edges_and_no_diagonal) {
  ts_snapshot_body body = box((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
  ts_wireframe w = wireframe_of(&body, 1);
  cr_expect_eq(w.wire_count, 12);
  cr_expect_float_eq(length_of(&w, false) + length_of(&w, true), 4 * (1 + 2 + 3), 1e-12);
}

Test(harness_picture_parts, an_edge_is_cut_where_it_goes_behind_a_face) {
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

Test(harness_picture_parts, a_point_is_hidden_behind_a_face_and_not_on_it) {
  ts_snapshot_body body = box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
  ts_wireframe w = wireframe_of(&body, 1);
  cr_expect(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 0.5}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 1}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){0.5, 0.25, 2}));
  cr_expect_not(ts_wireframe_hides(&w, (ts_vec3){1.5, 0.25, 0.5}));
}

Test(harness_picture_parts, the_view_is_right_handed_and_upright_for_any_up) {
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

Test(harness_picture_parts, a_stack_comes_apart_by_the_gap) {
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

Test(harness_picture_parts, overlapping_bodies_are_moved_apart) {
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

/// Made by a generator of its own, so that the same triangles come on any machine.
static double next_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 40) / (double)(1u << 24);
}

Test(harness_picture_parts, the_grid_finds_each_triangle_near_a_line_once) {
  enum { COUNT = 400 };
  static ts_view_triangle triangles[COUNT];
  uint64_t state = 7;
  for (size_t i = 0; i < COUNT; i++) {
    // Small ones, and now and then one across the page.
    double size = i % 50 == 0 ? 1 : 0.05;
    ts_vec3 min = {next_number(&state), next_number(&state), 0};
    triangles[i].min = min;
    triangles[i].max = (ts_vec3){min.x + size, min.y + size, 0};
  }
  ts_view_grid grid;
  uint32_t found[COUNT];
  cr_assert_eq(ts_view_grid_create(&grid, arena, triangles, COUNT), TS_OK);
  for (int k = 0; k < 200; k++) {
    ts_vec3 a = {2 * next_number(&state) - 0.5, 2 * next_number(&state) - 0.5, 0};
    ts_vec3 b = {2 * next_number(&state) - 0.5, 2 * next_number(&state) - 0.5, 0};
    size_t times[COUNT] = {0}, count = ts_view_grid_find(found, &grid, a, b);
    for (size_t i = 0; i < count; i++)
      times[found[i]]++;
    for (size_t i = 0; i < COUNT; i++) {
      bool is_near =
          triangles[i].min.x <= ts_max(a.x, b.x) && triangles[i].max.x >= ts_min(a.x, b.x) &&
          triangles[i].min.y <= ts_max(a.y, b.y) && triangles[i].max.y >= ts_min(a.y, b.y);
      cr_expect(times[i] <= 1 && times[i] >= is_near, "%zu, %d", i, k);
    }
  }
}

Test(harness_picture_parts, the_grid_of_nothing_finds_nothing) {
  ts_view_grid grid;
  uint32_t found[1];
  const uint32_t *entries;
  cr_assert_eq(ts_view_grid_create(&grid, arena, NULL, 0), TS_OK);
  cr_expect_eq(ts_view_grid_find(found, &grid, (ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 0}), 0);
  cr_expect_eq(ts_view_grid_at(&entries, &grid, (ts_vec3){0, 0, 0}), 0);
}

/// A prism of `sides` sides about the z axis, from 0 to 1.
static ts_snapshot_body prism(uint32_t sides) {
  ts_vec3 *vertices = ts_arena_array(arena, 2 * sides + 2, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 4 * sides, sizeof *triangles);
  for (uint32_t i = 0; i < sides; i++) {
    double angle = 6.283185307179586 * i / sides;
    uint32_t next = (i + 1) % sides, low = 2 * sides;
    vertices[i] = (ts_vec3){cos(angle), sin(angle), 0};
    vertices[sides + i] = (ts_vec3){cos(angle), sin(angle), 1};
    const uint32_t of[4][3] = {{i, next, sides + i},
                               {next, sides + next, sides + i},
                               {next, i, low},
                               {sides + i, sides + next, low + 1}};
    memcpy(triangles[4 * i], of, sizeof of);
  }
  vertices[2 * sides + 1].z = 1;
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 2 * sides + 2,
                              (const uint32_t(*)[3])triangles, 4 * sides),
               TS_OK, "%s", ts_status_detail());
  return (ts_snapshot_body){
      .name = "prism", .pose = {{1, 0, 0, 0}, {0, 0, 0}}, .designed = {mesh, mesh->vertices}};
}

Test(harness_picture_parts, the_outline_of_a_curved_body_is_not_soft) {
  const ts_snapshot_body body = prism(40);
  ts_snapshot snapshot = {.body_count = 1, .bodies = &body, .body_size_m = 1};
  static const ts_vec3 still;
  const ts_view side = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  ts_wireframe w;
  cr_assert_eq(ts_wireframe_create(&w, arena, &snapshot, &still, &side), TS_OK);
  size_t outline = 0;
  for (size_t i = 0; i < w.wire_count; i++)
    outline += !w.wires[i].is_soft && w.wires[i].from.x == w.wires[i].to.x;
  cr_expect_eq(outline, 2, "left and right");
  cr_expect_not(w.is_thinned);
}

Test(harness_picture_parts, a_surface_of_very_many_edges_keeps_its_outline_only) {
  const ts_snapshot_body body = prism((uint32_t)TS_WIREFRAME_SOFT_MAX / 10);
  ts_snapshot_body bodies[12];
  ts_vec3 still[12] = {{0, 0, 0}};
  for (int i = 0; i < 12; i++)
    bodies[i] = body;
  ts_snapshot snapshot = {.body_count = 12, .bodies = bodies, .body_size_m = 1};
  const ts_view top = {{1, 0, 0}, {0, 0.8, 0.6}, {0, -0.6, 0.8}};
  ts_wireframe w;
  cr_assert_eq(ts_wireframe_create(&w, arena, &snapshot, still, &top), TS_OK);
  cr_expect(w.is_thinned);
  cr_expect_gt(w.wire_count, 0);
  for (size_t i = 0; i < w.wire_count; i++)
    cr_expect_not(w.wires[i].is_soft);
}

/// A paragraph as text, to be freed.
static char *paragraph(const char *text, double width, size_t *lines) {
  char *out = NULL;
  size_t bytes;
  FILE *file = open_memstream(&out, &bytes);
  *lines = ts_svg_paragraph(file, (ts_svg_point){0, 10}, text, width, 10, false, "#000");
  fclose(file);
  return out;
}

Test(harness_picture_parts, text_wraps_at_blanks_then_at_signs_then_anywhere) {
  size_t lines;
  char *text = paragraph("one two three", ts_svg_text_width("one two", 10, false), &lines);
  cr_expect_eq(lines, 2);
  cr_expect(strstr(text, ">one two</text>") && strstr(text, ">three</text>"), "%s", text);
  free(text);
  text = paragraph("one_two_three", ts_svg_text_width("one_two_t", 10, false), &lines);
  cr_expect(strstr(text, ">one_two_</text>") && strstr(text, ">three</text>"), "%s", text);
  free(text);
  text = paragraph("abcdefgh", ts_svg_text_width("abcde", 10, false), &lines);
  cr_expect(strstr(text, ">abcde</text>") && strstr(text, ">fgh</text>"), "%s", text);
  free(text);
}

Test(harness_picture_parts, a_paragraph_narrower_than_a_letter_ends) {
  size_t lines;
  char *text = paragraph("\xc3\xa4\xc3\xb6x", 0.1, &lines);
  cr_expect_eq(lines, 3);
  cr_expect(strstr(text, ">\xc3\xa4</text>"), "a character is not cut: %s", text);
  free(text);
}

Test(harness_picture_parts, numbers_have_at_most_two_decimals_and_text_is_escaped) {
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
